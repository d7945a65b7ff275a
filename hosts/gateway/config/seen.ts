// How files looked before they were read, so that a later look tells whether one has changed since: also one that was replaced, or that came or went.
import { statSync } from "node:fs";

/** Files by their look. A file has to be noted before it is read. */
export class Seen extends Map<string, string> {
  note(file: string): string {
    if (!this.has(file)) this.set(file, look(file));
    return file;
  }

  changed(): boolean {
    for (const [file, before] of this) if (look(file) !== before) return true;
    return false;
  }
}

/** What tells one state of a file from another. A folder that may not be looked into is as one where the file is not. */
function look(file: string): string {
  try {
    const found = statSync(file, { bigint: true });
    return `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
  } catch {
    return "none";
  }
}
