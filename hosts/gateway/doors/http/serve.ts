// The HTTP door on Node's own server: address, TLS, time limits of connections, and a stop that lets what is in hand end.
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Settings } from "../../config/settings.ts";
import type { HttpDoor } from "./door.ts";

/** A server that listens. */
export interface Serving {
  readonly url: string;
  readonly port: number;
  /** Reads the TLS files again: new connections get the new certificate. Keeps the old one, and throws, where they are wrong. */
  reloadTls(): Promise<void>;
  /** Takes nothing more in, lets what is in hand end for `graceMs` milliseconds, then closes every connection. */
  stop(graceMs?: number): Promise<void>;
}

export interface ServeOptions {
  /** How long a connection may take to send a request's headers, in milliseconds. */
  readonly headersMs?: number;
  /** How long it may take to send a whole request, in milliseconds. */
  readonly requestMs?: number;
  /** How often connections are looked at for these, in milliseconds. */
  readonly everyMs?: number;
}

/**
 * Listens at the settings' address.
 * Throws what Node throws where the address cannot be had (`EADDRINUSE`) or the TLS files are wrong.
 */
export async function serve({ listen }: Pick<Settings, "listen">, door: HttpDoor, { headersMs = 10_000, requestMs = 60_000, everyMs = 5_000 }: ServeOptions = {}): Promise<Serving> {
  const { host, port, tls } = listen;
  const limits = { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: everyMs, keepAliveTimeout: 5_000, maxHeaderSize: 16 << 10 };
  const options = tls === null ? { createServer, serverOptions: limits } : { createServer: createSecureServer, serverOptions: { ...limits, ...(await filesOf(tls)), minVersion: "TLSv1.2" as const } };
  const server = createAdaptorServer({ fetch: (request) => door.fetch(request), overrideGlobalObjects: false, ...options }) as Server;
  server.maxRequestsPerSocket = 10_000;
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, host, () => {
      server.off("error", failed);
      listening();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    url: `${tls === null ? "http" : "https"}://${name}:${address.port}`,
    port: address.port,
    async reloadTls() {
      if (tls !== null) (server as unknown as { setSecureContext(files: object): void }).setSecureContext(await filesOf(tls));
    },
    async stop(graceMs = 10_000) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await door.drain(graceMs);
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), 1_000);
      await closed;
      clearTimeout(late);
    },
  };
}

async function filesOf({ cert, key }: { readonly cert: string; readonly key: string }): Promise<{ cert: Buffer; key: Buffer }> {
  const [certBytes, keyBytes] = await Promise.all([readFile(cert), readFile(key)]);
  return { cert: certBytes, key: keyBytes };
}
