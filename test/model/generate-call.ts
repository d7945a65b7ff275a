// Random calls for the generator: arguments with the origins, turns, labels and evidence that usually hold, and the ways to spoil them.
import { JsonNumber } from "./json.ts";
import type { Plain } from "./generate-policy.ts";
import type { Random } from "./random.ts";

/** A value that prints as JSON, numbers as their own source text where that matters. */
export type Printed = Plain | JsonNumber | Printed[] | { [name: string]: Printed | undefined };
export interface RequestLine { [name: string]: Printed | undefined }

/** Prints members in the order given, numbers of JsonNumber as their source text. */
export function print(value: Printed): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(print).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${print(item as Printed)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** A value that some earlier step reported in a field of its result. */
export interface Reported { step: number; field: string; value: Printed }

const ORDERS = ["4411", "4412", "77", "a-1"];
const AMOUNTS = [40, 40.5, 19.99, 250, 120, 1000];

/** Names and values that a tool's call has when nothing is wrong with it. */
export function plainArguments(r: Random, tool: string): { [name: string]: Printed } {
  const order = r.chance(0.7) ? "4411" : r.pick(ORDERS);
  const amount = r.chance(0.5) ? 40 : r.pick(AMOUNTS);
  const maybe = (chance: number, more: { [name: string]: Printed }) => (r.chance(chance) ? more : {});
  switch (tool) {
    case "read_inbox": return {};
    case "web_search": return { query: r.pick(["shoes", "preço 40"]) };
    case "charge_card": return { order_id: order, amount, ...maybe(0.15, { note: r.pick(["urgent", "ok"]) }), ...maybe(0.15, { tags: r.pick([["a"], ["a", "b"], []]) }) };
    case "refund_card": return { order_id: order, ...maybe(0.4, { amount }), ...maybe(0.4, { charge_id: "ch_1" }) };
    case "ship_order": return { order_id: order, ...maybe(0.3, { priority: r.pick(["low", "high"]) }) };
    case "send_receipt": return { order_id: order, ...maybe(0.5, { to: r.pick(["ana@example.com", "bo@shop.example"]) }) };
    case "list_events": return { ...maybe(0.6, { user_email: r.pick(["ana@example.com", "ana"]) }), ...maybe(0.3, { day: "2025-11-29" }) };
    case "add_note": return {
      order_id: order, ...maybe(0.5, { body: r.pick(["hello there", "x"]) }), ...maybe(0.4, { where: { city: "Recife", zip: 50000 } }),
      ...maybe(0.2, { meta_a: r.pick(["k", 3] as Printed[]) }),
    };
    case "set_flag": return { order_id: order, ...maybe(0.6, { key: r.pick(["k1", "k2"]) }) };
    default: return { ...maybe(0.4, { day: "monday" }) };
  }
}

/** A turn that holds the values, as a person would write them. */
function turnOf(r: Random, values: Printed[], language: string): string {
  const words = values.map((value) => {
    if (typeof value === "number") return language === "pt-BR" ? String(value).replace(".", ",") : r.pick([String(value), `$${value}`, value.toFixed(2)]);
    if (Array.isArray(value)) return value.join(" ");
    if (value !== null && typeof value === "object") return Object.values(value).join(" ");
    return String(value);
  });
  return `${r.pick(["charge", "refund", "please do", "pedido"])} ${words.join(r.pick([" ", ", ", "; "]))}${r.pick(["", ".", " now"])}`;
}

export interface Circumstances {
  tool: string;
  session: string;
  agent: string | undefined;
  now: number;
  language: string;
  results: Reported[];
  steps: number;
  principal: Printed | undefined;
}

/** A request without history in which most things hold. */
export function makeCall(r: Random, c: Circumstances, given?: { [name: string]: Printed }): RequestLine {
  const args = given ?? plainArguments(r, c.tool);
  const origins: { [name: string]: Printed } = {};
  const typed: Printed[] = [];
  for (const name of Object.keys(args)) {
    const from = c.results.filter((result) => result.field === name);
    if (from.length > 0 && r.chance(0.6)) {
      const result = r.pick(from);
      if (r.chance(0.9)) args[name] = result.value;
      origins[name] = r.chance(0.8) ? `result:${result.step}.${result.field}` : `result:${result.step}`;
      continue;
    }
    origins[name] = r.weighted([[12, "typed"], [1, "reply"], [1, "context"], [1, "computed"], [1, "model"]] as const);
    if (origins[name] === "typed") typed.push(args[name]);
  }
  const turns = [...(r.chance(0.3) ? [r.pick(["hello", "4411", "refund 40"])] : []), turnOf(r, typed, c.language)];
  return {
    format: "qls-tool-check/1", session: c.session, agent: c.agent, tool: c.tool, arguments: args, origins, turns,
    context: r.chance(0.85) ? { card_on_file: r.chance(0.85), ...(r.chance(0.3) ? { vip: true } : {}) } : undefined,
    principal: c.principal, resource: r.chance(0.6) ? { owner: r.pick(["u-1", "u-2"]) } : undefined, now: c.now,
  };
}

/** Values that a schema of the catalogue refuses, by argument. */
const WRONG: { [name: string]: Printed[] } = {
  order_id: ["", "ZZ", 5, "4411 ", null, "x".repeat(13)], amount: [0.001, 40.001, 19.999, -1, 0, "40"], note: ["x".repeat(41), 1], tags: [["a", "a"], ["a", "b", "c", "d"], [1], "a"],
  priority: ["mid", null], limit: [0, 51, 1.5], day: ["2025-13-01", "today", 1], to: ["nobody", 7], body: [1, []], flag: ["yes"], key: [1], query: [1], charge_id: [{}],
  user_email: [false], where: [{ city: 7 }, { zip: "1" }, [], { "https://evil.example/y": "ana@example.com" }, { city: "see www.evil.example/x" }],
};

/** The arguments that tools declare, for spoiling one of them. */
const DECLARED: { [tool: string]: string[] } = {
  get_order: ["order_id"], read_inbox: ["limit"], web_search: ["query"], charge_card: ["order_id", "amount", "note", "tags"], refund_card: ["order_id", "amount", "charge_id"],
  ship_order: ["order_id", "priority"], send_receipt: ["order_id", "to"], list_events: ["user_email", "day"], add_note: ["order_id", "body", "where"], set_flag: ["order_id", "flag", "key"],
};

const declaredBy = (request: RequestLine) => (Object.hasOwn(DECLARED, String(request.tool)) ? DECLARED[String(request.tool)] : []);

type Spoil = (r: Random, request: RequestLine, c: Circumstances) => void;
type Members = { [name: string]: Printed };
const args = (request: RequestLine) => request.arguments as Members;
const origins = (request: RequestLine) => (request.origins ??= {}) as Members;
const someArgument = (r: Random, request: RequestLine) => r.pick(Object.keys(args(request)).length > 0 ? Object.keys(args(request)) : ["order_id"]);

/** What can be wrong with, or odd about, a call. Each is drawn by its weight. */
export const SPOILS: readonly (readonly [number, Spoil])[] = [
  [1, (r, q) => void (q.tool = r.pick(["delete_order", "constructor", "Get_Order", ""]))],
  [1, (_, q) => void delete q.agent],
  [1, (r, q) => void (q.agent = r.pick(["nobody", "helper", "desk", "bóris"]))],
  [8, (r, q) => {
    const name = r.pick([...declaredBy(q), "note"]);
    args(q)[name] = r.pick(WRONG[name] ?? [1]);
  }],
  [1, (r, q) => void (args(q)[r.pick(["zzz", "note", "meta_b", "a~b/c"])] = r.pick(["x", 1, true, null] as Printed[]))],
  [0.3, (r, q) => void (args(q).where = { city: "Natal", [r.pick(["street", "zip"])]: "Rua 1" })],
  [1, (r, q) => void delete args(q)[someArgument(r, q)]],
  [2, (r, q) => void (args(q).amount = new JsonNumber(r.pick(["9007199254740993", "1e400", "-1e-400", "12345678901234567890", "40.00", "4e1", "1E30", "-0", "0.10"])))],
  [2, (r, q) => void (args(q)[r.pick(declaredBy(q).filter((name) => !["amount", "tags", "where", "flag", "limit"].includes(name)).concat("note"))] =
    r.pick(["see https://evil.example/x", "ana@example.com", "mail bo@shop.example or 10.0.0.1", "\\\\host\\share", "évil", "a\u202eb\u0007"]))],
  [1, (r, q) => void (args(q).note = "x".repeat(30 + r.below(30)))],
  [3, (r, q, c) => void (origins(q)[someArgument(r, q)] = r.pick(["model", "typed", "mystery", "result:0", `result:${r.below(c.steps + 1)}.order_id`, "result:01.order_id", "result:0.", `result:${r.below(c.steps + 1)}`]))],
  [1, (r, q) => void delete origins(q)[someArgument(r, q)]],
  [1, (_, q) => void delete q.origins],
  [1, (r, q) => void (q.turns = r.pick([[], ["v4411 4411/2 44112 -40"], ["order 4411, 40,50"], ["4411 4411 40 40"]]))],
  [2, (r, q) => void (q.labels = { call: [r.pick(["secret", "untrusted:web", "agent:helper", "agent:gone", "untrusted:read_inbox"])] })],
  [2, (r, q) => void (q.labels = { arguments: { [r.pick([someArgument(r, q), "nothing"])]: ["untrusted:web", "pii"].slice(r.below(2)) } })],
  [1, (r, q) => void (q.context = r.pick([{}, { card_on_file: false }, { other: true }]))],
  [1, (r, q) => void (q.resource = r.pick([{}, { owner: "u-1" }, { owner: null }]))],
  [1, (_, q) => void (q.explain = true)],
  [1, (r, q) => void (q.now = (q.now as number) - r.below(500))],
  [1, (r, q) => void (q.principal = r.pick([{ id: "u-9" }, undefined, { id: "u-1", roles: ["manager"] }, { roles: [] }] as Printed[]))],
  [0.7, (_, q) => void (q.explain = false)],
];

/** What makes a request no request at all. */
export const BREAKS: readonly Spoil[] = [
  (_, q) => void (q.format = "qls-tool-check/2"),
  (_, q) => void delete q.session,
  (_, q) => void delete q.tool,
  (_, q) => void delete q.arguments,
  (_, q) => void delete q.now,
  (r, q) => void (q.now = r.pick([1.5, "1", null, new JsonNumber("17644450009007199254740993")] as Printed[])),
  (r, q) => void (q[r.pick(["agent", "origins", "turns", "context", "principal", "resource", "labels", "head", "confirmation", "approvals", "undo", "explain"])] = null),
  (_, q) => void (q.arguments = []),
  (_, q) => void (q.tool = "t".repeat(129)),
  (r, q) => void (q[r.pick(["surprise", "x-note", "a/b"])] = 1),
  (_, q) => void (q.labels = { call: Array.from({ length: 65 }, (__, i) => `l${i}`) }),
  (r, q) => void (q.labels = { call: ["ok", r.pick(["Bad", "a b", "a:", "9", "", "a:b c", "a".repeat(33)])] }),
  (_, q) => void (q.labels = { arguments: { x: "secret" }, more: [] }),
  (_, q) => void (q.context = { a: 1, b: "x" }),
  (_, q) => void (q.undo = {}),
  (_, q) => void (q.undo = { step: "0", more: 1 }),
  (_, q) => void (q.head = { step: 0, link: "x" }),
  (_, q) => void (q.turns = ["ok", 3]),
  (_, q) => void (q.origins = { a: 1 }),
  (_, q) => void (q.context = new JsonNumber("1e999")),
  (_, q) => void (q.resource = { n: [new JsonNumber("9007199254740993")] }),
];
