// Bodies of requests that came by Node's own server, read from its message: the web's streams around it take longer than the reading.
import type { IncomingMessage } from "node:http";
import { Failure } from "../../shared/web/failure.ts";
import { readBody } from "../../shared/web/bounds.ts";

const messages = new WeakMap<Request, IncomingMessage>();

/** Says which message of Node's a request is. */
export function cameBy(request: Request, message: IncomingMessage): void {
  messages.set(request, message);
}

/**
 * The whole body as bytes, once. Fails with `body_size` as soon as it is known to be longer than `limit` bytes, with `request_invalid` where it breaks off,
 * with `body_time` where it has not come whole within `withinMs` milliseconds.
 */
export function bodyOf(request: Request, limit: number, withinMs: number): Promise<Uint8Array> {
  const message = messages.get(request);
  return message === undefined ? readBody(request, limit, withinMs) : read(message, limit, withinMs);
}

function read(message: IncomingMessage, limit: number, withinMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const tooLong = (headers?: Record<string, string>): void => reject(new Failure(413, "body_size", `the body is longer than ${limit} bytes`, { headers }));
    if (Number(message.headers["content-length"] ?? 0) > limit) return tooLong();
    const parts: Buffer[] = [];
    let length = 0;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      message.off("data", take).off("end", whole).off("error", broken).off("close", broken);
      settle();
    };
    const take = (part: Buffer): void => {
      length += part.length;
      if (length <= limit) return void parts.push(part);
      message.pause();
      // Nothing more can be read of a connection whose body has no end.
      end(() => tooLong({ connection: "close" }));
    };
    const whole = (): void => end(() => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts)));
    const broken = (cause?: unknown): void => end(() => reject(new Failure(400, "request_invalid", "the body broke off", { cause })));
    const timer = setTimeout(() => end(() => reject(new Failure(408, "body_time", "the body did not come in time: send it at once", { headers: { connection: "close" } }))), withinMs);
    message.on("data", take).on("end", whole).on("error", broken).on("close", broken);
    if (message.destroyed || message.readableEnded) broken();
  });
}
