// Chapter 2 at registration: the compiled form and its id, what registration refuses and warns of, settings, documents.

import { describe, expect, it } from "vitest";
import { Core, digest, jcs, type Problem, raw, text } from "./conform-core.ts";

const core = new Core();
const register = (policy: unknown, more: object = {}) => core.send("register", { name: "p", policy, ...more });
const order = { type: "object", properties: { order: { type: "string" }, amount: {} } };
const base = {
  format: "qls-policy/1",
  tenant: "t",
  agents: { a: { tools: ["*"] } },
  tools: [{ name: "r", effect: "read", parameters: order, result: { type: "object", properties: { id: {}, "x.y": {} } } }, { name: "w", irreversible: true, parameters: order }],
};
type Tool = Record<string, unknown>;
const withTool = (tool: unknown, ...more: unknown[]) => ({ ...base, tools: [...base.tools, tool, ...more] });
const write = (members: Tool): Tool => ({ name: "t", irreversible: true, parameters: order, ...members });
const problems = (policy: unknown): [string, string][] => {
  const { ok, error } = register(policy);
  expect([text(policy), ok]).toEqual([text(policy), undefined]);
  expect(error!.code).toBe("policy_invalid");
  for (const problem of error!.problems as Problem[]) expect(problem.message).not.toBe("");
  return error!.problems!.map(({ code, pointer }) => [code, pointer]);
};
const refuses = (policy: unknown, pointer: string, code?: string): void => {
  const found = problems(policy);
  expect([text(policy), found.map(([, at]) => at)]).toEqual([text(policy), [pointer]]);
  if (code) expect(found[0]![0]).toBe(code);
};
const accepts = (policy: unknown): { policy: string; warnings: Problem[]; partial: string[] } => {
  const { ok, error } = register(policy);
  expect([text(policy), error]).toEqual([text(policy), undefined]);
  return ok;
};

const toolDefaults = { description: "", effect: "write", parameters: { type: "object", properties: {} }, sends_out: false, reads_outside: false, privilege: "normal", after: [], not_after: [], irreversible: false, idempotent: false, defaults: {}, also_called: [] };
const settingDefaults = {
  taint_policy: "confirm", taint_scope: "value", confirmation_ttl: 86400, confirmation_point: "head", approval: { mode: "token", count: 1, deciders: [] }, receipt_ttl: 300, result_digests: "if_reported", head: "optional",
  on_lapse: "refuse_writes", language: "en", unread: "refuse", undeclared_arguments: "refuse", limits: { depth: 128, bytes: 8388608, history: 10000, steps: 1000000 },
};
const idOf = (compiled: unknown) => digest("qls-policy/1\n", jcs(compiled));

