// Chapter 3, "Confirmation tokens" and "Signed approvals": what a token covers, the reason why it is ignored, who has to approve.

import { describe, expect, it } from "vitest";
import type { Json } from "./core.ts";
import * as f from "./formulas.ts";
import { NOW, Session, keySet, object, okp, oct, read, said, shop, without } from "./world.ts";

const typed = { origins: { order_id: "context" } };
/** A session with one open question, and what sends it back. */
function asked(policy: Json = shop(), keys: Json = keySet()): { s: Session; token: string; payload: Json; again: (more?: Json, args?: Json, tool?: string) => Json } {
  const s = new Session(policy, keys);
  s.also = policy.agents.helper ? { agent: "desk" } : {};
  const answer = s.check("charge", { order_id: "1" }, typed);
  expect(said(answer)).toBe("confirm write");
  const again = (more: Json = {}, args: Json = { order_id: "1" }, tool = "charge"): Json => s.peek(tool, args, { ...typed, confirmation: answer.confirmation, ...more });
  return { s, token: answer.confirmation, payload: f.payloadOf(answer.confirmation), again };
}
const ignored = (answer: Json): string => {
  expect(Object.keys(answer.detail)).toEqual(["confirmation"]);
  expect(Object.keys(answer.detail.confirmation)).toEqual(["ignored"]);
  return answer.detail.confirmation.ignored;
};

describe("a token covers", () => {
  it("exactly the call it was asked for", () => {
    const { again } = asked();
    const answer = again();
    expect([said(answer), answer.entry.approves, answer.arguments, "detail" in answer]).toEqual(["allow confirmed", 0, { order_id: "1" }, false]);
  });
  it("and the call without a token asks anew, with no detail", () => {
    const { s } = asked();
    const answer = s.peek("charge", { order_id: "1" }, typed);
    expect([said(answer), "detail" in answer]).toEqual(["confirm write", false]);
  });
  it("the canonical arguments: 40.00 was asked and 40 comes back", () => {
    const s = new Session();
    const send = (text: string, more: Json): Json => {
      const line = JSON.stringify({ id: 1, op: "check", policy: "p", keys: "k", request: s.request("charge", { order_id: "1", amount: "N" }, more) });
      return JSON.parse(s.driver.line(line.replace('"N"', text))).ok;
    };
    const first = send("40.00", {});
    s.history.entries.push(first.entry);
    expect(said(send("4e1", { confirmation: first.confirmation }))).toBe("allow confirmed");
    expect(ignored(send("41", { confirmation: first.confirmation }))).toBe("arguments");
  });
  it("with origins changed to trusted ones: fewer reasons are covered; other evidence does not matter", () => {
    const s = new Session();
    const args = { order_id: "1", amount: 2 };
    const first = s.check("charge", args);
    expect(said(first)).toBe("confirm argument_origin: amount, argument_origin: order_id");
    expect(said(s.check("charge", args, { confirmation: first.confirmation, ...typed, context: { x: true }, resource: {} }))).toBe("allow confirmed");
  });
  it("expiry: iat <= at < exp", () => {
    const { s, again } = asked(shop({ settings: { confirmation_ttl: 10 } }));
    s.now = NOW + 9;
    expect(said(again())).toBe("allow confirmed");
    s.now = NOW + 10;
    expect(ignored(again())).toBe("expired");
    s.now = NOW - 100;
    expect(said(again())).toBe("allow confirmed");
  });
  it("a forged iat after at is expired, at iat it is not", () => {
    const { s, payload, again } = asked();
    const forge = (more: Json): string => f.confirmationJws(s.keys.keys[0], { ...payload, ...more });
    expect(ignored(again({ confirmation: forge({ iat: NOW + 1 }) }))).toBe("expired");
    expect(said(again({ confirmation: forge({}) }))).toBe("allow confirmed");
  });
  it("a read that a rule asked about, and one whose rule is silent by now", () => {
    const rulebook = { flows: [{ name: "f", on: ["get_order"], rules: [{ id: "r", ask_if: "$ask" }] }] };
    const s = new Session(shop({ rulebook }));
    const first = s.check("get_order", { order_id: "1" }, { context: { ask: true } });
    expect(said(first)).toBe("confirm gate_clarify");
    const yes = s.peek("get_order", { order_id: "1" }, { context: { ask: true }, confirmation: first.confirmation });
    expect([said(yes), yes.entry.approves]).toEqual(["allow confirmed", 0]);
    expect(said(s.peek("get_order", { order_id: "1" }, { confirmation: first.confirmation }))).toBe("allow confirmed");
  });
  it("an undo that a rule asked about, with undoes in the payload; not the same call without the undo", () => {
    const rulebook = { flows: [{ name: "f", on: ["refund"], rules: [{ id: "r", ask_if: "true" }] }] };
    const s = new Session(shop({ rulebook }));
    s.run("charge", { order_id: "1" });
    const undo = { undo: { step: 1 }, ...typed };
    const first = s.check("refund", { order_id: "1" }, undo);
    expect(said(first)).toBe("confirm gate_clarify");
    expect(f.payloadOf(first.confirmation).undoes).toBe(1);
    expect(ignored(s.peek("refund", { order_id: "1" }, { ...typed, confirmation: first.confirmation }))).toBe("other_call");
    const yes = s.check("refund", { order_id: "1" }, { ...undo, confirmation: first.confirmation });
    expect([said(yes), yes.entry.approves, yes.entry.undoes]).toEqual(["allow confirmed", 2, 1]);
  });
  it("a call that needs no person: an ignored token shows on its allow (step 12), a covering one confirms", () => {
    const s = new Session();
    const answer = s.peek("get_order", { order_id: "1" }, { confirmation: "x" });
    expect([said(answer), ignored(answer)]).toEqual(["allow allow", "signature"]);
  });
  it("an undo with an ignored token is a compensation with the detail (step 11)", () => {
    const s = new Session();
    s.run("charge", { order_id: "1" });
    const answer = s.peek("refund", { order_id: "1" }, { undo: { step: 1 }, ...typed, confirmation: "x" });
    expect([said(answer), ignored(answer)]).toEqual(["allow compensation", "signature"]);
  });
  it("a refusal before step 9 says nothing of the token", () => {
    const { again } = asked();
    expect(again({}, { order_id: 1 }).detail.rule).toBe("type");
    expect("confirmation" in again({}, { order_id: 1 }).detail).toBe(false);
    expect("detail" in again({}, {}, "nope")).toBe(false);
  });
});

