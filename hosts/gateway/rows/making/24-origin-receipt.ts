// Row 24, the receipt: the core's word that the call's entry permits exactly this call now; it is spent in the commit of the intent.
import { type Answer, PASSED } from "../../call/answer.ts";
import { onceKey } from "../../call/keys.ts";
import type { CallRecord } from "../../call/record.ts";
import { receiptSentence } from "../../call/sentences.ts";
import type { World } from "../../call/world.ts";
import { permit } from "../../sessions/permit.ts";

/** Records under which name the permit is spent; refuses with chapter 3's reasons where it does not stand. */
export async function originReceipt(call: CallRecord, world: World): Promise<Answer> {
  if (world.observes) return PASSED;
  if (world.once === null) {
    const receipt = await permit(call, world);
    if (receipt.decision !== "allow" || receipt.once === undefined) {
      return { answer: "refuse", reason: receipt.reason, message: receiptSentence(receipt.reason), ...(receipt.detail === undefined ? {} : { detail: receipt.detail }) };
    }
    world.once = receipt.once;
  }
  world.unit.put(onceKey(world.once), JSON.stringify({ sends: 1, call: call.id }), null);
  return { answer: "records", detail: { once: world.once } };
}