describe("the compiled form", () => {
  const small = { format: "qls-policy/1", tenant: "t", agents: { a: { tools: ["*"] } }, tools: [{ name: "w" }] };
  const compiled = { format: "qls-policy/1", tenant: "t", agents: { a: { tools: ["*"], privilege: "normal", defaults: {} } }, tools: [{ ...toolDefaults, name: "w" }], rulebook: { flows: [] }, settings: settingDefaults };
  it("every member that has a default is present", () => {
    expect(accepts(small).policy).toBe(idOf(compiled));
  });
  it("the same sources give the same id: defaults given or left out, members in any order, numbers in any spelling", () => {
    expect(accepts(compiled).policy).toBe(idOf(compiled));
    expect(accepts({ settings: {}, rulebook: {}, tools: [{ effect: "write", name: "w" }], agents: { a: { privilege: "normal", tools: ["*"] } }, tenant: "t", format: "qls-policy/1" }).policy).toBe(idOf(compiled));
    expect(accepts({ ...small, settings: { confirmation_ttl: raw("86400.0"), receipt_ttl: raw("3e2"), limits: { depth: raw("1.28E+2") }, approval: { count: raw("1.0") } } }).policy).toBe(idOf(compiled));
  });
  it("a member without a default is present only where it was given; subject_argument is a list; x- members are kept; arrays keep their order", () => {
    const tool = { name: "w", description: "d", parameters: { properties: { b: { minimum: 1 }, a: {} } }, result: { properties: { f: {} } }, subject_argument: "b", at_most: 2, undo: { tool: "u", bind: { b: "result.f", a: "arguments.a" } }, idempotency_key: "a", limits: { bytes: 100, "x-why": 1 }, after: ["u", { tool: "w", bind: { b: "f" } }], not_after: ["untrusted", "u"], also_called: ["z", "a"], "x-own": { y: [1] } };
    const policy = {
      ...small, "x-top": null, agents: { b: { tools: ["u", "w"], privilege: "low", defaults: { q: 1 }, "x-a": 1 }, a: { tools: [] } }, tools: [tool, { name: "u", irreversible: true, parameters: tool.parameters, subject_argument: ["b", "a"] }],
      rulebook: { facts: ["f"], "x-r": 1, flows: [{ name: "n", on: ["w", "*"], "x-f": 1, rules: [{ id: "i", refuse_if: "args.b   > 1.0 && $f", because: "no", "x-u": 1 }, { id: "j", ask_if: "true", question: "q" }, { id: "k", allow_if: "true" }] }] },
      settings: { "x-s": 1, taint_policy: "refuse", limits: { steps: 5, "x-l": 1 }, approval: { deciders: ["z", "a"], "x-d": 1 } },
    };
    const expected = {
      ...policy,
      agents: { a: { tools: [], privilege: "normal", defaults: {} }, b: { tools: ["u", "w"], privilege: "low", defaults: { q: 1 }, "x-a": 1 } },
      tools: [{ ...toolDefaults, ...tool, subject_argument: ["b"] }, { ...toolDefaults, name: "u", irreversible: true, parameters: tool.parameters, subject_argument: ["b", "a"] }],
      settings: { ...settingDefaults, "x-s": 1, taint_policy: "refuse", limits: { depth: 128, bytes: 8388608, history: 10000, steps: 5, "x-l": 1 }, approval: { mode: "token", count: 1, deciders: ["z", "a"], "x-d": 1 } },
    };
    expect(accepts(policy).policy).toBe(idOf(expected));
  });
  it("facts are present only where given", () => {
    expect(accepts({ ...small, rulebook: { facts: [] } }).policy).toBe(idOf({ ...compiled, rulebook: { facts: [], flows: [] } }));
  });
  it("a registered document is named by its digest", () => {
    const documents = { "http://x/y": { type: "string", minLength: raw("1.0") }, "urn:z": true };
    const named = { "http://x/y": digest("qls-document/1\n", jcs({ type: "string", minLength: 1 })), "urn:z": digest("qls-document/1\n", "true") };
    expect(register(small, { documents }).ok.policy).toBe(idOf({ ...compiled, documents: named }));
    expect(register({ ...compiled, documents: named }, { documents }).ok.policy).toBe(idOf({ ...compiled, documents: named }));
    expect(register({ ...compiled, documents: { ...named, "urn:z": named["http://x/y"] } }, { documents }).error?.code).toBe("policy_invalid");
  });
  it("a policy with an error is not loaded; the one in force stays", () => {
    const { policy } = accepts(small);
    problems({ ...small, tools: [{ name: "w", efect: "read" }] });
    core.send("keys", { name: "k", keys: { format: "qls-keys/1", active: "k", keys: [{ kid: "k", kty: "oct", alg: "HS256", k: "A".repeat(43) }], digests: "plain" } });
    const answer = core.send("check", { policy: "p", keys: "k", request: { format: "qls-tool-check/1", session: "s", tool: "w", arguments: {}, now: 1 } });
    expect(answer.ok.policy).toBe(policy);
  });
});

