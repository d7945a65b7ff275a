// The part of the walk that goes on to other nodes: members, elements, and the schemas that apply in place.

import { spend } from "../memory/steps";
import { NODE_SIZE, Value, count, first, kind, member, next, stringLength, stringStart } from "../json/value";
import { MATCH_STEPS, MATCH_YES, matchPattern } from "../regex/run";
import {
  ArrayPart, Dependent, Node, ObjectPart, PART_ARRAY, PART_OBJECT, PART_PLACE, PART_REST_OF_ARRAY, PART_REST_OF_OBJECT, PlacePart, Rest,
} from "./program";
import { ENTRY_SIZE, sameName } from "./properties";
import {
  RULE_ANY_OF, RULE_CONTAINS, RULE_MAX_CONTAINS, RULE_MAX_ITEMS, RULE_MAX_PROPERTIES, RULE_MIN_CONTAINS, RULE_MIN_ITEMS, RULE_MIN_PROPERTIES,
  RULE_NOT, RULE_ONE_OF, RULE_PROPERTY_NAMES, RULE_REQUIRED, RULE_UNIQUE_ITEMS,
} from "./rules";
import { fillSet, hasBit, mergeSet, popScratch, pushSet, setBit } from "./scratch";
import { allUnique } from "./unique";
import { enterQuiet, fail, leaveQuiet, outermost, quiet, stop, stopped, walk } from "./walk";

/** Runs the deep ones of a node's parts. */
export function walkDeep(node: Node, value: Value, marks: usize, parts: u32): bool {
  const rest = (parts & (PART_REST_OF_OBJECT | PART_REST_OF_ARRAY)) != 0;
  // Below `unevaluated…` what is evaluated has to be known, whoever else asks.
  const own = rest ? pushSet(count(value)) : marks;
  let valid = true;
  if ((parts & PART_OBJECT) != 0) valid = walkObject(node.object, value, own);
  if ((parts & PART_ARRAY) != 0) valid = walkArray(node.array, value, own);
  if ((parts & PART_PLACE) != 0 && (valid || quiet == 0)) valid = walkPlace(node.place, value, own) && valid;
  if (rest) {
    if (valid || quiet == 0) {
      const restValid = (parts & PART_REST_OF_OBJECT) != 0 ? walkMembersLeft(node.restOfObject, value, own) : walkElementsLeft(node.restOfArray, value, own);
      valid = restValid && valid;
    }
    popScratch(own);
    // Either it fails, or everything is evaluated.
    if (marks != 0) fillSet(marks, count(value));
  }
  return valid;
}

/** Whether a value fits a node; only then its marks count. */
function fits(node: Node, value: Value, marks: usize): bool {
  enterQuiet();
  let valid: bool;
  if (marks == 0) {
    valid = walk(node, value, 0);
  } else {
    const total = count(value);
    const own = pushSet(total);
    valid = walk(node, value, own);
    if (valid) mergeSet(marks, own, total);
    popScratch(own);
  }
  leaveQuiet();
  return valid;
}

/** Walks a member or an element, which costs nothing where its kind alone decides: its container has paid for it. */
// @ts-ignore: decorator
@inline
function walkChild(node: Node, value: Value): bool {
  return ((node.quick >> kind(value)) & 1) != 0 || walk(node, value, 0);
}

/** Holds a value against a `Rest`. */
// @ts-ignore: decorator
@inline
function walkRest(rest: Rest, value: Value): bool {
  if (rest.none) return fail(value, rest.rule, 0);
  return walkChild(rest.node, value);
}

/** What speaks of objects. */
export function walkObject(part: ObjectPart, object: Value, marks: usize): bool {
  const total = count(object);
  if (!spend(total)) return stop(object);
  const valid = part.limited ? walkSize(part, object, total) : true;
  if (!valid && quiet != 0) return false;
  const members = part.patterns.length == 0 && marks == 0 ? walkMembers(part, object, total) : walkMembersByPattern(part, object, total, marks);
  if (!members && (quiet != 0 || stopped())) return false;
  return (part.names === null && part.dependents.length == 0 || walkFurther(part, object, marks)) && members && valid;
}

function walkSize(part: ObjectPart, object: Value, total: i32): bool {
  let valid = true;
  if (total < part.minimum) valid = fail(object, RULE_MIN_PROPERTIES, part.minimumOperand);
  if (total > part.maximum) valid = fail(object, RULE_MAX_PROPERTIES, part.maximumOperand);
  return valid;
}

