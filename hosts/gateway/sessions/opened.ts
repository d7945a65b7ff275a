// A session opened in the core: a handle that each check and report extends, at the same cost however long the history is.
import { type Client, type Head, rawMembers } from "interlock";

/** What a report leads to: the history's end, and the outcome as the history now has it (JSON text). */
export interface Reported {
  readonly head: Head;
  readonly outcome: string;
}

export class OpenedSession {
  readonly #client: Client;
  readonly #handle: number;
  readonly #generation: number;
  /** The end of the history it was opened on. */
  readonly head: Head;

  /**
   * Opens a session on its history's text; null for a new one.
   * Throws InterlockError `history_invalid` where it does not verify, `core_trapped`.
   */
  constructor(client: Client, session: string, history: string | null) {
    this.#client = client;
    const text = `{"session":${JSON.stringify(session)}${history === null ? "" : `,"history":${history}`}}`;
    const [opened, generation] = client.use((core, { policy, keys }) => [core.run("open", [policy, keys], text), core.generation] as const);
    const { handle, head } = JSON.parse(opened) as { handle: number; head: Head };
    this.#handle = handle;
    this.#generation = generation;
    this.head = head;
  }

  /** Whether the core's instance was replaced since: the handle means nothing any more. */
  get isStale(): boolean {
    return this.#client.use((core) => core.generation !== this.#generation);
  }

  /** Whether it is opened by this client: another one has another policy, or other keys. */
  isOf(client: Client): boolean {
    return this.#client === client;
  }

  /** Decides a request without history (chapter 4): the answer's text. */
  check(text: string): string {
    return this.#client.use((core) => core.run("checkSession", [this.#handle], text));
  }

  get end(): Head {
    return JSON.parse(this.#client.use((core) => core.ask("head", this.#handle))) as Head;
  }

  /** Reports an outcome (chapter 3). Throws InterlockError `outcome_…`, `request_invalid`, `json_…`. */
  report(text: string): Reported {
    const answer = this.#client.use((core) => core.run("reportSession", [this.#handle], text));
    const outcome = memberOf(answer, "outcome") ?? "{}";
    return { head: (JSON.parse(answer) as { head: Head }).head, outcome };
  }

  /** Answers a receipt's question without session and history (chapter 3): the answer's text. */
  receipt(text: string): string {
    return this.#client.use((core) => core.run("receiptSession", [this.#handle], text));
  }

  close(): void {
    this.#client.use((core) => core.release("close", this.#handle, this.#generation));
  }
}

/** The text of a member of what the core answered. */
export function memberOf(text: string, name: string): string | undefined {
  return rawMembers(text)?.find((member) => member.name === name)?.value.text;
}
