// The conformance line protocol of chapter 8 over the model: one request line in, one canonical line out.
import { evaluateCondition, parseCondition } from "./cel.ts";
import { check, type Checked } from "./check.ts";
import { destinations } from "./destinations.ts";
import { H, hmac } from "./digests.ts";
import { verifyEd25519 } from "./ed25519.ts";
import {
  headOf, historyDocument, readHistory, report, ReportRefused, verifyHistory, type Head, type History, type Report,
} from "./history.ts";
import {
  canonical, DEFAULT_LIMITS, escapeToken, inexactNumbers, isInteger, isObject, json, JsonError, read, readExact, readMembers, type Json, type JsonObject,
} from "./json.ts";
import { KeysInvalid, loadKeys, type KeySet } from "./keys.ts";
import { PolicyInvalid, register, type Policy } from "./policy.ts";
import { receipt } from "./receipt.ts";
import { readRequest, RequestInvalid } from "./request.ts";
import { schemaProblem, walk } from "./schema.ts";
import { provedTyped } from "./typed.ts";

/** An error that a line answers. */
class Refused extends Error {
  constructor(readonly code: string, readonly where: { offset?: number; pointer?: string; problems?: unknown } = {}) { super(code); }
}

interface Handle { policy: Policy; keys: KeySet; session: string; history: History }

/** A driver with its names: policies, key sets, handles. */
export class Driver {
  policies = new Map<string, Policy>();
  keySets = new Map<string, KeySet>();
  handles = new Map<string, Handle>();
  /** The history after the last check or report that made one; generators feed it back. */
  lastHistory: History | null = null;

  /** The answer line of one request line. Never throws for what a line holds. */
  answer(line: string | Uint8Array): string {
    const bytes = typeof line === "string" ? Buffer.from(line, "utf8") : line;
    let source: Json;
    let texts: Map<string, Uint8Array>;
    try {
      ({ value: source, texts } = readMembers(bytes));
    } catch (error) {
      if (error instanceof JsonError) return canonical(json({ id: null, error: { code: "line_invalid", message: "line_invalid" } }));
      throw error;
    }
    if (!isObject(source) || !source.has("id") || typeof source.get("op") !== "string") {
      return canonical(json({ id: null, error: { code: "line_invalid", message: "line_invalid" } }));
    }
    const id = source.get("id") as Json;
    try {
      return canonical(new Map([["id", id], ["ok", this.run(new Line(source, texts))]]));
    } catch (error) {
      return canonical(json({ id, error: errorOf(error) }));
    }
  }

  run(line: Line): Json {
    const op = line.text("op");
    const operation = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
    if (operation === undefined) throw new Refused("op_unknown");
    return operation(this, line);
  }

  named<T>(names: Map<string, T>, line: Line, member: string): T {
    const found = names.get(line.text(member));
    if (found === undefined) throw new Refused("name_unknown");
    return found;
  }

  check(line: Line): Json {
    const handle = line.has("handle") ? this.named(this.handles, line, "handle") : null;
    const policy = handle?.policy ?? this.named(this.policies, line, "policy");
    const keys = handle?.keys ?? this.named(this.keySets, line, "keys");
    const bytes = line.has("base64") ? line.bytes("base64") : line.source("request");
    const request = readRequest(policy, bytes, handle !== null);
    if (handle !== null && request.session !== handle.session) throw new Refused("request_invalid", { pointer: "/session" });
    if (keys.active === null && !keys.preview) throw new Refused("keys_cannot_sign");
    if (handle !== null) request.history = historyDocument(handle.history);
    const checked: Checked = check(policy, keys, request);
    if (handle !== null && checked.history !== null) handle.history = checked.history;
    this.lastHistory = checked.history;
    return checked.answer;
  }

  open(line: Line): Json {
    const name = line.text("name");
    const policy = this.named(this.policies, line, "policy");
    const keys = this.named(this.keySets, line, "keys");
    const session = line.text("session");
    const verified = verifyHistory(policy, keys, session, line.exact("history"), undefined, null);
    if (!verified.valid) throw new Refused("history_invalid");
    this.handles.set(name, { policy, keys, session, history: verified.history });
    return json(headOf(verified.history));
  }

  close(line: Line): Json {
    const { history } = this.named(this.handles, line, "name");
    this.handles.delete(line.text("name"));
    return json(headOf(history));
  }

