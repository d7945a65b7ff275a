// Undoes a session's steps: the declared compensations are sent in reverse order, each checked like any call, until one is not allowed at once. What is to be undone is in the engine: a stop between two compensations ends nothing.
import type { Entry } from "interlock";
import { namesOf } from "../approvals/eligible.ts";
import { requireActsFor } from "../callers/agents.ts";
import { type Caller, GatewayError } from "../gateway.ts";
import type { Calls } from "./calls.ts";
import { callKey, callsPrefix, undoKey, undoPrefix } from "./keys.ts";
import { hasEnded } from "./outcome.ts";
import type { PolicyInForce } from "./parts.ts";
import type { CallRecord, Outcome, Proposal } from "./record.ts";
import type { Shared } from "./world.ts";

/** What is kept of an undo: to be done while `done` is absent. */
interface Undo {
  readonly session: string;
  /** Who undoes, and the other names of that person. */
  readonly caller: { readonly name: string; readonly person?: readonly string[] };
  /** The last first, and the call that undoes each. */
  readonly steps: readonly { readonly step: number; readonly call: string }[];
  readonly done?: true;
  /** Where a compensation could not even be decided. */
  readonly error?: { readonly status: number; readonly code: string; readonly message: string; readonly pointer?: string };
}

/** A session's calls, by what they mean for undoing. */
interface Made {
  /** Those that ran, by the step of their permit. */
  readonly ran: ReadonlyMap<number, CallRecord>;
  /** Undos that have not ended or whose outcome is unknown, by the step that they undo. */
  readonly undoing: ReadonlyMap<number, CallRecord>;
}

/** Between two looks at an undo that is under way. */
const STEP_MS = 30_000;

export class Undoing {
  readonly #shared: Shared;
  readonly #calls: Calls;

  constructor(shared: Shared, calls: Calls) {
    this.#shared = shared;
    this.#calls = calls;
  }

  /**
   * The last step first; `all` is every step that ran, declares an undo and is not undone. Stops after the first outcome that is no result; the outcome of
   * a compensation that is under way or in doubt is that one's. Fails with `session_not_found`, `step_not_undoable`, `agent_not_granted` (before anything is sent).
   */
  async undo(caller: Caller, session: string, steps: readonly number[] | "all"): Promise<readonly Outcome[]> {
    const { engine, ids } = this.#shared.parts;
    const { entries, policy, made } = await this.#session(caller.tenant, session);
    const undone = new Set(entries.filter((entry) => entry.decision === "allow" && made.ran.has(entry.step)).map(({ undoes }) => undoes));
    const wanted = steps === "all" ? entries.filter((entry) => !undone.has(entry.step) && isUndoable(entry, policy, made.ran)).map(({ step }) => step) : [...new Set(steps)];
    wanted.sort((one, other) => other - one);
    const by = { name: caller.name, person: namesOf(caller) };
    for (const step of wanted) {
      this.#proposal(caller.tenant, by, session, step, entries[step], policy, made.ran.get(step));
      requireActsFor(caller, entries[step]?.agent ?? null);
    }
    if (wanted.length === 0) return [];
    const undo: Undo = { session, caller: by, steps: wanted.map((step) => ({ step, call: made.undoing.get(step)?.id ?? ids() })) };
    const id = ids();
    await engine.commit({ tenant: caller.tenant, changes: [{ key: undoKey(id), value: JSON.stringify(undo), expect: null }] });
    await engine.run(caller.tenant, id);
    let kept = null;
    while (kept === null) {
      kept = await engine.changed(caller.tenant, undoKey(id), 1, STEP_MS);
      // A gateway that started meanwhile has forgotten what was done.
      if (kept === null && (await engine.get(caller.tenant, undoKey(id))) === null) return this.#outcomes(caller.tenant, undo);
    }
    // What was answered need not be kept: of a session that is erased nothing stays behind.
    await engine.commit({ tenant: caller.tenant, changes: [{ key: undoKey(id), value: null }] });
    return this.#outcomes(caller.tenant, JSON.parse(kept.value) as Undo);
  }

