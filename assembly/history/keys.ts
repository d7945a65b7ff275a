// The key set (chapter 1): who signs the history, who approves, and the key of the argument digests.

import { base64urlBytes, readBase64url, writeBase64url } from "../digest/base64url";
import { constantTimeEqual } from "../digest/compare";
import { HMAC_KEY_STATE, HMAC_LENGTH, hmac, hmacKey } from "../digest/hmac";
import { SIGNATURE_LENGTH, SIGNING_KEY, expandSeed, publicKey, sign } from "../ed25519/sign";
import { VERIFYING_KEY, expandPublicKey, verifyExpanded } from "../ed25519/verify";
import { Buffer, Text } from "../memory/buffer";
import { equalAscii, equalBytes } from "../memory/bytes";
import { NameTable } from "../memory/names";
import { allocate } from "../memory/region";
import {
  ARRAY, NULL, OBJECT, STRING, TRUE, Value,
  count, first, get, isBoolean, isInteger, isKind, isString, kind, next, numberValue, stringLength, stringStart, stringText,
} from "../json/value";

export const HS256: i32 = 0;
export const EDDSA: i32 = 1;
export const USE_SIGN: i32 = 0;
export const USE_APPROVE: i32 = 1;

/** Bytes of an Ed25519 signature; an HS256 one has 32. */
export const SIGNATURE_MAXIMUM: i32 = 64;

@final
export class Key {
  /** HS256: the HMAC state. */
  secret: usize = 0;
  /** EdDSA: the public key made ready, 0 where it is no point of the curve; and the private key made ready, or 0. */
  publicKey: usize = 0;
  privateKey: usize = 0;
  constructor(
    public kid: Text,
    public algorithm: i32,
    public use: i32,
  ) {}

  get signatureLength(): i32 {
    return this.algorithm == HS256 ? HMAC_LENGTH : SIGNATURE_LENGTH;
  }

  /** Signs a message: `signatureLength` bytes at `out`. */
  sign(start: usize, length: i32, out: usize): void {
    if (this.algorithm == HS256) hmac(this.secret, start, length, out);
    else sign(this.privateKey, start, length, out);
  }

  verify(start: usize, length: i32, signature: usize): bool {
    if (this.algorithm == HS256) {
      const mac = allocate(HMAC_LENGTH);
      hmac(this.secret, start, length, mac);
      return constantTimeEqual(mac, signature, HMAC_LENGTH);
    }
    return this.publicKey != 0 && verifyExpanded(this.publicKey, start, length, signature);
  }
}

@final
export class KeySet {
  keys: Array<Key> = [];
  /** The kids, each at the index of its key. */
  kids: NameTable = new NameTable();
  active: Key | null = null;
  preview: bool = false;
  /** The HMAC state of the digest key; 0 for plain digests. */
  digestKey: usize = 0;
  /** When the licence ends, in seconds; `licensed` false: never. */
  expires: i64 = 0;
  licensed: bool = false;
  /** How many hold it: its handle, and each session. */
  users: i32 = 1;
  constructor(public region: usize) {}

  /** Whether it can make decisions. */
  get decides(): bool {
    return this.preview || this.active != null;
  }

  find(start: usize, length: i32, use: i32): Key | null {
    const index = this.kids.find(start, length);
    if (index < 0) return null;
    const key = unchecked(this.keys[index]);
    return key.use == use ? key : null;
  }
}

const SET_NAMES: StaticArray<string> = ["format", "active", "keys", "digest_key", "digests", "licence", "preview"];
const OCT_NAMES: StaticArray<string> = ["kid", "kty", "alg", "k", "use"];
const OKP_NAMES: StaticArray<string> = ["kid", "kty", "crv", "alg", "x", "d", "use"];
const LICENCE_NAMES: StaticArray<string> = ["id", "expires"];

/** What is wrong with the key set read last, for people. */
export let keysProblem: string = "";

function only(object: Value, names: StaticArray<string>): bool {
  const end = next(object);
  for (let name = first(object); name < end; name = next(next(name))) {
    let found = false;
    for (let i = 0; i < names.length && !found; i++) found = equalAscii(stringStart(name), stringLength(name), unchecked(names[i]));
    if (!found) return false;
  }
  return true;
}

/** The bytes of a strict base64url member, or 0; `decodedLength` says how many. */
let decodedLength: i32 = 0;
function decode(value: Value): usize {
  if (!isKind(value, STRING)) return 0;
  const out = allocate(<usize>base64urlBytes(stringLength(value)) + 4);
  decodedLength = readBase64url(stringStart(value), stringLength(value), out);
  return decodedLength < 0 ? 0 : out;
}

function isKid(value: Value): bool {
  if (!isKind(value, STRING) || stringLength(value) == 0 || stringLength(value) > 64) return false;
  for (let i: usize = 0; i < <usize>stringLength(value); i++) {
    const c = load<u8>(stringStart(value) + i);
    const letter = ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a) || (c >= 0x30 && c <= 0x39) || c == 0x5f || c == 0x2d;
    if (!letter) return false;
  }
  return true;
}

function refuse(why: string): bool {
  keysProblem = why;
  return false;
}

/** Reads a key set, which lies in the set's region (the current one); null with `keysProblem` where it breaks chapter 1. */
export function readKeys(value: Value, region: usize): KeySet | null {
  const set = new KeySet(region);
  return readSet(value, set) ? set : null;
}