  report(line: Line): Json {
    const handle = line.has("handle") ? this.named(this.handles, line, "handle") : null;
    const policy = handle?.policy ?? this.named(this.policies, line, "policy");
    const keys = handle?.keys ?? this.named(this.keySets, line, "keys");
    const source = handle === null ? line.exact("history") : undefined;
    const session = handle?.session ?? line.text("session");
    const told: Report = { step: line.integer("step"), status: line.text("status") };
    if (!["ran", "failed", "outcome_unknown", "compensated"].includes(told.status)) throw new Refused("request_invalid", { pointer: "/status" });
    if (line.has("at")) told.at = line.integer("at");
    if (line.has("result")) told.result = line.get("result");
    if (line.has("external_id")) told.external_id = line.get("external_id");
    const history = handle?.history ?? readHistory(policy, session, source);
    if (history === null) throw new Refused("history_invalid");
    const grown = report(policy, keys, history, told);
    this.lastHistory = grown;
    if (handle === null) return historyDocument(grown);
    handle.history = grown;
    return json(headOf(grown));
  }

  verify(line: Line): Json {
    const policy = this.named(this.policies, line, "policy");
    const keys = this.named(this.keySets, line, "keys");
    const verified = verifyHistory(policy, keys, line.text("session"), line.exact("history"), undefined, line.head());
    return verified.valid ? json({ valid: true, head: headOf(verified.history) }) : json({ valid: false, detail: verified.detail });
  }

  receipt(line: Line): Json {
    const policy = this.named(this.policies, line, "policy");
    const keys = line.has("keys") ? this.named(this.keySets, line, "keys") : null;
    const args = line.get("arguments");
    if (!isObject(args)) throw new Refused("request_invalid", { pointer: "/arguments" });
    const principal = line.has("principal") ? line.get("principal") : null;
    if (line.has("principal") && !isObject(principal)) throw new Refused("request_invalid", { pointer: "/principal" });
    return receipt(policy, keys, {
      session: line.text("session"), history: line.exact("history"), tool: line.text("tool"), arguments: args, now: line.integer("now"),
      agent: line.has("agent") ? line.text("agent") : null, principal: principal as JsonObject | null,
      step: line.has("step") ? line.integer("step") : null, sends: line.has("sends") ? line.integer("sends") : 0, head: line.head(),
    });
  }
}

/** A request line: its members as read, and the text of each as it stands. */
class Line {
  constructor(private readonly members: JsonObject, private readonly texts: Map<string, Uint8Array>) {}

  has(name: string): boolean {
    return this.members.has(name);
  }

  get(name: string): Json {
    const value = this.members.get(name);
    if (value === undefined) throw new Refused("request_invalid", { pointer: `/${name}` });
    return value;
  }

  text(name: string): string {
    const value = this.get(name);
    if (typeof value !== "string") throw new Refused("request_invalid", { pointer: `/${name}` });
    return value;
  }

  integer(name: string): number {
    const value = this.get(name);
    if (!isInteger(value)) throw new Refused("request_invalid", { pointer: `/${name}` });
    return value.value;
  }

  /** Bytes in base64, padded and read strictly. */
  bytes(name: string): Buffer {
    const text = this.text(name);
    const bytes = Buffer.from(text, "base64");
    if (bytes.toString("base64") !== text) throw new Refused("request_invalid", { pointer: `/${name}` });
    return bytes;
  }

  /** The text of a member as it stands in the line. */
  source(name: string): Uint8Array {
    this.get(name);
    return this.texts.get(name) as Uint8Array;
  }

  /** A member that may not hold an inexact number; undefined where it is absent. */
  exact(name: string): Json | undefined {
    const value = this.members.get(name);
    if (value === undefined) return undefined;
    const [first] = inexactNumbers(value);
    if (first) throw new JsonError("json_number", first.number.offset, `/${escapeToken(name)}${first.pointer}`);
    return value;
  }

  head(): Head | null {
    if (!this.has("head")) return null;
    const head = this.get("head");
    const [step, link, state] = isObject(head) && head.size === 3 ? [head.get("step"), head.get("link"), head.get("state")] : [];
    if (!isInteger(step) || typeof link !== "string" || typeof state !== "string") throw new Refused("request_invalid", { pointer: "/head" });
    return { step: step.value, link, state };
  }

  documents(): Map<string, Json> | null {
    if (!this.has("documents")) return null;
    const value = readExact(this.source("documents"));
    if (!isObject(value)) throw new Refused("request_invalid", { pointer: "/documents" });
    return value;
  }
}

