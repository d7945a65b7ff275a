// Chapter 3, "Heads", "Restarts" and "Reporting what became of a call": the four kinds of head, what a restart refuses, late reports.

import { describe, expect, it } from "vitest";
import type { Json } from "./core.ts";
import * as f from "./formulas.ts";
import { NOW, SHOP, Session, keySet, read, said, shop, without, write } from "./world.ts";

const again = (s: Session, more: Json): Json => s.peek("get_order", { order_id: "1" }, more);

describe("heads", () => {
  const grown = (steps: number): Session => {
    const s = new Session();
    for (let i = 0; i < steps; i++) s.run("get_order", { order_id: `${i}` }, {}, null);
    return s;
  };
  it("of a session with no entry yet: step -1, link(-1), the state of nothing", () => {
    const s = new Session();
    expect(s.head()).toEqual({ step: -1, link: f.b64u(f.hash('qls-history/1\n{"session":"chat-17","tenant":"acme"}')), state: f.b64u(f.hash('qls-state/1\n{"outcome":null,"reports":{}}')) });
    expect(s.verify()).toEqual({ valid: true, head: s.head() });
    expect(said(again(s, { head: s.head() }))).toBe("allow allow");
    expect(said(again(s, { head: s.head(), history: undefined }))).toBe("allow allow");
  });
  it("the head of the end is passed by", () => {
    const s = grown(2);
    expect(said(again(s, { head: s.head() }))).toBe("allow allow");
    s.report(1, "ran");
    expect(said(again(s, { head: s.head() }))).toBe("allow allow");
    s.report(0, "failed");
    expect(s.head().state).toBe(f.b64u(f.hash('qls-state/1\n{"outcome":{"status":"ran"},"reports":{"0":{"status":"failed"}}}')));
    expect(s.verify({ head: s.head() })).toEqual({ valid: true, head: s.head() });
    expect(said(again(s, { head: s.head() }))).toBe("allow allow");
  });
  const nothing = { entry: null, step: null, link: null };
  const differs = (s: Session, head: Json, detail: Json): void => {
    const answer = again(s, { head });
    expect({ said: said(answer), detail: answer.detail, entry: answer.entry, step: answer.step, link: answer.link }).toEqual({ said: "refuse history_invalid", detail, ...nothing });
    expect(s.verify({ head })).toEqual(detail === undefined ? { valid: false } : { valid: false, detail });
    const receipt = s.receipt("get_order", { order_id: "1" }, { head });
    expect(receipt.reason).toBe("history_invalid");
  };
  it("fewer steps: behind, whatever the link", () => {
    const s = grown(2);
    const head = s.head();
    s.history.entries.pop();
    differs(s, head, { head: "behind" });
    differs(s, { ...head, link: f.b64u(f.hash("x")) }, { head: "behind" });
    s.history.entries.pop();
    differs(s, head, { head: "behind" });
  });
  it("another link at that step: forked, with as many steps or more", () => {
    const s = grown(2);
    const head = s.head();
    s.history.entries.pop();
    s.run("get_order", { order_id: "other" }, {}, null);
    differs(s, head, { head: "forked" });
    s.run("get_order", { order_id: "more" }, {}, null);
    differs(s, head, { head: "forked" });
    differs(grown(0), { ...grown(0).head(), link: head.link }, { head: "forked" });
    differs(grown(2), { ...grown(0).head(), link: head.link }, { head: "forked" });
  });
  it("more steps: ahead, from -1 too, whatever the state", () => {
    const s = grown(1);
    const head = s.head();
    const first = grown(0).head();
    s.run("get_order", { order_id: "1" }, {}, null);
    differs(s, head, { head: "ahead" });
    differs(s, first, { head: "ahead" });
    differs(s, { ...head, state: first.link }, { head: "ahead" });
  });
  it("another state: rewritten (an outcome, a pending report, of nothing)", () => {
    const s = grown(2);
    const head = s.head();
    s.report(1, "ran");
    differs(s, head, { head: "rewritten" });
    const t = grown(2);
    t.report(0, "ran");
    differs(t, head, { head: "rewritten" });
    differs(grown(0), { ...grown(0).head(), state: head.state === head.link ? "" : head.link }, { head: "rewritten" });
  });
  it("a history that does not verify, with a head: no restart and no detail", () => {
    const s = grown(2);
    const head = s.head();
    s.history.entries[0].tool = "ping";
    differs(s, head, undefined);
  });
  it("too long a history, with a head: the limit", () => {
    const s = new Session(shop({ settings: { limits: { history: 1 } } }));
    s.run("get_order", { order_id: "1" }, {}, null);
    s.run("get_order", { order_id: "1" }, {}, null);
    differs(s, s.head(), { limit: 1 });
  });
  it("malformed heads are request_invalid", () => {
    const s = grown(1);
    const head = s.head();
    const wrong: [Json, string][] = [
      [null, "/head"], [[], "/head"], [{}, "/head/link"], [without(head, "state"), "/head/state"], [{ ...head, x: 1 }, "/head/x"],
      [{ ...head, step: 0.5 }, "/head/step"], [{ ...head, step: "0" }, "/head/step"], [{ ...head, link: 1 }, "/head/link"],
    ];
    for (const [given, pointer] of wrong) expect(s.ask("get_order", { order_id: "1" }, { head: given }).error, JSON.stringify(given)).toMatchObject({ code: "request_invalid", pointer });
  });
  it("setting head: required: a request without one is request_invalid where it would be", () => {
    const s = new Session(shop({ settings: { head: "required" } }));
    expect(s.ask("ping").error).toMatchObject({ code: "request_invalid", pointer: "/head" });
    expect(said(s.peek("ping", {}, { head: s.head() }))).toBe("confirm write");
  });
  it("a head after a restart", () => {
    const s = grown(2);
    s.history.entries[0].tool = "ping";
    s.check("get_order", { order_id: "1" });
    expect(s.history.entries).toHaveLength(1);
    expect(s.verify({ head: s.head() })).toEqual({ valid: true, head: s.head() });
    expect(said(again(s, { head: s.head() }))).toBe("allow allow");
  });
});

