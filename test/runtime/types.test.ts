// The types of the installed package, in every way in which TypeScript finds modules, for importers of both kinds.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Installed, installedIn, type Project } from "./install.ts";

const TSC = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
const PROGRAM = `import { Client, type History, type ToolCheck } from "interlock";
import { register, type Registered } from "interlock/register";
export const check: ToolCheck = new Client({ policy: "{}", keys: {} }).checkToolCall("a", { b: 1 });
export const next: History = check.history;
export const wrong: number = check.decision;
export const registered: Promise<Registered> = register([{ path: "a.json", text: "{}" }], { register: () => ({ problems: [] }) });
`;

let installed: Installed;
let project: Project;
beforeAll(() => {
  installed = installedIn(inject("installed"));
  project = installed.project("types");
});
afterAll(() => installed?.remove());

/** What the compiler says, a line for each complaint. */
function compile(file: string, options: Record<string, unknown>): string[] {
  project.write(file, PROGRAM);
  const compilerOptions = { target: "es2022", lib: ["es2023", "dom"], types: [], strict: true, noEmit: true, skipLibCheck: true, ...options };
  project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: [file] }));
  const { stdout } = spawnSync(process.execPath, [TSC, "-p", project.folder, "--pretty", "false"], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line !== "" && !line.startsWith(" ")).map((line) => line.slice(line.lastIndexOf("/") + 1));
}

describe("types", () => {
  const modes: [string, string, Record<string, unknown>][] = [
    ["node16, from a module", "program.mts", { module: "node16" }],
    ["node16, from CommonJS", "program.cts", { module: "node16" }],
    ["node18, from CommonJS", "program.cts", { module: "node18" }],
    ["node20, from CommonJS", "program.cts", { module: "node20" }],
    ["nodenext, from a module", "program.mts", { module: "nodenext" }],
    ["nodenext, from CommonJS", "program.cts", { module: "nodenext" }],
    ["bundler", "program.ts", { module: "esnext", moduleResolution: "bundler" }],
    ["bundler, for a browser", "program.ts", { module: "esnext", moduleResolution: "bundler", customConditions: ["browser"] }],
    ["bundler, for workerd", "program.ts", { module: "esnext", moduleResolution: "bundler", customConditions: ["workerd", "worker", "browser"] }],
    ["bundler, preserving require", "program.cts", { module: "preserve" }],
  ];
  for (const [mode, file, options] of modes) {
    it(mode, () => {
      // The one wrong line is seen, so the types were found; nothing else is wrong.
      const said = compile(file, options);
      expect(said).toEqual([expect.stringMatching(/^program\.[cm]?ts\(5,14\): error TS2322: .*'number'/)]);
    });
  }
});
