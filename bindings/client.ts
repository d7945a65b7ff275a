// The client: a policy and a key set loaded into the core, and the operations over them.
/// <reference lib="esnext.disposable" preserve="true" />
import { Core, sharedCore } from "./codec.ts";
import { InterlockError } from "./errors.ts";
import { History, type HistoryDict } from "./history.ts";
import { type JsonObject, jsonText, objectText, RawJson } from "./json.ts";
import { type Plan, READ_OPTIONS, type ReadOptions, readText, type TurnExplanation } from "./plan.ts";
import { type Arguments, CHECK_OPTIONS, type CheckOptions, type Head, refuseUnknown, type ReportOptions, reportText, requestText, type Status, withPlaces } from "./request.ts";
import { Session, type SessionOptions } from "./session.ts";
import { type ToolCheck, toolCheck } from "./tool-check.ts";

export interface ClientOptions {
  /**
   * The policy: what `register` of `interlock/register` answered, the policy's members (chapter 2, the compiled form; defaults may be left out), or their JSON text.
   */
  policy: string | RawJson | Readonly<Record<string, unknown>> | RegisteredPolicy;
  /** Schema documents by URI, which schemas of the policy refer to. */
  documents?: string | RawJson | Readonly<Record<string, unknown>> | undefined;
  /** The key set (chapter 1, Keys), or its JSON text. */
  keys: string | RawJson | Readonly<Record<string, unknown>>;
  /** The time in seconds; the system's clock unless given. */
  clock?: (() => number) | undefined;
  /** An instance of the core for this client alone, instead of the one that all clients share. */
  isolated?: boolean | undefined;
}

/** What registration answers, as far as a client needs it. */
export interface RegisteredPolicy {
  readonly text: string;
  readonly documents: Readonly<Record<string, unknown>>;
  readonly problems: readonly object[];
}

/** What a receipt is asked about besides the call. */
export interface ReceiptOptions {
  history: History | RawJson | HistoryDict;
  session?: string | undefined;
  agent?: string | undefined;
  principal?: Readonly<Record<string, unknown>> | RawJson | undefined;
  /** The entry; the last one unless given. */
  step?: number | undefined;
  /** How often the enforcement point has admitted it already. */
  sends?: number | undefined;
  head?: Head | undefined;
  now?: number | undefined;
}

/** Whether one entry is the permit for exactly this call (chapter 3, Receipts). */
export interface Receipt {
  readonly format: "qls-tool-receipt/1";
  readonly decision: "allow" | "refuse";
  readonly reason: string;
  /** The name under which the entry is spent. */
  readonly once?: string;
  readonly detail?: JsonObject;
}

/** Whether a history verifies; `head` is its end where it does. */
export interface Verified {
  readonly valid: boolean;
  readonly head?: Head;
  readonly detail?: JsonObject;
}

interface Loaded {
  generation: number;
  policy: number;
  keys: number;
}

/** What was registered: the policy's id, warnings, and the tools whose schema is partly asserted. */
interface Registration {
  handle: number;
  policy: string;
  warnings: { code: string; message: string; pointer: string }[];
  partial: string[];
}

/** Handles of clients that are no longer reachable are given up. */
const forgotten = new FinalizationRegistry<{ core: Core; loaded: Loaded }>(({ core, loaded }) => release(core, loaded));

function release(core: Core, loaded: Loaded): void {
  core.release("releasePolicy", loaded.policy, loaded.generation);
  core.release("releaseKeys", loaded.keys, loaded.generation);
}

/** The check between an agent and its tools, by one policy and one key set. */
export class Client {
  readonly #core: Core;
  readonly #policyText: string;
  readonly #keysText: string;
  readonly #clock: () => number;
  /** One object for the client's life, so that the registry above always holds the handles of now. */
  readonly #loaded: Loaded;
  #registration: Registration;
  #signing: { active: string | null; preview: boolean };
  #closed = false;