describe("a token is ignored for the first that does not hold", () => {
  const order = ["signature", "expired", "other_call", "arguments", "policy", "labels", "reasons", "spent", "point"] as const;
  // Each breaks one thing of a token that else covers; `spent` and `point` by the history.
  const payloads: Record<string, Json> = {
    expired: { exp: NOW },
    other_call: { tool: "refund" },
    arguments: { digest: f.b64u(f.hash("x")) },
    policy: { policy: f.b64u(f.hash("x")) },
    labels: {},
    reasons: { reasons: ["gate_clarify"] },
    spent: {},
    point: { link: f.b64u(f.hash("x")) },
  };
  const run = (kinds: readonly string[]): string => {
    const { s, payload, again } = asked();
    let more: Json = {};
    let key = s.keys.keys[0];
    for (const kind of kinds) more = { ...more, ...payloads[kind] };
    if (kinds.includes("signature")) key = { ...key, k: oct("k1", 8).k };
    if (kinds.includes("spent")) s.history = { ...s.history, entries: [...s.history.entries, again().entry] };
    const link = s.links().at(-1) as Buffer;
    if (kinds.includes("spent") && !kinds.includes("point")) more.link = f.b64u(link);
    const confirmation = f.confirmationJws(key, { ...payload, ...more });
    return ignored(again({ confirmation, ...(kinds.includes("labels") ? { labels: { call: ["pii"] } } : {}) }));
  };
  it.each(order.map((kind) => [kind]))("%s alone", (kind) => expect(run([kind])).toBe(kind));
  const pairs = order.flatMap((a, i) => order.slice(i + 1).map((b) => [a, b] as const));
  it.each(pairs)("%s before %s", (a, b) => expect(run([b, a])).toBe(a));

  it("form and header: byte for byte", () => {
    const { s, token, payload, again } = asked();
    const key = s.keys.keys[0];
    const [head, body, signature] = token.split(".") as [string, string, string];
    const text = f.jcs(payload);
    const wrong = [
      "", "x", ".", "..", "a.b.c", `${token}.`, `${token}=`, `${head}.${body}`, `${head}..${signature}`, ` ${token}`, `${token}\n`, token.slice(0, -1),
      f.jws(key, '{"alg":"HS256","kid":"k1"}', text), f.jws(key, '{"kid":"k1","alg":"HS256","typ":"qls-confirmation+jws"}', text),
      f.jws(key, '{"alg":"HS256", "kid":"k1","typ":"qls-confirmation+jws"}', text), f.jws(key, '{"alg":"HS256","kid":"k1","typ":"JWT"}', text),
      f.jws(key, '{"alg":"none","kid":"k1","typ":"qls-confirmation+jws"}', text), f.jws(key, '{"alg":"EdDSA","kid":"k1","typ":"qls-confirmation+jws"}', text),
      f.jws(key, '{"alg":"HS256","kid":"k2","typ":"qls-confirmation+jws"}', text), f.jws(key, '{"alg":"HS256","kid":"k1","typ":"qls-confirmation+jws","x":1}', text),
      f.approvalJws(key, payload), `${f.b64u('{"alg":"none","kid":"k1","typ":"qls-confirmation+jws"}')}.${body}.`,
      f.jws(key, '{"alg":"HS256","kid":"k1","typ":"qls-confirmation+jws"}', "{}"), f.jws(key, '{"alg":"HS256","kid":"k1","typ":"qls-confirmation+jws"}', "nothing"),
    ];
    for (const confirmation of wrong) expect(ignored(again({ confirmation })), confirmation).toBe("signature");
  });
  it("a signature with its unused bits set", () => {
    const { token, again } = asked();
    expect(ignored(again({ confirmation: token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1) }))).toBe("signature");
  });
  it("a key of use approve signs no confirmation", () => {
    const approver = oct("a1", 11, { use: "approve" });
    const { payload, again } = asked(shop(), keySet({ keys: [oct("k1", 7), approver] }));
    expect(ignored(again({ confirmation: f.confirmationJws(approver, payload) }))).toBe("signature");
  });
  it("another key of use sign does", () => {
    const other = okp("k2");
    const { payload, again } = asked(shop(), keySet({ keys: [oct("k1", 7), other] }));
    expect(said(again({ confirmation: f.confirmationJws(other, payload) }))).toBe("allow confirmed");
  });
  it("other_call: session, tool, agent, principal, undoes", () => {
    const agents = { desk: { tools: ["*"] }, helper: { tools: ["*"] } };
    const { s, payload, again } = asked(shop({ agents }));
    for (const more of [{ session: "chat-18" }, { tool: "ping" }, { agent: "helper" }, { agent: null }, { principal: s.digest("u") }, { undoes: 0 }]) {
      expect(ignored(again({ confirmation: f.confirmationJws(s.keys.keys[0], { ...payload, ...more }) })), JSON.stringify(more)).toBe("other_call");
    }
    expect(ignored(again({ agent: "helper" }))).toBe("other_call");
  });
  it("policy: another policy, and another snapshot", () => {
    const { s, payload, again } = asked();
    expect(ignored(again({ confirmation: f.confirmationJws(s.keys.keys[0], { ...payload, snapshot: payload.policy }) }))).toBe("policy");
    s.use(shop({ settings: { receipt_ttl: 299 } }));
    expect(ignored(again())).toBe("policy");
  });
  it("labels: a mark given, and a derived one, that the person did not see; fewer are fine", () => {
    const { again } = asked();
    expect(ignored(again({ labels: { arguments: { order_id: ["pii"] } } }))).toBe("labels");
    const s = new Session();
    const first = s.check("charge", { order_id: "1" }, { ...typed, labels: { call: ["pii"] } });
    expect(said(first)).toBe("confirm tainted_call");
    expect(said(s.peek("charge", { order_id: "1" }, { ...typed, labels: { call: ["pii"] }, confirmation: first.confirmation }))).toBe("allow confirmed");
    expect(said(s.peek("charge", { order_id: "1" }, { ...typed, confirmation: first.confirmation }))).toBe("confirm write");
  });
  it("reasons: every reason found now is in the token's, so write is not in an asking for something else", () => {
    const s = new Session();
    const first = s.check("charge", { order_id: "1" }, { ...typed, labels: { call: ["pii"] } });
    expect(ignored(s.peek("charge", { order_id: "1" }, { ...typed, confirmation: first.confirmation }))).toBe("reasons");
  });
  it("head: the question must be the last entry; a read between makes it point", () => {
    const { s, again } = asked();
    s.run("get_order", { order_id: "1" });
    expect(ignored(again())).toBe("point");
  });
  it("spent at the head after the approved call", () => {
    const { s, again } = asked();
    s.history.entries.push(again().entry);
    expect(ignored(again())).toBe("spent");
    s.report(1, "ran");
    expect(ignored(again())).toBe("spent");
  });
});

