// The HTTP door on Node's own server: address, TLS, time limits of connections, and a stop that lets what is in hand end.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Failure, failureResponse, sendable } from "../../../shared/web/failure.ts";
import type { Settings } from "../../config/settings.ts";
import { cameBy } from "../incoming.ts";
import type { HttpDoor } from "./door.ts";
import { refuseBytes } from "./refused.ts";

/** A server that listens. */
export interface Serving {
  readonly url: string;
  readonly port: number;
  /** Reads the TLS files again and judges them; the function gives new connections the new certificate, and those that are open go on. Throws where the files are wrong: nothing has changed then. */
  renewTls(): Promise<() => void>;
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
  /** How long a client may take none of an answer that is there for it, in milliseconds. */
  readonly unreadMs?: number;
}

/**
 * Listens at the settings' address.
 * Throws what Node throws where the address cannot be had (`EADDRINUSE`) or the TLS files are wrong.
 */
export async function serve({ listen }: Pick<Settings, "listen">, door: HttpDoor, { headersMs = 10_000, requestMs = 60_000, everyMs = 5_000, unreadMs = 60_000 }: ServeOptions = {}): Promise<Serving> {
  const { host, port, tls } = listen;
  // A request without a Host is refused in our own words.
  const limits: ServerOptions = { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: everyMs, keepAliveTimeout: 5_000, maxHeaderSize: 16 << 10, requireHostHeader: false };
  const answer = async (request: Request, incoming: IncomingMessage, outgoing: ServerResponse): Promise<Response> => {
    cameBy(request, incoming);
    const response = await door.fetch(request, { target: incoming.url ?? "", breakOff: () => void outgoing.destroy() });
    // A text that is there already goes out at once: read out of the answer's stream it takes several times as long.
    const text = sendable(response);
    if (text === null) return response;
    outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), "content-length": Buffer.byteLength(text) });
    outgoing.end(text);
    return RESPONSE_ALREADY_SENT;
  };
  const listener = getRequestListener((request, { incoming, outgoing }) => answer(request, incoming as IncomingMessage, outgoing as ServerResponse), {
    overrideGlobalObjects: false,
    errorHandler: () => failureResponse(new Failure(400, "request_invalid", "the request has no address that can be read: its target or its Host header is none", { headers: { connection: "close" } })),
  });
  const server: Server | SecureServer = tls === null ? createServer(limits, listener) : createSecureServer({ ...limits, ...(await filesOf(tls)), minVersion: "TLSv1.2" }, listener);
  server.maxRequestsPerSocket = 10_000;
  server.on("clientError", refuseBytes);
  leaveUnread(server, unreadMs);
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
    async renewTls() {
      if (tls === null) return () => undefined;
      const files = await filesOf(tls);
      return () => (server as SecureServer).setSecureContext(files);
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

/** Leaves clients that take nothing of what is there for them: what they send meanwhile makes no difference. */
function leaveUnread(server: Server | SecureServer, unreadMs: number): void {
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    let before = "";
    const looks = setInterval(() => {
      const now = takenOf(socket);
      if (socket.writableLength > 0 && now === before) socket.destroy();
      before = now;
    }, unreadMs).unref();
    response.once("close", () => clearInterval(looks));
  });
}

/** How much of what was written a client has taken. Of a piece in the middle only the system's queue knows; Node's own time limits look there too. */
function takenOf(socket: Socket): string {
  const { writeQueueSize = 0 } = (socket as { _handle?: { writeQueueSize?: number } | null })._handle ?? {};
  return `${socket.bytesWritten - socket.writableLength} ${writeQueueSize}`;
}

async function filesOf({ cert, key }: { readonly cert: string; readonly key: string }): Promise<{ cert: Buffer; key: Buffer }> {
  const [certBytes, keyBytes] = await Promise.all([readFile(cert), readFile(key)]);
  const files = { cert: certBytes, key: keyBytes };
  // Throws where one is not what it should be, or the two do not belong together.
  createSecureContext(files);
  return files;
}
