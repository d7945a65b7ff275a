// The rooms where people decide, put together over one engine: policies, approvals, kill switches and pinned listings.
import { formatProblem, type Problem } from "interlock/register";
import { Questions } from "./approvals/approvals.ts";
import type { Approvals, Kills, Listings, Policies } from "./call/parts.ts";
import type { Settings } from "./config/settings.ts";
import type { Engine } from "./engine/port.ts";
import { GatewayError } from "./gateway.ts";
import type { KeySet } from "./key-sets.ts";
import { KillSwitches } from "./kills/kills.ts";
import { PinnedListings } from "./listings/listings.ts";
import type { Notifier } from "./notify/notifier.ts";
import { PolicyVersions } from "./policies/policies.ts";
import type { Log } from "./telemetry/log.ts";
import type { Upstream } from "./upstream/port.ts";

/** What rooms are made of. */
export interface RoomParts {
  readonly engine: Engine;
  readonly upstream: Pick<Upstream, "listed" | "onChanged">;
  readonly settings: () => Settings;
  readonly keys: () => ReadonlyMap<string, KeySet>;
  readonly clock: () => number;
  readonly ids: () => string;
  readonly log: Log;
  /** Told of each new question, so that the configured webhooks are. */
  readonly notifier: Notifier;
  /** Told of each file that a policy is made from, before it is read: it is watched. */
  readonly reads?: (file: string) => void;
}

export interface Rooms {
  readonly policies: Policies;
  readonly approvals: Approvals;
  readonly kills: Kills;
  readonly listings: Listings;
  /** Told of a tenant whose agents may be offered other tools than before: its policy, a switch or a listing changed, or what a server lists. Gives the function that ends it. */
  onOffersChanged(listener: (tenant: string) => void): () => void;
  /** Called once the engine runs: registers the policies' files, reads the switches, looks at the tools. Fails with `policy_invalid`. */
  open(): Promise<void>;
  /** Takes the policies' files of new settings, all or none: fails with `policy_invalid` before anything has changed. */
  take(next: Settings): Promise<void>;
  close(): void;
}

/** A policy's file that cannot be in force; the message holds its problems, each at its place. */
export class PolicyFileError extends Error {
  readonly code = "policy_invalid";
  constructor(tenant: string, problems: readonly string[]) {
    super(`the policy of the tenant ${tenant} cannot be loaded:\n${problems.join("\n")}`);
    this.name = "PolicyFileError";
  }
}

/** Puts the rooms together. Nothing is read before `open`. */
export function createRooms(parts: RoomParts): Rooms {
  const { engine, clock, ids, log } = parts;
  const keys = (tenant: string): string => parts.keys().get(tenant)?.text ?? "";
  const listeners = new Set<(tenant: string) => void>();
  const told = (tenant: string): void => {
    for (const listener of [...listeners]) listener(tenant);
  };
  const policies: PolicyVersions = new PolicyVersions({ engine, keys, clock, changed: (tenant) => void look(tenant).then(() => told(tenant)) });
  const approvals = new Questions({ engine, keys, current: (tenant) => policies.current(tenant), clock, ids, opened: (approval) => parts.notifier.opened(approval) });
  const kills = new KillSwitches({ engine, clock, ids, changed: told });
  const listings = new PinnedListings({ engine, upstream: parts.upstream, declared: (tenant) => policies.declared(tenant), clock, changed: told });
  // Another policy may state other listings.
  const look = (tenant: string): Promise<void> => listings.look(tenant).catch((error: unknown) => log("warn", "listings.failed", { tenant, message: error instanceof Error ? error.message : "" }));
  // Every policy's file is judged before one of them is taken.
  const files = async ({ tenants }: Settings, apart: boolean): Promise<void> => {
    const takes: (() => Promise<void>)[] = [];
    for (const { name, policy } of Object.values(tenants)) takes.push(await prepared(policies, name, policy, log, parts.reads, apart));
    for (const take of takes) await take();
  };
  return {
    policies, approvals, kills, listings,
    onOffersChanged: (listener) => {
      listeners.add(listener);
      const forget = parts.upstream.onChanged((tenant) => listener(tenant));
      return () => {
        listeners.delete(listener);
        forget();
      };
    },
    open: async () => {
      await files(parts.settings(), false);
      const tenants = Object.keys(parts.settings().tenants);
      await kills.start(tenants);
      await listings.start(tenants);
    },
    take: async (next) => {
      // Calls go on while files are read again.
      await files(next, true);
      const tenants = Object.keys(next.tenants);
      await kills.start(tenants);
      for (const tenant of tenants) await listings.look(tenant);
    },
    close: () => {
      listings.close();
      kills.close();
    },
  };
}

/** A tenant's file, judged as it will be in force. Its warnings are told to the log. */
async function prepared(policies: PolicyVersions, tenant: string, file: string, log: Log, reads: RoomParts["reads"], apart: boolean): Promise<() => Promise<void>> {
  try {
    const { problems, take } = await policies.prepare(tenant, file, { apart, ...(reads === undefined ? {} : { reads }) });
    for (const problem of problems) log("debug", "policy.warning", { tenant, code: problem.code, file: problem.file, line: problem.line });
    return take;
  } catch (error) {
    if (!(error instanceof GatewayError) || !["policy_invalid", "policy_unjudged"].includes(error.code)) throw error;
    const problems = (error.detail?.["problems"] ?? []) as readonly Problem[];
    const errors = problems.filter(({ severity }) => severity === "error").map(formatProblem);
    throw new PolicyFileError(tenant, errors.length > 0 ? errors : [`${file}: ${error.message}`]);
  }
}
