// Runs the lines in Bun, whose engine is JavaScriptCore, in a project that Bun installed.
import { run } from "../process.ts";
import { nothing, type Runner } from "../runner.ts";
import { bun } from "../runtimes.ts";

export const runners: Runner[] = [
  {
    name: "bun",
    needs: [bun],
    ready: async (installed) => {
      const project = await installed.projectBy("bun", (folder) => run(bun.file!, ["add", installed.tarball], { cwd: folder }));
      project.take("lines.js", "bun/conform.js");
      const answer = async (input: string, output: string) => void (await run(bun.file!, ["conform.js"], { cwd: project.folder, input, output }));
      return { answer, stop: nothing };
    },
  },
];
