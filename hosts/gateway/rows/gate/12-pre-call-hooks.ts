// Row 12, pre-call hooks: matching hooks, in order, allow, deny, change the arguments or escalate to a person.
import { rawMembers } from "interlock";
import type { Answer } from "../../call/answer.ts";
import { PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** `hook_denied` refuses, `hook_escalated` asks. What a hook changed has origin `computed` where the policy trusts that hook, else `model`. */
export async function preCallHooks(call: CallRecord, world: World): Promise<Answer> {
  const { hooks } = world.parts;
  if (hooks === null || !world.tenant.hooks.some(({ when }) => when === "pre")) return PASSED;
  const said = await hooks.pre(call);
  if (said.answer === "deny") {
    const because = said.message === null ? "" : `: ${said.message}`;
    return { answer: "refuse", reason: "hook_denied", message: `A hook of this gateway does not allow this call${because}`, detail: { hook: said.hook } };
  }
  const names = Object.keys(said.changed);
  if (names.length > 0) change(call, said.arguments, said.changed);
  if (said.answer === "escalate") return { answer: "ask", reason: "hook_escalated", detail: { hook: said.hook, ...(names.length === 0 ? {} : { changed: names }) } };
  return names.length === 0 ? PASSED : { answer: "change", detail: { changed: names } };
}

/** The record with the hooks' arguments. A name that no hook names as changed, but that differs, is the model's: nothing gains trust unnamed. */
function change(call: CallRecord, after: string, changed: Readonly<Record<string, { readonly trusted: boolean }>>): void {
  const before = new Map(rawMembers(call.arguments)?.map(({ name, value }) => [name, value.text]));
  const origins: [string, string][] = Object.entries(call.origins ?? {});
  for (const { name, value } of rawMembers(after) ?? []) {
    if (before.get(name) === value.text) continue;
    const origin = Object.hasOwn(changed, name) && changed[name]?.trusted === true ? "computed" : "model";
    origins.push([name, origin]);
  }
  Object.assign(call, { arguments: after, origins: Object.fromEntries(origins) });
}
