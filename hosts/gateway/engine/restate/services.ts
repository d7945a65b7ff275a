// What Restate runs at a gateway: an object a tenant that keeps its records and chain, an object a call that runs it, and one that knows the tenants.
import type * as restate from "@restatedev/restate-sdk";
import { EngineError, type Sealer } from "../port.ts";
import { apply } from "./apply.ts";
import type { State } from "./cells.ts";
import { sealed } from "./lines.ts";
import type { Done, Op } from "./ops.ts";
import type { Sdk } from "./sdk.ts";

/** What the records of this adapter look like; a store of a later form is refused. */
export const FORM = 1;

/**
 * The version of the handlers' steps: what they read, write and run, and in which order. Restate replays a request that was begun by the steps that were done,
 * and one whose steps are others stands still for good: whoever changes them counts this up, and a test holds them to it.
 */
export const STEPS = 1;

/** The one key of the object that knows the tenants. */
export const ALL = "all";

export interface Names {
  /** Keyed by tenant. */
  readonly tenant: string;
  /** Keyed by tenant and call. */
  readonly call: string;
  readonly store: string;
}

export function namesOf(prefix: string): Names {
  return { tenant: `${prefix}-tenant`, call: `${prefix}-call`, store: `${prefix}-store` };
}

/** An object's key for a tenant, and for a call of it: readable, and the same for nothing else. */
export const tenantKey = (tenant: string): string => encodeURIComponent(tenant);
export const callObjectKey = (tenant: string, call: string): string => `${tenantKey(tenant)}/${call}`;

export interface Work {
  readonly seal: Sealer;
  /** Runs a call to the end of what can be done now. */
  run(tenant: string, call: string): Promise<void>;
}

/** The status of an answer that says that what is kept is damaged. */
export const DAMAGED = 422;
/** A failed attempt comes again without an end: a tenant whose request is given up would stand still. */
const AGAIN = { initialInterval: 50, exponentiationFactor: 2, maxInterval: 2_000, maxAttempts: 1_000_000_000 };
/** A call's run that fails comes again, ever more slowly. */
const RUN_AGAIN = { initialInterval: 200, exponentiationFactor: 3, maxInterval: 10_000, maxAttempts: 1_000_000_000 };
/** How long the answer to a request that changes something is remembered, so that asking again by its key does nothing twice. Milliseconds. */
const REMEMBERED = 2 * 60_000;
/** A run is as long as its tool takes: only after so many milliseconds is it taken for lost. */
const LONGEST_RUN = 24 * 3_600_000;

export function servicesOf(sdk: Sdk, names: Names, work: Work): restate.VirtualObjectDefinition<string, unknown>[] {
  const operations = async (ctx: restate.ObjectContext, ops: readonly Op[]): Promise<readonly Done[]> => {
    const name = decodeURIComponent(ctx.key);
    const { done, changed } = await apply(stateOf(sdk, ctx), ops, (last, commits) =>
      ctx.run("seal", () => {
        try {
          return { lines: sealed(work.seal, name, last, commits) };
        } catch (error) {
          return { failed: `the audit log's lines cannot be made: ${error instanceof Error ? error.message : String(error)}` };
        }
      }),
    );
    if (changed && (await ctx.get<true>("listed")) === null) {
      await ctx.objectClient<StoreObject>({ name: names.store }, ALL).add(name);
      ctx.set("listed", true);
    }
    return done;
  };
  const tenant = sdk.object({
    name: names.tenant,
    options: {
      enableLazyState: true, journalRetention: 0, idempotencyRetention: REMEMBERED, retryPolicy: AGAIN,
      // What no repetition mends ends the request, and not the tenant.
      asTerminalError: (error: unknown) => (error instanceof EngineError ? new sdk.TerminalError(error.message, { errorCode: DAMAGED }) : undefined),
    },
    handlers: {
      apply: operations,
      // Restate gives every request a key; what only reads need not be remembered.
      look: sdk.handlers.object.exclusive({ idempotencyRetention: 0 }, operations),
    },
  });
  const call = sdk.object({
    name: names.call,
    options: { enableLazyState: true, journalRetention: 0, idempotencyRetention: REMEMBERED, retryPolicy: RUN_AGAIN, inactivityTimeout: 60_000, abortTimeout: LONGEST_RUN },
    handlers: {
      run: async (ctx: restate.ObjectContext): Promise<void> => {
        const at = ctx.key.indexOf("/");
        const name = decodeURIComponent(ctx.key.slice(0, at));
        const id = ctx.key.slice(at + 1);
        await ctx.run("run", () => work.run(name, id));
      },
    },
  });
  const store = sdk.object({
    name: names.store,
    options: { journalRetention: 0, idempotencyRetention: REMEMBERED, retryPolicy: AGAIN },
    handlers: {
      open: async (ctx: restate.ObjectContext): Promise<number> => {
        const form = await ctx.get<number>("form");
        if (form === null) ctx.set("form", FORM);
        return form ?? FORM;
      },
      add: async (ctx: restate.ObjectContext, name: string): Promise<void> => ctx.set(`t/${name}`, true),
      tenants: async (ctx: restate.ObjectContext): Promise<readonly string[]> => (await ctx.stateKeys()).filter((key) => key.startsWith("t/")).map((key) => key.slice(2)),
    },
  });
  return [tenant, call, store];
}

interface StoreObject {
  add(ctx: restate.ObjectContext, name: string): Promise<void>;
}

function stateOf(sdk: Sdk, ctx: restate.ObjectContext): State {
  return {
    read: (names) => sdk.RestatePromise.all(names.map((name) => ctx.get<unknown>(name) as restate.RestatePromise<unknown>)),
    write: (name, value) => (value === null ? ctx.clear(name) : ctx.set(name, value)),
  };
}
