// Starts a gateway from its settings and ends it: engine, tools, hooks, rooms, doors, in this order and back, a line of the log for each step.
import { createSealer } from "./audit/chain.ts";
import { keepSigned } from "./audit/checkpoints.ts";
import type { AuditBody } from "./audit/entry.ts";
import type { Parts } from "./call/parts.ts";
import type { Settings } from "./config/settings.ts";
import type { Engine } from "./engine/port.ts";
import { RestateEngine } from "./engine/restate/restate.ts";
import { SqliteEngine } from "./engine/sqlite.ts";
import { createGateway, type RunningGateway } from "./flow.ts";
import type { Gateway } from "./gateway.ts";
import { createHooks } from "./hooks/hooks.ts";
import { createIds } from "./ids.ts";
import { type KeySet, readKeySets } from "./key-sets.ts";
import { createNotifier } from "./notify/notifier.ts";
import { RESTORED } from "./operations/store.ts";
import { recordingOver } from "./recording/recording.ts";
import { createRooms, type RoomParts } from "./rooms.ts";
import type { Log } from "./telemetry/log.ts";
import { createTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
import { Relays } from "./upstream/relay.ts";
import { tellStates } from "./upstream/told.ts";
import { createUpstream, type McpUpstream } from "./upstream/upstream.ts";

/** What doors are made of. */
export interface DoorParts extends RoomParts {
  readonly upstream: McpUpstream;
  readonly gateway: Gateway;
  readonly telemetry: Telemetry;
  readonly relays: Relays;
  readonly version: string;
  /** Told of a tenant whose agents may be offered other tools than before. Gives the function that ends it. */
  readonly onToolsChanged: (listener: (tenant: string) => void) => () => void;
}

export interface OpenDoor {
  readonly where: string;
  /** Judges what of new settings is the door's; throws where it cannot be, and else gives what puts it in force, which does not fail. */
  prepare?(next: Settings): Promise<() => void>;
  close(): Promise<void>;
}

/** A front door. Opening it fails with a coded error where it cannot (`port_in_use`); closing it takes no new call and waits for those in hand. */
export interface Door {
  /** What the log calls it. */
  readonly name: string;
  open(parts: DoorParts): Promise<OpenDoor>;
}

export interface StartOptions {
  /** The settings in force, asked at each call. */
  readonly settings: () => Settings;
  readonly doors: readonly Door[];
  readonly log: Log;
  readonly version: string;
  /** SHA-256 of the core's module. */
  readonly core: string;
  /** The tools behind the gateway where they are there already (`wrap`); made of the settings otherwise. */
  readonly upstream?: { readonly port: McpUpstream; readonly relays: Relays };
  readonly clock?: () => number;
  /** Told of each file that a policy is made from, before it is read. */
  readonly reads?: (file: string) => void;
  /** For crash tests alone. */
  readonly crash?: Parts["crash"];
}

export interface Started {
  readonly gateway: Gateway;
  /** Where each door is. */
  readonly doors: readonly { readonly name: string; readonly where: string }[];
  /** Puts new settings to work from the next call on; throws before anything has changed where they cannot be. */
  take(next: Settings): Promise<void>;
  /** Takes no new call, waits for those in hand (`graceMs`), and puts everything away. What is unfinished is taken up by the next start. */
  stop(graceMs?: number): Promise<void>;
}

/** A start that is not possible with these settings. */
export class StartError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "StartError";
    this.code = code;
  }
}

/** Starts a gateway. Whatever a start that fails had opened is closed again, and its one error is coded: `keys_invalid`, `store_in_use`, `store_newer`, `policy_invalid`, `port_in_use` … */
export async function startGateway(options: StartOptions): Promise<Started> {
  const ends: [step: string, end: () => Promise<void> | void][] = [];
  try {
    return await start(options, ends);
  } catch (error) {
    await unwind(ends, options.log);
    throw error;
  }
}

/** Milliseconds between two looks after what other gateways left behind. */
const LOOK_AGAIN = 60_000;

type Ends = [step: string, end: (graceMs: number) => Promise<void> | void][];

