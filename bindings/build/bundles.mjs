// Bundles the bindings and the hosts with esbuild, and writes their types.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { CORE, coreFacts, ROOT } from "./core.mjs";

/** Puts the core's bytes, as base64, where the inline entry imports them. */
const coreBytes = {
  name: "core-base64",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^interlock:core-base64$/ }, () => ({ path: CORE, namespace: "core-base64" }));
    onLoad({ filter: /./, namespace: "core-base64" }, ({ path }) => ({ contents: readFileSync(join(ROOT, path), "base64"), loader: "text" }));
  },
};

/** The command line loads the gateway, and its hook door alone, from files of their own when a command first needs them: the others start as fast as without. */
const gatewayApart = {
  name: "gateway-apart",
  setup({ onResolve }) {
    for (const [entry, path] of [
      [/\/gateway\/entry\.ts$/, "./gateway.js"],
      [/\/hook\/entry\.ts$/, "./hook.js"],
    ]) {
      onResolve({ filter: entry }, ({ kind }) => (kind === "dynamic-import" ? { path, external: true } : undefined));
    }
  },
};

const shared = { absWorkingDir: ROOT, bundle: true, format: "esm", target: "es2022", charset: "utf8", legalComments: "none", logLevel: "warning" };
/** Node finds installed packages by itself; the package's own name is one of them. */
const node = { ...shared, platform: "node", target: "node20", packages: "external", external: ["interlock", "interlock/register"] };

/** What CommonJS gets: a folder of its own, which says so in its package.json. */
const CJS = "dist/cjs";

/** Every bundle, by the file it becomes. */
export async function bundle() {
  const neutral = { ...shared, platform: "neutral" };
  const common = { format: "cjs", target: "node20" };
  await build({ ...neutral, entryPoints: ["bindings/entry/inline.ts"], outfile: "dist/index.js", plugins: [coreBytes] });
  await build({ ...neutral, ...common, entryPoints: ["bindings/entry/inline.ts"], outfile: `${CJS}/index.js`, plugins: [coreBytes] });
  await build({ ...neutral, entryPoints: ["bindings/entry/workerd.ts"], outfile: "dist/workerd.js", external: ["./core.wasm"] });
  await build({ ...neutral, entryPoints: ["bindings/entry/register-neutral.ts"], outfile: "dist/register-neutral.js", external: ["yaml", "acorn", "@sveltejs/acorn-typescript"] });
  await build({ ...node, entryPoints: ["bindings/entry/register.ts"], outfile: "dist/register.js" });
  await build({ ...node, ...common, entryPoints: ["bindings/entry/register.ts"], outfile: `${CJS}/register.js` });
  await build({ ...node, entryPoints: ["hosts/cli/main.ts"], outfile: "dist/cli.js", plugins: [gatewayApart] });
  await build({ ...node, entryPoints: ["hosts/gateway/entry.ts"], outfile: "dist/gateway.js" });
  await build({ ...node, entryPoints: ["hosts/gateway/doors/hook/entry.ts"], outfile: "dist/hook.js" });
  writeFileSync(join(ROOT, CJS, "package.json"), '{ "type": "commonjs" }\n');
  // The web hosts hold the bindings, so that one file is what is deployed; each says which core was built into it.
  const web = { ...shared, platform: "neutral", define: { CORE_SHA256: JSON.stringify(coreFacts().sha256) } };
  await build({
    ...web,
    entryPoints: ["hosts/worker/worker.ts"],
    outfile: "dist/worker.js",
    alias: { interlock: "./bindings/entry/workerd.ts" },
    external: ["./core.wasm", "cloudflare:*"],
  });
  await build({
    ...web,
    entryPoints: ["hosts/deno/serve.ts"],
    outfile: "dist/deno.js",
    alias: { interlock: "./bindings/entry/inline.ts" },
    external: ["node:*"],
    plugins: [coreBytes],
  });
  copyFileSync(join(ROOT, "bindings/register/policy.schema.json"), join(ROOT, "dist/policy.schema.json"));
  await writeGatewaySchema();
}

/** The JSON Schema of the gateway's file, from the description that its reader goes by. */
async function writeGatewaySchema() {
  const outfile = "dist/unit/gateway-schema.mjs";
  await build({ ...node, entryPoints: ["hosts/gateway/config/schema.ts"], outfile });
  const { gatewaySchemaText } = await import(`${pathToFileURL(join(ROOT, outfile)).href}?${Date.now()}`);
  writeFileSync(join(ROOT, "dist/gateway.schema.json"), gatewaySchemaText());
}

/** Writes the types of what the package exports to dist/types, and the same for CommonJS beside its files: what a declaration is a module of follows from where it stands. */
export function writeTypes() {
  rmSync(join(ROOT, "dist/types"), { recursive: true, force: true });
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  if (!existsSync(compiler)) throw new Error("typescript is not installed");
  const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.types.json"], { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) throw new Error("the types cannot be written");
  rmSync(join(ROOT, CJS, "types"), { recursive: true, force: true });
  mkdirSync(join(ROOT, CJS), { recursive: true });
  cpSync(join(ROOT, "dist/types"), join(ROOT, CJS, "types"), { recursive: true });
  for (const host of ["worker", "deno"]) copyFileSync(join(ROOT, "hosts", host, "public.d.ts"), join(ROOT, "dist/types", `${host}.d.ts`));
}
