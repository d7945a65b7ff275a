// One question whole: who wants to do what with which values and why it is asked, where the marks come from, what undoes it, and who has answered.
import type { ReactNode } from 'react';
import { visible } from '../package.ts';
import { Answering } from './answering.tsx';
import type { Api, Approval } from './api.ts';
import { STATES, when } from './words.ts';

interface Props { api: Api; approval: Approval; done: (said: string) => void }

export function QuestionPane({ api, approval, done }: Props): ReactNode {
  const { question, agent, principal, caller, session, marks, answers, count, deciders, state, stopped } = approval;
  return (
    <>
      <div className="block">
        <h2>{visible(question.title)}{question.target === undefined ? '' : ` → ${visible(question.target)}`}</h2>
        <p className="says">{STATES[state]} · the tool <code>{visible(approval.tool)}</code>{agent === null ? '' : <>, proposed by the agent <code>{visible(agent)}</code></>}{principal === null ? '' : <> for <code>{visible(principal)}</code></>}</p>
      </div>
      {stopped !== undefined && <p className="notice stopped"><strong>Stopped.</strong> A kill switch stops this call: {visible(stopped.why)} ({visible(stopped.by)}, {when(stopped.at)}). No yes is taken until it is lifted.</p>}
      <div className="block">
        <h3>Arguments</h3>
        {question.arguments.length === 0 ? <p className="says">It takes none.</p> : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
          <section className="scrolls" tabIndex={0} aria-label="Arguments">
            <table className="values">
              <thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Where it comes from</th></tr></thead>
              <tbody>{question.arguments.map(({ name, value, origin, typed }) => (
                <tr key={name}>
                  <th scope="row">{visible(name)}</th>
                  <td><code className="breaks">{visible(typeof value === 'string' ? value : JSON.stringify(value))}</code></td>
                  <td>{from(origin, typed)}</td>
                </tr>
              ))}</tbody>
            </table>
          </section>
        )}
      </div>
      <div className="block">
        <h3>Why you are asked</h3>
        <ul className="plain">{question.reasons.map(({ reason, text }) => <li key={reason}>{visible(text)} <code className="codename">{visible(reason)}</code></li>)}</ul>
      </div>
      {marks.length > 0 && (
        <div className="block">
          <h3>Marks</h3>
          <ul className="plain">{marks.map(({ label, text }) => <li key={label}>{visible(text)} <code className="codename">{visible(label)}</code></li>)}</ul>
        </div>
      )}
      <p className={question.undo === null ? 'undo none-undoes' : 'undo'}>{question.undo === null ? 'Nothing undoes it.' : <><code>{visible(question.undo.tool)}</code> undoes it.</>}</p>
      <dl className="facts">
        <div><dt>Asked</dt><dd>{when(approval.askedAt)}</dd></div>
        <div><dt>{state === 'expired' ? 'Expired' : 'Expires'}</dt><dd>{when(approval.expiresAt)}</dd></div>
        <div><dt>Session</dt><dd><code className="breaks">{visible(session)}</code>, by <code>{visible(caller)}</code></dd></div>
        <div><dt>Wanted</dt><dd>{count === 1 ? 'one yes' : `${count} people’s yes`}{deciders.length === 0 ? '' : ` of ${deciders.map(visible).join(', ')}`}</dd></div>
      </dl>
      {answers.length > 0 && (
        <div className="block">
          <h3>Answers</h3>
          <ul className="plain">{answers.map(({ approver, answer, why, at }) => <li key={approver}><strong>{visible(approver)}</strong> {answer === 'approve' ? 'said yes' : 'said no'}, {when(at)}{why === null ? '' : `: ${visible(why)}`}</li>)}</ul>
        </div>
      )}
      {state === 'open' && <Answering api={api} approval={approval} done={done} />}
    </>
  );
}

function from(origin: string, typed: boolean): string {
  const result = /^result:(\d+)(?:\.(.+))?$/.exec(origin);
  if (result !== null) return `the result of step ${result[1]}${result[2] === undefined ? '' : `, ${visible(result[2])}`}`;
  switch (origin) {
    case 'typed': return typed ? 'the person’s own words' : 'said to be the person’s words, but not found in them';
    case 'model': return 'the model';
    case 'reply': return 'a person’s answer';
    case 'context': return 'the host';
    case 'computed': return 'worked out by the host';
    default: return visible(origin);
  }
}
