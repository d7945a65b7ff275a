// Chapter 4, "Request" and "Answer": what a request may hold, the smallest pointer, the question, the trace, handles.

import { describe, expect, it } from "vitest";
import type { Json } from "./core.ts";
import { NOW, Session, keySet, object, read, said, shop, without, write } from "./world.ts";

const s = new Session();
const refused = (more: Json): Json => s.ask("get_order", { order_id: "1" }, more).error ?? "no error";
const invalid = (more: Json, pointer: string): void => expect(refused(more), JSON.stringify(more)).toMatchObject({ code: "request_invalid", pointer });
const fine = (more: Json): void => expect(said(s.ask("get_order", { order_id: "1" }, more).ok), JSON.stringify(more)).toBe("allow allow");

describe("request_invalid", () => {
  it("each required member, missing: where it would be", () => {
    for (const name of ["format", "session", "tool", "arguments", "now"]) invalid({ [name]: undefined }, `/${name}`);
  });
  it("null is a wrong type, of optional members too", () => {
    const names = [
      "format", "session", "tool", "arguments", "now", "agent", "origins", "turns", "context", "principal", "resource", "labels", "head", "confirmation", "approvals", "undo", "explain",
    ];
    for (const name of names) invalid({ [name]: null }, `/${name}`);
  });
  it("wrong types, each at its pointer", () => {
    const wrong: [Json, string][] = [
      [{ format: "qls-tool-check/2" }, "/format"], [{ session: 1 }, "/session"], [{ tool: 1 }, "/tool"], [{ arguments: [] }, "/arguments"], [{ arguments: "{}" }, "/arguments"],
      [{ now: "1" }, "/now"], [{ now: 1.5 }, "/now"], [{ agent: 1 }, "/agent"], [{ origins: [] }, "/origins"], [{ origins: { order_id: 1 } }, "/origins/order_id"],
      [{ turns: "x" }, "/turns"], [{ turns: ["a", 1] }, "/turns/1"], [{ context: [] }, "/context"], [{ context: { a: "x" } }, "/context/a"], [{ context: { a: 1 } }, "/context/a"],
      [{ principal: "u" }, "/principal"], [{ resource: [] }, "/resource"], [{ labels: [] }, "/labels"], [{ labels: { call: "x" } }, "/labels/call"],
      [{ labels: { call: [1] } }, "/labels/call/0"], [{ labels: { arguments: [] } }, "/labels/arguments"], [{ labels: { arguments: { order_id: "x" } } }, "/labels/arguments/order_id"],
      [{ labels: { arguments: { order_id: ["a", "B"] } } }, "/labels/arguments/order_id/1"], [{ labels: { x: [] } }, "/labels/x"], [{ confirmation: 1 }, "/confirmation"],
      [{ approvals: "x" }, "/approvals"], [{ approvals: [1] }, "/approvals/0"], [{ undo: 3 }, "/undo"], [{ undo: {} }, "/undo/step"], [{ undo: { step: "1" } }, "/undo/step"],
      [{ undo: { step: 1.5 } }, "/undo/step"], [{ undo: { step: 1, x: 1 } }, "/undo/x"], [{ explain: "yes" }, "/explain"], [{ zzz: 1 }, "/zzz"], [{ "a/b~c": 1 }, "/a~1b~0c"],
    ];
    for (const [more, pointer] of wrong) invalid(more, pointer);
  });
  it("the smallest pointer by UTF-16 code units", () => {
    invalid({ zzz: 1, aaa: 1, tool: undefined }, "/aaa");
    invalid({ now: undefined, format: 1 }, "/format");
    invalid({ Z: 1, a: 1 }, "/Z");
    invalid({ turns: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => (n > 2 ? n : "x")) }, "/turns/10");
    invalid({ "\u{1f600}": 1, "\uffff": 1 }, "/\u{1f600}");
    invalid({ a: 1, "a!": 1 }, "/a");
    invalid({ undo: { step: 1, "a/b": 1, "a.b": 2 } }, "/undo/a.b");
  });
  it("tool: at most 128 characters (code points)", () => {
    expect(said(s.ask("x".repeat(128)).ok)).toBe("refuse unknown_tool");
    expect(said(s.ask("\u{1f600}".repeat(128)).ok)).toBe("refuse unknown_tool");
    expect(s.ask("x".repeat(129)).error).toMatchObject({ code: "request_invalid", pointer: "/tool" });
  });
  it("labels: 64 are fine, 65 are too many, wherever they stand: /labels", () => {
    const some = (n: number): string[] => Array.from({ length: n }, (_, i) => `l${i}`);
    fine({ labels: { call: some(64) } });
    invalid({ labels: { call: some(65) } }, "/labels");
    fine({ labels: { call: some(32), arguments: { order_id: some(32) } } });
    invalid({ labels: { call: some(32), arguments: { order_id: some(33) } } }, "/labels");
    invalid({ labels: { call: [...some(64), "X"] } }, "/labels");
  });
  it("the shape of a label", () => {
    for (const label of ["a", "a1_-b", "a".repeat(32), "a:b", `a:${"x".repeat(128)}`, "a:B:c/ü", `a:${"\u{1f600}".repeat(128)}`]) fine({ labels: { call: [label] } });
    for (const label of ["", "A", "1a", "_a", "a".repeat(33), "a:", `a:${"x".repeat(129)}`, "a:b c", "a:b\tc", "a:\u00a0", "a:\u2003x", "a:\u3000", "a.b", "é", "a b", "a\n"]) {
      invalid({ labels: { call: [label] } }, "/labels/call/0");
    }
  });
  it("origins and labels of names that are not arguments are ignored", () => {
    const answer = s.peek("get_order", { order_id: "1" }, { origins: { other: "typed" }, labels: { arguments: { other: ["pii"] } } });
    expect([said(answer), answer.entry.labels]).toEqual(["allow allow", []]);
  });
  it("history is judged by step 2 alone", () => {
    const line = JSON.stringify({ id: 1, op: "check", policy: "p", keys: "k", request: s.request("get_order", {}, { history: null }) });
    expect(said(JSON.parse(s.driver.line(line)).ok)).toBe("refuse history_invalid");
  });
  it("integers in any spelling: 1764445000.0, 17644450e2", () => {
    const line = JSON.stringify({ id: 1, op: "check", policy: "p", keys: "k", request: s.request("ping") });
    for (const text of ["1764445000.0", "17644450e2"]) expect(JSON.parse(s.driver.line(line.replace(`"now":${NOW}`, `"now":${text}`))).ok.entry.at).toBe(NOW);
  });
  it("empty objects and lists are no errors", () => {
    fine({ origins: {}, turns: [], context: {}, resource: {}, labels: {}, approvals: [] });
    fine({ labels: { call: [], arguments: {} } });
    fine({ explain: false });
  });
});

