// A gateway over a file: started, read again when the file changes or a signal says so, and ended in order.
import { coreDigest, built } from "./built.ts";
import { LiveSettings } from "./config/live.ts";
import type { ReadSettings } from "./config/read.ts";
import type { Settings } from "./config/settings.ts";
import { httpDoor } from "./doors/http/open.ts";
import { type Started, startGateway } from "./start.ts";
import { createLog, type Log } from "./telemetry/log.ts";

/** How long a stop waits for requests in hand: streams of events never end by themselves, and what waits for a person is kept. */
const GRACE_MS = 5_000;

export interface ServeOptions {
  readonly read: ReadSettings & { readonly settings: Settings };
  readonly file: string;
  readonly shown: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whole lines of the log, with their end. */
  readonly write: (line: string) => void;
  readonly version: string;
}

export interface Served {
  readonly url: string;
  readonly started: Started;
  /** Reads the file again. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a gateway and its one socket. Fails as `startGateway` does. */
export async function serve({ read, file, shown, env, write, version }: ServeOptions): Promise<Served> {
  let log: Log | null = null;
  const live = new LiveSettings(read.settings, {
    file, shown, env,
    tell: (reload) => {
      if (reload.outcome === "left") log?.("error", "reload.left", { message: `the settings before stay in force: ${reload.why}` });
      if (reload.outcome !== "taken") return;
      log?.("info", "reload.taken");
      if (reload.kept.length > 0) log?.("warn", "reload.restart", { message: `${reload.kept.join(" and ")} changed, and wait for a restart` });
      for (const { code, message } of reload.warnings) log?.("warn", "reload.warning", { code, message });
    },
  });
  log = createLog(write, () => live.current().telemetry.logLevel, Date.now);
  const started = await startGateway({
    settings: () => live.current(),
    doors: [httpDoor({ console: built("console"), graceMs: GRACE_MS })],
    log, version, core: coreDigest(),
    reads: (file) => live.note(file),
  });
  live.watch(read, (next) => started.take(next));
  return {
    url: started.doors[0]!.where,
    started,
    reload: async () => {
      await live.reload();
    },
    stop: async () => {
      await live.close();
      await started.stop();
    },
  };
}