describe("restarts", () => {
  const rules = shop({
    tools: [
      write("ping", { at_most: 2 }), read("look", { not_after: ["read_inbox"] }), read("peep", { not_after: ["untrusted"] }), read("late", { after: ["get_order"], not_after: ["ping"] }),
      read("free", {}), read("both", { not_after: ["ping"], at_most: 1 }),
    ],
  });
  const restarted = (): Session => {
    const s = new Session(rules);
    s.run("get_order", { order_id: "1" });
    s.history.entries[0].tool = "free";
    const answer = s.check("look");
    expect([said(answer), answer.step, answer.entry.restarted, answer.entry.labels]).toEqual(["refuse history_invalid", 0, true, []]);
    return s;
  };
  it("every not_after and at_most rule refuses, with restarted in the detail; after does not, nor do others", () => {
    const s = restarted();
    const detail = (tool: string): Json => { const a = s.peek(tool); expect(said(a)).toBe("refuse order_rule"); return a.detail; };
    expect(detail("look")).toEqual({ rule: "not_after read_inbox", restarted: true });
    expect(detail("peep")).toEqual({ rule: "not_after untrusted", restarted: true });
    expect(detail("ping")).toEqual({ rule: "at_most 2", restarted: true });
    expect(detail("both")).toEqual({ rule: "not_after ping", restarted: true });
    expect(detail("late")).toEqual({ rule: "after get_order" });
    expect(said(s.peek("free"))).toBe("allow allow");
    s.run("get_order", { order_id: "1" });
    expect(detail("late")).toEqual({ rule: "not_after ping", restarted: true });
  });
  it("for as long as entry 0 says so, and never twice", () => {
    const s = restarted();
    for (let i = 0; i < 3; i++) s.run("free");
    expect(s.check("ping").detail).toEqual({ rule: "at_most 2", restarted: true });
    s.history.entries.shift();
    expect(said(s.check("free"))).toBe("refuse history_invalid");
    expect(s.history.entries).toHaveLength(1);
  });
  it("a refusal at step 1 keeps its reason and restarts too, unless a head was given", () => {
    const s = new Session();
    s.run("get_order", { order_id: "1" });
    const head = s.head();
    s.history.entries[0].tool = "ping";
    const answer = s.peek("nope");
    expect([said(answer), answer.step, answer.entry.restarted]).toEqual(["refuse unknown_tool", 0, true]);
    const kept = s.peek("nope", {}, { head });
    expect([said(kept), kept.entry, kept.step, kept.link, "detail" in kept]).toEqual(["refuse unknown_tool", null, null, null, false]);
  });
  it("a refusal at step 1 with a head that the history is behind: entry null, the reason stays", () => {
    const s = new Session();
    s.run("get_order", { order_id: "1" }, {}, null);
    const head = s.head();
    const answer = s.peek("nope", {}, { head, history: undefined });
    expect([said(answer), answer.entry]).toEqual(["refuse unknown_tool", null]);
  });
  it("a refusal at step 1 with a history that verifies goes on from it", () => {
    const s = new Session();
    s.run("read_inbox", { folder: "in" });
    const answer = s.check("nope", { x: "1" });
    expect([answer.step, answer.entry.labels, "restarted" in answer.entry]).toEqual([1, ["untrusted:read_inbox"], false]);
  });
  it("a restart does not take the time of the history it could not read", () => {
    const s = new Session(SHOP, keySet({ licence: { id: "l", expires: NOW + 10 } }));
    s.run("get_order", { order_id: "1" });
    s.history.entries[0].at = NOW + 100;
    const answer = s.check("charge", { order_id: "1" });
    expect([said(answer), answer.entry.at]).toEqual(["refuse history_invalid", NOW]);
  });
  it("pending reports of a history that does not verify are not copied", () => {
    const s = new Session();
    s.run("get_order", { order_id: "1" }, {}, null);
    s.run("get_order", { order_id: "1" }, {}, null);
    s.report(0, "ran");
    s.history.entries[0].tool = "ping";
    expect("reports" in s.check("get_order", { order_id: "1" }).entry).toBe(false);
  });
});

