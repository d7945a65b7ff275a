// A session's history as callers carry it: entries that the core signed, kept as texts, grown by answers and never changed in place.
import { elements, isOneValue, memberText, members, withMember } from "./cut.ts";
import { InterlockError } from "./errors.ts";
import { jsonText, type RawJson } from "./json.ts";

/** A reported outcome (chapter 3): digests, never values. */
export interface Outcome {
  readonly status: "ran" | "failed" | "outcome_unknown" | "compensated";
  readonly at?: number;
  readonly result?: Readonly<Record<string, string>>;
  readonly external_id?: string;
}

/** An entry of the history (chapter 3): names and digests, never a value. */
export interface Entry {
  readonly step: number;
  readonly tool: string;
  readonly agent: string | null;
  readonly principal: string | null;
  readonly digest: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly origins: Readonly<Record<string, string>>;
  readonly labels: readonly string[];
  readonly evidence: string;
  readonly decision: "allow" | "confirm" | "refuse";
  readonly reason: string;
  readonly reasons: readonly string[];
  readonly at: number;
  readonly policy: string;
  readonly snapshot?: string;
  readonly outside?: true;
  readonly undoes?: number;
  readonly approves?: number;
  readonly approved_by?: readonly string[];
  readonly restarted?: true;
  readonly reports?: Readonly<Record<string, Outcome>>;
  readonly outcome?: Outcome;
  readonly token: string | null;
}

/** The history's document, as it is stored and sent: `qls-history/1`. */
export interface HistoryDict {
  format: "qls-history/1";
  session: string;
  entries: Entry[];
  reports?: Record<string, Outcome>;
}

/**
 * What several histories share: the entries' texts as the core made them, and the outcome reported on each while it was the last. Both only grow;
 * a history sees the first `length` of them, so that the next one costs nothing more.
 */
interface Log {
  entries: string[];
  outcomes: (string | null)[];
}

/** A session's history. Immutable: every answer and report offers the next one. */
export class History {
  readonly session: string;
  /** How many entries it has. */
  readonly length: number;
  readonly #log: Log;
  /** The outcome reported on the last entry; signed with the next. */
  readonly #outcome: string | null;
  /** The reports on earlier steps that no entry has taken yet, as JSON text. */
  readonly #reports: string | null;
  /** The whole text, where it is no history that can be taken apart; the core then judges it. */
  readonly #foreign: string | null;

  private constructor(session: string, log: Log, length: number, outcome: string | null, reports: string | null, foreign: string | null = null) {
    this.session = session;
    this.length = length;
    this.#log = log;
    this.#outcome = outcome;
    this.#reports = reports;
    this.#foreign = foreign;
  }

  /** A new history, without entries. */
  static empty(session: string): History {
    return new History(session, { entries: [], outcomes: [] }, 0, null, null);
  }

  /**
   * A history from its document's text. Nothing is verified here: the next check does that. A text that is no history is kept
   * as it is, so that the check answers history_invalid. Throws InterlockError `json_syntax` where it is not one JSON value.
   */
  static parse(text: string): History {
    const found = new Map(members(text)?.map(({ name, value }) => [stringIn(name), value]) ?? []);
    const entries = elements(found.get("entries") ?? "");
    const session = stringIn(found.get("session"));
    const reports = found.get("reports") ?? null;
    if (entries !== null && session !== null && stringIn(found.get("format")) === "qls-history/1" && found.size === (reports === null ? 3 : 4)) {
      return new History(session, { entries, outcomes: entries.map(() => null) }, entries.length, null, reports === "{}" ? null : reports);
    }
    if (!isOneValue(text)) throw new InterlockError("json_syntax", "a history is one JSON value");
    return new History(session ?? "", { entries: [], outcomes: [] }, 0, null, null, text);
  }

  /** A history from its stored document; the counterpart of `toDict`. What is no history is judged by the next check; a text throws InterlockError `history_invalid`. */
  static fromDict(document: unknown): History {
    if (typeof document === "string") throw new InterlockError("history_invalid", "this is a text: History.parse(text) reads one, fromDict takes what toDict gave");
    return History.parse(jsonText(document, ""));
  }

  /** What callers may give as a history. Absent is a new one. */
  static of(given: History | RawJson | HistoryDict | undefined, session: string): History {
    if (given === undefined) return History.empty(session);
    return given instanceof History ? given : History.fromDict(given);
  }

  /** Whether nothing came before: no entry, and no text that would have to be judged. */
  get isNew(): boolean {
    return this.length === 0 && this.#foreign === null && this.#reports === null;
  }

  /** The document, to be stored as JSON. A copy: changing it changes nothing here. */
  toDict(): HistoryDict {
    return JSON.parse(this.text) as HistoryDict;
  }

  /** For JSON.stringify: the document. */
  toJSON(): HistoryDict {
    return this.toDict();
  }

  /** The document's text; canonical where the entries came from the core. */
  get text(): string {
    if (this.#foreign !== null) return this.#foreign;
    const entries: string[] = [];
    for (let i = 0; i < this.length; i++) entries.push(this.#entryText(i));
    const reports = this.#reports === null ? "" : `"reports":${this.#reports},`;
    return `{"entries":[${entries.join(",")}],"format":"qls-history/1",${reports}"session":${JSON.stringify(this.session)}}`;
  }

  /** The entries, read. A copy. */
  get entries(): Entry[] {
    return this.#foreign === null ? this.toDict().entries : [];
  }

  /** The entry of a step, read; undefined where there is none. */
  entry(step: number): Entry | undefined {
    return Number.isInteger(step) && step >= 0 && step < this.length ? (JSON.parse(this.#entryText(step)) as Entry) : undefined;
  }

  #entryText(step: number): string {
    const entry = this.#log.entries[step] as string;
    const outcome = step === this.length - 1 ? this.#outcome : (this.#log.outcomes[step] ?? null);
    return outcome === null ? entry : withMember(entry, "outcome", outcome);
  }

  /**
   * The history with one more entry, and without the reports that it took.
   * @param entry the entry's canonical text, as in the answer
   * @internal
   */
  after(entry: string): History {
    if (this.#foreign !== null) throw new InterlockError("core_version", "the core went on from what is no history");
    let log = this.#log;
    if (log.entries.length !== this.length) log = { entries: log.entries.slice(0, this.length), outcomes: log.outcomes.slice(0, this.length) };
    if (this.length > 0) log.outcomes[this.length - 1] = this.#outcome ?? log.outcomes[this.length - 1] ?? null;
    log.entries.push(entry);
    return new History(this.session, log, this.length + 1, null, null);
  }

  /**
   * The history with an outcome of a step, which the core has taken.
   * @internal
   */
  reported(step: number, outcome: string): History {
    if (step === this.length - 1) return new History(this.session, this.#log, this.length, outcome, this.#reports);
    const reports = withMember(this.#reports ?? "{}", String(step), outcome);
    return new History(this.session, this.#log, this.length, this.#outcome, reports);
  }
}

/** The string that a token is; null where it is none. */
function stringIn(text: string | undefined): string | null {
  if (!text?.startsWith('"')) return null;
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}

/** The outcome's text in what the core answers to a report of an open session. */
export function outcomeOf(answer: string): string {
  const outcome = memberText(answer, "outcome");
  if (outcome === undefined) throw new InterlockError("core_version", "the core answered a report without its outcome");
  return outcome;
}
