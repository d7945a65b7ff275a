// What callers do with a session themselves: report what became of a call they made, have a permit looked at, read a turn.
import { InterlockError, type Status } from "interlock";
import { callKey, callsPrefix, headKey, onceKey } from "../call/keys.ts";
import type { CallRecord } from "../call/record.ts";
import type { Shared } from "../call/world.ts";
import { Unit } from "../call/unit.ts";
import { requireActsFor } from "../callers/agents.ts";
import { type Caller, GatewayError } from "../gateway.ts";
import { stoppedSentence, switchOf } from "../rows/node/38-kill-switches.ts";
import { receiptOf, receiptOn } from "./permit.ts";
import { refusedRequest } from "./request.ts";
import { toldText } from "./report.ts";
import { historyText, type Kept } from "./sessions.ts";

const ATTEMPTS = 64;
const STATUSES = new Set<string>(["ran", "failed", "outcome_unknown", "compensated"]);

interface Report {
  readonly session: string;
  readonly step: number;
  readonly status: string;
  readonly result?: string;
  readonly externalId?: string;
  readonly history?: string;
}

interface Question {
  readonly session: string;
  readonly tool: string;
  readonly arguments: string;
  readonly agent?: string;
  readonly principal?: string;
  readonly step?: number;
  readonly history?: string;
}

/** What the log says of a step that its caller made: the tool and the agent of its entry. */
function toldOf(entry: string | undefined): { tool?: string; agent?: string | null } {
  if (entry === undefined) return {};
  const { tool, agent } = JSON.parse(entry) as { tool: string; agent: string | null };
  return { tool, agent };
}

/** Whether a check was told to ask although the policy allows the call. */
function isEscalated({ decided, released }: CallRecord): boolean {
  return decided?.decision === "allow" && released !== null && (JSON.parse(released) as { decision?: string }).decision !== "allow";
}

