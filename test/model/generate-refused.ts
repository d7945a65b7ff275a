// Key sets and policies that are refused at load, each with one thing wrong or more.
import { JsonNumber } from "./json.ts";
import type { Plain, PlainObject } from "./generate-policy.ts";
import type { Printed } from "./generate-call.ts";
import type { Random } from "./random.ts";

const copy = (value: PlainObject) => JSON.parse(JSON.stringify(value)) as PlainObject;

/** A key set that breaks a rule of chapter 1, Keys. */
export function badKeys(r: Random, good: PlainObject): Printed {
  const set = copy(good);
  const keys = set.keys as PlainObject[];
  const key = r.pick(keys);
  r.pick<() => void>([
    () => void (set.format = "qls-keys/2"),
    () => void (set.active = "nobody"),
    () => void (set.extra = 1),
    () => void (key.extra = 1),
    () => void (key.kid = r.pick(["", "a b", "é", "x".repeat(65)])),
    () => void (key.use = "enc"),
    () => void (key.alg = "none"),
    () => void (key.kty = "RSA"),
    () => void keys.push({ ...key }),
    () => void keys.push({ kid: "short", kty: "oct", alg: "HS256", k: "AAAA" }),
    () => void keys.push({ kid: "pad", kty: "oct", alg: "HS256", k: `${"A".repeat(44)}=` }),
    () => void keys.push({ kid: "bits", kty: "oct", alg: "HS256", k: `${"A".repeat(42)}B` }),
    () => void keys.push({ kid: "other", kty: "OKP", crv: "Ed25519", alg: "EdDSA", x: "A".repeat(43), d: "A".repeat(43) }),
    () => void (set.digests = set.digests === undefined ? "plain" : "none"),
    () => void (delete set.digests, (set.digest_key = "AAAA")),
    () => void (delete set.digests, delete set.digest_key),
    () => void (set.preview = set.preview === undefined ? true : "yes"),
    () => void (set.preview === true ? (set.active = key.kid) : (set.preview = true)),
    () => void (set.licence = r.pick<Plain>([null, {}, { id: "L", expires: "x" }, { id: 1, expires: null }, { id: "L", expires: 1, more: 1 }, { id: "L" }])),
    () => void (set.keys = null),
  ])();
  return set as Printed;
}

/** A policy that registration refuses, with the code in the order of the problems found. */
export function badPolicy(r: Random, good: PlainObject): Printed {
  const policy = copy(good) as { [name: string]: Printed };
  for (let n = 1 + r.below(3); n > 0; n--) spoil(r, policy);
  return policy;
}

function spoil(r: Random, policy: { [name: string]: Printed }): void {
  const tools = policy.tools as PlainObject[];
  if (!Array.isArray(tools)) return;
  const tool = r.pick(tools);
  const rule = (more: PlainObject) => {
    const book = (policy.rulebook ??= { flows: [] }) as { flows: PlainObject[] };
    book.flows?.push({ name: "bad", on: ["*"], rules: [more] });
  };
  r.pick<() => void>([
    () => void (policy.extra = 1),
    () => void (tool.not_afer = []),
    () => void (tool.effect = "delete"),
    () => void delete policy.tenant,
    () => void (policy.format = "qls-policy/9"),
    () => void delete tool.name,
    () => void tools.push({ ...tool }),
    () => void tools.push({ name: String(tool.name).toUpperCase() }),
    () => void tools.push({ name: r.pick(["__proto__", "constructor", "prototype", "", "n".repeat(129)]) }),
    () => void ((policy.agents as PlainObject).ghost = { tools: ["no_such_tool"] }),
    () => void ((policy.agents as PlainObject).ghost = { privilege: "root", tools: "*" }),
    () => void (tool.after = ["no_such_tool"]),
    () => void (tool.after = [{ tool: "get_order", bind: { no_such_argument: "no_such_field" } }]),
    () => void (tool.not_after = ["no_such_tool"]),
    () => void (tool.at_most = r.pick<Plain>([0, 1.5, "2", null])),
    () => void (tool.undo = { tool: "no_such_tool", bind: {} }),
    () => void tools.push({ name: "reader", effect: "read", undo: { tool: "reader", bind: {} } }),
    () => void tools.push({ name: "final", irreversible: true, undo: { tool: "final", bind: {} } }),
    () => void tools.push({ name: "bound", undo: { tool: "bound", bind: { a: "arguments.b" } } }),
    () => void tools.push({ name: "bound2", parameters: { properties: { a: true } }, undo: { tool: "bound2", bind: { a: "result.f" } } }),
    () => void (tool.idempotency_key = "no_such_argument"),
    () => void (tool.subject_argument = ["no_such_argument"]),
    () => void (tool.parameters = r.pick<Plain>([{ type: "nonsense" }, { properties: 1 }, { pattern: "(" }, { required: "x" }, 7])),
    () => void (tool.limits = r.pick<Plain>([{ bytes: 0 }, {}, { bytes: 1, more: 2 }])),
    () => rule({ id: "allow", refuse_if: "true" }),
    () => rule({ id: "argument_origin: x", ask_if: "true" }),
    () => rule({ id: "twice", ask_if: "true" }),
    () => rule({ id: `c${r.below(1000)}`, refuse_if: r.pick(["1 +", "nothing", "args.", "$", "f(1)"]) }),
    () => rule({ id: `d${r.below(1000)}` }),
    () => rule({ id: `e${r.below(1000)}`, ask_if: "true", extra: 1 }),
    () => rule({ refuse_if: "true" }),
    () => void (policy.rulebook = { facts: ["a"], flows: [{ name: "f", on: ["nothing"], rules: [{ id: "q", ask_if: "$b" }] }] }),
    () => void (policy.settings = { taint_policy: "maybe" }),
    () => void (policy.settings = { limits: { depth: 0 }, approval: { mode: "signed", count: 0, deciders: "ana" }, surprise: 1 }),
    () => void (policy["x-number"] = new JsonNumber("9007199254740993")),
  ])();
}
