// Random policies and key sets for the generator: a shop's catalogue with every feature of chapter 2 switched on and off.
import { b64u } from "./digests.ts";
import { publicOf } from "./ed25519.ts";
import type { Random } from "./random.ts";

/** Plain JavaScript that prints as JSON. */
export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain | undefined };
export type PlainObject = { [name: string]: Plain | undefined };

const ORDER = { type: "string", pattern: "^[0-9a-z-]{1,12}$" };
const AMOUNT = { type: "number", exclusiveMinimum: 0, multipleOf: 0.01 };

/** Every tool's name, in catalogue order. */
export const TOOLS = [
  "get_order", "read_inbox", "web_search", "charge_card", "refund_card", "ship_order", "send_receipt", "list_events", "add_note", "set_flag", "café_menu",
];

/** The facts, and conditions that never fail, sometimes fail, or always do. */
const CONDITIONS = [
  "$card_on_file", "facts.card_on_file || $vip", "resource.owner == principal.id", "has(resource.owner) && resource.owner == 'u-1'",
  "args.amount > 100", "args.amount > 40.0 && agent == \"desk\"", "has(args.amount) && args.amount >= 250", "args.order_id == '4411'",
  "args.order_id.startsWith('44') && size(args) < 4", "args.order_id.matches('^[0-9]+$')", "has(args.note) && args.note.contains('urgent')",
  "ran('get_order') > 0", "allowed('charge_card') >= 2", "allowed_within('charge_card', 60) > 0", "ran(tool) == allowed(tool)",
  "labels.exists(l, l.startsWith('untrusted:'))", "size(labels) == 0", "labels.all(l, l != 'secret')", "'secret' in labels",
  "origins.order_id == 'model'", "turn.contains('refund')", "now >= timestamp('2025-11-29T19:40:00Z')", "now.getFullYear() == 2025",
  "now < timestamp(1764445400)", "principal.roles.exists(r, r == 'manager')", "has(principal.roles) && 'manager' in principal.roles",
  "args.missing == 1", "args.amount + 'x' == ''", "int(args.amount) / 0 == 1", "tool in ['charge_card', 'ship_order']",
  "tool == 'refund_card' ? args.amount < 50.5 : true", "args.tags.filter(t, t != 'a').size() > 1", "args.tags.map(t, t + '!') == ['a!']",
  "duration('1h') > duration('59m')", "!(agent in ['helper', ''])", "string(args.amount) == '40'", "1 == 1.0", "double('2.5') < args.amount",
];

const UNDO_TOOL: Record<string, string> = { charge_card: "refund_card", add_note: "set_flag", set_flag: "set_flag" };

function parametersOf(r: Random, name: string): PlainObject | undefined {
  const object = (properties: PlainObject, required: string[] = [], more: PlainObject = {}): PlainObject =>
    ({ type: "object", properties, ...(required.length > 0 ? { required } : {}), ...more });
  switch (name) {
    case "get_order": return object({ order_id: ORDER }, ["order_id"]);
    case "read_inbox": return r.chance(0.5) ? undefined : object({ limit: { type: "integer", minimum: 1, maximum: 50 } });
    case "web_search": return object({ query: { type: "string" } }, r.chance(0.5) ? ["query"] : []);
    case "charge_card": return object({
      order_id: ORDER, amount: AMOUNT, note: { type: "string", maxLength: 40 },
      tags: { type: "array", items: { type: "string" }, maxItems: 3, uniqueItems: true },
    }, ["order_id", "amount"]);
    case "refund_card": return object({ order_id: ORDER, amount: AMOUNT, charge_id: { type: "string" } }, ["order_id"]);
    case "ship_order": return object({ order_id: ORDER, priority: { enum: ["low", "high"] },
      ...(r.chance(0.3) ? { ref: { type: "string", pattern: "^(?!x)[a-z]+$" } } : {}) }, ["order_id"], { additionalProperties: false });
    case "send_receipt": return object({ order_id: ORDER, to: { type: "string", ...(r.chance(0.3) ? { format: "email" } : {}) } }, ["order_id"]);
    case "list_events": return object({ user_email: { type: "string" }, day: { type: "string", format: "date" } });
    case "add_note": return object({ order_id: { $ref: "#/$defs/id" }, body: { type: ["string", "null"] },
      where: { type: "object", properties: { city: { type: "string" }, zip: { type: "integer" } }, ...(r.chance(0.2) ? { additionalProperties: false } : {}) } }, ["order_id"], {
      $defs: { id: ORDER }, ...(r.chance(0.5) ? { patternProperties: { "^meta_": { type: ["string", "number", "boolean", "null"] } } } : {}),
      ...(r.chance(0.2) ? { additionalProperties: { type: "string" } } : r.chance(0.2) ? { additionalProperties: true } : {}) });
    case "set_flag": return object({ order_id: ORDER, flag: { type: "boolean" }, key: { type: "string" } }, ["order_id"]);
    default: return object({ day: { type: "string" } });
  }
}

