// The sessions' histories and heads: kept in the engine an entry a record, opened in the core while they are in use, and moved by compare and set alone.
import type { Head } from "interlock";
import { entryKey, entryPrefix, headKey } from "../call/keys.ts";
import type { PolicyInForce } from "../call/parts.ts";
import type { Unit } from "../call/unit.ts";
import type { Engine } from "../engine/port.ts";
import { GatewayError } from "../gateway.ts";
import { memberOf, OpenedSession } from "./opened.ts";

/** A session as it is kept. Changing it is `Sessions`' alone. */
export interface Kept {
  readonly tenant: string;
  readonly session: string;
  readonly opened: OpenedSession;
  /** The version of the head's record; null where there is none yet. */
  version: number | null;
  head: Head;
  /** The entries' texts, outcomes in them. */
  readonly entries: string[];
  /** Whether the opened handle lacks the last entry, which was decided on a history that the caller carried. */
  isBehind: boolean;
  /** Outcomes of earlier steps that no entry has taken yet, as JSON texts by step. */
  reports: Record<string, string>;
}

/** What is in a head's record. */
interface HeadRecord {
  readonly head: Head;
  readonly reports?: Readonly<Record<string, unknown>>;
}

/** What stands in the place of a session's head while the session is being erased. */
export const ERASING = '{"erasing":true}';

/** So many entries, and so many sessions, stay opened; more are read again when they are needed. */
const ENTRIES = 20_000;
const SESSIONS = 512;

