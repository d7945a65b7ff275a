// Typed evidence for its tests: a JSON document of turns and arguments in, one answer an argument out.

import "../../assembly/abort";
import { provedTyped } from "../../assembly/evidence/typed";
import { scan } from "../../assembly/json/scan";
import { SortedMembers, Value, first, get, next, stringText } from "../../assembly/json/value";
import { Text } from "../../assembly/memory/buffer";
import { allocate, createRegion, enterRegion, resetRegion } from "../../assembly/memory/region";
import { beginSteps, spend } from "../../assembly/memory/steps";

const region = createRegion();
let proved: StaticArray<bool> = [];

/** Empties the test memory and makes room in it. */
export function input(length: i32): usize {
  enterRegion(region);
  resetRegion(region);
  return allocate(<usize>length);
}

/** Asks for every argument of `{"turns":[…],"arguments":{…}}`, claimed typed; answers how many there are, or -1. */
export function prove(start: usize, length: i32, portuguese: i32, limit: i64): i32 {
  const document = scan(start, length, 128, i32.MAX_VALUE);
  if (document == 0) return -1;
  const turns: Array<Text> = [];
  const list = get(document, "turns");
  for (let turn = first(list); turn < next(list); turn = next(turn)) turns.push(stringText(turn));
  const names: Array<Value> = [];
  for (let m = new SortedMembers(get(document, "arguments")); m.name != 0; m.advance()) names.push(m.name);
  proved = new StaticArray<bool>(names.length);
  beginSteps(limit);
  provedTyped(turns, portuguese != 0, names, proved);
  return names.length;
}

/** Whether argument `index`, by name, is proved. */
export function isProved(index: i32): bool {
  return proved[index];
}

/** The steps the last question took, of `limit`. */
export function stepsOf(limit: i64): i64 {
  let low: i64 = 0;
  for (let bit: i64 = 1 << 60; bit > 0; bit >>= 1) {
    if (spend(bit)) low += bit;
    else spend(-bit);
  }
  return limit - low;
}
