// The distributed engine over three nodes of Restate, one of which is killed: what was acknowledged is there, once, and work goes on.
import { expect, it } from "vitest";
import { RestateEngine } from "../../../hosts/gateway/engine/restate/restate.ts";
import { numbered } from "./numbered.ts";
import { restateCluster } from "./restate-server.ts";

/** Commits before the node is killed, and after it. */
const EACH = 120;

it("a node is killed in the middle of commits and runs", async () => {
  const nodes = await restateCluster();
  const ran = new Set<string>();
  const engine = new RestateEngine({ ingress: nodes[1]!.ingress, admin: nodes[2]!.admin, prefix: "cluster", listen: { host: "127.0.0.1", port: 0 }, advertise: null, identityKeys: [] });
  try {
    await engine.start(async (_, call) => void ran.add(call), numbered);
    let killed: Promise<void> | null = null;
    for (let number = 0; number < 2 * EACH; number++) {
      if (number === EACH) killed = nodes[0]!.kill();
      const committed = await engine.commit({ tenant: "t", changes: [{ key: `n/${number}`, expect: null, value: "1" }, { key: "count", expect: number === 0 ? null : number, value: String(number) }], audit: [{ event: "call.proposed", at: 1, actor: "a" }] });
      expect(committed).toMatchObject({ ok: true, audit: [number] });
      if (number % 10 === 0) await engine.run("t", `call-${number}`);
    }
    await killed;
    expect(await engine.audit("t", 0, 1000)).toHaveLength(2 * EACH);
    expect(await engine.list("t", "n/")).toHaveLength(2 * EACH);
    await expect.poll(() => ran.size, { timeout: 60_000 }).toBe((2 * EACH) / 10);
  } finally {
    await engine.stop(1_000);
    await Promise.all(nodes.map((node) => node.dispose()));
  }
});
