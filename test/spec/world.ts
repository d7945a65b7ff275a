// A small shop, its keys, and a session that holds every entry of the core's against the formulas before it goes on.

import { generateKeyPairSync } from "node:crypto";
import { expect } from "vitest";
import { Driver, type Json } from "./core.ts";
import * as f from "./formulas.ts";

export const NOW = 1764445000;

const bytes = (value: number, length = 32): string => f.b64u(Buffer.alloc(length, value));
export const oct = (kid: string, value: number, more: Json = {}): Json => ({ kid, kty: "oct", alg: "HS256", k: bytes(value), ...more });
export function okp(kid: string, more: Json = {}): Json {
  const { x, d } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as Json;
  return { kid, kty: "OKP", crv: "Ed25519", alg: "EdDSA", x, d, ...more };
}
export const keySet = (more: Json = {}): Json => ({ format: "qls-keys/1", active: "k1", keys: [oct("k1", 7)], digest_key: bytes(9), ...more });
/** The same set with a member left out. */
export function without(value: Json, ...names: string[]): Json {
  const copy = { ...value };
  for (const name of names) delete copy[name];
  return copy;
}

/** An object schema; every property a string unless a schema is given. */
export function object(properties: Json, more: Json = {}): Json {
  const typed: Json = {};
  for (const name of Object.keys(properties)) typed[name] = typeof properties[name] === "string" ? { type: properties[name] } : properties[name];
  return { type: "object", properties: typed, ...more };
}
export const read = (name: string, more: Json = {}): Json => ({ name, effect: "read", ...more });
export const write = (name: string, more: Json = {}): Json => ({ name, ...more });

export const SHOP: Json = {
  format: "qls-policy/1",
  tenant: "acme",
  agents: { desk: { tools: ["*"] } },
  tools: [
    read("get_order", { parameters: object({ order_id: "string" }), result: object({ total: "number", card: "string" }) }),
    read("read_inbox", { reads_outside: true, parameters: object({ folder: "string" }), result: object({ from: "string", body: "string" }) }),
    write("charge", {
      parameters: object({ order_id: "string", amount: "number" }, { required: ["order_id"] }),
      result: object({ charge_id: "string" }),
      undo: { tool: "refund", bind: { order_id: "arguments.order_id" } },
    }),
    write("refund", { parameters: object({ order_id: "string", amount: "number", charge_id: "string" }) }),
    write("send_mail", { sends_out: true, irreversible: true, parameters: object({ to: "string", text: "string" }) }),
    write("ping", {}),
  ],
};

/** The shop with members, tools (added, or replaced by name) and settings of the case's own. */
export function shop(more: Json = {}): Json {
  const { tools = [], ...rest } = more;
  const names = tools.map((tool: Json) => tool.name);
  return { ...SHOP, ...rest, tools: [...SHOP.tools.filter((tool: Json) => !names.includes(tool.name)), ...tools] };
}

/** The compiled form of chapter 2: every member that has a default is present. */
export function compile(policy: Json): Json {
  const agents: Json = {};
  for (const name of Object.keys(policy.agents)) agents[name] = { privilege: "normal", defaults: {}, ...policy.agents[name] };
  const tools = policy.tools.map((tool: Json) => {
    const out = {
      description: "", effect: "write", parameters: { type: "object", properties: {} }, sends_out: false, reads_outside: false, privilege: "normal",
      after: [], not_after: [], irreversible: false, idempotent: false, defaults: {}, also_called: [], ...tool,
    };
    if (typeof out.subject_argument === "string") out.subject_argument = [out.subject_argument];
    return out;
  });
  const set = policy.settings ?? {};
  return {
    ...policy, agents, tools, rulebook: policy.rulebook ?? { flows: [] },
    settings: {
      taint_policy: "confirm", taint_scope: "value", confirmation_ttl: 86400, confirmation_point: "head", receipt_ttl: 300, result_digests: "if_reported",
      head: "optional", on_lapse: "refuse_writes", language: "en", unread: "refuse", undeclared_arguments: "refuse", ...set,
      approval: { mode: "token", count: 1, deciders: [], ...set.approval },
      limits: { depth: 128, bytes: 8388608, history: 10000, steps: 1000000, ...set.limits },
    },
  };
}

/** Whether a tool declares a top-level argument (chapter 4 step 3). */
function declares(tool: Json, name: string): boolean {
  const schema = tool.parameters;
  if (schema.properties && Object.hasOwn(schema.properties, name)) return true;
  if (Object.keys(schema.patternProperties ?? {}).some((pattern) => new RegExp(pattern, "u").test(name))) return true;
  return typeof schema.additionalProperties === "object";
}

