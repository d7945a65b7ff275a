// Lists and maps, whatever they are made of: literals, JSON values read in place, the facts, the origins.

import { Value, count, first, member, next, stringLength, stringStart } from "../json/value";
import { exhausted, spend } from "../memory/steps";
import { equalSlots } from "./compare";
import { Environment } from "./environment";
import {
  DOUBLE, FACTS, INT, JSON_LIST, JSON_MAP, LIST, MAP, ORIGINS, SLOT_SIZE, STRING, Slot, UINT, addressOf, asideOf, copySlot, doubleOf, intOf, setAddress,
  setBool, setError, setNode, tagOf, uintOf,
} from "./slot";

/** The origin of an argument for which none was claimed (chapter 2). */
const MODEL: usize = memory.data<u8>([0x6d, 0x6f, 0x64, 0x65, 0x6c]);
const MODEL_LENGTH: i32 = 5;

let claimed: Value = 0;
let arguments: Value = 0;

/** Takes the call that ORIGINS stands for. */
export function useOrigins(environment: Environment): void {
  claimed = environment.origins;
  arguments = environment.args;
}

export function isList(slot: Slot): bool {
  const tag = tagOf(slot);
  return tag == LIST || tag == JSON_LIST;
}

export function isMap(slot: Slot): bool {
  const tag = tagOf(slot);
  return tag == MAP || tag == JSON_MAP || tag == FACTS || tag == ORIGINS;
}

/** The JSON object whose names are a map's keys, or 0. */
function objectOf(map: Slot): Value {
  return tagOf(map) == ORIGINS ? arguments : <Value>addressOf(map);
}

/** How many elements or entries a list or map has. */
export function sizeOf(collection: Slot): i32 {
  const tag = tagOf(collection);
  if (tag == LIST || tag == MAP) return asideOf(collection);
  const node = objectOf(collection);
  return node == 0 ? 0 : count(node);
}

/**
 * The sorted members' table of an object, or 0 where its members stand in order: keys are met in UTF-16 order, so that nothing
 * depends on how a request was written.
 */
// @ts-ignore: decorator
@inline
function sortedTable(object: Value): usize {
  return load<u32>(object, 20);
}

/** Where a walk over a list's elements or a map's keys begins. */
export function beginWalk(collection: Slot): usize {
  const tag = tagOf(collection);
  if (tag == LIST || tag == MAP) return addressOf(collection);
  const node = objectOf(collection);
  if (node == 0 || count(node) == 0) return 0;
  if (tag == JSON_LIST) return first(node);
  const table = sortedTable(node);
  return table != 0 ? table : first(node);
}

/** Sets the element or key at `at` of a walk, and returns where the next one is. The walk ends by counting. */
export function stepWalk(collection: Slot, at: usize, out: Slot): usize {
  const tag = tagOf(collection);
  if (tag == LIST) {
    copySlot(out, at);
    return at + SLOT_SIZE;
  }
  if (tag == MAP) {
    copySlot(out, at);
    return at + 2 * SLOT_SIZE;
  }
  if (tag == JSON_LIST) {
    setNode(out, at);
    return next(at);
  }
  if (sortedTable(objectOf(collection)) != 0) {
    const name: usize = load<u32>(at);
    setAddress(out, STRING, stringStart(name), stringLength(name));
    return at + 4;
  }
  setAddress(out, STRING, stringStart(at), stringLength(at));
  return next(next(at));
}

/** A member's value, or 0. Pays for what is looked at (json/value.ts): all members where there is no table, else some of them by halves. */
function find(object: Value, start: usize, length: i32): Value {
  const total = count(object);
  if (sortedTable(object) == 0) spend((total >> 3) + <i64>(length >> 8) * <i64>total);
  else spend(<i64>(length >> 5) * <i64>(32 - clz(total)));
  return exhausted() ? <Value>0 : member(object, start, length);
}

/** Sets the origin of the argument named by a text; false where there is no such argument. */
function findOrigin(start: usize, length: i32, out: Slot): bool {
  if (arguments == 0 || find(arguments, start, length) == 0) return false;
  const claim: Value = claimed == 0 ? <Value>0 : find(claimed, start, length);
  if (claim != 0) setNode(out, claim);
  else setAddress(out, STRING, MODEL, MODEL_LENGTH);
  return true;
}

