// Key sets of chapter 1: loading with every rule, signing, verifying.
import { b64u, fromB64u, hmac } from "./digests.ts";
import { publicOf, signEd25519, verifyEd25519 } from "./ed25519.ts";
import { isInteger, isObject, type Json, type JsonObject } from "./json.ts";

export interface Key {
  kid: string;
  alg: "HS256" | "EdDSA";
  use: "sign" | "approve";
  secret: Buffer | null; // the oct key, or the Ed25519 secret `d`
  public: Buffer | null; // Ed25519 `x`
}

export interface KeySet {
  active: Key | null;
  preview: boolean;
  keys: Map<string, Key>;
  /** `K` of the keyed digests; null where digests are plain. */
  digestKey: Buffer | null;
  /** Seconds; null where the licence does not expire or there is none. */
  licenceExpires: number | null;
}

export class KeysInvalid extends Error {
  readonly code = "keys_invalid";
}

function refuse(why: string): never {
  throw new KeysInvalid(why);
}

function onlyMembers(object: JsonObject, allowed: string[]): void {
  for (const name of object.keys()) if (!allowed.includes(name)) refuse(`unknown member ${name}`);
}

function bytesOf(value: Json | undefined, what: string): Buffer {
  const bytes = typeof value === "string" ? fromB64u(value) : null;
  return bytes ?? refuse(`${what} is not base64url`);
}

/** Loads a key set; throws KeysInvalid where it breaks any rule of chapter 1, Keys. */
export function loadKeys(value: Json): KeySet {
  if (!isObject(value)) refuse("not an object");
  onlyMembers(value, ["format", "active", "keys", "digest_key", "digests", "licence", "preview"]);
  if (value.get("format") !== "qls-keys/1") refuse("format");

  const list = value.get("keys");
  if (!Array.isArray(list)) refuse("keys");
  const keys = new Map<string, Key>();
  for (const item of list as Json[]) {
    const key = loadKey(item);
    if (keys.has(key.kid)) refuse(`kid ${key.kid} twice`);
    keys.set(key.kid, key);
  }

  const preview = value.get("preview") ?? false;
  if (typeof preview !== "boolean" || (value.has("preview") && value.get("preview") === null)) refuse("preview");
  if (preview && value.has("active")) refuse("preview and active exclude each other");

  let active: Key | null = null;
  if (value.has("active")) {
    const kid = value.get("active");
    active = (typeof kid === "string" ? keys.get(kid) : undefined) ?? refuse("active names no key");
    if (active.use !== "sign" || active.secret === null) refuse("the active key cannot sign");
  }

  if (value.has("digest_key") === value.has("digests")) refuse("digest_key or digests, one of both");
  let digestKey: Buffer | null = null;
  if (value.has("digest_key")) {
    digestKey = bytesOf(value.get("digest_key"), "digest_key");
    if (digestKey.length !== 32) refuse("digest_key is not 32 bytes");
  } else if (value.get("digests") !== "plain") refuse("digests");

  return { active, preview: preview as boolean, keys, digestKey, licenceExpires: loadLicence(value) };
}

function loadLicence(set: JsonObject): number | null {
  if (!set.has("licence")) return null;
  const licence = set.get("licence");
  if (!isObject(licence)) refuse("licence");
  onlyMembers(licence, ["id", "expires"]);
  if (typeof licence.get("id") !== "string") refuse("licence.id");
  const expires = licence.get("expires");
  if (expires === null) return null;
  if (!isInteger(expires)) refuse("licence.expires");
  return (expires as { value: number }).value;
}

function loadKey(item: Json): Key {
  if (!isObject(item)) refuse("a key is not an object");
  const kid = item.get("kid");
  if (typeof kid !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(kid)) refuse("kid");
  const use = item.has("use") ? item.get("use") : "sign";
  if (use !== "sign" && use !== "approve") refuse("use");
  if (item.get("kty") === "oct") {
    onlyMembers(item, ["kid", "use", "kty", "alg", "k"]);
    if (item.get("alg") !== "HS256") refuse("alg");
    const secret = bytesOf(item.get("k"), "k");
    if (secret.length < 32) refuse("k is shorter than 32 bytes");
    return { kid: kid as string, alg: "HS256", use: use as Key["use"], secret, public: null };
  }
  if (item.get("kty") !== "OKP") refuse("kty");
  onlyMembers(item, ["kid", "use", "kty", "crv", "alg", "x", "d"]);
  if (item.get("crv") !== "Ed25519" || item.get("alg") !== "EdDSA") refuse("crv, alg");
  const x = bytesOf(item.get("x"), "x");
  if (x.length !== 32) refuse("x is not 32 bytes");
  let secret: Buffer | null = null;
  if (item.has("d")) {
    secret = bytesOf(item.get("d"), "d");
    if (secret.length !== 32 || !publicOf(secret).equals(x)) refuse("x is not d's");
  }
  return { kid: kid as string, alg: "EdDSA", use: use as Key["use"], secret, public: x };
}

/** The signature of a message by a key that can sign. */
export function signWith(key: Key, message: Uint8Array): Buffer {
  return key.alg === "HS256" ? hmac(key.secret as Buffer, message) : signEd25519(message, key.secret as Buffer);
}

export function verifyWith(key: Key, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.alg === "HS256") return hmac(key.secret as Buffer, message).equals(signature);
  return verifyEd25519(message, signature, key.public as Buffer);
}

/** `KID.SIGNATURE` over a message (chapter 3, Links and tokens); null in a preview. */
export function makeToken(set: KeySet, message: Uint8Array): string | null {
  if (set.active === null) return null;
  return `${set.active.kid}.${b64u(signWith(set.active, message))}`;
}

/** True where the token is `KID.SIGNATURE` by a key of the set for use `sign` that verifies it. */
export function verifyToken(set: KeySet, token: string, message: Uint8Array): boolean {
  const dot = token.indexOf(".");
  const key = set.keys.get(token.slice(0, Math.max(dot, 0)));
  const signature = dot < 0 ? null : fromB64u(token.slice(dot + 1));
  return key !== undefined && key.use === "sign" && signature !== null && verifyWith(key, message, signature);
}
