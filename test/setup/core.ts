// The one driver of the built core that the suites use, straight over its exports with nothing of the bindings in between: conformance lines (chapter 8), or the operations themselves.

import { readFileSync } from "node:fs";

const file = process.env.CORE_WASM ?? new URL("../../dist/core.wasm", import.meta.url);
/** The module's bytes. */
export const coreBytes: Uint8Array = readFileSync(file);
const built = new WebAssembly.Module(coreBytes as BufferSource);
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

type Export = (...numbers: number[]) => number;

/** A core of its own: its policies, key sets and handles are seen by no other. CORE_WASM names another module file than dist/core.wasm. */
export class Core {
  readonly call: Record<string, Export>;
  protected readonly memory: WebAssembly.Memory;

  constructor(module = built) {
    const exports = new WebAssembly.Instance(module).exports;
    this.call = exports as unknown as Record<string, Export>;
    this.memory = exports.memory as WebAssembly.Memory;
  }

  /** How much linear memory the instance has, in bytes; it never shrinks. */
  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** Puts a text where a call takes it; where it is, and its length. */
  give(text: string | Uint8Array): [start: number, length: number] {
    const bytes = typeof text === "string" ? encoder.encode(text) : text;
    const start = this.call.alloc!(bytes.length);
    new Uint8Array(this.memory.buffer).set(bytes, start);
    return [start, bytes.length];
  }

  /** The text that the last call left. */
  taken(): string {
    return decoder.decode(new Uint8Array(this.memory.buffer, this.call.result!(), this.call.resultLength!()));
  }

  /** The answer to one line of the conformance protocol (chapter 8). */
  line(text: string | Uint8Array): string {
    const [start, length] = this.give(text);
    this.call.conform!(start, length);
    return this.taken();
  }

  /**
   * One entry point with its handles and a text.
   * @returns its status (0: as asked) and the answer's text
   */
  run(name: string, handles: number[], text: string | Uint8Array): { status: number; text: string } {
    const [start, length] = this.give(text);
    const status = this.call[name]!(...handles, start, length);
    return { status, text: this.taken() };
  }
}
