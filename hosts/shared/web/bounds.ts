// Reads request bodies within bounds: type, size and encoding, whatever the headers claim.
import { Failure } from "./failure.ts";

/**
 * The largest body unless the settings say otherwise, in bytes: room for a history of some 1,500 entries. The core takes up to 36 times a hostile body
 * (a list of ones; measured), and a Worker has 128 MB.
 */
export const MAX_BODY = 1 << 20;

/** Refuses a body that is not of the type, or is compressed (its size would be another than it says). Fails with `content_type`. */
export function requireType(request: Request, types: readonly string[]): void {
  const given = (request.headers.get("content-type") ?? "").split(";");
  const type = (given[0] ?? "").trim().toLowerCase();
  const charset = given
    .slice(1)
    .map((part) => part.trim().toLowerCase())
    .find((part) => part.startsWith("charset="));
  if (!types.includes(type) || (charset !== undefined && !/^charset="?utf-8"?$/.test(charset))) {
    throw new Failure(415, "content_type", `the body has to be ${types.join(" or ")} in UTF-8: say so in content-type`, { headers: { accept: types.join(", ") } });
  }
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") throw new Failure(415, "content_type", "a compressed body is not taken: send it as it is");
}

/**
 * The whole body as bytes. Fails with `body_size` as soon as it is known to be longer than `limit`, with `request_invalid` where it breaks off,
 * with `body_time` where it has not come whole within `withinMs` (milliseconds; without it the runtime's own limits hold).
 */
export async function readBody(request: Request, limit: number, withinMs?: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLong(limit);
  if (withinMs === undefined || request.body === null) return readWhole(request, limit, null);
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), withinMs);
  try {
    return await readWhole(request, limit, ended.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function readWhole(request: Request, limit: number, ended: AbortSignal | null): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  ended?.addEventListener("abort", () => void reader.cancel().catch(() => undefined), { once: true });
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      if (ended?.aborted === true) return { done: true, value: undefined } as const;
      throw new Failure(400, "request_invalid", "the body broke off", { cause });
    });
    if (ended?.aborted === true) throw new Failure(408, "body_time", "the body did not come in time: send it at once", { headers: { connection: "close" } });
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel().catch(() => undefined);
      throw tooLong(limit);
    }
    parts.push(value);
  }
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function tooLong(limit: number): Failure {
  return new Failure(413, "body_size", `the body is longer than ${limit} bytes`);
}

/** The body's text; null where it is not UTF-8. A byte order mark stays, for the core to refuse. */
export function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}

/** The request's Idempotency-Key; null without one. Fails with `idempotency_key`. */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key !== null && !/^[\x21-\x7e]{8,128}$/.test(key))
    throw new Failure(400, "idempotency_key", "an Idempotency-Key has 8 to 128 printable ASCII characters: a random one for each call");
  return key;
}
