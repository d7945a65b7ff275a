// What a start, a reload and a stop write in each tenant's log, and a tenant's key and settings by its name.
import type { AuditBody } from "./audit/entry.ts";
import type { Settings } from "./config/settings.ts";
import type { Engine } from "./engine/port.ts";
import type { KeySet } from "./key-sets.ts";
import { RESTORED } from "./operations/store.ts";
import { StartError } from "./steps.ts";
import type { Log } from "./telemetry/log.ts";

/** Null where the settings know no such tenant. */
export function tenantOf({ tenants }: Settings, tenant: string): Settings["tenants"][string] | null {
  return Object.hasOwn(tenants, tenant) ? tenants[tenant]! : null;
}

/** The key that signs for a tenant. Fails with `tenant_unknown`. */
export function keyOf(keys: ReadonlyMap<string, KeySet>, tenant: string): KeySet["active"] {
  const set = keys.get(tenant);
  if (set === undefined) throw new StartError("tenant_unknown", `there is no key set of the tenant ${tenant}`);
  return set.active;
}

/** After how many entries, and how many milliseconds, a tenant's log is signed. */
export function checkpointsOf(settings: Settings, tenant: string): { entries: number; milliseconds: number } {
  const audit = tenantOf(settings, tenant)?.audit;
  return { entries: audit?.checkpointEntries ?? 1000, milliseconds: (audit?.checkpointSeconds ?? 60) * 1000 };
}

/** A tenant's start: its log has it, with the policy and the keys; a store that was put back, and one that only observes, are told loudly. */
export async function tenantStarted(
  tenant: string,
  parts: { readonly engine: Engine; readonly settings: Settings; readonly keys: ReadonlyMap<string, KeySet>; readonly policy: string; readonly clock: () => number; readonly log: Log; readonly version: string; readonly core: string },
): Promise<void> {
  const { engine, keys, policy, clock, log, version, core } = parts;
  const mode = tenantOf(parts.settings, tenant)?.mode;
  const restored = await engine.get(tenant, RESTORED);
  const audit: AuditBody[] = restored === null ? [] : [{ event: "store.restored", at: clock(), actor: "gateway", detail: JSON.parse(restored.value) as Record<string, unknown> }];
  audit.push({ event: "gateway.started", at: clock(), actor: "gateway", policy, detail: { mode, version, core, active: keyOf(keys, tenant).kid, kids: keys.get(tenant)?.kids ?? [] } });
  await engine.commit({ tenant, changes: restored === null ? [] : [{ key: RESTORED, value: null }], audit });
  if (restored !== null) log("warn", "store.restored", { tenant, message: "this store is a backup that was put back: what came after it is not in it" });
  log("info", "tenant.ready", { tenant, mode, policy });
  if (mode === "observe") observes(log, tenant);
}

function observes(log: Log, tenant: string): void {
  log("warn", "observe", { tenant, message: "OBSERVE MODE: every call is let through; what would have been answered is recorded" });
}

/** The log has each change of a tenant's mode while the gateway runs, and one that only observes from now on is told loudly. */
export async function modesChanged(engine: Engine, before: Settings, after: Settings, clock: () => number, log: Log): Promise<void> {
  for (const { name: tenant, mode } of Object.values(after.tenants)) {
    const was = tenantOf(before, tenant)?.mode ?? "enforce";
    if (mode === was) continue;
    await engine.commit({ tenant, changes: [], audit: [{ event: "mode.changed", at: clock(), actor: "gateway", detail: { before: was, mode } }] });
    if (mode === "observe") observes(log, tenant);
  }
}

/** The log has each change of the key that signs, signed by the key before. */
export async function rotated(engine: Engine, before: ReadonlyMap<string, KeySet>, after: ReadonlyMap<string, KeySet>, clock: () => number): Promise<void> {
  for (const [tenant, { active, kids }] of after) {
    const old = before.get(tenant);
    if (old === undefined || (old.active.kid === active.kid && old.kids.join() === kids.join())) continue;
    await engine.commit({ tenant, changes: [], audit: [{ event: "key.rotated", at: clock(), actor: "gateway", detail: { before: old.active.kid, active: active.kid, kids } }] });
  }
}

/** The log of every tenant has the stop. */
export async function stopped(engine: Engine, { tenants }: Settings, clock: () => number): Promise<void> {
  for (const name of Object.keys(tenants)) await engine.commit({ tenant: name, changes: [], audit: [{ event: "gateway.stopped", at: clock(), actor: "gateway" }] });
}
