// Decides within sessions whose heads are kept: each answer that adds an entry moves the head, by compare and set, or is given to nobody.
import type { Caller } from "./callers.ts";
import type { Core, Head } from "./core.ts";
import { Failure } from "./failure.ts";
import { type Body, checkBody, extended, receiptBody, reportBody } from "./members.ts";
import { HEAD, type Store, sentKey } from "./store.ts";

/** A request that says it is a retry of one, should that one have been answered: by its Idempotency-Key. Both are hashes. */
export interface Retry {
  readonly key: string;
  readonly body: string;
}

/**
 * A record: what is kept, and of the request that changed it last what it takes to answer that request again. The core is deterministic, so the answer itself,
 * which holds values, is not kept: what was there before, the time and the request's own bytes give the same answer, byte for byte.
 */
interface Kept<V, W> {
  readonly value: V;
  readonly last: (Retry & { readonly before: V; readonly now: number; readonly given: W }) | null;
}

/** What a decision leads to; `next` is null where it changes nothing. */
interface Step<V> {
  readonly answer: string;
  readonly next: V | null;
}

/** So many others may move a session's head between the reading and the writing of one request. Each of them made progress. */
const ATTEMPTS = 16;

/** The decisions of one policy over one store. */
export class Sessions {
  readonly #core: Core;
  readonly #store: Store;
  readonly #clock: () => number;

  /** @param clock the host's clock, in seconds */
  constructor(core: Core, store: Store, clock: () => number) {
    this.#core = core;
    this.#store = store;
    this.#clock = clock;
  }

  /** Decides a call (chapter 4) by the session's head: the answer's text. Fails with `member_…`, the core's errors, `idempotency_key_reused`, `session_busy`, `store_unavailable`. */
  async check(caller: Caller, text: string, retry: Retry | null): Promise<string> {
    const body = checkBody(text, caller);
    if (body?.session == null) return refused(this.#core.check(body === null ? text : extended(body, [["now", String(this.#clock())]])));
    const first = this.#core.firstHead(body.session);
    return this.#exchange(nameOf(caller, first), HEAD, first, null, retry, (head, now) => {
      const answer = this.#core.check(
        extended(body, [
          ["now", String(now)],
          ["head", JSON.stringify(head)],
        ]),
      );
      const { step, link } = JSON.parse(answer) as { step: number | null; link: string | null };
      // A new entry has no outcome yet, and took the pending reports: its state is that of nothing.
      return { answer, next: step === null || link === null ? null : { step, link, state: first.state } };
    });
  }

  /** Reports what became of a call of the session (chapter 3): the history's text with the outcome. Fails as `check` does, with `outcome_…`, and with `history_invalid`. */
  async report(caller: Caller, text: string, retry: Retry | null): Promise<string> {
    const body = reportBody(text, caller);
    if (body === null) return this.#core.refuseText(text);
    if (body.session === null) return refused(this.#core.run("report", body.members));
    const { session } = body;
    const first = this.#core.firstHead(session);
    return this.#exchange(nameOf(caller, first), HEAD, first, null, retry, (head, now) => {
      this.#requireEnd(body, session, head);
      const answer = this.#core.run("report", [...body.members, ["at", String(now)]]);
      return { answer, next: this.#core.headOf(session, answer) };
    });
  }

  /**
   * Whether an entry is the permit for a call (chapter 3, Receipts). Each allow counts as one admission: the next question about that entry is told of it.
   * Fails as `check` does.
   */
  async receipt(caller: Caller, text: string, retry: Retry | null): Promise<string> {
    const body = receiptBody(text, caller);
    if (body === null) return this.#core.refuseText(text);
    if (body.session === null) return refused(this.#core.run("receipt", [...body.members, ["now", String(this.#clock())]]));
    const first = this.#core.firstHead(body.session);
    const session = nameOf(caller, first);
    const head = (await this.#read<Head, null>(session, HEAD))?.value ?? first;
    const ask = (sends: number, now: number, end: Head | null): string =>
      this.#core.run("receipt", [
        ...body.members,
        ["now", String(now)],
        ...(end === null ? [] : [["head", JSON.stringify(end)] as const]),
        ...(sends === 0 ? [] : [["sends", String(sends)] as const]),
      ]);
    // The name under which the entry is spent does not depend on where the history ends.
    const { once } = JSON.parse(ask(0, this.#clock(), null)) as { once?: string };
    if (once === undefined) return ask(0, this.#clock(), head);
    return this.#exchange(session, sentKey(once), 0, head, retry, (sends, now, end) => {
      const answer = ask(sends, now, end);
      return { answer, next: (JSON.parse(answer) as { decision: string }).decision === "allow" ? sends + 1 : null };
    });
  }

  /** Fails with `history_invalid` where the body's history does not end at the head. */
  #requireEnd({ members }: Body, session: string, head: Head): void {
    const history = members.find(([name]) => name === "history") ?? (["history", `{"format":"qls-history/1","session":${session},"entries":[]}`] as const);
    const verified = JSON.parse(this.#core.run("verify", [["session", session], ["head", JSON.stringify(head)], history])) as { valid: boolean; detail?: unknown };
    if (!verified.valid) throw new Failure(409, "history_invalid", "this is not the session's history up to now", { detail: verified.detail });
  }

  /** Decides over a record until it was written as it was read. `given` is what else the decision was made from. */
  async #exchange<V, W>(session: string, key: string, first: V, given: W, retry: Retry | null, decide: (value: V, now: number, given: W) => Step<V>): Promise<string> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const text = await this.#store.read(session, key).catch(unavailable);
      const { value, last } = text === null ? { value: first, last: null } : (JSON.parse(text) as Kept<V, W>);
      if (retry !== null && last?.key === retry.key) {
        if (last.body !== retry.body) throw new Failure(422, "idempotency_key_reused", "this Idempotency-Key came with another request: every call needs a key of its own");
        const again = decide(last.before, last.now, last.given);
        if (JSON.stringify(again.next) === JSON.stringify(value)) return again.answer;
        // What decided then (policy, keys) is no longer in force: the request is as any other, and its history is behind.
      }
      const now = this.#clock();
      const { answer, next } = decide(value, now, given);
      if (next === null) return answer;
      const kept: Kept<V, W> = { value: next, last: retry === null ? null : { ...retry, before: value, now, given } };
      if (await this.#store.swap(session, key, text, JSON.stringify(kept)).catch(unavailable)) return answer;
    }
    throw new Failure(503, "session_busy", "others keep moving this session's head: nothing was decided, try again", { headers: { "retry-after": "1" } });
  }

  async #read<V, W>(session: string, key: string): Promise<Kept<V, W> | null> {
    const text = await this.#store.read(session, key).catch(unavailable);
    return text === null ? null : (JSON.parse(text) as Kept<V, W>);
  }
}

/** The name of a session's records: whose it is, and the link before its first entry, which only the core can make of session and tenant. */
function nameOf({ realm }: Caller, first: Head): string {
  return `${realm}/${first.link}`;
}

/** Requests without a session get an error from the core. Should one get an answer, it is not passed on. */
function refused(answer: string): never {
  throw new Failure(500, "internal", `an answer outside of any session is not given out (${answer.length} characters)`);
}

function unavailable(cause: unknown): never {
  throw new Failure(503, "store_unavailable", "the store of session heads does not answer: nothing was decided that counts. Send the request again with the same Idempotency-Key", {
    headers: { "retry-after": "1" },
    cause,
  });
}
