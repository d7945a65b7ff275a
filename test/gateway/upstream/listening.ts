// A web server of a test's own on a free port of this machine, by web-standard handlers or by Node's.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens with Node's own request and response. */
export async function listenRaw(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Listens with a web-standard handler. */
export function listenWeb(handler: (request: Request) => Response | Promise<Response>): Promise<Listening> {
  return listenRaw(getRequestListener((request) => handler(request)));
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request.setEncoding("utf8")) body += part;
  return body;
}

/** Answers with JSON. */
export function json(response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(typeof value === "string" ? value : JSON.stringify(value));
}