describe("what registration refuses", () => {
  it("every problem at once, by pointer", () => {
    const policy = { ...withTool(write({ name: "q", not_afer: [], limits: { bytes: 5, more: 1 }, after: [{ tool: "zz", bnd: {} }] }), { name: "q2", undo: { tool: "q", bind: {}, binds: {} } }), zz: 1, settings: { foo: 1, limits: { bar: 1 }, approval: { mod: 1 } }, agents: { a: { tools: ["no"], defalts: {} } }, rulebook: { flow: [], flows: [{ name: "f", on: ["w"], extra: 1, rules: [{ id: "i", refuse_if: "false", becase: "" }] }] } };
    expect(problems(policy)).toEqual([
      ["policy_unknown_member", "/agents/a/defalts"], ["policy_unknown_tool", "/agents/a/tools/0"], ["policy_unknown_member", "/rulebook/flow"], ["policy_unknown_member", "/rulebook/flows/0/extra"], ["policy_unknown_member", "/rulebook/flows/0/rules/0/becase"],
      ["policy_unknown_member", "/settings/approval/mod"], ["policy_unknown_member", "/settings/foo"], ["policy_unknown_member", "/settings/limits/bar"], ["policy_unknown_member", "/tools/2/after/0/bnd"], ["policy_unknown_tool", "/tools/2/after/0/tool"],
      ["policy_unknown_member", "/tools/2/limits/more"], ["policy_unknown_member", "/tools/2/not_afer"], ["policy_unknown_member", "/tools/3/undo/binds"], ["policy_unknown_member", "/zz"],
    ]);
  });
  it("members outside parameters, result and defaults only", () => {
    accepts(withTool(write({ defaults: { anything: { at: "all" } }, parameters: { type: "object", properties: {}, "x-y": 1, title: "t" } })));
  });
  it("no policy at all", () => {
    for (const bad of [null, [], "x", 5]) expect(register(bad).error).toBeDefined();
    refuses({ ...base, format: "qls-policy/2" }, "/format");
    refuses({ ...base, tenant: 5 }, "/tenant");
    for (const member of ["format", "tenant", "agents", "tools"]) refuses({ ...base, [member]: undefined }, `/${member}`);
    refuses({ ...base, agents: [] }, "/agents");
  });
  it("at least one agent; `tools` is required; `*` means all", () => {
    refuses({ ...base, agents: {} }, "/agents");
    refuses({ ...base, agents: { a: {} } }, "/agents/a/tools");
    refuses({ ...base, agents: { a: { tools: "*" } } }, "/agents/a/tools");
    refuses({ ...base, agents: { a: { tools: ["*"], privilege: "top" } } }, "/agents/a/privilege");
    refuses({ ...base, agents: { a: { tools: ["r", "R"] } } }, "/agents/a/tools/1", "policy_unknown_tool");
    accepts({ ...base, agents: { a: { tools: [] }, b: { tools: ["r", "*"] } } });
  });
  it("names: 1–128 characters, unique, not by letter case alone, none of three", () => {
    refuses(withTool(write({ name: "r" })), "/tools/2/name", "policy_duplicate_tool");
    refuses(withTool(write({ name: "R" })), "/tools/2/name");
    refuses(withTool(write({ name: "Élan" }), write({ name: "élan" })), "/tools/3/name");
    refuses(withTool(write({ name: "Ω" }), write({ name: "ω" })), "/tools/3/name");
    for (const name of ["__proto__", "constructor", "prototype", "", "x".repeat(129)]) refuses(withTool(write({ name })), "/tools/2/name");
    for (const name of ["x".repeat(128), "😀".repeat(128), "toString", "a b", "a.b/c"]) accepts(withTool(write({ name })));
    for (const name of [5, null, undefined]) refuses(withTool(write({ name })), "/tools/2/name");
  });
  it("a rule id that is one of the check's own reasons", () => {
    for (const id of ["unknown_tool", "agent_required", "licence_lapsed", "history_invalid", "argument_schema", "undeclared_destination", "order_rule", "compensation_mismatch", "compensation_spent", "tainted_call", "confirmed", "denied", "gate_clarify", "argument_origin: amount", "irreversible_pivot", "schema_partial", "write", "compensation", "allow"]) {
      refuses({ ...base, rulebook: { flows: [{ name: "f", on: ["w"], rules: [{ id, refuse_if: "true" }] }] } }, "/rulebook/flows/0/rules/0/id");
    }
  });
  it("an order rule that names a tool or argument that does not exist", () => {
    refuses(withTool(write({ after: ["zz"] })), "/tools/2/after/0", "policy_unknown_tool");
    refuses(withTool(write({ after: ["untrusted"] })), "/tools/2/after/0");
    refuses(withTool(write({ after: [{ tool: "zz", bind: {} }] })), "/tools/2/after/0/tool");
    refuses(withTool(write({ after: [{ tool: "r", bind: { nope: "id" } }] })), "/tools/2/after/0/bind/nope");
    refuses(withTool(write({ after: [{ tool: "r", bind: { order: "nope" } }] })), "/tools/2/after/0/bind/order");
    refuses(withTool(write({ after: [{ tool: "w", bind: { order: "id" } }] })), "/tools/2/after/0/bind/order");
    refuses(withTool(write({ not_after: ["zz"] })), "/tools/2/not_after/0", "policy_unknown_tool");
    accepts(withTool(write({ after: ["r", { tool: "r", bind: { order: "id", amount: "x.y" } }, { tool: "r" }], not_after: ["untrusted", "t", "r"] })));
  });
  it("an undo or a bind that names what does not exist, of a read, or beside irreversible", () => {
    const undone = (undo: unknown, more: Tool = {}) => withTool(write({ irreversible: undefined, result: { properties: { id: {} } }, undo, ...more }));
    accepts(undone({ tool: "w", bind: { order: "arguments.order", amount: "result.id" } }));
    refuses(undone({ tool: "zz", bind: {} }), "/tools/2/undo/tool", "policy_unknown_tool");
    refuses(undone({ tool: "w", bind: { nope: "arguments.order" } }), "/tools/2/undo/bind/nope");
    for (const source of ["arguments.nope", "result.nope", "order", "arguments", "context.order", "results.id", ""]) refuses(undone({ tool: "w", bind: { order: source } }), "/tools/2/undo/bind/order");
    refuses(undone({ tool: "w", bind: { order: "result.id" } }, { result: undefined }), "/tools/2/undo/bind/order");
    refuses(undone({ tool: "w", bind: {} }, { effect: "read" }), "/tools/2/undo");
    expect(problems(undone({ tool: "w", bind: {} }, { irreversible: true })).length).toBe(1);
  });
  it("a schema that is not a valid schema, where it is wrong", () => {
    const schema = (parameters: unknown) => withTool(write({ parameters }));
    refuses(schema({ properties: { a: { type: "strin" } } }), "/tools/2/parameters/properties/a/type", "policy_schema");
    refuses(schema({ properties: { a: { minimum: "5" } } }), "/tools/2/parameters/properties/a/minimum");
    refuses(schema({ properties: { a: { pattern: "(" } } }), "/tools/2/parameters/properties/a/pattern");
    refuses(schema({ properties: { a: { $ref: "#/$defs/none" } } }), "/tools/2/parameters/properties/a/$ref");
    refuses(schema({ required: ["a", "a"] }), "/tools/2/parameters/required");
    refuses(schema({ required: "a" }), "/tools/2/parameters/required");
    refuses(schema({ allOf: [] }), "/tools/2/parameters/allOf");
    refuses(schema({ properties: { a: 5 } }), "/tools/2/parameters/properties/a");
    refuses(schema({ properties: { a: { minLength: -1 } } }), "/tools/2/parameters/properties/a/minLength");
    refuses(schema({ properties: { a: { multipleOf: 0 } } }), "/tools/2/parameters/properties/a/multipleOf");
    refuses(schema({ patternProperties: { "[": {} } }), "/tools/2/parameters/patternProperties/[");
    refuses(withTool(write({ result: { type: 5 } })), "/tools/2/result/type");
    accepts(schema({ properties: { a: { minLength: raw("1.0"), enum: [1, 1], type: ["string", "null"] } } }));
  });
  it("a wrong type or value of a member", () => {
    for (const [member, bads] of Object.entries({ description: [5, null], effect: ["Write", null, true], sends_out: ["true", 1, null], reads_outside: [1], irreversible: ["no"], idempotent: [0], privilege: ["top", null], after: ["r", {}, null], not_after: ["r"], at_most: [0, -1, raw("1.5"), "1", null, true], undo: ["w", null], idempotency_key: [5, null], defaults: [[], null], also_called: ["x"], limits: [null, 5], parameters: [[], "x", null], result: [[], null] })) {
      for (const bad of bads as unknown[]) expect(problems(withTool(write({ irreversible: undefined, [member]: bad }))).map(([, at]) => at)).toContain(`/tools/2/${member}`);
    }
    refuses(withTool(write({ also_called: ["a", 5] })), "/tools/2/also_called/1");
    refuses(withTool(write({ limits: { bytes: 0 } })), "/tools/2/limits/bytes");
    accepts(withTool(write({ at_most: raw("2.0"), limits: { bytes: raw("1e3") } })));
  });
  it("a setting's wrong value", () => {
    for (const [setting, bads] of Object.entries({ taint_policy: ["ask", null], taint_scope: ["x"], confirmation_ttl: [-1, raw("1.5"), "5", null], confirmation_point: ["x"], receipt_ttl: [-1, "300"], result_digests: [true], head: [true, "x"], on_lapse: ["x"], language: ["pt", "EN"], unread: ["x"], undeclared_arguments: [false, "x"], approval: [null, "signed"], limits: [null, 5] })) {
      for (const bad of bads as unknown[]) refuses({ ...base, settings: { [setting]: bad } }, `/settings/${setting}`);
    }
    for (const [member, bads] of Object.entries({ mode: ["x", null], count: [0, raw("1.5"), "1"], deciders: ["a", null] })) for (const bad of bads as unknown[]) refuses({ ...base, settings: { approval: { [member]: bad } } }, `/settings/approval/${member}`);
    for (const member of ["depth", "bytes", "history", "steps"]) for (const bad of [-1, raw("1.5"), "5", null]) refuses({ ...base, settings: { limits: { [member]: bad } } }, `/settings/limits/${member}`);
    for (const good of [{ taint_policy: "refuse" }, { taint_scope: "session" }, { confirmation_point: "turn" }, { approval: { mode: "signed", count: 2, deciders: ["a", "b"] } }, { result_digests: "required" }, { head: "required" }, { on_lapse: "refuse" }, { language: "pt-BR" }, { unread: "model" }, { undeclared_arguments: "schema" }, { undeclared_arguments: "deep" }, { limits: { steps: 1, history: 1, depth: 10, bytes: 100 } }]) accepts({ ...base, settings: good });
  });
  const book = (...rules: unknown[]) => ({ ...base, rulebook: { flows: [{ name: "f", on: ["w"], rules }] } });
  it("a rule has an id and one condition", () => {
    expect(problems(book({ id: "a" })).length).toBe(1);
    expect(problems(book({ id: "a", refuse_if: "true", ask_if: "true" })).length).toBe(1);
    refuses(book({ refuse_if: "true" }), "/rulebook/flows/0/rules/0/id");
    refuses(book({ id: "a", refuse_if: true }), "/rulebook/flows/0/rules/0/refuse_if");
    refuses(book({ id: "a", ask_if: "true", question: 5 }), "/rulebook/flows/0/rules/0/question");
    refuses({ ...base, rulebook: { flows: [{ name: "f", on: ["zz"], rules: [] }] } }, "/rulebook/flows/0/on/0", "policy_unknown_tool");
    refuses({ ...base, rulebook: { flows: {} } }, "/rulebook/flows");
    refuses({ ...base, rulebook: null }, "/rulebook");
  });
  it("a fact not listed, where facts are listed", () => {
    const listed = (condition: string, facts: unknown = ["x"]) => ({ ...base, rulebook: { facts, flows: [{ name: "f", on: ["w"], rules: [{ id: "a", refuse_if: condition }] }] } });
    for (const condition of ["$y", "!($x && $y)", "facts.y", "facts['y']", "has(facts.y)"]) refuses(listed(condition), "/rulebook/flows/0/rules/0/refuse_if");
    refuses(listed("$x", []), "/rulebook/flows/0/rules/0/refuse_if");
    accepts(listed("$x && facts.x && facts['x'] && has(facts.x)"));
    accepts(listed("[{'y': true}].exists(facts, facts.y)"));
    accepts(book({ id: "a", refuse_if: "$anything" }));
  });
  it("a condition that is not supported, naming it", () => {
    for (const [condition, name] of [["args.x.replace('a','b') == ''", "replace"], ["math.greatest(1,2) == 2", "math.greatest"], ["foo", "foo"], ["foo(1)", "foo"], ["args.x.foo()", "foo"], ["cel.bind(a,1,a) == 1", "cel.bind"], ["Foo{a:1} == 1", "Foo"], ["args.?x == 1", ".?"], ["args.x.matches('(?=a)b')", "(?=a)b"], ["args.x.exists(i, j, true)", "exists"], ["optional.none() == 1", "optional.none"]]) {
      const { error } = register(book({ id: "a", refuse_if: condition }));
      expect(error?.problems, condition).toHaveLength(1);
      expect(error!.problems![0]!.pointer).toBe("/rulebook/flows/0/rules/0/refuse_if");
      expect(error!.problems![0]!.message).toContain(name);
    }
    for (const condition of ["", "1 +", "1 = 1", "args.x == 1 and true", "$", "(true", "true)", "'a", "args.", "a ? b", "[1", "{'a' 1}", "1 2", "\"\\q\" == ''", "ran()", "ran('r', 1)", "allowed_within('r')"]) refuses(book({ id: "a", refuse_if: condition }), "/rulebook/flows/0/rules/0/refuse_if");
  });
});

