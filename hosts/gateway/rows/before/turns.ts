// The turns whose calls are in hand: which calls stand in one cohort, which of them are still being decided, and which wait for the others (rows 3 and 21).

/** What is known here of a cohort. Questions that people were asked are in the engine; this is of calls between their proposal and their first decision. */
interface Cohort {
  readonly name: string;
  readonly deciding: Set<string>;
  readonly waiting: Set<string>;
  /** Calls that a door still waits for. */
  readonly inHand: Set<string>;
}

export class Turns {
  readonly #cohorts = new Map<string, Cohort>();
  /** The cohort that the next call of a session joins, where its caller names no turn. */
  readonly #current = new Map<string, string>();

  /** The cohort a new call belongs to: its turn's, else that of the session's calls in hand, else one of its own. */
  nameFor(tenant: string, session: string, turn: string | null, call: string): string {
    if (turn !== null) return turn;
    const key = JSON.stringify([tenant, session]);
    const current = this.#current.get(key);
    if (current !== undefined && (this.#cohorts.get(keyOf(tenant, session, current))?.inHand.size ?? 0) > 0) return current;
    const name = `call:${call}`;
    this.#current.set(key, name);
    return name;
  }

  join(tenant: string, session: string, cohort: string, call: string): void {
    const found = this.#of(tenant, session, cohort);
    found.deciding.add(call);
    found.inHand.add(call);
  }

  /** The call was decided, or a person was asked, or it ended: the calls that may go on now. */
  decided(tenant: string, session: string, cohort: string, call: string): readonly string[] {
    const found = this.#cohorts.get(keyOf(tenant, session, cohort));
    if (found === undefined || !found.deciding.delete(call) || found.deciding.size > 0) return [];
    return this.takeWaiting(tenant, session, cohort);
  }

  /** Whether other calls of the cohort are still being decided here. */
  isDeciding(tenant: string, session: string, cohort: string, but: string): boolean {
    const deciding = this.#cohorts.get(keyOf(tenant, session, cohort))?.deciding;
    return deciding !== undefined && deciding.size > (deciding.has(but) ? 1 : 0);
  }

  wait(tenant: string, session: string, cohort: string, call: string): void {
    this.#of(tenant, session, cohort).waiting.add(call);
  }

  /** The calls that wait for the cohort, which do so no more. */
  takeWaiting(tenant: string, session: string, cohort: string): readonly string[] {
    const found = this.#cohorts.get(keyOf(tenant, session, cohort));
    if (found === undefined) return [];
    const waiting = [...found.waiting];
    found.waiting.clear();
    this.#drop(tenant, session, cohort, found);
    return waiting;
  }

  /** No door waits for the call any more. */
  letGo(tenant: string, session: string, cohort: string, call: string): void {
    const found = this.#cohorts.get(keyOf(tenant, session, cohort));
    if (found === undefined) return;
    found.inHand.delete(call);
    found.deciding.delete(call);
    this.#drop(tenant, session, cohort, found);
  }

  #of(tenant: string, session: string, cohort: string): Cohort {
    const key = keyOf(tenant, session, cohort);
    const found = this.#cohorts.get(key) ?? { name: cohort, deciding: new Set(), waiting: new Set(), inHand: new Set() };
    this.#cohorts.set(key, found);
    return found;
  }

  #drop(tenant: string, session: string, cohort: string, { deciding, waiting, inHand }: Cohort): void {
    if (deciding.size + waiting.size + inHand.size > 0) return;
    this.#cohorts.delete(keyOf(tenant, session, cohort));
    const key = JSON.stringify([tenant, session]);
    if (this.#current.get(key) === cohort) this.#current.delete(key);
  }
}

function keyOf(tenant: string, session: string, cohort: string): string {
  return JSON.stringify([tenant, session, cohort]);
}

/** What the engine keeps of a call's place in its turn: that it is being decided (where workers share the engine), that people are asked about it, that it waits for the others. */
export interface Place {
  readonly as: "deciding" | "asked" | "waiting";
  readonly waits?: true;
  /** Of a call that is being decided: what its Idempotency-Key is kept under. A later try of the same call does not wait for an earlier one that nobody heard of again. */
  readonly key?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A worker that says it is deciding a call is believed for so many milliseconds. */
export const DECIDING_MS = 60_000;
