// The audit log's lines: each holds the hash of the line before, and signed checkpoints cover everything up to them. Documented to the byte in the README.
import { createHash, createHmac, createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { Sealer } from "../engine/port.ts";
import type { AuditBody } from "./entry.ts";
import { canonicalJson } from "./canonical.ts";

/** A key of a tenant's key set (chapter 1) that can sign. */
export interface SigningKey {
  readonly kid: string;
  readonly kty: "oct" | "OKP";
  readonly alg: string;
  readonly k?: string;
  readonly d?: string;
  readonly x?: string;
  /** A key with a use of its own (`approve`) signs no checkpoint. */
  readonly use?: string;
}

/** How often a checkpoint is made: after so many lines, or so long after the last one (milliseconds, by the entries' own times). */
export interface Checkpoints {
  readonly entries: number;
  readonly milliseconds: number;
}

/** base64url of SHA-256 over `interlock-audit/1\n` and a line; of a chain's start, over the tenant's name. */
export function lineHash(line: string): string {
  return createHash("sha256").update("interlock-audit/1\n").update(line).digest("base64url");
}

/** The key that signs: the active one of the key set. Throws where it has none that can. */
export function signingKey(keys: { readonly active?: string | null; readonly keys?: readonly SigningKey[] }): SigningKey {
  const key = keys.keys?.find(({ kid }) => kid === keys.active);
  if (key === undefined || (key.k ?? key.d) === undefined || (key.use ?? "sign") !== "sign") throw new Error("the key set's active key cannot sign");
  return key;
}

/** What the next line follows from. */
interface Last {
  readonly seq: number;
  readonly at: number;
  readonly since?: number;
  readonly signed?: number;
  readonly entry?: AuditBody;
  readonly checkpoint?: string;
}

/** Makes a tenant's next lines. `keyOf` and `every` are asked each time, so that a rotation counts from the next line. */
export function createSealer(keyOf: (tenant: string) => SigningKey, every: (tenant: string) => Checkpoints): Sealer {
  const privates = new Map<string, KeyObject>();
  // What the last line made of each tenant says: mostly the next one follows it, and needs neither be read nor hashed again.
  const made = new Map<string, { readonly text: string; readonly last: Last; readonly prev: string }>();
  return (tenant, previous, bodies) => {
    const known = made.get(tenant);
    const isKnown = known !== undefined && known.text === previous;
    const last = previous === null ? null : isKnown ? known.last : (JSON.parse(previous) as Last);
    let prev = isKnown ? known.prev : lineHash(previous ?? tenant);
    let seq = last === null ? 0 : last.seq + 1;
    // How many lines, and since when, no checkpoint covers.
    let since = last === null || last.checkpoint !== undefined ? 0 : last.since!;
    let signed = last === null ? 0 : last.checkpoint !== undefined ? last.at : last.signed!;
    const lines: string[] = [];
    const add = (members: Omit<Last, "seq">): void => {
      const line = canonicalJson({ prev, seq, tenant, ...members });
      lines.push(line);
      prev = lineHash(line);
      made.set(tenant, { text: line, last: { seq, ...members }, prev });
      seq++;
    };
    let at = last?.at ?? 0;
    for (const body of bodies) {
      at = Math.max(at, body.at);
      if (signed === 0) signed = at;
      since++;
      add({ at, entry: body, signed, since });
    }
    const { entries, milliseconds } = every(tenant);
    // An append of nothing asks for a checkpoint.
    if (since > 0 && (bodies.length === 0 || since >= entries || at - signed >= milliseconds)) {
      add({ at, checkpoint: jws(keyOf(tenant), { at, prev, seq, tenant }, privates) });
    }
    return lines;
  };
}

/** A JWS in compact form (RFC 7515), header and payload canonical. */
function jws(key: SigningKey, payload: Record<string, unknown>, privates: Map<string, KeyObject>): string {
  const alg = key.kty === "oct" ? "HS256" : "EdDSA";
  const text = `${base64url(canonicalJson({ alg, kid: key.kid, typ: "interlock-checkpoint+jws" }))}.${base64url(canonicalJson(payload))}`;
  if (key.kty === "oct") return `${text}.${createHmac("sha256", Buffer.from(key.k!, "base64url")).update(text).digest("base64url")}`;
  const name = `${key.kid}.${key.d}`;
  const secret = privates.get(name) ?? createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d: key.d!, x: key.x! }, format: "jwk" });
  privates.set(name, secret);
  return `${text}.${sign(null, Buffer.from(text), secret).toString("base64url")}`;
}

function base64url(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}

/** An entry's body as a line holds it. */
export type Line = { readonly seq: number; readonly prev: string; readonly tenant: string; readonly at: number } & ({ readonly entry: AuditBody; readonly since: number; readonly signed: number } | { readonly checkpoint: string });
