// Decides recorded calls again under another policy, session by session, and tells which decisions would change.
import { type Client, type History, rawJson, type ToolCheck } from "interlock";
import { RECORDING_FORMAT, type RecordedCall } from "./line.ts";

/** A call whose decision is another one now. */
export interface Changed {
  readonly call: string;
  readonly session: string;
  readonly agent: string | null;
  readonly tool: string;
  readonly at: number;
  readonly was: { readonly decision: string; readonly reasons: readonly string[] };
  readonly now: { readonly decision: string; readonly reasons: readonly string[] };
}

export interface Replayed {
  readonly calls: number;
  readonly changed: readonly Changed[];
  /** Calls recorded without what decides them. */
  readonly undecided: number;
  /** Calls that no policy decided, and none decides now: a hook, a person's no, or what else comes before the policy refused them. */
  readonly before: number;
}

/** A line that is none. `line` counts from 1. */
export class RecordingError extends Error {
  readonly code = "recording_invalid";
  constructor(line: number, why: string) {
    super(`line ${line} of the recording is none: ${why}`);
    this.name = "RecordingError";
  }
}

/** Reads a recording's text. A last line that a crash cut off is left out. Throws RecordingError. */
export function readRecording(text: string): RecordedCall[] {
  const calls = new Map<string, RecordedCall>();
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    let call: RecordedCall;
    try {
      call = JSON.parse(line) as RecordedCall;
    } catch (error) {
      if (index === lines.length - 1) continue;
      throw new RecordingError(index + 1, (error as Error).message);
    }
    if (call?.format !== RECORDING_FORMAT) throw new RecordingError(index + 1, `its format is not ${RECORDING_FORMAT}`);
    if (typeof call.call !== "string" || typeof call.session !== "string" || typeof call.tool !== "string" || typeof call.at !== "number") throw new RecordingError(index + 1, "call, session, tool or at is missing");
    if (!calls.has(call.call)) calls.set(call.call, call);
  }
  return [...calls.values()];
}

/** Decides every call again, each session from its start, in the order in which the calls were proposed. */
export function replay(calls: readonly RecordedCall[], client: Client): Replayed {
  const sessions = new Map<string, RecordedCall[]>();
  for (const call of calls) {
    const key = JSON.stringify([call.tenant, call.session]);
    const known = sessions.get(key);
    if (known === undefined) sessions.set(key, [call]);
    else known.push(call);
  }
  const changed: Changed[] = [];
  let undecided = 0;
  let before = 0;
  for (const recorded of sessions.values()) {
    const session = new Again(client, recorded[0]!.session);
    for (const call of inOrder(recorded)) {
      if (call.policy === null && call.reasons[0] !== "unknown_tool") {
        before++;
        continue;
      }
      if (call.request === undefined) {
        undecided++;
        continue;
      }
      const now = session.decide(call, call.request);
      if (now.decision === call.decision) continue;
      const { call: id, session: name, agent, tool, at } = call;
      changed.push({ call: id, session: name, agent, tool, at, was: { decision: call.decision, reasons: call.reasons }, now: { decision: now.decision, reasons: now.reasons } });
    }
  }
  return { calls: calls.length, changed, undecided, before };
}

/** By the time they were proposed; two at once by their steps. */
function inOrder(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  return [...calls].sort((a, b) => a.at - b.at || (a.step ?? -1) - (b.step ?? -1));
}

/** A session that is lived through again. */
class Again {
  readonly #client: Client;
  readonly #session: string;
  #history: History | undefined;
  /** The steps of now by the steps of then: an undo names one. */
  readonly #steps = new Map<number, number>();
  #clock = 0;

  constructor(client: Client, session: string) {
    this.#client = client;
    this.#session = session;
  }

  decide(call: RecordedCall, { arguments: text, undo, ...request }: NonNullable<RecordedCall["request"]>): { decision: string; reasons: readonly string[] } {
    // Time only goes forward.
    this.#clock = Math.max(this.#clock, Math.floor(call.at / 1000));
    const given = {
      ...request,
      ...(undo === undefined ? {} : { undo: { step: this.#steps.get(undo.step) ?? undo.step } }),
      ...(call.agent === null ? {} : { agent: call.agent }),
      session: this.#session, now: this.#clock,
    };
    const check = (confirmation?: string | null) =>
      this.#client.checkToolCall(call.tool, rawJson(text), { ...given, ...(this.#history === undefined ? {} : { history: this.#history }), ...(confirmation ? { confirmation } : {}) });
    let first: ToolCheck;
    try {
      first = check();
    } catch (error) {
      const { code } = error as { code?: string };
      return { decision: "refuse", reasons: [code ?? String(error)] };
    }
    this.#take(first);
    let last = first;
    if (first.decision === "confirm" && call.status !== null) this.#take((last = check(first.confirmation)));
    if (last.decision === "allow" && last.step !== null) this.#report(call, last.step);
    return { decision: first.decision, reasons: first.reasons };
  }

  #take(check: ToolCheck): void {
    if (check.step !== null) this.#history = check.history;
  }

  /** What became of the call; one that was not made then is not made now. */
  #report(call: RecordedCall, step: number): void {
    if (call.step !== null) this.#steps.set(call.step, step);
    const result = call.result === undefined ? {} : { result: rawJson(call.result) };
    this.#history = this.#client.report(this.#history!, step, call.status ?? "failed", call.status === null ? {} : { ...result, at: this.#clock });
  }
}
