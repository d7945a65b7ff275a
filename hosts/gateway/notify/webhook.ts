// Signed webhooks by the Standard Webhooks convention: what is sent, how it is signed, and one bounded request.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookSettings } from "../config/settings.ts";

/** The headers that sign a body: id, time in seconds, and `v1,` with the base64 of HMAC-SHA-256 over `ID.TIME.BODY`; one such signature for each secret, with spaces between. */
export function signed(id: string, at: number, body: string, ...secrets: readonly string[]): Record<string, string> {
  return { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": secrets.map((secret) => `v1,${signature(id, at, body, secret)}`).join(" ") };
}

/** Whether headers sign this body by this secret, not longer than `toleranceSeconds` ago. For receivers, and for answers that must be signed. */
export function verifies(headers: { readonly id: string; readonly timestamp: string; readonly signature: string }, body: string, secret: string, now: number, toleranceSeconds = 300): boolean {
  if (!/^\d{1,12}$/.test(headers.timestamp) || Math.abs(now - Number(headers.timestamp)) > toleranceSeconds) return false;
  const wanted = Buffer.from(signature(headers.id, Number(headers.timestamp), body, secret));
  return headers.signature.split(" ").some((one) => {
    const given = Buffer.from(one.startsWith("v1,") ? one.slice(3) : "");
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

function signature(id: string, at: number, body: string, secret: string): string {
  return createHmac("sha256", Buffer.from(secret, "base64url")).update(`${id}.${at}.${body}`).digest("base64");
}

export interface Posted {
  readonly status: number;
  readonly body: string;
}

/**
 * Posts a JSON body, signed. Redirects are not followed: the address is the one that was configured.
 * @param limits `timeoutMs` for all of it, `bytes` of the answer, `now` in seconds since 1970
 * @throws Error where nothing came back within the limits
 */
export async function post(to: WebhookSettings, id: string, body: string, limits: { readonly timeoutMs: number; readonly bytes: number; readonly now: number }): Promise<Posted> {
  const response = await fetch(to.url, {
    method: "POST",
    redirect: "error",
    headers: { "content-type": "application/json", "user-agent": "interlock", ...signed(id, limits.now, body, to.secret, ...(to.previousSecret ? [to.previousSecret] : [])) },
    body,
    signal: AbortSignal.timeout(limits.timeoutMs),
  });
  return { status: response.status, body: await bounded(response, limits.bytes) };
}

async function bounded(response: Response, bytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > bytes) throw new Error(`the answer is longer than ${bytes} bytes`);
    parts.push(part);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
}
