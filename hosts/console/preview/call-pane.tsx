// The session: what came before, and the next call with everything a host would know of it.
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { Choose, TextBox } from '../controls/fields.tsx';
import { asForm, asText } from '../decide/request.ts';
import { withCall } from '../draft/edits.ts';
import { focusOn } from '../shell/focus.ts';
import { CallForm } from './call-form.tsx';
import { CallText } from './call-text.tsx';
import { Past } from './past.tsx';
import type { Preview } from './use-preview.ts';

const KEYS = [
  { id: 'preview', label: 'None: a preview', says: 'Decisions without tokens' },
  { id: 'practice', label: 'The practice key', says: 'Everyone knows it: tokens work, and prove nothing' },
];

export function CallPane({ preview }: { preview: Preview }): ReactNode {
  const { draft, edit } = preview;
  return (
    <section className="pane" id="call" aria-labelledby="call-title" tabIndex={-1}>
      <h2 id="call-title">Session</h2>
      <div className="pair">
        <TextBox label="Session id" value={draft.session} code onChange={(session) => edit((now) => ({ ...now, session }))} />
        <Choose label="Key" value={draft.keys} choices={KEYS} onChange={(keys) => edit((now) => ({ ...now, keys: keys === 'practice' ? 'practice' : 'preview' }))} />
      </div>
      <Past preview={preview} />
      <NextHead preview={preview} />
      {draft.call.confirms !== null && (
        <p className="tag">
          <span className="grow">With the person’s yes to step {draft.call.confirms}{draft.keys === 'preview' ? '; a preview has no tokens, so it carries nothing' : ''}</span>
          <Button className="button bare" onPress={() => { focusOn('call'); edit((now) => withCall(now, { confirms: null })); }}>Take it away</Button>
        </p>
      )}
      {draft.call.text === null ? <CallForm preview={preview} /> : <CallText preview={preview} />}
    </section>
  );
}

/** The next step's number, and the way from the form to one text and back. */
function NextHead({ preview: { draft, edit, play, tell } }: { preview: Preview }): ReactNode {
  const isText = draft.call.text !== null;
  const turn = () => {
    const other = isText ? asForm(draft.call) : asText(draft);
    if ('cannot' in other) tell(other.cannot);
    else edit((now) => ({ ...now, call: other }));
  };
  return (
    <div className="row rule">
      <h3 className="grow">Next call{play === null ? '' : `: step ${play.past.length}`}</h3>
      <Button className="button bare" onPress={turn}>{isText ? 'Edit as a form' : 'Edit as JSON'}</Button>
    </div>
  );
}
