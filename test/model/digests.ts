// SHA-256, strict base64url and the argument digests of chapter 1.
import { createHash, createHmac } from "node:crypto";
import { canonical, json, type Json } from "./json.ts";

export type Part = string | Uint8Array;

/** SHA-256 over the parts, one after the other; text as UTF-8. */
export function H(...parts: Part[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function hmac(key: Uint8Array, ...parts: Part[]): Buffer {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** base64url without padding. */
export function b64u(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** Reads base64url strictly: no padding, no other letters, unused trailing bits zero; null where malformed. */
export function fromB64u(text: string): Buffer | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : null;
}

/** A digest as documents carry it: base64url of 32 bytes. */
export function isDigest(value: Json | undefined): value is string {
  return typeof value === "string" && fromB64u(value)?.length === 32;
}

/** How one session's argument digests are made: `key` is `K`, or null for the plain form. */
export interface DigestScope { key: Uint8Array | null; session: string; tenant: string }

/** The argument digest of a value (chapter 1, Digests and names), base64url. */
export function argumentDigest(scope: DigestScope, value: Json): string {
  const who = canonical(json({ session: scope.session, tenant: scope.tenant }));
  if (scope.key === null) return b64u(H("qls-argument/1\n", who, "\n", canonical(value)));
  const sessionKey = hmac(scope.key, "qls-digest-key/1\n", who);
  return b64u(hmac(sessionKey, "qls-argument/1\n", canonical(value)));
}
