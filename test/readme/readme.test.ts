// Runs what the README shows: its program prints what it says it prints, and its commands exist.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import * as interlock from "interlock";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(`${root}/README.md`, "utf8");

/** The README's blocks of a language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name === language).map(([, , text]) => text as string);
}

/** The README's programs, by the files that they become here, and their places among its blocks. */
const PROGRAMS: [string, number][] = [
  ["shop", 0],
  ["agent", 1],
];

function run(file: string, ...args: string[]): { stdout: string; stderr: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [file, ...args], { cwd: root, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
  return { stdout, stderr, status };
}

describe("README", () => {
  it.each(PROGRAMS)("shows program %#, which prints what it says", (name, at) => {
    mkdirSync(`${root}/dist/readme`, { recursive: true });
    const file = `${root}/dist/readme/${name}.mjs`;
    writeFileSync(file, transformSync(blocks("ts")[at] as string, { loader: "ts", format: "esm" }).code);
    const { stdout, stderr, status } = run(file);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toBe(blocks("text")[at]);
  });

  it("shows no other program and no other print", () => {
    expect([blocks("ts").length, blocks("text").length]).toEqual([PROGRAMS.length, PROGRAMS.length]);
  });

  it("shows programs that a strict compiler takes", () => {
    const options = { strict: true, noUncheckedIndexedAccess: true, module: "nodenext", target: "es2022", noEmit: true, types: ["node"] };
    mkdirSync(`${root}/dist/readme`, { recursive: true });
    for (const [name, at] of PROGRAMS) writeFileSync(`${root}/dist/readme/${name}.ts`, blocks("ts")[at] as string);
    writeFileSync(`${root}/dist/readme/tsconfig.json`, JSON.stringify({ compilerOptions: options, files: PROGRAMS.map(([name]) => `${name}.ts`) }));
    const { stdout, status } = run(`${root}/node_modules/typescript/bin/tsc`, "-p", `${root}/dist/readme/tsconfig.json`);
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });

  it("names commands that the command line has, and no other", () => {
    const { stdout } = run(`${root}/dist/cli.js`, "--help");
    const has = new Set([...stdout.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name));
    const rows = [...readme.matchAll(/^\| (`[^|]+`) \| /gm)].map(([, names]) => names as string).filter((names) => !names.includes("_"));
    const named = rows.flatMap((names) => [...names.matchAll(/`(\w+)[^`]*`/g)].map(([, name]) => name as string));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !has.has(name))).toEqual([]);
  });

  it("names scripts that package.json has", () => {
    const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name as string).concat(readme.includes("npm test") ? ["test"] : []);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it("links to what is there", () => {
    const links = [...readme.matchAll(/\]\(([\w./-]+)\)/g)].map(([, path]) => path as string);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
  });

  it("exports what it imports", () => {
    expect(typeof interlock.Client).toBe("function");
    expect(typeof interlock.rawJson).toBe("function");
  });
});