  /** Loads a policy and a key set. Throws InterlockError `policy_invalid` (with `problems`), `keys_invalid`, `json_…`. */
  constructor(options: ClientOptions) {
    for (const name of ["policy", "keys"] as const) {
      if (options?.[name] === undefined) throw new InterlockError("request_invalid", `a client needs ${name}: new Client({ policy, keys })`, { pointer: `/${name}` });
    }
    this.#core = options.isolated ? new Core() : sharedCore();
    this.#clock = options.clock ?? (() => Math.floor(Date.now() / 1000));
    this.#policyText = policyText(options);
    this.#keysText = documentText(options.keys, "/keys");
    this.#loaded = { generation: -1, policy: 0, keys: 0 };
    [this.#registration, this.#signing] = this.#load();
    forgotten.register(this, { core: this.#core, loaded: this.#loaded }, this);
  }

  /** The policy's id. */
  get policy(): string {
    return this.#registration.policy;
  }

  /** What registration warns of. */
  get warnings(): readonly { readonly code: string; readonly message: string; readonly pointer: string }[] {
    return this.#registration.warnings;
  }

  /** The tools whose schemas hold a part that is not asserted. */
  get partial(): readonly string[] {
    return this.#registration.partial;
  }

  /** The id of the key that signs; null where the set only verifies, or is a preview. */
  get activeKey(): string | null {
    return this.#signing.active;
  }

  /** Whether decisions are made unsigned. */
  get preview(): boolean {
    return this.#signing.preview;
  }

  /** The compiled policy (chapter 2), canonical JSON text. */
  get compiled(): string {
    return this.use((core, { policy }) => core.ask("compiled", policy));
  }

  /** The time by the client's clock, in seconds. */
  now(): number {
    return this.#clock();
  }

  /**
   * Checks one call (chapter 4) with the history it brings.
   * @param args a plain value, or `rawJson(text)` to keep every digit of what the model wrote
   * @returns the answer, with the history to carry on with
   * @throws InterlockError `json_…`, `request_invalid`, `keys_cannot_sign`, `core_trapped`: nothing was decided, nothing may run
   */
  checkToolCall(tool: string, args: Arguments, options: CheckOptions = {}): ToolCheck {
    refuseUnknown(options, CHECK_OPTIONS);
    const history = History.of(options.history, options.session ?? "");
    const session = options.session ?? (options.history === undefined ? undefined : history.session);
    const request = requestText(tool, args, { ...options, session }, this.#clock(), options.history === undefined ? null : history.text);
    const answer = withPlaces(request, (text) => this.use((core, { policy, keys }) => core.run("check", [policy, keys], text)));
    return toolCheck(answer, history, session ?? "");
  }

  /**
   * Opens a session: it carries its history by itself, and a check costs the same however long it is.
   * @param agent who calls; may be left out where the policy has one agent
   * @throws InterlockError `history_invalid` where the history given does not verify
   */
  session(agent?: string, options: SessionOptions = {}): Session {
    return new Session(this, agent, options);
  }

  /**
   * Reads what a person wrote into a plan, without a model (chapter 6): the same in every runtime.
   * @throws InterlockError `request_invalid` (of several agents none was named, or the language is none that is read), `json_surrogate`, `json_size`
   */
  read(turn: string, options: ReadOptions = {}): Plan {
    refuseUnknown(options, READ_OPTIONS);
    return JSON.parse(this.use((core, { policy }) => core.run("read", [policy], readText(turn, options, this.#clock())))) as Plan;
  }

  /** Reads a turn and says why: each clause, the words that reached its tool, what bound each argument, each rule and what set it off or cleared it. */
  explainTurn(turn: string, options: ReadOptions = {}): TurnExplanation {
    refuseUnknown(options, READ_OPTIONS);
    return JSON.parse(this.use((core, { policy }) => core.run("explainTurn", [policy], readText(turn, options, this.#clock())))) as TurnExplanation;
  }

  /** Reports what became of a step, and gives the history with that outcome. Throws `outcome_no_step`, `outcome_not_allowed`, `outcome_already_reported`, `history_invalid`. */
  report(history: History | RawJson | HistoryDict, step: number | ToolCheck, status: Status, options: ReportOptions = {}): History {
    const given = History.of(history, "");
    const text = reportText(step, status, options, { session: given.session, history: new RawJson(given.text) });
    return History.parse(this.use((core, { policy, keys }) => core.run("report", [policy, keys], text)));
  }

  /** Whether a history verifies (chapter 3); with `head`, also whether it ends there. */
  verify(history: History | RawJson | HistoryDict, options: { session?: string | undefined; head?: Head | undefined } = {}): Verified {
    const given = History.of(history, "");
    const text = objectText({ session: options.session ?? given.session, head: options.head, history: new RawJson(given.text) });
    return JSON.parse(this.use((core, { policy, keys }) => core.run("verify", [policy, keys], text))) as Verified;
  }

  /** Whether an entry is the permit for exactly this call (chapter 3, Receipts). */
  receipt(tool: string, args: Arguments, options: ReceiptOptions): Receipt {
    if (options?.history === undefined) throw new InterlockError("request_invalid", "a receipt needs the history: receipt(tool, args, { history })", { pointer: "/history" });
    const given = History.of(options.history, "");
    const text = objectText({
      session: options.session ?? given.session,
      tool,
      agent: options.agent,
      principal: options.principal,
      step: options.step,
      sends: options.sends,
      head: options.head,
      now: options.now ?? this.#clock(),
      arguments: args,
      history: new RawJson(given.text),
    });
    return JSON.parse(this.use((core, { policy, keys }) => core.run("receipt", [policy, keys], text))) as Receipt;
  }

  /** Gives the policy and keys in the core up. Anything else afterwards throws `handle_closed`, in its sessions too; their histories stay. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    forgotten.unregister(this);
    release(this.#core, this.#loaded);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * Works with the core and the handles, loaded again where the core's instance was replaced. For sessions.
   * @internal
   */
  use<T>(work: (core: Core, loaded: Readonly<Loaded>) => T): T {
    if (this.#closed) throw new InterlockError("handle_closed", "the client was closed");
    this.#core.trim();
    if (this.#loaded.generation !== this.#core.generation) [this.#registration, this.#signing] = this.#load();
    return work(this.#core, this.#loaded);
  }

  #load(): [Registration, { active: string | null; preview: boolean }] {
    const core = this.#core;
    const generation = core.generation;
    const registration = JSON.parse(core.run("register", [], this.#policyText)) as Registration;
    let signing: { active: string | null; preview: boolean; handle: number };
    try {
      signing = JSON.parse(core.run("keys", [], this.#keysText)) as typeof signing;
    } catch (error) {
      core.release("releasePolicy", registration.handle, generation);
      throw error;
    }
    Object.assign(this.#loaded, { generation, policy: registration.handle, keys: signing.handle });
    return [registration, signing];
  }
}

function documentText(given: string | RawJson | Readonly<Record<string, unknown>>, pointer: string): string {
  return jsonText(typeof given === "string" ? new RawJson(given) : given, pointer);
}

function policyText({ policy, documents }: ClientOptions): string {
  if (isRegistered(policy)) {
    if (policy.text === "") throw new InterlockError("policy_invalid", "the policy was not registered: its problems say why");
    return objectText({ policy: new RawJson(policy.text), documents: Object.keys(policy.documents).length === 0 ? undefined : policy.documents });
  }
  return objectText({ policy: new RawJson(documentText(policy, "/policy")), documents: documents === undefined ? undefined : new RawJson(documentText(documents, "/documents")) });
}

function isRegistered(policy: ClientOptions["policy"]): policy is RegisteredPolicy {
  return typeof policy === "object" && !(policy instanceof RawJson) && typeof policy["text"] === "string" && Array.isArray(policy["problems"]);
}
