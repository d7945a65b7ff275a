// The pages of the console, by the first part of the address's fragment.
import { type ComponentType, useEffect, useState } from 'react';
import { PreviewPage } from '../preview/page.tsx';

export interface PageProps { query: URLSearchParams }
export interface Page { path: string; title: string; component: ComponentType<PageProps>; skips: readonly { id: string; title: string }[] }

export const PAGES: readonly Page[] = [
  { path: 'preview', title: 'Preview', component: PreviewPage, skips: [{ id: 'policy', title: 'the policy' }, { id: 'call', title: 'the session and the call' }, { id: 'decision', title: 'the decision' }] },
];

/** The page that the address names, with its query; null where there is no such page. No fragment is the first page. */
export function usePlace(): { page: Page | null; query: URLSearchParams } {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return { page: path === '' ? PAGES[0]! : (PAGES.find((page) => page.path === path) ?? null), query: new URLSearchParams(query) };
}