async function start(options: StartOptions, ends: Ends): Promise<Started> {
  const { settings, log, version } = options;
  const clock = options.clock ?? Date.now;
  let keys = await readKeySets(settings());
  const engine = recordingOver(engineOf(settings(), log), settings, (tenant, error) => log("error", "recording.failed", { tenant, message: said(error) }));
  const upstream = options.upstream ?? made(settings, log);
  if (options.upstream === undefined) ends.push(["upstream", () => upstream.port.close()]);
  ends.push(["servers", tellStates(upstream.port, ({ up, why, ...of }) => log(up ? "info" : "warn", up ? "server.up" : "server.down", up ? { ...of, tools: why } : { ...of, message: why }))]);
  const hooks = createHooks((tenant) => tenantOf(settings(), tenant)?.hooks ?? [], () => Math.floor(clock() / 1000));
  ends.push(["hooks", () => hooks.close()]);
  const telemetry = createTelemetry(settings().telemetry, { version, overHttp: (tenant, tool) => Object.hasOwn(tenantOf(settings(), tenant)?.http ?? {}, tool) });
  ends.push(["telemetry", () => telemetry.close()]);
  const notifier = createNotifier({
    engine, clock,
    webhooks: (tenant) => tenantOf(settings(), tenant)?.approvals.notify ?? [],
    publicUrl: () => settings().publicUrl,
    failed: (tenant, approval, error) => log("warn", "notification.failed", { tenant, approval, message: said(error) }),
  });
  ends.push(["notifier", () => notifier.close()]);
  const roomParts: RoomParts = { engine, upstream: upstream.port, settings, keys: () => keys, clock, ids: createIds(clock), log, notifier, ...(options.reads === undefined ? {} : { reads: options.reads }) };
  const rooms = createRooms(roomParts);
  ends.push(["rooms", () => rooms.close()]);
  const flow = createGateway({ ...rooms, engine, upstream: upstream.port, hooks, settings, clock, ids: roomParts.ids, core: options.core, ...(options.crash === undefined ? {} : { crash: options.crash }) });
  const seal = createSealer((tenant) => keyOf(keys, tenant), (tenant) => checkpointsOf(settings(), tenant));
  // The engine hands over what was left at once: it waits until the policies and switches that decide about it are there.
  const gate = new Gate();
  await engine.start((tenant, call) => gate.opened.then(() => flow.runner(tenant, call)), seal);
  ends.push(["engine", (graceMs) => engine.stop(graceMs)]);
  ends.push(["runs", () => gate.close()]);
  log("info", "engine.open", { engine: engine.name });
  await rooms.open();
  for (const { name, mode } of Object.values(settings().tenants)) {
    const { id } = await rooms.policies.current(name);
    const restored = await engine.get(name, RESTORED);
    const audit: AuditBody[] = restored === null ? [] : [{ event: "store.restored", at: clock(), actor: "gateway", detail: JSON.parse(restored.value) as Record<string, unknown> }];
    audit.push({ event: "gateway.started", at: clock(), actor: "gateway", policy: id, detail: { mode, version, core: options.core, active: keyOf(keys, name).kid, kids: keys.get(name)?.kids ?? [] } });
    await engine.commit({ tenant: name, changes: restored === null ? [] : [{ key: RESTORED, value: null }], audit });
    if (restored !== null) log("warn", "store.restored", { tenant: name, message: "this store is a backup that was put back: what came after it is not in it" });
    log("info", "tenant.ready", { tenant: name, mode, policy: id });
    if (mode === "observe") log("warn", "observe", { tenant: name, message: "OBSERVE MODE: every call is let through; what would have been answered is recorded" });
    await notifier.resume(name);
  }
  const checkpoints = keepSigned({
    engine,
    every: () => Object.fromEntries(Object.keys(settings().tenants).map((tenant) => [tenant, checkpointsOf(settings(), tenant).milliseconds])),
    signed: (tenant, { seq, hash }) => log("info", "audit.signed", { tenant, head: `${seq}:${hash}` }),
    failed: (tenant, error) => log("error", "audit.unsigned", { tenant, message: said(error) }),
  });
  ends.push(["checkpoints", () => checkpoints.close()]);
  ends.push(["tenants", async () => {
    await stopped(engine, settings(), clock);
    await checkpoints.now();
  }]);
  gate.open();
  await flow.takeUp();
  if (engine.name !== "embedded") ends.push(["looks", lookingAfter(flow, log)]);
  const gateway = telemetry.over(flow);
  const open: ({ readonly name: string } & OpenDoor)[] = [];
  for (const door of options.doors) {
    const opened = await door.open({ ...roomParts, upstream: upstream.port, gateway, telemetry, relays: upstream.relays, version, onToolsChanged: rooms.onOffersChanged });
    ends.push([door.name, () => opened.close()]);
    open.push({ name: door.name, ...opened });
    log("info", "door.open", { door: door.name, where: opened.where });
  }
  return {
    gateway,
    doors: open.map(({ name, where }) => ({ name, where })),
    take: async (next) => {
      const doors = await Promise.all(open.map((door) => door.prepare?.(next)));
      const taken = await readKeySets(next);
      const before = keys;
      // A tenant that is new has its keys at once; one that was there signs by its old key until everything is taken.
      keys = new Map([...taken, ...before]);
      try {
        await rooms.take(next);
        await rotated(engine, before, taken, clock);
      } catch (error) {
        keys = before;
        throw error;
      }
      keys = taken;
      await flow.planned();
      if (options.upstream === undefined) await upstream.port.replace(next.tenants);
      for (const put of doors) put?.();
    },
    stop: async (graceMs = 10_000) => {
      await unwind(ends.splice(0), log, graceMs);
      log("info", "gateway.stopped");
    },
  };
}