/** Sets the value of a map's entry whose key is a text; false, `out` untouched, where there is none. */
export function findField(map: Slot, start: usize, length: i32, out: Slot): bool {
  const tag = tagOf(map);
  if (tag == ORIGINS) return findOrigin(start, length, out);
  if (tag == MAP) return findNative(map, 0, start, length, out);
  const object = <Value>addressOf(map);
  if (object == 0) return false;
  const value = find(object, start, length);
  if (value == 0) return false;
  setNode(out, value);
  return true;
}

const NAME_KEY: usize = memory.data(16, 8);

/** Looks through a literal's entries, for the key slot or, where that is 0, the text. */
function findNative(map: Slot, key: Slot, start: usize, length: i32, out: Slot): bool {
  let wanted = key;
  if (wanted == 0) {
    wanted = NAME_KEY;
    setAddress(wanted, STRING, start, length);
  }
  const size = asideOf(map);
  const entries = addressOf(map);
  spend(size >> 3);
  for (let i = 0; i < size; i++) {
    const entry = entries + <usize>i * (2 * SLOT_SIZE);
    if (equalSlots(entry, wanted)) {
      copySlot(out, entry + SLOT_SIZE);
      return true;
    }
  }
  return false;
}

/** Sets the value of a map's entry; false, `out` untouched, where there is none. Keys are compared as `==` does. */
export function findKey(map: Slot, key: Slot, out: Slot): bool {
  if (tagOf(map) == MAP) return findNative(map, key, 0, 0, out);
  if (tagOf(key) != STRING) return false;
  return findField(map, addressOf(key), asideOf(key), out);
}

/** `e.f`: replaces a map by its field. A fact that was not sent is false. */
export function select(slot: Slot, start: usize, length: i32): void {
  if (!isMap(slot)) {
    setError(slot);
    return;
  }
  const isFacts = tagOf(slot) == FACTS;
  if (findField(slot, start, length, slot)) return;
  if (isFacts) setBool(slot, false);
  else setError(slot);
}

/** `has(e.f)`: replaces a map by whether it has the field. */
export function has(slot: Slot, start: usize, length: i32): void {
  if (isMap(slot)) setBool(slot, findField(slot, start, length, slot));
  else setError(slot);
}

/** `e[i]`: replaces a list or map by its element. */
export function index(slot: Slot, key: Slot): void {
  const tag = tagOf(slot);
  if (tag == LIST || tag == JSON_LIST) {
    const size = sizeOf(slot);
    const at = listIndex(key);
    if (at < 0 || at >= <i64>size) {
      setError(slot);
    } else if (tag == LIST) {
      copySlot(slot, addressOf(slot) + <usize>at * SLOT_SIZE);
    } else {
      spend(at >> 3);
      let element = first(addressOf(slot));
      for (let i: i64 = 0; i < at; i++) element = next(element);
      setNode(slot, element);
    }
    return;
  }
  if (!isMap(slot)) {
    setError(slot);
    return;
  }
  if (findKey(slot, key, slot)) return;
  if (tag == FACTS && tagOf(key) == STRING) setBool(slot, false);
  else setError(slot);
}

/** The index a value says, or -1: an int, or a uint or double with the value of one. */
function listIndex(key: Slot): i64 {
  const tag = tagOf(key);
  if (tag == INT) return intOf(key);
  if (tag == UINT) return uintOf(key) > <u64>i32.MAX_VALUE ? -1 : <i64>uintOf(key);
  if (tag != DOUBLE) return -1;
  const value = doubleOf(key);
  return value >= 0 && value <= 2147483647 && value == Math.floor(value) ? <i64>value : -1;
}

const ELEMENT: usize = memory.data(16, 8);

/** `element in collection`: replaces the element by whether it is there. */
export function contains(element: Slot, collection: Slot): void {
  if (isMap(collection)) {
    setBool(element, findKey(collection, element, ELEMENT));
    return;
  }
  if (!isList(collection)) {
    setError(element);
    return;
  }
  const size = sizeOf(collection);
  spend(size >> 3);
  let at = beginWalk(collection);
  for (let i = 0; i < size; i++) {
    at = stepWalk(collection, at, ELEMENT);
    if (equalSlots(ELEMENT, element)) {
      setBool(element, true);
      return;
    }
  }
  setBool(element, false);
}
