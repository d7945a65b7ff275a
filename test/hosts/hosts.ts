// Starts the web host in the real runtimes: the built files, with their settings and their heads in a folder of their own.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, type Server, serve } from "../runtime/process.ts";
import { bun, deno, type Runtime, workerd } from "../runtime/runtimes.ts";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

/** A host that runs. */
export interface Host {
  readonly url: string;
  /** Kills the process and starts another over the same folder. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** How one runtime serves. */
export interface HostKind {
  readonly runtime: Runtime;
  /** Whether it has a place for heads unless told otherwise. */
  start(bindings: Readonly<Record<string, string>>, options?: { heads?: boolean }): Promise<Host>;
}

async function running(folder: string, begin: (port: number) => Promise<Server>): Promise<Host> {
  const port = await freePort();
  let server = await begin(port);
  return {
    url: `http://127.0.0.1:${port}`,
    restart: async () => {
      await server.stop();
      server = await begin(port);
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), "interlock-host-"));

/** The configuration of workerd for a Worker in `worker.js`; the bindings' texts are files. */
export function workerdConfig(bindings: Readonly<Record<string, string>>, { heads = true, modules = [] as string[] } = {}): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "disk", disk = (path = "heads", writable = true))],
  sockets = [(name = "http", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "core.wasm", wasm = embed "core.wasm")${modules.map((module) => `, ${module}`).join("")}],
  compatibilityDate = "2026-11-01",
  bindings = [${[...Object.keys(bindings).map((name) => `(name = "${name}", text = embed "${name}")`), ...(heads ? ['(name = "INTERLOCK_SESSIONS", durableObjectNamespace = "SessionHeads")'] : [])].join(", ")}],
  durableObjectNamespaces = [(className = "SessionHeads", uniqueKey = "interlock-sessions", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
);
`;
}

/** Serves a folder that has a config.capnp. */
export function serveWorkerd(folder: string): Promise<Host> {
  mkdirSync(join(folder, "heads"), { recursive: true });
  return running(folder, (port) => serve(workerd.file!, ["serve", "config.capnp", "--socket-addr", `http=127.0.0.1:${port}`], folder, `http://127.0.0.1:${port}/healthz`));
}

export const inWorkerd: HostKind = {
  runtime: workerd,
  start: (bindings, { heads = true } = {}) => {
    const folder = newFolder();
    for (const file of ["worker.js", "core.wasm"]) copyFileSync(join(DIST, file), join(folder, file));
    for (const [name, text] of Object.entries(bindings)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, "config.capnp"), workerdConfig(bindings, { heads }));
    return serveWorkerd(folder);
  },
};

/** Policy, keys and callers go in as files, the rest as variables. */
function environment(folder: string, bindings: Readonly<Record<string, string>>, heads: boolean): Record<string, string> {
  const env: Record<string, string> = heads ? { INTERLOCK_HEADS: "heads.sqlite" } : {};
  for (const [name, text] of Object.entries(bindings)) {
    if (["INTERLOCK_POLICY", "INTERLOCK_KEYS", "INTERLOCK_CALLERS"].includes(name)) {
      writeFileSync(join(folder, `${name}.json`), text);
      env[`${name}_FILE`] = `${name}.json`;
    } else env[name] = text;
  }
  return env;
}

/** The permissions of the README, and no others. */
export const DENO_FLAGS = ["--no-prompt", "--allow-env=INTERLOCK_*", "--allow-read=.", "--allow-write=."];

export const inDeno: HostKind = {
  runtime: deno,
  start: (bindings, { heads = true } = {}) => {
    const folder = newFolder();
    copyFileSync(join(DIST, "deno.js"), join(folder, "deno.js"));
    const env = environment(folder, bindings, heads);
    return running(folder, (port) =>
      serve(deno.file!, ["serve", ...DENO_FLAGS, "--host", "127.0.0.1", "--port", `${port}`, "deno.js"], folder, `http://127.0.0.1:${port}/healthz`, env),
    );
  },
};

export const inBun: HostKind = {
  runtime: bun,
  start: (bindings, { heads = true } = {}) => {
    const folder = newFolder();
    copyFileSync(join(DIST, "deno.js"), join(folder, "deno.js"));
    const env = environment(folder, bindings, heads);
    return running(folder, (port) => serve(bun.file!, ["run", "deno.js"], folder, `http://127.0.0.1:${port}/healthz`, { ...env, INTERLOCK_PORT: `${port}` }));
  },
};

export const HOSTS: readonly HostKind[] = [inWorkerd, inDeno, inBun];
