// The built package: the module imports nothing, the inlined bytes are the module's, and no built-in of Node is reachable from the neutral entries.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as inlined from "interlock";
import { expect, it, vi } from "vitest";
import { sha256 } from "../../bindings/build/core.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file));
const manifest = JSON.parse(read("package.json").toString()) as {
  exports: Record<string, string | Record<string, { types: string; default: string }>>;
  bin: Record<string, string>;
  files: string[];
};

it("the core imports nothing, exports no reference, and keeps to a fixed set of features", () => {
  const module = new WebAssembly.Module(read("dist/core.wasm"));
  expect(WebAssembly.Module.imports(module)).toEqual([]);
  expect(WebAssembly.Module.exports(module).filter(({ kind }) => kind !== "function" && kind !== "memory")).toEqual([]);
  // Section 2 is the import section: it is not there at all.
  const bytes = read("dist/core.wasm");
  const sections: number[] = [];
  for (let at = 8; at < bytes.length; ) {
    sections.push(bytes[at]!);
    let size = 0;
    let shift = 0;
    let byte: number;
    at++;
    do {
      byte = bytes[at++]!;
      size += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while (byte & 0x80);
    at += size;
  }
  expect(sections).not.toContain(2);
});

it("the inlined bytes are the core's", () => {
  for (const file of ["dist/index.js", "dist/cjs/index.js"]) {
    const found = /"([A-Za-z0-9+/]{10000,}={0,2})"/.exec(read(file).toString());
    expect(sha256(Buffer.from(found![1]!, "base64")), file).toBe(sha256(read("dist/core.wasm")));
  }
  expect(read("dist/core.wasm.sha256").toString()).toBe(`${sha256(read("dist/core.wasm"))}  core.wasm\n`);
});

/** What each neutral entry may import, in the built output. */
const NEUTRAL: Record<string, string[]> = {
  "dist/index.js": [],
  "dist/cjs/index.js": [],
  "dist/workerd.js": ["./core.wasm"],
  "dist/register-neutral.js": ["acorn", "@sveltejs/acorn-typescript", "yaml"],
};

/** The program without its comments and texts: what may name a built-in without reaching it. */
function program(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|\/\/.*|\/\*[\s\S]*?\*\//g, (found) => (found.startsWith("/") ? " " : '""'));
}

it("what decodes the inlined text decodes it, whichever decoder the runtime has", async () => {
  const { decodeBase64 } = await import("../../bindings/entry/base64.ts");
  const core = read("dist/core.wasm");
  const text = core.toString("base64");
  const fromBase64 = vi.fn((given: string) => new Uint8Array(read("dist/core.wasm").subarray(0, given.length)));
  expect(sha256(decodeBase64(text))).toBe(sha256(core));
  vi.stubGlobal("Buffer", undefined);
  expect(sha256(decodeBase64(text))).toBe(sha256(core));
  vi.stubGlobal("Uint8Array", Object.assign(class extends Uint8Array {}, { fromBase64 }));
  expect(sha256(decodeBase64(text))).toBe(sha256(core));
  vi.unstubAllGlobals();
  expect(fromBase64).toHaveBeenCalledWith(text);
});

it("no built file names the folder it was built in", () => {
  const files = readdirSync(join(ROOT, "dist"), { recursive: true, encoding: "utf8" }).filter((name) => /^[\w.-]+\.js$|^cjs\/[\w.-]+\.js$|^types\/.*\.ts$|\.sha256$/.test(name));
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter((name) => read(`dist/${name}`).includes(ROOT.replace(/\/$/, "")))).toEqual([]);
});

it("the neutral entries reach no built-in of Node, and no packages but the readers of YAML and of modules", () => {
  const builtins = builtinModules.filter((name) => !name.startsWith("_"));
  for (const [file, allowed] of Object.entries(NEUTRAL)) {
    const text = read(file).toString();
    const imported = [...text.matchAll(/^(?:import|export)\b[^;"'()]*["']([^"']+)["'];$|\b(?:import|require)\(\s*["']([^"']+)["']\s*\)/gm)].map((each) => each[1] ?? each[2]);
    expect(imported, file).toEqual(allowed);
    expect(text, file).not.toMatch(/["']node:/);
    expect(program(text), file).not.toMatch(/\bprocess\b(?!\w*:)|\bBuffer\.|\b__dirname\b|\b__filename\b|\brequire\(|\bglobal\./);
    expect(imported.filter((name) => builtins.includes(name ?? ""))).toEqual([]);
  }
});

it("the search finds what it searches for", () => {
  expect(program('let a = "process.env"; // Buffer.from\n/* require( */ b(`process`);')).not.toMatch(/process|Buffer|require/);
  for (const text of ["process.env.A", "Buffer.from(1)", "require(a)"]) expect(program(`let a = "x"; ${text}`)).toContain(text);
});

const targetsOf = (entry: (typeof manifest.exports)[string]): string[] => (typeof entry === "string" ? [entry] : Object.values(entry).map((each) => each.default));

it("every export is a file, and the conditions stand in the order that each runtime needs", () => {
  const targets = Object.values(manifest.exports).flatMap(targetsOf);
  // The WASI command is looked at where the package is packed.
  for (const target of [...targets, ...Object.values(manifest.bin)]) if (target !== "./dist/core.wasi.wasm") expect(read(target).length, target).toBeGreaterThan(0);
  expect(Object.keys(manifest.exports["."]!)).toEqual(["workerd", "module-sync", "require", "default"]);
  expect(Object.keys(manifest.exports["./register"]!)).toEqual(["workerd", "browser", "module-sync", "require", "default"]);
});

/** The names that a built module exports. */
function names(file: string): string[] {
  return [...(/export \{([^}]*)\};\s*$/.exec(read(file).toString())?.[1]?.matchAll(/(\w+),?\s*$/gm) ?? [])].map(([, name]) => name!).sort();
}

it("the entries of one name offer the same names", () => {
  expect(names("dist/index.js")).toEqual(Object.keys(inlined).sort());
  expect(names("dist/workerd.js")).toEqual(names("dist/index.js"));
  // Where no process can be started there are no names for it.
  expect(names("dist/register-neutral.js")).toEqual(names("dist/register.js").filter((name) => name !== "connect" && name !== "listTools"));
  expect(names("dist/register.js").length).toBeGreaterThan(10);
  for (const name of ["index", "register"]) {
    const script = `console.log(Object.keys(require("./dist/cjs/${name}.js")).sort().join(" "))`;
    expect(execFileSync(process.execPath, ["-e", script], { cwd: ROOT, encoding: "utf8" }).trim().split(" ")).toEqual(names(`dist/${name}.js`));
  }
});

it("the package imports itself by its name on this Node, by import and by require", () => {
  const script = 'const { Client } = await import("interlock"); const { register } = await import("interlock/register"); console.log(typeof Client, typeof register);';
  expect(execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: ROOT, encoding: "utf8" }).trim()).toBe("function function");
});