describe("what registration warns of", () => {
  const warned = (policy: unknown, more: object = {}): string[] => register(policy, more).ok.warnings.map((warning: Problem) => warning.pointer);
  it("a write with neither undo nor irreversible", () => {
    expect(warned(withTool({ name: "t" }))).toEqual(["/tools/2"]);
    expect(warned(withTool({ name: "t", effect: "read" }))).toEqual([]);
    expect(warned(withTool({ name: "t", undo: { tool: "w", bind: {} } }))).toEqual([]);
  });
  it("a schema part the core will not assert; the tool is partial", () => {
    const partial = (schema: unknown, more: object = {}) => {
      const { ok } = register(withTool(write({ parameters: { type: "object", properties: { a: schema } } })), more);
      expect(ok.warnings.length).toBe(ok.partial.length);
      return ok.partial as string[];
    };
    for (const schema of [{ pattern: "(?=a)b" }, { pattern: "(a)\\1" }, { pattern: "(?<!a)b" }, { $ref: "http://x/unregistered" }, { format: "iri" }]) expect(partial(schema), text(schema)).toEqual(["t"]);
    for (const schema of [{ format: "own" }, { format: "int64" }, { title: "t", description: "d", default: 1, examples: [], deprecated: true, readOnly: true, writeOnly: false, $comment: "c" }, { contentEncoding: "base64", contentMediaType: "text/plain" }, { unevaluatedProperties: false }, { pattern: "^(?:a|b)+$" }]) expect(partial(schema), text(schema)).toEqual([]);
    expect(partial({ $ref: "http://x/y" }, { documents: { "http://x/y": {} } })).toEqual([]);
  });
  it("a reads_outside tool no rule mentions", () => {
    const outside = { name: "o", effect: "read", reads_outside: true };
    expect(warned(withTool(outside))).toEqual(["/tools/2"]);
    expect(warned(withTool(outside, write({ name: "z", not_after: ["o"] })))).toEqual([]);
    expect(warned(withTool(outside, write({ name: "z", not_after: ["untrusted"] })))).toEqual([]);
    expect(warned({ ...withTool(outside), rulebook: { flows: [{ name: "f", on: ["w"], rules: [{ id: "i", refuse_if: "ran('o') > 0" }] }] } })).toEqual([]);
    expect(warned({ ...withTool(outside), rulebook: { flows: [{ name: "f", on: ["o"], rules: [{ id: "i", refuse_if: "false" }] }] } })).toEqual([]);
  });
});
