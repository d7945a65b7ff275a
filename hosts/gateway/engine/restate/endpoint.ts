// The port at which Restate calls this gateway: HTTP/2 without TLS, closed with every connection.
import { createServer, type Http2Session, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { EngineError } from "../port.ts";

export interface Listening {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

export interface OpenEndpoint {
  readonly port: number;
  close(): Promise<void>;
}

type Handler = Parameters<typeof createServer>[1];

/** Throws EngineError `port_in_use`, `engine_unavailable`. */
export async function openEndpoint({ host, port }: Listening, handler: NonNullable<Handler>): Promise<OpenEndpoint> {
  const server = createServer(handler);
  const sessions = new Set<Http2Session>();
  server.on("session", (session: ServerHttp2Session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    // A connection that breaks is opened again by Restate.
    session.on("error", () => undefined);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const code = cause.code === "EADDRINUSE" ? "port_in_use" : "engine_unavailable";
      reject(new EngineError(code, `the address that Restate calls, ${host}:${port}, cannot be opened: ${cause.message}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}
