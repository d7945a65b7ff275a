// What else a host knows of a call: facts for the rulebook, the principal, the resource, marks, time, and which step it undoes.
import type { ReactNode } from 'react';
import { Button, Checkbox, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { TextBox } from '../controls/fields.tsx';
import { ChevronIcon } from '../controls/icons.tsx';
import { jsonFault, members } from '../decide/request.ts';
import type { Call } from '../draft/draft.ts';
import { withCall } from '../draft/edits.ts';
import { factsIn, type Preview } from './use-preview.ts';

export function Circumstances({ preview }: { preview: Preview }): ReactNode {
  const { draft: { call }, edit } = preview;
  const set = (change: Partial<Call>) => edit((now) => withCall(now, change));
  const wrong = (field: 'context' | 'principal' | 'resource') => (call[field].trim() === '' ? undefined : (jsonFault(call[field]) ?? undefined));
  return (
    <>
      <Facts preview={preview} />
      <Disclosure className="more" defaultExpanded={[call.principal, call.resource, call.marks, call.undo].some((text) => text !== '')}>
        <Heading level={4}><Button slot="trigger" className="button bare"><ChevronIcon />What else the host knows</Button></Heading>
        <DisclosurePanel className="stack">
          <TextBox label="Facts, JSON" code value={call.context} placeholder='{"card_on_file": true}' wrong={wrong('context')} onChange={(context) => set({ context })} />
          <TextBox label="Principal, JSON" code value={call.principal} placeholder='{"id": "u-1"}' says="Whom the call is for." wrong={wrong('principal')} onChange={(principal) => set({ principal })} />
          <TextBox label="Resource, JSON" code value={call.resource} says="What the host looked up." wrong={wrong('resource')} onChange={(resource) => set({ resource })} />
          <TextBox label="Marks on the call" code value={call.marks} placeholder="untrusted:read_inbox" says="With spaces between them." onChange={(marks) => set({ marks })} />
          <div className="pair">
            <TextBox label="Time, seconds" code value={call.now} says={date(call.now)} onChange={(now) => set({ now })} wrong={/^\d{1,15}$/.test(call.now.trim()) ? undefined : 'A whole number of seconds is needed.'} />
            <TextBox label="Undoes step" code value={call.undo} placeholder="none" onChange={(undo) => set({ undo })} wrong={/^\d{0,9}$/.test(call.undo.trim()) ? undefined : 'A step’s number is needed.'} />
          </div>
        </DisclosurePanel>
      </Disclosure>
    </>
  );
}

/** The facts that the policy names, to switch on and off. */
function Facts({ preview }: { preview: Preview }): ReactNode {
  const { draft: { call }, edit } = preview;
  const names = factsIn(preview).facts;
  const known = call.context.trim() === '' ? {} : members(call.context);
  if (names.length === 0 || known === null) return null;
  const set = (name: string, on: boolean) => edit((now) => withCall(now, { context: JSON.stringify({ ...(members(now.call.context) ?? {}), [name]: on }) }));
  return (
    <fieldset>
      <legend>Facts</legend>
      <div className="row wrap">
        {names.map((name) => (
          <Checkbox key={name} className="check" isSelected={known[name] === true} onChange={(on) => set(name, on)}><span className="box" aria-hidden="true" />{name}</Checkbox>
        ))}
      </div>
    </fieldset>
  );
}

function date(now: string): string {
  const seconds = Number(now);
  return Number.isSafeInteger(seconds) && Math.abs(seconds) < 8.64e12 ? `${new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 19)} UTC` : '';
}
