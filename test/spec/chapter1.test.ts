// Chapter 1, sentence by sentence: reading, inexact numbers, canonical form, digests, key sets, Ed25519 edge cases.

import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { b64, b64u, Core, digest, digestKey, jcs, keyedDigest, keySet, plainDigest, raw, text } from "./conform-core.ts";

const core = new Core();
const bytes = (...parts: (string | number[])[]): Uint8Array => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const read = (input: string | Uint8Array) => core.send("canonicalize", { base64: b64(input) });
const fails = (input: string | Uint8Array, code: string, offset?: number, pointer?: string): void => {
  const { error } = read(input);
  const shown = typeof input === "string" ? input.slice(0, 60) : b64(input).slice(0, 60);
  expect([shown, error?.code], shown).toEqual([shown, code]);
  if (offset !== undefined) expect(error!.offset, shown).toBe(offset);
  if (pointer !== undefined) expect(error!.pointer, shown).toBe(pointer);
};
const reads = (input: string | Uint8Array, canonical: string): void => {
  const answer = read(input);
  expect(answer.error).toBeUndefined();
  expect(answer.ok).toBe(canonical);
};

describe("reading", () => {
  it("json_encoding: overlong, surrogate code points, > U+10FFFF, truncated", () => {
    for (const bad of [[0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff], [0xfe], [0x80], [0xbf], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc3]]) {
      fails(bytes('["a', bad, '"]'), "json_encoding", 3);
      fails(bytes('"', bad), "json_encoding", 1);
      fails(bytes(bad), "json_encoding", 0);
    }
  });
  it("json_encoding: a byte-order mark at the start; U+FEFF in a string is a character", () => {
    fails("\ufeff{}", "json_encoding", 0);
    fails("\ufeff", "json_encoding", 0);
    reads('"\ufeffa"', '"\ufeffa"');
    fails("{}\ufeff", "json_syntax", 2);
  });
  it("the largest and smallest well-formed sequences are read", () => {
    reads('"\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}"', '"\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}"');
  });
  it("json_syntax: each named form", () => {
    const cases: [string, number, string?][] = [
      ["[1,]", 3], ['{"a":1,}', 7], ["01", 0], ["[01]", 1, "/0"], ["-01", 0], ["+1", 0], [".5", 0], ["1.", 2], ["[1.]", 3], ["NaN", 0], ["[NaN]", 1], ["Infinity", 0], ["-Infinity", 1],
      ["'a'", 0], ["{'a':1}", 1], ["// x\n1", 0], ["1 // x", 2], ["/* x */1", 0], ["# x\n1", 0], ['"a\u0001b"', 0], ['"a\tb"', 0], ['"a\nb"', 0], ['"\u0000"', 0], ["1 2", 2], ["{} {}", 3], ["[]]", 2], ['{"a":1}x', 7],
      ["", 0], [" ", 1], ["[", 1], ["{", 1], ['"a', 2], ['{"a"', 4], ['{"a":', 5], ["[1", 2], ["tru", 3], ["True", 0], ["TRUE", 0], ["nul", 3], ["nulll", 0], ["1e", 2], ["1e+", 3], ["-", 1], ["--1", 0], ["0x10", 1], ["1_000", 1],
      ['"\\x41"', 0], ['"\\u12"', 0], ['"\\u12g4"', 0], ['"\\\'"', 0], ['"\\', 2], ["{1:2}", 1], ["{a:1}", 1], ['{"a" 1}', 5], ['{"a":1 "b":2}', 7], ["[1 2]", 3], ["[,1]", 1], ["[1,,2]", 3], [":", 0], ["\u00a01", 0], ["\u000c1", 0], ["\u000b1", 0], ["1\u0000", 1], ["\u20281", 0], ["undefined", 0], ["{,}", 1], ["[}", 1], ["{]", 1],
    ];
    for (const [input, offset, pointer] of cases) fails(input, "json_syntax", offset, pointer);
  });
  it("all of RFC 8259's white space, and nothing else around a value", () => {
    reads(" \t\r\n[ \t\r\n1 \t\r\n, \t\r\n{ \t\r\n\"a\" \t\r\n: \t\r\n2 \t\r\n} \t\r\n] \t\r\n", '[1,{"a":2}]');
    reads("0", "0");
    reads('""', '""');
    reads("null", "null");
  });
  it("json_surrogate: an escaped lone surrogate, in a value or a name", () => {
    for (const half of ["\\ud800", "\\udc00", "\\udfff", "\\uDBFF", "\\ud800\\u0041", "\\ud800\\ud800\\udc00", "\\udc00\\ud800", "\\ud800x", "\\ud800\\n", "x\\ud83d"]) {
      fails(`"${half}"`, "json_surrogate", 0);
      fails(`[1,"${half}"]`, "json_surrogate", 3, "/1");
      fails(`{"${half}":1}`, "json_surrogate", 1);
    }
    reads('"\\ud83d\\ude00\\uD83D\\uDE00"', '"😀😀"');
  });
  it("json_duplicate: the same name after unescaping, at the second name", () => {
    fails('{"a":1,"a":2}', "json_duplicate", 7, "");
    fails('{"a":1,"\\u0061":2}', "json_duplicate", 7);
    fails('{"😀":1,"\\ud83d\\ude00":2}', "json_duplicate", 10);
    fails('{"":1,"":2}', "json_duplicate", 6);
    fails('{"/":1,"\\/":2}', "json_duplicate", 7);
    fails('[{"x":{"b":1,"c":2,"b":3}}]', "json_duplicate", 19, "/0/x");
    fails('{"a":1,"b":2,"a":3,"b":4}', "json_duplicate", 13);
    fails('{"__proto__":1,"__proto__":2}', "json_duplicate", 15);
    reads('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}', '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}');
    reads('{"é":1,"e\u0301":2}', '{"e\u0301":2,"é":1}');
    const many = Array.from({ length: 3000 }, (_, i) => `"n${i}":0`).join(",");
    fails(`{${many},"n1234":0}`, "json_duplicate", many.length + 2);
  });
  it("json_depth: nesting deeper than 128, counting open containers", () => {
    reads("[".repeat(128) + "]".repeat(128), "[".repeat(128) + "]".repeat(128));
    fails("[".repeat(129) + "]".repeat(129), "json_depth", 128);
    fails('{"a":'.repeat(129) + "1" + "}".repeat(129), "json_depth", 128 * 5);
    fails("[".repeat(100000), "json_depth", 128);
    reads(`[${"[]".repeat(1)}${",[]".repeat(500)}]`, `[[]${",[]".repeat(500)}]`);
  });
  it("json_size: longer than 8 MiB, before json_encoding", () => {
    const at = 8388608;
    reads(bytes("1", Buffer.alloc(at - 1, 32) as never), "1");
    fails(bytes("1", Buffer.alloc(at, 32) as never), "json_size", at);
    fails(Buffer.alloc(at + 1, 0xff), "json_size", at);
  });
  it("then json_encoding, then the one with the lowest offset", () => {
    fails(bytes("[1,] ", [0xff]), "json_encoding", 5);
    fails(bytes('{"a":1,"a":2,"b":"\\ud800', [0xc0, 0x80], '"}'), "json_encoding", 24);
    fails('{"a":1,"a":}', "json_duplicate", 7);
    fails('{"a":01,"a":1}', "json_syntax", 5);
    fails('["\\ud800",]', "json_surrogate", 1);
    fails('[01,"\\ud800"]', "json_syntax", 1);
    fails("[".repeat(129) + ",", "json_depth", 128);
    fails('{"a":1e400,"a":1}', "json_duplicate", 11);
    fails("[1e400,]", "json_syntax", 7);
  });
  it("an error carries code, message, offset and the pointer to the innermost value being read", () => {
    const { error, ok } = read('{"a":[1,{"b/c~d":tru}]}');
    expect(ok).toBeUndefined();
    expect(error).toMatchObject({ code: "json_syntax", offset: 20, pointer: "/a/1/b~1c~0d" });
    expect(typeof error!.message).toBe("string");
  });
  it("noncharacters are kept", () => {
    reads('"\ufdd0\\ufdef\\ufffe\uffff\\ud83f\\udffe\u{10fffe}"', '"\ufdd0\ufdef\ufffe\uffff\u{1fffe}\u{10fffe}"');
  });
});