function resultOf(name: string): PlainObject | undefined {
  if (name === "get_order") return { type: "object", properties: { order_id: ORDER, total: { type: "number" }, email: { type: "string" } } };
  if (name === "charge_card") return { type: "object", properties: { charge_id: { type: "string" }, order_id: { type: "string" } } };
  if (name === "read_inbox") return { type: "object", properties: { subject: { type: "string" }, order_id: { type: "string" } } };
  if (name === "set_flag") return { type: "object", properties: { order_id: { type: "string" } } };
  return undefined;
}

/** Order rules that this tool may carry; binds only name what exists. */
function orderRules(r: Random, name: string, names: string[]): PlainObject {
  const out: PlainObject = {};
  const has = (tool: string) => names.includes(tool);
  if (name === "refund_card" && has("charge_card") && r.chance(0.4)) {
    out.after = [r.chance(0.5) ? { tool: "charge_card", bind: { charge_id: "charge_id" } } : r.chance(0.5) ? "charge_card" : { tool: "charge_card", bind: { order_id: "order_id", charge_id: "charge_id" } }];
  } else if (has("get_order") && name !== "get_order" && r.chance(0.12)) out.after = ["get_order"];
  const before: string[] = [];
  if (["charge_card", "ship_order", "send_receipt", "set_flag"].includes(name)) {
    if (has("read_inbox") && r.chance(0.15)) before.push("read_inbox");
    if (r.chance(0.15)) before.push("untrusted");
    if (has("ship_order") && r.chance(0.1)) before.push("ship_order");
  }
  if (before.length > 0) out.not_after = before;
  if (r.chance(["charge_card", "set_flag", "send_receipt"].includes(name) ? 0.35 : 0.06)) out.at_most = 1 + r.below(3);
  return out;
}

function toolOf(r: Random, name: string, names: string[]): PlainObject {
  const tool: PlainObject = { name };
  if (r.chance(0.2)) tool.description = r.pick(["Show an order.", "", "Notas do pedido — com acento"]);
  const isRead = ["get_order", "read_inbox", "web_search", "list_events", "café_menu"].includes(name);
  if (isRead) tool.effect = "read";
  else if (r.chance(0.2)) tool.effect = "write";
  const parameters = parametersOf(r, name);
  if (parameters !== undefined) tool.parameters = parameters;
  const result = resultOf(name);
  if (result !== undefined && r.chance(0.9)) tool.result = result;
  if ((name === "read_inbox" || name === "web_search") && r.chance(0.85)) tool.reads_outside = true;
  if (name === "send_receipt" && r.chance(0.8)) tool.sends_out = true;
  if (name === "list_events" && r.chance(0.6)) tool.subject_argument = r.chance(0.5) ? "user_email" : ["user_email"];
  if (r.chance(0.3)) tool.privilege = r.pick(["low", "normal", "high"]);
  Object.assign(tool, orderRules(r, name, names));
  if (name === "ship_order" && r.chance(0.8)) tool.irreversible = true;
  if ((name === "set_flag" || name === "send_receipt") && r.chance(0.25)) tool.idempotent = true;
  if (name === "set_flag" && r.chance(0.4)) tool.idempotency_key = "key";
  if (name === "send_receipt" && r.chance(0.4)) tool.idempotency_key = "order_id";
  if (r.chance(0.1)) tool.defaults = { note: "none" };
  if (r.chance(0.1)) tool.also_called = ["pedido", "order"];
  if (r.chance(0.12)) tool.limits = { bytes: 30 + r.below(40) };
  if (r.chance(0.05)) tool["x-owner"] = { team: "shop" };
  return tool;
}

