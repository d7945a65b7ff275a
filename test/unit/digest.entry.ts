// What the digest tests call: the digest room's functions over memory that the test fills.

import "../../assembly/abort";
import { writeBase64, writeBase64url } from "../../assembly/digest/base64url";
import { Buffer } from "../../assembly/memory/buffer";
import { allocate, createRegion, enterRegion, resetRegion } from "../../assembly/memory/region";

export { readBase64, readBase64url } from "../../assembly/digest/base64url";
export { constantTimeEqual } from "../../assembly/digest/compare";
export { hmac, hmacKey, hmacMany } from "../../assembly/digest/hmac";
export { sha256, sha256Begin, sha256End, sha256Update } from "../../assembly/digest/sha256";
export { sha256Many } from "../../assembly/digest/sha256x4";
export { sha512 } from "../../assembly/digest/sha512";

let region: usize = 0;

/** Empties the memory of the test and gives it `size` bytes. */
export function input(size: i32): usize {
  if (region == 0) region = createRegion();
  enterRegion(region);
  resetRegion(region);
  return allocate(size);
}

/** Writes base64url (or padded base64) after the input; returns its start and length in one number. */
export function encode(start: usize, length: i32, padded: bool): i64 {
  const out = new Buffer(16);
  if (padded) writeBase64(start, length, out);
  else writeBase64url(start, length, out);
  return (<i64>out.start << 32) | out.length;
}
