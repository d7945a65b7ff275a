// Erases what is kept of a session, or the results of its calls alone: every record that holds a value of it, in commits that an engine takes whatever its size. The log itself stays, and verifies.
import { editKey, askedPrefix } from "../approvals/keys.ts";
import type { ApprovalRecord } from "../approvals/record.ts";
import type { AuditBody } from "../audit/entry.ts";
import { attachedPrefix, callKey, callsPrefix, entryPrefix, headKey, idempotencyKey, keyedPrefix, onceKey, openKey, part, undoPrefix, valuesPrefix } from "../call/keys.ts";
import { ERASED, hasEnded } from "../call/outcome.ts";
import type { CallRecord } from "../call/record.ts";
import { Unit } from "../call/unit.ts";
import type { Shared } from "../call/world.ts";
import { GatewayError } from "../gateway.ts";
import { ERASING } from "../sessions/sessions.ts";

/** Records that one commit erases: engines bound a commit's size. */
const AT_ONCE = 1_000;
/** Calls whose results one commit erases, and the characters of what stays of them. */
const RESULTS_AT_ONCE = 50;
const SIZE_AT_ONCE = 2_000_000;

/** Who erases, for the log, and by which rule. */
export interface By {
  readonly actor: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export class Erasing {
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /**
   * Erases a session: its history and head, its calls with their arguments and results, its questions, and the values that the log only binds.
   * The first commit says so in the log and in the place of the head: from then on nothing is decided in the session (`session_busy`). What is kept goes in
   * commits of bounded size, the calls after their entries and the head's place last: by both a session that was half erased when the gateway stopped is found,
   * and its erasing goes on where somebody asks again.
   * Fails with `session_not_found`, `session_in_use` (a call that has not ended or whose outcome is unknown, a question that is open), `session_busy`.
   */
  async session(tenant: string, session: string, by: By): Promise<void> {
    const { parts, sessions } = this.#shared;
    let keys: readonly string[] = [];
    await this.#inTurn(tenant, session, async (unit) => {
      sessions.forget(tenant, session);
      const head = await parts.engine.get(tenant, headKey(session));
      const calls = await this.#keysUnder(tenant, callsPrefix(session));
      if (head === null && calls.length === 0) throw new GatewayError(404, "session_not_found", "there is no such session");
      if (head?.value === ERASING) {
        // A call that came since is not the erased session's: it waits, and begins the next one.
        keys = await this.#keysOf(tenant, session, await this.#ended(tenant, session, calls));
        return;
      }
      await this.#requireQuiet(tenant, session);
      keys = await this.#keysOf(tenant, session, calls);
      unit.put(headKey(session), ERASING, head?.version ?? null);
      unit.tell(this.#told("session.erased", session, by));
    });
    const all = [...keys, headKey(session)];
    for (let at = 0, end = 0; at < all.length; at = end) {
      // The head's place goes with the last calls, and never alone.
      end = all.length - at <= AT_ONCE + 1 ? all.length : at + AT_ONCE;
      await parts.engine.commit({ tenant, changes: all.slice(at, end).map((key) => ({ key, value: null })) });
    }
  }

