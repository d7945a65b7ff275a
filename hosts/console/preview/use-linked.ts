// Takes the draft out of a link, once: the address is then the page's own again, and a reload goes on with the edited draft.
import { useEffect, useRef, useState } from 'react';
import { unpacked } from '../draft/link.ts';
import { kept } from '../draft/store.ts';
import type { Preview } from './use-preview.ts';

/** Reads the `d` of the page's query. */
export function useLinked(preview: Preview, query: URLSearchParams): void {
  const word = query.get('d');
  const [arrived, setArrived] = useState<string | null>(null);
  const current = useRef(preview);
  current.current = preview;
  const hadOne = useRef(kept() !== null);
  useEffect(() => {
    if (word === null) return undefined;
    let dropped = false;
    void unpacked(word).then((draft) => {
      if (dropped) return;
      if (draft === null) current.current.tell('This link holds no draft: it may have been cut short, or be too long.');
      else current.current.replace(draft, hadOne.current ? 'This draft came with the link, in place of yours.' : 'This draft came with the link.');
      setArrived(word);
    });
    return () => { dropped = true; };
  }, [word]);
  // Once the draft is on the page, and not before: whoever watches the address sees it then.
  useEffect(() => {
    if (arrived === null || arrived !== word) return;
    history.replaceState(null, '', '#/preview');
    dispatchEvent(new HashChangeEvent('hashchange'));
    setArrived(null);
  }, [arrived, word]);
}
