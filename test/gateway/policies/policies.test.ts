// Versions of a policy over a real store: files and the API, what a start and a reload may undo, what is told of problems and differences, and what a policy over the API may not reach.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callKey } from "../../../hosts/gateway/call/keys.ts";
import { KEYS, POLICY } from "../flow/shop.ts";
import { person } from "../people/house.ts";
import { ann, CHARGE, houses, policyWith, reason } from "../people/houses.ts";

const open = houses();
const withTtl = (seconds: number) => policyWith({ settings: { receipt_ttl: seconds } });
const file = (house: Awaited<ReturnType<typeof open>>, policy: unknown) => house.policies.fromFile("shop", house.write(policy));

it("the last change counts, whichever way it came; a start with the same file changes nothing", async () => {
  const house = await open(withTtl(100));
  const inForce = async () => (await house.gateway.policy("shop")).id;
  const first = await inForce();
  const { id: sent } = await house.gateway.registerPolicy(ann, JSON.stringify(withTtl(101)), false);
  expect(await inForce()).toBe(sent);
  await house.again();
  expect(await inForce()).toBe(sent);
  await file(house, withTtl(102));
  const third = await inForce();
  expect([first, sent]).not.toContain(third);
  await house.gateway.rollBackPolicy(ann, first);
  await house.again();
  await file(house, withTtl(102));
  expect(await inForce()).toBe(first);
  await file(house, withTtl(101));
  expect(await inForce()).toBe(sent);
  await house.gateway.registerPolicy(ann, JSON.stringify(withTtl(101)), false);
  expect((await house.gateway.policy("shop")).versions.map(({ by }) => by).sort()).toStrictEqual(["ann", "file", "file"]);
  expect((await house.log()).filter(({ event }) => event.startsWith("policy.")).map(({ event, actor }) => `${event} ${actor}`)).toStrictEqual([
    "policy.registered gateway", "policy.registered ann", "policy.registered gateway", "policy.rolled_back ann", "policy.registered gateway",
  ]);
});

it("forces what a gateway needs, and leaves mode token where the policy says it", async () => {
  const house = await open(policyWith({ settings: { head: "optional", confirmation_point: "head", approval: { count: 2 } } }));
  const settings = async () => (JSON.parse((await house.gateway.policy("shop")).text) as { settings: Record<string, unknown> }).settings;
  expect(await settings()).toMatchObject({ head: "required", confirmation_point: "turn", approval: { mode: "signed", count: 2 } });
  await file(house, policyWith({ settings: { approval: { mode: "token" } } }));
  expect(await settings()).toMatchObject({ head: "required", confirmation_point: "turn", approval: { mode: "token" } });
});

it("a call goes on with what it was decided by, and the next one has the new version", async () => {
  const house = await open();
  const before = (await house.gateway.policy("shop")).id;
  let finish: (value: object) => void = () => undefined;
  house.tools.answer = () => new Promise((done) => (finish = done));
  const running = house.call("get_order", { order_id: "1" });
  await expect.poll(() => house.tools.sent.length).toBe(1);
  await file(house, policyWith({ agents: { desk: { tools: ["charge_card"] }, clerk: { tools: ["charge_card"] } } }));
  expect(reason(await house.call("get_order", { order_id: "1" }, { session: "other" }))).toBe("unknown_tool");
  finish({});
  const ended = await running;
  expect(ended).toMatchObject({ kind: "result", call: { decided: { policy: before } } });
  expect(JSON.parse((await house.engine.get("shop", callKey(ended.call.id)))!.value)).toMatchObject({ decided: { policy: before } });
});

it("many versions are loaded one after the other, and an old one can still be read", async () => {
  const house = await open(withTtl(100));
  const first = await house.policies.current("shop");
  for (let seconds = 101; seconds < 115; seconds++) {
    await file(house, withTtl(seconds));
    expect((await house.policies.current("shop")).settings.receipt_ttl).toBe(seconds);
  }
  expect(await house.policies.current("shop")).toBe(await house.policies.current("shop"));
  const again = await house.policies.byId("shop", first.id);
  expect(again.id).toBe(first.id);
  expect(again.client).not.toBe(first.client);
  expect((await house.gateway.policy("shop")).versions).toHaveLength(15);
  await expect(house.policies.byId("shop", "x".repeat(43))).rejects.toMatchObject({ code: "policy_unknown" });
});

