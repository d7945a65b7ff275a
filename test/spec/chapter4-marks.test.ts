// Chapter 4, steps 8 to 12: marks given and derived, who is trusted how much, what a person must see and in which order.

import { describe, expect, it } from "vitest";
import type { Json } from "./core.ts";
import { SHOP, Session, keySet, object, read, said, shop, write } from "./world.ts";

const three = { desk: { tools: ["*"] }, low: { privilege: "low", tools: ["*"] }, high: { privilege: "high", tools: ["*"] } };
const labels = (answer: Json): string[] => answer.entry.labels;

describe("step 8: derived marks", () => {
  it("of the step an origin names: that entry's labels, untrusted:<tool> of an outside read, agent:<its agent>", () => {
    const s = new Session(shop({ agents: three, tools: [read("easy", { privilege: "low", parameters: object({ x: {} }) })] }));
    s.run("easy", { x: 1 }, { agent: "low", labels: { call: ["pii"] } });
    expect(labels(s.peek("get_order", { order_id: "x" }, { agent: "desk", origins: { order_id: "result:0.card" } }))).toEqual(["agent:low", "pii"]);
    expect(labels(s.peek("easy", {}, { agent: "low" }))).toEqual([]);
    expect(labels(s.peek("easy", { x: 1 }, { agent: "low", origins: { x: "result:0.card" } }))).toEqual(["pii"]);
    expect(labels(s.peek("get_order", { order_id: "x" }, { agent: "desk", origins: { order_id: "result:0.no" } }))).toEqual(["agent:low", "pii"]);
    expect(labels(s.peek("get_order", { order_id: "x" }, { agent: "desk", origins: { order_id: "context" } }))).toEqual([]);
    s.run("read_inbox", { folder: "i" }, { agent: "desk" });
    expect(labels(s.peek("get_order", { order_id: "x" }, { agent: "desk", origins: { order_id: "result:1.from" } }))).toEqual(["untrusted:read_inbox"]);
  });
  it("an origin that names a refused or asked step still hands on its labels", () => {
    const s = new Session(shop({ agents: three }));
    s.check("charge", { order_id: "1" }, { agent: "low", labels: { call: ["pii"] } });
    expect(labels(s.peek("get_order", { order_id: "x" }, { agent: "desk", origins: { order_id: "result:0.charge_id" } }))).toEqual(["agent:low", "pii"]);
    s.check("read_inbox", { folder: 1 }, { agent: "desk" });
    expect(labels(s.peek("get_order", { order_id: "x" }, { agent: "desk", origins: { order_id: "result:1.from" } }))).toEqual([]);
  });
  it("marks travel on: the labels of an entry include what it derived", () => {
    const s = new Session();
    s.run("read_inbox", { folder: "i" });
    s.run("get_order", { order_id: "x" }, { origins: { order_id: "result:0.from" } });
    expect(labels(s.peek("charge", { order_id: "x" }, { origins: { order_id: "result:1.card" } }))).toEqual(["untrusted:read_inbox"]);
  });
  it("every earlier allowed outside read marks what the model wrote or something computed", () => {
    const s = new Session(shop({ tools: [read("web", { reads_outside: true })] }));
    const marks = (origin: string, more: Json = {}): string[] => labels(s.peek("charge", { order_id: "4411" }, { origins: { order_id: origin }, ...more }));
    expect(marks("model")).toEqual([]);
    s.run("web", {}, {}, { status: "failed" });
    s.run("read_inbox", { folder: "i" }, {}, null);
    s.run("get_order", { order_id: "1" });
    const both = ["untrusted:read_inbox", "untrusted:web"];
    for (const origin of ["model", "computed", "typed", "else", "", "result:", "result:9", "result:9.card", "result:01.card", "Reply"]) expect(marks(origin), origin).toEqual(both);
    for (const origin of ["reply", "context", "result:2", "result:2.card", "result:2.nope"]) expect(marks(origin), origin).toEqual([]);
    expect(marks("typed", { turns: ["order 4411"] })).toEqual([]);
    expect(labels(s.peek("charge", { order_id: "4411" }))).toEqual(both);
    expect(labels(s.peek("ping"))).toEqual([]);
  });
  it("a refused outside read marks nothing", () => {
    const s = new Session();
    s.check("read_inbox", { folder: 1 });
    expect(labels(s.peek("charge", { order_id: "1" }))).toEqual([]);
  });
  it("taint_scope session: these for every call, whatever its arguments", () => {
    const s = new Session(shop({ settings: { taint_scope: "session" } }));
    s.run("read_inbox", { folder: "i" });
    expect(labels(s.peek("ping"))).toEqual(["untrusted:read_inbox"]);
    expect(said(s.peek("charge", { order_id: "1" }, { origins: { order_id: "context" } }))).toBe("confirm tainted_call");
    expect(said(s.peek("get_order", { order_id: "1" }, { origins: { order_id: "context" } }))).toBe("allow allow");
    expect(labels(s.peek("nope"))).toEqual(["untrusted:read_inbox"]);
  });
  it("agent:<this agent> where its privilege is lower than the tool's", () => {
    const tools = [write("big", { privilege: "high" }), write("small", { privilege: "low" }), read("look", { privilege: "high" })];
    const s = new Session(shop({ agents: three, tools }));
    const go = (tool: string, agent: string): [string, string[]] => { const a = s.peek(tool, {}, { agent }); return [said(a), labels(a)]; };
    expect(go("big", "desk")).toEqual(["confirm tainted_call", ["agent:desk"]]);
    expect(go("big", "high")).toEqual(["confirm write", []]);
    expect(go("ping", "low")).toEqual(["confirm tainted_call", ["agent:low"]]);
    expect(go("small", "low")).toEqual(["confirm write", []]);
    expect(go("look", "low")).toEqual(["allow allow", ["agent:low"]]);
    expect(labels(s.peek("big", {}, { agent: "nobody" }))).toEqual([]);
    const single = new Session(shop({ agents: { solo: { privilege: "low", tools: ["*"] } } }));
    expect(labels(single.peek("ping"))).toEqual(["agent:solo"]);
    expect(labels(single.peek("ping", {}, { agent: "other" }))).toEqual([]);
  });
});

