// Row 37, the approved snapshot: the tool's listing is the one that the tenant approved. A changed description or schema is a new listing.
import { gateRow } from "interlock";
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** Refuses with `listing_not_approved`, and with `listing_changed` where another listing was approved since the call was decided. */
export async function approvedSnapshot(call: CallRecord, world: World): Promise<Answer> {
  const approved = (await world.parts.listings.standing(call.tenant, call.tool))?.approved?.digest ?? null;
  return pinned(approved, world.listed?.digest ?? null, call.listing);
}

/** The same of a call that is only decided: where the gateway has the tool, its listing has to be the approved one; where the caller alone has it, there is nothing to pin. */
export async function pinnedForCheck(call: CallRecord, world: World): Promise<Answer> {
  const listed = await world.parts.upstream.tool(call.tenant, call.tool);
  if (listed === null || world.observes) return PASSED;
  return pinned((await world.parts.listings.standing(call.tenant, call.tool))?.approved?.digest ?? null, listed.digest, null);
}

function pinned(approved: string | null, listed: string | null, decided: string | null): Answer {
  const answered = gateRow("37", { approved, listed, decided });
  if (answered.answer === "passed") return PASSED;
  return { answer: "refuse", reason: answered.reason, message: SENTENCES[answered.reason] ?? "The tool's listing is not the one that was approved." };
}

const SENTENCES: Readonly<Record<string, string>> = {
  listing_not_approved: "The tool's description changed, and nobody has approved the new one yet. Do without the tool until then.",
  listing_changed: "The tool's description changed after this call was decided. Propose the call again.",
};
