// Prints the problems of registration on standard error, as compilers do: place, code, message, frame, hint.
import { formatProblem, type Problem } from './package.ts';
import { paint, type Terminal, warn } from './terminal.ts';

/** Warnings of one code that are shown in full; an imported listing can have hundreds. */
const SHOWN = 3;

/** Each problem with its frame; of many warnings of one code the first few, and how many more. Colours only on a terminal. */
export function showProblems(terminal: Terminal, problems: readonly Problem[]): void {
  const seen = new Map<string, number>();
  for (const problem of problems) {
    const count = (seen.get(problem.code) ?? 0) + 1;
    if (problem.severity === 'warning') seen.set(problem.code, count);
    if (problem.severity === 'warning' && count > SHOWN) continue;
    const style = problem.severity === 'error' ? 'red' : 'yellow';
    const [head = '', ...rest] = formatProblem(problem).split('\n');
    const place = `${problem.file}:${problem.line}:${problem.column}:`;
    const after = head.startsWith(place) ? head.slice(place.length + 1 + problem.severity.length) : null;
    warn(terminal, after === null ? head : `${paint(terminal, terminal.err, 'bold', place)} ${paint(terminal, terminal.err, style, problem.severity)}${after}`);
    for (const line of rest) {
      const mark = /^ +\| +(?:… )?\^+$/.test(line);
      warn(terminal, paint(terminal, terminal.err, mark ? style : line.startsWith('  hint:') ? 'cyan' : 'dim', line));
    }
    warn(terminal, '');
  }
  for (const [code, count] of seen) {
    if (count > SHOWN) warn(terminal, `… and ${count - SHOWN} more warnings ${code}: --format json lists them all.\n`);
  }
}