export class Sessions {
  readonly #engine: Engine;
  readonly #kept = new Map<string, Kept>();
  readonly #tails = new Map<string, Promise<void>>();
  #entries = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Waits for a session's turn in this process. A convenience: what counts is the compare and set of the head. Gives the function that ends the turn. */
  async enter(tenant: string, session: string): Promise<() => void> {
    const key = nameOf(tenant, session);
    const before = this.#tails.get(key);
    let end = (): void => undefined;
    const tail = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#tails.set(key, tail);
    await before;
    return () => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
      end();
    };
  }

  /** The session, opened under the policy in force. To be called in its turn. Fails with `history_damaged` where what is kept does not verify, and `session_busy` while it is being erased. */
  async open(tenant: string, session: string, policy: PolicyInForce): Promise<Kept> {
    const key = nameOf(tenant, session);
    const known = this.#kept.get(key);
    if (known?.opened.isOf(policy.client) && !known.opened.isStale && (await this.#isNow(known))) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    if (known !== undefined) this.forget(tenant, session);
    const read = await this.#read(tenant, session);
    if (read === ERASING) throw new GatewayError(503, "session_busy", "this session is being erased: nothing is decided in it until that is done. Where it was interrupted, erase the session again");
    const history = read === null ? null : historyText(session, read.entries, read.reports);
    let opened: OpenedSession;
    try {
      opened = new OpenedSession(policy.client, session, history);
    } catch (cause) {
      throw new GatewayError(500, "history_damaged", "the session's history as it is kept does not verify: nothing is decided in it. Restore it from a backup, or erase the session", { cause });
    }
    if (read !== null && !sameHead(opened.head, read.head)) {
      opened.close();
      throw new GatewayError(500, "history_damaged", "the session's history as it is kept does not end at its head: nothing is decided in it. Restore it from a backup, or erase the session");
    }
    const kept: Kept = { tenant, session, opened, version: read?.version ?? null, head: opened.head, entries: read?.entries ?? [], isBehind: false, reports: read?.reports ?? {} };
    this.#kept.set(key, kept);
    this.#entries += kept.entries.length;
    this.#makeRoom(key);
    return kept;
  }

  /** Whether a session is as it is kept: where gateways share the store, another may have moved it. */
  async #isNow({ tenant, session, version }: Kept): Promise<boolean> {
    if (this.#engine.name === "embedded") return true;
    return ((await this.#engine.get(tenant, headKey(session)))?.version ?? null) === version;
  }

  /** Takes an answer's entry and the head it leads to into the session, and into the unit what keeps them. An answer without an entry holds only for the head it was made by. */
  extend(kept: Kept, extension: { readonly entry: string; readonly head: Head } | null, unit: Unit): void {
    unit.onLost(() => this.forget(kept.tenant, kept.session));
    if (extension === null) {
      unit.add({ key: headKey(kept.session), expect: kept.version });
      return;
    }
    kept.head = extension.head;
    kept.entries.push(extension.entry);
    kept.reports = {};
    this.#entries++;
    unit.put(entryKey(kept.session, extension.head.step), extension.entry, null);
    this.#keepHead(kept, unit);
  }

  /** Takes an outcome of a step into the session. `told` is the report's document (chapter 3). Throws InterlockError as the core does; then nothing changed. */
  report(kept: Kept, step: number, told: string, unit: Unit): void {
    const { head, outcome } = kept.opened.report(told);
    unit.onLost(() => this.forget(kept.tenant, kept.session));
    kept.head = head;
    if (step === kept.entries.length - 1) {
      const entry = withOutcome(kept.entries[step] as string, outcome);
      kept.entries[step] = entry;
      unit.put(entryKey(kept.session, step), entry);
    } else kept.reports[String(step)] = outcome;
    this.#keepHead(kept, unit);
  }

  #keepHead(kept: Kept, unit: Unit): void {
    const key = headKey(kept.session);
    unit.put(key, headText(kept), kept.version);
    unit.onKept((versions) => {
      kept.version = versions[key] ?? kept.version;
    });
  }

  /** Gives up what is known of a session: it is read again when it is needed. */
  forget(tenant: string, session: string): void {
    const key = nameOf(tenant, session);
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#entries -= kept.entries.length;
    kept.opened.close();
  }

  /** The history's text and its head, as kept; null where there is none, or none any more. */
  async history(tenant: string, session: string): Promise<{ readonly history: string; readonly head: Head } | null> {
    const read = await this.#read(tenant, session);
    return read === null || read === ERASING ? null : { history: historyText(session, read.entries, read.reports), head: read.head };
  }

  /** Reads until the head stayed as it was while the entries were read. */
  async #read(tenant: string, session: string): Promise<{ version: number; head: Head; entries: string[]; reports: Record<string, string> } | typeof ERASING | null> {
    for (;;) {
      const before = await this.#engine.get(tenant, headKey(session));
      if (before === null) return null;
      if (before.value === ERASING) return ERASING;
      const entries: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await this.#engine.list(tenant, entryPrefix(session), after === undefined ? { limit: 1000 } : { limit: 1000, after });
        entries.push(...page.map(({ value }) => value));
        after = page.at(-1)?.key;
        if (page.length < 1000) break;
      }
      const again = await this.#engine.get(tenant, headKey(session));
      if (again?.version !== before.version) continue;
      const { head } = JSON.parse(before.value) as HeadRecord;
      const reports: Record<string, string> = {};
      for (const [step, outcome] of Object.entries((JSON.parse(before.value) as HeadRecord).reports ?? {})) reports[step] = JSON.stringify(outcome);
      return { version: before.version, head, entries, reports };
    }
  }

  #makeRoom(but: string): void {
    for (const [key, { tenant, session }] of this.#kept) {
      if (this.#kept.size <= SESSIONS && this.#entries <= ENTRIES) return;
      if (key !== but && !this.#tails.has(key)) this.forget(tenant, session);
    }
  }
}

function nameOf(tenant: string, session: string): string {
  return JSON.stringify([tenant, session]);
}

function sameHead(one: Head, other: Head): boolean {
  return one.step === other.step && one.link === other.link && one.state === other.state;
}

function headText({ head, reports }: Kept): string {
  return `{"head":${JSON.stringify(head)}${Object.keys(reports).length === 0 ? "" : `,"reports":${reportsText(reports)}`}}`;
}

function reportsText(reports: Readonly<Record<string, string>>): string {
  return `{${Object.keys(reports)
    .sort()
    .map((step) => `"${step}":${reports[step]}`)
    .join(",")}}`;
}

/** A history's document, canonical: entries are as the core printed them. */
export function historyText(session: string, entries: readonly string[], reports: Readonly<Record<string, string>>): string {
  const pending = Object.keys(reports).length === 0 ? "" : `"reports":${reportsText(reports)},`;
  return `{"entries":[${entries.join(",")}],"format":"qls-history/1",${pending}"session":${JSON.stringify(session)}}`;
}

/** An entry with its outcome in its canonical place: before `outside`, `policy` and all that follows. */
function withOutcome(entry: string, outcome: string): string {
  const outside = memberOf(entry, "outside") === undefined ? '"policy":' : '"outside":';
  const at = entry.lastIndexOf(`,${outside}`);
  return `${entry.slice(0, at)},"outcome":${outcome}${entry.slice(at)}`;
}
