// Finds what the build made: beside this file where it was built too, else in the project's dist.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of something in dist. */
export function built(name: string): string {
  const beside = fileURLToPath(new URL(`./${name}`, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
}

/** SHA-256 of the core's module, as it was built. */
export function coreDigest(): string {
  return readFileSync(built("core.wasm.sha256"), "utf8").split(/\s/)[0] ?? "";
}
