// Keys of callers: made at random, shown once, and known to the gateway by their SHA-256 alone.
import { createHash, randomBytes } from "node:crypto";

/** A key as its caller keeps it, and the hash that the gateway's file has (`sha256`, hexadecimal). */
export interface NewKey {
  readonly key: string;
  readonly sha256: string;
}

/** A new key: `ik_` and 256 random bits in base64url. */
export function newKey(): NewKey {
  const key = `ik_${randomBytes(32).toString("base64url")}`;
  return { key, sha256: keyHash(key) };
}

/** The hexadecimal SHA-256 of a key, as the gateway's file has it. */
export function keyHash(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
