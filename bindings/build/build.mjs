// npm run build: the core, the WASI command, the bundles, the console and the types into dist/, and the core's size and SHA-256 on the terminal.
import { bundle, writeTypes } from "./bundles.mjs";
import { buildConsole } from "./console.mjs";
import { buildCore, buildWasi, coreFacts } from "./core.mjs";
import { writeNotices } from "./notices.mjs";

const force = process.argv.includes("--force");
await Promise.all([buildCore(undefined, { force }), buildWasi(undefined, { force })]);
await bundle();
await buildConsole();
writeTypes();
writeNotices();
const { size, gzip, sha256 } = coreFacts();
console.log(`dist/core.wasm  ${size} bytes, ${gzip} gzip, SHA-256 ${sha256}`);
