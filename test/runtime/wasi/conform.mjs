// The conformance driver under a runtime's WASI: the package's WASI command, its standard input and output those of the process.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: ["core.wasi.wasm"], env: {}, preopens: {}, returnOnExit: true });
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const imports = wasi.getImportObject?.() ?? { wasi_snapshot_preview1: wasi.wasiImport };
process.exitCode = wasi.start(new WebAssembly.Instance(module, imports)) ?? 0;
