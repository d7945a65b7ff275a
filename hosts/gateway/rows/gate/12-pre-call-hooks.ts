// Row 12, pre-call hooks: matching hooks, in order, allow, deny, change the arguments or escalate to a person.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** `hook_denied` and `hook_failed` refuse, `hook_escalated` asks. What a hook changed has origin `computed` where the policy trusts that hook, else `model`. */
export async function preCallHooks(call: CallRecord, world: World): Promise<Answer> {
  const { hooks } = world.parts;
  if (hooks === null || !world.tenant.hooks.some(({ when }) => when === "pre")) return PASSED;
  const said = await hooks.pre(call);
  if (said.answer === "deny") {
    const because = said.message === null ? "" : `: ${said.message}`;
    return { answer: "refuse", reason: said.failed === true ? "hook_failed" : "hook_denied", message: `A hook of this gateway does not allow this call${because}`, detail: { hook: said.hook } };
  }
  const names = Object.keys(said.changed);
  if (said.arguments !== call.arguments) change(call, said.arguments, said.changed);
  if (said.answer === "escalate") return { answer: "ask", reason: "hook_escalated", detail: { hook: said.hook, ...(names.length === 0 ? {} : { changed: names }) } };
  return names.length === 0 ? PASSED : { answer: "change", detail: { changed: names } };
}

/** The record with the hooks' arguments. What they left alone keeps the origin it had. */
function change(call: CallRecord, after: string, changed: Readonly<Record<string, { readonly trusted: boolean }>>): void {
  const origins: [string, string][] = Object.entries(call.origins ?? {});
  for (const [name, { trusted }] of Object.entries(changed)) origins.push([name, trusted ? "computed" : "model"]);
  Object.assign(call, { arguments: after, origins: Object.fromEntries(origins) });
}
