// Signs the ends of logs that nothing is appended to: a timer of each gateway asks for a checkpoint where the last one is older than the interval.
import type { Engine } from "../engine/port.ts";
import { lineHash } from "./chain.ts";
import { lengthOf } from "./length.ts";

export interface CheckpointParts {
  readonly engine: Pick<Engine, "commit" | "audit">;
  /** The tenants, with the milliseconds between their checkpoints; asked at each look. */
  readonly every: () => Readonly<Record<string, number>>;
  /** Told of the head of a log that was signed: kept elsewhere, it shows later that nothing was cut off. */
  readonly signed: (tenant: string, head: { readonly seq: number; readonly hash: string }) => void;
  readonly failed: (tenant: string, error: unknown) => void;
}

export interface Checkpoints {
  /** Signs every log whose end is not signed. */
  now(): Promise<void>;
  close(): void;
}

/** The least time between two looks, in milliseconds. */
const LEAST = 20;

/** Starts the timers, one a tenant. They keep no process alive, and what they miss while no gateway runs the next start signs. */
export function keepSigned({ engine, every, signed, failed }: CheckpointParts): Checkpoints {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const ends = new Map<string, number>();
  let closed = false;

  const sign = async (tenant: string): Promise<void> => {
    // An append of nothing makes a checkpoint where lines are under none, and else no line.
    await engine.commit({ tenant, changes: [], audit: [] });
    const seq = (await lengthOf(engine, tenant)) - 1;
    const [line] = seq < 0 || ends.get(tenant) === seq ? [] : await engine.audit(tenant, seq, 1);
    if (line === undefined) return;
    ends.set(tenant, seq);
    signed(tenant, { seq, hash: lineHash(line) });
  };
  const later = (tenant: string): void => {
    const pause = every()[tenant];
    if (closed || pause === undefined) {
      timers.delete(tenant);
      return;
    }
    timers.set(
      tenant,
      setTimeout(() => {
        sign(tenant)
          .catch((error: unknown) => failed(tenant, error))
          .finally(() => later(tenant));
      }, Math.max(pause, LEAST)).unref(),
    );
  };
  const look = (): void => {
    for (const tenant of Object.keys(every())) if (!timers.has(tenant)) later(tenant);
  };
  look();
  // Tenants that a reload adds.
  const tenants = setInterval(look, 10_000).unref();
  return {
    now: async () => {
      for (const tenant of Object.keys(every())) await sign(tenant).catch((error: unknown) => failed(tenant, error));
    },
    close: () => {
      closed = true;
      clearInterval(tenants);
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