/** Undos are laid after all tools exist, so that a bind only names what both declare. */
function layUndos(r: Random, tools: PlainObject[]): void {
  for (const tool of tools) {
    const by = UNDO_TOOL[tool.name as string];
    if (by === undefined || tool.effect === "read" || !tools.some((t) => t.name === by) || !r.chance(0.85)) continue;
    const bind: PlainObject = { order_id: "arguments.order_id" };
    if (tool.name === "charge_card" && tool.result !== undefined && r.chance(0.5)) bind.charge_id = "result.charge_id";
    if (tool.name === "set_flag" && tool.result !== undefined && r.chance(0.3)) bind.order_id = "result.order_id";
    tool.undo = { tool: by, bind };
  }
}

function rulebook(r: Random, names: string[]): PlainObject | undefined {
  if (r.chance(0.35)) return undefined;
  let id = 0;
  const flows = Array.from({ length: 1 + r.below(3) }, (_, f) => ({
    name: `f${f}`,
    on: r.chance(0.15) ? ["*"] : r.shuffled(names).slice(0, 1 + r.below(2)),
    rules: Array.from({ length: 1 + r.below(2) }, () => {
      const kind = r.weighted([[2, "refuse_if"], [1.5, "allow_if"], [4, "ask_if"]] as const);
      return {
        id: `r-${id++}`, [kind]: r.pick(CONDITIONS),
        ...(r.chance(0.3) ? { because: r.pick(["Finance decides.", "Não pode — política \"A\""]) } : {}), ...(r.chance(0.2) ? { question: "Really?" } : {}),
      };
    }),
  }));
  return { ...(r.chance(0.3) ? { facts: ["card_on_file", "vip"] } : {}), flows };
}

function settings(r: Random): PlainObject | undefined {
  if (r.chance(0.1)) return undefined;
  const out: PlainObject = {};
  const maybe = (chance: number, name: string, value: Plain) => {
    if (r.chance(chance)) out[name] = value;
  };
  maybe(0.3, "taint_policy", r.pick(["confirm", "refuse"]));
  maybe(0.3, "taint_scope", r.pick(["value", "session"]));
  maybe(0.4, "confirmation_ttl", r.pick([20, 60, 600]));
  maybe(0.6, "confirmation_point", r.pick(["head", "turn", "turn"]));
  if (r.chance(0.3)) {
    out.approval = { mode: "signed", ...(r.chance(0.5) ? { count: 1 + r.below(2) } : {}), ...(r.chance(0.4) ? { deciders: ["ana", "bo", "u-1"] } : {}) };
  } else if (r.chance(0.2)) out.approval = {};
  maybe(0.4, "receipt_ttl", r.pick([10, 60]));
  maybe(0.3, "result_digests", r.pick(["if_reported", "required"]));
  maybe(0.06, "head", r.pick(["optional", "required"]));
  maybe(0.4, "on_lapse", r.pick(["refuse_writes", "refuse"]));
  maybe(0.3, "language", r.pick(["en", "pt-BR"]));
  maybe(0.2, "unread", r.pick(["refuse", "model"]));
  maybe(0.5, "undeclared_arguments", r.pick(["refuse", "schema", "deep"]));
  if (r.chance(0.2)) out.limits = { ...(r.chance(0.5) ? { history: 2 + r.below(6) } : {}), ...(r.chance(0.4) ? { depth: 12 } : {}), ...(r.chance(0.4) ? { bytes: 900 } : {}) };
  return out;
}