/** Looks now and then after what other gateways on the store left behind. Gives what ends it. */
function lookingAfter(flow: RunningGateway, log: Log): () => Promise<void> {
  let look = Promise.resolve();
  const timer = setInterval(() => {
    look = look.then(() => flow.lookAfter()).catch((error: unknown) => log("warn", "look.failed", { message: said(error) }));
  }, LOOK_AGAIN);
  return () => {
    clearInterval(timer);
    return look;
  };
}

function made(settings: () => Settings, log: Log): { port: McpUpstream; relays: Relays } {
  const relays = new Relays();
  return { relays, port: createUpstream(settings().tenants, {
    relays,
    // What a server writes may hold what it was called with.
    stderr: (tenant, server, text) => log("debug", "server.stderr", { tenant, server, ...(settings().telemetry.argumentValues ? { text } : { characters: text.length }) }),
  }) };
}

function engineOf({ engine }: Settings, log: Log): Engine {
  const failed = (tenant: string, call: string, error: unknown): void => {
    if (!(error instanceof NotOpened)) log("error", "run.failed", { tenant, call, message: said(error) });
  };
  return engine.kind === "embedded" ? new SqliteEngine(engine.folder, { failed }) : new RestateEngine(engine, { failed });
}

/** Why a run ends that was handed over to a start that failed: the next start takes it up. */
class NotOpened extends Error {}

/** Where runs wait until the gateway is whole. */
class Gate {
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

function tenantOf({ tenants }: Settings, tenant: string): Settings["tenants"][string] | null {
  return Object.hasOwn(tenants, tenant) ? tenants[tenant]! : null;
}

function keyOf(keys: ReadonlyMap<string, KeySet>, tenant: string): KeySet["active"] {
  const set = keys.get(tenant);
  if (set === undefined) throw new StartError("tenant_unknown", `there is no key set of the tenant ${tenant}`);
  return set.active;
}

function checkpointsOf(settings: Settings, tenant: string): { entries: number; milliseconds: number } {
  const audit = tenantOf(settings, tenant)?.audit;
  return { entries: audit?.checkpointEntries ?? 1000, milliseconds: (audit?.checkpointSeconds ?? 60) * 1000 };
}

/** The log has each change of the key that signs, signed by the key before. */
async function rotated(engine: Engine, before: ReadonlyMap<string, KeySet>, after: ReadonlyMap<string, KeySet>, clock: () => number): Promise<void> {
  for (const [tenant, { active, kids }] of after) {
    const old = before.get(tenant);
    if (old === undefined || (old.active.kid === active.kid && old.kids.join() === kids.join())) continue;
    await engine.commit({ tenant, changes: [], audit: [{ event: "key.rotated", at: clock(), actor: "gateway", detail: { before: old.active.kid, active: active.kid, kids } }] });
  }
}

async function stopped(engine: Engine, { tenants }: Settings, clock: () => number): Promise<void> {
  for (const name of Object.keys(tenants)) await engine.commit({ tenant: name, changes: [], audit: [{ event: "gateway.stopped", at: clock(), actor: "gateway" }] });
}

/** The last opened first. A step that cannot be put away is told, and those before it are put away all the same. */
async function unwind(ends: Ends, log: Log, graceMs = 10_000): Promise<void> {
  for (const [step, end] of ends.reverse()) {
    try {
      await end(graceMs);
      log("debug", "step.closed", { step });
    } catch (error) {
      log("error", "step.failed", { step, message: said(error) });
    }
  }
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
