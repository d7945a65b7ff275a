// A text to take along: shown, and copied by a button that says so.
import { type ReactNode, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { CopyIcon } from './icons.tsx';

interface CopyProps { label: string; text: string; says?: ReactNode; announce: (text: string) => void }

/** The text with its button. Where the browser gives no clipboard, the text is marked for a person to copy. */
export function Copyable({ label, text, says, announce }: CopyProps): ReactNode {
  const shown = useRef<HTMLPreElement>(null);
  const copy = async () => {
    announce(await toClipboard(text) ? `${label} copied.` : mark(shown.current));
  };
  return (
    <div className="copyable">
      <div className="row">
        <p className="says grow">{says}</p>
        <CopyButton label={`Copy ${label.toLowerCase()}`} copy={copy} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <section className="shown" tabIndex={0} aria-label={label}><pre ref={shown}>{text}</pre></section>
    </div>
  );
}

/** A button that says for a moment that it has copied. */
export function CopyButton({ label, copy }: { label: string; copy: () => Promise<void> }): ReactNode {
  const [done, setDone] = useState(false);
  const press = async () => {
    await copy();
    setDone(true);
    setTimeout(() => setDone(false), 1600);
  };
  return <Button className="button" aria-label={done ? 'Copied' : label} onPress={press}><CopyIcon />{done ? 'Copied' : 'Copy'}</Button>;
}

/** Whether the browser took the text. */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function mark(element: HTMLElement | null): string {
  if (element) getSelection()?.selectAllChildren(element);
  return 'This browser gives no clipboard here: the text is marked, copy it with Control C.';
}
