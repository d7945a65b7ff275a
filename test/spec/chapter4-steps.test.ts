// Chapter 4, steps 1 to 5: what refuses, which of several wrong things is named, and the detail to the last member.

import { describe, expect, it } from "vitest";
import type { Json } from "./core.ts";
import { NOW, SHOP, Session, keySet, object, read, said, shop, write } from "./world.ts";

/** The answer to one call of a fresh session of a policy with these tools. */
function one(tools: Json[], name: string, args: Json = {}, more: Json = {}, settings: Json = {}): Json {
  return new Session(shop({ tools, settings })).peek(name, args, more);
}

describe("step 1", () => {
  const agents = { desk: { tools: ["get_order"] }, helper: { tools: ["*"] } };
  it("(a) an unknown tool before (b) agent_required before (c) the agent's tools before (d) the licence", () => {
    const lapsed = keySet({ licence: { id: "l", expires: NOW } });
    const s = new Session(shop({ agents }), lapsed);
    expect(said(s.peek("nope"))).toBe("refuse unknown_tool");
    expect(said(s.peek("ping"))).toBe("refuse agent_required");
    expect(said(s.peek("ping", {}, { agent: "desk" }))).toBe("refuse unknown_tool");
    expect(said(s.peek("ping", {}, { agent: "helper" }))).toBe("refuse licence_lapsed");
    expect(said(s.peek("get_order", { order_id: "1" }, { agent: "desk" }))).toBe("allow allow");
  });
  it("with one agent an absent name means it, another name is unknown_tool", () => {
    const s = new Session();
    expect(said(s.peek("ping", {}, { agent: "desk" }))).toBe("confirm write");
    const answer = s.peek("ping", {}, { agent: "Desk" });
    expect([said(answer), "detail" in answer]).toEqual(["refuse unknown_tool", false]);
  });
  it("names are compared exactly: letter case, spaces, an empty name", () => {
    const s = new Session();
    for (const name of ["Ping", "ping ", "", "__proto__", "constructor"]) expect(said(s.peek(name)), name).toBe("refuse unknown_tool");
  });
  it("(d) licence.expires <= at: a write; with on_lapse refuse every call; null never", () => {
    for (const [expires, on_lapse, tool, expected] of [
      [NOW, "refuse_writes", "ping", "refuse licence_lapsed"], [NOW + 1, "refuse_writes", "ping", "confirm write"], [NOW, "refuse_writes", "get_order", "allow allow"],
      [NOW, "refuse", "get_order", "refuse licence_lapsed"], [NOW + 1, "refuse", "get_order", "allow allow"], [null, "refuse", "ping", "confirm write"],
    ] as const) {
      expect(said(new Session(shop({ settings: { on_lapse } }), keySet({ licence: { id: "l", expires } })).peek(tool)), `${expires} ${on_lapse} ${tool}`).toBe(expected);
    }
  });
  it("(d) goes by at, not by now: the last entry was later", () => {
    const s = new Session(SHOP, keySet({ licence: { id: "l", expires: NOW + 10 } }));
    s.now = NOW + 10;
    s.run("get_order", { order_id: "1" });
    s.now = NOW;
    expect(said(s.peek("ping"))).toBe("refuse licence_lapsed");
  });
  it("(d) an undo is a write too", () => {
    const s = new Session();
    s.run("charge", { order_id: "1" });
    s.useKeys(keySet({ licence: { id: "l", expires: NOW } }));
    expect(said(s.peek("refund", { order_id: "1" }, { undo: { step: 1 }, origins: { order_id: "context" } }))).toBe("refuse licence_lapsed");
  });
});