const OPERATIONS: Record<string, (driver: Driver, line: Line) => Json> = {
  canonicalize: (_, line) => canonical(readExact(line.has("base64") ? line.bytes("base64") : Buffer.from(line.text("text"), "utf8"), DEFAULT_LIMITS)),
  sha256: (_, line) => H(line.bytes("base64")).toString("base64"),
  hmac: (_, line) => hmac(line.bytes("key"), line.bytes("base64")).toString("base64"),
  ed25519: (_, line) => verifyEd25519(line.bytes("base64"), line.bytes("signature"), line.bytes("public")),
  keys: (driver, line) => {
    const name = line.text("name");
    const keys = loadKeys(readExact(line.source("keys")));
    driver.keySets.set(name, keys);
    return json({ active: keys.active?.kid ?? null, preview: keys.preview });
  },
  register: (driver, line) => {
    const name = line.text("name");
    const { policy, warnings, partial } = register(readExact(line.source("policy")), line.documents());
    driver.policies.set(name, policy);
    return json({ policy: policy.id, warnings, partial });
  },
  check: (driver, line) => driver.check(line),
  open: (driver, line) => driver.open(line),
  close: (driver, line) => driver.close(line),
  report: (driver, line) => driver.report(line),
  verify: (driver, line) => driver.verify(line),
  receipt: (driver, line) => driver.receipt(line),
  schema: (_, line) => {
    const schema = line.get("schema");
    const value = line.has("base64") ? read(line.bytes("base64")) : line.get("value");
    const documents = line.documents() ?? new Map<string, Json>();
    if (schemaProblem(schema) !== null) throw new Refused("schema_invalid");
    const { errors, partial } = walk(schema, value, { documents, formats: line.has("formats") && line.get("formats") === true, deep: false });
    return json({ valid: errors.length === 0, partial, errors: errors.map(({ pointer, rule }) => ({ pointer, rule })) });
  },
  destinations: (_, line) =>
    json(destinations(line.text("value"), line.has("argument") ? line.text("argument") : null).map(({ kind, text }) => ({ kind, text }))),
  typed: (_, line) => {
    const turns = line.get("turns");
    if (!Array.isArray(turns) || turns.some((turn) => typeof turn !== "string")) throw new Refused("request_invalid", { pointer: "/turns" });
    const language = (line.has("language") ? line.text("language") : "en") as "en" | "pt-BR";
    if (!["en", "pt-BR"].includes(language)) throw new Refused("request_invalid", { pointer: "/language" });
    return provedTyped([{ name: "value", value: line.get("value") }], turns as string[], language).has("value");
  },
  rule: (_, line) => {
    const condition = parseCondition(line.text("condition"), null);
    if ("error" in condition) return json({ error: condition.error });
    return json(evaluateCondition(condition, variablesOf(line.has("variables") ? line.get("variables") : new Map())));
  },
};

/** The variables of a `rule` line; what is absent is empty, and no history stands behind the functions. */
function variablesOf(source: Json): Parameters<typeof evaluateCondition>[1] {
  const v = isObject(source) ? source : new Map<string, Json>();
  const map = (name: string) => (isObject(v.get(name)) ? (v.get(name) as JsonObject) : new Map<string, Json>());
  const text = (name: string) => (typeof v.get(name) === "string" ? (v.get(name) as string) : "");
  const none = () => 0;
  const now = v.get("now");
  return {
    tool: text("tool"), agent: text("agent"), turn: text("turn"), args: map("args"), facts: map("facts") as Map<string, boolean>,
    principal: map("principal"), resource: map("resource"), origins: map("origins") as Map<string, string>,
    labels: Array.isArray(v.get("labels")) ? (v.get("labels") as string[]) : [], now: isInteger(now) ? now.value : 0,
    ran: none, allowed: none, allowedWithin: none,
  };
}

function errorOf(error: unknown): object {
  if (error instanceof JsonError) return { code: error.code, message: error.message, offset: error.offset, pointer: error.pointer };
  if (error instanceof RequestInvalid) return { code: error.code, message: error.message, pointer: error.pointer };
  if (error instanceof PolicyInvalid) return { code: error.code, message: error.message, problems: error.problems };
  if (error instanceof KeysInvalid) return { code: error.code, message: error.message };
  if (error instanceof ReportRefused) return { code: error.code, message: error.message };
  if (error instanceof Refused) return { code: error.code, message: error.message, ...error.where };
  throw error;
}
