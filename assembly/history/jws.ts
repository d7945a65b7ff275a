// The compact JWS (RFC 7515) of confirmations and approvals: a header of three members, byte for byte as we print it.

import { base64urlBytes, readBase64url, writeBase64url } from "../digest/base64url";
import { scan } from "../json/scan";
import { OBJECT, Value, isKind } from "../json/value";
import { Buffer, Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { allocate } from "../memory/region";
import { HS256, Key, KeySet, SIGNATURE_MAXIMUM } from "./keys";

/** Payloads are shallow and short; anything longer was not signed by us. */
const PAYLOAD_DEPTH: i32 = 8;
const PAYLOAD_BYTES: i64 = 1 << 24;

/** Appends the base64url header of a key's objects of a type. */
function writeHeader(key: Key, type: string, out: Buffer): void {
  const header = new Buffer(96);
  header.ascii(key.algorithm == HS256 ? '{"alg":"HS256","kid":"' : '{"alg":"EdDSA","kid":"');
  header.text(key.kid);
  header.ascii('","typ":"');
  header.ascii(type);
  header.ascii('"}');
  writeBase64url(header.start, header.length, out);
}

/** Appends the JWS of a payload's text. */
export function writeJws(key: Key, type: string, payload: Buffer, out: Buffer): void {
  const from = out.length;
  writeHeader(key, type, out);
  out.byte(0x2e);
  writeBase64url(payload.start, payload.length, out);
  const signature = allocate(SIGNATURE_MAXIMUM);
  key.sign(out.start + <usize>from, out.length - from, signature);
  out.byte(0x2e);
  writeBase64url(signature, key.signatureLength, out);
}

function dotAfter(text: Text, from: i32): i32 {
  let at = from;
  while (at < text.length && load<u8>(text.start + <usize>at) != 0x2e) at++;
  return at;
}

/** The payload of a JWS whose form, header, key (of the use) and signature hold; else 0. */
export function openJws(keys: KeySet, use: i32, type: string, text: Text): Value {
  const one = dotAfter(text, 0);
  const two = dotAfter(text, one + 1);
  if (two >= text.length || dotAfter(text, two + 1) != text.length) return 0;
  let key: Key | null = null;
  for (let i = 0; i < keys.keys.length && key == null; i++) {
    if (keys.keys[i].use != use) continue;
    const header = new Buffer(128);
    writeHeader(keys.keys[i], type, header);
    if (equalBytes(header.start, header.length, text.start, one)) key = keys.keys[i];
  }
  if (key == null) return 0;
  const letters = text.length - two - 1;
  if (base64urlBytes(letters) != key.signatureLength) return 0;
  const signature = allocate(SIGNATURE_MAXIMUM + 8);
  if (readBase64url(text.start + <usize>(two + 1), letters, signature) != key.signatureLength) return 0;
  if (!key.verify(text.start, two, signature)) return 0;
  const payload = allocate(<usize>base64urlBytes(two - one - 1) + 8);
  const length = readBase64url(text.start + <usize>(one + 1), two - one - 1, payload);
  if (length < 0) return 0;
  const value = scan(payload, length, PAYLOAD_DEPTH, PAYLOAD_BYTES);
  return isKind(value, OBJECT) ? value : 0;
}
