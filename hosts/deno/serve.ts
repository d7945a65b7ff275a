// The web host under `deno serve` and Bun: settings from the environment or from files that it names, heads in an SQLite file.
import { readFileSync } from "node:fs";
import process from "node:process";
import { interlockApp } from "../shared/web/app.ts";
import type { Bindings } from "../shared/web/settings.ts";
import { SqliteStore } from "./sqlite.ts";

/** Settings that may be files: `INTERLOCK_POLICY_FILE` names the file whose text INTERLOCK_POLICY is. */
const IN_FILES = ["INTERLOCK_POLICY", "INTERLOCK_KEYS", "INTERLOCK_CALLERS"] as const;
const SETTINGS = ["INTERLOCK_CONFORM", "INTERLOCK_MAX_BODY"] as const;
/** The SQLite file; without it the host stays shut. */
const HEADS = "INTERLOCK_HEADS";

function readEnvironment(): Bindings {
  const bindings: Record<string, unknown> = {};
  for (const name of IN_FILES) {
    const file = process.env[`${name}_FILE`];
    if (file !== undefined && process.env[name] !== undefined) throw new Error(`interlock: ${name} and ${name}_FILE are both set: leave one out`);
    bindings[name] = file === undefined ? process.env[name] : readFileSync(file, "utf8");
  }
  for (const name of SETTINGS) if (process.env[name] !== undefined) bindings[name] = process.env[name];
  return bindings;
}

const bindings = readEnvironment();
const file = process.env[HEADS];
if (file === ":memory:")
  console.warn("interlock: INTERLOCK_HEADS is :memory:: every session's head is lost when this process ends, and its histories are refused from then on. For trials only.");
const store = file === undefined || file === "" ? null : new SqliteStore(file);
const storeName = file === ":memory:" ? `${HEADS}=:memory:` : HEADS;
const app = interlockApp();

export default {
  fetch: (request: Request): Promise<Response> => app(request, { bindings, store, storeName }),
  /** For Bun, which otherwise listens on every address. `deno serve` has flags for both. */
  hostname: process.env["INTERLOCK_HOST"] ?? "127.0.0.1",
  port: Number(process.env["INTERLOCK_PORT"] ?? 8080),
};