/** A policy that registers without an error. */
export function makePolicy(r: Random): PlainObject {
  const names = TOOLS.filter(() => r.chance(0.88));
  if (names.length < 2) names.push("get_order", "charge_card");
  const unique = [...new Set(names)];
  const tools = unique.map((name) => toolOf(r, name, unique));
  layUndos(r, tools);
  const some = () => (r.chance(0.6) ? ["*"] : unique.filter(() => r.chance(0.92)));
  const agents: PlainObject = { desk: { ...(r.chance(0.5) ? { privilege: r.pick(["normal", "normal", "high", "low"]) } : {}), tools: some() } };
  if (r.chance(0.5)) agents.helper = { privilege: r.pick(["low", "normal", "high"]), tools: some() };
  if (r.chance(0.15)) agents["bóris"] = { tools: some(), defaults: { note: "x" } };
  const book = rulebook(r, unique);
  const set = settings(r);
  return {
    format: "qls-policy/1", tenant: r.pick(["acme", "t-1", "café Ltda"]), agents, tools,
    ...(book ? { rulebook: book } : {}), ...(set ? { settings: set } : {}), ...(r.chance(0.05) ? { "x-note": 1 } : {}),
  };
}

/** A secret of the generator: what a key line holds, and what signs approvals. */
export interface MadeKeys { document: PlainObject; approvers: { kid: string; alg: "HS256" | "EdDSA"; secret: Buffer; public: Buffer | null }[] }

function oct(r: Random, kid: string, more: PlainObject = {}) {
  const secret = r.bytes(32 + r.below(30));
  return { jwk: { kid, kty: "oct", alg: "HS256", k: b64u(secret), ...more } as PlainObject, kid, alg: "HS256" as const, secret, public: null };
}

function okp(r: Random, kid: string, more: PlainObject = {}) {
  const secret = r.bytes(32);
  const x = publicOf(secret);
  return { jwk: { kid, kty: "OKP", crv: "Ed25519", alg: "EdDSA", x: b64u(x), d: b64u(secret), ...more } as PlainObject, kid, alg: "EdDSA" as const, secret, public: x };
}

/** A key set: HS256, Ed25519 or both, approvers' keys, keyed or plain digests, a licence, a preview. */
export function makeKeys(r: Random, start: number): MadeKeys {
  const keys = r.chance(0.7) ? [oct(r, "k-2026"), okp(r, "ed-1")] : r.chance(0.7) ? [oct(r, "k-2026")] : [okp(r, "ed-1")];
  const approvers = [oct(r, "app-1", { use: "approve" }), okp(r, "app_2", { use: "approve" })].filter(() => r.chance(0.9));
  const preview = r.chance(0.08);
  const document: PlainObject = {
    format: "qls-keys/1",
    ...(preview ? { preview: true } : { active: r.chance(0.75) ? keys[0].kid : keys[keys.length - 1].kid }),
    keys: [...keys, ...approvers].map((key) => key.jwk),
    ...(r.chance(0.25) ? { digests: "plain" } : { digest_key: b64u(r.bytes(32)) }),
    ...(r.chance(0.2) ? { licence: { id: "L1", expires: r.chance(0.2) ? null : start + r.below(600) } } : {}),
  };
  return { document, approvers };
}

/** The same set after a rotation: a new active key first, the old ones kept. */
export function rotate(r: Random, made: MadeKeys): MadeKeys {
  if (made.document.preview === true) return made;
  const kid = `next-${r.below(1000)}`;
  const next = r.chance(0.5) ? oct(r, kid) : okp(r, kid);
  return { ...made, document: { ...made.document, active: kid, keys: [next.jwk, ...(made.document.keys as Plain[])] } };
}
