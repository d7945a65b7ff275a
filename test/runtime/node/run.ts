// Runs the lines in Node, through the command line of the installed package: `interlock conform`.
import { run } from "../process.ts";
import { nothing, type Runner } from "../runner.ts";
import { node, node22, node24, type Runtime } from "../runtimes.ts";

function runner(name: string, runtime: Runtime): Runner {
  return {
    name,
    needs: [runtime],
    ready: async (installed) => {
      const project = installed.project(name);
      const answer = async (input: string, output: string) => void (await run(runtime.file!, [project.path("node_modules/interlock/dist/cli.js"), "conform"], { cwd: project.folder, input, output }));
      return { answer, stop: nothing };
    },
  };
}

export const runners: Runner[] = [runner("node", node), runner("node-22", node22), runner("node-24", node24)];
