// The policy: its editor, what is wrong with it at which line, and which version is in force.
import { type ReactNode, useRef } from 'react';
import { Button } from 'react-aria-components';
import { MarkIcon } from '../controls/icons.tsx';
import { policyCompletion } from '../editor/completion.ts';
import { Editor, type EditorHandle } from '../editor/editor.tsx';
import type { Problem } from '../package.ts';
import type { Preview } from './use-preview.ts';

export function PolicyPane({ preview }: { preview: Preview }): ReactNode {
  const handle = useRef<EditorHandle>(null);
  const { problems, draft, edit } = preview;
  return (
    <section className="pane" id="policy" aria-labelledby="policy-title" tabIndex={-1}>
      <div className="row pane-head">
        <h2 id="policy-title">Policy</h2>
        <p className="says grow right">{standing(preview)}</p>
      </div>
      <Editor
        label="Policy, YAML" language="yaml" value={draft.policy} onChange={(policy) => edit((now) => ({ ...now, policy }))} completion={policyCompletion} handle={handle}
        problems={problems.map((problem) => ({ ...problem, message: problem.hint ? `${problem.message} ${problem.hint}` : problem.message }))}
      />
      <Problems problems={problems} goTo={(line, column) => handle.current?.goTo(line, column)} />
    </section>
  );
}

/** What holds of the text, in a few words. */
function standing({ problems, inForce, pending }: Preview): ReactNode {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (errors > 0) return <span className="bad">{count(errors, 'error')}{inForce === null ? '' : '; the last good version decides'}</span>;
  if (inForce === null) return pending ? 'Reading …' : '';
  return <>{warnings > 0 ? `${count(warnings, 'warning')} · ` : ''}in force <code title={inForce.id}>{inForce.id.slice(0, 10)}…</code></>;
}

function Problems({ problems, goTo }: { problems: readonly Problem[]; goTo: (line: number, column: number) => void }): ReactNode {
  if (problems.length === 0) return null;
  return (
    <ol className="problems" aria-label="Problems of the policy">
      {problems.map((problem) => (
        <li key={`${problem.line}:${problem.column}:${problem.code}:${problem.message}`} className={problem.severity}>
          <Button className="problem" onPress={() => goTo(problem.line, problem.column)}>
            <MarkIcon severity={problem.severity} />
            <span>
              <span className="where">{problem.severity === 'error' ? 'Error' : 'Warning'}, line {problem.line}:</span> {problem.message}
              {problem.hint && <span className="hint">{problem.hint}</span>}
            </span>
            <code className="codename">{problem.code}</code>
          </Button>
        </li>
      ))}
    </ol>
  );
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
