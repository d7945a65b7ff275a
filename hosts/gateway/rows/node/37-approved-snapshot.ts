// Row 37, the approved snapshot: the tool's listing is the one that the tenant approved. A changed description or schema is a new listing.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** Refuses with `listing_not_approved`, and with `listing_changed` where another listing was approved since the call was decided. */
export async function approvedSnapshot(call: CallRecord, world: World): Promise<Answer> {
  const approved = (await world.parts.listings.standing(call.tenant, call.tool))?.approved?.digest ?? null;
  if (approved === null || approved !== world.listed?.digest) {
    return { answer: "refuse", reason: "listing_not_approved", message: "The tool's description changed, and nobody has approved the new one yet. Do without the tool until then." };
  }
  if (call.listing !== null && call.listing !== approved) {
    return { answer: "refuse", reason: "listing_changed", message: "The tool's description changed after this call was decided. Propose the call again." };
  }
  return PASSED;
}
