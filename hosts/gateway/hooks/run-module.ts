// Asks a hook that is a local module, in a thread of its own: one that never returns can be ended, and the gateway goes on.
import { Worker } from "node:worker_threads";
import { pathToFileURL } from "node:url";

/** What the thread runs: it imports the module once and answers questions one by one. The module's default export is `(question) => answer`. */
const THREAD = `
import { parentPort, workerData } from "node:worker_threads";
const module = import(workerData.url).then(({ default: hook }) => {
  if (typeof hook !== "function") throw new Error("the module's default export is no function");
  return hook;
});
module.catch(() => undefined);
parentPort.on("message", async ({ id, question }) => {
  try {
    const answer = await (await module)(JSON.parse(question));
    const text = JSON.stringify(answer);
    if (typeof text !== "string") throw new Error("it answered nothing that JSON has");
    parentPort.postMessage({ id, text });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error instanceof Error ? error.message : error).slice(0, 300) });
  }
});
`;

interface Waiting {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

/** One module's thread, made anew whenever it was ended. */
export class ModuleHook {
  readonly #url: string;
  #thread: Worker | null = null;
  #next = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor(path: string) {
    this.#url = pathToFileURL(path).href;
  }

  /** Asks the module; Error where it throws, ends its thread, or does not answer in time. After a time-out the thread is ended, since it may never return. */
  ask(question: string, timeoutMs: number): Promise<string> {
    const thread = this.#started();
    const id = this.#next++;
    return new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => this.#end(new Error("another question to the module was not answered in time"), { id, error: new Error(`it did not answer within ${timeoutMs} ms`) }), timeoutMs);
      this.#waiting.set(id, {
        resolve: (text) => {
          clearTimeout(timer);
          resolve(text);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      thread.postMessage({ id, question });
    });
  }

  close(): void {
    this.#end(new Error("the gateway is stopping"));
  }

  #started(): Worker {
    if (this.#thread !== null) return this.#thread;
    const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), { workerData: { url: this.#url }, env: {}, stdin: false, resourceLimits: { maxOldGenerationSizeMb: 256 } });
    thread.unref();
    thread.on("message", ({ id, text, error }: { id: number; text?: string; error?: string }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (text === undefined) waiting?.reject(new Error(error ?? "it answered nothing"));
      else waiting?.resolve(text);
    });
    const gone = (error: Error): void => {
      if (this.#thread === thread) this.#end(error);
    };
    thread.on("error", (error: Error) => gone(new Error(`its thread ended: ${error.message}`)));
    thread.on("exit", () => gone(new Error("its thread ended")));
    this.#thread = thread;
    return thread;
  }

  /** Ends the thread; `own` is the question that did it, the others fail with `error`. */
  #end(error: Error, own?: { readonly id: number; readonly error: Error }): void {
    const thread = this.#thread;
    this.#thread = null;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [id, { reject }] of waiting) reject(id === own?.id ? own.error : error);
    void thread?.terminate();
  }
}
