// Chapter 4's table "Who may set what" for MCP clients and for the flow behind every door: what a client says in `_meta` without its grant leaves the same bytes as if it had said nothing.
import { expect, it } from "vitest";
import type { Grant, Settings } from "../../../hosts/gateway/config/settings.ts";
import { callTool } from "../../../hosts/gateway/doors/mcp/calls.ts";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { Relays } from "../../../hosts/gateway/upstream/relay.ts";
import { Shop, tenantOf } from "../flow/shop.ts";
import { AGENT } from "./house.ts";

const TABLE: readonly Grant[] = ["turns", "origins", "context", "resource", "agent", "principal", "confirmation", "approvals", "undo", "sessions"];
const ARGUMENTS = '{"amount":40,"order_id":"4411"}';

/** What a call of `charge_card` leaves: the history's text and head, and what the tools and the log were told of. */
async function leaves(meta: Record<string, unknown>, may: readonly Grant[] = [], members = ""): Promise<string> {
  const shop = new Shop();
  const settings = { publicUrl: "http://gate.example", tenants: { shop: tenantOf({}) } } as unknown as Settings;
  const caller: Caller = { ...AGENT, agents: ["desk", "clerk"], principal: { id: "u-1" }, may: new Set(may) };
  const line = { caller, conversation: "chat-1", era: "legacy", signal: new AbortController().signal, notify: () => undefined, asks: null, takesInput: false } as const;
  const params = `{"name":"charge_card","arguments":${ARGUMENTS},"_meta":${JSON.stringify(meta)}${members}}`;
  await callTool({ gateway: shop.gateway, settings: () => settings, relays: new Relays() }, params, line);
  const kept: unknown[] = [];
  for (const session of ["chat-1", "agent-1/chat-1", "agent-1/another", "another"]) kept.push([session, await shop.gateway.session("shop", session)]);
  const [call] = await shop.gateway.calls("shop", {});
  const { id, requestId: _request, approval: _approval, trace: _trace, ...record } = call!;
  return JSON.stringify([kept, record, shop.tools.sent]).replaceAll(id, "the call");
}

/** Each member by its name in `_meta`, with a value that would change something; whose grant it takes, or none can. */
const ROWS: readonly (readonly [member: string, value: unknown, grant: Grant | "nobody"])[] = [
  ["origins", { order_id: "reply", amount: "context" }, "origins"],
  ["turns", ["charge order 4411 40"], "turns"],
  ["turn", "t-1", "turns"],
  ["context", { card_on_file: true }, "context"],
  ["resource", { owner: "u-9" }, "resource"],
  ["principal", { id: "root" }, "principal"],
  ["agent", "boss", "nobody"],
  ["confirmation", "x.y.z", "nobody"],
  ["approvals", ["x.y.z"], "nobody"],
  ["undo", { step: 0 }, "nobody"],
  ["history", { format: "qls-history/1", session: "chat-1", entries: [] }, "nobody"],
  ["head", { step: 7, link: "x", state: "x" }, "nobody"],
  ["now", 1, "nobody"],
  ["at", 1, "nobody"],
  ["sends", 0, "nobody"],
  ["explain", true, "nobody"],
  ["purpose", "check", "nobody"],
  ["door", "undo", "nobody"],
  ["tenant", "other", "nobody"],
  ["caller", "ana", "nobody"],
  ["person", ["nobody"], "nobody"],
  ["baggage", "user=ana", "nobody"],
  ["tracestate", "a=b", "nobody"],
];

it.each(ROWS)("%s", async (member, value, grant) => {
  const plain = await leaves({});
  expect(await leaves({})).toBe(plain);
  for (const name of [`io.interlock/${member}`, member]) {
    expect(await leaves({ [name]: value }), `${name} without a grant`).toBe(plain);
    expect(await leaves({ [name]: value }, TABLE.filter((other) => other !== grant)), `${name} with every other grant`).toBe(plain);
  }
  // Beside `_meta`, where a proposal's members would stand.
  expect(await leaves({}, TABLE, `,${JSON.stringify(member)}:${JSON.stringify(value)}`), `${member} beside _meta`).toBe(plain);
  if (grant !== "nobody") expect(await leaves({ [`io.interlock/${member}`]: value }, [grant]), `${member} with its grant`).not.toBe(plain);
});

it("labels are added by anyone, and nothing is taken away or changed besides", async () => {
  type Left = [[[session: string, kept: { history: string }]], { decided: { reasons: string[] } }];
  const added = await leaves({ "io.interlock/labels": { call: ["untrusted:web"], arguments: { amount: ["agent:helper"] } } });
  const [[[, kept]], record] = JSON.parse(added) as Left;
  const [[[, before]], plain] = JSON.parse(await leaves({})) as Left;
  const entry = (text: string) => (JSON.parse(text) as { entries: Record<string, unknown>[] }).entries[0]!;
  const [marked, unmarked] = [entry(kept.history), entry(before.history)];
  expect(marked["labels"]).toEqual(["agent:helper", "untrusted:web"]);
  const differs = Object.keys({ ...marked, ...unmarked }).filter((name) => JSON.stringify(marked[name]) !== JSON.stringify(unmarked[name]));
  // The evidence commits to the labels, the token to the entry; more reasons to ask, never fewer.
  expect(differs.sort()).toEqual(["evidence", "labels", "reasons", "token"]);
  expect(record.decided.reasons).toEqual(expect.arrayContaining(plain.decided.reasons));
});

it("session and agent: the caller's own alone", async () => {
  const names = async (meta: Record<string, unknown>) => {
    const [kept, record] = JSON.parse(await leaves(meta)) as [[string, unknown][], { session: string; agent: string }];
    return [kept.filter(([, there]) => there !== null).map(([session]) => session), record.session, record.agent];
  };
  expect(await names({ "io.interlock/session": "another" })).toEqual([["agent-1/another"], "agent-1/another", "desk"]);
  expect(await names({ "io.interlock/session": "chat-1" })).toEqual([["agent-1/chat-1"], "agent-1/chat-1", "desk"]);
  expect(await names({ "io.interlock/agent": "clerk" })).toEqual([["chat-1"], "chat-1", "clerk"]);
});

it("the time of an entry is the gateway's clock, and its head the one that was kept, whatever a proposal holds besides", async () => {
  const shop = new Shop();
  const more = { now: 1, at: 1, head: { step: 7, link: "x", state: "x" }, sends: 5, step: 9, format: "x" } as Record<string, unknown>;
  await shop.call("get_order", { order_id: "1" }, more);
  shop.now += 5_000;
  await shop.call("get_order", { order_id: "1" }, more);
  const { entries } = JSON.parse((await shop.gateway.session("shop", "chat-1"))!.history) as { entries: { at: number; step: number }[] };
  expect(entries.map(({ at, step }) => [at, step])).toEqual([[shop.now / 1000 - 5, 0], [shop.now / 1000, 1]]);
});
