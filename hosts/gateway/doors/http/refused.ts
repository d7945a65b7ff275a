// What a client is told whose bytes are no HTTP request: there is none that a handler could answer.
import type { Socket } from "node:net";
import { STATUS_CODES } from "node:http";
import { SECURITY } from "./guard.ts";

/** By Node's own code; anything else is `http_invalid`. */
const CODES: Readonly<Record<string, readonly [status: number, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "headers_size", "the headers are longer than 16 KiB"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "request_time", "the request did not come in time: send it at once"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "body_size", "the body's chunk extensions are too long"],
};

/** Answers with a coded error and closes the connection: what else is on it cannot be told apart from the request that is wrong. */
export function refuseBytes({ code = "" }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, coded, message] = (Object.hasOwn(CODES, code) ? CODES[code] : undefined) ?? [400, "http_invalid", "this is no HTTP/1.1 request that can be read in one way"];
  const body = JSON.stringify({ error: { code: coded, message } });
  const headers = { ...SECURITY, "content-type": "application/json", "content-length": String(Buffer.byteLength(body)), connection: "close" };
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`);
  // Whoever goes on sending is not waited for.
  socket.destroySoon();
}
