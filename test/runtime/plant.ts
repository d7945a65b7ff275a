// Plants a core that differs in one letter of one sentence into an installed package: what the comparison must find.
import { readFileSync } from "node:fs";
import type { Project } from "./install.ts";

const SENTENCE = "a line is a JSON object with id and op";

/** Where the sentence's last letter stands in the module, as the compiler lays literals out: two bytes a letter, or one. */
function lastLetter(core: Buffer): number {
  for (const encoding of ["utf16le", "latin1"] as const) {
    const text = Buffer.from(SENTENCE, encoding);
    const at = core.indexOf(text);
    if (at >= 0 && core.indexOf(text, at + 1) < 0) return at + text.length - (encoding === "utf16le" ? 2 : 1);
  }
  throw new Error(`the core holds the sentence "${SENTENCE}" not once`);
}

/** Puts the changed core into the package of a project. Gives the project. */
export function plantOtherMessage(project: Project): Project {
  const name = "node_modules/interlock/dist/index.js";
  const text = readFileSync(project.path(name), "utf8");
  const inlined = /"([A-Za-z0-9+/]{10000,}={0,2})"/.exec(text)![1]!;
  const core = Buffer.from(inlined, "base64");
  const at = lastLetter(core);
  if (core[at] !== "p".charCodeAt(0)) throw new Error("the sentence ends with another letter");
  core[at] = "q".charCodeAt(0);
  project.write(name, text.replace(inlined, core.toString("base64")));
  return project;
}
