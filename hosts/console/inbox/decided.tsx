// Questions that have their answer: who decided, and when.
import type { ReactNode } from 'react';
import { visible } from '../package.ts';
import type { Approval } from './api.ts';
import { STATES, when } from './words.ts';

export function Decided({ approvals, current }: { approvals: readonly Approval[]; current: Approval | null }): ReactNode {
  if (approvals.length === 0) return <p className="says">Nothing was decided yet.</p>;
  return (
    <ul className="questions" aria-label="Decided questions">
      {approvals.map((approval) => {
        const { id, question, state, answers, decidedAt } = approval;
        return (
          <li key={id}>
            <a href={`#/inbox/${id}`} aria-current={approval === current ? 'true' : undefined}>
              <span className="line-title">{visible(question.title)}</span>
              <span className="says">{STATES[state]}{answers.length === 0 ? '' : ` by ${answers.map(({ approver }) => visible(approver)).join(', ')}`}{decidedAt === null ? '' : ` · ${when(decidedAt)}`}</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
