// The question of a confirm, as a person would see it.
import type { ReactNode } from 'react';
import { type Question, visible } from '../package.ts';

export function Asked({ question }: { question: Question }): ReactNode {
  return (
    <div className="block">
      <h3>The person is asked</h3>
      <div className="asked">
        <p className="asked-title">{visible(question.title)}{question.target === undefined ? '' : ` → ${visible(question.target)}`}</p>
        {question.arguments.length > 0 && (
          <dl className="asked-arguments">
            {question.arguments.map(({ name, value, origin, typed }) => (
              <div key={name}>
                <dt>{visible(name)}</dt>
                <dd><code>{visible(typeof value === 'string' ? value : JSON.stringify(value))}</code><span className="says from">{visible(origin)}{origin === 'typed' ? (typed ? ', found in the turns' : ', not found in the turns') : ''}</span></dd>
              </div>
            ))}
          </dl>
        )}
        {question.marks.length > 0 && <ul className="plain">{question.marks.map(({ label, text }) => <li key={label}>{visible(text)} <code className="codename">{visible(label)}</code></li>)}</ul>}
        <p>{visible(question.text)}</p>
        <p className="says">{question.undo === null ? 'Nothing undoes it.' : `${visible(question.undo.tool)} undoes it.`}</p>
      </div>
    </div>
  );
}
