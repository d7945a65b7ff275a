// The pages of the console, by the first part of the address's fragment.
import { type ComponentType, useEffect, useState } from 'react';
import { InboxPage } from '../inbox/page.tsx';
import { PreviewPage } from '../preview/page.tsx';

/** `rest` is what follows the page's name in the address: `#/inbox/ID`. */
export interface PageProps { query: URLSearchParams; rest: string }
export interface Page { path: string; title: string; component: ComponentType<PageProps>; skips: readonly { id: string; title: string }[] }

export const PAGES: readonly Page[] = [
  { path: 'preview', title: 'Preview', component: PreviewPage, skips: [{ id: 'policy', title: 'the policy' }, { id: 'call', title: 'the session and the call' }, { id: 'decision', title: 'the decision' }] },
  { path: 'inbox', title: 'Inbox', component: InboxPage, skips: [{ id: 'inbox', title: 'the questions' }] },
];

/** The page that the address names, with its query; null where there is no such page. No fragment is the first page. */
export function usePlace(): { page: Page | null; query: URLSearchParams; rest: string } {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const [place = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [path = '', ...rest] = place.split('/');
  return { page: path === '' ? PAGES[0]! : (PAGES.find((page) => page.path === path) ?? null), query: new URLSearchParams(query), rest: rest.join('/') };
}
