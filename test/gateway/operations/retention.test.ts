// Erasure and retention: what the settings no longer keep is gone from the store's very bytes, what goes on or waits for somebody stays, and the log verifies afterwards.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { AuditBody } from "../../../hosts/gateway/audit/entry.ts";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import type { Settings } from "../../../hosts/gateway/config/settings.ts";
import { RETENTION } from "../../../hosts/gateway/operations/retention.ts";
import { KEYS, tenantOf } from "../flow/shop.ts";
import { House, person } from "../people/house.ts";

const DAY = 86_400_000;
const SECRET = "order-of-a-secret-4411";
const ann = person("ann");
const keeper = person("keeper");
let house: House | null = null;
afterEach(async () => {
  await house?.close();
  house = null;
});

interface Kept {
  readonly sessions?: number;
  readonly results?: number;
}

function settings({ sessions, results }: Kept): Settings {
  const shop = tenantOf({ redact: { "*": [] } });
  return { tenants: { shop: { ...shop, retention: { sessionsSeconds: sessions === undefined ? null : sessions / 1000, resultsSeconds: results === undefined ? null : results / 1000 } } } } as unknown as Settings;
}

async function opened(kept: Kept): Promise<House> {
  house = await House.open(undefined, { prepare: (made) => Object.assign(made, { settings: settings(kept) }) });
  house.tools.answer = (call) => ({ result: JSON.stringify({ echoed: call.canonical }), fields: '{"total":40}' });
  return house;
}

/** Everything that the tenant's records say. */
async function records({ engine }: House): Promise<string> {
  const found: string[] = [];
  for (let after = ""; ; ) {
    const page = await engine.list("shop", "", { limit: 1000, after });
    found.push(...page.map(({ key, value }) => `${key} ${value}`));
    after = page.at(-1)?.key ?? "";
    if (page.length < 1000) return found.join("\n");
  }
}

const bytes = ({ folder }: House): string => readdirSync(join(folder, "data")).map((name) => readFileSync(join(folder, "data", name), "latin1")).join("");
const log = async ({ engine }: House): Promise<readonly string[]> => engine.audit("shop", 0, 10_000);
const bodies = async (of: House): Promise<readonly AuditBody[]> => (await log(of)).flatMap((line) => (JSON.parse(line) as { entry?: AuditBody }).entry ?? []);

