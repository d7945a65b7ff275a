// Loads a built unit module (dist/unit/NAME.wasm) and moves bytes in and out of its memory.

import { readFileSync } from "node:fs";

type Call = (...values: (number | bigint)[]) => number;

/** One instance of a unit module. Every module exports `input(size)`, which empties its region and gives the test memory. */
export class Unit {
  readonly call: Record<string, Call>;
  /** The module's exported globals. */
  readonly globals: Record<string, WebAssembly.Global>;
  private readonly memory: WebAssembly.Memory;

  /** `make` compiles the module, where it is not to be the built one as it is. */
  constructor(name: string, make: (bytes: Uint8Array) => WebAssembly.Module = (bytes) => new WebAssembly.Module(bytes as BufferSource)) {
    const bytes = readFileSync(new URL(`../../dist/unit/${name}.wasm`, import.meta.url));
    const exports = new WebAssembly.Instance(make(bytes)).exports;
    this.call = exports as unknown as Record<string, Call>;
    this.globals = exports as unknown as Record<string, WebAssembly.Global>;
    this.memory = exports.memory as WebAssembly.Memory;
  }

  /** Empties the test memory, puts the parts into it one after the other (8-aligned), and returns where each begins. */
  place(...parts: (Uint8Array | number)[]): number[] {
    const sizes = parts.map((part) => (typeof part === "number" ? part : part.length));
    const total = sizes.reduce((sum, size) => sum + ((size + 7) & ~7), 0);
    let at = this.call.input!(total + 8);
    return parts.map((part, i) => {
      const start = at;
      if (typeof part !== "number") new Uint8Array(this.memory.buffer).set(part, start);
      at += (sizes[i]! + 7) & ~7;
      return start;
    });
  }

  /** A copy of `length` bytes of memory. */
  bytes(start: number, length: number): Buffer {
    return Buffer.from(new Uint8Array(this.memory.buffer, start, length));
  }

  /** A view of the whole memory; it is stale once memory grows. */
  view(): DataView {
    return new DataView(this.memory.buffer);
  }
}
