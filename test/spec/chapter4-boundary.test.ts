// The boundary under a check: lines and JSON errors, answers that do not depend on what was asked before, numbers that could wrap.

import { describe, expect, it } from "vitest";
import { Driver, type Json } from "./core.ts";
import * as f from "./formulas.ts";
import { SHOP, Session, keySet, object, read, said, shop, write } from "./world.ts";

describe("a line", () => {
  const driver = new Driver();
  it("its id comes back whatever it is, canonical", () => {
    const sha = (id: string): string => driver.line(`{"id":${id},"op":"sha256","base64":""}`);
    expect(sha('{"b":1.0,"a":[null]}')).toBe('{"id":{"a":[null],"b":1},"ok":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}');
    expect(sha("null")).toBe('{"id":null,"ok":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}');
  });
  it.each(["", "x", "[]", "1", "null", '"a"', "{", '{"id":1,"id":2,"op":"sha256"}', "{} {}", '{"id":1,"op":"\\ud800"}', "\ufeff{}"])("line_invalid: %j", (text) => {
    expect(JSON.parse(driver.line(text))).toMatchObject({ id: null, error: { code: "line_invalid" } });
  });
  it("line_invalid: bytes that are no UTF-8", () => {
    expect(JSON.parse(driver.line(new Uint8Array([0x7b, 0xff, 0x7d])))).toMatchObject({ id: null, error: { code: "line_invalid" } });
  });
  it("op_unknown, name_unknown", () => {
    expect(driver.send({ op: "nope" }).error.code).toBe("op_unknown");
    expect(driver.send({ op: "check", policy: "p", keys: "k", request: {} }).error.code).toBe("name_unknown");
    const s = new Session();
    expect(s.driver.send({ op: "check", policy: "p", keys: "other", request: s.request("ping") }).error.code).toBe("name_unknown");
    expect(s.driver.send({ op: "check", policy: "p", keys: "k", handle: "h", request: s.request("ping") }).error.code).toBe("name_unknown");
  });
  it("answers after a bad line as before it", () => {
    const s = new Session();
    const before = s.ask("ping");
    for (const bad of ["{", "[".repeat(5000), `{"id":1,"op":"canonicalize","text":"${"[".repeat(5000)}"}`, '{"id":1,"op":"check"}']) s.driver.line(bad);
    expect(s.ask("ping")).toEqual(before);
  });
});

describe("chapter 1 at the boundary", () => {
  const driver = new Driver();
  const read64 = (text: string | Uint8Array): Json => driver.send({ op: "canonicalize", base64: Buffer.from(text as string).toString("base64") });
  it.each([
    ['{"a":1,"\\u0061":2}', "json_duplicate", 7], ["[1,]", "json_syntax", 3], ["01", "json_syntax", 0], ["+1", "json_syntax", 0], ["[.5]", "json_syntax", 1], ["1.", "json_syntax", 2], ["NaN", "json_syntax", 0],
    ["{'a':1}", "json_syntax", 1], ["1 // x", "json_syntax", 2], ['"a\tb"', "json_syntax", 0], ["1 2", "json_syntax", 2], ["", "json_syntax", 0], ['["\\udc00"]', "json_surrogate", 1], ["\ufeff1", "json_encoding", 0],
    [`${"[".repeat(129)}${"]".repeat(129)}`, "json_depth", 128], ["[9007199254740993]", "json_number", 1], ["1e400", "json_number", 0], ["-1e-400", "json_number", 0],
  ])("%s is %s at %i", (text, code, offset) => {
    expect(read64(text).error).toMatchObject({ code, offset });
  });
  it.each([["c080"], ["eda080"], ["f4908080"], ["80"], ["c3"]])("bytes %s are json_encoding", (hex) => {
    expect(read64(Buffer.from(`22${hex}22`, "hex")).error).toMatchObject({ code: "json_encoding", offset: 1 });
  });
  it("the lowest offset wins, encoding before it, size before all", () => {
    expect(read64('{"a":1,"a":2,}').error).toMatchObject({ code: "json_duplicate", offset: 7 });
    expect(read64('{"a":01,"a":2}').error).toMatchObject({ code: "json_syntax", offset: 5 });
    expect(read64(Buffer.concat([Buffer.from("[1,]"), Buffer.from([0xff])])).error).toMatchObject({ code: "json_encoding", offset: 4 });
  });
  it("canonical form", () => {
    const is = (text: string, out: string): void => expect(driver.ok({ op: "canonicalize", text }), text).toBe(out);
    is('{"\\uffff":1,"\\ud83d\\ude00":2,"a":3}', '{"a":3,"\u{1f600}":2,"\uffff":1}');
    is('["\\u0008\\u0009\\u000a\\u000b\\u000c\\u000d\\u001F\\u007f\\/\\u2028"]', '["\\b\\t\\n\\u000b\\f\\r\\u001f\u007f/\u2028"]');
    is("[1e21,1e-7,123456789012345680000,-0,0.000001,1E+2]", "[1e+21,1e-7,123456789012345680000,0,0.000001,100]");
    is('"\\ufdd0\ufffe"', '"\ufdd0\ufffe"');
  });
});

