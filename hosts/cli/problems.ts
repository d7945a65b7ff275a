// Prints the problems of registration on standard error, as compilers do: place, code, message, frame, hint.
import { formatProblem, type Problem } from './package.ts';
import { paint, type Terminal, warn } from './terminal.ts';

/** Each problem with its frame; colours only on a terminal. */
export function showProblems(terminal: Terminal, problems: readonly Problem[]): void {
  for (const problem of problems) {
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
}
