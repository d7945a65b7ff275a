// The texts a person takes along: the lines for `interlock conform`, the request for `interlock check`, and a script of the session for `interlock run`.
import { stringify } from 'yaml';
import type { Call, Draft, Step } from '../draft/draft.ts';
import { type Core, keysLine } from './core.ts';
import type { Play, Played } from './play.ts';
import { members } from './request.ts';

/** Three lines that load the key set and the policy and ask for this check: `interlock conform` answers the last as the page does. */
export function conformLines(core: Core, draft: Draft, played: Played): string {
  return `${[keysLine(draft.keys), core.policyLine, played.line].join('\n')}\n`;
}

/** The session as a script of calls with the answers given here; the policy is expected beside it as policy.yaml. */
export function scriptText(draft: Draft, play: Play): string {
  const steps: object[] = [];
  for (const [index, step] of draft.steps.entries()) steps.push(...scripted(draft, step, play.past[index]!));
  if (play.next.answer) steps.push(...scripted(draft, { call: draft.call, outcome: null }, play.next));
  return stringify({ policy: 'policy.yaml', session: draft.session, steps }, { lineWidth: 0, defaultStringType: 'PLAIN' });
}

/** One call as a step of such a script. */
export function stepText(draft: Draft, played: Played): string {
  return stringify(scripted(draft, { call: draft.call, outcome: null }, played), { lineWidth: 0 });
}

function scripted(draft: Draft, { call, outcome }: Step, played: Played): object[] {
  const { answer, unreported } = played;
  if (!answer) return [];
  const expect = answer.reason === answer.decision ? answer.decision : { decision: answer.decision, reason: answer.reason };
  // In a preview a yes carries nothing, so the same call is asked about again.
  const yes = call.confirms !== null && draft.keys !== 'preview';
  const steps: object[] = [!yes ? { call: answer.entry?.tool ?? call.tool, ...callMembers(call, played.request), expect } : { confirm: true, ...time(call), expect }];
  if (outcome && !unreported) steps.push({ [outcome.status]: outcome.result.trim() === '' ? true : (JSON.parse(outcome.result) as unknown) });
  return steps;
}

/** What the request holds, but for the session's own; the arguments as text, so that their digits stay. */
function callMembers(call: Call, request: string): object {
  const all = members(request) ?? {};
  const out: Record<string, unknown> = {};
  for (const name of ['agent', 'origins', 'turns', 'context', 'principal', 'resource', 'labels', 'undo']) if (all[name] !== undefined) out[name] = all[name];
  return { ...time(call), arguments: call.text === null ? call.arguments.trim() : JSON.stringify(all['arguments']), ...out };
}

function time(call: Call): object {
  return call.text === null && /^\d+$/.test(call.now.trim()) ? { at: Number(call.now) } : {};
}