describe("step 8: trust", () => {
  const tools = [write("low", { privilege: "low" }), write("mid"), write("top", { privilege: "high" })];
  const s = new Session(shop({ agents: three, tools }));
  const held = (tool: string, label: string): boolean => s.peek(tool, {}, { agent: "high", labels: { call: [label] } }).reasons.includes("tainted_call");
  it("untrusted is below low; agent:<name> has its privilege, low if there is none; any other is low", () => {
    const table: [string, boolean[]][] = [
      ["untrusted:x", [true, true, true]], ["untrusted", [false, true, true]], ["agent:high", [false, false, false]], ["agent:desk", [false, false, true]],
      ["agent:low", [false, true, true]], ["agent:gone", [false, true, true]], ["agent", [false, true, true]], ["pii", [false, true, true]], ["agents:high", [false, true, true]],
      ["untrusted_:x", [false, true, true]],
    ];
    for (const [label, expected] of table) expect(["low", "mid", "top"].map((tool) => held(tool, label)), label).toEqual(expected);
  });
  it("taint_policy refuse: the detail lists those that hold, and only those; reads are never held", () => {
    const t = new Session(shop({ agents: three, tools, settings: { taint_policy: "refuse" } }));
    const answer = t.peek("top", {}, { agent: "high", labels: { call: ["untrusted:x", "agent:high", "agent:desk"] } });
    expect([said(answer), answer.detail]).toEqual(["refuse tainted_call", { labels: ["agent:desk", "untrusted:x"] }]);
    expect(said(t.peek("get_order", {}, { agent: "high", labels: { call: ["untrusted:x"] } }))).toBe("allow allow");
    expect(said(t.peek("low", {}, { agent: "high", labels: { call: ["pii"] } }))).toBe("confirm write");
  });
  it("taint_policy refuse comes before a confirmation, and after the gate", () => {
    const t = new Session(shop({ settings: { taint_policy: "refuse" }, rulebook: { flows: [{ name: "f", on: ["ping"], rules: [{ id: "no", refuse_if: "$x" }] }] } }));
    const first = t.check("ping");
    const more = { labels: { call: ["pii"] }, confirmation: first.confirmation };
    expect(said(t.peek("ping", {}, more))).toBe("refuse tainted_call");
    expect(said(t.peek("ping", {}, { ...more, context: { x: true } }))).toBe("refuse no");
  });
  it("marks of an argument hold the call too", () => {
    expect(said(new Session().peek("charge", { order_id: "1" }, { origins: { order_id: "context" }, labels: { arguments: { order_id: ["pii"] } } }))).toBe("confirm tainted_call");
  });
});

