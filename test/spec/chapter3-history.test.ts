// Chapter 3, "An entry" and "Links and tokens": what an entry holds, which histories verify.

import { describe, expect, it } from "vitest";
import type { Json } from "./core.ts";
import { NOW, SHOP, Session, keySet, object, okp, read, said, shop, three, without } from "./world.ts";
import * as f from "./formulas.ts";

const two: Json = { ...SHOP.agents, helper: { privilege: "low", tools: ["get_order", "read_inbox"] } };

describe("an entry", () => {
  it("holds digests keyed by session and tenant, and every formula of the table", () => {
    const s = new Session();
    const answer = s.check("get_order", { order_id: "4411" }, {
      origins: { order_id: "typed" }, turns: ["order 4411"], context: { a: true }, principal: { id: "u-1", roles: ["x"] }, resource: { owner: 1 },
      labels: { call: ["pii"], arguments: { order_id: ["pii", "other:x"] } },
    });
    expect(said(answer)).toBe("allow allow");
    expect(answer.entry.labels).toEqual(["other:x", "pii"]);
    const ks = f.mac(Buffer.from(s.keys.digest_key, "base64url"), 'qls-digest-key/1\n{"session":"chat-17","tenant":"acme"}');
    expect(answer.entry.arguments.order_id).toBe(f.b64u(f.mac(ks, 'qls-argument/1\n"4411"')));
    expect(answer.link).toBe(f.b64u(f.hash("qls-link/1\n", f.hash('qls-history/1\n{"session":"chat-17","tenant":"acme"}'), "{}\n", f.jcs(without(answer.entry, "token")))));
  });

  it("plain digests: asked for, and computed without a secret", () => {
    const keys = without(keySet({ digests: "plain" }), "digest_key");
    const answer = new Session(SHOP, keys).check("get_order", { order_id: "4411" });
    expect(answer.entry.arguments.order_id).toBe(f.b64u(f.hash('qls-argument/1\n{"session":"chat-17","tenant":"acme"}\n"4411"')));
  });

  it("Ed25519 signs tokens and confirmations as RFC 8032 does", () => {
    const s = new Session(SHOP, keySet({ active: "e", keys: [okp("e")] }));
    s.run("charge", { order_id: "1" });
    expect(s.verify()).toEqual({ valid: true, head: s.head() });
  });

  it("agent is null where the request named none, in the entry and in the confirmation (never filled in)", () => {
    const s = new Session();
    const answer = s.check("ping");
    expect(answer.entry.agent).toBe(null);
    expect(f.payloadOf(answer.confirmation).agent).toBe(null);
  });

  it("an unknown tool: arguments and origins are {}, no snapshot, no outside", () => {
    const entry = new Session().check("nope", { a: 1 }, { origins: { a: "typed" } }).entry;
    expect([entry.arguments, entry.origins, "snapshot" in entry, "outside" in entry]).toEqual([{}, {}, false, false]);
  });

  it("a tool of the catalogue that the agent may not reach still has its snapshot, outside and declared arguments", () => {
    const s = new Session(shop({ agents: { desk: { tools: ["ping"] } } }));
    const answer = s.check("read_inbox", { folder: "in", x: 1 });
    expect(said(answer)).toBe("refuse unknown_tool");
    expect([answer.entry.outside, Object.keys(answer.entry.arguments)]).toEqual([true, ["folder"]]);
  });

  it("undeclared names stay out of arguments and origins", () => {
    const entry = new Session().check("get_order", { order_id: "1", note: "x" }, { origins: { note: "typed", order_id: "typed" } }).entry;
    expect([Object.keys(entry.arguments), entry.origins]).toEqual([["order_id"], { order_id: "typed" }]);
  });

  it("names declared by patternProperties or a schema in additionalProperties are in; additionalProperties true declares none", () => {
    const tool = (more: Json): Json => read("t", { parameters: object({ a: "string" }, more) });
    const names = (more: Json): string[] =>
      Object.keys(new Session(shop({ tools: [tool(more)] })).check("t", { a: "1", x_b: "2", c: "3" }).entry.arguments);
    expect(names({ patternProperties: { "^x_": {} } })).toEqual(["a", "x_b"]);
    expect(names({ additionalProperties: { type: "string" } })).toEqual(["a", "c", "x_b"]);
    expect(names({ additionalProperties: {} })).toEqual(["a", "c", "x_b"]);
    expect(names({ additionalProperties: true })).toEqual(["a"]);
  });

  it("origins of the entry are what the caller claimed, malformed ones too; a missing claim is model", () => {
    const entry = new Session().check("charge", { order_id: "1", amount: 2 }, { origins: { order_id: "Result:x" } }).entry;
    expect(entry.origins).toEqual({ amount: "model", order_id: "Result:x" });
  });

  it("evidence: absent inputs are left out, empty ones are not", () => {
    const s = new Session();
    expect(s.peek("ping").entry.evidence).toBe(s.digest({}));
    expect(s.peek("ping", {}, { turns: [], context: {} }).entry.evidence).toBe(s.digest({ context: {}, turns: [] }));
  });

  it("at is the later of now and the previous entry's at", () => {
    const s = new Session();
    s.check("ping");
    s.now = NOW - 50;
    const asked = s.check("ping");
    expect(asked.entry.at).toBe(NOW);
    expect(f.payloadOf(asked.confirmation).iat).toBe(NOW);
  });

  it("snapshot and outside are on refusals too", () => {
    const entry = new Session().check("read_inbox", { folder: 5 }).entry;
    expect([entry.decision, entry.outside, typeof entry.snapshot]).toEqual(["refuse", true, "string"]);
  });

  it("undoes is on every undo, a refused one too", () => {
    const s = new Session();
    const answer = s.check("refund", { order_id: "1" }, { undo: { step: 7 } });
    expect([said(answer), answer.entry.undoes, answer.detail]).toEqual(["refuse compensation_mismatch", 7, { step: 7, mismatch: "no_such_step" }]);
    expect(s.verify().valid).toBe(true);
  });

  it("undoes is on an undo that an earlier step refuses (step 1, step 3)", () => {
    const s = new Session();
    expect(s.check("nope", {}, { undo: { step: 0 } }).entry.undoes).toBe(0);
    expect(s.check("refund", { zzz: 1 }, { undo: { step: 0 } }).entry.undoes).toBe(0);
  });

  it("labels of a call refused at step 1 or 3 are on its entry", () => {
    const s = new Session();
    expect(s.check("nope", { a: 1 }, { labels: { call: ["pii"], arguments: { a: ["pci"], b: ["no"] } } }).entry.labels).toEqual(["pci", "pii"]);
    expect(s.check("get_order", { order_id: 1 }, { labels: { call: ["pii"] } }).entry.labels).toEqual(["pii"]);
  });

  it("derived marks are on the entry of a refused call and of a read", () => {
    const s = new Session();
    s.run("read_inbox", { folder: "in" });
    expect(s.check("get_order", { order_id: 1 }).entry.labels).toEqual(["untrusted:read_inbox"]);
    expect(s.check("get_order", { order_id: "1" }).entry.labels).toEqual(["untrusted:read_inbox"]);
    expect(s.check("get_order", { order_id: "1" }, { origins: { order_id: "context" } }).entry.labels).toEqual([]);
  });
});