describe("numbers", () => {
  it("exact: what is said to be, and its canonical text", () => {
    const cases: Record<string, string> = {
      "40.00": "40", "1e2": "100", "1e30": "1e+30", "0.1": "0.1", "-0": "0", "-0.0": "0", "-0e5": "0", "3e-324": "5e-324", "333333333.33333329": "333333333.3333333", "1E400": "!", "0e999999999999": "0", "0.000e-99999999999": "0",
      "9007199254740991": "9007199254740991", "9007199254740992": "9007199254740992", "9007199254740993": "!", "9007199254740993.0": "!", "9007199254740993.5": "9007199254740994", "90071992547409930e-1": "!", "-9007199254740993": "!", "9007199254740994": "9007199254740994",
      "1e21": "1e+21", "1e20": "100000000000000000000", "123456789012345680000": "123456789012345680000", "123456789012345678900": "!", "1180591620717411303424": "!", "1.1805916207174113e21": "1.1805916207174113e+21", "1152921504606846976": "!", "1152921504606847000": "1152921504606847000",
      "1.7976931348623157e308": "1.7976931348623157e+308", "1.7976931348623158e308": "!", "1.7976931348623159e308": "!", "1e308": "1e+308", "1e309": "!", "1e400": "!", "-1e400": "!", "1e-400": "!", "-1e-400": "!", "2e-324": "!", "2.4703282292062328e-324": "5e-324", "5e-324": "5e-324", "2.2250738585072011e-308": "2.225073858507201e-308",
      "1e99999999999999999999": "!", "1e-99999999999999999999": "!", "0.1000000000000000055511151231257827": "0.1", "0.30000000000000004": "0.30000000000000004", "1e-7": "1e-7", "0.000001": "0.000001", "1.5e1": "15", "100e-2": "1", "1e23": "1e+23", "9.5e-1": "0.95", "12345678901234567890": "!", "10000000000000000.1": "10000000000000000", "1e22": "1e+22", "4.35": "4.35",
      "1000000000000000000000000000001": "!", "0.00000000000000000000000000000000000000001e41": "1",
    };
    for (const [number, canonical] of Object.entries(cases)) {
      if (canonical === "!") fails(number, "json_number", 0);
      else reads(number, canonical);
    }
    reads("1" + "0".repeat(300), "1e+300");
    fails("1" + "0".repeat(299) + "1", "json_number", 0);
    reads("0." + "0".repeat(300) + "1", "1e-301");
    reads("1" + "0".repeat(5000) + "e-5000", "1");
    fails("[1," + "9".repeat(100000) + "]", "json_number", 3, "/1");
  });
  const policy = (schema: unknown, more: object = {}) => ({ format: "qls-policy/1", tenant: "t", agents: { a: { tools: ["*"] } }, tools: [{ name: "r", effect: "read", parameters: schema }], ...more });
  core.send("keys", { name: "k", keys: keySet });
  const permissive = { type: "object", properties: { v: {}, w: {} } };
  core.send("register", { name: "p", policy: policy(permissive) });
  const check = (members: object) => core.send("check", { policy: "p", keys: "k", request: { format: "qls-tool-check/1", session: "s", tool: "r", arguments: {}, now: 5, ...members } });
  it("inside a call's arguments: rule precision at the number, its source text in digests", () => {
    for (const number of ["9007199254740993", "1e400", "1e-400"]) {
      const { ok } = check({ arguments: { v: { deep: [1, raw(number)] }, w: 1 } });
      expect(ok).toMatchObject({ decision: "refuse", reason: "argument_schema", pointer: "/v/deep/1", detail: { pointer: "/v/deep/1", rule: "precision" } });
      expect(ok.entry.digest).toBe(keyedDigest(digestKey, "t", "s", { v: { deep: [1, raw(number)] }, w: 1 }));
      expect(ok.entry.arguments.v).toBe(keyedDigest(digestKey, "t", "s", { deep: [1, raw(number)] }));
    }
  });
  it("inside arguments, of several the smallest pointer", () => {
    const { ok } = check({ arguments: { w: raw("1e400"), v: { 10: raw("1e400"), 9: raw("1e400") } } });
    expect(ok.pointer).toBe("/v/10");
  });
  it("anywhere else of a request: json_number", () => {
    for (const members of [{ context: { x: raw("1e400") } }, { principal: { id: raw("9007199254740993") } }, { resource: { a: [raw("1e-400")] } }, { now: raw("9007199254740993") }, { turns: [raw("1e400")] }, { labels: { call: raw("1e400") } }, { undo: { step: raw("1e400") } }, { x: raw("1e400") }, { history: { format: "qls-history/1", session: "s", entries: [raw("1e400")] } }, { history: raw("1e400") }]) {
      const line = text({ id: 1, op: "check", policy: "p", keys: "k", request: { format: "qls-tool-check/1", session: "s", tool: "r", arguments: { v: raw("1e400") }, now: 5, ...members } });
      const { error } = core.ask(line);
      expect([text(members), error?.code]).toEqual([text(members), "json_number"]);
    }
  });
  it("an inexact number in `arguments` deeper than the request's own member is no argument", () => {
    expect(check({ context: { arguments: { v: raw("1e400") } } }).error?.code).toBe("json_number");
  });
  it("in the result of a report its top-level field is left out", () => {
    const first = check({ arguments: { v: 1 } }).ok;
    const history = { format: "qls-history/1", session: "s", entries: [first.entry] };
    const { ok } = core.send("report", { policy: "p", keys: "k", session: "s", history, step: 0, status: "ran", result: { a: 1, b: raw("9007199254740993"), c: { d: [raw("1e400")] }, e: "x" } });
    expect(ok.entries[0].outcome.result).toEqual({ a: keyedDigest(digestKey, "t", "s", 1), e: keyedDigest(digestKey, "t", "s", "x") });
  });
  it("in the `schema` op it takes part with its decimal value", () => {
    const schema = (rule: unknown, value: string) => core.send("schema", { schema: rule, value: raw(value) }).ok.valid;
    expect(schema({ const: 9007199254740992 }, "9007199254740993")).toBe(false);
    expect(schema(raw('{"const":9007199254740993}'), "9007199254740993")).toBe(true);
    expect(schema({ maximum: 9007199254740992 }, "9007199254740993")).toBe(false);
    expect(schema({ multipleOf: 2 }, "9007199254740993")).toBe(false);
    expect(schema({ multipleOf: 3 }, "9007199254740993")).toBe(true);
    expect(schema({ type: "integer" }, "1e400")).toBe(true);
    expect(schema({ exclusiveMinimum: 0 }, "1e-400")).toBe(true);
    expect(schema({ uniqueItems: true }, "[9007199254740992,9007199254740993]")).toBe(true);
  });
  it("in a policy, a key set, a rule's variables: json_number", () => {
    expect(core.send("register", { name: "x", policy: policy(raw('{"type":"object","properties":{"v":{"maximum":9007199254740993}}}')) }).error?.code).toBe("json_number");
    expect(core.send("keys", { name: "x", keys: { ...keySet, licence: { id: "l", expires: raw("1e400") } } }).error?.code).toBe("json_number");
    expect(core.send("rule", { condition: "args.v > 1", variables: { args: { v: raw("9007199254740993") } } }).error?.code).toBe("json_number");
  });
});

