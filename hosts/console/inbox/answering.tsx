// The answers a person may give: yes, no with a reason that the model is told, or yes with other values, which are checked anew.
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { TextBox } from '../controls/fields.tsx';
import type { Api, Approval } from './api.ts';
import { useAct } from './use-inbox.ts';

interface Props { api: Api; approval: Approval; done: (said: string) => void }
type Form = 'none' | 'deny' | 'edit';

export function Answering({ api, approval, done }: Props): ReactNode {
  const { id, question } = approval;
  const [form, setForm] = useState<Form>('none');
  const [why, setWhy] = useState('');
  const [edited, setEdited] = useState<string | null>(null);
  const approve = useAct(() => api.approve(id), () => done(`Your yes to ${question.title} was taken.`));
  const deny = useAct((reason: string) => api.deny(id, reason), () => done(`${question.title} was denied.`));
  const edit = useAct((text: string) => api.edit(id, text), () => done(`${question.title} goes on with your values.`));
  const load = useAct(async () => setEdited(pretty(await api.argumentsOf(approval.call))), () => undefined);
  const stopped = approval.stopped !== undefined;
  const busy = approve.isPending || deny.isPending || edit.isPending;
  const refused = approve.error ?? deny.error ?? edit.error ?? load.error;
  const wrong = edited === null ? undefined : noObject(edited);
  return (
    <div className="block answering">
      {refused !== null && <p role="alert" className="wrong">{refused.message}</p>}
      {form === 'none' && (
        <div className="row wrap">
          <Button className="button strong" isDisabled={busy || stopped} onPress={() => approve.mutate(undefined)}>Approve</Button>
          <Button className="button" isDisabled={busy} onPress={() => setForm('deny')}>Deny …</Button>
          <Button className="button" isDisabled={busy || stopped} onPress={() => { setForm('edit'); load.mutate(undefined); }}>Edit …</Button>
        </div>
      )}
      {form === 'deny' && (
        <>
          <TextBox label="Why not" rows={2} value={why} onChange={setWhy} says="The model is told this. The same call is refused again without asking you." />
          <div className="row wrap">
            <Button className="button strong" isDisabled={busy || why.trim() === ''} onPress={() => deny.mutate(why.trim())}>Deny</Button>
            <Button className="button" onPress={() => setForm('none')}>Back</Button>
          </div>
        </>
      )}
      {form === 'edit' && edited !== null && (
        <>
          <TextBox label="Arguments, JSON" code rows={8} value={edited} onChange={setEdited} wrong={wrong} says="What you change counts as your own words. The call is checked again from the start." />
          <div className="row wrap">
            <Button className="button strong" isDisabled={busy || stopped || wrong !== undefined} onPress={() => edit.mutate(edited)}>Approve with these values</Button>
            <Button className="button" onPress={() => setForm('none')}>Back</Button>
          </div>
        </>
      )}
    </div>
  );
}

/** The text with line breaks between the members, its digits as they are: a number that a double cannot hold is shown as it came. */
function pretty(text: string): string {
  const value: unknown = JSON.parse(text);
  const printed = JSON.stringify(value, null, 2);
  return JSON.stringify(value) === text ? printed : text;
}

/** What is wrong with a text that should be one JSON object. The gateway judges it again, strictly. */
function noObject(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'The arguments are one JSON object: { … }.';
  } catch (error) {
    return `This is no JSON yet: ${(error as Error).message}.`;
  }
}
