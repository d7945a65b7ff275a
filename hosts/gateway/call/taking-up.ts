// Calls that have not ended are handed to the engine again: all of them after a start, and now and then those that a gateway which shares the store left behind.
import { callKey, openKey } from "./keys.ts";
import type { Parts } from "./parts.ts";
import type { CallRecord } from "./record.ts";

/** A call that is this old and goes on by itself, in milliseconds, was handed over long ago, or never. */
const UNDER_WAY = 30_000;

/** Takes up every call that has not ended: after a start. */
export async function takeUpCalls({ engine }: Parts): Promise<void> {
  await eachOpen(engine, async (tenant, id) => engine.run(tenant, id));
}

/** Hands over what goes on by itself and nobody handed over: a gateway that shares the store died between a commit and its hand-over. */
export async function lookAfterCalls({ engine, approvals, clock }: Parts): Promise<void> {
  await eachOpen(engine, async (tenant, id, at) => {
    if (at + UNDER_WAY > clock()) return;
    const stored = await engine.get(tenant, callKey(id));
    const call = stored === null ? null : (JSON.parse(stored.value) as CallRecord);
    // What is being made is the engine's, and what is unknown waits for a person.
    if (call === null || call.state === "unknown" || call.state === "sending") return;
    if (call.state === "asked" && call.approval !== null && (await approvals.approval(tenant, call.approval))?.state === "open") return;
    await engine.run(tenant, id);
  });
}

/** @param look is told a call's tenant, its id, and when it was made */
async function eachOpen(engine: Parts["engine"], look: (tenant: string, id: string, at: number) => Promise<void>): Promise<void> {
  for (const tenant of await engine.tenants()) {
    for (let after: string | undefined; ; ) {
      const page = await engine.list(tenant, openKey(""), after === undefined ? { limit: 1000 } : { limit: 1000, after });
      // Together: what they hand over is then one write to the disk.
      await Promise.all(page.map(({ key, value }) => look(tenant, key.slice(openKey("").length), (JSON.parse(value) as { at: number }).at)));
      after = page.at(-1)?.key;
      if (page.length < 1000) break;
    }
  }
}
