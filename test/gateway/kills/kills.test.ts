// Kill switches over a store: what each stops, that no reading of the store takes one back, and that what was never read stops everything.
import { expect, it } from "vitest";
import { KillSwitches } from "../../../hosts/gateway/kills/kills.ts";
import type { Engine } from "../../../hosts/gateway/engine/port.ts";
import type { Kill } from "../../../hosts/gateway/gateway.ts";
import { MemoryEngine } from "../flow/memory-engine.ts";
import { person } from "../people/house.ts";
import { ann, CHARGE, houses, reason } from "../people/houses.ts";

const open = houses();
const CALLS = ["t1", "t2"].flatMap((tool) => ["a1", "a2", null].flatMap((agent) => ["s1", "s2"].map((session) => ({ tenant: "shop", tool, agent, session }))));
let ids = 0;
const switches = (engine: Engine = new MemoryEngine()) => new KillSwitches({ engine, clock: () => 1, ids: () => `k-${++ids}` });
const names = (one: { tool: string; agent: string | null; session: string }) => `${one.tool} ${one.agent} ${one.session}`;

it("stop exactly the calls that fit every name they give", async () => {
  const parts: Partial<Pick<Kill, "tool" | "agent" | "session">>[] = [];
  for (const tool of [undefined, "t1"]) for (const agent of [undefined, "a1"]) for (const session of [undefined, "s1"]) parts.push({ ...(tool && { tool }), ...(agent && { agent }), ...(session && { session }) });
  for (const part of parts) {
    const kills = switches();
    await kills.start(["shop"]);
    const empty = Object.keys(part).length === 0;
    const kill = await kills.kill(ann, { ...part, ...(empty ? { all: true as const } : {}), why: "w" });
    const stopped = CALLS.filter((call) => kills.matching(call) !== null).map(names);
    const expected = CALLS.filter((call) => Object.entries(part).every(([name, value]) => call[name as "tool"] === value)).map(names);
    expect(stopped, JSON.stringify(part)).toStrictEqual(expected);
    expect(kills.matching({ tenant: "shop", tool: "t1", agent: "a1", session: "s1" })).toMatchObject({ id: kill.id, by: "ann", why: "w" });
    await kills.liftKill(ann, kill.id);
    expect(CALLS.filter((call) => kills.matching(call) !== null)).toStrictEqual([]);
    kills.close();
  }
});

it("of the same names two switches stand until both are lifted", async () => {
  const kills = switches();
  await kills.start(["shop"]);
  const [one, two] = [await kills.kill(ann, { tool: "t1", why: "1" }), await kills.kill(ann, { tool: "t1", why: "2" })];
  await kills.liftKill(ann, two.id);
  expect(kills.matching(CALLS[0]!)).toMatchObject({ id: one.id });
  await kills.liftKill(ann, one.id);
  expect(kills.matching(CALLS[0]!)).toBeNull();
  kills.close();
});

it("of names that look like others' properties stop only those", async () => {
  const kills = switches();
  await kills.start(["shop"]);
  for (const tool of ["__proto__", "constructor", '["t1",null,null]', "null"]) await kills.kill(ann, { tool, why: "w" });
  expect(kills.matching({ tenant: "shop", tool: "t1", agent: null, session: "s" })).toBeNull();
  for (const tool of ["__proto__", "constructor", "null"]) expect(kills.matching({ tenant: "shop", tool, agent: null, session: "s" })).not.toBeNull();
  kills.close();
});

it("that were never read stop everything, until they are", async () => {
  const engine = new MemoryEngine();
  const kills = switches(engine);
  const call = { tenant: "late", tool: "t1", agent: "a1", session: "s1" };
  expect(kills.matching(call)).toMatchObject({ id: "unread", by: "gateway" });
  await expect.poll(() => kills.matching(call)).toBeNull();
});

it("are not taken back by a reading that began before they were set", async () => {
  const engine = new MemoryEngine();
  const kills = switches(engine);
  await kills.start(["shop"]);
  const list = engine.list.bind(engine);
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => (release = done));
  engine.list = async (...given) => {
    const before = await list(...given);
    await held;
    return before;
  };
  const slow = kills.refresh("shop");
  await new Promise((done) => setTimeout(done, 5));
  engine.list = list;
  const kill = await kills.kill(ann, { tool: "t1", why: "now" });
  release();
  await slow;
  expect(kills.matching(CALLS[0]!)).toMatchObject({ id: kill.id });
  kills.close();
});

