// Evidence that somebody made up or brings again: approvals, question tokens, histories, receipts, keys of operations, and names that mean something to JavaScript. Nothing runs that nobody said yes to.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { signedApproval } from "../../../hosts/gateway/approvals/sign.ts";
import { KEYS, POLICY } from "../flow/shop.ts";
import { type Json, said, World } from "./world.ts";

const CHARGE = { order_id: "4411", amount: 40 };
const SECONDS = 1_764_500_000;
let world: World;
let count = 0;
beforeAll(async () => {
  world = await World.open({ policy: { ...POLICY, settings: { approval: { mode: "signed", count: 1, deciders: ["ana", "service", "u-1"] } } } });
});
afterAll(() => world.house.close());
afterEach(() => expect(world.house.tools.sent.splice(0)).toEqual([]));

/** A pending call of a caller that may bring evidence: its token, its question, and the call again with more members. */
async function asked(args: Json = CHARGE, more: Json = {}): Promise<{ confirmation: string; question: unknown; approval: string; session: string; again(more: Json, path?: string): Promise<string> }> {
  const session = `e-${++count}`;
  const { json } = await world.call("charge_card", args, { session, ...more }, { by: "service" });
  expect(json).toMatchObject({ outcome: "pending", confirmation: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) });
  const again = async (brought: Json, path = "/v1/call") => said(await world.call("charge_card", args, { session, ...more, ...brought }, { by: "service", path }));
  return { confirmation: json.confirmation, question: json.question, approval: json.approval, session, again };
}
const sign = (confirmation: string, question: unknown, more: Json = {}, keys: unknown = KEYS) => signedApproval({ answer: "approve", approver: "ana", at: SECONDS, exp: SECONDS + 600, confirmation, question, ...more }, JSON.stringify(keys));

it("approvals that are forged, of somebody who may not, of another question, or of another time", async () => {
  const { confirmation, question, again } = await asked();
  const other = await asked({ ...CHARGE, amount: 41 });
  const good = sign(confirmation, question);
  const [header, payload, signature] = good.split(".") as [string, string, string];
  const b64 = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
  const said = JSON.parse(Buffer.from(payload, "base64url").toString()) as Json;
  const stranger = { ...KEYS, keys: [{ ...KEYS.keys[1], k: Buffer.alloc(32, 1).toString("base64url") }] };
  const signing = { ...KEYS, keys: [{ ...KEYS.keys[0], use: "approve" }] };
  const forged: Record<string, string> = {
    "no JWS": "x", empty: "", "the question's own token": confirmation, unsigned: `${header}.${payload}.`, "alg none": `${b64('{"alg":"none","kid":"people","typ":"qls-approval+jws"}')}.${payload}.`,
    "another key under the same id": sign(confirmation, question, {}, stranger), "the key that signs histories": sign(confirmation, question, {}, signing), "another approver in the payload": `${header}.${b64({ ...said, approver: "bob" })}.${signature}`,
    "another question": sign(other.confirmation, other.question), "not a decider": sign(confirmation, question, { approver: "mallory" }), "a decider, spelt otherwise": sign(confirmation, question, { approver: "Ana" }),
    "the caller itself": sign(confirmation, question, { approver: "service" }),
    "over by now": sign(confirmation, question, { at: SECONDS - 20, exp: SECONDS - 10 }), "in the future": sign(confirmation, question, { at: SECONDS + 500 }),
    "another type in the header": `${b64('{"alg":"HS256","kid":"people","typ":"JWT"}')}.${payload}.${signature}`, "a longer signature": `${good}AAAA`, "white space": ` ${good}`, "four parts": `${good}.x`,
  };
  for (const [name, jws] of Object.entries(forged))
    for (const path of ["/v1/call", "/v1/check"]) expect(await again({ confirmation, approvals: [jws] }, path), `${name} at ${path}`).toMatch(/^(?:202 pending|200 confirm) /);
  expect(await again({ confirmation: `${confirmation}x`, approvals: [good] })).toMatch(/^202 pending/);
  expect(await again({ confirmation: other.confirmation, approvals: [sign(other.confirmation, other.question)] })).toMatch(/^202 pending/);
  expect(await again({ approvals: [good] })).toMatch(/^202 pending/);
});