describe("a history verifies when", () => {
  const refusedAs = (s: Session): string => {
    expect(s.verify(), "verify says so too").toEqual({ valid: false });
    const answer = s.peek("get_order", { order_id: "1" });
    expect([answer.entry.step, answer.entry.restarted, "detail" in answer]).toEqual([0, true, false]);
    return said(answer);
  };
  const broken: [string, (s: Session) => void][] = [
    ["another format", (s) => void (s.history.format = "qls-history/2")],
    ["no format", (s) => void delete s.history.format],
    ["another session", (s) => void (s.history.session = "chat-18")],
    ["a member of its own", (s) => void (s.history.x = 1)],
    ["entries no list", (s) => void (s.history.entries = {})],
    ["no entries", (s) => void delete s.history.entries],
    ["reports no object", (s) => void (s.history.reports = [])],
    ["reports null", (s) => void (s.history.reports = null)],
    ["an entry null", (s) => void (s.history.entries[0] = null)],
    ["the first entry cut", (s) => void s.history.entries.shift()],
    ["the middle one cut", (s) => void s.history.entries.splice(1, 1)],
    ["two swapped", (s) => void s.history.entries.splice(0, 2, s.history.entries[1], s.history.entries[0])],
    ["a tool edited", (s) => void (s.history.entries[0].tool = "ping")],
    ["a token with a char changed", (s) => void (s.history.entries[0].token = s.history.entries[0].token.replace(/.$/, (c: string) => (c === "A" ? "E" : "A")))],
    ["a token with unused bits set", (s) => void (s.history.entries[2].token = flip(s.history.entries[2].token))],
    ["a token padded", (s) => void (s.history.entries[2].token += "=")],
    ["a token without a kid", (s) => void (s.history.entries[2].token = s.history.entries[2].token.slice(2))],
    ["a token of an unknown kid", (s) => void (s.history.entries[2].token = `k9${s.history.entries[2].token.slice(2)}`)],
    ["a token that is null", (s) => void (s.history.entries[2].token = null)],
    ["no token", (s) => void delete s.history.entries[2].token],
    ["an outcome on a question", (s) => void (s.history.entries[1].outcome = { status: "ran" })],
    ["a last outcome of an unknown status", (s) => void (s.history.entries[2].outcome = { status: "done" })],
    ["a last outcome with a member of its own", (s) => void (s.history.entries[2].outcome = { status: "ran", note: "x" })],
    ["a last outcome without status", (s) => void (s.history.entries[2].outcome = { at: 1 })],
    ["a last outcome that is null", (s) => void (s.history.entries[2].outcome = null)],
    ["a last outcome whose at is no integer", (s) => void (s.history.entries[2].outcome = { status: "ran", at: 1.5 })],
    ["a last outcome whose result is no object", (s) => void (s.history.entries[2].outcome = { status: "ran", result: "x" })],
    ["a last outcome whose result holds no digest", (s) => void (s.history.entries[2].outcome = { status: "ran", result: { a: 1 } })],
    ["a pending report of a refused step", (s) => void (s.history.reports = { 1: { status: "ran" } })],
    ["a pending report of no step", (s) => void (s.history.reports = { 3: { status: "ran" } })],
    ["a pending report of a step written otherwise", (s) => void (s.history.reports = { "00": { status: "ran" } })],
    ["a pending report of -0", (s) => void (s.history.reports = { "-0": { status: "ran" } })],
    ["a pending report of 2^32", (s) => void (s.history.reports = { 4294967296: { status: "ran" } })],
    ["a pending report that is no outcome", (s) => void (s.history.reports = { 0: { status: "x" } })],
    ["a pending report that differs from the outcome", (s) => void (s.history.reports = { 2: { status: "failed" } })],
  ];
  const flip = (token: string): string => token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1);
  it.each(broken)("broken: %s", (_, edit) => {
    const s = three();
    edit(s);
    expect(refusedAs(s)).toBe("refuse history_invalid");
  });
  it.each([["null", null], ["a number", 5], ["a string", "x"], ["a list", []], ["an empty object", {}], ["true", true]])("broken: a history that is %s", (_, history) => {
    const s = new Session();
    s.history = history;
    expect(s.verify()).toEqual({ valid: false });
    const answer = s.ask("get_order", { order_id: "1" }).ok;
    expect([said(answer), answer.entry.step, answer.entry.restarted]).toEqual(["refuse history_invalid", 0, true]);
  });

  // Entries that a key holder signed but that no check would have written.
  const forged: [string, (s: Session) => void, boolean][] = [
    ["a step that is not its index", (s) => s.forge(1, { step: 5 }), false],
    ["an at that goes back", (s) => s.forge(1, { at: NOW - 1 }), false],
    ["an at that stays", (s) => s.forge(1, { at: NOW }), true],
    ["an at that is no integer", (s) => s.forge(2, { at: NOW + 0.5 }), false],
    ["an entry of another principal", (s) => s.forge(1, { principal: s.digest("u-9") }), false],
    ["an unknown member", (s) => s.forge(1, { note: "x" }), false],
    ["an unknown decision", (s) => s.forge(0, { decision: "maybe" }), false],
    ["reasons empty", (s) => s.forge(0, { reasons: [] }), false],
    ["agent a number", (s) => s.forge(0, { agent: 1 }), false],
    ["labels no list", (s) => s.forge(0, { labels: {} }), false],
    ["outside false", (s) => s.forge(0, { outside: false }), false],
    ["restarted false", (s) => s.forge(0, { restarted: false }), false],
    ["restarted, first", (s) => s.forge(0, { restarted: true }), true],
    ["restarted, later", (s) => s.forge(1, { restarted: true }), false],
    ["undoes a string", (s) => s.forge(0, { undoes: "1" }), false],
    ["undoes of a step that no history has (a refused undo may name any)", (s) => s.forge(0, { undoes: -1 }), true],
    ["arguments no digest", (s) => s.forge(0, { arguments: { a: "short" } }), false],
    ["policy no digest", (s) => s.forge(0, { policy: "x" }), false],
    ["reports empty", (s) => s.forge(2, { reports: {} }), false],
    ["reports of an earlier allowed step", (s) => s.forge(2, { reports: { 0: { status: "failed" } } }), true],
    ["reports of an earlier refused step", (s) => s.forge(2, { reports: { 1: { status: "failed" } } }), false],
    ["reports of its own step", (s) => s.forge(2, { reports: { 2: { status: "ran" } } }), false],
    ["reports of a later step", (s) => s.forge(0, { reports: { 2: { status: "ran" } } }), false],
    ["reports that agree with the outcome", (s) => { s.history.entries[0].outcome = { status: "ran" }; s.forge(2, { reports: { 0: { status: "ran" } } }); }, true],
    ["reports that differ from the outcome", (s) => { s.history.entries[0].outcome = { status: "ran" }; s.forge(2, { reports: { 0: { status: "ran", at: 1 } } }); }, false],
    ["two reports of one step that agree", (s) => { s.forge(1, { reports: { 0: { status: "ran" } } }); s.forge(2, { reports: { 0: { status: "ran" } } }); }, true],
    ["two reports of one step that differ", (s) => { s.forge(1, { reports: { 0: { status: "ran" } } }); s.forge(2, { reports: { 0: { status: "failed" } } }); }, false],
    ["a pending report that agrees with a signed one", (s) => { s.forge(1, { reports: { 0: { status: "ran" } } }); s.history.reports = { 0: { status: "ran" } }; }, true],
    ["a pending report that differs from a signed one", (s) => { s.forge(1, { reports: { 0: { status: "ran" } } }); s.history.reports = { 0: { status: "failed" } }; }, false],
    ["a member missing (evidence)", (s) => { delete s.history.entries[0].evidence; s.resign(); }, false],
    ["a member missing (labels)", (s) => { delete s.history.entries[0].labels; s.resign(); }, false],
    ["no snapshot (a tool that was not in the catalogue)", (s) => { delete s.history.entries[1].snapshot; s.resign(); }, true],
  ];
  it.each(forged)("signed: %s", (_, edit, valid) => {
    const s = three();
    edit(s);
    if (valid) expect(s.verify()).toEqual({ valid: true, head: s.head() });
    else expect(refusedAs(s)).toBe("refuse history_invalid");
  });

  it("every entry's principal is the request's; verify and receipt want all the same", () => {
    const s = new Session();
    s.also = { principal: { id: "u-1" } };
    s.run("get_order", { order_id: "1" }, {}, null);
    expect(said(s.peek("get_order", { order_id: "1" }, { principal: { id: "u-2" } }))).toBe("refuse history_invalid");
    expect(said(s.peek("get_order", { order_id: "1" }, { principal: undefined }))).toBe("refuse history_invalid");
    expect(said(s.peek("get_order", { order_id: "1" }, { principal: { id: "u-1", more: 1 } }))).toBe("allow allow");
    expect(s.verify().valid).toBe(true);
    expect(s.receipt("get_order", { order_id: "1" }, { principal: { id: "u-1" } }).reason).toBe("receipt");
    expect(s.receipt("get_order", { order_id: "1" }, { principal: { id: "u-2" } }).reason).toBe("receipt_mismatch");
    expect(s.receipt("get_order", { order_id: "1" }).reason).toBe("receipt_mismatch");
  });

  it("an empty or absent history is a new one", () => {
    const s = new Session();
    expect(s.peek("get_order", { order_id: "1" }, { history: undefined }).step).toBe(0);
    expect("restarted" in s.peek("get_order", { order_id: "1" }).entry).toBe(false);
  });

  it("members of an entry may come in any order, and numbers in any spelling", () => {
    const s = three();
    s.history.entries = s.history.entries.map((entry: Json) => Object.fromEntries(Object.entries(entry).reverse()));
    const text = JSON.stringify({ id: 1, op: "verify", policy: "p", keys: "k", session: s.session, history: s.history }).replaceAll(`${NOW}`, `${NOW}.0`);
    expect(JSON.parse(s.driver.line(text)).ok.valid).toBe(true);
  });

  it("an unknown session tenant: the same entries under another tenant do not verify", () => {
    const s = three();
    s.use({ ...SHOP, tenant: "other" });
    expect(s.verify()).toEqual({ valid: false });
  });

  it("longer than limits.history: history_invalid with the limit; exactly as long goes on", () => {
    const s = three({ policy: { settings: { limits: { history: 3 } } } });
    expect(said(s.check("get_order", { order_id: "1" }))).toBe("allow allow");
    const answer = s.peek("get_order", { order_id: "1" });
    expect([said(answer), answer.detail, answer.entry.restarted]).toEqual(["refuse history_invalid", { limit: 3 }, true]);
    expect(s.verify()).toEqual({ valid: false, detail: { limit: 3 } });
  });
});

