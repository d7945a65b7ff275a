// The part of the walk that goes into objects and arrays: members, elements, and what asks for members by name.

import { spend } from "../memory/steps";
import { NODE_SIZE, Value, count, first, kind, member, next, stringLength, stringStart } from "../json/value";
import { Pattern } from "../regex/compile";
import { MATCH_STEPS, MATCH_YES, matchPattern } from "../regex/run";
import {
  ASKS_ELEMENTS, ASKS_MEMBERS, ASKS_NOTHING, ASKS_NUMBER, ASKS_OTHER_KIND, ASKS_TEXT, ASKS_VALUES, ASKS_WHOLE, ArrayRecord, DependentRecord, NodeRecord,
  NumberRecord, ObjectRecord, asks, listCount, listNode,
} from "./program";
import {
  ENTRY_ASKS, ENTRY_LENGTH, ENTRY_LISTED, ENTRY_MASK, ENTRY_NUMBER, ENTRY_OPERAND, ENTRY_PAYLOAD, ENTRY_REQUIRED, ENTRY_SIZE, ENTRY_TAIL, NamesRecord, findName, isEntry, otherNames,
} from "./properties";
import {
  RULE_CONTAINS, RULE_MAX_CONTAINS, RULE_MAX_ITEMS, RULE_MAX_PROPERTIES, RULE_MIN_CONTAINS, RULE_MIN_ITEMS, RULE_MIN_PROPERTIES,
  RULE_PROPERTY_NAMES, RULE_REQUIRED, RULE_UNIQUE_ITEMS,
} from "./rules";
import { checkNumber, checkText, checkValues, isPlainlyWhole, isWhole, isWithin } from "./scalars";
import { hasBit, popScratch, pushSet, setBit } from "./scratch";
import { allUnique } from "./unique";
import { enterLevel, enterQuiet, fail, leaveLevel, leaveQuiet, quiet, stop, stopped, walk } from "./walk";

/** Names and texts from this length on are paid for by their length: a step for each 64 bytes. */
export const LONG: i32 = 64;

/** Takes the steps that looking at a text of this length takes. */
// @ts-ignore: decorator
@inline
export function spendText(length: i32): bool {
  return length < LONG || spend(<i64>(length >> 6));
}

/** A member does not fit: the sign of the count of required names that are there. */
const FAILED: i32 = i32.MIN_VALUE;

/** The entry of a member's name, or the one for all other names; `guess` is tried first. */
function seek(part: ObjectRecord, guess: usize, name: Value): usize {
  const start = stringStart(name);
  const length = stringLength(name);
  // Past the budget the next to be looked at ends the walk.
  if (!spendText(length)) stop(next(name));
  if (isEntry(guess, start, length)) return guess;
  const entry = findName(part.names, start, length);
  return entry != 0 ? entry : otherNames(part.names);
}

/**
 * An object under a schema that has `properties`, `required` and `additionalProperties` alone: nearly all there are in tools' schemas.
 * The inner loop calls nothing, so that an engine keeps all of it in registers.
 */
