// Prints an answer for people: the decision, why, what a person is asked, and how to go on.
import type { Answer, Traced } from './core.ts';
import { type Question, visible } from './package.ts';
import { paint, say, type Style, type Terminal } from './terminal.ts';

const STYLES: Record<Answer['decision'], Style> = { allow: 'green', confirm: 'yellow', refuse: 'red' };

/** The decision with its reasons, pointer and detail, and the question with its confirmation. */
export function showAnswer(terminal: Terminal, answer: Answer): void {
  const bold = paint(terminal, terminal.out, STYLES[answer.decision], answer.decision);
  const reasons = answer.reasons.join(', ');
  say(terminal, `${bold}  ${visible(reasons)}${answer.pointer === undefined ? '' : `  at ${visible(answer.pointer) || 'the arguments'}`}`);
  for (const [name, value] of Object.entries(answer.detail ?? {})) say(terminal, `  ${name}: ${visible(typeof value === 'string' ? value : JSON.stringify(value))}`);
  if (answer.question) showQuestion(terminal, answer.question);
  if (answer.decision === 'allow' && answer.arguments !== undefined) say(terminal, `  run with: ${visible(JSON.stringify(answer.arguments))}`);
  if (typeof answer.confirmation === 'string') say(terminal, `  confirmation: ${answer.confirmation}`);
  if (answer.step !== null) say(terminal, paint(terminal, terminal.out, 'dim', `  step ${answer.step}, link ${answer.link}`));
}

/** The question as a person at the terminal sees it. */
export function showQuestion(terminal: Terminal, question: Question): void {
  say(terminal, `  ${paint(terminal, terminal.out, 'bold', visible(question.title ?? question.tool))}${question.target ? ` → ${visible(question.target)}` : ''}`);
  for (const { name, value, origin, typed } of question.arguments) {
    say(terminal, `    ${visible(name)} = ${visible(typeof value === 'string' ? value : JSON.stringify(value))}  (${visible(origin)}${origin === 'typed' && !typed ? ', not found in what was written' : ''})`);
  }
  for (const { reason, text } of question.reasons) say(terminal, `    - ${visible(text ?? reason)}`);
  for (const { label, text } of question.marks) say(terminal, `    ! ${visible(text ?? label)}`);
  if (question.text && !question.reasons.some(({ text }) => text === question.text)) say(terminal, `    ${visible(question.text)}`);
}

const RESULTS: Record<Traced['result'], [string, Style]> = { passed: ['passed ', 'green'], skipped: ['skipped', 'dim'], asks: ['asks   ', 'yellow'], refused: ['refused', 'red'] };

/** The steps a check took. */
export function showTrace(terminal: Terminal, trace: readonly Traced[]): void {
  for (const { order, check, result, detail } of trace) {
    const [word, style] = RESULTS[result];
    const errors = schemaErrors(detail);
    const said = detail === undefined || errors.length > 0 ? '' : `  ${visible(JSON.stringify(detail))}`;
    say(terminal, `  ${String(order).padStart(2)}  ${paint(terminal, terminal.out, style, word)}  ${visible(check)}${said}`);
    for (const { pointer, rule, message } of errors) say(terminal, `        ${visible(pointer) || 'the arguments'}  ${visible(rule)}: ${visible(message)}`);
  }
}

/** All that is wrong with the arguments, where a step's detail lists it. */
function schemaErrors(detail: unknown): { pointer: string; rule: string; message: string }[] {
  const errors = (detail as { errors?: unknown } | undefined)?.errors;
  return Array.isArray(errors) ? errors : [];
}
