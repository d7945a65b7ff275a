// Groups what is asked of one tenant: what comes while a request is under way goes together in the next, since a request costs the same for one operation and for fifty.
import { randomUUID } from "node:crypto";
import { EngineError } from "../port.ts";
import type { Done, Op } from "./ops.ts";

/** Operations, and characters of them, that go in one request. */
const MOST = 64;
const SIZE = 4_000_000;

interface Asked {
  readonly op: Op;
  readonly size: number;
  readonly resolve: (done: Done) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends operations of a tenant. `key` is there where something may change. */
export type Send = (tenant: string, ops: readonly Op[], key: string | undefined) => Promise<readonly Done[]>;

export class Requests {
  readonly #send: Send;
  readonly #waiting = new Map<string, Asked[]>();
  readonly #busy = new Map<string, Promise<void>>();

  constructor(send: Send) {
    this.#send = send;
  }

  /** @param size characters of the operation */
  ask(tenant: string, op: Op, size: number): Promise<Done> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(tenant) ?? [];
      this.#waiting.set(tenant, waiting);
      waiting.push({ op, size, resolve, reject });
      if (!this.#busy.has(tenant)) this.#busy.set(tenant, this.#go(tenant));
    });
  }

  /** Waits for what is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  async #go(tenant: string): Promise<void> {
    // What is asked in this turn of the event loop goes together.
    await new Promise(setImmediate);
    for (;;) {
      const waiting = this.#waiting.get(tenant) ?? [];
      if (waiting.length === 0) {
        this.#waiting.delete(tenant);
        this.#busy.delete(tenant);
        return;
      }
      let size = 0;
      let count = 0;
      while (count < Math.min(waiting.length, MOST) && (count === 0 || size + waiting[count]!.size <= SIZE)) size += waiting[count++]!.size;
      await this.#ask(tenant, waiting.splice(0, count), waiting);
    }
  }

  async #ask(tenant: string, group: Asked[], waiting: Asked[]): Promise<void> {
    try {
      const changes = group.some(({ op }) => op.op === "commit");
      const done = await this.#send(tenant, group.map(({ op }) => op), changes ? randomUUID() : undefined);
      if (done.length !== group.length) throw new EngineError("engine_unavailable", "the tenant's object answered for another number of operations");
      const later = group.filter((asked, index) => {
        const one = done[index]!;
        if ("later" in one) return true;
        if ("failed" in one) asked.reject(new EngineError(one.failed.code, one.failed.message));
        else asked.resolve(one);
        return false;
      });
      waiting.unshift(...later);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