describe("report", () => {
  const grown = (): Session => {
    const s = new Session();
    s.run("get_order", { order_id: "1" }, {}, null);
    s.check("ping");
    s.run("get_order", { order_id: "2" }, {}, null);
    return s;
  };
  it("its errors", () => {
    const s = grown();
    expect(s.reportError(3, "ran")).toBe("outcome_no_step");
    expect(s.reportError(-1, "ran")).toBe("outcome_no_step");
    expect(s.reportError(4294967296, "ran")).toBe("outcome_no_step");
    expect(s.reportError(1, "ran")).toBe("outcome_not_allowed");
    s.report(2, "ran");
    expect(s.reportError(2, "ran")).toBe("outcome_already_reported");
    s.report(0, "failed");
    expect(s.reportError(0, "failed")).toBe("outcome_already_reported");
    s.check("get_order", { order_id: "3" });
    expect(s.history.reports).toBe(undefined);
    expect(s.history.entries[3].reports).toEqual({ 0: { status: "failed" } });
    expect(s.reportError(0, "ran")).toBe("outcome_already_reported");
    expect(s.reportError(2, "ran")).toBe("outcome_already_reported");
  });
  it("an unknown status, a wrong type", () => {
    const s = grown();
    expect(s.reportError(2, "done")).toBe("request_invalid");
    expect(s.reportError(2, null)).toBe("request_invalid");
    expect(s.reportError("2", "ran")).toBe("request_invalid");
    expect(s.reportError(2, "ran", { at: 1.5 })).toBe("request_invalid");
  });
  it("the last entry's outcome holds digests of the result's top-level fields and of the external id", () => {
    const s = grown();
    s.report(2, "ran", { result: { total: 40.0, card: "x", deep: { a: [1, null] } }, external_id: "ext-1", at: NOW + 5 });
    expect(s.history.entries[2].outcome).toEqual({
      status: "ran", at: NOW + 5, external_id: s.digest("ext-1"), result: { total: s.digest(40), card: s.digest("x"), deep: s.digest({ a: [1, null] }) },
    });
    expect(s.verify().valid).toBe(true);
    s.check("get_order", { order_id: "4" });
    expect(s.verify().valid).toBe(true);
  });
  it("a field with an inexact number inside is left out", () => {
    const s = grown();
    const line = JSON.stringify({ id: 1, op: "report", policy: "p", keys: "k", session: s.session, history: s.history, step: 2, status: "ran", result: { a: 1, b: "N", c: ["N"] } });
    const answer = JSON.parse(s.driver.line(line.replaceAll('"N"', "9007199254740993")));
    expect(answer.ok.entries[2].outcome.result).toEqual({ a: s.digest(1) });
  });
  it("an empty result is kept as an empty object", () => {
    const s = grown();
    s.report(2, "ran", { result: {} });
    expect(s.history.entries[2].outcome).toEqual({ status: "ran", result: {} });
  });
  it("on an earlier entry it is pending, by the decimal of its step; several wait together", () => {
    const s = grown();
    s.run("get_order", { order_id: "9" }, {}, null);
    s.report(0, "outcome_unknown");
    s.report(2, "ran", { at: 7 });
    expect(s.history.reports).toEqual({ 0: { status: "outcome_unknown" }, 2: { status: "ran", at: 7 } });
    const answer = s.check("nope");
    expect(answer.entry.reports).toEqual({ 0: { status: "outcome_unknown" }, 2: { status: "ran", at: 7 } });
    expect(s.verify().valid).toBe(true);
  });
  it("it does not verify; the next check does", () => {
    const s = grown();
    s.history.entries[0].tool = "nope";
    s.report(2, "ran");
    expect(s.history.entries[2].outcome).toEqual({ status: "ran" });
    expect(s.verify()).toEqual({ valid: false });
  });
  it("a pending outcome is removed or changed later: the next check's entry holds what it saw", () => {
    const s = grown();
    s.report(2, "ran");
    s.check("get_order", { order_id: "5" });
    s.history.entries[2].outcome = { status: "failed" };
    expect(s.verify()).toEqual({ valid: false });
    s.history.entries[2].outcome = undefined;
    expect(s.verify()).toEqual({ valid: false });
  });
  it("counts for rules from the pending state on (the outcome of a step)", () => {
    const s = new Session(shop({ tools: [read("next", { after: ["get_order"] })] }));
    s.run("get_order", { order_id: "1" }, {}, null);
    s.run("get_order", { order_id: "2" }, {}, { status: "failed" });
    expect(s.peek("next").detail).toEqual({ rule: "after get_order" });
    s.report(0, "ran");
    expect(said(s.check("next"))).toBe("allow allow");
    expect(said(s.check("next"))).toBe("allow allow");
  });
  it("with a handle it answers the head", () => {
    const s = grown();
    s.driver.ok({ op: "open", name: "h", policy: "p", keys: "k", session: s.session, history: s.history });
    const ok = s.driver.ok({ op: "report", policy: "p", keys: "k", session: s.session, handle: "h", step: 2, status: "ran" });
    s.report(2, "ran");
    expect(ok).toEqual(s.head());
  });
});