describe("confirmation_point: turn", () => {
  const turn = { settings: { confirmation_point: "turn" } };
  it("several questions of one turn are answered in any order, each once", () => {
    const s = new Session(shop(turn));
    const one = s.check("charge", { order_id: "1" }, typed);
    const two = s.check("charge", { order_id: "2" }, typed);
    const three = s.check("ping");
    const answer = (question: Json, tool: string, args: Json, more: Json = typed): Json => s.check(tool, args, { ...more, confirmation: question.confirmation });
    expect(said(answer(two, "charge", { order_id: "2" }))).toBe("allow confirmed");
    expect(said(answer(three, "ping", {}, {}))).toBe("allow confirmed");
    expect(ignored(answer(two, "charge", { order_id: "2" }))).toBe("spent");
    expect(said(answer(one, "charge", { order_id: "1" }))).toBe("allow confirmed");
    expect(s.history.entries.map((entry: Json) => entry.approves)).toEqual([undefined, undefined, undefined, 1, 2, undefined, 0]);
  });
  it("an allowed outside read after the question makes it point; before it, or refused, it does not", () => {
    const s = new Session(shop(turn));
    s.run("read_inbox", { folder: "in" });
    const one = s.check("ping");
    s.check("read_inbox", { folder: 5 });
    s.run("get_order", { order_id: "1" });
    expect(said(s.peek("ping", {}, { confirmation: one.confirmation }))).toBe("allow confirmed");
    s.run("read_inbox", { folder: "in" }, {}, { status: "failed" });
    expect(ignored(s.peek("ping", {}, { confirmation: one.confirmation }))).toBe("point");
  });
  it("the entry must be in the history with that link: a branch without it is point", () => {
    const s = new Session(shop(turn));
    const one = s.check("charge", { order_id: "1" }, typed);
    s.history.entries.pop();
    expect(ignored(s.peek("charge", { order_id: "1" }, { ...typed, confirmation: one.confirmation }))).toBe("point");
    s.check("charge", { order_id: "2" }, typed);
    expect(ignored(s.peek("charge", { order_id: "1" }, { ...typed, confirmation: one.confirmation }))).toBe("point");
  });
  it("an outside read by the tool's reading outside now", () => {
    const s = new Session(shop(turn));
    const first = s.check("ping");
    s.run("get_order", { order_id: "1" });
    const policy = shop({ ...turn, tools: [read("get_order", { reads_outside: true, parameters: object({ order_id: "string" }) })] });
    s.use(policy);
    const confirmation = f.confirmationJws(s.keys.keys[0], { ...f.payloadOf(first.confirmation), policy: s.policyId });
    expect(ignored(s.peek("ping", {}, { confirmation }))).toBe("point");
  });
});

