// Chapter 7's audit record, member by member: who proposed what with which version of the agent, what the policy decided, who approved it, what was sent, and what the external system confirmed.
import { expect, it } from "vitest";
import type { AuditBody } from "../../../hosts/gateway/audit/entry.ts";
import { readMeta } from "../../../hosts/gateway/doors/mcp/meta.ts";
import { APPROVER, Shop } from "../flow/shop.ts";
import { said, World } from "../http/world.ts";

const CHARGE = { order_id: "A-1", amount: 40 };

/** One call that a person approved and that the tool made, as the log has it. */
async function approved(): Promise<{ readonly log: readonly AuditBody[]; readonly shop: Shop }> {
  const shop = new Shop({ redact: { "*": ["*"], charge_card: ["order_id"] } });
  shop.tools.answer = () => ({ externalId: "ch_1", startedAt: 1_764_500_000_100, endedAt: 1_764_500_000_350 });
  const asked = await shop.call("charge_card", CHARGE, { agentVersion: "desk 3.1", principal: { id: "u-7" } });
  await shop.decide(asked);
  return { log: shop.engine.bodies("shop").filter(({ call }) => call === asked.call.id), shop };
}

it("one call has every member that the chapter lists, each where it is known first", async () => {
  const { log } = await approved();
  const of = (event: AuditBody["event"]): AuditBody => log.find((body) => body.event === event)!;
  // Actor, agent version, tool and normalised arguments; the tenant is the line's.
  expect(of("call.proposed")).toMatchObject({ actor: "agent-1", agent: "desk", agent_version: "desk 3.1", principal: "u-7", tool: "charge_card", session: "chat-1" });
  expect(of("call.proposed").arguments).toEqual({ order_id: { redacted: expect.any(String) }, amount: { shown: expect.any(String) } });
  // The decision, with its reasons and the policy it was made by.
  expect(of("call.decided")).toMatchObject({ actor: "gateway", decision: "confirm", reasons: expect.any(Array), policy: expect.any(String) });
  // The approval and whose it is.
  const { approval } = of("call.asked");
  expect(approval).toEqual(expect.any(String));
  expect(of("call.intent")).toMatchObject({ approval, approvers: ["ana"], idempotency_key: expect.any(String), arguments_digest: expect.any(String), once: expect.any(String) });
  // Start, end, the result's status and the external system's own id.
  expect(of("call.confirmed")).toMatchObject({ start: 1_764_500_000_100, end: 1_764_500_000_350, status: "ran", external_id: "ch_1", idempotency_key: of("call.intent").idempotency_key });
});

it("every entry of a call names the agent's version, the tool, the request and the moment", async () => {
  const { log } = await approved();
  // The small room of approvals in these tests tells its answers itself.
  for (const body of log.filter(({ event }) => event !== "call.approved")) expect(body, body.event).toMatchObject({ agent_version: "desk 3.1", tool: "charge_card", request_id: "r-1", at: expect.any(Number) });
});

it("proposed, allowed by the policy, approved by a person and confirmed by the external system are four entries, in this order", async () => {
  const { log } = await approved();
  const events = log.map(({ event }) => event);
  const order = ["call.proposed", "call.decided", "call.asked", "call.intent", "call.confirmed"].map((event) => events.indexOf(event as AuditBody["event"]));
  expect(order.every((place) => place >= 0)).toBe(true);
  expect(order).toEqual([...order].sort((one, other) => one - other));
  expect(log.filter(({ event, decision }) => event === "call.decided" && decision === "allow")).toHaveLength(1);
});

it("what failed, what nobody knows and what a person settled are never told as confirmed", async () => {
  for (const [status, event] of [["failed", "call.failed"], ["outcome_unknown", "call.outcome_unknown"]] as const) {
    const shop = new Shop();
    shop.tools.answer = () => ({ status });
    const asked = await shop.call("charge_card", CHARGE);
    await shop.decide(asked);
    expect(shop.events(asked.call.id).at(-1)).toBe(event);
    if (status === "outcome_unknown") await shop.gateway.settle(APPROVER, asked.call.id, "ran", "the bank has it");
    expect(shop.events(asked.call.id)).not.toContain("call.confirmed");
    const settled = shop.engine.bodies("shop").find((body) => body.event === "call.settled");
    expect(settled === undefined).toBe(status === "failed");
    if (settled !== undefined) expect(settled).toMatchObject({ actor: "ana", status: "ran", why: "the bank has it" });
  }
});

it("the agent's version is the configured one of the caller, else what the call says, over either door", async () => {
  const world = await World.open();
  try {
    const session = "version";
    expect(said(await world.call("get_order", { order_id: "1" }, { session, agent_version: "desk 3.1" }))).toBe("200 result allow");
    world.settings = { ...world.settings, callers: world.settings.callers.map((caller) => (caller.name === "model" ? { ...caller, agentVersion: "desk 4" } : caller)) };
    expect(said(await world.call("get_order", { order_id: "2" }, { session, agent_version: "desk 3.1" }))).toBe("200 result allow");
    const { lines } = (await world.ask("GET", "/v1/audit?event=call.intent", undefined, { by: "keeper" })).json;
    expect(lines.map(({ entry }: { entry: AuditBody }) => entry.agent_version)).toEqual(["desk 3.1", "desk 4"]);
    expect(said(await world.call("get_order", { order_id: "3" }, { session, agent_version: 7 }))).toBe("400 request_invalid /agent_version");
  } finally {
    await world.house.close();
  }
  const caller = { ...APPROVER, agents: ["desk"] };
  expect(readMeta('{"io.interlock/agent-version":"desk 3.1"}', caller).agentVersion).toBe("desk 3.1");
  expect(readMeta('{"io.interlock/agent-version":"desk 3.1"}', { ...caller, agentVersion: "desk 4" }).agentVersion).toBe("desk 4");
  expect(readMeta(null, caller)).not.toHaveProperty("agentVersion");
  expect(() => readMeta('{"io.interlock/agent-version":7}', caller)).toThrow("agent-version is a text");
});

it("what its caller made itself is told as the caller's report", async () => {
  const shop = new Shop();
  const checked = await shop.call("get_order", { order_id: "A-1" }, { purpose: "check" });
  expect(checked.kind).toBe("checked");
  await shop.gateway.report({ ...APPROVER, name: "host", agents: ["desk"] }, { session: "chat-1", step: 0, status: "ran", externalId: "ext-9" });
  expect(shop.engine.bodies("shop").at(-1)).toMatchObject({ event: "outcome.reported", actor: "host", tool: "get_order", agent: "desk", step: 0, status: "ran", external_id: "ext-9" });
  expect(shop.events()).not.toContain("call.confirmed");
});
