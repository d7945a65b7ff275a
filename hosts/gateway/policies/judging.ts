// Judges policies in a thread of their own while calls go on: a large one takes seconds to be read.
import { Worker } from "node:worker_threads";
import { pathToFileURL } from "node:url";
import { InterlockError } from "interlock";
import type { Change, Registered } from "interlock/register";
import { built } from "../built.ts";
import { GatewayError } from "../gateway.ts";

/** What the thread runs: the built package, asked one thing after the other. */
const THREAD = `
import { parentPort, workerData } from "node:worker_threads";
const loading = Promise.all([import(workerData.core), import(workerData.register)]);
loading.catch(() => undefined);
const work = {
  register: ([core, { register }], { path, text }) => register([{ path, text }], core.policyJudge, { live: false }),
  file: ([core, { register }], { path, live }) => register(path, core.policyJudge, { live, reads: (read) => parentPort.postMessage({ read }) }),
  load: ([{ Client }], { text, keys }) => {
    const { documents, ...policy } = JSON.parse(text);
    const client = new Client({ policy, keys, isolated: true, ...(documents === undefined ? {} : { documents }) });
    return { id: client.policy, tenant: JSON.parse(client.compiled).tenant };
  },
  diff: ([, { describeChange, describeChanges }], { before, after }) => describeChanges(JSON.parse(before), JSON.parse(after)).map((change) => ({ ...change, line: describeChange(change) })),
};
parentPort.on("message", async ({ name, given }) => {
  try {
    parentPort.postMessage({ value: await work[name](await loading, given) });
  } catch ({ code, message, pointer }) {
    parentPort.postMessage({ error: { code, message, pointer } });
  }
});
`;

/** What one policy may take; that of a file waits for the servers that it imports tools from. */
const MOST = { milliseconds: 60_000, megabytes: 1024 };
const MOST_OF_A_FILE = { milliseconds: 300_000, megabytes: 1024 };

interface Answer {
  /** A file that is being read: not an answer yet. */
  readonly read?: string;
  readonly value?: unknown;
  readonly error?: { readonly code?: string; readonly message: string; readonly pointer?: string };
}

/** A thread for one policy. Whatever is asked of it fails with `policy_unjudged` once its time or memory is used up, and with the core's own errors. */
export class Judging {
  static #last: Promise<void> = Promise.resolve();
  readonly #thread: Worker;
  readonly #done: () => void;
  readonly #timer: ReturnType<typeof setTimeout>;
  #ended: GatewayError | null = null;
  #told: ((answer: Answer) => void) | null = null;
  #reads: ((file: string) => void) | undefined;

  private constructor(done: () => void, most: typeof MOST, env: NodeJS.ProcessEnv) {
    this.#done = done;
    const url = (name: string): string => pathToFileURL(built(name)).href;
    this.#thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), {
      workerData: { core: url("index.js"), register: url("register.js") },
      env,
      execArgv: [],
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: most.megabytes },
    });
    this.#thread.unref();
    this.#timer = setTimeout(() => this.#end(`it takes longer than ${most.milliseconds / 1000} seconds`), most.milliseconds);
    this.#thread.on("message", (answer: Answer) => (answer.read === undefined ? this.#told?.(answer) : this.#reads?.(answer.read)));
    this.#thread.on("error", ({ message }: Error) => this.#end(message));
    this.#thread.on("exit", () => this.#end("its thread ended"));
  }

  /** A thread for a policy that came over the API: it sees nothing of the environment. To be closed. */
  static start(most: typeof MOST = MOST): Promise<Judging> {
    return Judging.#next(most, {});
  }

  /** A thread for a policy's file, which may import tools from servers that it starts. To be closed. */
  static ofFile(): Promise<Judging> {
    return Judging.#next(MOST_OF_A_FILE, process.env);
  }

  /** Starts a thread when those before it are done: one policy at a time. */
  static async #next(most: typeof MOST, env: NodeJS.ProcessEnv): Promise<Judging> {
    const before = Judging.#last;
    let done = (): void => undefined;
    Judging.#last = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    return new Judging(done, most, env);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#end("it was given up");
    void this.#thread.terminate();
    this.#done();
  }

  /** Registers a source. */
  register(path: string, text: string): Promise<Registered> {
    return this.#ask("register", { path, text }) as Promise<Registered>;
  }

  /** Registers a file, and tells of each that is read for it, before it is. */
  file(path: string, live: boolean, reads: ((file: string) => void) | undefined): Promise<Registered> {
    this.#reads = reads;
    return this.#ask("file", { path, live }) as Promise<Registered>;
  }

  /** Loads a policy's text as it would be in force: its id and its tenant. Throws InterlockError where the core refuses it or the keys. */
  load(text: string, keys: string): Promise<{ readonly id: string; readonly tenant: string }> {
    return this.#ask("load", { text, keys }) as Promise<{ id: string; tenant: string }>;
  }

  /** What a policy changes, each with its line. */
  diff(before: string, after: string): Promise<readonly (Change & { readonly line: string })[]> {
    return this.#ask("diff", { before, after }) as Promise<(Change & { line: string })[]>;
  }

  async #ask(name: string, given: object): Promise<unknown> {
    if (this.#ended !== null) throw this.#ended;
    const { value, error } = await new Promise<Answer>((resolve) => {
      this.#told = resolve;
      this.#thread.postMessage({ name, given });
    });
    if (this.#ended !== null) throw this.#ended;
    if (error === undefined) return value;
    if (error.code === undefined) throw new Error(error.message);
    throw new InterlockError(error.code, error.message, error.pointer === undefined ? {} : { pointer: error.pointer });
  }

  #end(why: string): void {
    this.#ended ??= new GatewayError(422, "policy_unjudged", `this policy could not be judged: ${why}`);
    this.#told?.({});
    void this.#thread.terminate();
  }
}
