// Row 46, post-call hooks: they redact a result or withhold it. The call was made whatever they say.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** Whether any hook looks at this call's result. */
export function hasPostHooks(call: CallRecord, world: World): boolean {
  return world.parts.hooks !== null && world.tenant.hooks.some(({ when, tools }) => when === "post" && (tools.includes("*") || tools.includes(call.tool)));
}

/** Withholds with `result_withheld`; what is released is in the record. */
export async function postCallHooks(call: CallRecord, world: World): Promise<Answer> {
  const result = resultOf(call);
  if (!hasPostHooks(call, world) || world.parts.hooks === null) {
    call.released = result;
    return PASSED;
  }
  const said = await world.parts.hooks.post(call, result);
  if (said.answer === "withhold" || said.result === null) {
    const because = said.message === null ? "" : `: ${said.message}`;
    return { answer: "withhold", reason: "result_withheld", message: `The call was made, and a hook of this gateway withholds its result${because}`, detail: { hook: said.hook } };
  }
  call.released = said.result;
  return said.result === result ? PASSED : { answer: "change", detail: { hook: said.hook } };
}

/** The result as the tool gave it; where it gave none, the error. */
function resultOf({ sent }: CallRecord): string {
  if (sent?.result !== undefined) return sent.result;
  return JSON.stringify({ error: sent?.error ?? { code: "no_result", message: "the tool answered nothing" } });
}
