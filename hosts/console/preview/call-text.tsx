// The next call as one JSON text, for what the form cannot hold.
import type { ReactNode } from 'react';
import { jsonFault } from '../decide/request.ts';
import { withCall } from '../draft/edits.ts';
import { Editor } from '../editor/editor.tsx';
import type { Preview } from './use-preview.ts';

export function CallText({ preview: { draft, edit } }: { preview: Preview }): ReactNode {
  const text = draft.call.text ?? '';
  const wrong = jsonFault(text);
  return (
    <div className="field">
      <Editor label="Request, JSON" language="json" small value={text} describedBy="call-text-says" invalid={wrong !== null} onChange={(changed) => edit((now) => withCall(now, { text: changed }))} />
      {wrong === null ? <p className="says" id="call-text-says">The page adds the history, and asks for the trace.</p> : <p className="wrong" id="call-text-says">Not JSON: {wrong}</p>}
    </div>
  );
}