it("an erased session leaves no value in any record nor in the store's bytes, and a log that verifies", async () => {
  const of = await opened({});
  await of.call("get_order", { order_id: SECRET }, { idempotencyKey: "key-1-of-it" });
  const { outcome, approval } = await of.asked("charge_card", { order_id: SECRET, amount: 40 });
  await of.gateway.decide(ann, approval.id, { answer: "approve" });
  await of.end(outcome);
  await of.call("get_order", { order_id: "another" }, { session: "chat-2" });
  expect(await records(of)).toContain(SECRET);
  expect(bytes(of)).toContain(SECRET);
  await of.gateway.eraseSession(keeper, "chat-1");
  const left = await records(of);
  expect(left).not.toContain(SECRET);
  expect(left).not.toMatch(/chat-1[/"]/);
  expect(left).not.toContain("key-1-of-it");
  expect(left).toContain("another");
  expect(bytes(of)).not.toContain(SECRET);
  const values = (await of.gateway.auditValues("shop", undefined, 100)).map(({ value }) => value);
  expect(await verifyAudit(await log(of), KEYS as never, { values })).toMatchObject({ valid: true, values: { bound: 1, absent: 2 } });
  expect((await bodies(of)).at(-1)).toMatchObject({ event: "session.erased", actor: "keeper", session: "chat-1" });
  // The same key stands for a new call now, and the session begins anew.
  expect(await of.call("get_order", { order_id: "1" }, { idempotencyKey: "key-1-of-it" })).toMatchObject({ kind: "result", call: { decided: { step: 0 } } });
});

it("a session is not erased while a question is open, also of a call that was only to be decided, nor while an outcome is unknown", async () => {
  const of = await opened({});
  const checked = await of.call("charge_card", { order_id: "1", amount: 1 }, { session: "asked", purpose: "check" });
  // Steps that are being undone are no matter of the past either.
  await of.engine.commit({ tenant: "shop", changes: [{ key: "undo/u-1", value: JSON.stringify({ session: "young", caller: { name: "ann" }, steps: [] }) }] });
  await of.call("get_order", { order_id: "1" }, { session: "young" });
  await expect(of.gateway.eraseSession(keeper, "young")).rejects.toMatchObject({ code: "session_in_use", message: expect.stringContaining("undone") });
  await of.engine.commit({ tenant: "shop", changes: [{ key: "undo/u-1", value: null }] });
  await of.gateway.eraseSession(keeper, "young");
  of.tools.answer = () => ({ status: "outcome_unknown" });
  const { outcome, approval } = await of.asked("charge_card", { order_id: "1", amount: 1 }, { session: "unknown" });
  await of.gateway.decide(ann, approval.id, { answer: "approve" });
  const unknown = await of.end(outcome);
  expect(unknown.kind).toBe("unknown");
  for (const session of ["asked", "unknown"]) await expect(of.gateway.eraseSession(keeper, session)).rejects.toMatchObject({ status: 409, code: "session_in_use" });
  of.settings = settings({ sessions: DAY / 2 });
  of.now += DAY / 2;
  // Old enough, and each still owes somebody something.
  expect(await of.gateway.purge(keeper, false)).toMatchObject({ sessions: [], kept: [{ session: "asked" }, { session: "unknown" }] });
  of.now += 2 * DAY;
  await of.again();
  // The question's time is over: its call ends.
  await until(async () => ((await of.gateway.record("shop", checked.call.id))?.state === "asked" ? null : true));
  of.now += DAY;
  const found = await of.gateway.purge(keeper, true);
  expect(found).toMatchObject({ sessions: ["asked"], kept: [{ session: "unknown", why: expect.stringContaining("settle") }] });
  expect(await of.gateway.record("shop", checked.call.id)).not.toBeNull();
  expect((await of.gateway.purge(keeper, false)).sessions).toEqual(["asked"]);
  expect(await of.gateway.record("shop", checked.call.id)).toBeNull();
  await of.gateway.settle(ann, unknown.call.id, "failed", "the bank never saw it");
  expect((await of.gateway.purge(keeper, false)).sessions).toEqual(["unknown"]);
});

it("the job erases by itself what is old, over a restart, and each look is planned once", async () => {
  const of = await opened({ sessions: DAY });
  await of.call("get_order", { order_id: "old" }, { session: "old" });
  of.now += DAY - 1;
  await of.call("get_order", { order_id: "young" }, { session: "young" });
  await of.again();
  await of.gateway.purge(keeper, true);
  expect(await of.gateway.session("shop", "old")).not.toBeNull();
  of.now += 2;
  // A look before its time does nothing; the next is an hour away.
  await of.gateway.runner("shop", RETENTION);
  expect(await of.gateway.session("shop", "old")).not.toBeNull();
  of.now += 3_600_000;
  await of.again();
  const erased = await until(async () => ((await of.gateway.session("shop", "old")) === null ? true : null));
  expect(erased).toBe(true);
  expect(await of.gateway.session("shop", "young")).not.toBeNull();
  expect((await bodies(of)).filter(({ event }) => event === "session.erased")).toMatchObject([{ actor: "gateway", session: "old", detail: { by: "retention" } }]);
  for (let start = 0; start < 3; start++) await of.again();
  expect((await bodies(of)).filter(({ event }) => event === "session.erased")).toHaveLength(1);
  expect(await verifyAudit(await log(of), KEYS as never)).toMatchObject({ valid: true });
});

it("results alone can be kept shorter: the history stays and verifies, the call says that its result is erased", async () => {
  const of = await opened({ results: DAY, sessions: 30 * DAY });
  const made = await of.call("get_order", { order_id: SECRET }, { idempotencyKey: "key-1-of-it" });
  const before = await of.gateway.session("shop", "chat-1");
  of.now += DAY;
  expect(await of.gateway.purge(keeper, false)).toEqual({ sessions: [], results: 1, kept: [] });
  expect(await of.gateway.session("shop", "chat-1")).toEqual(before);
  const record = (await of.gateway.record("shop", made.call.id))!;
  expect(record.sent).not.toHaveProperty("result");
  expect(record.sent).not.toHaveProperty("fields");
  expect(record.released).toBe('{"erased":true}');
  // Its key still stands for it: it is not made again.
  expect(await of.call("get_order", { order_id: SECRET }, { idempotencyKey: "key-1-of-it" })).toMatchObject({ kind: "result", result: '{"erased":true}', call: { id: made.call.id } });
  expect(of.tools.sent).toHaveLength(1);
  expect(await of.gateway.purge(keeper, false)).toEqual({ sessions: [], results: 0, kept: [] });
  expect(await of.call("get_order", { order_id: "2" })).toMatchObject({ kind: "result", call: { decided: { step: 1 } } });
});

it("where the settings keep everything, nothing is erased unasked", async () => {
  const of = await opened({});
  await of.call("get_order", { order_id: "1" });
  of.now += 10_000 * DAY;
  await of.again();
  await of.gateway.runner("shop", RETENTION);
  expect(await of.gateway.session("shop", "chat-1")).not.toBeNull();
  await expect(of.gateway.purge(keeper, false)).rejects.toMatchObject({ status: 409, code: "retention_off" });
});

it("other settings plan the next look anew", async () => {
  const of = await opened({ sessions: 300 * DAY });
  await of.call("get_order", { order_id: "1" });
  of.now += 2 * DAY;
  of.settings = settings({ sessions: DAY });
  await of.gateway.planned();
  expect(await until(async () => ((await of.gateway.session("shop", "chat-1")) === null ? true : null))).toBe(true);
});

/** Looks again each time the engine has done something, until there is something to see. */
async function until<Found>(look: () => Promise<Found | null>): Promise<Found> {
  for (let tries = 0; tries < 400; tries++) {
    const found = await look();
    if (found !== null) return found;
    await house!.engine.changed("shop", "retention/next", Number.MAX_SAFE_INTEGER, 25);
  }
  throw new Error("it never came");
}
