// Moves texts between JavaScript and the core's linear memory: the only reader of pointers, and the owner of the core's instances.
import { ABI_VERSION, STATUS_OK } from "./codes.gen.ts";
import { errorOf, InterlockError } from "./errors.ts";

/** An operation of the core that takes a text: handles, then where the text is and how long. */
type Operation =
  | "register"
  | "keys"
  | "check"
  | "checkSession"
  | "open"
  | "report"
  | "reportSession"
  | "verify"
  | "receipt"
  | "receiptSession"
  | "read"
  | "explainTurn"
  | "gate"
  | "conform";
/** An operation of the core that takes a handle alone. */
type Asking = "compiled" | "head";

type Exports = Record<Operation | Asking | "alloc" | "result" | "resultLength" | "abiVersion" | "releasePolicy" | "releaseKeys" | "close", (...values: number[]) => number> & {
  memory: WebAssembly.Memory;
};

let makeModule: (() => WebAssembly.Module) | null = null;
let made: WebAssembly.Module | null = null;

/** Says where the module comes from; the entries call this, once. It is compiled when first needed. */
export function provideModule(make: () => WebAssembly.Module): void {
  makeModule = make;
  made = null;
}

function compiledModule(): WebAssembly.Module {
  if (made !== null) return made;
  if (makeModule === null) throw new InterlockError("core_missing", "no module was provided: import the package by its name, not this file");
  made = makeModule();
  return made;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** An instance with more memory than this, in bytes, is replaced before the next call: it never gives memory back. */
const LARGE = 256 << 20;

/** Up to this many UTF-16 code units a text gets three bytes each in the core; a longer one is encoded first. */
const SHORT = 1 << 16;

/**
 * One instance of the core at a time. A trap ends the instance: the call throws `core_trapped`, a new instance is made, and `generation` counts up,
 * so that owners of handles know to load what they keep again.
 */
export class Core {
  /** Counts the instances; handles of an earlier one mean nothing. */
  generation = 0;
  #exports: Exports;
  #bytes: Uint8Array;

  constructor() {
    this.#exports = instantiate();
    this.#bytes = new Uint8Array(this.#exports.memory.buffer);
  }

  /**
   * Runs an operation on a text.
   * @param text well-formed Unicode; lone surrogates are the error `json_surrogate`, at the byte where the first stands
   * @returns the canonical text the core answers; throws InterlockError where it answers an error
   */
  run(operation: Operation, handles: readonly number[], text: string | Uint8Array): string {
    if (typeof text === "string" && !text.isWellFormed()) throw loneSurrogate(text);
    return this.#guarded((core) => {
      const start = this.#write(core, text);
      return core[operation](...handles, start, this.#written);
    });
  }

  /** Asks about a handle. */
  ask(asking: Asking, handle: number): string {
    return this.#guarded((core) => {
      core.alloc(0);
      return core[asking](handle);
    });
  }

  /** Replaces an instance that one hostile call made large. Owners of handles call it before they look at `generation`. */
  trim(): void {
    if (this.#exports.memory.buffer.byteLength > LARGE) this.#replace();
  }

  /** Gives a handle up, unless it is of an earlier instance. */
  release(kind: "releasePolicy" | "releaseKeys" | "close", handle: number, generation: number): void {
    if (generation !== this.generation) return;
    this.#guarded((core) => {
      core.alloc(0);
      core[kind](handle);
      return STATUS_OK;
    });
  }

  /** The pages of 64 KiB that the instance's memory has. */
  get pages(): number {
    return this.#exports.memory.buffer.byteLength >>> 16;
  }

  /** The instance's memory; for tests that break it. */
  get memory(): WebAssembly.Memory {
    return this.#exports.memory;
  }

  #written = 0;

  #write(core: Exports, text: string | Uint8Array): number {
    const bytes = typeof text === "string" && text.length > SHORT ? encoder.encode(text) : text;
    const start = core.alloc(typeof bytes === "string" ? bytes.length * 3 : bytes.length) >>> 0;
    const view = this.#view();
    if (typeof bytes === "string") this.#written = encoder.encodeInto(bytes, view.subarray(start)).written;
    else {
      view.set(bytes, start);
      this.#written = bytes.length;
    }
    return start;
  }

  #guarded(work: (core: Exports) => number): string {
    const core = this.#exports;
    let status: number;
    let answer: string;
    try {
      status = work(core);
      const start = core.result() >>> 0;
      answer = decoder.decode(this.#view().subarray(start, start + core.resultLength()));
    } catch (cause) {
      this.#replace();
      throw new InterlockError("core_trapped", "the core stopped in the middle of a call: nothing was decided, and a new instance is in its place", { cause });
    }
    if (status !== STATUS_OK) throw errorOf(answer);
    return answer;
  }

  #replace(): void {
    this.generation++;
    this.#exports = instantiate();
    this.#bytes = new Uint8Array(this.#exports.memory.buffer);
  }

  /** The memory as it is now: growing it empties every earlier view. */
  #view(): Uint8Array {
    if (this.#bytes.buffer !== this.#exports.memory.buffer) this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    return this.#bytes;
  }
}

function instantiate(): Exports {
  const exports = new WebAssembly.Instance(compiledModule()).exports as unknown as Exports;
  const version = exports.abiVersion();
  if (version !== ABI_VERSION)
    throw new InterlockError("core_version", `the core speaks version ${version} of the boundary, this binding ${ABI_VERSION}: install them from one package`);
  return exports;
}

function loneSurrogate(text: string): InterlockError {
  const at = text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  return new InterlockError("json_surrogate", "half of a surrogate pair stands alone in the text", { offset: encoder.encode(text.slice(0, at)).length });
}

let shared: Core | null = null;

/** The core that everything in this realm shares unless told otherwise. */
export function sharedCore(): Core {
  shared ??= new Core();
  return shared;
}
