// Values of arguments that the settings show: kept beside the log in a record that can be erased, and bound by a salted digest to the entry that told of the call.
import { createHash, randomBytes } from "node:crypto";
import { canonicalJson } from "./canonical.ts";

/** A call's shown values, as the record holds them. The salt goes with the record: once that is erased, no value can be tried out against the digest. */
export interface ShownValues {
  readonly call: string;
  /** 32 random bytes, base64url. */
  readonly salt: string;
  /** By the argument's name. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Where the records of a session are kept in the engine; the session's part of a key is the caller's to make. */
export const VALUES = "audit-values/";

/** A record of values (canonical JSON) and the digest that the entry has of it. */
export function sealed(call: string, values: Readonly<Record<string, unknown>>, salt: string = randomBytes(32).toString("base64url")): { readonly record: string; readonly digest: string } {
  const record = canonicalJson({ call, salt, values } satisfies ShownValues);
  return { record, digest: valuesDigest(record) };
}

/** base64url of SHA-256 over `interlock-audit-values/1\n` and the record's text. */
export function valuesDigest(record: string): string {
  return createHash("sha256").update("interlock-audit-values/1\n").update(record).digest("base64url");
}
