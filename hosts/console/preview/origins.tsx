// Where each argument came from, as the host's own record would say, and the marks on it.
import type { ReactNode } from 'react';
import { Suggest, TextBox } from '../controls/fields.tsx';
import { members } from '../decide/request.ts';
import { originsFor, withCall } from '../draft/edits.ts';
import { factsIn, type Preview } from './use-preview.ts';

const MEANINGS: Record<string, string> = {
  typed: 'The person wrote it: looked for in the turns', model: 'The model wrote it', reply: 'The person answered a question with it', context: 'The host knows it', computed: 'The host worked it out',
};

export function Origins({ preview }: { preview: Preview }): ReactNode {
  const { draft, edit, play } = preview;
  const { call } = draft;
  const names = Object.keys(members(call.arguments) ?? {});
  if (names.length === 0) return null;
  const choices = (play ? originsFor(play.history, factsIn(preview)) : []).map((origin) => ({ id: origin, label: origin, says: MEANINGS[origin] ?? 'A field of a reported result' }));
  return (
    <fieldset className="origins">
      <legend>Where each argument came from</legend>
      <div className="origin-head" aria-hidden="true"><span>Argument</span><span>Origin</span><span>Marks</span></div>
      {names.map((name) => (
        <div className="origin" key={name}>
          <code className="cut" title={name}>{name}</code>
          <Suggest hideLabel label={`Origin of ${name}`} value={call.origins[name] ?? ''} placeholder="model" choices={choices} onChange={(origin) => edit((now) => withCall(now, { origins: changed(now.call.origins, name, origin) }))} />
          <TextBox hideLabel label={`Marks on ${name}`} code value={call.argumentMarks[name] ?? ''} placeholder="none" onChange={(marks) => edit((now) => withCall(now, { argumentMarks: changed(now.call.argumentMarks, name, marks) }))} />
        </div>
      ))}
    </fieldset>
  );
}

/** The record with one member set; an empty text takes it out. */
function changed(record: Record<string, string>, name: string, text: string): Record<string, string> {
  return Object.fromEntries([...Object.entries(record).filter(([other]) => other !== name), ...(text === '' ? [] : [[name, text] as [string, string]])]);
}
