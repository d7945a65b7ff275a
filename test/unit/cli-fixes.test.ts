// Every reason of the check that is not an allow has a nearest fix.
import { expect, it } from 'vitest';
import type { Answer } from '../../hosts/cli/core.ts';
import { fixes } from '../../hosts/shared/fixes.ts';

const answer = (decision: Answer['decision'], reasons: string[], detail?: Answer['detail'], pointer?: string): Answer => ({
  decision, reason: reasons[0]!, reasons, entry: null, step: null, link: null, policy: 'p', ...(detail ? { detail } : {}), ...(pointer === undefined ? {} : { pointer }),
});

it.each<[string, NonNullable<Answer['detail']>?, string?]>([
  ['unknown_tool'], ['agent_required', { agents: ['a', 'b'] }], ['licence_lapsed'], ['history_invalid'], ['history_invalid', { head: 'behind' }], ['history_invalid', { limit: 10 }],
  ['argument_schema', { rule: 'additionalProperties' }, '/x'], ['argument_schema', { rule: 'required', message: 'm' }, ''], ['argument_schema', { rule: 'precision' }, '/x'], ['argument_schema', { rule: 'bytes' }, ''],
  ['argument_schema', { rule: 'steps' }, ''], ['argument_schema', { rule: 'pattern' }, '/x'], ['undeclared_destination'], ['order_rule', { rule: 'after get_order' }], ['order_rule', { rule: 'after get_order', bind: 'id' }],
  ['order_rule', { rule: 'not_after untrusted' }], ['order_rule', { rule: 'at_most 1' }], ['order_rule', { rule: 'at_most 1', restarted: true }], ['compensation_mismatch', { step: 1, mismatch: 'agent' }], ['compensation_spent'],
  ['tainted_call', { labels: ['x'] }], ['denied'], ['needs-card', { flow: 'f', rule: 'needs-card' }], ['constructor', { flow: 'f', rule: 'constructor', because: 'b.' }], ['needs-card', { flow: 'f', rule: 'needs-card', error: true }],
])('a refusal %s %j', (reason, detail, pointer) => {
  const found = fixes(answer('refuse', [reason], detail, pointer));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^[A-Z].*[.)]$/);
});

it('a question has one for each reason, after the one for the confirmation that was not counted', () => {
  const reasons = ['gate_clarify', 'argument_origin: amount', 'tainted_call', 'irreversible_pivot', 'schema_partial'];
  expect(fixes(answer('confirm', reasons, { confirmation: { ignored: 'expired' } }))).toHaveLength(6);
  for (const ignored of ['signature', 'expired', 'other_call', 'arguments', 'policy', 'labels', 'reasons', 'spent', 'point', 'approvals']) {
    expect(fixes(answer('confirm', ['write'], { confirmation: { ignored } }))[0]).not.toContain(`: ${ignored}`);
  }
  expect(fixes(answer('allow', ['allow']))).toEqual([]);
});