/** One session of one policy under one key set. */
export class Session {
  readonly driver: Driver;
  policy!: Json;
  policyId = "";
  keys!: Json;
  history: Json;
  now = NOW;
  /** Request members that every check of this session sends. */
  also: Json = {};

  constructor(policy: Json = SHOP, keys: Json = keySet(), readonly session = "chat-17", driver = new Driver()) {
    this.driver = driver;
    this.use(policy);
    this.useKeys(keys);
    this.history = { format: "qls-history/1", session, entries: [] };
  }

  /** Registers another policy, in force from now on. */
  use(policy: Json): void {
    this.policy = compile(policy);
    this.policyId = this.driver.ok({ op: "register", name: "p", policy }).policy;
    expect(this.policyId, "the policy's id is that of the compiled form").toBe(f.named("qls-policy/1", this.policy));
  }

  useKeys(keys: Json): void {
    this.keys = keys;
    this.driver.ok({ op: "keys", name: "k", keys });
  }

  tool(name: string): Json {
    return this.policy.tools.find((tool: Json) => tool.name === name);
  }

  digest(value: Json): string {
    return f.digestText(this.keys, this.session, this.policy.tenant, f.jcs(value));
  }

  snapshot(name: string): string {
    return f.named("qls-tool/1", this.tool(name));
  }

  request(tool: string, args: Json = {}, more: Json = {}): Json {
    const request = { format: "qls-tool-check/1", session: this.session, tool, arguments: args, now: this.now, history: this.history, ...this.also, ...more };
    for (const name of Object.keys(request)) if (request[name] === undefined) delete request[name];
    return request;
  }

  /** The answer line to a request, nothing held against anything, nothing kept. */
  ask(tool: string, args: Json = {}, more: Json = {}): Json {
    return this.driver.send({ op: "check", policy: "p", keys: "k", request: this.request(tool, args, more) });
  }

  /** The answer to a request that is held against the formulas; nothing is kept. */
  peek(tool: string, args: Json = {}, more: Json = {}): Json {
    const request = this.request(tool, args, more);
    const answer = this.driver.ok({ op: "check", policy: "p", keys: "k", request });
    this.#hold(request, answer);
    return answer;
  }

  /** The same, and the history goes on as bindings make it (chapter 4, Answer). */
  check(tool: string, args: Json = {}, more: Json = {}): Json {
    const answer = this.peek(tool, args, more);
    if (answer.entry === null) return answer;
    const entries = answer.entry.restarted ? [] : this.history.entries;
    this.history = { format: "qls-history/1", session: this.session, entries: [...entries, answer.entry] };
    return answer;
  }

  /** A call with every argument from the host's context, asked, approved and reported. */
  run(tool: string, args: Json = {}, more: Json = {}, outcome: Json = { status: "ran" }): Json {
    const origins: Json = {};
    for (const name of Object.keys(args)) origins[name] = "context";
    let answer = this.check(tool, args, { origins, ...more });
    if (answer.decision === "confirm") answer = this.check(tool, args, { origins, ...more, confirmation: answer.confirmation });
    expect(answer.decision, `${tool} runs: ${JSON.stringify(answer.detail)} ${answer.reason}`).toBe("allow");
    if (outcome) this.report(answer.step, outcome.status, outcome);
    return answer;
  }

  report(step: number, status: string, more: Json = {}): void {
    this.history = this.driver.ok({ op: "report", policy: "p", keys: "k", session: this.session, history: this.history, step, ...more, status });
  }

  reportError(step: Json, status: Json, more: Json = {}): string {
    return this.driver.error({ op: "report", policy: "p", keys: "k", session: this.session, history: this.history, step, status, ...more }).code;
  }

  verify(more: Json = {}): Json {
    return this.driver.ok({ op: "verify", policy: "p", keys: "k", session: this.session, history: this.history, ...more });
  }

  receipt(tool: string, args: Json, more: Json = {}): Json {
    return this.driver.ok({ op: "receipt", policy: "p", keys: "k", session: this.session, history: this.history, tool, arguments: args, now: this.now, ...more });
  }

  links(): Buffer[] {
    return f.links(this.history, this.policy.tenant);
  }

  link(step: number): string {
    return f.b64u(this.links()[step + 1] as Buffer);
  }

  head(): Json {
    return f.headOf(this.history, this.policy.tenant);
  }

  /** Signs the history again after a case has written into it. */
  resign(kid?: string): void {
    f.resign(this.history, this.policy.tenant, this.keys, kid ?? this.keys.active);
  }

  /** A history of one whose one entry anything may be laid over; used for calls that no check would let through. */
  forge(step: number, more: Json): void {
    this.history.entries[step] = { ...this.history.entries[step], ...more };
    this.resign();
  }

