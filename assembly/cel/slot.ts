// The values a condition works with: 16-byte slots, and how a JSON node, a text or a number goes into one.
//
//   +0 tag (u32)   +4 aside (i32)   +8 payload (64 bits)
//
//   BOOL 0 or 1   INT i64   UINT u64   DOUBLE f64   STRING, BYTES address of the bytes, aside: how many
//   LIST address of its elements' slots, aside: how many      MAP address of its entries (key slot, value slot), aside: how many
//   TIMESTAMP seconds since 1970 (i64), aside: nanoseconds    DURATION nanoseconds (i64)    TYPE the tag it stands for
//   JSON_LIST, JSON_MAP a node read in place    FACTS the request's facts, a node or 0    ORIGINS the call's origins, nothing
//
// ERROR is a value like any other: whatever takes one gives one, but for what `&&`, `||`, `all` and `exists` absorb.

import {
  ARRAY, FALSE, NULL as JSON_NULL, NUMBER, OBJECT, STRING as JSON_STRING, TRUE, Value, kind, numberValue, stringLength, stringStart,
} from "../json/value";
import { Text } from "../memory/buffer";

/** The address of a slot. */
export type Slot = usize;

export const SLOT_SIZE: usize = 16;

export const ERROR: u32 = 0;
export const NULL: u32 = 1;
export const BOOL: u32 = 2;
export const INT: u32 = 3;
export const UINT: u32 = 4;
export const DOUBLE: u32 = 5;
export const STRING: u32 = 6;
export const BYTES: u32 = 7;
export const LIST: u32 = 8;
export const MAP: u32 = 9;
export const TIMESTAMP: u32 = 10;
export const DURATION: u32 = 11;
export const TYPE: u32 = 12;
export const JSON_LIST: u32 = 13;
export const JSON_MAP: u32 = 14;
export const FACTS: u32 = 15;
export const ORIGINS: u32 = 16;

// @ts-ignore: decorator
@inline
export function tagOf(slot: Slot): u32 {
  return load<u32>(slot);
}

// @ts-ignore: decorator
@inline
export function asideOf(slot: Slot): i32 {
  return load<i32>(slot, 4);
}

// @ts-ignore: decorator
@inline
export function addressOf(slot: Slot): usize {
  return load<u32>(slot, 8);
}

// @ts-ignore: decorator
@inline
export function intOf(slot: Slot): i64 {
  return load<i64>(slot, 8);
}

// @ts-ignore: decorator
@inline
export function uintOf(slot: Slot): u64 {
  return load<u64>(slot, 8);
}

// @ts-ignore: decorator
@inline
export function doubleOf(slot: Slot): f64 {
  return load<f64>(slot, 8);
}

// @ts-ignore: decorator
@inline
export function isTrue(slot: Slot): bool {
  return load<u32>(slot) == BOOL && load<u32>(slot, 8) == 1;
}

// @ts-ignore: decorator
@inline
export function isFalse(slot: Slot): bool {
  return load<u32>(slot) == BOOL && load<u32>(slot, 8) == 0;
}

// @ts-ignore: decorator
@inline
export function setError(slot: Slot): void {
  store<u32>(slot, ERROR);
}

// @ts-ignore: decorator
@inline
export function setBool(slot: Slot, value: bool): void {
  store<u32>(slot, BOOL);
  store<u64>(slot, <u64>value, 8);
}

// @ts-ignore: decorator
@inline
export function setInt(slot: Slot, value: i64): void {
  store<u32>(slot, INT);
  store<i64>(slot, value, 8);
}

// @ts-ignore: decorator
@inline
export function setUint(slot: Slot, value: u64): void {
  store<u32>(slot, UINT);
  store<u64>(slot, value, 8);
}

// @ts-ignore: decorator
@inline
export function setDouble(slot: Slot, value: f64): void {
  store<u32>(slot, DOUBLE);
  store<f64>(slot, value, 8);
}

/** Sets a value that is an address with a count or length: STRING, BYTES, LIST, MAP. */
// @ts-ignore: decorator
@inline
export function setAddress(slot: Slot, tag: u32, address: usize, aside: i32): void {
  store<u32>(slot, tag);
  store<i32>(slot, aside, 4);
  store<u64>(slot, <u64>address, 8);
}

export function setText(slot: Slot, text: Text): void {
  setAddress(slot, STRING, text.start, text.length);
}

// @ts-ignore: decorator
@inline
export function setTimestamp(slot: Slot, seconds: i64, nanoseconds: i32): void {
  store<u32>(slot, TIMESTAMP);
  store<i32>(slot, nanoseconds, 4);
  store<i64>(slot, seconds, 8);
}

// @ts-ignore: decorator
@inline
export function setDuration(slot: Slot, nanoseconds: i64): void {
  store<u32>(slot, DURATION);
  store<i64>(slot, nanoseconds, 8);
}

// @ts-ignore: decorator
@inline
export function copySlot(to: Slot, from: Slot): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
}

/** Sets a JSON value (of the call's tape); every number is a double. */
export function setNode(slot: Slot, node: Value): void {
  switch (kind(node)) {
    case JSON_NULL:
      store<u32>(slot, NULL);
      break;
    case FALSE:
      setBool(slot, false);
      break;
    case TRUE:
      setBool(slot, true);
      break;
    case NUMBER:
      setDouble(slot, numberValue(node));
      break;
    case JSON_STRING:
      setAddress(slot, STRING, stringStart(node), stringLength(node));
      break;
    case ARRAY:
      setAddress(slot, JSON_LIST, node, 0);
      break;
    case OBJECT:
      setAddress(slot, JSON_MAP, node, 0);
      break;
  }
}

/** The type of a value, as a tag up to TYPE. */
export function typeOf(slot: Slot): u32 {
  const tag = tagOf(slot);
  return tag <= TYPE ? tag : tag == JSON_LIST ? LIST : MAP;
}
