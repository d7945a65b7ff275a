// The built package: the module imports nothing, the inlined bytes are the module's, and no built-in of Node is reachable from the neutral entries.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as inlined from "interlock";
import { expect, it } from "vitest";
import { sha256 } from "../../bindings/build/core.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file));
const manifest = JSON.parse(read("package.json").toString()) as { exports: Record<string, string | Record<string, string>>; bin: Record<string, string>; files: string[] };

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
  const found = /"([A-Za-z0-9+/]{10000,}={0,2})"/.exec(read("dist/index.js").toString());
  expect(sha256(Buffer.from(found![1]!, "base64"))).toBe(sha256(read("dist/core.wasm")));
  expect(read("dist/core.wasm.sha256").toString()).toBe(`${sha256(read("dist/core.wasm"))}  core.wasm\n`);
});

it("the neutral entries reach no built-in of Node and no package", () => {
  const builtins = builtinModules.filter((name) => !name.startsWith("_"));
  for (const file of ["dist/index.js", "dist/workerd.js"]) {
    const text = read(file).toString();
    const imported = [...text.matchAll(/^(?:import|export)\b[^;"'()]*["']([^"']+)["'];$|\b(?:import|require)\(\s*["']([^"']+)["']\s*\)/gm)].map((each) => each[1] ?? each[2]);
    expect(imported, file).toEqual(file === "dist/workerd.js" ? ["./core.wasm"] : []);
    expect(text, file).not.toMatch(/\bnode:|\bprocess\.|\bBuffer\.|\b__dirname\b|\brequire\(/);
    expect(imported.filter((name) => builtins.includes(name ?? ""))).toEqual([]);
  }
});

it("every export is a file, and workerd's condition comes before the default", () => {
  const targets = Object.values(manifest.exports).flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)));
  for (const target of [...targets, ...Object.values(manifest.bin)]) if (!target.includes("/types/")) expect(read(target).length, target).toBeGreaterThan(0);
  const conditions = Object.keys(manifest.exports["."]!);
  expect(conditions.indexOf("workerd")).toBeLessThan(conditions.indexOf("default"));
  expect(conditions.indexOf("workerd")).toBe(conditions.indexOf("types") + 1);
});

it("both entries offer the same names", () => {
  const names = (file: string) => [...(/export \{([^}]*)\};\s*$/.exec(read(file).toString())?.[1]?.matchAll(/(\w+),?\s*$/gm) ?? [])].map(([, name]) => name).sort();
  expect(names("dist/index.js")).toEqual(Object.keys(inlined).sort());
  expect(names("dist/workerd.js")).toEqual(names("dist/index.js"));
});

it("the package imports itself by its name on this Node, by import and by require", () => {
  const script = 'const { Client } = await import("interlock"); const { register } = await import("interlock/register"); console.log(typeof Client, typeof register);';
  expect(execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: ROOT, encoding: "utf8" }).trim()).toBe("function function");
});