it("of another gateway over the same store are seen, told to calls in flight, and lifted", async () => {
  const engine = new MemoryEngine();
  const [here, there] = [switches(engine), switches(engine)];
  await here.start(["shop"]);
  await there.start(["shop"]);
  const told: string[] = [];
  const forget = there.onKill((tenant, kill) => void told.push(`${tenant} ${kill.tool}`));
  const kill = await here.kill(ann, { tool: "t1", why: "w" });
  await expect.poll(() => there.matching(CALLS[0]!)?.id, { timeout: 5000 }).toBe(kill.id);
  expect(told).toStrictEqual(["shop t1"]);
  forget();
  await there.liftKill(ann, kill.id);
  await expect.poll(() => here.matching(CALLS[0]!), { timeout: 5000 }).toBeNull();
  await here.kill(ann, { tool: "t2", why: "w" });
  await expect.poll(() => there.matching({ ...CALLS[0]!, tool: "t2" })?.tool, { timeout: 5000 }).toBe("t2");
  expect(told).toHaveLength(1);
  here.close();
  there.close();
});

it("are all read, however many there are", async () => {
  const engine = new MemoryEngine();
  const changes = Array.from({ length: 2500 }, (_, index) => ({ key: `kill/${String(index).padStart(6, "0")}`, value: JSON.stringify({ id: String(index), tool: `t-${index}`, why: "w", by: "x", at: 0 }) }));
  await engine.commit({ tenant: "shop", changes });
  const kills = switches(engine);
  await kills.start(["shop"]);
  for (const index of [0, 999, 1000, 1001, 2499]) expect(kills.matching({ tenant: "shop", tool: `t-${index}`, agent: null, session: "s" })?.id).toBe(String(index));
  expect(await kills.kills("shop")).toHaveLength(2500);
  kills.close();
});

it("are met before a person is asked, also about what a person edited", async () => {
  const house = await open();
  const kill = await house.gateway.kill(ann, { tool: "charge_card", why: "stop" });
  const stopped = await house.call("charge_card", CHARGE);
  expect([reason(stopped), stopped.call.refusal?.row, stopped.call.approval]).toStrictEqual(["kill_switch", "17", null]);
  expect(await house.gateway.approvals("shop", {})).toStrictEqual([]);
  expect(house.told).toStrictEqual([]);
  // Another agent's call of another tool is asked about as ever.
  expect((await house.call("refund_card", CHARGE)).kind).toBe("pending");
  await house.gateway.liftKill(ann, kill.id);
  expect((await house.call("charge_card", CHARGE)).kind).toBe("pending");
});

it("are shown with an open question, to which no yes is taken until they are lifted, and a no is", async () => {
  const house = await open();
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  const other = await house.asked("charge_card", { ...CHARGE, amount: 41 });
  const kill = await house.gateway.kill(ann, { session: "chat-1", why: "stop" });
  const stopped = { kill: kill.id, why: "stop", by: "ann", at: kill.at };
  for (const shown of [await house.gateway.approval("shop", approval.id), ...(await house.gateway.approvals("shop", { state: "open" }))]) expect(shown).toMatchObject({ state: "open", stopped });
  await expect(house.gateway.decide(ann, approval.id, { answer: "approve" })).rejects.toMatchObject({ code: "kill_switch", status: 409, detail: { kill: kill.id } });
  await expect(house.gateway.edit(ann, approval.id, '{"order_id":"4411","amount":20}', null)).rejects.toMatchObject({ code: "kill_switch" });
  for (const more of [{}, { idempotencyKey: "key-0001" }]) expect((await house.call("charge_card", CHARGE, more)).kind).toBe("pending");
  for (const more of [{}, { idempotencyKey: "key-0001" }]) await expect(house.call("charge_card", CHARGE, { ...more, confirmation: approval.confirmation })).rejects.toMatchObject({ code: "kill_switch" });
  expect((await house.gateway.decide(ann, other.approval.id, { answer: "deny" })).state).toBe("denied");
  expect((await house.gateway.approval("shop", other.approval.id))?.stopped).toBeUndefined();
  expect(house.tools.sent).toHaveLength(0);
  await house.gateway.liftKill(ann, kill.id);
  expect((await house.gateway.approval("shop", approval.id))?.stopped).toBeUndefined();
  await house.gateway.decide(ann, approval.id, { answer: "approve" });
  expect((await house.end(outcome)).kind).toBe("result");
  const log = await house.log();
  expect(log.filter(({ event }) => event.startsWith("kill.")).map(({ event, actor, why }) => [event, actor, why])).toStrictEqual([["kill.set", "ann", "stop"], ["kill.lifted", "ann", "stop"]]);
});

it("are set and lifted only with the right, in the caller's own tenant", async () => {
  const house = await open();
  const kill = await house.gateway.kill(ann, { all: true, why: "w" });
  for (const caller of [person("x", { may: new Set(["approve", "policy"]) }), person("x", { may: new Set() })]) await expect(house.gateway.liftKill(caller, kill.id)).rejects.toMatchObject({ code: "not_granted" });
  for (const id of ["../x", "", "kill/x", "no"]) await expect(house.gateway.liftKill(ann, id)).rejects.toMatchObject({ code: "kill_not_found" });
  await expect(house.gateway.liftKill(person("x", { tenant: "other" }), kill.id)).rejects.toMatchObject({ code: "kill_not_found" });
  expect(house.kills.matching({ tenant: "shop", tool: "t", agent: null, session: "s" })?.id).toBe(kill.id);
});