it("new keys load a version anew", async () => {
  const house = await open();
  const before = await house.policies.current("shop");
  house.keys = { ...KEYS, digest_key: Buffer.alloc(32, 3).toString("base64url") };
  const after = await house.policies.current("shop");
  expect(after.id).toBe(before.id);
  expect(after.client).not.toBe(before.client);
  house.keys = KEYS;
});

it("files are judged before one of them is taken", async () => {
  const house = await open(withTtl(100));
  const before = (await house.gateway.policy("shop")).id;
  const prepared = await house.policies.prepare("shop", house.write(withTtl(101)));
  expect((await house.gateway.policy("shop")).id).toBe(before);
  expect(prepared.id).not.toBe(before);
  await prepared.take();
  expect((await house.gateway.policy("shop")).id).toBe(prepared.id);
  await expect(house.policies.prepare("shop", house.write({ ...POLICY, tenant: "other" }))).rejects.toMatchObject({ code: "policy_invalid", pointer: "/tenant" });
});

it("says every problem at its place, and the difference as registering prints it", async () => {
  const house = await open();
  const source = `tenant: shop
agents:
  desk: {tools: [get_ordr]}
tools:
  - name: get_order
    effect: sometimes
    parameters: {type: object}
`;
  const failed = await house.gateway.registerPolicy(ann, source, true).then(
    () => null,
    (error: { code: string; detail: { problems: { line: number; column: number; message: string; severity: string }[] } }) => error,
  );
  expect(failed).toMatchObject({ code: "policy_invalid", status: 422 });
  expect(failed!.detail.problems.map(({ line }) => line)).toStrictEqual(expect.arrayContaining([3, 6]));
  expect(failed!.detail.problems.every(({ column }) => column > 0)).toBe(true);
  const looser = policyWith({ tools: POLICY.tools.map((tool) => (tool.name === "get_coupon" ? { ...tool, at_most: 5 } : tool)) });
  const { diff } = await house.gateway.registerPolicy(ann, JSON.stringify(looser), true);
  expect((diff as { line: string }[]).map(({ line }) => line)).toStrictEqual([expect.stringMatching(/get_coupon.*at_most.*1.*5/)]);
  expect((await house.gateway.registerPolicy(ann, JSON.stringify(POLICY), true)).diff).toStrictEqual([]);
});

it("over the API a policy reads no file and starts no server", async () => {
  const house = await open();
  const listing = join(house.folder, "listing.json");
  writeFileSync(listing, JSON.stringify({ tools: [{ name: "stolen", description: "from the disk", inputSchema: { type: "object" } }] }));
  const marker = join(house.folder, "started");
  for (const from of [JSON.stringify(listing), '"./listing.json"', `{command: node, args: [-e, "require('fs').writeFileSync(${JSON.stringify(marker).replaceAll('"', "'")}, '')"]}`]) {
    const source = `tenant: shop\nagents: {desk: {tools: ["*"]}}\ntools:\n  - mcp: ${from}\n`;
    await expect(house.gateway.registerPolicy(ann, source, true), from).rejects.toMatchObject({ code: "policy_invalid" });
  }
  await expect(import("node:fs/promises").then(({ stat }) => stat(marker))).rejects.toMatchObject({ code: "ENOENT" });
});

it("is nobody's without the right, and of no other tenant", async () => {
  const house = await open();
  const { id } = await house.gateway.policy("shop");
  for (const caller of [person("x", { may: new Set(["approve", "kill"]) }), person("x", { may: new Set() })]) {
    await expect(house.gateway.registerPolicy(caller, JSON.stringify(POLICY), true)).rejects.toMatchObject({ code: "not_granted" });
    await expect(house.gateway.rollBackPolicy(caller, id)).rejects.toMatchObject({ code: "not_granted" });
  }
  await expect(house.gateway.rollBackPolicy(person("x", { tenant: "other" }), id)).rejects.toMatchObject({ code: "policy_unknown" });
  await expect(house.gateway.policy("other")).rejects.toMatchObject({ code: "policy_missing" });
});

it("an approval given under one version covers nothing under another, also after rolling back and forth", async () => {
  const house = await open();
  const first = (await house.gateway.policy("shop")).id;
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  await file(house, withTtl(299));
  await house.gateway.rollBackPolicy(ann, first);
  await house.gateway.decide(ann, approval.id, { answer: "approve" });
  // The version that it was asked under is in force again.
  expect((await house.end(outcome)).kind).toBe("result");
  expect(house.tools.sent).toHaveLength(1);
});
