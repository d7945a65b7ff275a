// A session: one conversation whose history the core keeps, so that a check costs the same at any length, and which carries its own copy to go on from.
/// <reference lib="esnext.disposable" preserve="true" />
import type { Client } from "./client.ts";
import type { Core } from "./codec.ts";
import { InterlockError } from "./errors.ts";
import { History, type HistoryDict, outcomeOf } from "./history.ts";
import { objectText, RawJson } from "./json.ts";
import type { Plan, ReadOptions } from "./plan.ts";
import { type Arguments, type CallOptions, type Head, type ReportOptions, refuseUnknown, reportText, requestText, SESSION_OPTIONS, type Status, withPlaces } from "./request.ts";
import { type ToolCheck, toolCheck } from "./tool-check.ts";

export interface SessionOptions {
  /** The session's id; the history's, else a new random one. */
  session?: string | undefined;
  /** What came before. */
  history?: History | RawJson | HistoryDict | undefined;
  /** Who the calls are for; a session's principal stays the same. */
  principal?: Readonly<Record<string, unknown>> | RawJson | undefined;
  /** What the person wrote so far. */
  turns?: readonly string[] | undefined;
}

/** What a check in a session brings; turns, agent and principal are the session's. */
export interface SessionCallOptions extends CallOptions {
  /** Another agent than the session's, for this call. */
  agent?: string | undefined;
}

interface Opened {
  generation: number;
  handle: number;
}

const forgotten = new FinalizationRegistry<{ core: Core; opened: Opened }>(({ core, opened }) => core.release("close", opened.handle, opened.generation));

/** One conversation. Made by `client.session(agent)`. */
export class Session {
  /** Its id. */
  readonly id: string;
  readonly agent: string | undefined;
  readonly #client: Client;
  readonly #principal: Readonly<Record<string, unknown>> | RawJson | undefined;
  readonly #turns: string[];
  readonly #core: Core;
  readonly #opened: Opened = { generation: -1, handle: 0 };
  #history: History;
  #closed = false;

  constructor(client: Client, agent: string | undefined, options: SessionOptions) {
    const history = History.of(options.history, options.session ?? "");
    this.id = options.session ?? (options.history === undefined ? crypto.randomUUID() : history.session);
    this.agent = agent;
    this.#client = client;
    this.#principal = options.principal;
    this.#turns = [...(options.turns ?? [])];
    this.#history = options.history === undefined ? History.empty(this.id) : history;
    this.#core = this.#client.use((core, loaded) => {
      this.#open(core, loaded);
      return core;
    });
    forgotten.register(this, { core: this.#core, opened: this.#opened }, this);
  }

  /** The history so far; it goes on without this object by `client.session(agent, {history})`. */
  get history(): History {
    return this.#history;
  }

  /** What the person wrote. */
  get turns(): readonly string[] {
    return this.#turns;
  }

  /** The history's end, for a host that keeps it. */
  get head(): Head {
    return this.#use((core, handle) => JSON.parse(core.ask("head", handle)) as Head);
  }

  /**
   * Takes what the person wrote, and reads it into a plan (chapter 6). Later checks have the turn as evidence, whatever the plan says: verbatim, and never stored
   * in the history.
   * @param options `language`: `en` or `pt-BR`, the policy's setting unless given; `agent`: another agent than the session's, for this turn
   * @throws InterlockError `request_invalid` (of several agents none was named), `json_size`: the turn was taken all the same; `json_surrogate`: it was not
   */
  read(turn: string, options: Pick<ReadOptions, "agent" | "language"> = {}): Plan {
    if (turn.isWellFormed()) this.#turns.push(turn);
    return this.#client.read(turn, { ...options, agent: options.agent ?? this.agent, session: this.id });
  }

  /**
   * Checks one call (chapter 4) and takes its entry into the session's history.
   * @param args a plain value, or `rawJson(text)` to keep every digit of what the model wrote
   * @throws InterlockError `json_…`, `request_invalid`, `keys_cannot_sign`, `core_trapped`: nothing was decided, nothing may run, and the history is as it was
   */
  checkToolCall(tool: string, args: Arguments, options: SessionCallOptions = {}): ToolCheck {
    refuseUnknown(options, SESSION_OPTIONS);
    const turns = this.#turns.length === 0 ? undefined : this.#turns;
    const request = requestText(tool, args, { ...options, agent: options.agent ?? this.agent, session: this.id, turns, principal: this.#principal }, this.#client.now(), null);
    const answer = withPlaces(request, (text) => this.#use((core, handle) => core.run("checkSession", [handle], text)));
    const check = toolCheck(answer, this.#history, this.id);
    this.#history = check.history;
    return check;
  }

  /**
   * Reports what became of an allowed call.
   * @param check the answer, or its step
   * @returns the history's new end
   * @throws InterlockError `outcome_no_step`, `outcome_not_allowed`, `outcome_already_reported`, `request_invalid`, `json_…`
   */
  ran(check: ToolCheck | number, status: Status = "ran", options: ReportOptions = {}): Head {
    const step = typeof check === "number" ? check : check.step;
    const text = reportText(check, status, options);
    return this.#use((core, handle) => {
      const answer = core.run("reportSession", [handle], text);
      this.#history = this.#history.reported(step as number, outcomeOf(answer));
      return (JSON.parse(answer) as { head: Head }).head;
    });
  }

  /** Gives the handle up. The history stays; anything else afterwards throws `handle_closed`. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    forgotten.unregister(this);
    this.#core.release("close", this.#opened.handle, this.#opened.generation);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Works with the handle, opened again from the history where the core's instance was replaced. */
  #use<T>(work: (core: Core, handle: number) => T): T {
    if (this.#closed) throw new InterlockError("handle_closed", "the session was closed");
    return this.#client.use((core, loaded) => {
      if (this.#opened.generation !== core.generation) this.#open(core, loaded);
      return work(core, this.#opened.handle);
    });
  }

  #open(core: Core, loaded: { policy: number; keys: number }): void {
    const text = objectText({ session: this.id, history: this.#history.isNew ? undefined : new RawJson(this.#history.text) });
    const generation = core.generation;
    const { handle } = JSON.parse(core.run("open", [loaded.policy, loaded.keys], text)) as { handle: number };
    this.#opened.generation = generation;
    this.#opened.handle = handle;
  }
}