/** The members of an object under `properties`, `required` and `additionalProperties`: nearly all there is in tools' schemas. */
function walkMembers(part: ObjectPart, object: Value, total: i32): bool {
  const table = part.table;
  const entriesEnd = table.end;
  let guess = table.entries;
  let present = 0;
  let valid = true;
  let name = first(object);
  for (let i = 0; i < total; i++) {
    const value = name + NODE_SIZE;
    const start = stringStart(name);
    const length = stringLength(name);
    // Arguments mostly come in the order in which the schema lists them.
    let entry = guess;
    if (entry >= entriesEnd || load<i32>(entry, 4) != length || !sameName(load<u32>(entry), start, length)) entry = table.find(start, length);
    let child: usize = 0;
    if (entry != 0) {
      guess = entry + ENTRY_SIZE;
      present += load<i32>(entry, 12);
      child = load<u32>(entry, 8);
    }
    if (!(child != 0 ? walkChild(changetype<Node>(child), value) : walkAdditional(part, value))) {
      valid = false;
      if (quiet != 0 || stopped()) return false;
    }
    name = next(value);
  }
  if (present == part.required) return valid;
  return fail(object, RULE_REQUIRED, quiet == 0 ? missing(part, object) : 0);
}

/** A member that is neither in `properties` nor matched by a pattern. */
function walkAdditional(part: ObjectPart, value: Value): bool {
  const additional = part.additional;
  return changetype<usize>(additional) == 0 || walkRest(additional, value);
}

/** The same with `patternProperties`, or where those that were evaluated are marked. */
function walkMembersByPattern(part: ObjectPart, object: Value, total: i32, marks: usize): bool {
  const table = part.table;
  const patterns = part.patterns;
  const hasAdditional = changetype<usize>(part.additional) != 0;
  let guess = table.entries;
  let present = 0;
  let valid = true;
  let name = first(object);
  for (let index = 0; index < total; index++) {
    const value = name + NODE_SIZE;
    const start = stringStart(name);
    const length = stringLength(name);
    let known = false;
    const entry = table.findFrom(guess, start, length);
    if (entry != 0) {
      guess = entry + ENTRY_SIZE;
      present += load<i32>(entry, 12);
      const child = <usize>load<u32>(entry, 8);
      if (child != 0) {
        known = true;
        if (!walkChild(changetype<Node>(child), value)) valid = false;
      }
    }
    for (let i = 0; i < patterns.length; i++) {
      const candidate = unchecked(patterns[i]);
      const matched = matchPattern(candidate.pattern, start, length);
      if (matched == MATCH_STEPS) return stop(value);
      if (matched != MATCH_YES) continue;
      known = true;
      if (!walkChild(candidate.node, value)) valid = false;
    }
    if (!known && hasAdditional) {
      known = true;
      if (!walkRest(part.additional, value)) valid = false;
    }
    if (!valid && (quiet != 0 || stopped())) return false;
    if (known && marks != 0) setBit(marks, index);
    name = next(value);
  }
  if (present == part.required) return valid;
  return fail(object, RULE_REQUIRED, quiet == 0 ? missing(part, object) : 0);
}

/** `propertyNames`, and what depends on a member. */
function walkFurther(part: ObjectPart, object: Value, marks: usize): bool {
  const valid = part.names === null || walkNames(part.names!, object);
  if (!valid && (quiet != 0 || stopped())) return false;
  return walkDependents(part.dependents, object, marks) && valid;
}

/** The node, in `required`, of the first name that the object lacks. */
function missing(part: ObjectPart, object: Value): Value {
  const table = part.table;
  const present = pushSet(table.count);
  const total = count(object);
  let name = first(object);
  for (let i = 0; i < total; i++) {
    const entry = table.find(stringStart(name), stringLength(name));
    if (entry != 0) setBit(present, <i32>((entry - table.entries) / ENTRY_SIZE));
    name = next(next(name));
  }
  let found: Value = 0;
  for (let i = 0; i < table.count && found == 0; i++) if (!hasBit(present, i)) found = load<u32>(table.entries + <usize>i * ENTRY_SIZE, 16);
  popScratch(present);
  return found;
}

/** Whether an object has a member. Spends a step for each 8 members where they are not looked up by bisection. */
function has(object: Value, start: usize, length: i32): bool {
  const total = count(object);
  return total != 0 && spend((total >> 3) + 1) && member(object, start, length) != 0;
}

function walkNames(node: Node, object: Value): bool {
  if (count(object) == 0) return true;
  const end = next(object);
  enterQuiet();
  let valid = true;
  for (let name = first(object); name < end && valid; name = next(next(name))) valid = walk(node, name, 0);
  leaveQuiet();
  return valid || stopped() ? valid : fail(object, RULE_PROPERTY_NAMES, 0);
}

