// Chapter 3, "Receipts": every reason in its order, `once` of every kind, what may be sent again.

import { describe, expect, it } from "vitest";
import type { Json } from "./core.ts";
import * as f from "./formulas.ts";
import { NOW, SHOP, Session, keySet, object, read, shop, write } from "./world.ts";

const typed = { origins: { order_id: "context" } };
const once = (value: Json): string => f.named("qls-once/1", value);

/** A session whose last entry is an approved charge that nothing was reported of. */
function permit(policy: Json = SHOP, keys: Json = keySet(), also: Json = {}): Session {
  const s = new Session(policy, keys);
  s.also = also;
  s.run("charge", { order_id: "1" }, {}, null);
  return s;
}

describe("a receipt", () => {
  it("permits the call of the last entry: exactly these members", () => {
    const s = permit();
    expect(s.receipt("charge", { order_id: "1" })).toEqual({ format: "qls-tool-receipt/1", decision: "allow", reason: "receipt", once: once({ approves: s.link(0) }) });
  });
  it("of a step: with step", () => {
    const s = permit();
    s.run("get_order", { order_id: "9" }, {}, null);
    expect(s.receipt("charge", { order_id: "1" }).reason).toBe("receipt_mismatch");
    expect(s.receipt("charge", { order_id: "1" }, { step: 1 }).reason).toBe("receipt");
    expect(s.receipt("get_order", { order_id: "9" }, { step: 2 }).reason).toBe("receipt");
    expect(s.receipt("get_order", { order_id: "9" }, { step: 2 }).once).toBe(once({ link: s.link(2) }));
  });
  it("history_invalid: a missing key set", () => {
    const s = permit();
    expect(s.receipt("charge", { order_id: "1" }, { keys: undefined })).toEqual({ format: "qls-tool-receipt/1", decision: "refuse", reason: "history_invalid" });
  });
  it("receipt_missing: an empty history, a step that is not there; no once", () => {
    const missing = { format: "qls-tool-receipt/1", decision: "refuse", reason: "receipt_missing" };
    expect(new Session().receipt("charge", { order_id: "1" })).toEqual(missing);
    expect(permit().receipt("charge", { order_id: "1" }, { step: 2 })).toEqual(missing);
    expect(permit().receipt("charge", { order_id: "1" }, { step: 4294967297 })).toEqual(missing);
  });
  it("receipt_not_allowed: a question, a refusal; no once", () => {
    const s = permit();
    expect(s.receipt("charge", { order_id: "1" }, { step: 0 })).toEqual({ format: "qls-tool-receipt/1", decision: "refuse", reason: "receipt_not_allowed" });
    s.check("nope");
    expect(s.receipt("nope", {}).reason).toBe("receipt_not_allowed");
  });
  it("receipt_mismatch: tool, arguments, agent, principal, policy in force", () => {
    const s = permit();
    const mismatch = (receipt: Json): void => expect(receipt).toEqual({ format: "qls-tool-receipt/1", decision: "refuse", reason: "receipt_mismatch", once: once({ approves: s.link(0) }) });
    mismatch(s.receipt("refund", { order_id: "1" }));
    mismatch(s.receipt("nope", { order_id: "1" }));
    mismatch(s.receipt("charge", { order_id: "2" }));
    mismatch(s.receipt("charge", { order_id: "1", amount: 1 }));
    mismatch(s.receipt("charge", { order_id: "1" }, { agent: "other" }));
    mismatch(s.receipt("charge", { order_id: "1" }, { principal: { id: "u" } }));
    s.use(shop({ settings: { receipt_ttl: 299 } }));
    mismatch(s.receipt("charge", { order_id: "1" }));
  });
  it("an agent not given is a mismatch where the policy has several", () => {
    const agents = { desk: { tools: ["*"] }, helper: { tools: ["*"] } };
    const s = permit(shop({ agents }), keySet(), { agent: "desk" });
    expect(s.receipt("charge", { order_id: "1" }).reason).toBe("receipt_mismatch");
    expect(s.receipt("charge", { order_id: "1" }, { agent: "helper" }).reason).toBe("receipt_mismatch");
    expect(s.receipt("charge", { order_id: "1" }, { agent: "desk" }).reason).toBe("receipt");
  });
  it("the principal is compared by its id", () => {
    const s = permit(SHOP, keySet(), { principal: { id: "u-1", roles: ["a"] } });
    expect(s.receipt("charge", { order_id: "1" }, { principal: { id: "u-1" } }).reason).toBe("receipt");
    expect(s.receipt("charge", { order_id: "1" }).reason).toBe("receipt_mismatch");
  });
  it("receipt_expired: now - at > receipt_ttl, or now < at", () => {
    const s = permit();
    const at = (now: number): string => s.receipt("charge", { order_id: "1" }, { now }).reason;
    expect([at(NOW), at(NOW + 300), at(NOW + 301), at(NOW - 1)]).toEqual(["receipt", "receipt", "receipt_expired", "receipt_expired"]);
  });
  it("licence_lapsed as step 1 at now: a write, a read only where on_lapse is refuse; before expiry, after mismatch", () => {
    const lapsed = keySet({ licence: { id: "l", expires: NOW + 10 } });
    const s = permit(SHOP, lapsed);
    expect(s.receipt("charge", { order_id: "1" }, { now: NOW + 9 }).reason).toBe("receipt");
    expect(s.receipt("charge", { order_id: "1" }, { now: NOW + 10 }).reason).toBe("licence_lapsed");
    expect(s.receipt("charge", { order_id: "1" }, { now: NOW + 1000 }).reason).toBe("licence_lapsed");
    expect(s.receipt("charge", { order_id: "2" }, { now: NOW + 10 }).reason).toBe("receipt_mismatch");
    for (const [on_lapse, reason] of [["refuse_writes", "receipt"], ["refuse", "licence_lapsed"]]) {
      const t = new Session(shop({ settings: { on_lapse } }), lapsed);
      t.run("get_order", { order_id: "1" }, {}, null);
      expect(t.receipt("get_order", { order_id: "1" }, { now: NOW + 10 }).reason).toBe(reason);
    }
  });
  it("receipt_spent: an outcome is reported, or the enforcement point admitted it", () => {
    const s = permit();
    expect(s.receipt("charge", { order_id: "1" }, { sends: 0 }).reason).toBe("receipt");
    expect(s.receipt("charge", { order_id: "1" }, { sends: 1 })).toEqual({ format: "qls-tool-receipt/1", decision: "refuse", reason: "receipt_spent", once: once({ approves: s.link(0) }) });
    expect(s.receipt("charge", { order_id: "1" }, { sends: 7 }).reason).toBe("receipt_spent");
    const late = permit();
    late.run("get_order", { order_id: "1" }, {}, null);
    late.report(1, "failed");
    expect(late.receipt("charge", { order_id: "1" }, { step: 1 }).reason).toBe("receipt_spent");
    late.check("get_order", { order_id: "1" });
    expect(late.receipt("charge", { order_id: "1" }, { step: 1 }).reason).toBe("receipt_spent");
    s.report(1, "outcome_unknown");
    expect(s.receipt("charge", { order_id: "1" }).reason).toBe("receipt_spent");
  });
  it("expired comes before spent", () => {
    expect(permit().receipt("charge", { order_id: "1" }, { sends: 1, now: NOW + 301 }).reason).toBe("receipt_expired");
  });
  it("sending again is safe: a read, an idempotent tool, an idempotency key that is there and not empty", () => {
    const s = new Session();
    s.run("get_order", { order_id: "1" });
    expect(s.receipt("get_order", { order_id: "1" }, { sends: 3 }).reason).toBe("receipt");
    const t = permit(shop({ tools: [write("charge", { ...SHOP.tools[2], idempotent: true })] }));
    expect(t.receipt("charge", { order_id: "1" }, { sends: 1 }).reason).toBe("receipt");
    const keyed = write("pay", { parameters: object({ n: "string", key: {} }), idempotency_key: "key" });
    for (const [args, reason] of [[{ key: "k-1" }, "receipt"], [{ key: "" }, "receipt_spent"], [{ n: "1" }, "receipt_spent"]] as const) {
      const u = new Session(shop({ tools: [keyed] }));
      u.run("pay", args, {}, null);
      expect(u.receipt("pay", args, { sends: 1 }).reason).toBe(reason);
    }
  });
  it("history_invalid: one that does not verify, another session, a head it is not; no once", () => {
    const s = permit();
    const invalid = { format: "qls-tool-receipt/1", decision: "refuse", reason: "history_invalid" };
    const head = s.head();
    expect(s.receipt("charge", { order_id: "1" }, { head }).reason).toBe("receipt");
    s.run("get_order", { order_id: "1" });
    expect(s.receipt("charge", { order_id: "1" }, { head, step: 1 })).toEqual({ ...invalid, detail: { head: "ahead" } });
    expect(s.receipt("charge", { order_id: "1" }, { session: "chat-18", step: 1 })).toEqual(invalid);
    s.history.entries[1].tool = "refund";
    expect(s.receipt("charge", { order_id: "1" }, { step: 1 })).toEqual(invalid);
    s.history = null;
    expect(s.receipt("charge", { order_id: "1" })).toEqual(invalid);
  });
  it("an inexact number stands as its source text, for receipts too", () => {
    const s = permit();
    const line = JSON.stringify({ id: 1, op: "receipt", policy: "p", keys: "k", session: s.session, history: s.history, tool: "charge", arguments: { order_id: "1", amount: "N" }, now: NOW });
    expect(JSON.parse(s.driver.line(line.replace('"N"', "9007199254740993"))).ok.reason).toBe("receipt_mismatch");
  });
});