describe("JSON errors of a request", () => {
  const base64 = (text: string | Buffer): Json => s.driver.send({ op: "check", policy: "p", keys: "k", base64: Buffer.from(text as string).toString("base64") });
  const text = JSON.stringify(s.request("get_order", { order_id: "1" }));
  it("answers the code and the offset in the request's own bytes", () => {
    expect(said(base64(text).ok)).toBe("allow allow");
    expect(base64(`${text}x`).error).toMatchObject({ code: "json_syntax", offset: text.length });
    expect(base64(`\ufeff${text}`).error).toMatchObject({ code: "json_encoding", offset: 0 });
    expect(base64(text.replace('"1"', '"1","order_id":"2"')).error).toMatchObject({ code: "json_duplicate", pointer: "/arguments" });
    expect(base64(text.replace('"1"', '"\\ud800"')).error).toMatchObject({ code: "json_surrogate", pointer: "/arguments/order_id" });
    expect(base64(text.replace('"1"', "[".repeat(127) + "]".repeat(127))).error).toMatchObject({ code: "json_depth" });
    expect(base64(text.slice(0, -1)).error).toMatchObject({ code: "json_syntax", offset: text.length - 1 });
  });
  it("an inexact number anywhere but in arguments is json_number, before request_invalid", () => {
    for (const member of ['"resource":{"n":9007199254740993}', '"zzz":1e400', '"context":{"a":1e-400}', '"history":{"n":[9007199254740993]}']) {
      const without = JSON.stringify(s.request("get_order", { order_id: "1" }, { history: undefined }));
      expect(base64(`${without.slice(0, -1)},${member}}`).error, member).toMatchObject({ code: "json_number" });
    }
  });
  it("limits.bytes: the history is not counted", () => {
    const t = new Session(shop({ settings: { limits: { bytes: 400 } } }));
    for (let i = 0; i < 3; i++) t.run("get_order", { order_id: "1" });
    expect(JSON.stringify(t.history).length).toBeGreaterThan(1000);
    expect(said(t.check("get_order", { order_id: "1" }))).toBe("allow allow");
    expect(t.ask("get_order", { order_id: "1".repeat(400) }).error).toMatchObject({ code: "json_size", offset: 400 });
  });
});