export function walkMembersOf(part: ObjectRecord, object: Value): bool {
  if (!spend(count(object) + 1)) return stop(object);
  if (!enterLevel()) return stop(object);
  const end = next(object);
  let entry = part.entries;
  let present = 0;
  let name = first(object);
  for (;;) {
    let asked: u32 = ASKS_NOTHING;
    let found = true;
    while (name < end) {
      const length = stringLength(name);
      // Arguments mostly come in the order in which the schema lists them.
      const start = stringStart(name);
      found = false;
      if (load<i32>(entry, ENTRY_LENGTH) != length) break;
      if ((load<u64>(start) & load<u64>(entry, ENTRY_MASK)) != load<u64>(entry)) break;
      if (length > 8) {
        if (length > 16) break;
        if (load<u64>(start + <usize>length - 8) != load<u64>(entry, ENTRY_TAIL)) break;
      }
      found = true;
      const value = name + NODE_SIZE;
      asked = <u32>load<u8>(entry + <usize>kind(value), ENTRY_ASKS);
      if (asked != ASKS_NOTHING) {
        const number = changetype<NumberRecord>(<usize>load<u32>(entry, ENTRY_NUMBER));
        if (asked == ASKS_NUMBER) {
          if (!isWithin(number, value)) break;
        } else if (asked == ASKS_WHOLE) {
          if (!isPlainlyWhole(value)) break;
        } else {
          break;
        }
      }
      present += load<i32>(entry, ENTRY_REQUIRED);
      entry += ENTRY_SIZE;
      name = next(value);
    }
    if (name >= end) break;
    const value = name + NODE_SIZE;
    if (!found) {
      entry = seek(part, entry, name);
      asked = <u32>load<u8>(entry + <usize>kind(value), ENTRY_ASKS);
    }
    present += load<i32>(entry, ENTRY_REQUIRED);
    if (asked != ASKS_NOTHING) {
      const child = changetype<NodeRecord>(<usize>load<u32>(entry, ENTRY_PAYLOAD));
      if (!(asked == ASKS_MEMBERS ? walkMembersOf(child.object, value) : asked == ASKS_ELEMENTS ? walkElementsOf(child.array, value) : walkChild(child, value))) {
        if (quiet != 0 || stopped()) {
          leaveLevel();
          return false;
        }
        present |= FAILED;
      }
    }
    entry += ENTRY_SIZE;
    name = next(value);
  }
  leaveLevel();
  return present == part.required || lacks(part, object, present);
}

/** Ends an object of which a member does not fit or is not there: false. */
function lacks(part: ObjectRecord, object: Value, present: i32): bool {
  if (quiet != 0 || (present & ~FAILED) == part.required) return false;
  return fail(object, RULE_REQUIRED, missing(part.names, object));
}

/**
 * Whether a member or an element fits a node. Its container has paid for it: where its kind or one part alone decides, it costs no
 * step more than that part takes.
 */
export function walkChild(node: NodeRecord, value: Value): bool {
  switch (asks(node, kind(value))) {
    case ASKS_NOTHING: return true;
    case ASKS_OTHER_KIND: return failType(node, value);
    case ASKS_WHOLE: return isWhole(value) || failType(node, value);
    case ASKS_NUMBER: return checkNumber(node.number, value);
    case ASKS_TEXT: return checkText(node.text, value);
    case ASKS_VALUES: return checkValues(node.values, value);
    case ASKS_MEMBERS: return walkMembersOf(node.object, value);
    case ASKS_ELEMENTS: return walkElementsOf(node.array, value);
    default: return walk(node, value, 0);
  }
}

function failType(node: NodeRecord, value: Value): bool {
  return fail(value, node.typeRule, node.typeOperand);
}

/** What speaks of objects. */
export function walkObject(part: ObjectRecord, object: Value, marks: usize): bool {
  const total = count(object);
  let valid = true;
  if (total < part.minimum) valid = fail(object, RULE_MIN_PROPERTIES, part.minimumOperand);
  if (total > part.maximum) valid = fail(object, RULE_MAX_PROPERTIES, part.maximumOperand);
  if (!valid && quiet != 0) return false;
  let members: bool;
  if (part.patterns == 0 && marks == 0) {
    // It is the level that the node is on.
    leaveLevel();
    members = walkMembersOf(part, object);
    enterLevel();
  } else {
    members = walkMembersByPattern(part, object, marks);
  }
  if (!members && (quiet != 0 || stopped())) return false;
  return walkFurther(part, object, marks) && members && valid;
}

