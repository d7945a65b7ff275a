// Reads the gateway's YAML file into its settings: every problem at once, each at its line and column with what to write instead.
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { PlaceBook, type Problem, problemAt, problemOf, readSource, sortProblems } from "interlock/register";
import type { z } from "zod";
import { type Read, placeOf, pointer, problemsOf, spelt } from "./problems.ts";
import { Secrets } from "./secrets.ts";
import { Seen } from "./seen.ts";
import type { Settings } from "./settings.ts";
import { ofOneTenant, ofTenants, type OneTenantFile, type TenantsFile } from "./shape.ts";
import { settingsOf } from "./translate.ts";

/** What reading a file came to. `settings` is null where a problem is an error; `files` are all that it was made from, and is watched. */
export interface ReadSettings {
  readonly settings: Settings | null;
  readonly problems: readonly Problem[];
  readonly files: Seen;
}

/** Where a problem between members is noted: at a path of the file. */
export type Note = (path: readonly PropertyKey[], said: { code: string; message: string; hint?: string; severity?: "error" | "warning" }) => void;

/**
 * Reads the settings of a file. `env` gives the secrets named `{env: …}`; `shown` is the file's name as people know it.
 * Codes: config_unreadable, yaml_…, source_…, config_unknown_member, config_missing, config_value, config_secret, config_file, config_tenant, config_caller, config_issuer, config_reconcile, config_plain_http (a warning).
 */
export async function readSettings(file: string, env: Readonly<Record<string, string | undefined>>, shown = file): Promise<ReadSettings> {
  const files = new Seen();
  const full = files.note(resolve(file));
  let bytes: Uint8Array;
  try {
    bytes = await readFile(full);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = { ENOENT: "there is no such file", EACCES: "that is not allowed", EISDIR: "it is a folder" }[code ?? ""] ?? message;
    return { settings: null, problems: [problemOf(shown, { code: "config_unreadable", message: `The configuration cannot be read: ${why}.`, hint: "`interlock gateway init` writes one." })], files };
  }
  const read = readDocument(shown, bytes);
  if ("problems" in read) return { settings: null, problems: read.problems, files };
  return check(dirname(full), read, env, files);
}

function readDocument(shown: string, bytes: Uint8Array): Read | { problems: Problem[] } {
  const book = new PlaceBook();
  const { value, root, problems } = readSource(shown, bytes, book, "yaml");
  if (value !== undefined && problems.length === 0) return { value, root, book };
  return { problems: problems.map((problem) => (problem.code === "yaml_empty" ? { ...problem, hint: "Write what is to be another way than it is by itself, as `policy: policy.yaml`." } : problem)) };
}

async function check(folder: string, read: Read, env: Readonly<Record<string, string | undefined>>, files: Seen): Promise<ReadSettings> {
  const several = typeof read.value === "object" && read.value !== null && Object.hasOwn(read.value, "tenants");
  const shape: z.core.$ZodType<OneTenantFile | TenantsFile> = several ? ofTenants : ofOneTenant;
  const problems = [...barred(read.value, [], read)];
  const parsed = (several ? ofTenants : ofOneTenant).safeParse(read.value);
  if (!parsed.success) problems.push(...problemsOf(parsed.error.issues, read, shape));
  if (!parsed.success || problems.length > 0) return { settings: null, problems: sortProblems(problems), files };
  const note: Note = (path, said) => problems.push(problemAt(placeOf(read, path, "value"), { ...said, pointer: pointer(path) }));
  const secrets = new Secrets(folder, env, note, files);
  const settings = await settingsOf(parsed.data, folder, secrets, note, files);
  const wrong = problems.some(({ severity }) => severity === "error");
  return { settings: wrong ? null : settings, problems: sortProblems(problems), files };
}

/** Names that JavaScript keeps for itself, wherever they stand: no setting, tool or caller has one. */
function* barred(value: unknown, path: readonly PropertyKey[], read: Read): Generator<Problem> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    if (key === "__proto__") yield problemAt(placeOf(read, here, "name"), { code: "config_unknown_member", message: `${spelt(here)} is no member of this file.`, hint: "Leave it out.", pointer: pointer(here) });
    yield* barred(inner, here, read);
  }
}
