// The built core with a counter in it: every function entered, every turn of a loop and every byte moved in bulk is one, so that work is measured without a clock.

import binaryen from "binaryen";
import { Core, coreBytes } from "../setup/core.ts";

const { BulkMemory, BulkMemoryOpt, MutableGlobals, NontrappingFPToInt, SIMD128, SignExt } = binaryen.Features;

/** Compiles a module with the counter in it, as its exports `work` and `most`. Bulk moves become loops where `moves` is true, which makes it slower. */
export function instrument(wasm: Uint8Array, moves: boolean): WebAssembly.Module {
  const module = binaryen.readBinary(wasm);
  module.setFeatures(BulkMemory | BulkMemoryOpt | MutableGlobals | NontrappingFPToInt | SIMD128 | SignExt);
  if (moves) module.runPasses(["llvm-memory-copy-fill-lowering"]);
  // Calls log_execution at each function's entry and each loop's head; here it counts, and traps past the limit.
  module.runPasses(["log-execution"]);
  module.removeFunction("log_execution");
  module.addGlobal("work", binaryen.i64, true, module.i64.const(0n));
  module.addGlobal("most", binaryen.i64, true, module.i64.const(0x7fffffffffffffffn));
  module.addGlobalExport("work", "work");
  module.addGlobalExport("most", "most");
  const more = module.i64.add(module.global.get("work", binaryen.i64), module.i64.const(1n));
  const tooMuch = module.i64.gt_u(module.global.get("work", binaryen.i64), module.global.get("most", binaryen.i64));
  const body = module.block(null, [module.global.set("work", more), module.if(tooMuch, module.unreachable())]);
  module.addFunction("log_execution", binaryen.i32, binaryen.none, [], body);
  const bytes = module.emitBinary();
  module.dispose();
  return new WebAssembly.Module(bytes as BufferSource);
}

const made = new Map<boolean, WebAssembly.Module>();

/** A core that counts its work. */
export class CountedCore extends Core {
  private readonly counter: WebAssembly.Global;
  private readonly limit: WebAssembly.Global;

  constructor(moves = false) {
    const module = made.get(moves) ?? instrument(coreBytes, moves);
    made.set(moves, module);
    super(module);
    const exports = this.call as unknown as Record<string, WebAssembly.Global>;
    this.counter = exports.work!;
    this.limit = exports.most!;
  }

  /** The work done since `begin`. */
  get work(): number {
    return Number(this.counter.value as bigint);
  }

  /** Begins to count; past `most` the core traps. */
  begin(most = Number.MAX_SAFE_INTEGER): void {
    this.counter.value = 0n;
    this.limit.value = BigInt(most);
  }
}
