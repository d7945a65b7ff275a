// Runs the lines in workerd, by POST /conform: the worker bundled as deploying bundles it, the core a compiled module beside it.
import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { build } from "esbuild";
import type { Installed, Project } from "../install.ts";
import { freePort, type Server, serve } from "../process.ts";
import type { Runner } from "../runner.ts";
import { workerd } from "../runtimes.ts";

/** Keeps imports of compiled modules as they are, under the names that config.capnp gives them. */
const compiledModules = {
  name: "compiled-modules",
  setup({ onResolve }: { onResolve(options: { filter: RegExp }, found: () => { path: string; external: true }): void }) {
    onResolve({ filter: /\/core\.wasm$/ }, () => ({ path: "core.wasm", external: true }));
  },
};

/** Serves the worker of a fresh project. */
export async function serveWorker(installed: Installed, name: string): Promise<{ server: Server; project: Project }> {
  const project = installed.project(name);
  project.take("lines.js", "use.js", "workerd/worker.js", "workerd/config.capnp");
  await build({
    absWorkingDir: project.folder,
    entryPoints: ["worker.js"],
    outfile: project.path("worker.bundle.js"),
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    plugins: [compiledModules],
    logLevel: "warning",
  });
  project.copy("node_modules/interlock/dist/core.wasm", "core.wasm");
  const port = await freePort();
  const server = await serve(workerd.file!, ["serve", "config.capnp", `--socket-addr=http=127.0.0.1:${port}`], project.folder, `http://127.0.0.1:${port}/`);
  return { server, project };
}

export const runners: Runner[] = [
  {
    name: "workerd",
    needs: [workerd],
    ready: async (installed) => {
      const { server } = await serveWorker(installed, "workerd");
      const answer = async (input: string, output: string) => {
        const response = await fetch(`${server.url}conform`, { method: "POST", body: Readable.toWeb(createReadStream(input)) as ReadableStream, duplex: "half" } as RequestInit);
        if (!response.ok || response.body === null) throw new Error(`POST /conform: ${response.status} ${await response.text()}`);
        await pipeline(Readable.fromWeb(response.body as never), createWriteStream(output));
      };
      return { answer, stop: server.stop };
    },
  },
];
