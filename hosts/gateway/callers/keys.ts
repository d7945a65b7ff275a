// Callers' keys: made at random, known by their hashes alone.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A new key: `ik_` and 256 random bits in base64url; and its hexadecimal SHA-256, which is all that is kept. */
export function newKey(): { readonly key: string; readonly sha256: string } {
  const key = `ik_${randomBytes(32).toString("base64url")}`;
  return { key, sha256: keyHash(key) };
}

/** Hexadecimal SHA-256 of a key. */
export function keyHash(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Whether two hexadecimal hashes are equal, in a time that does not tell where they differ. */
export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, "hex"), Buffer.from(other, "hex")];
  return a.length === 32 && b.length === 32 && timingSafeEqual(a, b);
}