describe("signed approvals", () => {
  const ana = okp("ana", { use: "approve" });
  const bob = oct("bob", 21, { use: "approve" });
  const keys = keySet({ keys: [oct("k1", 7), ana, bob, oct("s2", 30)] });
  const setup = (approval: Json = {}, more: Json = {}): { s: Session; token: string; vote: (key: Json, approver: string, more?: Json) => string; send: (approvals?: Json, more?: Json) => Json } => {
    const s = new Session(shop({ settings: { approval: { mode: "signed", ...approval }, ...more } }), keys);
    s.also = { principal: { id: "u-1" } };
    const first = s.check("charge", { order_id: "1" }, typed);
    const shown = f.b64u(f.hash("qls-shown/1\n", f.jcs(first.question)));
    const question = f.b64u(f.hash("qls-question/1\n", first.confirmation));
    const vote = (key: Json, approver: string, over: Json = {}): string => f.approvalJws(key, { answer: "approve", approver, at: NOW, exp: NOW + 100, question, shown, ...over });
    const send = (approvals?: Json, over: Json = {}): Json => s.peek("charge", { order_id: "1" }, { ...typed, confirmation: first.confirmation, ...(approvals ? { approvals } : {}), ...over });
    return { s, token: first.confirmation, vote, send };
  };
  it("the token alone is not enough", () => {
    const { send } = setup();
    expect(ignored(send())).toBe("approvals");
    expect(ignored(send([]))).toBe("approvals");
  });
  it("one approver by default; the entry says who, sorted and once", () => {
    const { vote, send } = setup();
    const answer = send([vote(ana, "ana")]);
    expect([said(answer), answer.entry.approved_by, answer.entry.approves]).toEqual(["allow confirmed", ["ana"], 0]);
    expect(send([vote(bob, "zoe"), vote(ana, "ana"), vote(bob, "ana")]).entry.approved_by).toEqual(["ana", "zoe"]);
  });
  it("the entry it makes verifies", () => {
    const { s, vote, send } = setup();
    s.history.entries.push(send([vote(ana, "ana")]).entry);
    expect(s.verify().valid).toBe(true);
  });
  it("count 2: two different approvers; the same one twice is one", () => {
    const { vote, send } = setup({ count: 2 });
    expect(ignored(send([vote(ana, "ana")]))).toBe("approvals");
    expect(ignored(send([vote(ana, "ana"), vote(ana, "ana")]))).toBe("approvals");
    expect(ignored(send([vote(ana, "ana"), vote(bob, "ana", { at: NOW - 1 })]))).toBe("approvals");
    expect(said(send([vote(bob, "bob"), vote(ana, "ana")]))).toBe("allow confirmed");
  });
  it("deciders: only those count, where the list is not empty", () => {
    const { vote, send } = setup({ deciders: ["ana", "u-1"] });
    expect(ignored(send([vote(bob, "bob")]))).toBe("approvals");
    expect(send([vote(bob, "bob"), vote(ana, "ana")]).entry.approved_by).toEqual(["ana"]);
  });
  it("the principal approves nothing, and denies nothing", () => {
    const { vote, send } = setup();
    expect(ignored(send([vote(ana, "u-1")]))).toBe("approvals");
    expect(ignored(send([vote(ana, "u-1", { answer: "deny" })]))).toBe("approvals");
    expect(said(send([vote(ana, "u-1"), vote(ana, "ana")]))).toBe("allow confirmed");
  });
  it("a valid deny refuses, also beside enough approvals; a deny that is not valid does not", () => {
    const { vote, send } = setup({ deciders: ["ana", "bob"] });
    const answer = send([vote(ana, "ana"), vote(bob, "bob", { answer: "deny" })]);
    expect([said(answer), "approves" in answer.entry, "arguments" in answer]).toEqual(["refuse denied", false, false]);
    expect(said(send([vote(bob, "zoe", { answer: "deny" }), vote(ana, "ana")]))).toBe("allow confirmed");
    expect(said(send([vote(bob, "bob", { answer: "deny", exp: NOW }), vote(ana, "ana")]))).toBe("allow confirmed");
    expect(said(send([vote(bob, "bob", { answer: "deny", question: f.b64u(f.hash("x")) }), vote(ana, "ana")]))).toBe("allow confirmed");
  });
  it("at <= the check's at < exp", () => {
    const { s, vote, send } = setup();
    expect(ignored(send([vote(ana, "ana", { at: NOW + 1 })]))).toBe("approvals");
    expect(ignored(send([vote(ana, "ana", { exp: NOW })]))).toBe("approvals");
    s.now = NOW + 99;
    expect(said(send([vote(ana, "ana")]))).toBe("allow confirmed");
    s.now = NOW + 100;
    expect(ignored(send([vote(ana, "ana")]))).toBe("approvals");
  });
  it("of this very confirmation", () => {
    const { vote, send } = setup();
    expect(ignored(send([vote(ana, "ana", { question: f.b64u(f.hash("qls-question/1\n", "other")) })]))).toBe("approvals");
  });
  it("shown is not checked again", () => {
    const { vote, send } = setup();
    expect(said(send([vote(ana, "ana", { shown: f.b64u(f.hash("else")) })]))).toBe("allow confirmed");
  });
  it("by a key of use approve, of its own alg, with the header byte for byte", () => {
    const { s, vote, send } = setup();
    const good = f.payloadOf(vote(ana, "ana"));
    const wrong = [
      vote(s.keys.keys[0], "ana"), vote(oct("s2", 30), "ana"), vote(oct("nobody", 1), "ana"), vote({ ...bob, k: oct("x", 22).k }, "ana"), f.confirmationJws(ana, good),
      f.jws(ana, '{"kid":"ana","alg":"EdDSA","typ":"qls-approval+jws"}', f.jcs(good)), f.jws(bob, f.jcs({ alg: "HS256", kid: "ana", typ: "qls-approval+jws" }), f.jcs(good)), "", "x", "a.b.c",
      f.jws(ana, f.jcs({ alg: "EdDSA", kid: "ana", typ: "qls-approval+jws" }), "{}"), vote(ana, "ana", { answer: "yes" }), f.approvalJws(ana, without(good, "approver")),
      f.approvalJws(ana, without(good, "exp")), vote(ana, "ana", { at: "now" }), f.approvalJws(ana, without(good, "question")),
    ];
    for (const approval of wrong) expect(ignored(send([approval])), approval).toBe("approvals");
    expect(said(send([...wrong, vote(ana, "ana")]))).toBe("allow confirmed");
  });
  it("a public Ed25519 approver's key is enough", () => {
    const { s, vote, send } = setup();
    const approval = vote(ana, "ana");
    s.useKeys(keySet({ keys: [oct("k1", 7), without(ana, "d")] }));
    expect(said(send([approval]))).toBe("allow confirmed");
  });
  it("approvals comes last: another reason to ignore the token is named before it", () => {
    const { send } = setup();
    expect(ignored(send([], { confirmation: "x" }))).toBe("signature");
    expect(ignored(send([], { labels: { call: ["pii"] } }))).toBe("labels");
  });
  it("a deny of a token that does not cover denies nothing", () => {
    const { vote, send } = setup();
    expect(ignored(send([vote(ana, "ana", { answer: "deny" })], { labels: { call: ["pii"] } }))).toBe("labels");
  });
  it("in mode token approvals are not asked for, and approved_by is absent", () => {
    const { vote, send } = setup({ mode: "token" });
    expect("approved_by" in send([vote(ana, "ana")]).entry).toBe(false);
    expect(said(send())).toBe("allow confirmed");
  });
});
