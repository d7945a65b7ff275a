// Runs the lines in Deno, without any permission.
import { run } from "../process.ts";
import { nothing, type Runner } from "../runner.ts";
import { deno } from "../runtimes.ts";

export const runners: Runner[] = [
  {
    name: "deno",
    needs: [deno],
    ready: async (installed) => {
      const project = installed.project("deno");
      project.take("lines.js", "deno/conform.js");
      const answer = async (input: string, output: string) => void (await run(deno.file!, ["run", "--no-prompt", "conform.js"], { cwd: project.folder, input, output }));
      return { answer, stop: nothing };
    },
  },
];