function readSet(value: Value, set: KeySet): bool {
  if (!isKind(value, OBJECT)) return refuse("a key set is an object");
  if (!only(value, SET_NAMES)) return refuse("a key set has the members format, active, keys, digest_key or digests, licence, preview");
  if (!isString(get(value, "format"), "qls-keys/1")) return refuse('the format is "qls-keys/1"');
  const preview = get(value, "preview");
  if (preview != 0 && !isBoolean(preview)) return refuse("preview is true or false");
  set.preview = preview != 0 && kind(preview) == TRUE;
  const keys = get(value, "keys");
  if (!isKind(keys, ARRAY)) return refuse("keys is a list of keys");
  const end = next(keys);
  for (let key = first(keys); key < end; key = next(key)) if (!readKey(key, set)) return false;
  const active = get(value, "active");
  if (active != 0) {
    if (set.preview) return refuse("a preview has no active key");
    if (!isKind(active, STRING)) return refuse("active is the kid of the signing key");
    const key = set.find(stringStart(active), stringLength(active), USE_SIGN);
    if (key == null) return refuse("active names no key of the set with use sign");
    if (key.algorithm == EDDSA && key.privateKey == 0) return refuse("the active key has no private part (d)");
    set.active = key;
  }
  return readDigestKey(value, set) && readLicence(get(value, "licence"), set);
}

function readDigestKey(value: Value, set: KeySet): bool {
  const digestKey = get(value, "digest_key");
  const digests = get(value, "digests");
  if (digestKey != 0 && digests != 0) return refuse("digest_key and digests exclude each other");
  if (digests != 0) return isString(digests, "plain") ? true : refuse('digests is "plain", or absent');
  if (digestKey == 0) return refuse('digest_key (32 bytes) or "digests":"plain" is needed');
  const raw = decode(digestKey);
  if (raw == 0 || decodedLength != 32) return refuse("digest_key is 32 bytes in base64url");
  set.digestKey = allocate(HMAC_KEY_STATE);
  hmacKey(raw, 32, set.digestKey);
  return true;
}

function readLicence(licence: Value, set: KeySet): bool {
  if (licence == 0) return true;
  if (!isKind(licence, OBJECT) || !only(licence, LICENCE_NAMES)) return refuse("licence is {id, expires}");
  if (!isKind(get(licence, "id"), STRING)) return refuse("licence.id is a string");
  const expires = get(licence, "expires");
  if (expires == 0) return refuse("licence.expires is a time in seconds, or null");
  if (kind(expires) == NULL) return true;
  if (!isInteger(expires)) return refuse("licence.expires is a time in seconds, or null");
  set.licensed = true;
  set.expires = <i64>numberValue(expires);
  return true;
}

function readKey(value: Value, set: KeySet): bool {
  if (!isKind(value, OBJECT)) return refuse("a key is a JWK");
  const kid = get(value, "kid");
  if (!isKid(kid)) return refuse("a kid is 1 to 64 of A-Z a-z 0-9 _ -");
  if (set.kids.find(stringStart(kid), stringLength(kid)) >= 0) return refuse("two keys have one kid");
  const use = get(value, "use");
  if (use != 0 && !isString(use, "sign") && !isString(use, "approve")) return refuse("use is sign or approve");
  const approves = use != 0 && isString(use, "approve");
  const oct = isString(get(value, "kty"), "oct");
  const key = new Key(stringText(kid), oct ? HS256 : EDDSA, approves ? USE_APPROVE : USE_SIGN);
  if (!(oct ? readSecret(value, key) : readPair(value, key))) return false;
  set.keys.push(key);
  set.kids.add(key.kid.start, key.kid.length);
  return true;
}

function readSecret(value: Value, key: Key): bool {
  if (!only(value, OCT_NAMES)) return refuse("an oct key has the members kid, kty, alg, k, use");
  if (!isString(get(value, "alg"), "HS256")) return refuse("an oct key's alg is HS256");
  const raw = decode(get(value, "k"));
  if (raw == 0 || decodedLength < 32) return refuse("k is 32 bytes or more in base64url");
  key.secret = allocate(HMAC_KEY_STATE);
  hmacKey(raw, decodedLength, key.secret);
  return true;
}

function readPair(value: Value, key: Key): bool {
  if (!isString(get(value, "kty"), "OKP")) return refuse("a key's kty is oct or OKP");
  if (!only(value, OKP_NAMES)) return refuse("an OKP key has the members kid, kty, crv, alg, x, d, use");
  if (!isString(get(value, "crv"), "Ed25519") || !isString(get(value, "alg"), "EdDSA")) return refuse("an OKP key has crv Ed25519 and alg EdDSA");
  const x = decode(get(value, "x"));
  if (x == 0 || decodedLength != 32) return refuse("x is 32 bytes in base64url");
  const ready = allocate(VERIFYING_KEY);
  if (expandPublicKey(x, ready)) key.publicKey = ready;
  const d = get(value, "d");
  if (d == 0) return true;
  const seed = decode(d);
  if (seed == 0 || decodedLength != 32) return refuse("d is 32 bytes in base64url");
  const derived = allocate(32);
  publicKey(seed, derived);
  if (!equalBytes(derived, 32, x, 32)) return refuse("x is not the public key of d");
  key.privateKey = allocate(SIGNING_KEY);
  expandSeed(seed, key.privateKey);
  return true;
}

/**
 * Appends `KID.` and the base64url signature over a message.
 * @param scratch room for SIGNATURE_MAXIMUM bytes
 */
export function writeToken(key: Key, start: usize, length: i32, scratch: usize, out: Buffer): void {
  out.text(key.kid);
  out.byte(0x2e);
  key.sign(start, length, scratch);
  writeBase64url(scratch, key.signatureLength, out);
}
