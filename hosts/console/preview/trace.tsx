// The twelve steps of the check, with what each saw of this call.
import type { ReactNode } from 'react';
import { ResultIcon } from '../controls/icons.tsx';
import type { Answer } from '../decide/answer.ts';
import { type ShownStep, shownSteps } from '../decide/trace.ts';
import { visible } from '../package.ts';
import { factsIn, type Preview } from './use-preview.ts';

const RESULTS: Record<ShownStep['result'], string> = { passed: 'passed', refused: 'refused', asks: 'asks', skipped: 'skipped', unreached: 'not reached' };

export function Trace({ preview, answer }: { preview: Preview; answer: Answer }): ReactNode {
  if (preview.play === null) return null;
  return (
    <div className="block">
      <h3>Step by step</h3>
      <ol className="trace">
        {shownSteps(answer, preview.play.history, factsIn(preview)).map(({ order, title, result, saw }) => (
          <li key={order} className={result}>
            <span className="number">{order}</span>
            <ResultIcon result={result} />
            <span className="grow"><span className="title">{title}</span>{saw.length > 0 && <span className="saw">{visible(saw.join(' · '))}</span>}</span>
            <span className="result">{RESULTS[result]}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
