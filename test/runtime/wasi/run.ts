// Runs the lines through the WASI command of the installed package, standard input to standard output, under the WASI of Node, Deno and Bun.
import { run } from "../process.ts";
import { nothing, type Runner } from "../runner.ts";
import { bun, deno, node, node24, type Runtime } from "../runtimes.ts";

function runner(name: string, runtime: Runtime, ...options: string[]): Runner {
  return {
    name,
    needs: [runtime],
    ready: async (installed) => {
      const project = installed.project(name);
      project.take("wasi/conform.mjs");
      const args = [...options, "conform.mjs", "node_modules/interlock/dist/core.wasi.wasm"];
      const answer = async (input: string, output: string) => void (await run(runtime.file!, args, { cwd: project.folder, input, output }));
      return { answer, stop: nothing };
    },
  };
}

export const runners: Runner[] = [
  // Up to Node 22 its WASI may collect garbage inside a call that V8 makes in a hurry, and aborts (nodejs/node issue 46777): no such calls then.
  runner("wasi", node, "--no-warnings", "--no-turbo-fast-api-calls"),
  runner("wasi-node-24", node24, "--no-warnings"),
  runner("wasi-deno", deno, "run", "--no-prompt", "--allow-read"),
  runner("wasi-bun", bun),
];
