// What a row may answer (chapter 7), and the lattice: later rows only raise allow < ask < refuse.
import type { CallRecord } from "./record.ts";

/** A row's answer. `reason` is the row's own code, or the core's. */
export type Answer =
  | { readonly answer: "passed"; readonly detail?: Readonly<Record<string, unknown>> }
  | { readonly answer: "records"; readonly detail?: Readonly<Record<string, unknown>> }
  | { readonly answer: "refuse"; readonly reason: string; readonly message: string; readonly detail?: Readonly<Record<string, unknown>> }
  | { readonly answer: "ask"; readonly reason: string; readonly detail?: Readonly<Record<string, unknown>> }
  | { readonly answer: "change"; readonly detail?: Readonly<Record<string, unknown>> }
  | { readonly answer: "withhold"; readonly reason: string; readonly message: string; readonly detail?: Readonly<Record<string, unknown>> }
  /** The call waits: what it waits for is in the engine. The walk ends here and is taken up again behind the row before. */
  | { readonly answer: "hold"; readonly reason: string; readonly detail?: Readonly<Record<string, unknown>> };

/** A row: one function over the record and what the gateway knows. It may change the record; only the walk keeps it. */
export type RowFunction<World> = (call: CallRecord, world: World) => Answer | Promise<Answer>;

export const PASSED: Answer = { answer: "passed" };
