// Starts a gateway from its settings and ends it: engine, tools, hooks, rooms, doors, in this order and back, a line of the log for each step.
import { createSealer } from "./audit/chain.ts";
import { keepSigned } from "./audit/checkpoints.ts";
import type { Parts } from "./call/parts.ts";
import { Bound } from "./config/address.ts";
import type { Settings } from "./config/settings.ts";
import type { Engine } from "./engine/port.ts";
import { RestateEngine } from "./engine/restate/restate.ts";
import { SqliteEngine } from "./engine/sqlite.ts";
import { createGateway, type RunningGateway } from "./flow.ts";
import type { Gateway } from "./gateway.ts";
import { createHooks } from "./hooks/hooks.ts";
import { createIds } from "./ids.ts";
import { readKeySets } from "./key-sets.ts";
import { createNotifier } from "./notify/notifier.ts";
import { recordingOver } from "./recording/recording.ts";
import { createRooms, type RoomParts } from "./rooms.ts";
import { type Ends, Gate, NotOpened, said, unwind } from "./steps.ts";
import type { Log } from "./telemetry/log.ts";
import { createTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
import { checkpointsOf, keyOf, modesChanged, rotated, stopped, tenantOf, tenantStarted } from "./tenants.ts";
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
  /** The port it listens at, where it has a socket. */
  readonly port?: number;
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

/** Starts a gateway. Whatever a start that fails had opened is closed again, and its one error is coded: `keys_invalid`, `store_in_use`, `store_newer`, `policy_invalid`, `port_in_use` … */
export async function startGateway(options: StartOptions): Promise<Started> {
  const ends: Ends = [];
  try {
    return await start(options, ends);
  } catch (error) {
    await unwind(ends, options.log);
    throw error;
  }
}

/** Milliseconds between two looks after what other gateways left behind. */
const LOOK_AGAIN = 60_000;

async function start(options: StartOptions, ends: Ends): Promise<Started> {
  const { log, version } = options;
  // What people are told before the doors are open waits for the address that they reach.
  const bound = new Bound(options.settings);
  const { settings } = bound;
  const reached = new Gate();
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
    publicUrl: () => reached.opened.then(() => settings().publicUrl),
    failed: (tenant, approval, error) => log("warn", "notification.failed", { tenant, approval, message: said(error) }),
  });
  ends.push(["notifier", () => notifier.close()]);
  const roomParts: RoomParts = { engine, upstream: upstream.port, settings, keys: () => keys, clock, ids: createIds(clock), log, notifier, ...(options.reads === undefined ? {} : { reads: options.reads }) };
  const rooms = createRooms(roomParts);
  ends.push(["rooms", () => rooms.close()]);
  const flow = createGateway({ ...rooms, engine, upstream: telemetry.overTools(upstream.port), hooks, settings, clock, ids: roomParts.ids, core: options.core, ...(options.crash === undefined ? {} : { crash: options.crash }) });
  const seal = createSealer((tenant) => keyOf(keys, tenant), (tenant) => checkpointsOf(settings(), tenant));
  // The engine hands over what was left at once: it waits until the policies and switches that decide about it are there.
  const gate = new Gate();
  await engine.start((tenant, call) => gate.opened.then(() => flow.runner(tenant, call)), seal);
  ends.push(["engine", (graceMs) => engine.stop(graceMs)]);
  ends.push(["runs", () => gate.close()]);
  log("info", "engine.open", { engine: engine.name });
  await rooms.open();
  for (const { name } of Object.values(settings().tenants)) {
    await tenantStarted(name, { engine, settings: settings(), keys, policy: (await rooms.policies.current(name)).id, clock, log, version, core: options.core });
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
    const one = await door.open({ ...roomParts, upstream: upstream.port, gateway, telemetry, relays: upstream.relays, version, onToolsChanged: rooms.onOffersChanged });
    ends.push([door.name, () => one.close()]);
    open.push({ name: door.name, ...one });
    if (one.port !== undefined) bound.listensAt(one.port);
    log("info", "door.open", { door: door.name, where: one.where });
  }
  reached.open();
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
        await modesChanged(engine, settings(), next, clock, log);
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
  if (engine.kind === "embedded") return new SqliteEngine(engine.folder, { failed });
  return new RestateEngine(engine, {
    failed,
    begunElsewhere: (count) => log("warn", "engine.begun_elsewhere", { count, message: "requests that were begun at another address, by an older program as a rule, go on there alone: let it run until they have ended" }),
  });
}