/** The members of an object with `patternProperties`, or where those that were evaluated are marked. */
function walkMembersByPattern(part: ObjectRecord, object: Value, marks: usize): bool {
  const total = count(object);
  if (!spend(total)) return stop(object);
  const names = part.names;
  let guess = names.entries;
  let present = 0;
  let valid = true;
  let name = first(object);
  for (let index = 0; index < total; index++) {
    const value = name + NODE_SIZE;
    const start = stringStart(name);
    const length = stringLength(name);
    if (!spendText(length)) return stop(value);
    let known = false;
    let entry = guess;
    if (!isEntry(entry, start, length)) entry = findName(names, start, length);
    if (entry != 0) {
      guess = entry + ENTRY_SIZE;
      present += load<i32>(entry, ENTRY_REQUIRED);
      if (load<u32>(entry, ENTRY_LISTED) != 0) {
        known = true;
        if (!walkChild(changetype<NodeRecord>(<usize>load<u32>(entry, ENTRY_PAYLOAD)), value)) valid = false;
      }
    }
    const patterns = listCount(part.patterns);
    for (let i: usize = 0; i < <usize>patterns; i++) {
      const candidate = part.patterns + 8 + (i << 3);
      const matched = matchPattern(changetype<Pattern>(<usize>load<u32>(candidate)), start, length);
      if (matched == MATCH_STEPS) return stop(value);
      if (matched != MATCH_YES) continue;
      known = true;
      if (!walkChild(changetype<NodeRecord>(<usize>load<u32>(candidate, 4)), value)) valid = false;
    }
    if (!known && part.hasAdditional != 0) {
      known = true;
      if (!walkChild(part.additional, value)) valid = false;
    }
    if (!valid && (quiet != 0 || stopped())) return false;
    if (known && marks != 0) setBit(marks, index);
    name = next(value);
  }
  if (present == part.required) return valid;
  return fail(object, RULE_REQUIRED, quiet == 0 ? missing(names, object) : 0);
}

/** `propertyNames`, and what depends on a member. */
function walkFurther(part: ObjectRecord, object: Value, marks: usize): bool {
  const valid = changetype<usize>(part.propertyNames) == 0 || walkNames(part.propertyNames, object);
  if (!valid && (quiet != 0 || stopped())) return false;
  return (part.dependents == 0 || walkDependents(part.dependents, object, marks)) && valid;
}

/** The node, in `required`, of the first name that the object lacks. */
function missing(names: NamesRecord, object: Value): Value {
  const known = <i32>((names.end - names.entries) / ENTRY_SIZE);
  const present = pushSet(known);
  const total = count(object);
  let name = first(object);
  for (let i = 0; i < total; i++) {
    const entry = findName(names, stringStart(name), stringLength(name));
    if (entry != 0) setBit(present, <i32>((entry - names.entries) / ENTRY_SIZE));
    name = next(next(name));
  }
  let found: Value = 0;
  for (let i = 0; i < known && found == 0; i++) if (!hasBit(present, i)) found = load<u32>(names.entries + <usize>i * ENTRY_SIZE, ENTRY_OPERAND);
  popScratch(present);
  return found;
}

/** Takes the steps for looking a member up: by bisection where there are many. */
export function spendLookup(object: Value, name: Value): bool {
  const sorted = load<u32>(object, 20) != 0;
  return spend(sorted ? 4 : (count(object) >> 3) + 1) && spendText(stringLength(name));
}

/** Whether an object has a member. */
function has(object: Value, name: Value): bool {
  return count(object) != 0 && spendLookup(object, name) && member(object, stringStart(name), stringLength(name)) != 0;
}

function walkNames(node: NodeRecord, object: Value): bool {
  if (count(object) == 0) return true;
  const end = next(object);
  enterQuiet();
  let valid = true;
  for (let name = first(object); name < end && valid; name = next(next(name))) valid = walk(node, name, 0);
  leaveQuiet();
  return valid || stopped() ? valid : fail(object, RULE_PROPERTY_NAMES, 0);
}

function walkDependents(list: usize, object: Value, marks: usize): bool {
  let valid = true;
  const total = listCount(list);
  for (let i: usize = 0; i < <usize>total; i++) {
    const dependent = changetype<DependentRecord>(list + 8 + i * offsetof<DependentRecord>());
    if (!has(object, dependent.name)) continue;
    if (changetype<usize>(dependent.node) != 0) {
      if (!walk(dependent.node, object, marks)) valid = false;
    } else if (!hasAll(object, dependent.names)) {
      valid = fail(object, dependent.rule, 0);
    }
    if (!valid && (quiet != 0 || stopped())) return false;
  }
  return valid;
}

