// Says an answer's reasons as sentences: the core's own words where it has them (questions, rules, schemas), else what the reason means (chapter 4).
import type { Answer, Detail } from './answer.ts';

/** One reason: its name as the answer has it, and a sentence. */
export interface Saying { reason: string; text: string }

/** The reasons of an answer, in its order. */
export function sayings(answer: Answer): Saying[] {
  const asked = new Map(answer.question?.reasons.map(({ reason, text }) => [reason, text]));
  return answer.reasons.map((reason) => ({ reason, text: asked.get(reason) ?? sentence(reason, answer) }));
}

/** The decision and its first reason in one line, as it is announced. */
export function announcement(answer: Answer): string {
  const said = sayings(answer);
  return `${WORDS[answer.decision]}. ${said.map(({ text }) => text).join(' ')}`;
}

/** What a decision is called. */
export const WORDS: Record<Answer['decision'], string> = { allow: 'Allow', confirm: 'Confirm', refuse: 'Refuse' };

/** What a decision means for the call. */
export const MEANINGS: Record<Answer['decision'], string> = { allow: 'The call may run.', confirm: 'A person must see it first.', refuse: 'The call does not run.' };

function sentence(reason: string, answer: Answer): string {
  const detail = answer.detail ?? {};
  switch (reason) {
    case 'allow': return 'Nothing holds it back.';
    case 'confirmed': return `A person said yes to exactly this call, at step ${answer.entry?.approves ?? '?'}.`;
    case 'compensation': return `It is the declared undo of step ${answer.entry?.undoes ?? '?'}.`;
    case 'unknown_tool': return 'The tool is not in the catalogue, or not among this agent’s tools.';
    case 'agent_required': return `The policy has several agents, and the call names none of them: ${list(detail['agents'])}.`;
    case 'licence_lapsed': return 'The licence has lapsed.';
    case 'history_invalid': return detail['limit'] === undefined ? 'The history is not one that these keys signed.' : `The history is longer than ${String(detail['limit'])} entries.`;
    case 'argument_schema': return `The argument ${place(detail['pointer'])} does not fit the tool’s schema (${String(detail['rule'])}): ${said(detail['message'])}`;
    case 'undeclared_destination': return `An argument holds a destination, and the tool does not send anything out: ${list(detail['destinations'])}.`;
    case 'order_rule': return order(String(detail['rule'] ?? ''), detail);
    case 'compensation_mismatch': return `It is not the undo that step ${String(detail['step'])} declares (${String(detail['mismatch'])}).`;
    case 'compensation_spent': return `Step ${String(detail['step'] ?? answer.entry?.undoes ?? '')} is undone already, or its undo is on its way.`;
    case 'tainted_call': return `It carries marks with less trust than the tool asks for: ${list(detail['labels'])}.`;
    case 'denied': return 'An approver said no.';
    default: return rule(reason, detail);
  }
}

function rule(id: string, detail: Detail): string {
  if (detail['error'] === true) return `The condition of the rule ${id} could not be worked out for this call, so it refuses.`;
  return typeof detail['because'] === 'string' ? detail['because'] : `The rule ${id}${detail['flow'] === undefined ? '' : ` of the flow ${String(detail['flow'])}`} refuses it.`;
}

function order(rule: string, detail: Detail): string {
  const [kind, tool] = rule.split(' ');
  const restarted = detail['restarted'] === true ? ' The history was restarted, so what came before is unknown.' : '';
  if (kind === 'after' && detail['bind'] !== undefined) return `The argument ${String(detail['bind'])} must come from the reported result of ${tool} (${rule}).`;
  if (kind === 'after') return `${tool} has to have run before it (${rule}).`;
  if (kind === 'not_after') return `It may not come after ${tool === 'untrusted' ? 'something from outside was read' : tool} (${rule}).${restarted}`;
  return `The session has used up its calls of this tool (${rule}).${restarted}`;
}

function place(pointer: unknown): string {
  return typeof pointer !== 'string' || pointer === '' ? 'object' : pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
}

function said(message: unknown): string {
  return typeof message === 'string' ? `it ${message.replace(/\.?$/, '.')}` : 'see the trace.';
}

function list(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? 'none');
}