  #hold(request: Json, answer: Json): void {
    expect(answer.format).toBe("qls-tool-check/1");
    expect(answer.policy).toBe(this.policyId);
    expect(answer.reason).toBe(answer.reasons[0]);
    if (answer.decision === "refuse") expect(answer.reasons).toHaveLength(1);
    expect("arguments" in answer, "arguments exactly on an allow").toBe(answer.decision === "allow");
    expect("confirmation" in answer, "confirmation exactly on a confirm").toBe(answer.decision === "confirm");
    expect("question" in answer, "question exactly on a confirm").toBe(answer.decision === "confirm");
    if (answer.decision === "allow") expect(answer.arguments).toEqual(request.arguments);
    if (answer.entry === null) {
      expect([answer.step, answer.link]).toEqual([null, null]);
      return;
    }
    const history = answer.entry.restarted || !request.history ? { format: "qls-history/1", session: this.session, entries: [] } : request.history;
    const tool = this.tool(request.tool);
    const given: Json = {};
    for (const name of ["context", "labels", "principal", "resource", "turns"]) if (name in request) given[name] = request[name];
    const args: Json = {};
    const origins: Json = {};
    for (const name of Object.keys(request.arguments)) {
      if (!tool || !declares(tool, name)) continue;
      args[name] = this.digest(request.arguments[name]);
      origins[name] = request.origins?.[name] ?? "model";
    }
    const last = history.entries.at(-1);
    const { token, labels, decision, reason, reasons, ...rest } = answer.entry;
    expect(rest, "the entry's body by the table of chapter 3").toEqual({
      step: history.entries.length,
      tool: request.tool,
      agent: request.agent ?? null,
      principal: request.principal ? this.digest(request.principal.id) : null,
      digest: this.digest(request.arguments),
      arguments: args,
      origins,
      evidence: this.digest(given),
      at: Math.max(request.now, last?.at ?? request.now),
      policy: this.policyId,
      ...(tool ? { snapshot: this.snapshot(request.tool) } : {}),
      ...(tool?.reads_outside ? { outside: true } : {}),
      ...(request.undo ? { undoes: request.undo.step } : {}),
      ...(reason === "confirmed" ? { approves: f.payloadOf(request.confirmation).step } : {}),
      ...("approved_by" in answer.entry ? { approved_by: answer.entry.approved_by } : {}),
      ...("restarted" in answer.entry ? { restarted: true } : {}),
      ...(!answer.entry.restarted && history.reports && Object.keys(history.reports).length > 0 ? { reports: history.reports } : {}),
    });
    expect(labels).toEqual([...new Set(labels as string[])].sort());
    expect([answer.decision, answer.reason, answer.reasons, answer.step]).toEqual([decision, reason, reasons, rest.step]);
    const all = f.links({ ...history, entries: [...history.entries, answer.entry] }, this.policy.tenant);
    expect(answer.link).toBe(f.b64u(all.at(-1) as Buffer));
    const longer = { format: history.format, session: this.session, entries: [...history.entries, answer.entry] };
    if (longer.entries.length <= this.policy.settings.limits.history) {
      const verified = this.driver.ok({ op: "verify", policy: "p", keys: "k", session: this.session, history: longer });
      expect(verified, "what a check adds verifies").toEqual({ valid: true, head: f.headOf(longer, this.policy.tenant) });
    }
    const preview = this.keys.preview === true;
    const key = preview ? null : f.keyOf(this.keys, this.keys.active);
    expect(token).toBe(preview ? null : f.tokenOf(key, all.at(-1) as Buffer));
    if (answer.decision !== "confirm") return;
    const ttl = this.policy.settings.confirmation_ttl;
    expect(answer.confirmation).toBe(
      preview
        ? null
        : f.confirmationJws(key, {
            agent: rest.agent, digest: rest.digest, exp: rest.at + ttl, iat: rest.at, labels, link: answer.link, policy: rest.policy, principal: rest.principal,
            reasons, session: this.session, snapshot: rest.snapshot, step: rest.step, tool: rest.tool, ...(request.undo ? { undoes: request.undo.step } : {}),
          }),
    );
  }
}

/** A history of an allowed read, a question and an allowed read that ran. */
export function three(more: Json = {}): Session {
  const s = new Session(shop(more.policy ?? {}), more.keys ?? keySet());
  s.check("get_order", { order_id: "1" });
  s.check("ping");
  s.run("get_order", { order_id: "2" });
  return s;
}

/** Decision and reasons in one line, as cases are written: `refuse order_rule`, `confirm write`. */
export const said = (answer: Json): string => `${answer.decision} ${answer.reasons.join(", ")}`;
