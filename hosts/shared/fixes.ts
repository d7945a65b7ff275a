// The nearest fix of a refusal or question: what would have to be different for the call to go through.

type Detail = Record<string, unknown>;

/** What is read of an answer of the check (chapter 4). */
export interface Fixable { decision: 'allow' | 'confirm' | 'refuse'; reasons: readonly string[]; pointer?: string | undefined; detail?: Readonly<Detail> | undefined }

/** One sentence or more, nearest fix first; empty for an allow. */
export function fixes(answer: Fixable): string[] {
  if (answer.decision === 'allow') return [];
  const detail: Readonly<Detail> = answer.detail ?? {};
  const ignored = (detail['confirmation'] as Detail | undefined)?.['ignored'];
  const found = [...(typeof ignored === 'string' ? [IGNORED[ignored] ?? `The confirmation was not counted: ${ignored}.`] : []), ...answer.reasons.flatMap((reason) => fixOf(reason, detail, answer))];
  return [...new Set(found)];
}

function fixOf(reason: string, detail: Readonly<Detail>, answer: Fixable): string[] {
  if (reason.startsWith('argument_origin:')) {
    const name = reason.slice('argument_origin:'.length).trim();
    return [`Give ${name} an origin that counts: typed where the person wrote it in a turn, or result:STEP.FIELD where a reported result holds it. Otherwise a person confirms.`];
  }
  switch (reason) {
    case 'unknown_tool': return ["Name a tool of the catalogue that is in the agent's tools, or add it to the policy."];
    case 'agent_required': return [`Name the agent: one of ${list(detail['agents'])}.`];
    case 'licence_lapsed': return ["Renew the licence in the key set."];
    case 'history_invalid': return [typeof detail['head'] === 'string' ? HEADS[detail['head']] ?? 'Send the history that ends at the kept head.' : 'Send the history as it was last answered, unchanged, with the key set that signed it.'];
    case 'argument_schema': return [schemaFix(detail, answer.pointer ?? '')];
    case 'undeclared_destination': return ['Declare sends_out on a tool that sends data out, or name the argument as subject_argument where its address only says whose data is read.'];
    case 'order_rule': return orderFix(String(detail['rule'] ?? ''), detail);
    case 'compensation_mismatch': return [`Undo a step that ran, with the arguments its undo: binds (${String(detail['mismatch'])}).`];
    case 'compensation_spent': return ['Nothing is left to undo: that step is undone already, or its undo is on its way.'];
    case 'tainted_call': return ['A person confirms, or the values come from a source that was not read outside. With taint_policy: refuse nothing else helps.'];
    case 'denied': return ['An approver said no. Ask again only with a new question.'];
    case 'gate_clarify': return ['A rule of the rulebook wants a person to look: confirm it.'];
    case 'irreversible_pivot': return ['A person confirms, knowing that earlier steps can no longer be taken back together with this one.'];
    case 'schema_partial': return ['A person confirms, or rewrite the part of the schema that is not asserted.'];
    case 'write': return ['A person confirms: send the same call again with the confirmation that came with the question.'];
    default: return answer.decision === 'refuse' && detail['rule'] !== undefined
      ? [detail['error'] === true ? `The condition of rule ${reason} could not be evaluated: see that every member it reads is sent.` : `Rule ${reason} of flow ${String(detail['flow'])} refuses it${detail['because'] ? `: ${String(detail['because'])}` : '.'}`]
      : [];
  }
}

function orderFix(rule: string, detail: Readonly<Detail>): string[] {
  const [kind = '', tool = ''] = rule.split(' ');
  if (detail['restarted'] === true) return ['The history was restarted, so what came before is unknown: start a new session.'];
  if (kind === 'after' && detail['bind'] !== undefined) return [`Take ${String(detail['bind'])} from the reported result of ${tool}, and say so with origin result:STEP.FIELD.`];
  if (kind === 'after') return [`Call ${tool} first, and report that it ran.`];
  if (kind === 'not_after') return [`Call this before ${tool === 'untrusted' ? 'anything from outside is read' : tool}, or in a session of its own.`];
  return [`The session has used up its calls of this tool (${rule}).`];
}

function schemaFix(detail: Readonly<Detail>, pointer: string): string {
  const at = pointer === '' ? 'the arguments' : pointer;
  const message = typeof detail['message'] === 'string' ? ` (${detail['message']})` : '';
  switch (detail['rule']) {
    case 'additionalProperties': return `Leave ${at} out, or declare it in the tool's parameters.`;
    case 'required': return `Give the member that ${at} lacks${message}.`;
    case 'precision': return `Write ${at} with digits that a double holds, or as a string.`;
    case 'bytes': return "Send shorter arguments, or raise the tool's limits.bytes.";
    case 'steps': return 'The schema walk took too many steps: send smaller arguments, or simplify the schema.';
    default: return `Change ${at} so that ${String(detail['rule'])} holds${message}.`;
  }
}

function list(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

const HEADS: Record<string, string> = {
  behind: 'The history is shorter than the kept head: send all of it.', forked: 'The history is another branch than the kept head: send the one that was answered last.',
  ahead: 'The history is longer than the kept head: the host lost an answer; keep the head that came with it.', rewritten: 'An outcome was changed after it was reported: send the history as it was.',
};

const IGNORED: Record<string, string> = {
  signature: 'The confirmation is not one that these keys signed.', expired: 'The confirmation has expired: ask again.', other_call: 'The confirmation is for another call, agent, principal or session.',
  arguments: 'The confirmation is for other arguments: nothing may change between the question and the yes.', policy: 'The policy or the tool changed since the question: ask again.',
  labels: 'A mark is on the call that the question did not show: ask again.', reasons: 'A reason holds now that the question did not show: ask again.', spent: 'The confirmation was used already.',
  point: 'Another step came between the question and the yes: ask again, or set confirmation_point: turn.', approvals: 'Too few valid signed approvals came with the confirmation.',
};
