// The next call as a form: who calls what with which arguments, where they came from, and what else a host knows.
import type { ReactNode } from 'react';
import { Suggest } from '../controls/fields.tsx';
import { jsonFault } from '../decide/request.ts';
import { callFor, withCall } from '../draft/edits.ts';
import { Editor } from '../editor/editor.tsx';
import { Circumstances } from './circumstances.tsx';
import { Origins } from './origins.tsx';
import { Turns } from './turns.tsx';
import { factsIn, type Preview } from './use-preview.ts';

export function CallForm({ preview }: { preview: Preview }): ReactNode {
  const { draft, edit } = preview;
  const { call } = draft;
  const facts = factsIn(preview);
  const agent = facts.agents.find(({ name }) => name === call.agent) ?? (call.agent === '' && facts.agents.length === 1 ? facts.agents[0] : undefined);
  const names = [...new Set([...(agent?.tools ?? []), ...facts.tools.keys()])];
  const tools = names.map((name) => ({ id: name, label: name, says: [facts.tools.get(name)?.description, agent && !agent.tools.includes(name) ? `(not ${agent.name}’s)` : ''].filter(Boolean).join(' ') }));
  const wrong = jsonFault(call.arguments);
  return (
    <div className="stack">
      <div className="pair">
        <Suggest label="Agent" value={call.agent} placeholder="no agent named" choices={facts.agents.map(({ name, tools: own }) => ({ id: name, label: name, says: own.join(', ') }))} onChange={(name) => edit((now) => withCall(now, { agent: name }))} />
        <Suggest label="Tool" value={call.tool} choices={tools} onChange={(name) => edit((now) => (facts.tools.has(name) ? callFor(now, name, facts) : withCall(now, { tool: name })))} />
      </div>
      <div className="field">
        <span className="label" id="arguments-title">Arguments</span>
        <Editor label="Arguments, JSON" language="json" small value={call.arguments} describedBy="arguments-says" invalid={wrong !== null} onChange={(text) => edit((now) => withCall(now, { arguments: text }))} />
        {wrong === null ? <p className="says" id="arguments-says">JSON as the model wrote it: every digit is kept.</p> : <p className="wrong" id="arguments-says">Not JSON: {wrong}</p>}
      </div>
      <Origins preview={preview} />
      <Turns turns={call.turns} onChange={(turns) => edit((now) => withCall(now, { turns }))} />
      <Circumstances preview={preview} />
    </div>
  );
}