  /** The keys of everything that is kept of a session but its head, in the order in which they are erased. */
  async #keysOf(tenant: string, session: string, calls: readonly string[]): Promise<readonly string[]> {
    const { parts } = this.#shared;
    const keys = new Set(await this.#keysUnder(tenant, entryPrefix(session)));
    for (const prefix of [valuesPrefix(session), ...["turn", "operation", "unknown"].map((kind) => `${kind}/${part(session)}/`)]) {
      for (const key of await this.#keysUnder(tenant, prefix)) keys.add(key);
    }
    for (const { id, editedInto } of await this.#questions(tenant, session)) {
      if (editedInto !== null) keys.add(editKey(editedInto));
      for (const prefix of [attachedPrefix(id), `notified/${id}/`]) for (const key of await this.#keysUnder(tenant, prefix)) keys.add(key);
    }
    for (const { key, done } of await this.#undosOf(tenant, session)) if (done) keys.add(key);
    for (const { key } of await parts.approvals.erased(tenant, session)) keys.add(key);
    for (const key of await this.#keysUnder(tenant, keyedPrefix(session))) keys.add(`call-by-key/${key.slice(keyedPrefix(session).length)}`).add(key);
    for (const key of calls) {
      const id = key.slice(callsPrefix(session).length);
      const stored = await parts.engine.get(tenant, callKey(id));
      const call = stored === null ? null : (JSON.parse(stored.value) as CallRecord);
      if (call !== null && call.idempotencyKey !== null) keys.add(idempotencyKey(call.caller, call.idempotencyKey));
      // Its permit is of an entry that is no more: whoever brings one back is told by the head.
      if (call?.once !== undefined) keys.add(onceKey(call.once));
      keys.add(callKey(id)).add(key);
    }
    return [...keys];
  }

  async #ended(tenant: string, session: string, calls: readonly string[]): Promise<readonly string[]> {
    const ended: string[] = [];
    for (const key of calls) if ((await this.#shared.parts.engine.get(tenant, openKey(key.slice(callsPrefix(session).length)))) === null) ended.push(key);
    return ended;
  }

  /** Erases the results of a session's calls, and of the history nothing. Answers how many calls held one. Fails as `session`. */
  async results(tenant: string, session: string, by: By): Promise<number> {
    const { engine } = this.#shared.parts;
    let erased = 0;
    await this.#requireQuiet(tenant, session);
    const keys = await this.#keysUnder(tenant, callsPrefix(session));
    for (let at = 0; at < keys.length; ) {
      let here = 0;
      let from = at;
      await this.#inTurn(tenant, session, async (unit) => {
        for (let size = 0; from < keys.length && here < RESULTS_AT_ONCE; from++) {
          const id = keys[from]!.slice(callsPrefix(session).length);
          const stored = await engine.get(tenant, callKey(id));
          const call = stored === null ? null : withoutResult(JSON.parse(stored.value) as CallRecord);
          if (stored === null || call === null) continue;
          const text = JSON.stringify(call);
          if (here > 0 && size + text.length > SIZE_AT_ONCE) break;
          unit.put(callKey(id), text, stored.version);
          size += text.length;
          here++;
        }
        if (here > 0) unit.tell(this.#told("session.results_erased", session, { ...by, detail: { ...by.detail, calls: here } }));
      });
      at = from;
      erased += here;
    }
    return erased;
  }

  /** Why a session may not be erased now; null where it may. */
  async inUse(tenant: string, session: string): Promise<string | null> {
    try {
      await this.#requireQuiet(tenant, session);
      return null;
    } catch (error) {
      if (error instanceof GatewayError && error.code === "session_in_use") return error.message;
      throw error;
    }
  }

  /** Fails with `session_in_use`. */
  async #requireQuiet(tenant: string, session: string): Promise<void> {
    const { parts } = this.#shared;
    for (const key of await this.#keysUnder(tenant, callsPrefix(session))) {
      const id = key.slice(callsPrefix(session).length);
      if ((await parts.engine.get(tenant, openKey(id))) !== null) throw new GatewayError(409, "session_in_use", "a call of this session has not ended, or its outcome is unknown: settle or cancel it first", { detail: { call: id } });
    }
    for (const { id, state, editedInto } of await this.#questions(tenant, session)) {
      if (state === "open") throw new GatewayError(409, "session_in_use", "a question of this session is open: answer it or let it expire first", { detail: { approval: id } });
      const edit = editedInto === null || (await parts.engine.get(tenant, callKey(editedInto))) !== null ? null : await parts.engine.get(tenant, editKey(editedInto));
      if (edit !== null && (JSON.parse(edit.value) as { readonly error?: object }).error === undefined) {
        throw new GatewayError(409, "session_in_use", "the call that an edit makes is not there yet: try again", { detail: { approval: id, call: editedInto } });
      }
    }
    if ((await this.#undosOf(tenant, session)).some(({ done }) => !done)) throw new GatewayError(409, "session_in_use", "steps of this session are being undone: wait until that has ended");
    if ((await parts.engine.list(tenant, `unknown/${part(session)}/`, { limit: 1 })).length > 0) throw new GatewayError(409, "session_in_use", "the outcome of a call of this session is unknown: settle it first");
  }

  /** What is kept of a session's undos: those that are done, and whose asker has not heard, too. */
  async #undosOf(tenant: string, session: string): Promise<readonly { readonly key: string; readonly done: boolean }[]> {
    const found: { key: string; done: boolean }[] = [];
    for (const key of await this.#keysUnder(tenant, undoPrefix)) {
      const stored = await this.#shared.parts.engine.get(tenant, key);
      const undo = stored === null ? null : (JSON.parse(stored.value) as { readonly session?: string; readonly done?: true });
      if (undo?.session === session) found.push({ key, done: undo.done === true });
    }
    return found;
  }

  async #questions(tenant: string, session: string): Promise<readonly ApprovalRecord[]> {
    const found: ApprovalRecord[] = [];
    for (const key of await this.#keysUnder(tenant, askedPrefix(session))) {
      const approval = await this.#shared.parts.approvals.approval(tenant, key.slice(askedPrefix(session).length));
      if (approval !== null) found.push(approval);
    }
    return found;
  }

  #told(event: "session.erased" | "session.results_erased", session: string, { actor, detail }: By): AuditBody {
    return { event, at: this.#shared.parts.clock(), actor, session, ...(detail === undefined ? {} : { detail }) };
  }

  /** In the session's turn, in one commit. */
  async #inTurn(tenant: string, session: string, work: (unit: Unit) => Promise<void>): Promise<void> {
    const leave = await this.#shared.sessions.enter(tenant, session);
    const unit = new Unit(tenant);
    try {
      await work(unit);
      if (unit.isEmpty) return;
      const committed = await unit.commit(this.#shared.parts.engine);
      if (!committed.ok) throw new GatewayError(503, "session_busy", "the session is in use: nothing was erased, try again");
    } finally {
      leave();
    }
  }

  async #keysUnder(tenant: string, prefix: string): Promise<readonly string[]> {
    const keys: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await this.#shared.parts.engine.list(tenant, prefix, after === undefined ? { limit: 1000 } : { limit: 1000, after });
      keys.push(...page.map(({ key }) => key));
      after = page.at(-1)?.key;
      if (page.length < 1000) return keys;
    }
  }
}

/** The call with its result erased; null where it has none, or has not ended. */
function withoutResult(call: CallRecord): CallRecord | null {
  if (!hasEnded(call)) return null;
  const { result, fields, ...sent } = call.sent ?? {};
  if ((call.released === null || call.released === ERASED) && result === undefined && fields === undefined) return null;
  return { ...call, sent: call.sent === null ? null : (sent as CallRecord["sent"]), released: call.released === null ? null : ERASED };
}
