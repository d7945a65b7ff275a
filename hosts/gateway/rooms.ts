// The rooms where people decide, put together over one engine: policies, approvals, kill switches and pinned listings.
import { formatProblem, register } from "interlock/register";
import { policyJudge } from "interlock";
import { Questions } from "./approvals/approvals.ts";
import type { Approvals, Kills, Listings, Policies } from "./call/parts.ts";
import type { Settings } from "./config/settings.ts";
import type { Engine } from "./engine/port.ts";
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
}

export interface Rooms {
  readonly policies: Policies;
  readonly approvals: Approvals;
  readonly kills: Kills;
  readonly listings: Listings;
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
  const policies = new PolicyVersions({ engine, keys, clock });
  const approvals = new Questions({ engine, keys, current: (tenant) => policies.current(tenant), clock, ids, opened: (approval) => parts.notifier.opened(approval) });
  const kills = new KillSwitches({ engine, clock, ids });
  const listings = new PinnedListings({ engine, upstream: parts.upstream, declared: (tenant) => policies.declared(tenant), clock });
  const files = async (settings: Settings): Promise<void> => {
    for (const { name, policy } of Object.values(settings.tenants)) {
      for (const problem of await policies.fromFile(name, policy)) log("debug", "policy.warning", { tenant: name, code: problem.code, file: problem.file, line: problem.line });
    }
  };
  return {
    policies, approvals, kills, listings,
    open: async () => {
      await judged(parts.settings());
      await files(parts.settings());
      const tenants = Object.keys(parts.settings().tenants);
      await kills.start(tenants);
      await listings.start(tenants);
    },
    take: async (next) => {
      await judged(next);
      await files(next);
      for (const tenant of Object.keys(next.tenants)) {
        await kills.refresh(tenant);
        await listings.look(tenant);
      }
    },
    close: () => {
      listings.close();
      kills.close();
    },
  };
}

/** Every policy's file is judged before one of them is taken. */
async function judged({ tenants }: Settings): Promise<void> {
  for (const { name, policy } of Object.values(tenants)) {
    const { id, problems } = await register(policy, policyJudge);
    if (id === null) throw new PolicyFileError(name, problems.filter(({ severity }) => severity === "error").map(formatProblem));
  }
}