describe("the answer", () => {
  it("has exactly the members that apply", () => {
    const t = new Session();
    const base = ["decision", "entry", "format", "link", "policy", "reason", "reasons", "step"];
    const names = (answer: Json): string[] => Object.keys(answer);
    expect(names(t.peek("get_order", { order_id: "1" }))).toEqual(["arguments", ...base]);
    expect(names(t.peek("ping"))).toEqual(["confirmation", ...base.slice(0, 5), "question", ...base.slice(5)].sort());
    expect(names(t.peek("nope"))).toEqual(base);
    expect(names(t.peek("get_order", { order_id: 1 })).sort()).toEqual([...base, "detail", "pointer"].sort());
    expect(names(t.peek("get_order", { order_id: "https://x.example/" })).sort()).toEqual([...base, "detail"].sort());
  });
  it("explain: one item a step taken, refused or asking at the last", () => {
    const t = new Session();
    const steps = (tool: string, args: Json = {}, more: Json = {}): Json[] => t.peek(tool, args, { explain: true, ...more }).trace;
    const orders = (trace: Json[]): number[] => trace.map((item) => item.order);
    const read = steps("get_order", { order_id: "1" });
    for (const item of read) {
      expect(Object.keys(item).filter((name) => name !== "detail").sort()).toEqual(["check", "order", "result"]);
      expect(["passed", "refused", "asks", "skipped"]).toContain(item.result);
    }
    expect(read.at(-1)?.order).toBe(12);
    expect(steps("nope").map((item) => [item.order, item.result])).toEqual([[1, "refused"]]);
    const schema = steps("get_order", { order_id: 1, a: 1 });
    expect(schema.map((item) => [item.order, item.result])).toEqual([[1, "passed"], [2, "passed"], [3, "refused"]]);
    const ask = steps("ping");
    expect([orders(ask), ask.at(-1)?.result]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "asks"]);
    expect(ask[5]?.result).toBe("skipped");
    expect("trace" in t.peek("ping")).toBe(false);
    t.run("charge", { order_id: "1" });
    const undo = steps("refund", { order_id: "1" }, { undo: { step: 1 }, origins: { order_id: "context" } });
    expect([undo.at(-1)?.order, undo.at(-1)?.result, undo[5]?.result]).toEqual([11, "passed", "passed"]);
  });
  it("explain lists every schema error, in the order of step 3", () => {
    const trace = new Session().peek("get_order", { order_id: 1, b: 1, a: 1 }, { explain: true }).trace;
    const text = JSON.stringify(trace.at(-1).detail);
    for (const pointer of ["/a", "/b", "/order_id"]) expect(text).toContain(`"${pointer}"`);
  });
  it("explain changes nothing else", () => {
    const t = new Session();
    expect(without(t.peek("ping", {}, { explain: true }), "trace")).toEqual(t.peek("ping"));
  });
});

describe("the question", () => {
  it("has the members of the chapter, arguments by name with value, origin and typed", () => {
    const t = new Session();
    t.run("read_inbox", { folder: "in" });
    const q = t.check("charge", { order_id: "4411", amount: 40 }, { origins: { order_id: "typed", amount: "typed" }, turns: ["order 4411"] }).question;
    expect(Object.keys(without(q, "target")).sort()).toEqual(["arguments", "marks", "reasons", "text", "title", "tool", "undo"]);
    expect(q.tool).toBe("charge");
    expect(q.arguments).toEqual([{ name: "amount", value: 40, origin: "typed", typed: false }, { name: "order_id", value: "4411", origin: "typed", typed: true }]);
    expect(q.reasons.map((item: Json) => item.reason)).toEqual(["argument_origin: amount", "tainted_call"]);
    expect(q.marks.map((item: Json) => item.label)).toEqual(["untrusted:read_inbox"]);
    expect(q.undo).toEqual({ tool: "refund" });
    for (const item of [...q.reasons, ...q.marks]) expect(Object.keys(item)).toHaveLength(2);
  });
  it("undo is null where nothing undoes it", () => {
    expect(new Session().peek("ping").question.undo).toBe(null);
  });
  it("control and bidirectional characters of values are escaped visibly", () => {
    const hidden = ["\u0000", "\u001b", "\u007f", "\u0085", "\u009f", "\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"];
    const q = new Session().peek("charge", { order_id: hidden.join("x") }).question;
    for (const character of hidden) {
      expect(q.arguments[0].value).not.toContain(character);
      expect(q.text).not.toContain(character);
    }
  });
  it("with irreversible_pivot the text ends by saying so", () => {
    const t = new Session();
    t.run("charge", { order_id: "1" });
    const q = t.peek("send_mail", { text: "x" }, { origins: { text: "context" } });
    expect(said(q)).toBe("confirm irreversible_pivot");
    expect(q.question.text).toMatch(/undo.*undo.*\.$/is);
  });
});

