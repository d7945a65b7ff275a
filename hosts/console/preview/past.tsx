// The session so far: each step with its decision, what became of it, and what can be done from there.
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { Choose, TextBox } from '../controls/fields.tsx';
import { DecisionIcon } from '../controls/icons.tsx';
import { WORDS } from '../decide/sentences.ts';
import { jsonFault } from '../decide/request.ts';
import type { Played } from '../decide/play.ts';
import { STATUSES, type Status, type Step } from '../draft/draft.ts';
import { backTo, undoOf, withOutcome } from '../draft/edits.ts';
import { focusOn } from '../shell/focus.ts';
import { factsIn, type Preview } from './use-preview.ts';

export function Past({ preview }: { preview: Preview }): ReactNode {
  const { draft, play } = preview;
  if (draft.steps.length === 0) return <p className="says">Nothing came before. Add an answer to the history, and the session goes on from it.</p>;
  if (play === null) return null;
  return (
    <ol className="past" aria-label="The session so far">
      {/* biome-ignore lint/suspicious/noArrayIndexKey: a step's index is its name */}
      {draft.steps.map((step, index) => <PastStep key={index} preview={preview} step={step} played={play.past[index]!} index={index} />)}
    </ol>
  );
}

function PastStep({ preview, step, played, index }: { preview: Preview; step: Step; played: Played; index: number }): ReactNode {
  const [open, setOpen] = useState(false);
  const { answer, fault, unreported } = played;
  const { edit } = preview;
  const tool = answer?.entry?.tool ?? step.call.tool;
  const kind = answer?.decision ?? 'none';
  const reasons = answer && answer.reason !== answer.decision ? answer.reasons.join(', ') : '';
  const said = [reasons, answer?.entry?.agent, fault?.message, unreported ? `the outcome is not taken: ${unreported.message}` : ''];
  const undone = answer?.decision === 'allow' && step.outcome?.status === 'ran' ? undoOf(preview.draft, index, played, factsIn(preview)) : null;
  const back = () => {
    focusOn('call');
    preview.replace(backTo(preview.draft, index), `Step ${index} and what came after it are out of the session; its call is in the form.`);
  };
  return (
    <li className={kind}>
      <div className="row">
        <span className="number">{index}</span>
        <span className={`badge ${kind}`}><DecisionIcon kind={kind} size={14} />{answer ? WORDS[answer.decision] : 'No decision'}</span>
        <code className="grow cut" title={step.call.arguments}>{tool} <span className="quiet">{step.call.text === null ? step.call.arguments : ''}</span></code>
        <span className="says">{step.outcome ? OUTCOMES[step.outcome.status] : ''}</span>
      </div>
      <div className="row wrap below">
        <p className="says grow">{said.filter(Boolean).join(' · ')}</p>
        {answer?.decision === 'allow' && <Button className="button bare" aria-expanded={open} onPress={() => setOpen(!open)} aria-label={`Report step ${index}`}>Report</Button>}
        {undone !== null && <Button className="button bare" aria-label={`Undo step ${index}`} onPress={() => edit(() => undone)}>Undo</Button>}
        <Button className="button bare" aria-label={`Go back to before step ${index}`} onPress={back}>Go back</Button>
      </div>
      {open && answer?.decision === 'allow' && <Report index={index} outcome={step.outcome} set={(outcome) => edit((now) => withOutcome(now, index, outcome))} />}
    </li>
  );
}

const OUTCOMES: Record<Status, string> = { ran: 'ran', failed: 'failed', outcome_unknown: 'outcome unknown', compensated: 'compensated' };
const CHOICES = [{ id: 'none', label: 'not reported' }, ...STATUSES.map((status) => ({ id: status, label: OUTCOMES[status] }))];

function Report({ index, outcome, set }: { index: number; outcome: Step['outcome']; set: (outcome: Step['outcome']) => void }): ReactNode {
  const status = outcome?.status ?? 'none';
  const choose = (chosen: string) => {
    const found = STATUSES.find((one) => one === chosen);
    set(found === undefined ? null : { status: found, result: outcome?.result ?? '' });
  };
  const result = outcome?.result ?? '';
  return (
    <div className="report">
      <Choose label={`What became of step ${index}`} value={status} choices={CHOICES} onChange={choose} />
      {outcome && (
        <TextBox label={`Result of step ${index}, JSON`} code value={result} placeholder='{"total": 40}' says="Its top-level fields go into the history as digests." wrong={result.trim() === '' ? undefined : (jsonFault(result) ?? undefined)} onChange={(text) => set({ ...outcome, result: text })} />
      )}
    </div>
  );
}