describe("step 3", () => {
  const detail = (answer: Json): Json => {
    expect(said(answer)).toBe("refuse argument_schema");
    const { message, ...rest } = answer.detail;
    expect(typeof message).toBe("string");
    expect(answer.pointer).toBe(rest.pointer);
    return rest;
  };
  it("the detail: the keyword, the pointer to the value or to the object that lacks a member", () => {
    const tool = read("t", { parameters: object({ a: { type: "object", required: ["b"] }, n: { type: "number", minimum: 3 }, f: false, e: { enum: ["x"] }, "x/y~z": { type: "string" } }) });
    expect(detail(one([tool], "t", { a: {} }))).toEqual({ pointer: "/a", rule: "required" });
    expect(detail(one([tool], "t", { n: 2 }))).toEqual({ pointer: "/n", rule: "minimum" });
    expect(detail(one([tool], "t", { f: 1 }))).toEqual({ pointer: "/f", rule: "false" });
    expect(detail(one([tool], "t", { e: "y" }))).toEqual({ pointer: "/e", rule: "enum" });
    expect(detail(one([tool], "t", { "x/y~z": 1 }))).toEqual({ pointer: "/x~1y~0z", rule: "type" });
    expect(detail(one([], "charge", {}))).toEqual({ pointer: "", rule: "required" });
  });
  const many = write("t", { limits: { bytes: 20 }, parameters: object({ n: "number", m: "number", s: "string" }) });
  const raw = (args: string, tool = many): Json => {
    const s = new Session(shop({ tools: [tool] }));
    const line = JSON.stringify({ id: 1, op: "check", policy: "p", keys: "k", request: s.request("t", "ARGS" as Json) });
    return JSON.parse(s.driver.line(line.replace('"ARGS"', args))).ok;
  };
  it("order: bytes, precision, undeclared, the walk", () => {
    expect(detail(raw('{"n":9007199254740993,"zz":1,"s":2}'))).toEqual({ pointer: "", rule: "bytes" });
    expect(detail(raw('{"n":1e400,"z":1}'))).toEqual({ pointer: "/n", rule: "precision" });
    expect(detail(raw('{"z":1,"s":2}'))).toEqual({ pointer: "/z", rule: "additionalProperties" });
    expect(detail(raw('{"s":2}'))).toEqual({ pointer: "/s", rule: "type" });
  });
  it("bytes: longer than, of the canonical text; an inexact number counts as its source text", () => {
    const t = (n: number): Json => ({ ...many, limits: { bytes: n } });
    expect(raw('{ "s" : "\\u0061bc" }', t(11)).decision).toBe("confirm");
    expect(detail(raw('{"s":"abc"}', t(10)))).toEqual({ pointer: "", rule: "bytes" });
    expect(raw('{"n":40.0000000000}', t(8)).decision).toBe("confirm");
    expect(detail(raw('{"n":9007199254740993}', t(22)))).toEqual({ pointer: "/n", rule: "precision" });
    expect(detail(raw('{"n":9007199254740993}', t(21)))).toEqual({ pointer: "", rule: "bytes" });
  });
  it("precision: the smallest pointer; at any depth; its digest is of the source text", () => {
    const deep = read("t", { parameters: object({ a: {}, n: {} }) });
    expect(detail(raw('{"n":1e400,"a":[0,{"b":1e-400}]}', deep))).toEqual({ pointer: "/a/1/b", rule: "precision" });
    const s = new Session(shop({ tools: [deep] }));
    const answer = raw('{"a":9007199254740993}', deep);
    const scope = s.digest.call(s, "x");
    expect(answer.entry.arguments.a).not.toBe(s.digest(9007199254740992));
    expect(answer.entry.arguments.a).not.toBe(scope);
  });
  it("precision: the pointer is right whatever the order of the document", () => {
    const deep = read("t", { parameters: object({ a: {}, b: {}, n: {} }) });
    expect(detail(raw('{"n":[1,{"z":[]},1e400],"b":[[],[0,{"y":1,"x":1e400,"w":[1e400]}]]}', deep))).toEqual({ pointer: "/b/1/1/w/0", rule: "precision" });
  });
  it("exact numbers are exact: 40.00, 1e2, 1e30, 0.1, -0, 3e-324, 333333333.33333329", () => {
    const any = read("t", { parameters: object({ n: "number" }) });
    for (const text of ["40.00", "1e2", "1e30", "0.1", "-0", "3e-324", "333333333.33333329", "9007199254740992", "1e23", "0e999", "0.0"]) expect(raw(`{"n":${text}}`, any).decision, text).toBe("allow");
    for (const text of ["9007199254740993", "1e400", "-1e400", "1e-400", "12345678901234567890", "100000000000000000000001", "9007199254740993.0", "90071992547409930e-1"]) {
      expect(detail(raw(`{"n":${text}}`, any)), text).toEqual({ pointer: "/n", rule: "precision" });
    }
  });
  it("undeclared: whatever the schema says; the smallest pointer by UTF-16 code units", () => {
    const t = (more: Json): Json => read("t", { parameters: object({ a: {} }, more) });
    expect(detail(one([t({ additionalProperties: true })], "t", { b: 1 }))).toEqual({ pointer: "/b", rule: "additionalProperties" });
    expect(detail(one([t({})], "t", { z: 1, "\uffff": 1, "\u{1f600}": 1 }))).toEqual({ pointer: "/z", rule: "additionalProperties" });
    expect(detail(one([t({})], "t", { "\uffff": 1, "\u{1f600}": 1 }))).toEqual({ pointer: "/\u{1f600}", rule: "additionalProperties" });
    expect(detail(one([t({})], "t", { "b/": 1, "b.": 1 }))).toEqual({ pointer: "/b.", rule: "additionalProperties" });
    expect(said(one([t({ patternProperties: { "^b": {} } })], "t", { bb: 1 }))).toBe("allow allow");
    expect(said(one([t({ additionalProperties: { type: "number" } })], "t", { bb: 1 }))).toBe("allow allow");
    expect(detail(one([t({ additionalProperties: { type: "number" } })], "t", { bb: "1" }))).toEqual({ pointer: "/bb", rule: "type" });
    expect(detail(one([t({ allOf: [{ properties: { c: {} } }] })], "t", { c: 1 }))).toEqual({ pointer: "/c", rule: "additionalProperties" });
    expect(detail(one([read("t", { parameters: { $ref: "#/$defs/x", $defs: { x: object({ c: {} }) } } })], "t", { c: 1 }))).toEqual({ pointer: "/c", rule: "additionalProperties" });
  });
  it("undeclared_arguments: schema leaves it to the walk, deep looks into nested objects that list properties", () => {
    const t = read("t", { parameters: object({ a: object({ b: {} }), l: { items: object({ c: {} }) }, free: { type: "object" } }) });
    const set = (undeclared_arguments: string, args: Json): Json => one([t], "t", args, {}, { undeclared_arguments });
    expect(said(set("schema", { zz: 1 }))).toBe("allow allow");
    expect(said(set("refuse", { a: { z: 1 } }))).toBe("allow allow");
    expect(detail(set("deep", { a: { z: 1 } }))).toEqual({ pointer: "/a/z", rule: "additionalProperties" });
    expect(detail(set("deep", { l: [{ c: 1 }, { d: 1 }] }))).toEqual({ pointer: "/l/1/d", rule: "additionalProperties" });
    expect(said(set("deep", { free: { z: 1 } }))).toBe("allow allow");
    expect(detail(set("deep", { zz: 1, a: { z: 1 } }))).toEqual({ pointer: "/a/z", rule: "additionalProperties" });
  });
  it("within the walk: the smallest pointer, then the keyword's name", () => {
    const t = read("t", { parameters: object({ a: { type: "string", minLength: 3, maxLength: 0, pattern: "^x" }, b: "number", a10: "number", a9: "number" }) });
    expect(detail(one([t], "t", { b: "x", a: "yy" }))).toEqual({ pointer: "/a", rule: "maxLength" });
    expect(detail(one([t], "t", { a9: "x", a10: "x" }))).toEqual({ pointer: "/a10", rule: "type" });
  });
  it("steps: a walk past limits.steps refuses", () => {
    const t = read("t", { parameters: object({ a: { type: "array", uniqueItems: true, items: { type: "number" } } }) });
    const answer = one([t], "t", { a: Array.from({ length: 500 }, (_, i) => i) }, {}, { limits: { steps: 100 } });
    expect([said(answer), answer.detail.rule]).toEqual(["refuse argument_schema", "steps"]);
  });
});