function hasAll(object: Value, names: Value): bool {
  const total = count(names);
  let name = first(names);
  for (let i = 0; i < total; i++) {
    if (!has(object, name)) return false;
    name = next(name);
  }
  return true;
}

/** An array under a schema that has `items` and a length alone. */
export function walkElementsOf(part: ArrayRecord, array: Value): bool {
  const total = count(array);
  if (!spend(total + 1)) return stop(array);
  if (!enterLevel()) return stop(array);
  let valid = true;
  if (total < part.minimum) valid = failLength(part, array);
  if (total > part.maximum) valid = failLength(part, array);
  if (valid || quiet == 0) {
    const rest = part.rest;
    // Its answers to all kinds in one word.
    const answers = rest.asks;
    const end = next(array);
    let element = first(array);
    for (;;) {
      let asked: u32 = ASKS_NOTHING;
      while (element < end) {
        asked = <u32>(answers >> (<u64>kind(element) << 3)) & 0xff;
        if (asked != ASKS_NOTHING) break;
        element = next(element);
      }
      if (element >= end) break;
      if (!(asked == ASKS_MEMBERS ? walkMembersOf(rest.object, element) : asked == ASKS_ELEMENTS ? walkElementsOf(rest.array, element) : walkChild(rest, element))) {
        valid = false;
        if (quiet != 0 || stopped()) break;
      }
      element = next(element);
    }
  }
  leaveLevel();
  return valid;
}

function failLength(part: ArrayRecord, array: Value): bool {
  const total = count(array);
  if (total < part.minimum) fail(array, RULE_MIN_ITEMS, part.minimumOperand);
  if (total > part.maximum) fail(array, RULE_MAX_ITEMS, part.maximumOperand);
  return false;
}

/** What speaks of arrays. */
export function walkArray(part: ArrayRecord, array: Value, marks: usize): bool {
  const total = count(array);
  let valid = (total >= part.minimum && total <= part.maximum) || failLength(part, array);
  if (!valid && quiet != 0) return false;
  if (!walkElements(part, array, total, marks)) {
    valid = false;
    if (quiet != 0 || stopped()) return false;
  }
  if (changetype<usize>(part.contains) != 0 && !walkContains(part, array, marks)) valid = false;
  if (part.unique != 0 && (valid || quiet == 0) && !allUnique(array)) valid = fail(array, RULE_UNIQUE_ITEMS, 0);
  return valid;
}

/** The elements under `prefixItems` and `items`, in draft-07 `items` and `additionalItems`. */
function walkElements(part: ArrayRecord, array: Value, total: i32, marks: usize): bool {
  const prefix = listCount(part.prefix);
  const rest = part.rest;
  const reach = changetype<usize>(rest) != 0 ? total : min(total, prefix);
  if (!spend(reach)) return stop(array);
  let valid = true;
  let element = first(array);
  for (let i = 0; i < reach; i++) {
    if (!walkChild(i < prefix ? listNode(part.prefix, i) : rest, element)) {
      valid = false;
      if (quiet != 0 || stopped()) return false;
    }
    if (marks != 0) setBit(marks, i);
    element = next(element);
  }
  return valid;
}

function walkContains(part: ArrayRecord, array: Value, marks: usize): bool {
  const node = part.contains;
  const total = count(array);
  const least = part.minimumContains;
  // Without anyone who counts on, one element more than the last question needs is enough.
  const enough = marks == 0 && part.maximumContains == i32.MAX_VALUE ? max(least, 1) : i32.MAX_VALUE;
  let found = 0;
  let element = first(array);
  enterQuiet();
  for (let i = 0; i < total && found < enough && !stopped(); i++) {
    if (walk(node, element, 0)) {
      found++;
      if (marks != 0) setBit(marks, i);
    }
    element = next(element);
  }
  leaveQuiet();
  if (stopped()) return false;
  let valid = true;
  if (found == 0 && least != 0) valid = fail(array, RULE_CONTAINS, 0);
  if (found < least) valid = fail(array, RULE_MIN_CONTAINS, part.minimumContainsOperand);
  if (found > part.maximumContains) valid = fail(array, RULE_MAX_CONTAINS, part.maximumContainsOperand);
  return valid;
}
