// Finds secrets where the gateway's file says they are: in the environment, or in a file of their own.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Note } from "./read.ts";
import type { Seen } from "./seen.ts";
import type { SecretPlace } from "./shape.ts";

/** Reads secrets, noting those that are not there. The files of those read are added to `files`, which are watched. */
export class Secrets {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #note: Note;
  readonly #files: Seen;

  constructor(folder: string, env: Readonly<Record<string, string | undefined>>, note: Note, files: Seen) {
    this.#folder = folder;
    this.#env = env;
    this.#note = note;
    this.#files = files;
  }

  /** The text of a value: itself, or the secret. One line end at the end of a file is not the secret's. Notes config_secret, never what a secret is. */
  async text(value: string | SecretPlace, path: readonly PropertyKey[]): Promise<string> {
    if (typeof value === "string") return value;
    if ("env" in value) {
      const found = this.#env[value.env];
      if (found === undefined || found === "") this.#note(path, { code: "config_secret", message: `The environment has no ${value.env}.`, hint: `Set ${value.env} where the gateway is started, or use {file: PATH}.` });
      return found ?? "";
    }
    const file = this.#files.note(resolve(this.#folder, value.file));
    try {
      const text = (await readFile(file, "utf8")).replace(/\r?\n$/, "");
      if (text === "") this.#note(path, { code: "config_secret", message: `The file ${value.file} is empty.`, hint: "Write the secret into it." });
      return text;
    } catch (error) {
      this.#note(path, { code: "config_secret", message: `The file ${value.file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown"}.`, hint: "Name a file from this file's folder that the gateway may read." });
      return "";
    }
  }

  /** Every value of a mapping as text. */
  async texts(values: Readonly<Record<string, string | SecretPlace>>, path: readonly PropertyKey[]): Promise<Record<string, string>> {
    const found = Object.create(null) as Record<string, string>;
    for (const [name, value] of Object.entries(values)) found[name] = await this.text(value, [...path, name]);
    return found;
  }
}