describe("step 4", () => {
  const t = write("t", { parameters: object({ a: {}, b: {}, who: {} }, { patternProperties: { "^p": {} } }), subject_argument: "who" });
  const found = (args: Json): Json => {
    const answer = one([t], "t", args);
    expect(said(answer)).toBe("refuse undeclared_destination");
    const { hint, ...rest } = answer.detail;
    expect(typeof hint).toBe("string");
    expect("pointer" in answer).toBe(false);
    return rest;
  };
  it("the detail lists by pointer, then position", () => {
    expect(found({ b: "x@y.co and https://z.example/q", a: ["ok", "www.q.com"] })).toEqual({
      destinations: ["www.q.com", "x@y.co", "https://z.example/q"], pointers: ["/a/1", "/b", "/b"],
    });
    expect(found({ a: Array.from({ length: 11 }, (_, i) => (i === 2 ? "a@b.co" : i === 10 ? "c@d.co" : "")) }).pointers).toEqual(["/a/10", "/a/2"]);
  });
  it("pointers are right whatever the order of the document", () => {
    const args = { b: { z: ["ok", "c@d.co"], "a/~": { "e@f.co": ["g@h.co"] } }, a: [[], [["i@j.co"], {}], "k@l.co"] };
    expect(found(args).pointers).toEqual(["/a/1/0/0", "/a/2", "/b/a~1~0/e@f.co", "/b/a~1~0/e@f.co/0", "/b/z/1"]);
  });
  it("property names count, at any depth", () => {
    expect(found({ a: { "x@y.co": 1 } })).toEqual({ destinations: ["x@y.co"], pointers: ["/a/x@y.co"] });
    expect(found({ a: [{ deep: { "http://e.example/": { k: 1 } } }] })).toEqual({ destinations: ["http://e.example/"], pointers: ["/a/0/deep/http:~1~1e.example~1"] });
  });
  it("a top-level name that a pattern declares is the model's word as well", () => {
    expect(found({ "p@y.co": 1 })).toEqual({ destinations: ["p@y.co"], pointers: ["/p@y.co"] });
  });
  it("a read is checked as well; sends_out is not", () => {
    expect(said(one([read("r", { parameters: object({ a: {} }) })], "r", { a: "a@b.co" }))).toBe("refuse undeclared_destination");
    expect(said(one([], "send_mail", { to: "a@b.co" }))).toBe("confirm argument_origin: to");
  });
  it("subject_argument: exempt when the whole value is one e-mail address or host", () => {
    const ok = (who: Json): boolean => one([t], "t", { who }).decision === "confirm";
    expect([ok("ana@shop.co"), ok("shop.co"), ok("ana@shop.co, bob@shop.co"), ok("https://shop.co"), ok("see shop.co"), ok("10.0.0.1"), ok(["ana@shop.co"])]).toEqual([
      true, true, false, false, false, false, false,
    ]);
    expect(one([t], "t", { who: "ana@shop.co", a: "ana@shop.co" }).detail.pointers).toEqual(["/a"]);
  });
  it("subject_argument may be a list of names", () => {
    const u = read("u", { parameters: object({ a: {}, b: {} }), subject_argument: ["a", "b"] });
    expect(said(one([u], "u", { a: "x@y.co", b: "z.com" }))).toBe("allow allow");
  });
});

