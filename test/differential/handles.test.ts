// Session handles answer as the stateless check does, byte for byte, and cost the same whatever the session's length. SEED=… replays; SESSIONS=… makes it longer.

import { expect, it } from "vitest";
import { print, type Printed } from "../model/generate-call.ts";
import { Core } from "../setup/core.ts";
import { CountedCore } from "./counted.ts";
import { carryBothWays, REACHED } from "./two-ways.ts";

it("answers the same bytes both ways", { timeout: 600_000 }, () => {
  const seen = carryBothWays(new Core(), Number(process.env.SEED ?? 1), Number(process.env.SESSIONS ?? 400), "test/differential/handles.test.ts");
  if (process.env.SEED === undefined) expect(REACHED.filter((what) => !seen.has(what))).toEqual([]);
});

it("costs a session handle no more after nearly ten thousand steps than after one thousand", { timeout: 600_000 }, () => {
  const core = new CountedCore(true);
  const policy = {
    format: "qls-policy/1", tenant: "t", agents: { desk: { tools: ["*"] } },
    tools: [
      { name: "look", effect: "read", parameters: { type: "object", properties: { id: { type: "string" } } } },
      { name: "send", at_most: 5, after: ["look"], not_after: ["untrusted"], irreversible: true, parameters: { type: "object", properties: { id: { type: "string" } } } },
    ],
    rulebook: { flows: [{ name: "f", on: ["*"], rules: [{ id: "often", refuse_if: "allowed_within('look', 5) > 3" }] }] },
  };
  const keys = { format: "qls-keys/1", active: "a", keys: [{ kid: "a", kty: "oct", alg: "HS256", k: "A".repeat(43) }], digest_key: "A".repeat(43) };
  const line = (members: { [name: string]: Printed }) => JSON.parse(core.line(print({ id: 1, ...members }))) as { ok: { decision: string } };
  line({ op: "keys", name: "k", keys });
  line({ op: "register", name: "p", policy });
  line({ op: "open", name: "h", policy: "p", keys: "k", session: "s" });
  /** What each kind of act costs over some steps, the middle one: now and then a list doubles, and the steps compared have as many digits. */
  const cost = (from: number, to: number) => {
    const all = { look: [] as number[], send: [] as number[], report: [] as number[] };
    for (let step = from; step < to; step += 2) {
      for (const tool of ["look", "send"] as const) {
        const request = print({ format: "qls-tool-check/1", session: "s", tool, arguments: { id: "4411" }, origins: { id: "reply" }, now: 1764445000 + step * 10 });
        core.begin();
        core.line(`{"id":1,"op":"check","handle":"h","request":${request}}`);
        all[tool].push(core.work);
      }
      core.begin();
      line({ op: "report", handle: "h", step, status: "ran", result: { id: "4411" } });
      all.report.push(core.work);
    }
    const middle = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1]!;
    return { look: middle(all.look), send: middle(all.send), report: middle(all.report) };
  };
  cost(0, 1000);
  const early = cost(1000, 1100);
  cost(1100, 9800);
  const late = cost(9800, 9900);
  console.log(`handles: work of a check at steps 1,000 and 9,800: look ${early.look} and ${late.look}, send ${early.send} and ${late.send}; of a report ${early.report} and ${late.report}`);
  for (const act of ["look", "send", "report"] as const) expect(late[act], act).toBeLessThan(early[act] * 1.02);
});