describe("session handles", () => {
  const open = (t: Session, name: string, history: Json = t.history): Json => t.driver.send({ op: "open", name, policy: "p", keys: "k", session: t.session, history });
  const by = (t: Session, name: string, request: Json): Json => t.driver.send({ op: "check", policy: "p", keys: "k", handle: name, request: without(request, "history") });
  it("a handle answers as the stateless check does, step by step, reports included", () => {
    const t = new Session(shop({ tools: [write("ping", { at_most: 2 }), read("next", { after: ["charge"] })] }));
    expect(open(t, "h").ok).toEqual(t.head());
    const both = (tool: string, args: Json = {}, more: Json = {}): Json => {
      const request = t.request(tool, args, more);
      const handled = by(t, "h", request);
      const answer = t.check(tool, args, more);
      expect(handled.ok).toEqual(answer);
      return answer;
    };
    const report = (step: number, status: string): void => {
      const ok = t.driver.ok({ op: "report", policy: "p", keys: "k", session: t.session, handle: "h", step, status });
      t.report(step, status);
      expect(ok).toEqual(t.head());
    };
    const question = both("charge", { order_id: "1" }, { origins: { order_id: "context" } });
    both("next");
    both("charge", { order_id: "1" }, { origins: { order_id: "context" }, confirmation: question.confirmation });
    const again = both("charge", { order_id: "1" }, { origins: { order_id: "context" } });
    const yes = both("charge", { order_id: "1" }, { origins: { order_id: "context" }, confirmation: again.confirmation });
    both("read_inbox", { folder: "in" });
    report(yes.step, "ran");
    both("next", {}, { head: t.head() });
    both("refund", { order_id: "1" }, { undo: { step: yes.step }, origins: { order_id: "context" } });
    report(t.history.entries.length - 1, "failed");
    both("refund", { order_id: "1" }, { undo: { step: yes.step }, origins: { order_id: "context" } });
    report(t.history.entries.length - 1, "ran");
    both("next");
    both("nope");
    both("get_order", { order_id: 1 });
    both("charge", { order_id: "x" }, { now: NOW + 50 });
    both("ping", {}, { now: NOW - 50 });
  });
  it("opening on a history that does not verify is the error history_invalid", () => {
    const t = new Session();
    t.run("get_order", { order_id: "1" });
    t.history.entries[0].tool = "ping";
    expect(open(t, "h").error.code).toBe("history_invalid");
    expect(open(t, "h", null).error.code).toBe("history_invalid");
  });
  it("an open without history is a new session; close ends it", () => {
    const t = new Session();
    expect(t.driver.ok({ op: "open", name: "h", policy: "p", keys: "k", session: "chat-17" })).toEqual(t.head());
    t.driver.ok({ op: "close", name: "h" });
    expect(by(t, "h", t.request("ping")).error.code).toBe("name_unknown");
    expect(t.driver.error({ op: "close", name: "h" }).code).toBe("name_unknown");
  });
  it("it is bound to its session, policy and key set", () => {
    const t = new Session();
    t.driver.ok({ op: "open", name: "h", policy: "p", keys: "k", session: "chat-17" });
    expect(by(t, "h", t.request("get_order", { order_id: "1" }, { session: "chat-18" })).error ?? "decided").not.toBe("decided");
    t.driver.ok({ op: "keys", name: "k", keys: keySet({ licence: { id: "l", expires: 1 } }) });
    t.driver.ok({ op: "register", name: "p", policy: shop({ tools: [write("ping", { parameters: object({ a: "string" }, { required: ["a"] }) })] }) });
    const answer = by(t, "h", t.request("ping"));
    expect(said(answer.ok)).toBe("confirm write");
  });
  it("a refused line leaves a handle as it was", () => {
    const t = new Session();
    t.driver.ok({ op: "open", name: "h", policy: "p", keys: "k", session: "chat-17" });
    expect(by(t, "h", t.request("ping", {}, { zzz: 1 })).error.code).toBe("request_invalid");
    expect(by(t, "h", t.request("ping")).ok.step).toBe(0);
  });
  it("grown to limits.history: history_invalid with the limit, as the stateless check", () => {
    const t = new Session(shop({ settings: { limits: { history: 2 } } }));
    open(t, "h");
    for (let i = 0; i < 3; i++) {
      expect(by(t, "h", t.request("get_order", { order_id: "1" })).ok.reason).toBe("allow");
      t.check("get_order", { order_id: "1" });
    }
    const handled = by(t, "h", t.request("get_order", { order_id: "1" })).ok;
    expect([said(handled), handled.detail]).toEqual(["refuse history_invalid", { limit: 2 }]);
  });
});