describe("compensated and undone steps", () => {
  const undone = (outcome: string | null, own: string | null = "ran"): Session => {
    const s = new Session(shop({ tools: [read("next", { after: ["charge"] }), write("send_mail", { irreversible: true, parameters: { type: "object" } })] }));
    s.run("charge", { order_id: "1" }, {}, null);
    s.report(0 + 1, own ?? "ran", { result: { charge_id: "c-1" } });
    const answer = s.check("refund", { order_id: "1" }, { undo: { step: 1 }, origins: { order_id: "context" } });
    expect(said(answer)).toBe("allow compensation");
    if (outcome) s.report(2, outcome);
    return s;
  };
  const pivots = (s: Session): boolean => s.peek("send_mail").reasons.includes("irreversible_pivot");
  const trusts = (s: Session): boolean => !s.peek("charge", { order_id: "c-1" }, { origins: { order_id: "result:1.charge_id" } }).reasons.some((r: string) => r.startsWith("argument_origin"));
  it("undone when an allowed undo of it has outcome ran: compensated for after, trust; no pivot", () => {
    const s = undone("ran");
    expect(s.peek("next").detail).toEqual({ rule: "after charge" });
    expect([pivots(s), trusts(s)]).toEqual([false, false]);
  });
  it("an undo that failed, is unknown or unreported leaves it ran", () => {
    for (const outcome of ["failed", "outcome_unknown", null]) {
      const s = undone(outcome);
      expect([said(s.peek("next")), pivots(s), trusts(s)]).toEqual(["allow allow", true, true]);
    }
  });
  it("a late report of the undo counts the same", () => {
    const s = undone(null);
    s.run("get_order", { order_id: "1" });
    s.report(2, "ran");
    expect([said(s.peek("next")), pivots(s), trusts(s)]).toEqual(["refuse order_rule", false, false]);
    s.check("get_order", { order_id: "1" });
    expect([said(s.peek("next")), pivots(s), trusts(s)]).toEqual(["refuse order_rule", false, false]);
  });
  it("compensated as reported: not ran for after and trust, still a pivot until an undo ran", () => {
    const s = new Session(shop({ tools: [read("next", { after: ["charge"] }), write("send_mail", { irreversible: true, parameters: { type: "object" } })] }));
    s.run("charge", { order_id: "1" }, {}, { status: "compensated", result: { charge_id: "c-1" } });
    expect([said(s.peek("next")), pivots(s), trusts(s)]).toEqual(["refuse order_rule", true, false]);
    expect(s.peek("refund", { order_id: "1" }, { undo: { step: 1 }, origins: { order_id: "context" } }).reason).toBe("compensation_spent");
  });
  it("at_most counts what is unreported, unknown or compensated, and not what failed", () => {
    for (const [status, allowed] of [["ran", false], ["outcome_unknown", false], ["compensated", false], [null, false], ["failed", true]] as const) {
      const s = new Session(shop({ tools: [read("once", { at_most: 1 })] }));
      s.run("once", {}, {}, status ? { status } : null);
      expect(said(s.peek("once")), `${status}`).toBe(allowed ? "allow allow" : "refuse order_rule");
    }
  });
  it("at_most counts an undone write, and neither questions nor refusals", () => {
    const s = new Session(shop({ tools: [write("charge", { ...SHOP.tools[2], at_most: 1 })] }));
    s.check("charge", { order_id: "1" });
    s.check("charge", { order_id: 1 });
    s.run("charge", { order_id: "1" });
    s.check("refund", { order_id: "1" }, { undo: { step: 3 }, origins: { order_id: "context" } });
    s.report(4, "ran");
    expect(s.peek("charge", { order_id: "1" }).detail).toEqual({ rule: "at_most 1" });
  });
});
