// Backups of a gateway at work: one taken in the middle of a call comes back with that call's outcome unknown, never with a second send; what waited for people waits again.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import { backUp, restore } from "../../../hosts/gateway/operations/store.ts";
import { KEYS } from "../flow/shop.ts";
import { House, person } from "../people/house.ts";

const CHARGE = { order_id: "A-1", amount: 40 };
const ann = person("ann");
let folder: string;
let house: House;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "interlock-backup-"));
  house = await House.open();
});
afterEach(async () => {
  await house.close();
  rmSync(folder, { recursive: true, force: true });
});

const approved = async (more: Parameters<House["asked"]>[2] = {}) => {
  const { outcome, approval } = await house.asked("charge_card", CHARGE, more);
  await house.gateway.decide(ann, approval.id, { answer: "approve" });
  return outcome;
};

/** The gateway stops, the copy is put in the place of its store, and it starts again. */
async function putBack(file: string): Promise<void> {
  await house.stop();
  await expect(restore(file, join(house.folder, "data"), false, "x")).rejects.toMatchObject({ code: "store_exists" });
  await restore(file, join(house.folder, "data"), true, "x");
  await house.start();
}

it("a copy made while the tool works comes back as an unknown outcome: nothing is sent twice, and a person settles it", async () => {
  const file = join(folder, "middle.db");
  house.tools.answer = async () => {
    await backUp(join(house.folder, "data"), file);
    return {};
  };
  const outcome = await approved();
  expect((await house.end(outcome)).kind).toBe("result");
  expect(house.tools.sent).toHaveLength(1);
  await putBack(file);
  expect((await house.end(outcome)).kind).toBe("unknown");
  // The same call again is that call.
  expect(await house.call("charge_card", CHARGE)).toMatchObject({ kind: "unknown", call: { id: outcome.call.id } });
  expect(house.tools.sent).toHaveLength(1);
  await house.gateway.settle(ann, outcome.call.id, "ran", "the bank has it");
  expect((await house.gateway.record("shop", outcome.call.id))?.state).toBe("done");
  expect(await verifyAudit(await house.engine.audit("shop", 0, 10_000), KEYS as never)).toMatchObject({ valid: true });
});

it("a copy made while people are asked comes back with the question, answered once; the log shows by a kept head that something was lost", async () => {
  const file = join(folder, "asked.db");
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  await backUp(join(house.folder, "data"), file);
  await house.gateway.decide(ann, approval.id, { answer: "deny" });
  await house.end(outcome);
  const { head } = await verifyAudit(await house.engine.audit("shop", 0, 10_000), KEYS as never);
  await putBack(file);
  expect((await house.gateway.approval("shop", approval.id))?.state).toBe("open");
  await house.gateway.decide(ann, approval.id, { answer: "approve" });
  expect((await house.end(outcome)).kind).toBe("result");
  expect(house.tools.sent).toHaveLength(1);
  const log = await house.engine.audit("shop", 0, 10_000);
  expect(await verifyAudit(log, KEYS as never)).toMatchObject({ valid: true });
  expect(await verifyAudit(log, KEYS as never, { head: head! })).toMatchObject({ valid: false, problem: { code: "audit_end" } });
});

it("copies made while calls run side by side each verify, and hold no half of a call", async () => {
  const calls = Promise.all(Array.from({ length: 40 }, (_, index) => house.call("get_order", { order_id: `A-${index}` }, { session: `s-${index % 4}` })));
  const copies = ["one.db", "two.db", "three.db"].map((name) => join(folder, name));
  for (const file of copies) await backUp(join(house.folder, "data"), file);
  await calls;
  for (const file of copies) {
    await putBack(file);
    const log = await house.engine.audit("shop", 0, 10_000);
    expect(await verifyAudit(log, KEYS as never)).toMatchObject({ valid: true });
    for (const call of await house.gateway.calls("shop", { limit: 1000 })) {
      // Of each call that the copy has, the log has the proposal.
      expect(log.some((line) => line.includes(call.id) && line.includes('"call.proposed"')), call.id).toBe(true);
    }
    for (let index = 0; index < 4; index++) expect(await house.call("get_order", { order_id: "again" }, { session: `s-${index}` })).toMatchObject({ kind: "result" });
    await house.stop();
    rmSync(join(house.folder, "data"), { recursive: true });
    await house.start();
  }
});
