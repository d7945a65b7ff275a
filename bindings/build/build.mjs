// npm run build: the core, the bundles and the types into dist/, and the core's size and SHA-256 on the terminal.
import { bundle, writeTypes } from "./bundles.mjs";
import { buildCore, coreFacts } from "./core.mjs";

buildCore(undefined, { force: process.argv.includes("--force") });
await bundle();
writeTypes();
const { size, gzip, sha256 } = coreFacts();
console.log(`dist/core.wasm  ${size} bytes, ${gzip} gzip, SHA-256 ${sha256}`);
