// The frame around every page: skip links, the name, the pages where there are several, the theme, and which core decides.
import { type ReactNode, useEffect, useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { coreDigest } from '../decide/core.ts';
import { focusOn } from './focus.ts';
import { PAGES, usePlace } from './routes.tsx';
import { type Theme, useTheme } from './theme.ts';

export function App(): ReactNode {
  const { page, query, rest } = usePlace();
  const [theme, setTheme] = useTheme();
  const Shown = page?.component;
  return (
    <>
      <nav className="skips" aria-label="Skip links">
        {page?.skips.map(({ id, title }) => <a key={id} href={`#${id}`} onClick={(event) => { event.preventDefault(); focusOn(id, true); }}>Skip to {title}</a>)}
      </nav>
      <header className="top">
        <a className="brand" href="#/preview"><Logo />Interlock</a>
        {PAGES.length > 1 && <nav aria-label="Pages">{PAGES.map(({ path, title }) => <a key={path} href={`#/${path}`} aria-current={page?.path === path ? 'page' : undefined}>{title}</a>)}</nav>}
        <span className="grow" />
        <ToggleButtonGroup className="themes" aria-label="Theme" selectionMode="single" disallowEmptySelection selectedKeys={[theme]} onSelectionChange={(keys) => setTheme([...keys][0] as Theme)}>
          <ToggleButton id="system" className="theme">System</ToggleButton>
          <ToggleButton id="light" className="theme">Light</ToggleButton>
          <ToggleButton id="dark" className="theme">Dark</ToggleButton>
        </ToggleButtonGroup>
      </header>
      <main>{Shown ? <Shown query={query} rest={rest} /> : <p className="pane">There is no such page. <a href="#/preview">Go to the preview</a></p>}</main>
      <footer className="foot"><Core /></footer>
    </>
  );
}

/** The SHA-256 of the module that decides, as `dist/core.wasm.sha256` has it. */
function Core(): ReactNode {
  const [digest, setDigest] = useState<string | null | undefined>(undefined);
  useEffect(() => { void coreDigest().then(setDigest); }, []);
  return (
    <>
      <p>core.wasm, SHA-256 <code className="breaks">{digest === undefined ? '…' : (digest ?? 'not worked out here: this browser gives digests to https and to this machine only')}</code></p>
      <p><a href="./THIRD-PARTY-NOTICES.txt">Licences of what this page is made of</a></p>
    </>
  );
}

function Logo(): ReactNode {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true" focusable="false">
      <path d="M4 3h6v5a3 3 0 0 0 6 0V3h2v16h-6v-5a3 3 0 0 0-6 0v5H4z" fill="currentColor" />
    </svg>
  );
}