function walkDependents(list: Array<Dependent>, object: Value, marks: usize): bool {
  let valid = true;
  for (let i = 0; i < list.length; i++) {
    const dependent = unchecked(list[i]);
    if (!has(object, stringStart(dependent.name), stringLength(dependent.name))) continue;
    if (dependent.node !== null) {
      if (!walk(dependent.node!, object, marks)) valid = false;
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
    if (!has(object, stringStart(name), stringLength(name))) return false;
    name = next(name);
  }
  return true;
}

/** What speaks of arrays. */
export function walkArray(part: ArrayPart, array: Value, marks: usize): bool {
  const total = count(array);
  let valid = true;
  if (total < part.minimum) valid = fail(array, RULE_MIN_ITEMS, part.minimumOperand);
  if (total > part.maximum) valid = fail(array, RULE_MAX_ITEMS, part.maximumOperand);
  if (!valid && quiet != 0) return false;
  if (!walkElements(part, array, total, marks)) {
    valid = false;
    if (quiet != 0 || stopped()) return false;
  }
  if (part.contains !== null && !walkContains(part, part.contains!, array, marks)) valid = false;
  if (part.unique && (valid || quiet == 0) && !allUnique(array)) valid = fail(array, RULE_UNIQUE_ITEMS, 0);
  return valid;
}

/** The elements under `prefixItems` and `items`, in draft-07 `items` and `additionalItems`. */
function walkElements(part: ArrayPart, array: Value, total: i32, marks: usize): bool {
  const prefix = part.prefix;
  const rest = part.rest;
  const reach = changetype<usize>(rest) != 0 ? total : min(total, prefix.length);
  if (!spend(reach)) return stop(array);
  let valid = true;
  let element = first(array);
  for (let i = 0; i < reach; i++) {
    if (!(i < prefix.length ? walkChild(unchecked(prefix[i]), element) : walkRest(rest, element))) {
      valid = false;
      if (quiet != 0 || stopped()) return false;
    }
    if (marks != 0) setBit(marks, i);
    element = next(element);
  }
  return valid;
}

function walkContains(part: ArrayPart, node: Node, array: Value, marks: usize): bool {
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

function walkPlace(part: PlacePart, value: Value, marks: usize): bool {
  let valid = true;
  const all = part.all;
  for (let i = 0; i < all.length; i++) {
    if (walk(unchecked(all[i]), value, marks)) continue;
    valid = false;
    if (quiet != 0 || stopped()) return false;
  }
  const dynamic = part.dynamic;
  if (dynamic !== null && !walk(outermost(dynamic.nodes, dynamic.fallback), value, marks)) {
    valid = false;
    if (quiet != 0 || stopped()) return false;
  }
  if (part.any.length != 0 && !walkAny(part.any, value, marks)) valid = false;
  if (part.one.length != 0 && (valid || quiet == 0) && !walkOne(part.one, value, marks)) valid = false;
  if (part.not !== null && (valid || quiet == 0)) {
    if (fits(part.not!, value, 0)) valid = fail(value, RULE_NOT, 0);
    if (stopped()) return false;
  }
  if (part.condition !== null && (valid || quiet == 0)) {
    const branch = fits(part.condition!, value, marks) ? part.then : part.otherwise;
    if (stopped()) return false;
    if (branch !== null && !walk(branch, value, marks)) valid = false;
  }
  return valid;
}

function walkAny(nodes: StaticArray<Node>, value: Value, marks: usize): bool {
  let some = false;
  for (let i = 0; i < nodes.length && !stopped(); i++) {
    if (!fits(unchecked(nodes[i]), value, marks)) continue;
    some = true;
    // Each one that fits may mark something.
    if (marks == 0) break;
  }
  return some || stopped() ? some : fail(value, RULE_ANY_OF, 0);
}

function walkOne(nodes: StaticArray<Node>, value: Value, marks: usize): bool {
  let fit = 0;
  // Two are enough, unless all that fit have something to mark.
  const enough = marks != 0 && quiet == 0 ? i32.MAX_VALUE : 2;
  for (let i = 0; i < nodes.length && fit < enough && !stopped(); i++) if (fits(unchecked(nodes[i]), value, marks)) fit++;
  if (stopped()) return false;
  return fit == 1 || fail(value, RULE_ONE_OF, 0);
}

function walkMembersLeft(rest: Rest, object: Value, marks: usize): bool {
  let valid = true;
  const total = count(object);
  if (!spend(total)) return stop(object);
  let name = first(object);
  for (let i = 0; i < total; i++) {
    const value = next(name);
    if (!hasBit(marks, i) && !walkRest(rest, value)) {
      valid = false;
      if (quiet != 0 || stopped()) return false;
    }
    name = next(value);
  }
  return valid;
}

function walkElementsLeft(rest: Rest, array: Value, marks: usize): bool {
  let valid = true;
  const total = count(array);
  if (!spend(total)) return stop(array);
  let element = first(array);
  for (let i = 0; i < total; i++) {
    if (!hasBit(marks, i) && !walkRest(rest, element)) {
      valid = false;
      if (quiet != 0 || stopped()) return false;
    }
    element = next(element);
  }
  return valid;
}
