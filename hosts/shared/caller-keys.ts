// Keys of a gateway's callers, made at random, shown once and known by their SHA-256 alone; and what a caller may be granted.
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

/** What a caller may be granted (the gateway's file, `may`) besides proposing calls. The names of chapter 4's table are the members it may set. */
export const GRANTS = [
  "turns", "origins", "context", "resource", "agent", "principal", "confirmation", "approvals", "undo",
  "report", "receipt", "approve", "read_approvals", "policy", "kill", "audit", "sessions", "metrics", "admin",
] as const;
export type Grant = (typeof GRANTS)[number];