describe("step 10: what a person must see", () => {
  it("every reason in its order", () => {
    const tool = write("send_mail", { ...SHOP.tools[4], parameters: object({ to: "string", text: { format: "made-up", pattern: "(?=x)x" }, B: {} }) });
    const s = new Session(shop({ tools: [tool], rulebook: { flows: [{ name: "f", on: ["send_mail"], rules: [{ id: "ask", ask_if: "true" }] }] } }));
    s.run("charge", { order_id: "1" });
    const answer = s.peek("send_mail", { to: "x", text: "x", B: 1 }, { labels: { call: ["pii"] } });
    expect(answer.reasons).toEqual(["gate_clarify", "argument_origin: B", "argument_origin: text", "argument_origin: to", "tainted_call", "irreversible_pivot", "schema_partial"]);
  });
  it("names by UTF-16 code units", () => {
    const tool = write("t", { parameters: object({ "\uffff": {}, "\u{1f600}": {}, a: {}, Z: {}, "a.": {} }) });
    const args = { "\uffff": 1, "\u{1f600}": 1, a: 1, Z: 1, "a.": 1 };
    expect(new Session(shop({ tools: [tool] })).peek("t", args).reasons).toEqual(["Z", "a", "a.", "\u{1f600}", "\uffff"].map((name) => `argument_origin: ${name}`));
  });
  it("gate_clarify once, however many rules ask; for a read and alone for a write", () => {
    const rulebook = { flows: [{ name: "f", on: ["*"], rules: [{ id: "a", ask_if: "true" }, { id: "b", ask_if: "true" }] }] };
    const s = new Session(shop({ rulebook }));
    expect(said(s.peek("get_order", { order_id: "1" }))).toBe("confirm gate_clarify");
    expect(said(s.peek("ping"))).toBe("confirm gate_clarify");
  });
  it("a read is asked about for no origin and no mark", () => {
    expect(said(new Session().peek("get_order", { order_id: "1" }, { labels: { call: ["untrusted:x"] } }))).toBe("allow allow");
  });
  it("schema_partial: a write whose schema holds anything not asserted; a read says nothing", () => {
    for (const [schema, partial] of [[{ pattern: "(?=a)" }, true], [{ format: "email" }, false], [{ pattern: "^a$" }, false], [{ title: "x" }, false]] as const) {
      const s = new Session(shop({ tools: [write("t", { parameters: object({ a: schema }) }), read("r", { parameters: object({ a: schema }) })] }));
      expect(said(s.peek("t")), JSON.stringify(schema)).toBe(partial ? "confirm schema_partial" : "confirm write");
      expect(said(s.peek("r"))).toBe("allow allow");
    }
  });
  it("irreversible_pivot needs an irreversible tool and an earlier allowed write with an undo that ran", () => {
    const pivot = (s: Session): boolean => s.peek("send_mail", {}).reasons.includes("irreversible_pivot");
    const s = new Session();
    expect(pivot(s)).toBe(false);
    s.run("refund", { order_id: "1" });
    s.run("get_order", { order_id: "1" });
    s.check("charge", { order_id: "1" });
    expect(pivot(s)).toBe(false);
    s.run("charge", { order_id: "1" }, {}, null);
    expect(pivot(s)).toBe(false);
    const step = s.history.entries.length - 1;
    s.run("get_order", { order_id: "1" });
    s.report(step, "outcome_unknown");
    expect(pivot(s)).toBe(false);
    const t = new Session();
    t.run("charge", { order_id: "1" });
    expect(pivot(t)).toBe(true);
    expect(t.peek("ping").reasons).toEqual(["write"]);
    t.run("charge", { order_id: "2" });
    t.check("refund", { order_id: "1" }, { undo: { step: 1 }, origins: { order_id: "context" } });
    t.report(4, "ran");
    expect(pivot(t)).toBe(true);
    t.check("refund", { order_id: "2" }, { undo: { step: 3 }, origins: { order_id: "context" } });
    t.report(5, "ran");
    expect(pivot(t)).toBe(false);
  });
  it("irreversible_pivot goes by what the tool declares now", () => {
    const t = new Session();
    t.run("charge", { order_id: "1" });
    t.use(shop({ tools: [write("charge", { parameters: SHOP.tools[2].parameters })] }));
    expect(t.peek("send_mail").reasons).toEqual(["write"]);
  });
  it("write only where there is no other", () => {
    const s = new Session();
    expect(s.peek("charge", { order_id: "1" }).reasons).toEqual(["argument_origin: order_id"]);
    expect(s.peek("charge", { order_id: "1" }, { origins: { order_id: "reply" } }).reasons).toEqual(["write"]);
  });
});

