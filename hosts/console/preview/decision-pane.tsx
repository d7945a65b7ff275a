// The decision: what it is and why, what a person would be asked, how to go on, the twelve steps, and the texts to take along.
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { fixes } from '../../shared/fixes.ts';
import { DecisionIcon, MarkIcon } from '../controls/icons.tsx';
import type { Answer } from '../decide/answer.ts';
import type { Fault } from '../decide/core.ts';
import { MEANINGS, sayings, WORDS } from '../decide/sentences.ts';
import { saidYes, taken } from '../draft/edits.ts';
import { visible } from '../package.ts';
import { focusOn } from '../shell/focus.ts';
import { Asked } from './asked.tsx';
import { Copies } from './copies.tsx';
import { Trace } from './trace.tsx';
import { isStale, type Preview } from './use-preview.ts';

export function DecisionPane({ preview, announce, tab, setTab }: { preview: Preview; announce: (text: string) => void; tab: string; setTab: (tab: string) => void }): ReactNode {
  const played = preview.play?.next;
  const answer = played?.answer ?? null;
  return (
    <section className="pane decision" id="decision" aria-labelledby="decision-title" aria-busy={preview.pending} tabIndex={-1}>
      <h2 id="decision-title">Decision</h2>
      {answer === null ? <NoDecision preview={preview} fault={played?.fault ?? null} /> : (
        <>
          {isStale(preview) && <p className="stale"><MarkIcon severity="warning" />By the last good version: the policy has an error now.</p>}
          <Verdict answer={answer} />
          <GoOn preview={preview} answer={answer} announce={announce} />
          {answer.question && <Asked question={answer.question} />}
          <Fixes answer={answer} />
          <Trace preview={preview} answer={answer} />
          <Copies preview={preview} announce={announce} tab={tab} setTab={setTab} />
        </>
      )}
    </section>
  );
}

function Verdict({ answer }: { answer: Answer }): ReactNode {
  return (
    <div className={`verdict ${answer.decision}`}>
      <p className="word"><DecisionIcon kind={answer.decision} size={28} /><strong>{WORDS[answer.decision]}</strong><span className="meaning">{MEANINGS[answer.decision]}</span></p>
      <ul className="reasons" aria-label="Reasons">
        {sayings(answer).map(({ reason, text }) => <li key={reason}>{visible(text)} <code className="codename">{reason}</code></li>)}
      </ul>
    </div>
  );
}

function NoDecision({ preview, fault }: { preview: Preview; fault: Fault | null }): ReactNode {
  const why = fault?.message ?? (preview.pending ? 'The policy is being read.' : 'No policy is in force: mend the errors of the policy first.');
  return (
    <div className="verdict none">
      <p className="word"><DecisionIcon kind="none" size={28} /><strong>No decision</strong><span className="meaning">Nothing runs.</span></p>
      <p className="reasons">{why}{fault?.pointer ? ` (at ${fault.pointer})` : ''} {fault && <code className="codename">{fault.code}</code>}</p>
    </div>
  );
}

function GoOn({ preview, answer, announce }: { preview: Preview; answer: Answer; announce: (text: string) => void }): ReactNode {
  const { edit, draft } = preview;
  const add = () => {
    edit(taken);
    announce(`The answer is step ${draft.steps.length} of the history.`);
  };
  const yes = () => {
    // The button goes with the question.
    focusOn('decision');
    if (draft.keys === 'preview') preview.replace(saidYes(draft), 'A preview has no tokens to carry a yes, so the practice key, which everyone knows, signs this session now.');
    else edit(saidYes);
    announce(`The person said yes to step ${draft.steps.length}.`);
  };
  if (answer.entry === null) return null;
  return (
    <div className="row wrap">
      {answer.decision === 'confirm' && <Button className="button strong" onPress={yes}>Say yes as the person</Button>}
      <Button className={answer.decision === 'confirm' ? 'button' : 'button strong'} onPress={add}>Add to the history</Button>
    </div>
  );
}

function Fixes({ answer }: { answer: Answer }): ReactNode {
  const found = fixes(answer);
  if (found.length === 0) return null;
  return (
    <div className="block">
      <h3>What would change it</h3>
      <ul className="plain">{found.map((fix) => <li key={fix}>{visible(fix)}</li>)}</ul>
    </div>
  );
}
