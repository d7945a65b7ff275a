// What the Ed25519 tests call: the room's functions over memory that the test fills.

import "../../assembly/abort";
import { allocate, createRegion, enterRegion, resetRegion } from "../../assembly/memory/region";

export { fromBytes, invert, multiply, square, toBytes } from "../../assembly/ed25519/field";
export { decodePoint, encodePoint, hasSmallOrder } from "../../assembly/ed25519/point";
export { multiplyBase } from "../../assembly/ed25519/base";
export { digits16, isReduced, multiplyAdd, reduce, windowDigits } from "../../assembly/ed25519/scalar";
export { expandSeed, publicKey, sign } from "../../assembly/ed25519/sign";
export { expandPublicKey, verify, verifyExpanded } from "../../assembly/ed25519/verify";

let region: usize = 0;

/** Empties the memory of the test and gives it `size` bytes. */
export function input(size: i32): usize {
  if (region == 0) region = createRegion();
  enterRegion(region);
  resetRegion(region);
  return allocate(size);
}
