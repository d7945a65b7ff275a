// The HTTP door as the gateway's start opens it: authenticated by the settings in force, with the console, `/mcp` and the metrics, listening.
import { createAuthenticate } from "../../callers/authenticate.ts";
import type { Door } from "../../start.ts";
import { StartError } from "../../steps.ts";
import { openHttp } from "../mcp/http.ts";
import { type ConsoleFiles, readConsole } from "./console.ts";
import { createHttpDoor } from "./door.ts";
import { serve, type Serving } from "./serve.ts";

export interface HttpDoorOptions {
  /** The folder of the built console; null serves none. */
  readonly console: string | null;
  /** How long requests in hand may take to end when the door closes, in milliseconds. */
  readonly graceMs?: number;
}

/** The door. Opening it fails with `port_in_use`, `tls_invalid`, `listen_failed`, `console_missing`. */
export function httpDoor({ console: folder, graceMs = 10_000 }: HttpDoorOptions): Door {
  return {
    name: "http",
    async open({ gateway, settings, relays, upstream, telemetry, keys, log, version, onToolsChanged }) {
      const mcp = openHttp({ gateway, settings, relays, upstream, onToolsChanged, version });
      const files = folder === null ? null : await filesOf(folder);
      const door = createHttpDoor({
        gateway,
        settings,
        authenticate: createAuthenticate(settings),
        mcp: (request, caller) => mcp.fetch(request, caller),
        ...(files === null ? {} : { console: files }),
        metrics: (tenant) => telemetry.prometheus(tenant),
        auditKeys: async (tenant) => JSON.parse(keys().get(tenant)?.text ?? "{}") as object,
        log: ({ code, requestId, cause }) => log("error", "http.failed", { code, request: requestId, message: cause instanceof Error ? cause.message : String(cause) }),
      });
      const serving = await listening(settings(), door);
      return {
        where: serving.url,
        port: serving.port,
        prepare: async () => {
          try {
            return await serving.renewTls();
          } catch (error) {
            throw tlsInvalid(error);
          }
        },
        close: async () => {
          await Promise.all([serving.stop(graceMs), mcp.close()]);
        },
      };
    },
  };
}

async function filesOf(folder: string): Promise<ConsoleFiles> {
  try {
    return await readConsole(folder);
  } catch (error) {
    throw new StartError("console_missing", (error as Error).message);
  }
}

async function listening(settings: Parameters<typeof serve>[0], door: Parameters<typeof serve>[1]): Promise<Serving> {
  const { host, port, tls } = settings.listen;
  try {
    return await serve(settings, door);
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new StartError("port_in_use", `${host}:${port} is taken: end what listens there, or choose another port`);
    if (tls !== null && syscall !== "listen" && syscall !== "getaddrinfo") throw tlsInvalid(error);
    throw new StartError("listen_failed", `nothing can listen at ${host}:${port}: ${message}`);
  }
}

function tlsInvalid(error: unknown): StartError {
  return new StartError("tls_invalid", `the TLS files cannot be used (${(error as Error).message}): a certificate and its key are needed, both PEM`);
}