describe("agents that are compared", () => {
  it("several agents: agent_required names them sorted", () => {
    const s = new Session(shop({ agents: { zed: { tools: ["*"] }, ...two } }));
    for (const more of [{}, { agent: "nobody" }]) {
      const answer = s.check("get_order", { order_id: "1" }, more);
      expect([said(answer), answer.detail]).toEqual(["refuse agent_required", { agents: ["desk", "helper", "zed"] }]);
      expect(answer.entry.agent).toBe((more as Json).agent ?? null);
    }
  });
  it("an absent agent is the only one: a confirmation asked without a name covers the call with it, and so does a receipt", () => {
    const s = new Session();
    const asked = s.check("ping");
    expect(said(s.check("ping", {}, { agent: "desk", confirmation: asked.confirmation }))).toBe("allow confirmed");
    expect(s.receipt("ping", {}).reason).toBe("receipt");
    const other = s.check("ping", {}, { agent: "desk" });
    expect(said(s.check("ping", {}, { confirmation: other.confirmation }))).toBe("allow confirmed");
    expect(s.receipt("ping", {}, { agent: "desk" }).reason).toBe("receipt");
    expect(s.receipt("ping", {}, { agent: "other" }).reason).toBe("receipt_mismatch");
  });
  it("no agent mark between the absent name and the only agent", () => {
    const s = new Session();
    s.run("get_order", { order_id: "1" });
    expect(s.check("ping", {}, { agent: "desk" }).entry.labels).toEqual([]);
    expect(s.check("charge", { order_id: "x" }, { agent: "desk", origins: { order_id: "result:0.card" } }).entry.labels).toEqual([]);
  });
});

describe("every token verifies", () => {
  for (const [name, keys] of [["HS256", keySet()], ["Ed25519", keySet({ active: "e", keys: [okp("e")] })]] as [string, Json][]) {
    it(`${name}: a false token in the middle is refused, also where the key's holder signed on after it`, () => {
      const s = new Session(SHOP, keys);
      for (let i = 0; i < 3; i++) s.check("get_order", { order_id: "1" });
      const key = f.keyOf(keys, keys.active);
      const { entries } = s.history;
      entries[0].token = f.tokenOf(key, Buffer.alloc(32, 7));
      for (const i of [1, 2]) entries[i].token = f.tokenOf(key, f.links({ ...s.history, entries: entries.slice(0, i + 1) }, "acme")[i + 1] as Buffer);
      expect(s.verify()).toEqual({ valid: false });
      f.resign(s.history, "acme", keys);
      expect(s.verify().valid).toBe(true);
    });
  }
});
