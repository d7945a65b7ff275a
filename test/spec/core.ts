// A conformance driver of the built core, straight over its `conform` export (chapter 8), with nothing of the bindings in between.

import { readFileSync } from "node:fs";

// JSON of any shape: a case looks inside answers whose shape is what it tests.
export type Json = any;

interface Core {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  conform(start: number, length: number): number;
  result(): number;
  resultLength(): number;
}

const built = process.env.CORE_WASM ?? new URL("../../dist/core.wasm", import.meta.url);
const compiled = new WebAssembly.Module(readFileSync(built));

/** A core of its own: its policies, key sets and handles are seen by no other. */
export class Driver {
  readonly #core = new WebAssembly.Instance(compiled).exports as unknown as Core;

  /** The answer line to one request line; both without a line feed. */
  line(text: string | Uint8Array): string {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    const start = this.#core.alloc(bytes.length);
    new Uint8Array(this.#core.memory.buffer).set(bytes, start);
    this.#core.conform(start, bytes.length);
    return new TextDecoder().decode(new Uint8Array(this.#core.memory.buffer, this.#core.result(), this.#core.resultLength()));
  }

  /** The parsed answer line to one request. */
  send(request: Json): Json {
    return JSON.parse(this.line(JSON.stringify({ id: 1, ...request })));
  }

  /** The `ok` of the answer; an error is thrown with its code and its pointer. */
  ok(request: Json): Json {
    const answer = this.send(request);
    if (!("ok" in answer)) throw new Error(JSON.stringify(answer.error));
    return answer.ok;
  }

  /** The `error` of the answer; anything else is thrown. */
  error(request: Json): Json {
    const answer = this.send(request);
    if (!("error" in answer)) throw new Error(`not an error: ${JSON.stringify(answer.ok)}`);
    return answer.error;
  }

  /** The bytes of memory the core has taken. */
  memory(): number {
    return this.#core.memory.buffer.byteLength;
  }
}