describe("step 5", () => {
  const tools = (word: Json, more: Json = {}): Json[] => [
    read("seek", { parameters: object({ id: {} }), result: object({ id: {}, other: {} }) }),
    write("t", { parameters: object({ a: {}, b: {} }), ...word }),
    read("mail", { reads_outside: true, result: object({ id: {} }) }),
    ...(more.tools ?? []),
  ];
  const session = (word: Json, settings: Json = {}): Session => new Session(shop({ tools: tools(word), settings }));
  const rule = (answer: Json): Json => { expect(said(answer)).toBe("refuse order_rule"); return answer.detail; };
  it("after T: an earlier allowed entry with outcome ran", () => {
    const s = session({ after: ["seek"] });
    expect(rule(s.peek("t"))).toEqual({ rule: "after seek" });
    s.run("seek", {}, {}, null);
    expect(rule(s.peek("t"))).toEqual({ rule: "after seek" });
    for (const status of ["failed", "outcome_unknown", "compensated"]) {
      const u = session({ after: ["seek"] });
      u.run("seek", {}, {}, { status });
      expect(rule(u.peek("t"))).toEqual({ rule: "after seek" });
    }
    s.report(0, "ran");
    expect(said(s.peek("t"))).toBe("confirm write");
  });
  it("bind: the argument is there, its origin is that field of a run entry of T, and the reported result agrees", () => {
    const s = session({ after: [{ tool: "seek", bind: { a: "id" } }] });
    expect(rule(s.peek("t", { a: "x" }, { origins: { a: "result:0.id" } }))).toEqual({ rule: "after seek" });
    s.run("seek", {}, {}, { status: "ran", result: { id: "x", other: "y" } });
    s.run("mail", {}, {}, { status: "ran", result: { id: "x" } });
    s.run("seek", {}, {}, { status: "failed", result: { id: "x" } });
    const bound = { rule: "after seek", bind: "a" };
    const go = (args: Json, origin: string): Json => s.peek("t", args, { origins: { a: origin } });
    expect(rule(s.peek("t"))).toEqual(bound);
    for (const origin of ["model", "result:0", "result:0.other", "result:1.id", "result:2.id", "result:9.id", "result:00.id", "result:4294967296.id", "typed", "context"]) {
      expect(rule(go({ a: "x" }, origin)), origin).toEqual(bound);
    }
    expect(rule(go({ a: "z" }, "result:0.id"))).toEqual(bound);
    expect(said(go({ a: "x" }, "result:0.id"))).toBe("confirm write");
  });
  it("bind where no result was reported: by setting result_digests", () => {
    for (const [setting, expected] of [["if_reported", "confirm write"], ["required", "refuse order_rule"]]) {
      const s = session({ after: [{ tool: "seek", bind: { a: "id" } }] }, { result_digests: setting });
      s.run("seek");
      expect(said(s.peek("t", { a: "x" }, { origins: { a: "result:0.id" } }))).toBe(expected);
    }
    const s = session({ after: [{ tool: "seek", bind: { a: "id" } }] });
    s.run("seek", {}, {}, { status: "ran", result: {} });
    expect(rule(s.peek("t", { a: "x" }, { origins: { a: "result:0.id" } }))).toEqual({ rule: "after seek", bind: "a" });
  });
  it("its binds by name", () => {
    const s = session({ after: [{ tool: "seek", bind: { b: "id", a: "other" } }] });
    s.run("seek");
    expect(rule(s.peek("t"))).toEqual({ rule: "after seek", bind: "a" });
    expect(rule(s.peek("t", { a: 1 }, { origins: { a: "result:0.other" } }))).toEqual({ rule: "after seek", bind: "b" });
  });
  it("not_after T: refused once one was allowed, whatever became of it; not for a question or a refusal", () => {
    const s = session({ not_after: ["ping", "seek"] });
    s.check("ping");
    expect(said(s.peek("t"))).toBe("confirm write");
    s.run("seek", {}, {}, { status: "failed" });
    expect(rule(s.peek("t"))).toEqual({ rule: "not_after seek" });
    s.run("ping", {}, {}, { status: "failed" });
    expect(rule(s.peek("t"))).toEqual({ rule: "not_after ping" });
  });
  it("not_after untrusted: an outside read, a label of an allowed entry, a mark of this call", () => {
    const refusal = { rule: "not_after untrusted" };
    const s = session({ not_after: ["untrusted"] });
    expect(said(s.peek("t"))).toBe("confirm write");
    expect(rule(s.peek("t", {}, { labels: { call: ["untrusted:x"] } }))).toEqual(refusal);
    expect(rule(s.peek("t", { a: 1 }, { labels: { arguments: { a: ["untrusted:x"] } } }))).toEqual(refusal);
    for (const label of ["pii", "agent:x", "untrusted", "untrusted_x:y"]) expect(said(s.peek("t", {}, { labels: { call: [label] } })), label).toBe("confirm tainted_call");
    s.check("nope", {}, { labels: { call: ["untrusted:x"] } });
    s.check("mail", { x: 1 });
    expect(said(s.peek("t"))).toBe("confirm write");
    const u = session({ not_after: ["untrusted"] });
    u.run("seek", {}, { labels: { call: ["untrusted:x"] } });
    expect(rule(u.peek("t"))).toEqual(refusal);
    s.run("mail", {}, {}, { status: "failed" });
    expect(rule(s.peek("t"))).toEqual(refusal);
  });
  it("not_after untrusted: outside by the entry, and by what the tool is now", () => {
    const s = session({ not_after: ["untrusted"] });
    s.run("mail");
    s.use(shop({ tools: [...tools({ not_after: ["untrusted"] }).slice(0, 2), read("mail", {})] }));
    expect(rule(s.peek("t"))).toEqual({ rule: "not_after untrusted" });
    s.use(shop({ tools: tools({ not_after: ["untrusted"] }).slice(0, 2) }));
    expect(rule(s.peek("t"))).toEqual({ rule: "not_after untrusted" });
    const u = session({ not_after: ["untrusted"] });
    u.run("seek");
    u.use(shop({ tools: [...tools({ not_after: ["untrusted"] }).slice(1), read("seek", { reads_outside: true, parameters: object({ id: {} }) })] }));
    expect(rule(u.peek("t"))).toEqual({ rule: "not_after untrusted" });
  });
  it("order: after as listed, then not_after, then at_most", () => {
    const s = session({ after: ["seek", "get_order"], not_after: ["ping"], at_most: 1 });
    s.run("ping");
    expect(rule(s.peek("t"))).toEqual({ rule: "after seek" });
    s.run("seek");
    expect(rule(s.peek("t"))).toEqual({ rule: "after get_order" });
    s.run("get_order", { order_id: "1" });
    expect(rule(s.peek("t"))).toEqual({ rule: "not_after ping" });
  });
  it("at_most N: fewer than N; N of two", () => {
    const s = new Session(shop({ tools: [read("r", { at_most: 2 })] }));
    s.run("r");
    s.run("r");
    expect(rule(s.peek("r"))).toEqual({ rule: "at_most 2" });
  });
  it("order rules hold for an approval as well", () => {
    const s = new Session(shop({ tools: [write("ping", { at_most: 1 })], settings: { confirmation_point: "turn" } }));
    const one = s.check("ping");
    const two = s.check("ping");
    s.check("ping", {}, { confirmation: one.confirmation });
    expect(rule(s.peek("ping", {}, { confirmation: two.confirmation }))).toEqual({ rule: "at_most 1" });
  });
});