  /** Does what is to be done for an undo that the engine hands over: goes on where it was left. */
  async run(tenant: string, id: string): Promise<void> {
    const { engine } = this.#shared.parts;
    const stored = await engine.get(tenant, undoKey(id));
    if (stored === null) return;
    const undo = JSON.parse(stored.value) as Undo;
    if (undo.done === true) return;
    let error: Undo["error"];
    try {
      for (const each of undo.steps) if (!(await this.#compensated(tenant, undo, each))) break;
    } catch (caught) {
      if (!(caught instanceof GatewayError) || caught.status >= 500) throw caught;
      const { status, code, message, pointer } = caught;
      error = { status, code, message, ...(pointer === undefined ? {} : { pointer }) };
    }
    const done: Undo = { ...undo, done: true, ...(error === undefined ? {} : { error }) };
    await engine.commit({ tenant, changes: [{ key: undoKey(id), value: JSON.stringify(done), expect: stored.version }] });
  }

  /** Hands over every undo that a stop left undone, and forgets those that are done; to be called once, after the engine's start. */
  async takeUp(): Promise<void> {
    const { engine } = this.#shared.parts;
    for (const tenant of await engine.tenants()) {
      for (let after: string | undefined; ; ) {
        const page = await engine.list(tenant, undoPrefix, { limit: 1000, ...(after === undefined ? {} : { after }) });
        for (const { key, value, version } of page) {
          if ((JSON.parse(value) as Undo).done === true) await engine.commit({ tenant, changes: [{ key, value: null, expect: version }] });
          else await engine.run(tenant, key.slice(undoPrefix.length));
        }
        after = page.at(-1)?.key;
        if (page.length < 1000) break;
      }
    }
  }

  /** Proposes a compensation unless that was done before; whether it ran. */
  async #compensated(tenant: string, { session, caller }: Undo, { step, call }: Undo["steps"][number]): Promise<boolean> {
    if ((await this.#shared.parts.engine.get(tenant, callKey(call))) === null) {
      const { entries, policy, made } = await this.#session(tenant, session);
      await this.#calls.propose(this.#proposal(tenant, caller, session, step, entries[step], policy, made.ran.get(step)), null, call);
    }
    const outcome = await this.#calls.outcome(tenant, call, 0, undefined);
    return outcome?.kind === "result" && !outcome.failed;
  }

  /** The outcomes of the compensations that were proposed. */
  async #outcomes(tenant: string, { steps, error }: Undo): Promise<readonly Outcome[]> {
    if (error !== undefined) throw new GatewayError(error.status, error.code, error.message, { pointer: error.pointer });
    const outcomes: Outcome[] = [];
    for (const { call } of steps) {
      const outcome = await this.#calls.outcome(tenant, call, 0, undefined);
      if (outcome === null) break;
      outcomes.push(outcome);
      if (outcome.kind !== "result" || outcome.failed) break;
    }
    return outcomes;
  }

  async #session(tenant: string, session: string): Promise<{ readonly entries: readonly Entry[]; readonly policy: PolicyInForce; readonly made: Made }> {
    const { parts, sessions } = this.#shared;
    const kept = await sessions.history(tenant, session);
    if (kept === null) throw new GatewayError(404, "session_not_found", "there is no such session");
    const { entries } = JSON.parse(kept.history) as { entries: Entry[] };
    return { entries, policy: await parts.policies.current(tenant), made: await this.#made(tenant, session) };
  }

  async #made(tenant: string, session: string): Promise<Made> {
    const made = { ran: new Map<number, CallRecord>(), undoing: new Map<number, CallRecord>() };
    const { engine } = this.#shared.parts;
    for (let after: string | undefined; ; ) {
      const page = await engine.list(tenant, callsPrefix(session), after === undefined ? { limit: 1000 } : { limit: 1000, after });
      for (const { key } of page) {
        const stored = await engine.get(tenant, callKey(key.slice(callsPrefix(session).length)));
        const call = stored === null ? null : (JSON.parse(stored.value) as CallRecord);
        if (call === null) continue;
        if (call.sent?.status === "ran" && call.decided?.decision === "allow" && call.decided.step !== null) made.ran.set(call.decided.step, call);
        if (call.undo !== undefined && !hasEnded(call)) made.undoing.set(call.undo.step, call);
      }
      after = page.at(-1)?.key;
      if (page.length < 1000) return made;
    }
  }

  #proposal(tenant: string, caller: Undo["caller"], session: string, step: number, entry: Entry | undefined, policy: PolicyInForce, call: CallRecord | undefined): Proposal {
    const undo = entry === undefined ? undefined : policy.tools.get(entry.tool)?.undo;
    if (entry === undefined || call === undefined || undo === undefined || call.canonical === null) {
      throw new GatewayError(409, "step_not_undoable", `step ${step} was not made through this gateway, or its tool declares no undo`, { detail: { step } });
    }
    const values = valuesOf(call);
    const bound = Object.entries(undo.bind).map(([name, from]): [string, string | undefined, string] => [name, values(from), originOf(step, from, entry)]);
    const args = bound.filter(([, value]) => value !== undefined).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
    return {
      door: "undo",
      tenant,
      caller: caller.name,
      ...(caller.person === undefined ? {} : { person: caller.person }),
      session,
      agent: entry.agent,
      ...(call.agentVersion === undefined ? {} : { agentVersion: call.agentVersion }),
      tool: undo.tool,
      arguments: `{${args.join(",")}}`,
      origins: Object.fromEntries(bound.map(([name, , origin]) => [name, origin])),
      ...(call.principal === undefined ? {} : { principal: call.principal }),
      turn: null,
      idempotencyKey: null,
      undo: { step },
      waitMs: 0,
      purpose: "call",
      requestId: call.requestId,
    };
  }
}

/** The JSON text of what an undo binds: `arguments.NAME` or `result.FIELD`. */
function valuesOf(call: CallRecord): (from: string) => string | undefined {
  const args = JSON.parse(call.canonical ?? "{}") as Record<string, unknown>;
  const result = JSON.parse(call.sent?.fields ?? "{}") as Record<string, unknown>;
  return (from) => {
    const at = from.indexOf(".");
    const of = from.slice(0, at) === "arguments" ? args : result;
    const name = from.slice(at + 1);
    return Object.hasOwn(of, name) ? JSON.stringify(of[name]) : undefined;
  };
}

/** A bound result comes from its step; a bound argument has the origin that it had. */
function originOf(step: number, from: string, entry: Entry): string {
  const at = from.indexOf(".");
  const name = from.slice(at + 1);
  if (from.slice(0, at) === "result") return `result:${step}.${name}`;
  return Object.hasOwn(entry.origins, name) ? (entry.origins[name] ?? "model") : "model";
}

function isUndoable(entry: Entry, policy: PolicyInForce, made: ReadonlyMap<number, CallRecord>): boolean {
  return entry.undoes === undefined && entry.decision === "allow" && made.has(entry.step) && policy.tools.get(entry.tool)?.undo !== undefined;
}