describe("no answer depends on what was asked before", () => {
  const patterned = (steps?: number): Json =>
    shop({ tools: [read("t", { parameters: object({ a: "string" }, { patternProperties: { "^x_": {} } }) })], ...(steps ? { settings: { limits: { steps } } } : {}) });
  it("the first check of a policy is as the second", () => {
    const s = new Session(patterned());
    const first = s.peek("t", { a: "1", x_b: "2" });
    expect(Object.keys(first.entry.arguments)).toEqual(["a", "x_b"]);
    expect(s.peek("t", { a: "1", x_b: "2" })).toEqual(first);
  });
  it("nor on a call that went past its steps", () => {
    const s = new Session(patterned());
    const first = s.peek("t", { a: "1", x_b: "2" });
    const other = new Session(shop({ tools: [read("u", { parameters: object({ a: { type: "array", uniqueItems: true } }) })], settings: { limits: { steps: 1 } } }), keySet(), "chat-17", s.driver);
    expect(other.ask("u", { a: [[1], [2], [3]] }).ok.detail.rule).toBe("steps");
    s.use(patterned());
    expect(s.peek("t", { a: "1", x_b: "2" })).toEqual(first);
  });
  it("nor on limits.steps, for what the entry holds", () => {
    const s = new Session(patterned(1));
    expect(Object.keys(s.peek("t", { x_b: "2" }).entry.arguments)).toEqual(["x_b"]);
  });
  it("one core answers two policies, two key sets, two sessions side by side as two cores do", () => {
    const together = new Driver();
    const a = new Session(SHOP, keySet(), "a", together);
    const asks = (s: Session): Json[] => [s.peek("ping"), s.peek("charge", { order_id: "1" }, { labels: { call: ["pii"] } }), s.peek("nope"), s.peek("get_order", { order_id: 1 }), s.peek("read_inbox", { folder: "x" })];
    const alone = asks(new Session(SHOP, keySet(), "a"));
    const other = shop({ tenant: "else", tools: [write("ping", { at_most: 1 })] });
    for (const name of ["x", "y"]) {
      together.ok({ op: "register", name, policy: other });
      together.ok({ op: "keys", name, keys: keySet({ active: "z", keys: [{ ...keySet().keys[0], kid: "z" }] }) });
      together.ok({ op: "check", policy: name, keys: name, request: { ...a.request("ping"), session: "b", history: { format: "qls-history/1", session: "b", entries: [] } } });
    }
    expect(asks(a)).toEqual(alone);
  });
  it("memory does not grow with calls", () => {
    const s = new Session();
    for (let i = 0; i < 200; i++) s.ask("charge", { order_id: "1" });
    const before = s.driver.bytes;
    for (let i = 0; i < 2000; i++) s.ask(i % 2 ? "charge" : "nope", { order_id: "1" }, i % 3 ? {} : { zzz: 1 });
    expect(s.driver.bytes).toBe(before);
  });
});

describe("extreme numbers decide nothing by wrapping", () => {
  it("now at the ends of what a double holds exactly", () => {
    for (const now of [0, -1, 2147483648, 4294967296, 9007199254000000]) {
      const s = new Session();
      s.now = now;
      const first = s.check("ping");
      expect([said(first), first.entry.at]).toEqual(["confirm write", now]);
      expect(f.payloadOf(first.confirmation).iat).toBe(now);
      const line = s.ask("ping", {}, { confirmation: first.confirmation });
      expect(now > 9e15 || said(line.ok) === "allow confirmed").toBe(true);
    }
  });
  it("steps past every integer", () => {
    const s = new Session();
    s.run("charge", { order_id: "1" });
    for (const step of [4294967297, 1e15, 1e300, -1, -4294967295]) {
      if (Math.abs(step) < 1e16) expect(s.peek("refund", { order_id: "1" }, { undo: { step } }).detail).toEqual({ step, mismatch: "no_such_step" });
      else expect(s.ask("refund", { order_id: "1" }, { undo: { step } }).error).toMatchObject({ code: "request_invalid", pointer: "/undo/step" });
      const report = s.driver.send({ op: "report", policy: "p", keys: "k", session: s.session, history: s.history, step, status: "ran" });
      expect(report.error.code).toMatch(/^(outcome_no_step|request_invalid)$/);
      const receipt = s.driver.send({ op: "receipt", policy: "p", keys: "k", session: s.session, history: s.history, tool: "charge", arguments: { order_id: "1" }, now: s.now, step });
      expect(receipt.error?.code ?? receipt.ok.reason).toMatch(/^(receipt_missing|request_invalid)$/);
      const head = s.driver.send({ op: "check", policy: "p", keys: "k", request: s.request("ping", {}, { head: { ...s.head(), step } }) });
      expect(head.error?.code ?? head.ok.reason).toMatch(/^(history_invalid|request_invalid)$/);
    }
  });
});