describe("once", () => {
  it("of a read or a plain allow: the entry's own link", () => {
    const s = new Session();
    s.run("get_order", { order_id: "1" }, {}, null);
    expect(s.receipt("get_order", { order_id: "1" }).once).toBe(once({ link: s.link(0) }));
  });
  it("of an undo: what it undoes, and how many undos of it failed before", () => {
    const s = permit();
    s.report(1, "ran");
    const undo = { undo: { step: 1 }, ...typed };
    const tries: string[] = [];
    for (let i = 0; i < 3; i++) {
      s.check("refund", { order_id: "1" }, undo);
      tries.push(s.receipt("refund", { order_id: "1" }).once);
      s.report(2 + 2 * i, "failed");
      s.check("refund", { order_id: 5 }, undo);
    }
    expect(tries).toEqual([0, 1, 2].map((n) => once({ undoes: s.link(1), try: n })));
    expect(s.receipt("refund", { order_id: "1" }, { step: 2 }).once).toBe(tries[0]);
    expect(s.receipt("refund", { order_id: "1" }, { step: 6 }).once).toBe(tries[2]);
  });
  it("of an undo that a person approved: approves comes first", () => {
    const rulebook = { flows: [{ name: "f", on: ["refund"], rules: [{ id: "r", ask_if: "true" }] }] };
    const s = permit(shop({ rulebook }));
    s.report(1, "ran");
    const first = s.check("refund", { order_id: "1" }, { undo: { step: 1 }, ...typed });
    s.check("refund", { order_id: "1" }, { undo: { step: 1 }, ...typed, confirmation: first.confirmation });
    expect(s.receipt("refund", { order_id: "1" }).once).toBe(once({ approves: s.link(2) }));
  });
  it("two branches of one history name one approval the same", () => {
    const a = permit();
    const b = new Session();
    b.history = { ...a.history, entries: a.history.entries.slice(0, 1) };
    const again = b.peek("charge", { order_id: "1" }, { ...typed, now: NOW + 5, confirmation: "" });
    expect(again.reason).toBe("write");
    const first = new Session();
    const question = first.check("charge", { order_id: "1" }, typed);
    const branches = [NOW + 1, NOW + 2].map((now) => {
      const t = new Session();
      t.history = structuredClone(first.history);
      t.now = now;
      t.check("charge", { order_id: "1" }, { ...typed, confirmation: question.confirmation });
      return t.receipt("charge", { order_id: "1" }).once;
    });
    expect(branches[0]).toBe(branches[1]);
  });
  it("an outside-less read of another agent's session is not the same permit", () => {
    const s = new Session(shop({ tools: [read("look", {})] }));
    s.run("look", {}, {}, null);
    s.run("look", {}, {}, null);
    expect(s.receipt("look", {}, { step: 0 }).once).not.toBe(s.receipt("look", {}, { step: 1 }).once);
  });
});