describe("steps 11 and 12", () => {
  it("a read nothing held back: allow, with the canonical arguments", () => {
    const s = new Session(shop({ tools: [read("r", { parameters: object({ a: {}, b: {} }) })] }));
    const line = JSON.stringify({ id: 1, op: "check", policy: "p", keys: "k", request: s.request("r", "ARGS" as Json) }).replace('"ARGS"', '{"b":1.50e1,"a":"\\u0041\\/\\u001F"}');
    expect(s.driver.line(line)).toContain('"arguments":{"a":"A/\\u001f","b":15},');
  });
  it("a read that is an undo is a compensation too", () => {
    const tools = [write("open", { undo: { tool: "peek", bind: {} } }), read("peek", {})];
    const s = new Session(shop({ tools }));
    s.run("open");
    expect(said(s.peek("peek", {}, { undo: { step: 1 } }))).toBe("allow compensation");
  });
});

describe("origins", () => {
  const tools = [read("seek", { parameters: object({ q: {} }), result: object({ id: {}, "a.b": {}, "": {} }) }), read("bare", {}), write("t", { parameters: object({ a: {} }) })];
  const trusted = (s: Session, origin: string, value: Json = "x", more: Json = {}): boolean => !s.peek("t", { a: value }, { origins: { a: origin }, ...more }).reasons.includes("argument_origin: a");
  const ready = (settings: Json = {}, outcome: Json = { status: "ran" }): Session => {
    const s = new Session(shop({ tools, settings }));
    s.run("seek", {}, {}, outcome);
    s.run("bare");
    return s;
  };
  it("the trusted words, and nothing that looks like them", () => {
    const s = ready();
    for (const origin of ["reply", "context", "computed", "result:0", "result:0.id"]) expect(trusted(s, origin), origin).toBe(true);
    for (const origin of [
      "model", "typed", "", "Reply", "reply ", " context", "computed.x", "result", "result:", "result:.id", "result:0.", "result:00", "result:00.id", "result:+0", "result:-0", "result:0x0", "result:0 ",
      "result:0id", "result: 0", "result:0.id ", "result:0..id", "result:2", "result:2.id", "result:4294967296", "result:18446744073709551616.id", "result:99999999999999999999999999.id", "RESULT:0", "result:0.0.id",
      "result:1", "result:1.id", "result:0.no", "result:１",
    ]) expect(trusted(s, origin), origin).toBe(false);
  });
  it("a field may hold dots: everything after the first dot is the name", () => {
    const s = ready({}, { status: "ran", result: { "a.b": "x", id: "y" } });
    expect([trusted(s, "result:0.a.b"), trusted(s, "result:0.a.b", "y"), trusted(s, "result:0.a")]).toEqual([true, false, false]);
  });
  it("only an allow with outcome ran", () => {
    for (const outcome of [null, { status: "failed" }, { status: "outcome_unknown" }, { status: "compensated" }]) expect(trusted(ready({}, outcome), "result:0.id"), `${outcome?.status}`).toBe(false);
    const s = new Session(shop({ tools }));
    s.check("seek", { zz: 1 });
    expect(trusted(s, "result:0.id")).toBe(false);
  });
  it("a late report makes it ran", () => {
    const s = ready({}, null);
    s.report(0, "ran", { result: { id: "x" } });
    expect([trusted(s, "result:0.id"), trusted(s, "result:0.id", "y")]).toEqual([true, false]);
    s.check("bare");
    expect([trusted(s, "result:0.id"), trusted(s, "result:0.id", "y")]).toEqual([true, false]);
  });
  it("the reported result agrees: no result and if_reported; FIELD with the digest; any field for result:<step>", () => {
    const reported = { status: "ran", result: { id: "x", extra: "e" } };
    const s = ready({}, reported);
    expect([trusted(s, "result:0.id"), trusted(s, "result:0.id", "y"), trusted(s, "result:0"), trusted(s, "result:0", "e"), trusted(s, "result:0", "y")]).toEqual([true, false, true, true, false]);
    const none = ready({}, { status: "ran", result: {} });
    expect([trusted(none, "result:0.id"), trusted(none, "result:0")]).toEqual([false, false]);
    expect(trusted(ready({ result_digests: "required" }), "result:0.id")).toBe(false);
    expect(trusted(ready({ result_digests: "required" }, reported), "result:0.id")).toBe(true);
  });
  it("a field the result schema does not declare in properties, though it was reported", () => {
    expect(trusted(ready({}, { status: "ran", result: { extra: "x" } }), "result:0.extra")).toBe(false);
  });
  it("whatever the value's type: an object of the result", () => {
    const s = ready({}, { status: "ran", result: { id: { b: 1, a: [true] } } });
    expect([trusted(s, "result:0.id", { a: [true], b: 1.0 }), trusted(s, "result:0.id", { a: [true] })]).toEqual([true, false]);
  });
  it("a tool that left the catalogue has no result schema any more", () => {
    const s = ready();
    s.use(shop({ tools: tools.slice(1) }));
    expect(trusted(s, "result:0.id")).toBe(false);
  });
});

describe("the order of the steps", () => {
  it("each refusal hides the later ones", () => {
    const tool = write("t", { parameters: object({ a: { type: "string" } }), not_after: ["get_order"] });
    const s = new Session(
      shop({ tools: [tool], settings: { taint_policy: "refuse" }, rulebook: { flows: [{ name: "f", on: ["t"], rules: [{ id: "gate", refuse_if: "true" }] }] } }), keySet(),
    );
    s.run("get_order", { order_id: "1" });
    const mark = { labels: { call: ["pii"] }, undo: { step: 9 } };
    expect(said(s.peek("t", { a: 1, b: "x@y.co" }, mark))).toBe("refuse argument_schema");
    expect(said(s.peek("t", { a: "x@y.co" }, mark))).toBe("refuse undeclared_destination");
    expect(said(s.peek("t", { a: "x" }, mark))).toBe("refuse order_rule");
    s.history.entries = [];
    expect(said(s.peek("t", { a: "x" }, mark))).toBe("refuse compensation_mismatch");
    expect(said(s.peek("t", { a: "x" }, { ...mark, undo: undefined }))).toBe("refuse gate");
  });
});
