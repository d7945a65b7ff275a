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

/** Where a program of these steps is called, behind the gateways' address. */
export const pathOf = (steps: number): string => `/steps-${steps}`;

/** The steps that an address was registered for; null where it is none of these. */
export function stepsOf(uri: string): number | null {
  const found = /\/steps-(\d{1,9})$/.exec(uri);
  return found === null ? null : Number(found[1]);
}

/** Takes what is asked of programs of these steps, and turns away the rest (421): behind one balancer, another gateway takes it. Throws EngineError `port_in_use`, `engine_unavailable`. */
export async function openEndpoint({ host, port }: Listening, steps: number, handler: NonNullable<Handler>): Promise<OpenEndpoint> {
  const server = createServer((request, response) => {
    if (`/${request.url}`.includes(`${pathOf(steps)}/`)) return handler(request, response);
    // Restate takes a 503 for a sign to slow down.
    response.writeHead(421, { "content-type": "text/plain" }).end(`this gateway takes what is asked at ${pathOf(steps)}`);
  });
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