export class Outside {
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** Fails with `agent_not_granted` where the step is of an agent that the caller does not act for, unless it is an administrator; with `history_invalid`, `made_here`, `outcome_…`, `request_invalid`, `json_…`, `session_busy`. */
  async report(caller: Caller, { session, step, status, result, externalId, history }: Report): Promise<string> {
    if (!STATUSES.has(status)) throw new GatewayError(400, "request_invalid", `a status is one of ${[...STATUSES].join(", ")}`, { pointer: "/status" });
    const { parts, sessions } = this.#shared;
    const told = { status: status as Status, fields: result, externalId };
    return this.#inTurn(caller.tenant, session, async (kept, unit) => {
      if (history !== undefined) await this.#requireEnd(kept, history);
      if (!caller.may.has("admin")) requireActsFor(caller, toldOf(kept.entries[step]).agent ?? null);
      await this.#requireOwn(kept, step);
      const now = parts.clock();
      try {
        sessions.report(kept, step, toldText(step, told, Math.floor(now / 1000)), unit);
      } catch (error) {
        if (error instanceof InterlockError && error.code.startsWith("outcome_")) throw new GatewayError(409, error.code, error.message, { cause: error });
        refusedRequest(error);
      }
      unit.tell({ event: "outcome.reported", at: now, actor: caller.name, session, ...toldOf(kept.entries[step]), step, status: told.status, ...(externalId === undefined ? {} : { external_id: externalId }) });
      return historyText(session, kept.entries, kept.reports);
    });
  }

  /**
   * Chapter 3's receipt over the kept history of the session that is named, or over one that the caller carried: it has to be that session's, and end at
   * its kept head. Each allow counts as one admission, and the log has it before the caller does. Fails with `agent_not_granted`, with `kill_switch`, and with
   * `made_here` of a call that the gateway makes.
   */
  async receipt(caller: Caller, question: Question): Promise<string> {
    const { parts } = this.#shared;
    requireActsFor(caller, question.agent ?? null);
    return this.#inTurn(caller.tenant, question.session, async (kept, unit) => {
      const policy = await parts.policies.current(caller.tenant);
      const { session, tool, agent = null } = question;
      const kill = switchOf({ tenant: caller.tenant, session, tool, agent }, policy, parts.kills);
      if (kill !== null) throw new GatewayError(409, "kill_switch", stoppedSentence(kill), { detail: { kill: kill.id } });
      await this.#requireOwn(kept, question.step ?? kept.entries.length - 1);
      const ask = (sends: number) => {
        const { tool, arguments: args, agent, principal, step, history } = question;
        const asked = { tool, arguments: args, now: Math.floor(parts.clock() / 1000), agent, principal, step, head: kept.head, sends: sends === 0 ? undefined : sends };
        return history === undefined ? receiptOn(kept, asked) : receiptOf(question.session, history, asked, policy);
      };
      const first = ask(0);
      if (first.receipt.once === undefined) return first.text;
      const key = onceKey(first.receipt.once);
      const stored = await parts.engine.get(caller.tenant, key);
      const sends = stored === null ? 0 : (JSON.parse(stored.value) as { sends: number }).sends;
      const answer = sends === 0 ? first : ask(sends);
      if (answer.receipt.decision !== "allow") return answer.text;
      unit.put(key, JSON.stringify({ sends: sends + 1 }), stored?.version ?? null);
      unit.add({ key: headKey(session), expect: kept.version });
      const step = question.step ?? kept.entries.length - 1;
      unit.tell({ event: "receipt.admitted", at: parts.clock(), actor: caller.name, session, ...toldOf(kept.entries[step]), step, once: first.receipt.once });
      return answer.text;
    });
  }

  /** Chapter 6's plan of a turn: the answer's text. Fails with `request_invalid`, `json_…`. */
  async read(tenant: string, agent: string | null, turn: string, session: string | null): Promise<string> {
    const { parts } = this.#shared;
    const { client } = await parts.policies.current(tenant);
    const text = JSON.stringify({ format: "qls-plan/1", session: session ?? "", ...(agent === null ? {} : { agent }), turn, now: Math.floor(parts.clock() / 1000) });
    try {
      return client.use((core, { policy }) => core.run("read", [policy], text));
    } catch (error) {
      return refusedRequest(error);
    }
  }

  /** Fails with `made_here` where the step is of a call that the gateway makes: it spends its permit and says what became of it; with `approval_pending` where a hook wants a person to see the call. */
  async #requireOwn({ tenant, session }: Kept, step: number): Promise<void> {
    const { engine } = this.#shared.parts;
    const prefix = callsPrefix(session);
    // The newest first: most reports are about what was just made.
    for (let after: string | undefined; ; ) {
      const page = await engine.list(tenant, prefix, { limit: 100, descending: true, ...(after === undefined ? {} : { after }) });
      for (const { key } of page) {
        const stored = await engine.get(tenant, callKey(key.slice(prefix.length)));
        const call = stored === null ? null : (JSON.parse(stored.value) as CallRecord);
        if (call?.decided?.step !== step) continue;
        if (call.purpose === "check" && !isEscalated(call)) return;
        if (call.purpose === "check") throw new GatewayError(409, "approval_pending", "people are asked about this call, and its entry is no permit: once they said yes, check the call again", { detail: { call: call.id } });
        throw new GatewayError(409, "made_here", "the gateway makes the call of this step itself: its permit is not for others, and its outcome is reported by the gateway", { detail: { call: call.id } });
      }
      after = page.at(-1)?.key;
      if (page.length < 100) return;
    }
  }

  /** Fails with `history_invalid` where a carried history does not end at the kept head. */
  async #requireEnd({ tenant, session, head }: Kept, history: string): Promise<void> {
    const { client } = await this.#shared.parts.policies.current(tenant);
    const text = `{"session":${JSON.stringify(session)},"head":${JSON.stringify(head)},"history":${history}}`;
    try {
      const verified = JSON.parse(client.use((core, { policy, keys }) => core.run("verify", [policy, keys], text))) as { valid: boolean; detail?: Readonly<Record<string, unknown>> };
      if (!verified.valid) throw new GatewayError(409, "history_invalid", "this is not the session's history up to now", { detail: verified.detail });
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      refusedRequest(error);
    }
  }

  /** Works on a session in its turn, again where others moved it. */
  async #inTurn(tenant: string, session: string, work: (kept: Kept, unit: Unit) => Promise<string>): Promise<string> {
    const { parts, sessions } = this.#shared;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const leave = await sessions.enter(tenant, session);
      const unit = new Unit(tenant);
      try {
        const kept = await sessions.open(tenant, session, await parts.policies.current(tenant));
        const answer = await work(kept, unit);
        if (unit.isEmpty || (await unit.commit(parts.engine)).ok) return answer;
      } finally {
        unit.clear();
        leave();
      }
    }
    throw new GatewayError(503, "session_busy", "others keep moving this session's head: nothing was done, try again");
  }
}
