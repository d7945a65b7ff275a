// Light or dark: as the system says, unless a person chose.
import { useEffect, useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const NAME = 'interlock.theme';

/** The theme chosen, and how to choose another. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(chosen);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(NAME, theme);
    } catch {
      // A browser that keeps nothing asks the system again next time.
    }
  }, [theme]);
  return [theme, setTheme];
}

function chosen(): Theme {
  try {
    const found = localStorage.getItem(NAME);
    return found === 'light' || found === 'dark' ? found : 'system';
  } catch {
    return 'system';
  }
}
