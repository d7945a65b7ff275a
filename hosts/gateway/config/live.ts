// The settings in force: read again on SIGHUP and when a file changes; a wrong file leaves those before in force and says so.
import { formatProblem, type Problem } from "interlock/register";
import { stillAt } from "./address.ts";
import { type ReadSettings, readSettings } from "./read.ts";
import { Seen } from "./seen.ts";
import type { Settings } from "./settings.ts";

/** What a reload came to, for whoever runs the gateway. */
export type Reload =
  | { readonly outcome: "taken"; /** Members that need a restart to change, and stay as they were. */ readonly kept: readonly string[]; readonly warnings: readonly Problem[] }
  | { readonly outcome: "closed" }
  | { readonly outcome: "left"; readonly why: string };

/** Puts new settings to work; throws where they cannot be (a policy that is wrong), and then nothing has changed. */
export type Apply = (next: Settings, before: Settings) => Promise<void>;

/** What only a restart changes: the socket and the store are held open. */
const FIXED = ["listen", "engine"] as const;

export interface LiveOptions {
  readonly file: string;
  readonly shown: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told of every reload that did something. */
  readonly tell: (reload: Reload) => void;
  /** How often the files are looked at, in milliseconds; 2000 unless given. */
  readonly interval?: number;
}

/** The settings of a file while a gateway runs. */
export class LiveSettings {
  #settings: Settings;
  #files = new Seen();
  #timer: NodeJS.Timeout | undefined;
  #apply: Apply = async () => undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;
  #reloading = false;
  readonly #options: LiveOptions;

  /** Starts from settings that were read. Files are watched once `watch` is called. */
  constructor(settings: Settings, options: LiveOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /** The settings in force now. */
  current(): Settings {
    return this.#settings;
  }

  /** Adds a file that is about to be read (what a policy imports) to those that are watched, until the next reload notes it anew. */
  note(file: string): void {
    this.#files.note(file);
  }

  /** Watches the files a read went by, with those that were noted. Files are looked at by name, so that one that is replaced, or a link that is turned, is seen too. */
  watch(read: Pick<ReadSettings, "files">, apply: Apply): void {
    this.#apply = apply;
    const noted = this.#files;
    this.#look(read.files);
    for (const [file, seen] of noted) if (!this.#files.has(file)) this.#files.set(file, seen);
    this.#timer = setInterval(() => {
      if (!this.#reloading && this.#files.changed()) void this.reload();
    }, this.#options.interval ?? 2000).unref();
  }

  /** Reads everything again, one reload at a time, and tells what came of it. */
  reload(): Promise<Reload> {
    this.#reloading = true;
    const next = this.#turn.then(() => this.#reload()).finally(() => {
      if (this.#turn === ended) this.#reloading = false;
    });
    const ended = next.then(() => undefined, () => undefined);
    this.#turn = ended;
    return next;
  }

  async #reload(): Promise<Reload> {
    if (this.#closed) return { outcome: "closed" };
    const { file, env, shown } = this.#options;
    const read = await readSettings(file, env, shown);
    this.#look(read.files);
    if (read.settings === null) {
      const errors = read.problems.filter(({ severity }) => severity === "error");
      return this.#told({ outcome: "left", why: `${errors.length === 1 ? "a problem" : `${errors.length} problems`} in the configuration:\n${errors.map(formatProblem).join("\n")}` });
    }
    const before = this.#settings;
    const kept = FIXED.filter((member) => JSON.stringify(read.settings![member]) !== JSON.stringify(before[member]));
    const next = { ...stillAt(read.settings, before.listen), engine: before.engine };
    try {
      await this.#apply(next, before);
    } catch (error) {
      return this.#told({ outcome: "left", why: error instanceof Error ? error.message : String(error) });
    }
    this.#settings = next;
    return this.#told({ outcome: "taken", kept, warnings: read.problems });
  }

  #told(reload: Reload): Reload {
    this.#options.tell(reload);
    return reload;
  }

  /** What is watched from now on: also after a read that failed, so that the mended file is seen. */
  #look(files: Seen): void {
    this.#files = files;
  }

  /** Watches no more; a reload under way is waited for. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#turn;
    this.#closed = true;
  }
}
