// One MCP server behind the check for a client that starts it by its command: the store in a folder of this user, the inbox on this machine alone.
import { built, coreDigest } from "./built.ts";
import type { Settings } from "./config/settings.ts";
import { wrap } from "./doors/mcp/wrap.ts";
import { httpDoor } from "./doors/http/open.ts";
import { type Door, type DoorParts, startGateway } from "./start.ts";
import { createLog } from "./telemetry/log.ts";
import { Relays } from "./upstream/relay.ts";

export interface WrapOptions {
  readonly settings: Settings;
  readonly command: readonly string[];
  /** Whether another store beside the settings' is taken where that one is used: the client has started a second one of this. */
  readonly slots: boolean;
  /** Whole lines of the log, with their end. */
  readonly write: (line: string) => void;
  /** Told where people answer. */
  readonly at: (url: string) => void;
  readonly version: string;
  /** Ends the serving as the client's going does. */
  readonly ending: AbortSignal;
}

/** Where no door was opened nothing changes. */
const never = () => () => undefined;

/** So many of one wrapped server may run at once. */
const SLOTS = 16;

/** Serves the client on standard input and output until it is gone. Fails as `startGateway` does. */
export async function serveWrapped({ settings: given, command, slots, write, at, version, ending }: WrapOptions): Promise<void> {
  const log = createLog(write, () => given.telemetry.logLevel, Date.now);
  await wrap(
    {
      settings: given,
      version,
      ending,
      stderr: (text) => write(text),
      start: async (settings, upstream) => {
        const inner = httpDoor({ console: built("console"), graceMs: 1_000 });
        let onToolsChanged: DoorParts["onToolsChanged"] | null = null;
        const door: Door = {
          name: inner.name,
          open: async (parts) => {
            onToolsChanged = parts.onToolsChanged;
            const opened = await inner.open(parts);
            // Where questions are answered is known only now; the client's door opens after this.
            Object.assign(settings, { publicUrl: opened.where });
            at(opened.where);
            return opened;
          },
        };
        for (let slot = 1; ; slot++) {
          if (slot > 1 && given.engine.kind === "embedded") Object.assign(settings, { engine: { kind: "embedded", folder: `${given.engine.folder}-${slot}` } });
          try {
            const started = await startGateway({ settings: () => settings, doors: [door], log, version, core: coreDigest(), upstream: { port: upstream, relays: new Relays() } });
            return { gateway: started.gateway, onToolsChanged: onToolsChanged ?? never, close: () => started.stop() };
          } catch (error) {
            if (!slots || slot >= SLOTS || (error as { code?: string }).code !== "store_in_use") throw error;
          }
        }
      },
    },
    command,
  );
}
