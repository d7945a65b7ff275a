// Undoes a session's steps: the declared compensations are sent in reverse order, each checked like any call, until one is not allowed at once.
import type { Entry } from "interlock";
import { namesOf } from "../approvals/eligible.ts";
import { type Caller, GatewayError } from "../gateway.ts";
import type { Calls } from "./calls.ts";
import { callKey, callsPrefix } from "./keys.ts";
import type { PolicyInForce } from "./parts.ts";
import type { CallRecord, Outcome, Proposal } from "./record.ts";
import type { Shared } from "./world.ts";

export class Undoing {
  readonly #shared: Shared;
  readonly #calls: Calls;

  constructor(shared: Shared, calls: Calls) {
    this.#shared = shared;
    this.#calls = calls;
  }

  /**
   * The last step first; `all` is every step that ran, declares an undo and is not undone. Stops after the first outcome that is no result.
   * Fails with `session_not_found`, `step_not_undoable` (before anything is sent).
   */
  async undo(caller: Caller, session: string, steps: readonly number[] | "all"): Promise<readonly Outcome[]> {
    const { parts, sessions } = this.#shared;
    const kept = await sessions.history(caller.tenant, session);
    if (kept === null) throw new GatewayError(404, "session_not_found", "there is no such session");
    const policy = await parts.policies.current(caller.tenant);
    const { entries } = JSON.parse(kept.history) as { entries: Entry[] };
    const made = await this.#made(caller.tenant, session);
    const undone = new Set(entries.filter((entry) => entry.decision === "allow" && made.has(entry.step)).map(({ undoes }) => undoes));
    const wanted = steps === "all" ? entries.filter((entry) => !undone.has(entry.step) && isUndoable(entry, policy, made)).map(({ step }) => step) : [...new Set(steps)];
    const proposals = wanted.sort((one, other) => other - one).map((step) => this.#proposal(caller, session, step, entries[step], policy, made.get(step)));
    const outcomes: Outcome[] = [];
    for (const proposal of proposals) {
      const outcome = await this.#calls.call(proposal, undefined);
      outcomes.push(outcome);
      if (outcome.kind !== "result" || outcome.failed) break;
    }
    return outcomes;
  }

  /** The calls of a session that were made, by the step of their permit. */
  async #made(tenant: string, session: string): Promise<ReadonlyMap<number, CallRecord>> {
    const made = new Map<number, CallRecord>();
    const { engine } = this.#shared.parts;
    for (let after: string | undefined; ; ) {
      const page = await engine.list(tenant, callsPrefix(session), after === undefined ? { limit: 1000 } : { limit: 1000, after });
      for (const { key } of page) {
        const stored = await engine.get(tenant, callKey(key.slice(callsPrefix(session).length)));
        const call = stored === null ? null : (JSON.parse(stored.value) as CallRecord);
        if (call?.sent?.status === "ran" && call.decided?.decision === "allow" && call.decided.step !== null) made.set(call.decided.step, call);
      }
      after = page.at(-1)?.key;
      if (page.length < 1000) return made;
    }
  }

  #proposal(caller: Caller, session: string, step: number, entry: Entry | undefined, policy: PolicyInForce, call: CallRecord | undefined): Proposal {
    const undo = entry === undefined ? undefined : policy.tools.get(entry.tool)?.undo;
    if (entry === undefined || call === undefined || undo === undefined || call.canonical === null) {
      throw new GatewayError(409, "step_not_undoable", `step ${step} was not made through this gateway, or its tool declares no undo`, { detail: { step } });
    }
    const values = valuesOf(call);
    const bound = Object.entries(undo.bind).map(([name, from]): [string, string | undefined, string] => [name, values(from), originOf(step, from, entry)]);
    const args = bound.filter(([, value]) => value !== undefined).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
    return {
      door: "undo",
      tenant: caller.tenant,
      caller: caller.name,
      person: namesOf(caller),
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
