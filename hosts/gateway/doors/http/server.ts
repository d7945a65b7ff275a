// The door on a socket: Node's server with its own limits, TLS where files are given, and a stop that lets requests in hand end.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Settings } from "../../config/settings.ts";
import { GatewayError } from "../../gateway.ts";
import type { HttpDoor } from "./door.ts";

export interface Listening {
  readonly url: string;
  /** Takes no new connection; waits up to `graceMs` for requests in hand. */
  close(graceMs?: number): Promise<void>;
}

/** Listens as the settings say; port 0 takes a free one. Fails with `port_in_use`, `tls_invalid`, `port_unusable`. */
export async function listen({ listen: place }: Pick<Settings, "listen">, door: Pick<HttpDoor, "fetch">): Promise<Listening> {
  const listener = getRequestListener((request) => door.fetch(request), { overrideGlobalObjects: false });
  const options = { headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 };
  let server: Server;
  try {
    server = place.tls === null ? createServer(options, listener) : createSecureServer({ ...options, cert: readFileSync(place.tls.cert), key: readFileSync(place.tls.key), minVersion: "TLSv1.2" }, listener);
  } catch (cause) {
    throw new GatewayError(500, "tls_invalid", `the TLS files cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  server.maxHeadersCount = 100;
  await new Promise<void>((listening, refused) => {
    server.once("error", (error: NodeJS.ErrnoException) => refused(new GatewayError(500, error.code === "EADDRINUSE" ? "port_in_use" : "port_unusable", error.code === "EADDRINUSE" ? `port ${place.port} of ${place.host} is taken: stop what has it, or give another with listen.port` : `port ${place.port} of ${place.host} cannot be used: ${error.message}`, { cause: error })));
    server.listen(place.port, place.host, listening);
  });
  const { port } = server.address() as AddressInfo;
  const host = place.host.includes(":") ? `[${place.host}]` : place.host;
  return {
    url: `${place.tls === null ? "http" : "https"}://${host}:${port}`,
    close: async (graceMs = 10_000) => {
      const ended = new Promise<void>((done) => server.close(() => done()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