it("nobody brings an approval of their own request: not as the caller, not as the principal, at the call and at the check", async () => {
  for (const [more, approver] of [[{}, "service"], [{ principal: { id: "u-1" } }, "u-1"]] as const)
    for (const path of ["/v1/check", "/v1/call"]) {
      const { confirmation, question, again } = await asked({ ...CHARGE, order_id: `own-${++count}` }, more);
      expect(await again({ confirmation, approvals: [sign(confirmation, question, { approver })] }, path), `${approver} ${path}`).not.toMatch(/allow|result/);
    }
});

it("an approval that is right admits its call once", async () => {
  const { confirmation, question, again, session } = await asked();
  const brought = { confirmation, approvals: [sign(confirmation, question)] };
  expect(await again(brought)).toMatch(/^200 result/);
  expect(world.house.tools.sent.splice(0).map(({ tool }) => tool)).toEqual(["charge_card"]);
  for (let n = 0; n < 3; n++) expect(await again(brought)).toMatch(/^202 pending/);
  expect(said(await world.call("charge_card", { ...CHARGE, amount: 4000 }, { session, ...brought }, { by: "service" }))).toMatch(/^202 pending/);
  expect(said(await world.call("refund_card", CHARGE, { session, ...brought }, { by: "service" }))).toMatch(/^202 pending/);
  expect(said(await world.call("charge_card", CHARGE, { session: `${session}-b`, ...brought }, { by: "service" }))).toMatch(/^202 pending/);
});

it("a receipt admits its call once, and no other", async () => {
  const session = `r-${++count}`;
  const by = "service";
  const pending = await world.call("refund_card", CHARGE, { session }, { by, path: "/v1/check" });
  const { json } = await world.ask("GET", `/v1/approvals?state=open&limit=1`, undefined, { by: "ana" });
  await world.ask("POST", `/v1/approvals/${json.approvals[0].id}/approve`, "{}", { by: "ana" });
  expect(said(pending)).toMatch(/^200 confirm/);
  const allowed = await world.call("refund_card", CHARGE, { session }, { by, path: "/v1/check" });
  expect(said(allowed)).toBe("200 allow confirmed");
  const receipt = async (more: Json = {}, who = by) => said(await world.ask("POST", "/v1/receipt", JSON.stringify({ session, tool: "refund_card", arguments: CHARGE, step: allowed.json.step, ...more }), { by: who }));
  for (const [more, told] of [[{ arguments: { ...CHARGE, amount: 41 } }, "receipt_mismatch"], [{ tool: "charge_card" }, "receipt_mismatch"], [{ agent: "clerk" }, "receipt_mismatch"], [{ principal: { id: "u" } }, "receipt_mismatch"], [{ step: 99 }, "receipt_missing"], [{ session: `${session}-b` }, "receipt_missing"]] as const) expect(await receipt(more)).toBe(`200 refuse ${told}`);
  const all = await Promise.all(Array.from({ length: 20 }, () => receipt()));
  expect(all.sort()).toEqual(["200 allow receipt", ...Array.from({ length: 19 }, () => "200 refuse receipt_spent")]);
  const kept = (await world.ask("GET", `/v1/sessions/${session}`, undefined, { by })).json.history;
  expect(await receipt({ history: kept })).toBe("200 refuse receipt_spent");
  expect(await receipt({ history: { ...kept, entries: kept.entries.slice(0, -1) } })).toBe("200 refuse history_invalid");
  expect(await receipt({ history: { ...kept, entries: [] } })).toBe("200 refuse history_invalid");
});

it("nobody else tells what became of a call that the gateway makes: not while it is made, and not after", async () => {
  const session = `o-${++count}`;
  const by = "service";
  let made: () => void = () => undefined;
  const under = new Promise<void>((started) => {
    world.house.tools.answer = async () => {
      started();
      await new Promise<void>((resolve) => (made = resolve));
      return {};
    };
  });
  const first = world.call("get_coupon", { order_id: "1" }, { session }, { by });
  await under;
  world.house.tools.answer = () => ({});
  const report = async (status: string) => said(await world.ask("POST", "/v1/report", JSON.stringify({ session, step: 0, status }), { by }));
  for (const status of ["failed", "ran", "outcome_unknown", "compensated"]) expect(await report(status)).toBe("409 made_here");
  // The tool may be called once: a failure that was made up would let it be called again.
  expect(said(await world.call("get_coupon", { order_id: "1" }, { session }, { by }))).toBe("200 refused order_rule");
  made();
  expect(said(await first)).toBe("200 result allow");
  expect(await report("failed")).toBe("409 made_here");
  expect(world.house.tools.sent.splice(0).map(({ tool }) => tool)).toEqual(["get_coupon"]);
  const checked = await world.call("get_order", { order_id: "1" }, { session }, { by, path: "/v1/check" });
  expect(said(await world.ask("POST", "/v1/report", JSON.stringify({ session, step: checked.json.step, status: "ran" }), { by }))).toBe("200");
});

