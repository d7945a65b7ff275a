// The conformance driver (chapter 8) in JavaScript: one request line in, one canonical line out, the same in every runtime.
import { Core } from "./codec.ts";
import { InterlockError } from "./errors.ts";

/** Answers lines; policies, key sets and sessions stay under their names until the driver is gone. */
export interface LineDriver {
  /**
   * One line, as text or UTF-8 bytes, without its line feed. It never throws: what cannot be answered is an error line. Where the core trapped the error is
   * `core_trapped`: named policies and key sets are loaded again, open sessions are lost.
   */
  answer(line: string | Uint8Array): string;
}

/** A driver with an instance of the core for itself. */
export function lineDriver(): LineDriver {
  return new Driver();
}

class Driver implements LineDriver {
  readonly core = new Core();
  /** The lines that loaded what is kept, by operation and name, in order. */
  readonly #kept = new Map<string, string | Uint8Array>();

  answer(line: string | Uint8Array): string {
    let answered: string;
    try {
      answered = this.core.run("conform", [], line);
    } catch (error) {
      if (!(error instanceof InterlockError)) throw error;
      if (error.code === "core_trapped") this.#loadAgain();
      return errorLine(error);
    }
    this.#keep(line, answered);
    return answered;
  }

  /** Remembers a line that registered something. */
  #keep(line: string | Uint8Array, answered: string): void {
    if (!answered.startsWith('{"id":') || !(answered.includes(',"ok":{"active":') || answered.includes(',"ok":{"partial":'))) return;
    const { op, name } = JSON.parse(typeof line === "string" ? line : new TextDecoder().decode(line)) as { op: string; name: string };
    if (op !== "keys" && op !== "register") return;
    const key = `${op} ${name}`;
    this.#kept.delete(key);
    this.#kept.set(key, typeof line === "string" ? line : line.slice());
  }

  #loadAgain(): void {
    for (const [key, line] of this.#kept) {
      try {
        this.core.run("conform", [], line);
      } catch {
        this.#kept.delete(key);
      }
    }
  }
}

/** The error line of what never became a line's own answer; keys in canonical order. */
function errorLine({ code, message, offset }: InterlockError): string {
  const error = { code: code === "core_trapped" ? code : "line_invalid", message, ...(offset === undefined ? {} : { offset }) };
  return JSON.stringify({ error, id: null });
}
