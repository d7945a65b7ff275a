// Nobody approves their own request, and nobody answers twice: the same person by another key, by a token of an issuer, by another spelling of a name, and through what they edited.
import { afterEach, beforeEach, expect, it } from "vitest";
import { POLICY } from "../flow/shop.ts";
import { type Issuer, openIssuer } from "./issuer.ts";
import { caller, said, World } from "./world.ts";

const CHARGE = { order_id: "4411", amount: 40 };
const NOW = 1_764_500_000;
let world: World;
let issuer: Issuer;
let tokens: Record<string, string>;
const key = (name: string) => `ik_${name}-aaaaaaaaaaaaaaaaaaaaaaaa`;
const may = ["approve", "read_approvals"] as const;

async function open(approval: object = {}): Promise<void> {
  world = await World.open({
    policy: { ...POLICY, settings: { approval: { mode: "signed", ...approval } } },
    issuers: [issuer.settings],
    callers: [
      caller("ana-agent", key("ana-agent"), { agents: ["desk"], approver: "ana@shop.test" }),
      caller("ana-laptop", key("ana-laptop"), { agents: ["desk"], may, approver: "ANA@shop.test" }),
      caller("ana-token", null, { subject: { issuer: "login", subject: "u-ana" }, may, approver: " ana@shop.test\u200b" }),
      caller("ana-other", null, { subject: { issuer: "login", subject: "u-ana-2" }, may, approver: "someone", principal: { id: "ana@shop.test" } }),
      caller("bob", key("bob"), { agents: ["desk"], may }),
      caller("bob-token", null, { subject: { issuer: "login", subject: "u-bob" }, may, principal: { id: "bob" }, approver: "robert" }),
      caller("cyd", key("cyd"), { may }),
      caller("seven", key("seven"), { agents: ["desk"], principal: { id: "7" } }),
      caller("7", key("7"), { may }),
    ],
  });
}
beforeEach(async () => {
  issuer = await openIssuer(NOW);
  tokens = { "ana-token": await issuer.token("u-ana"), "ana-other": await issuer.token("u-ana-2"), "bob-token": await issuer.token("u-bob") };
});
afterEach(async () => {
  expect(world.house.tools.sent.map(({ tool }) => tool)).toEqual(world.house.tools.sent.map(() => "charge_card"));
  await Promise.all([world.house.close(), issuer.close()]);
});

const by = (name: string) => ({ by: tokens[name] ?? key(name) });
let count = 0;
async function asked(name: string): Promise<string> {
  const { json } = await world.call("charge_card", { ...CHARGE, order_id: String(++count) }, { session: `p-${count}` }, by(name));
  expect(json).toMatchObject({ outcome: "pending" });
  return json.approval;
}
const answer = async (name: string, id: string, how = "approve", body = how === "deny" ? '{"why":"no"}' : "{}") => said(await world.ask("POST", `/v1/approvals/${id}/${how}`, body, by(name)));

it("one's own request, under every name and key and token that one has, however it is answered", async () => {
  await open();
  const own = await asked("ana-agent");
  for (const name of ["ana-laptop", "ana-token", "ana-other"]) {
    for (const how of ["approve", "deny"]) expect(await answer(name, own, how), `${name} ${how}`).toBe("403 own_request");
    expect(await answer(name, own, "edit", '{"arguments":{"order_id":"4411","amount":39}}'), name).toBe("403 own_request");
  }
  expect(world.house.tools.sent).toEqual([]);
  const laptops = await asked("ana-laptop");
  expect(await answer("ana-token", laptops)).toBe("403 own_request");
  const bobs = await asked("bob");
  expect(await answer("bob", bobs)).toBe("403 own_request");
  expect(await answer("bob-token", bobs)).toBe("403 own_request");
  expect(await answer("7", await asked("seven"))).toBe("403 own_request");
  expect([await answer("cyd", own), await answer("ana-token", bobs), await answer("bob", laptops)]).toEqual(["200", "200", "200"]);
});

it("two people are two people: no second yes by another key, token or principal", async () => {
  await open({ count: 2 });
  const id = await asked("ana-agent");
  expect(await answer("bob", id)).toBe("200");
  expect(await answer("bob", id)).toBe("409 already_answered");
  expect(await answer("bob-token", id)).toBe("409 already_answered");
  expect(await answer("ana-token", id)).toBe("403 own_request");
  expect(world.house.tools.sent).toEqual([]);
  expect((await world.ask("GET", `/v1/approvals/${id}`, undefined, by("cyd"))).json).toMatchObject({ state: "open", answers: [{ approver: "bob" }] });
  expect(await answer("cyd", id)).toBe("200");
  expect((await world.end((await world.ask("GET", `/v1/approvals/${id}`, undefined, by("cyd"))).json.call, key("ana-agent"))).json.outcome).toBe("result");
});

it("a list of deciders is of approvers, to the letter", async () => {
  await open({ deciders: ["cyd", "robert"] });
  const id = await asked("ana-agent");
  expect(await answer("bob", id)).toBe("403 not_a_decider");
  expect(await answer("ana-token", id)).toBe("403 own_request");
  expect(await answer("bob-token", id)).toBe("200");
});

it("what one edited is one's own to the extent that one has said yes to it: another has to say the second yes", async () => {
  await open({ count: 2 });
  const id = await asked("ana-agent");
  const edited = await world.ask("POST", `/v1/approvals/${id}/edit`, '{"arguments":{"order_id":"4411","amount":39}}', by("bob"));
  const followed = await world.ask("GET", `${edited.headers.get("location")}?wait=1`, undefined, by("cyd"));
  expect(followed.json.outcome).toBe("pending");
  const next = followed.json.approval;
  for (const name of ["bob", "bob-token"]) expect(await answer(name, next), name).toBe("409 already_answered");
  for (const name of ["ana-laptop", "ana-token"]) expect(await answer(name, next), name).toBe("403 own_request");
  expect(await answer("cyd", next)).toBe("200");
});

it("the names that a person has besides are kept, and shown to nobody", async () => {
  await open({ count: 2 });
  const id = await asked("ana-agent");
  await answer("bob", id);
  for (const path of [`/v1/approvals/${id}`, "/v1/approvals"]) {
    const { text } = await world.ask("GET", path, undefined, by("cyd"));
    expect(text).not.toMatch(/"(?:person|names)"/);
  }
});

it("a right that is taken away is gone at the next request, and so is the caller", async () => {
  await open();
  const id = await asked("ana-agent");
  const { settings } = world;
  world.settings = { ...settings, callers: settings.callers.map((each) => (each.name === "cyd" ? { ...each, may: ["read_approvals"] } : each)) };
  expect(await answer("cyd", id)).toBe("403 not_granted");
  world.settings = { ...settings, callers: settings.callers.filter(({ name }) => name !== "cyd") };
  expect(await answer("cyd", id)).toBe("401 unauthorized");
  world.settings = { ...settings, callers: settings.callers.map((each) => (each.name === "cyd" ? { ...each, tenant: "other" } : each)) };
  expect(await answer("cyd", id)).toBe("404 approval_not_found");
  world.settings = settings;
  expect(await answer("cyd", id)).toBe("200");
});
