// Chapter 8, operation by operation: members and answers, lines that are no requests, names, session handles, memory.

import { describe, expect, it } from "vitest";
import { b64, Core, digest, jcs, keySet, raw, text } from "./conform-core.ts";

const core = new Core();
const policy = { format: "qls-policy/1", tenant: "t", agents: { a: { tools: ["*"] } }, tools: [{ name: "r", effect: "read", parameters: { type: "object", properties: { v: {} } } }, { name: "w", irreversible: true }, { name: "p", irreversible: true, parameters: { type: "object", properties: { v: { pattern: "(?=a)" } } } }] };
const request = (members: object = {}) => ({ format: "qls-tool-check/1", session: "s", tool: "r", arguments: {}, now: 5, ...members });
const code = (op: string, members: object = {}, on = core) => {
  const { ok, error } = on.send(op, members as Record<string, unknown>);
  return error ? error.code + (error.pointer ?? "") : text(ok);
};
core.send("keys", { name: "k", keys: keySet });
core.send("register", { name: "p", policy });

describe("lines", () => {
  it("one canonical line for each, under the line's id", () => {
    for (const id of [null, 1, "x", [1, { b: 2, a: 1 }], { z: true }, ""]) {
      expect(core.line(text({ id, op: "sha256", base64: "" }))).toBe(jcs({ id, ok: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" }));
    }
    expect(core.line('{"op":"canonicalize","text":"1","id":1.50}')).toBe('{"id":1.5,"ok":"1"}');
    expect(core.line(' { "id" : 1 , "op" : "nope" } \r\n')).toMatch(/^\{"error":\{"code":"op_unknown",.*\},"id":1\}$/);
  });
  it("a line that is no such object, or no strict JSON, is line_invalid under null; the driver never dies", () => {
    const hostile: (string | Uint8Array)[] = [
      "", " ", "null", "[]", "5", '"x"', "{}", '{"id":1}', '{"op":"sha256","base64":""}', '{"id":1,"op":5}', '{"id":1,"op":"sha256","base64":""} x', '{"id":1,"id":2,"op":"sha256","base64":""}', '{"id":"\\ud800","op":"sha256"}', '{"id":1,"op":"sha256",}', "{", "[".repeat(200000), '{"a":'.repeat(200000),
      '{"id":1,"op":"canonicalize","text":"\\udc00"}', '{"id":1,"op":"check","policy":"p","keys":"k","request":{"a":1,"a":2}}', "\ufeff{}", Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from([0xff]), Buffer.alloc(1000), "'", '{"id":01,"op":"x"}',
    ];
    for (const line of hostile) {
      const { id, error } = core.ask(line);
      expect([id, error?.code]).toEqual([null, "line_invalid"]);
    }
    expect(core.send("sha256", { base64: "" }).ok).toBe("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  });
  it("an unknown op op_unknown, an unknown name name_unknown", () => {
    for (const op of ["nope", "", "SHA256", "sha256 ", "__proto__", "toString"]) expect(code(op)).toBe("op_unknown");
    expect(code("check", { policy: "zz", keys: "k", request: request() })).toBe("name_unknown");
    expect(code("check", { policy: "p", keys: "zz", request: request() })).toBe("name_unknown");
    expect(code("check", { handle: "zz", request: request() })).toBe("name_unknown");
    for (const op of ["open", "verify", "report", "receipt"]) expect(code(op, { name: "h", policy: "zz", keys: "zz", session: "s", history: {}, step: 0, status: "ran", tool: "r", arguments: {}, now: 5 })).toBe("name_unknown");
    expect(code("report", { handle: "zz", step: 0, status: "ran" })).toBe("name_unknown");
    expect(code("close", { name: "zz" })).toBe("name_unknown");
  });
  it("a missing or wrong member is an error of that line", () => {
    const lines: [string, Record<string, unknown>][] = [["sha256", {}], ["sha256", { base64: 5 }], ["sha256", { base64: "Y" }], ["sha256", { base64: "*" }], ["hmac", { base64: "" }], ["ed25519", { base64: "" }], ["canonicalize", {}], ["canonicalize", { text: 5 }], ["keys", { keys: keySet }], ["keys", { name: "x" }], ["register", { policy }], ["register", { name: "x" }], ["check", {}], ["check", { policy: "p", keys: "k" }], ["schema", { value: 1 }], ["schema", { schema: true }], ["destinations", {}], ["destinations", { value: 5 }], ["typed", { value: "x" }], ["typed", { turns: [] }], ["rule", {}], ["verify", { policy: "p", keys: "k" }], ["close", {}]];
    for (const [op, members] of lines) expect([op, text(members), typeof core.send(op, members).error?.code]).toEqual([op, text(members), "string"]);
  });
});

describe("operations without a policy", () => {
  it("sha256, hmac, ed25519: base64 in, base64 or a boolean out", () => {
    const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
    expect(core.send("sha256", { base64: b64("abc") }).ok).toBe("ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    expect(core.send("hmac", { key: b64("Jefe"), base64: b64("what do ya want for nothing?") }).ok).toBe(base64("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")); // RFC 4231, test case 2
    const vector = { public: base64("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"), signature: base64("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b") }; // RFC 8032, 7.1, test 1
    expect(core.send("ed25519", { ...vector, base64: "" }).ok).toBe(true);
    expect(core.send("ed25519", { ...vector, base64: "AA==" }).ok).toBe(false);
  });
  it("canonicalize, schema, destinations, typed, rule", () => {
    expect(core.send("canonicalize", { text: '{"b":1,"a":"\\u0001"}' }).ok).toBe('{"a":"\\u0001","b":1}');
    expect(core.send("schema", { schema: { properties: { a: { type: "string" } } }, value: { a: 1 } }).ok).toEqual({ valid: false, partial: false, errors: [{ pointer: "/a", rule: "type" }] });
    expect(core.send("schema", { schema: {}, base64: b64("[1]") }).ok).toEqual({ valid: true, partial: false, errors: [] });
    expect(core.send("schema", { schema: { $ref: "u:x" }, value: 1, documents: { "u:x": false } }).ok.valid).toBe(false);
    expect(core.send("destinations", { value: "a@b.co, https://c.de" }).ok).toEqual([{ kind: "email", text: "a@b.co" }, { kind: "url", text: "https://c.de" }]);
    expect(core.send("destinations", { value: "main.rs", argument: "host" }).ok).toEqual([{ kind: "host", text: "main.rs" }]);
    expect(core.send("typed", { value: raw("40.00"), turns: ["R$40,00"], language: "pt-BR" }).ok).toBe(true);
    expect(core.send("typed", { value: "x", turns: [] }).ok).toBe(false);
    expect(core.send("rule", { condition: "args.a > 1", variables: { args: { a: 2 } } }).ok).toEqual({ value: true });
    expect(core.send("rule", { condition: "$f", variables: {} }).ok).toEqual({ value: false });
    for (const condition of ["args.a > 1", "args.a >", "nope"]) {
      const { ok, error } = core.send("rule", { condition, variables: { args: {} } });
      expect(ok?.error ?? error, condition).toBeDefined();
    }
  });
});

describe("named things", () => {
  it("keys answers active and preview; kept under the name for later lines", () => {
    expect(core.send("keys", { name: "k9", keys: keySet }).ok).toEqual({ active: "k1", preview: false });
    expect(code("check", { policy: "p", keys: "k9", request: request() })).toContain('"decision":"allow"');
  });
  it("register answers the id, warnings and partial tools; policy_invalid lists problems by pointer", () => {
    const { ok } = core.send("register", { name: "p", policy });
    expect(Object.keys(ok).sort()).toEqual(["partial", "policy", "warnings"]);
    expect(ok.partial).toEqual(["p"]);
    expect(ok.policy).toHaveLength(43);
    const { error } = core.send("register", { name: "bad", policy: { ...policy, zz: 1, aa: 1, tools: [{ name: "x", effect: "z", parameters: { type: "q" } }] } });
    expect(error!.code).toBe("policy_invalid");
    expect(error!.problems!.map(({ pointer }) => pointer)).toEqual(["/aa", "/tools/0/effect", "/tools/0/parameters/type", "/zz"]);
    for (const problem of error!.problems!) expect(Object.keys(problem).sort()).toEqual(["code", "message", "pointer"]);
    expect(code("check", { policy: "bad", keys: "k", request: request() })).toBe("name_unknown");
  });
  it("a problem in a registered document has a JSON Pointer too", () => {
    const { error } = core.send("register", { name: "bad", policy: { ...policy, tools: [{ name: "x", effect: "read", parameters: { $ref: "http://x/y" } }] }, documents: { "http://x/y": { type: "q" } } });
    expect(error!.problems!.length).toBe(1);
    for (const { pointer } of error!.problems!) expect(pointer).toMatch(/^(\/([^~/]|~[01])*)*$/);
    expect(error!.problems![0]!.pointer).toBe("/documents/http:~1~1x~1y/type");
  });
  it("a name may be bound again; a failed line leaves what it named", () => {
    const first = core.send("register", { name: "again", policy }).ok.policy;
    const second = core.send("register", { name: "again", policy: { ...policy, tenant: "u" } }).ok.policy;
    expect(second).not.toBe(first);
    const id = () => core.send("check", { policy: "again", keys: "k", request: request() }).ok.policy;
    expect(id()).toBe(second);
    core.send("register", { name: "again", policy: {} });
    expect(id()).toBe(second);
    core.send("keys", { name: "k9", keys: {} });
    expect(code("check", { policy: "p", keys: "k9", request: request() })).toContain('"decision":"allow"');
  });
  it("check reads the request's text as it stands, or base64's bytes", () => {
    const ask = (members: object) => core.send("check", { policy: "p", keys: "k", ...members });
    const written = '{"format":"qls-tool-check/1","session":"s","tool":"r","arguments":{"v":1.50},"now":5}';
    expect(ask({ request: raw(written) }).ok).toEqual(ask({ base64: b64(written) }).ok);
    expect(ask({ request: request({ arguments: { v: raw("9007199254740993") } }) }).ok.detail.rule).toBe("precision");
    expect(ask({ base64: b64('{"a":1,"a":1}') }).error?.code).toBe("json_duplicate");
    expect(ask({ base64: b64("") }).error).toMatchObject({ code: "json_syntax", offset: 0 });
    for (const bad of [null, [], "x", 5]) expect(ask({ request: bad }).error?.code).toBe("request_invalid");
  });
  it("report answers the history, receipt the permit", () => {
    const first = core.send("check", { policy: "p", keys: "k", request: request({ arguments: { v: 1 } }) }).ok;
    const history = { format: "qls-history/1", session: "s", entries: [first.entry] };
    const reported = core.send("report", { policy: "p", keys: "k", session: "s", history, step: 0, status: "ran", at: 6, external_id: "x" }).ok;
    expect(reported.entries[0].outcome).toMatchObject({ status: "ran", at: 6 });
    expect(code("report", { policy: "p", keys: "k", session: "s", history, step: 1, status: "ran" })).toBe("outcome_no_step");
    expect(core.send("report", { policy: "p", keys: "k", session: "s", history, step: 0, status: "done" }).error).toBeDefined();
    expect(core.send("receipt", { policy: "p", keys: "k", session: "s", history, tool: "r", arguments: { v: 1 }, now: 6 }).ok).toMatchObject({ format: "qls-tool-receipt/1", decision: "allow", reason: "receipt", once: digest("qls-once/1\n", jcs({ link: first.link })) });
  });
});

describe("session handles", () => {
  const fresh = new Core();
  fresh.send("keys", { name: "k", keys: keySet });
  const id = fresh.send("register", { name: "p", policy }).ok.policy;
  const open = (members: object = {}) => fresh.send("open", { name: "h", policy: "p", keys: "k", session: "s", ...members });
  it("open answers the head; without a history it is the new session's", () => {
    const head = { step: -1, link: digest("qls-history/1\n", jcs({ session: "s", tenant: "t" })), state: digest("qls-state/1\n", jcs({ outcome: null, reports: {} })) };
    expect(open().ok).toEqual(head);
    expect(open({ history: { format: "qls-history/1", session: "s", entries: [] } }).ok).toEqual(head);
  });
  it("each check and report extends it, and the answers are the stateless check's", () => {
    open();
    let history = { format: "qls-history/1", session: "s", entries: [] as unknown[] };
    for (let step = 0; step < 3; step++) {
      const one = fresh.send("check", { handle: "h", request: request({ now: 5 + step }) }).ok;
      const two = fresh.send("check", { policy: "p", keys: "k", request: request({ now: 5 + step, history }) }).ok;
      expect(one).toEqual(two);
      history = { ...history, entries: [...history.entries, two.entry] };
      const head = fresh.send("report", { handle: "h", step, status: "ran" }).ok;
      history = fresh.send("report", { policy: "p", keys: "k", session: "s", history, step, status: "ran" }).ok;
      expect(head).toEqual(fresh.send("verify", { policy: "p", keys: "k", session: "s", history }).ok.head);
    }
  });
  it("a request with a handle carries no history and names its session", () => {
    open();
    expect(code("check", { handle: "h", request: request({ history: { format: "qls-history/1", session: "s", entries: [] } }) }, fresh)).toBe("request_invalid/history");
    expect(code("check", { handle: "h", request: request({ session: "other" }) }, fresh)).toBe("request_invalid/session");
  });
  it("it is bound to that policy and key set", () => {
    open();
    fresh.send("register", { name: "p", policy: { ...policy, tenant: "u" } });
    fresh.send("keys", { name: "k", keys: { ...keySet, active: "k2", keys: [{ ...keySet.keys[0], kid: "k2" }] } });
    const { ok } = fresh.send("check", { handle: "h", request: request() });
    expect(ok.policy).toBe(id);
    expect(ok.entry.token).toMatch(/^k1\./);
    fresh.send("register", { name: "p", policy });
    fresh.send("keys", { name: "k", keys: keySet });
  });
  it("opening a history that does not verify is history_invalid", () => {
    for (const history of [{}, null, 5, [], { format: "qls-history/1", session: "other", entries: [] }, { format: "qls-history/1", session: "s", entries: [{}] }]) expect(open({ history }).error?.code).toBe("history_invalid");
  });
  it("reports through a handle: the same errors", () => {
    open();
    fresh.send("check", { handle: "h", request: request() });
    fresh.send("check", { handle: "h", request: request({ tool: "w" }) });
    expect(code("report", { handle: "h", step: 5, status: "ran" }, fresh)).toBe("outcome_no_step");
    expect(code("report", { handle: "h", step: 1, status: "ran" }, fresh)).toBe("outcome_not_allowed");
    expect(fresh.send("report", { handle: "h", step: 0, status: "ran" }).ok.step).toBe(1);
    expect(code("report", { handle: "h", step: 0, status: "failed" }, fresh)).toBe("outcome_already_reported");
  });
  it("close ends it; opening the same name again starts anew", () => {
    open();
    fresh.send("check", { handle: "h", request: request() });
    expect(open().ok.step).toBe(-1);
    expect(fresh.send("close", { name: "h" }).error).toBeUndefined();
    expect(code("check", { handle: "h", request: request() }, fresh)).toBe("name_unknown");
    expect(code("close", { name: "h" }, fresh)).toBe("name_unknown");
  });
});

describe("memory", () => {
  it("nothing of a line is kept for the next: lines by the thousand leave it as large as it was", () => {
    const one = new Core();
    one.send("keys", { name: "k", keys: keySet });
    one.send("register", { name: "p", policy });
    const lines = [
      text({ id: 1, op: "check", policy: "p", keys: "k", request: request({ arguments: { v: "x".repeat(20000) } }) }), "[".repeat(20000), text({ id: 1, op: "schema", schema: { pattern: "(a|b)*c" }, value: "ab".repeat(5000) }), text({ id: 1, op: "keys", name: "k", keys: keySet }), text({ id: 1, op: "register", name: "p", policy }), text({ id: 1, op: "register", name: "p", policy: {} }),
      text({ id: 1, op: "open", name: "h", policy: "p", keys: "k", session: "s" }), text({ id: 1, op: "rule", condition: "args.a.all(x, x > 0)", variables: { args: { a: Array(500).fill(1) } } }),
    ];
    for (let round = 0; round < 20; round++) for (const line of lines) one.line(line);
    const size = one.bytes;
    for (let round = 0; round < 300; round++) for (const line of lines) one.line(line);
    expect(one.bytes).toBe(size);
  });
});