describe("the text of a request", () => {
  const policy = (limits: object) => ({ format: "qls-policy/1", tenant: "t", agents: { a: { tools: ["*"] } }, tools: [{ name: "r", effect: "read", parameters: { type: "object", properties: { v: {} } } }], settings: { limits } });
  core.send("keys", { name: "k", keys: keySet });
  core.send("register", { name: "small", policy: policy({ bytes: 200, depth: 6 }) });
  const check = (request: string | Uint8Array, keys = "k") => core.send("check", { policy: "small", keys, base64: b64(request) });
  const start = '{"format":"qls-tool-check/1","session":"s","tool":"r","now":5,"arguments":{"v":"';
  const sized = (length: number) => start + "x".repeat(length - start.length - 3) + '"}}';
  it("limits.bytes bounds it: at the limit read, past it json_size at the limit", () => {
    expect(sized(200).length).toBe(200);
    expect(check(sized(200)).ok?.decision).toBe("allow");
    expect(check(sized(201)).error).toMatchObject({ code: "json_size", offset: 200 });
    expect(check(Buffer.alloc(201, 0xff)).error?.code).toBe("json_size");
    expect(check(Buffer.alloc(200, 0xff)).error?.code).toBe("json_encoding");
  });
  it("its history is not counted", () => {
    const history = { format: "qls-history/1", session: "s", entries: [] as unknown[] };
    for (let step = 0; step < 5; step++) {
      const request = `{"format":"qls-tool-check/1","session":"s","tool":"r","now":5,"arguments":{},"history":${JSON.stringify(history)}}`;
      const answer = check(request);
      expect(answer.ok?.step).toBe(step);
      history.entries.push(answer.ok.entry);
    }
  });
  it("limits.depth bounds it: the request is the first container", () => {
    const nested = (depth: number) => `{"format":"qls-tool-check/1","session":"s","tool":"r","now":5,"arguments":{"v":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
    expect(check(nested(4)).ok?.decision).toBe("allow");
    const { error } = check(nested(5));
    expect(error).toMatchObject({ code: "json_depth", offset: nested(5).indexOf("[[[[[") + 4, pointer: "/arguments/v/0/0/0/0" });
  });
  it("is read as it stands: what is wrong in it is the request's error, with the offset in its text", () => {
    expect(check('{"format":"qls-tool-check/1","format":"x"}').error).toMatchObject({ code: "json_duplicate", offset: 29 });
    expect(check("{").error).toMatchObject({ code: "json_syntax", offset: 1 });
    expect(check("\ufeff{}").error).toMatchObject({ code: "json_encoding", offset: 0 });
    expect(check("[]").error).toMatchObject({ code: "request_invalid", pointer: "" });
  });
  it("what was checked is what runs: an allow carries the canonical arguments", () => {
    const { ok } = check('{"format":"qls-tool-check/1","session":"s","tool":"r","now":5,"arguments":{"v":{"b":40.00,"a":"\\u00e9\\/"}}}');
    expect(jcs(ok.arguments)).toBe('{"v":{"a":"é/","b":40}}');
  });
  it("answers are canonical", () => {
    const line = core.line(text({ id: 1, op: "check", policy: "small", keys: "k", request: raw('{"format":"qls-tool-check/1","session":"s","tool":"r","now":5,"arguments":{"v":1e21},"labels":{"call":["z","b"]}}') }));
    expect(line).toBe(jcs(JSON.parse(line)).replace("1e21", "1e+21"));
  });
});

describe("canonical form", () => {
  it("members sorted by UTF-16 code units", () => {
    reads('{"\\ufb33":1,"\\ud83d\\ude00":2,"\\u20ac":3,"\\r":4,"1":5,"\\u0080":6,"\\u00f6":7,"":8}', '{"":8,"\\r":4,"1":5,"\u0080":6,"ö":7,"€":3,"😀":2,"\ufb33":1}');
    reads('{"b":1,"aa":2,"a":3,"B":4,"10":5,"9":6,"a\\u0000":7}', '{"10":5,"9":6,"B":4,"a":3,"a\\u0000":7,"aa":2,"b":1}');
    reads('{"\uffff":1,"\u{10000}":2,"\u{10ffff}":3,"\ue000":4}', '{"\u{10000}":2,"\u{10ffff}":3,"\ue000":4,"\uffff":1}');
  });
  it("the seven short escapes, lower-case \\u00xx, and nothing else escaped", () => {
    reads('"\\b\\t\\n\\f\\r\\"\\\\\\/\\u0000\\u000b\\u001F\\u007f\\u2028\\u00A0\\u003c"', '"\\b\\t\\n\\f\\r\\"\\\\/\\u0000\\u000b\\u001f\u007f\u2028\u00a0<"');
    for (let code = 0; code < 32; code++) {
      const escape = `\\u00${code.toString(16).toUpperCase().padStart(2, "0")}`;
      reads(`"${escape}"`, JSON.stringify(String.fromCharCode(code)));
    }
  });
  it("no white space, no Unicode normalisation", () => {
    reads('[ "e\\u0301" , "\\u00e9", "\\ufb01" ]', '["e\u0301","é","\ufb01"]');
  });
  it("ECMAScript number printing", () => {
    for (const [input, output] of [["1e-6", "0.000001"], ["1e-7", "1e-7"], ["123456789e-15", "1.23456789e-7"], ["100000000000000000000", "100000000000000000000"], ["1e21", "1e+21"], ["-1.50", "-1.5"], ["5e-324", "5e-324"], ["0.1e1", "1"]]) reads(input!, output!);
  });
  it("`text` is read like `base64`", () => {
    expect(core.send("canonicalize", { text: ' {"b":1.0,"a":2}' }).ok).toBe('{"a":2,"b":1}');
    expect(core.send("canonicalize", { text: "[1,]" }).error).toMatchObject({ code: "json_syntax", offset: 3 });
    expect(core.send("canonicalize", { text: "\ufeff1" }).error).toMatchObject({ code: "json_encoding", offset: 0 });
  });
});

describe("digests and names", () => {
  const document = { format: "qls-policy/1", tenant: "acme ü", agents: { a: { tools: ["*"] } }, tools: [{ name: "r", effect: "read", parameters: { type: "object", properties: { v: {} } } }] };
  const request = { format: "qls-tool-check/1", session: 's"1', tool: "r", arguments: { v: [40.5, "é", null] }, principal: { id: "ü 1", roles: ["x"] }, turns: ["a"], now: 5 };
  it("SHA-256 and HMAC-SHA-256", () => {
    for (const length of [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 1000]) {
      const message = Buffer.alloc(length, length % 251);
      expect(core.send("sha256", { base64: b64(message) }).ok).toBe(createHash("sha256").update(message).digest("base64"));
      const key = Buffer.alloc(length, 3);
      expect(core.send("hmac", { key: b64(key), base64: b64(message) }).ok).toBe(createHmac("sha256", key).update(message).digest("base64"));
    }
  });
  it("keyed argument digests: of the arguments object, each argument, the principal's id and the evidence", () => {
    core.send("keys", { name: "k", keys: keySet });
    core.send("register", { name: "p", policy: document });
    const { entry } = core.send("check", { policy: "p", keys: "k", request }).ok;
    const keyed = (value: unknown) => keyedDigest(digestKey, "acme ü", 's"1', value);
    expect(entry.digest).toBe(keyed(request.arguments));
    expect(entry.arguments).toEqual({ v: keyed(request.arguments.v) });
    expect(entry.principal).toBe(keyed("ü 1"));
    expect(entry.evidence).toBe(keyed({ principal: request.principal, turns: ["a"] }));
    expect(entry.digest).toHaveLength(43);
  });
  it("plain argument digests have to be asked for", () => {
    const { digest_key: _, ...plain } = keySet;
    expect(core.send("keys", { name: "plain", keys: { ...plain, digests: "plain" } }).ok).toEqual({ active: "k1", preview: false });
    const { entry } = core.send("check", { policy: "p", keys: "plain", request }).ok;
    expect(entry.digest).toBe(plainDigest("acme ü", 's"1', request.arguments));
    expect(entry.principal).toBe(plainDigest("acme ü", 's"1', "ü 1"));
  });
  it("a policy's and a tool's name are labelled digests", () => {
    const { ok } = core.send("check", { policy: "p", keys: "k", request });
    const tool = { name: "r", description: "", effect: "read", parameters: document.tools[0]!.parameters, sends_out: false, reads_outside: false, privilege: "normal", after: [], not_after: [], irreversible: false, idempotent: false, defaults: {}, also_called: [] };
    expect(ok.entry.snapshot).toBe(digest("qls-tool/1\n", jcs(tool)));
    expect(ok.entry.policy).toBe(ok.policy);
  });
});

describe("key sets", () => {
  const keys = (set: unknown, name = "set") => core.send("keys", { name, keys: set });
  const refused = (set: unknown): void => {
    const answer = keys(set);
    expect([text(set), answer.error?.code]).toEqual([text(set), "keys_invalid"]);
  };
  const oct = (more: object = {}) => ({ kid: "a", kty: "oct", alg: "HS256", k: b64u(Buffer.alloc(32, 1)), ...more });
  const seed = Buffer.alloc(32, 5);
  const pair = createPrivateKey({ key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]), format: "der", type: "pkcs8" });
  const x = createPublicKey(pair).export({ format: "jwk" }).x!;
  const okp = (more: object = {}) => ({ kid: "e", kty: "OKP", crv: "Ed25519", alg: "EdDSA", x, d: b64u(seed), ...more });
  const set = (more: object = {}) => ({ format: "qls-keys/1", active: "a", keys: [oct()], digests: "plain", ...more });
  it("accepted forms", () => {
    expect(keys(set()).ok).toEqual({ active: "a", preview: false });
    expect(keys(set({ active: "e", keys: [oct(), okp()] })).ok).toEqual({ active: "e", preview: false });
    expect(keys(set({ active: undefined })).ok).toEqual({ active: null, preview: false });
    expect(keys(set({ active: undefined, preview: true })).ok).toEqual({ active: null, preview: true });
    expect(keys(set({ active: undefined, keys: [okp({ d: undefined })] })).ok).toEqual({ active: null, preview: false });
    expect(keys(set({ keys: [oct({ use: "sign" }), okp({ use: "approve", d: undefined })] })).ok).toEqual({ active: "a", preview: false });
    expect(keys(set({ licence: { id: "l", expires: null } })).ok).toEqual({ active: "a", preview: false });
    expect(keys(set({ licence: { id: "l", expires: 1764445000 } })).ok).toEqual({ active: "a", preview: false });
    expect(keys(set({ digests: undefined, digest_key: b64u(Buffer.alloc(32)) })).ok).toEqual({ active: "a", preview: false });
    expect(keys(set({ keys: [oct({ k: b64u(Buffer.alloc(200, 1)) })] })).ok).toEqual({ active: "a", preview: false });
    expect(keys(set({ active: "A-z_0".padEnd(64, "9"), keys: [oct({ kid: "A-z_0".padEnd(64, "9") })] })).ok.active).toHaveLength(64);
  });
  it("a set that is not of the form", () => {
    for (const bad of [null, [], "x", 1, {}, set({ format: "qls-keys/2" }), set({ format: undefined }), set({ keys: undefined }), set({ keys: {} }), set({ keys: [null] }), set({ keys: ["a"] }), set({ active: 1 }), set({ active: null }), set({ active: undefined, preview: "true" }), set({ active: undefined, preview: 1 })]) refused(bad);
  });
  it("an unknown member, of the set, a key or the licence", () => {
    for (const bad of [set({ x: 1 }), set({ "x-note": 1 }), set({ keys: [oct({ key_ops: ["sign"] })] }), set({ keys: [oct({ x })] }), set({ keys: [oct(), okp({ k: oct().k })] }), set({ keys: [oct({ crv: "Ed25519" })] }), set({ licence: { id: "l", expires: null, more: 1 } }), set({ keys: [oct({ "x-a": 1 })] })]) refused(bad);
  });
  it("`kid` matches [A-Za-z0-9_-]{1,64}; `active` names a key that signs", () => {
    for (const kid of ["", "a".repeat(65), "a.b", "a b", "é", "a\n", "a/b", "a+", 1, null, undefined]) refused(set({ active: undefined, keys: [oct({ kid })] }));
    for (const bad of [set({ active: "b" }), set({ active: "e", keys: [okp({ d: undefined })] }), set({ keys: [oct({ use: "approve" })] }), set({ keys: [] }), set({ keys: [oct(), oct({ k: b64u(Buffer.alloc(32, 2)) })] })]) refused(bad);
  });
  it("an oct key has 32 bytes or more, of strict base64url, and its own alg", () => {
    for (const bad of [{ k: b64u(Buffer.alloc(31, 1)) }, { k: "" }, { k: undefined }, { k: b64(Buffer.alloc(32, 255)) }, { k: b64(Buffer.alloc(32, 1)) }, { k: oct().k.slice(0, -1) + "F" }, { k: oct().k + " " }, { k: oct().k.slice(0, -2) + "=E" }, { k: 5 }, { k: oct().k + "AA" }, { alg: "HS512" }, { alg: undefined }, { alg: "EdDSA" }, { kty: "OKP" }, { kty: "EC" }, { kty: undefined }, { use: "sig" }, { use: null }, { use: "" }]) refused(set({ keys: [oct(bad)] }));
  });
  it("an Ed25519 key: x is d's, both of 32 bytes, curve and alg as named", () => {
    const other = createPublicKey(createPrivateKey({ key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 6)]), format: "der", type: "pkcs8" })).export({ format: "jwk" }).x!;
    for (const bad of [{ x: other }, { x: undefined }, { crv: "Ed448" }, { crv: "X25519" }, { crv: undefined }, { alg: "HS256" }, { alg: "Ed25519" }, { alg: undefined }, { d: b64u(Buffer.alloc(31, 5)) }, { d: b64u(Buffer.alloc(33, 5)) }, { x: b64u(Buffer.alloc(31, 5)) }, { x: b64u(Buffer.alloc(33, 5)), d: undefined }, { d: b64(seed) }, { d: null }]) refused(set({ active: "e", keys: [okp(bad)] }));
  });
  it("digest_key of 32 bytes, or digests plain, and not both", () => {
    for (const bad of [{ digests: undefined }, { digest_key: b64u(digestKey) }, { digests: "keyed" }, { digests: true }, { digests: undefined, digest_key: b64u(Buffer.alloc(31)) }, { digests: undefined, digest_key: b64u(Buffer.alloc(33)) }, { digests: undefined, digest_key: b64(Buffer.alloc(32, 9)) }, { digests: undefined, digest_key: null }, { digests: null }]) refused(set(bad));
  });
  it("preview and active exclude each other", () => {
    refused(set({ preview: true }));
  });
  it("a licence has an id and an expiry in seconds, or null", () => {
    for (const licence of [null, {}, [], "l", { id: "l" }, { expires: 5 }, { id: 5, expires: 5 }, { id: "l", expires: "5" }, { id: "l", expires: 1.5 }, { id: "l", expires: true }]) refused(set({ licence }));
  });
  const document = { format: "qls-policy/1", tenant: "t", agents: { a: { tools: ["*"] } }, tools: [{ name: "w", irreversible: true }] };
  const check = (name: string, more: object = {}) => core.send("check", { policy: "w", keys: name, request: { format: "qls-tool-check/1", session: "s", tool: "w", arguments: {}, now: 5, ...more } });
  it("without active and preview, check is keys_cannot_sign", () => {
    core.send("register", { name: "w", policy: document });
    keys(set({ active: undefined }), "verify");
    expect(check("verify").error?.code).toBe("keys_cannot_sign");
    expect(check("verify", { arguments: 5 }).error).toBeDefined();
  });
  it("a preview decides, with every token and confirmation null", () => {
    keys(set({ active: undefined, preview: true }), "preview");
    const { ok } = check("preview");
    expect(ok).toMatchObject({ decision: "confirm", reason: "write", confirmation: null });
    expect(ok.entry.token).toBeNull();
    const history = { format: "qls-history/1", session: "s", entries: [ok.entry] };
    expect(check("preview", { history }).ok.step).toBe(1);
    keys(set(), "signs");
    expect(check("signs", { history }).ok.reason).toBe("history_invalid");
  });
  it("a token is KID.SIGNATURE by the active key, HMAC or Ed25519; rotation keeps what was signed", () => {
    keys(set({ active: "e", keys: [oct(), okp()] }), "ed");
    const { ok } = check("ed");
    const link = Buffer.from(ok.link, "base64url");
    const message = Buffer.concat([Buffer.from("qls-token/1\n"), link]);
    expect(ok.entry.token).toBe("e." + sign(null, message, pair).toString("base64url"));
    keys(set(), "hs");
    const second = check("hs").ok;
    expect(second.entry.token).toBe("a." + createHmac("sha256", Buffer.alloc(32, 1)).update("qls-token/1\n").update(Buffer.from(second.link, "base64url")).digest("base64url"));
    const history = { format: "qls-history/1", session: "s", entries: [ok.entry] };
    keys(set({ keys: [oct(), okp({ d: undefined })] }), "rotated");
    expect(check("rotated", { history }).ok.step).toBe(1);
    keys(set({ keys: [oct(), okp({ use: "approve" })] }), "otherUse");
    expect(check("otherUse", { history }).ok.reason).toBe("history_invalid");
    expect(check("hs", { history }).ok.reason).toBe("history_invalid");
  });
  it("Ed25519 verification is strict", () => {
    const message = Buffer.from("hello");
    const signature = sign(null, message, pair);
    const verify = (s: Buffer, key: Buffer, m = message) => core.send("ed25519", { signature: b64(s), public: b64(key), base64: b64(m) }).ok;
    const key = Buffer.from(x, "base64url");
    expect(verify(signature, key)).toBe(true);
    expect(verify(signature, key, Buffer.from("hellp"))).toBe(false);
    const L = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt("0x" + Buffer.from(signature.subarray(32)).reverse().toString("hex"));
    const large = Buffer.from((s + L).toString(16).padStart(64, "0"), "hex").reverse();
    expect(verify(Buffer.concat([signature.subarray(0, 32), large]), key)).toBe(false);
    const identity = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]);
    const zero = Buffer.alloc(32);
    expect(verify(Buffer.concat([identity, zero]), identity)).toBe(false); // small-order A and R; the equation holds
    expect(verify(Buffer.concat([identity, zero]), key)).toBe(false);
    const nonCanonical = Buffer.from("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "hex");
    expect(verify(Buffer.concat([nonCanonical, zero]), nonCanonical)).toBe(false);
    for (const length of [0, 63, 65]) expect(verify(Buffer.alloc(length), key)).not.toBe(true);
    for (const length of [0, 31, 33]) expect(verify(signature, Buffer.alloc(length))).not.toBe(true);
  });
});
