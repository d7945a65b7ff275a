// Builds the console with Vite into dist/console: static files that any server serves, with the licences of what they are made of.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { CORE, filesUnder, ROOT, sha256 } from "./core.mjs";
import { CORE_PACKAGES, NOTICES, notices } from "./notices.mjs";

const SOURCE = "hosts/console";
const TARGET = "dist/console";

/** Puts the core where the package's inline entry imports it, in base64, and its bytes where the page wants to tell their digest. */
const coreBytes = {
  name: "core-bytes",
  resolveId: (id) => (id === "interlock:core-bytes" || id === "interlock:core-base64" ? `\0${id}` : undefined),
  load: (id) => {
    if (id === "\0interlock:core-base64") return `export default "${readFileSync(join(ROOT, CORE)).toString("base64")}";\n`;
    if (id !== "\0interlock:core-bytes") return undefined;
    return `import text from "interlock:core-base64";\nconst binary = atob(text);\nconst bytes = new Uint8Array(binary.length);\nfor (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);\nexport default bytes;\n`;
  },
};

/** Writes the licences of every package whose code is in the bundle. Throws where one has none, or one that asks for more. */
const licences = {
  name: "licences",
  generateBundle(_, bundle) {
    const folders = new Set();
    for (const chunk of Object.values(bundle)) {
      for (const id of Object.keys(chunk.modules ?? {})) {
        const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replace(/^\0/, ""));
        if (found !== null) folders.add(found[1]);
      }
    }
    this.emitFile({ type: "asset", fileName: NOTICES, source: notices("This page", [...folders, ...CORE_PACKAGES]) });
  },
};

/** What the console is made from: its sources, the bindings, the core, the build and what it installs. */
function sourceKey() {
  const files = [...filesUnder(ROOT, SOURCE), ...filesUnder(ROOT, "hosts/shared"), ...filesUnder(ROOT, "bindings"), "package-lock.json", CORE];
  return sha256(...files.flatMap((file) => [file, "\0", readFileSync(join(ROOT, file)), "\0"]));
}

/** Builds dist/console unless it was made from the same sources. */
export async function buildConsole({ force = false } = {}) {
  const note = join(ROOT, `${TARGET}.key`);
  const key = sourceKey();
  if (!force && existsSync(join(ROOT, TARGET, "index.html")) && existsSync(note) && readFileSync(note, "utf8") === key) return;
  rmSync(note, { force: true });
  // Vite takes over what the surroundings say (a test run says "test"), and React would be the slow one.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  await build({
    root: join(ROOT, SOURCE),
    base: "./",
    configFile: false,
    logLevel: "warn",
    plugins: [coreBytes, react(), licences],
    resolve: {
      alias: [
        { find: /^interlock$/, replacement: join(ROOT, "bindings/entry/inline.ts") },
        { find: /^interlock\/register$/, replacement: join(ROOT, "bindings/entry/register-neutral.ts") },
      ],
    },
    build: {
      outDir: join(ROOT, TARGET),
      emptyOutDir: true,
      target: "es2022",
      cssTarget: "chrome123",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 4000,
      reportCompressedSize: false,
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  writeFileSync(note, key);
}

if (process.argv[1] !== undefined && dirname(process.argv[1]) === dirname(new URL(import.meta.url).pathname) && process.argv[1].endsWith("console.mjs"))
  await buildConsole({ force: true });
