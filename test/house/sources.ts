// The files of the project as the house rules see them: what git holds or would hold, with their texts.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Every file that is in the repository or about to be, from the root. */
export const files: string[] = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 })
  .split("\n")
  .filter((file) => file !== "" && present(file))
  .sort();

function present(file: string): boolean {
  try {
    readFileSync(join(ROOT, file));
    return true;
  } catch {
    return false;
  }
}

export function text(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** Code that people write: each such file has its one sentence. */
export const sources: string[] = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !file.endsWith(".d.ts"));

/** The folders that hold code, with the names of the files in each (READMEs left out). */
export const folders: Map<string, string[]> = new Map();
for (const file of sources) {
  if (!file.includes("/")) continue;
  const folder = file.slice(0, file.lastIndexOf("/"));
  if (!folders.has(folder))
    folders.set(
      folder,
      files.filter((other) => other.startsWith(`${folder}/`) && !other.slice(folder.length + 1).includes("/") && basename(other) !== "README.md").map((other) => basename(other)),
    );
}

/** What a source imports, names and paths as written. */
export function imports(file: string): string[] {
  return [...text(file).matchAll(/(?:^|[;}]\s*)(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']|^import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm)].map(
    (found) => (found[1] ?? found[2] ?? found[3])!,
  );
}
