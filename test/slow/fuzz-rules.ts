// What must hold of every answer, whatever was asked: one line of JSON, no allow from an error, no allow without its signed entry, none that the model does not give.

import { Driver } from "../model/driver.ts";

interface Check { decision?: string; reason?: string; entry?: { decision?: string; reason?: string; token?: unknown } | null; arguments?: unknown; link?: unknown; step?: unknown }
interface Answer { id?: unknown; ok?: unknown; error?: { code?: unknown } }

/** Anything that answers lines. */
export interface Answers { line(text: string | Uint8Array): string }

/** What an answer comes to: the error's code, or the decision. */
function told(text: string): string {
  const { ok, error } = JSON.parse(text) as Answer;
  if (error !== undefined) return `error ${String(error.code)}`;
  const { decision, reason } = (ok ?? {}) as Check;
  return `ok ${decision} ${reason}`;
}

/** Operations that change what a name stands for. */
const STATEFUL = new Set(["keys", "register", "open", "close"]);

/** Sends lines to a core and judges what comes back. The model sees what changes a name's meaning, and what was allowed. */
export class Judge {
  readonly seen = new Map<string, number>();
  private readonly model = new Driver();

  constructor(private readonly core: Answers) {}

  /** Sends a line; what is wrong with the answer, or null. A trap of the core is thrown. */
  send(line: string | Uint8Array): string | null {
    const text = this.core.line(line);
    let answer: Answer;
    try {
      answer = JSON.parse(text) as Answer;
    } catch {
      return `the answer is no JSON: ${text.slice(0, 500)}`;
    }
    const members = Object.keys(answer).length;
    if (members !== 2 || !("id" in answer) || "ok" in answer === "error" in answer) return `the answer is neither ok nor an error: ${text.slice(0, 500)}`;
    const code = answer.error?.code;
    this.count(answer.error === undefined ? "ok" : `error ${String(code)}`);
    if (answer.error !== undefined && typeof code !== "string") return `the error has no code: ${text.slice(0, 500)}`;
    if (answer.error !== undefined && text.includes('"decision"')) return this.fromError(answer, text);
    const asked = this.asked(line);
    const op = asked?.op;
    // What the core took, the model takes too: what a name stands for, and a handle's history.
    const models = asked !== null && ((typeof op === "string" && STATEFUL.has(op)) || "handle" in asked) ? this.model.answer(line) : null;
    if (models !== null && told(models) !== told(text)) return `the model says ${told(models)}: ${text.slice(0, 500)}`;
    if (op !== "check" || answer.ok === undefined) return null;
    const checked = answer.ok as Check;
    this.count(`${checked.decision} ${String(checked.reason).split(":")[0]}`);
    if (checked.decision !== "allow") return checked.arguments === undefined ? null : `arguments to run without an allow: ${text.slice(0, 500)}`;
    const { entry } = checked;
    if (entry === null || entry === undefined || entry.decision !== "allow" || entry.reason !== checked.reason) return `an allow without its entry: ${text.slice(0, 500)}`;
    if (entry.token !== null && !/^[\w-]{1,64}\.[\w-]{43}(?:[\w-]{43})?$/.test(String(entry.token))) return `an allow without a token: ${text.slice(0, 500)}`;
    if (typeof checked.arguments !== "object" || typeof checked.link !== "string" || typeof checked.step !== "number") return `an allow without arguments, link or step: ${text.slice(0, 500)}`;
    const theirs = JSON.parse(models ?? this.model.answer(line)) as { ok?: Check; error?: unknown };
    const same = theirs.ok?.decision === "allow" && JSON.stringify(theirs.ok.entry) === JSON.stringify(entry);
    return same ? null : `an allow that the model does not give: ${text.slice(0, 800)}\nmodel: ${JSON.stringify(theirs).slice(0, 800)}`;
  }

  /** An id may hold anything; nothing else of an error may speak of a decision. */
  private fromError(answer: Answer, text: string): string | null {
    return JSON.stringify(answer.error).includes('"decision"') ? `a decision from an error: ${text.slice(0, 500)}` : null;
  }

  private asked(line: string | Uint8Array): Record<string, unknown> | null {
    try {
      const read = JSON.parse(typeof line === "string" ? line : Buffer.from(line).toString()) as unknown;
      return read !== null && typeof read === "object" ? (read as Record<string, unknown>) : null;
    } catch {
      return null;
    }
  }

  private count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }
}
