// The steps of a start, put away in the other order: what each opened, where runs wait until all are done, and the error of a start that is not possible.
import type { Log } from "./telemetry/log.ts";

/** A start that is not possible with these settings. */
export class StartError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "StartError";
    this.code = code;
  }
}

/** What puts each step away, in the order in which they were opened. */
export type Ends = [step: string, end: (graceMs: number) => Promise<void> | void][];

/** The last opened first. A step that cannot be put away is told, and those before it are put away all the same. */
export async function unwind(ends: Ends, log: Log, graceMs = 10_000): Promise<void> {
  for (const [step, end] of ends.reverse()) {
    try {
      await end(graceMs);
      log("debug", "step.closed", { step });
    } catch (error) {
      log("error", "step.failed", { step, message: said(error) });
    }
  }
}

/** Why a run ends that was handed over to a start that failed: the next start takes it up. */
export class NotOpened extends Error {}

/** Where others wait until the gateway is whole, or so far. */
export class Gate {
  open: () => void = () => undefined;
  close: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve, reject) => {
    this.open = resolve;
    this.close = () => reject(new NotOpened("the gateway did not start"));
  });

  constructor() {
    // Where nothing waits, nobody hears that it was closed.
    this.opened.catch(() => undefined);
  }
}

export function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
