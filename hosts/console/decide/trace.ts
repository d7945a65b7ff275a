// The twelve steps of a check (chapter 4) as a person reads them: what each asks, and what it saw of this call.
import type { Answer, Detail, Entry, HistoryDocument, Traced } from './answer.ts';
import type { PolicyFacts, ToolFacts } from './facts.ts';

/** A step as it is shown; `result` is `unreached` where an earlier one answered. */
export interface ShownStep { order: number; title: string; result: Traced['result'] | 'unreached'; saw: string[] }

const TITLES = [
  'The tool and the agent', 'The history verifies', 'The arguments fit the schema', 'No undeclared destination', 'Order rules', 'The undo',
  'The rulebook', 'Marks', 'The approval', 'What a person must see', 'An undo passes', 'Nothing held it back',
];

/** All twelve steps, with what each saw. */
export function shownSteps(answer: Answer, history: HistoryDocument, facts: PolicyFacts): ShownStep[] {
  return TITLES.map((title, index) => {
    const order = index + 1;
    const step = answer.trace?.find((traced) => traced.order === order);
    if (!step) return { order, title, result: 'unreached', saw: [] };
    return { order, title, result: step.result, saw: saw(step, answer, history, facts) };
  });
}

function saw(step: Traced, answer: Answer, history: HistoryDocument, facts: PolicyFacts): string[] {
  const entry = answer.entry;
  const tool = entry ? facts.tools.get(entry.tool) : undefined;
  const detail = (step.detail ?? {}) as Detail;
  switch (step.check) {
    case 'tool': return [`${entry?.tool ?? 'The tool'}, called by ${entry?.agent ?? 'no named agent'}`, ...(tool ? [`a ${tool.effect}${tool.sendsOut ? ' that sends data out' : ''}${tool.readsOutside ? ' of what strangers wrote' : ''}`] : [])];
    case 'history': return [history.entries.length === 0 ? 'a new session' : `${history.entries.length} ${history.entries.length === 1 ? 'entry' : 'entries'} before this one`];
    case 'arguments': return errorsIn(detail);
    case 'destinations': return destinations(step, detail, tool);
    case 'order': return tool && tool.order.length > 0 ? [`${step.result === 'refused' ? `refused by ${String(detail['rule'])}; ` : ''}the tool’s rules: ${tool.order.join(', ')}`] : ['the tool has no order rules'];
    case 'undo': return step.result === 'skipped' ? ['this call undoes nothing'] : [entry?.undoes === undefined ? `mismatch: ${String(detail['mismatch'] ?? 'spent')}` : `undoes step ${entry.undoes}`];
    case 'gate': return gate(step, detail, tool);
    case 'marks': return [entry && entry.labels.length > 0 ? entry.labels.join(', ') : 'no marks'];
    case 'approval': return approval(step, answer);
    case 'person': return step.result === 'asks' ? answer.reasons : ['nothing to ask about'];
    case 'compensation': return [step.result === 'skipped' ? 'this call undoes nothing' : 'the declared undo'];
    default: return [];
  }
}

function errorsIn(detail: Detail): string[] {
  const errors = detail['errors'];
  if (!Array.isArray(errors)) return ['every argument is declared, and fits'];
  return (errors as { pointer: string; rule: string; message: string }[]).map(({ pointer, rule, message }) => `${pointer === '' ? 'the arguments' : pointer}: ${message} (${rule})`);
}

function destinations(step: Traced, detail: Detail, tool: ToolFacts | undefined): string[] {
  if (step.result === 'refused') return [`found ${(detail['destinations'] as string[] | undefined)?.join(', ') ?? ''}`];
  return [tool?.sendsOut ? 'not looked at: the tool declares sends_out' : 'none in any argument'];
}

function gate(step: Traced, detail: Detail, tool: ToolFacts | undefined): string[] {
  const rules = tool && tool.rules.length > 0 ? `rules on this tool: ${tool.rules.join(', ')}` : 'no rule is about this tool';
  if (step.result === 'refused') return [`refused by ${String(detail['rule'] ?? 'a rule')}${detail['error'] === true ? ', which could not be worked out' : ''}`, rules];
  return [step.result === 'asks' ? `a rule asks; ${rules}` : rules];
}

function approval(step: Traced, answer: Answer): string[] {
  const ignored = (answer.detail?.['confirmation'] as { ignored?: string } | undefined)?.ignored;
  if (ignored !== undefined) return [`a yes came with it, and is ignored: ${ignored}`];
  if (answer.entry?.approves !== undefined) return [`the yes to step ${answer.entry.approves} covers this call`];
  return [step.result === 'skipped' ? 'no yes came with it' : 'a yes came with it'];
}

/** The origins that an entry shows, as one line. */
export function originsOf(entry: Entry): string {
  return Object.entries(entry.origins).map(([name, origin]) => `${name}: ${origin}`).join(', ');
}
