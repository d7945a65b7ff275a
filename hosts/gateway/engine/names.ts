// What names of tenants, records and calls an engine takes: whatever is refused here reaches no store.
import { EngineError } from "./port.ts";

/** Throws EngineError `key_invalid`. */
export function requireKey(key: string): void {
  if (typeof key !== "string" || !/^[\x20-\x7e]{1,512}$/.test(key)) throw new EngineError("key_invalid", "a record's key has 1 to 512 printable ASCII characters");
}

/** Throws EngineError `key_invalid`. */
export function requireTenant(tenant: string): void {
  if (typeof tenant !== "string" || tenant === "" || tenant.length > 256 || !tenant.isWellFormed() || tenant.includes("\u0000")) throw new EngineError("key_invalid", "a tenant's name has 1 to 256 characters");
}

/** Throws EngineError `key_invalid`: a value is well-formed text. */
export function requireValue(value: string): void {
  if (typeof value !== "string" || !value.isWellFormed() || value.includes("\u0000")) throw new EngineError("key_invalid", "a record's value is well-formed text without U+0000");
}

/** The first text after all that start with a prefix: keys are ASCII. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u007f`;
}