it("histories that were cut off, put together, or made up are refused, and change nothing", async () => {
  const session = `h-${++count}`;
  const by = "service";
  for (let n = 0; n < 3; n++) await world.call("get_order", { order_id: "1" }, { session }, { by, path: "/v1/check" });
  const at = `/v1/sessions/${session}`;
  const before = (await world.ask("GET", at, undefined, { by })).text;
  const { history } = JSON.parse(before) as Json;
  const { entries } = history;
  const changed = structuredClone(entries);
  changed[1].tool = "charge_card";
  for (const made of [entries.slice(0, 2), entries.slice(1), [entries[0], entries[2], entries[1]], [...entries, entries[2]], changed, entries.map((entry: Json) => ({ ...entry, token: null })), [{}], []])
    expect(said(await world.call("get_order", { order_id: "1" }, { session, history: { ...history, entries: made } }, { by, path: "/v1/check" }))).toBe("200 refuse history_invalid");
  for (const made of [null, [], 1, "x", { ...history, session: "another" }, { ...history, format: "qls-history/2" }]) expect((await world.call("get_order", { order_id: "1" }, { session, history: made }, { by, path: "/v1/check" })).text).not.toContain('"decision":"allow"');
  expect((await world.ask("GET", at, undefined, { by })).text).toBe(before);
});

it.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "then"])("%s as the name of everything that has one", async (name) => {
  const shaped = (before: Json, after: Json) => expect(JSON.stringify(Object.keys(after).sort())).toBe(JSON.stringify(Object.keys(before).sort()));
  const text = (args: string, more = "") => `{"session":"${name}","tool":"get_order","arguments":${args}${more}}`;
  for (const by of ["model", "service"]) {
    const plain = await world.call("get_order", { order_id: name }, { session: `plain-${name}` }, { by, path: "/v1/check" });
    const session = await world.ask("POST", "/v1/check", text(`{"order_id":"${name}"}`), { by });
    shaped(plain.json, session.json);
    expect(said(session)).toBe("200 allow allow");
    expect(said(await world.ask("POST", "/v1/call", text(`{"order_id":"1","${name}":{"admin":true}}`), { by }))).toBe("200 refused argument_schema");
    expect(said(await world.ask("POST", "/v1/call", text(`{"${name}":{"order_id":"1"}}`), { by }))).toBe("200 refused argument_schema");
    expect(said(await world.call(name, { order_id: "1" }, {}, { by }))).toBe("200 refused unknown_tool");
    expect(said(await world.ask("POST", "/v1/call", text('{"order_id":"1"}', `,"${name}":true`), { by }))).toBe(`400 request_invalid /${name}`);
    expect((await world.ask("GET", `/v1/sessions/${name}`, undefined, { by })).json.session).toBe(by === "model" ? `model/${name}` : name);
    expect(said(await world.ask("GET", `/v1/tools?agent=${name}`, undefined, { by }))).toMatch(/^40[03] agent_/);
  }
  const by = "service";
  expect(said(await world.call("get_order", { order_id: "1" }, { agent: name }, { by }))).toBe("200 refused agent_required");
  expect(said(await world.ask("POST", "/v1/check", text('{"order_id":"1"}', `,"principal":{"id":"u","${name}":{"admin":true}},"context":{"${name}":true},"resource":{"${name}":{}},"labels":{"arguments":{"${name}":["x"]}},"origins":{"${name}":"typed"}`).replace(`"${name}"`, `"${name}-2"`), { by }))).toBe("200 allow allow");
  expect(said(await world.ask("POST", "/v1/kill", `{"tool":"${name}","why":"a leak"}`, { by: "root" }))).toMatch(/^201/);
  expect(said(await world.call("get_order", { order_id: "1" }, {}, { path: "/v1/check" }))).toBe("200 allow allow");
  expect(said(await world.ask("POST", "/v1/policy/diff", `{"tenant":"shop","agents":{"desk":{"tools":["*"]}},"tools":[],"${name}":{}}`, { by: "root" }))).toBe("422 policy_invalid");
  for (const path of ["calls", "approvals"]) expect(said(await world.ask("GET", `/v1/${path}/${name}`, undefined, { by: "root" }))).toMatch(/^404 /);
  expect(({} as Json).admin).toBeUndefined();
});
