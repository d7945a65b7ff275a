// The core for the tests of registration and of the command line: the built module's conformance lines.
import { readFileSync } from 'node:fs';
import type { LineDriver } from '../../hosts/cli/core.ts';

interface Exports { memory: WebAssembly.Memory; alloc(length: number): number; conform(start: number, length: number): number; result(): number; resultLength(): number }

let module_: WebAssembly.Module | undefined;

/** A core of its own, from dist/core.wasm. */
export async function testDriver(): Promise<LineDriver> {
  return newDriver();
}

export function newDriver(): LineDriver {
  module_ ??= new WebAssembly.Module(readFileSync(new URL('../../dist/core.wasm', import.meta.url)));
  const core = new WebAssembly.Instance(module_).exports as unknown as Exports;
  return {
    answer(line) {
      const bytes = typeof line === 'string' ? new TextEncoder().encode(line) : line;
      const start = core.alloc(bytes.length);
      new Uint8Array(core.memory.buffer, start, bytes.length).set(bytes);
      core.conform(start, bytes.length);
      return new TextDecoder().decode(new Uint8Array(core.memory.buffer, core.result(), core.resultLength()));
    },
  };
}
