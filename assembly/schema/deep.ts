// The part of the walk that stays in place: the schemas that apply to the same value, and what is left for `unevaluated…`.

import { spend } from "../memory/steps";
import { OBJECT, STRING, Value, count, first, kind, member, next, sameString, stringLength, stringStart } from "../json/value";
import { spendLookup, spendText, walkArray, walkChild, walkObject } from "./contents";
import {
  ASKS_NOTHING, ChoiceRecord, NodeRecord, PART_ARRAY, PART_OBJECT, PART_PLACE, PART_REST_OF_ARRAY, PART_REST_OF_OBJECT, PlaceRecord,
  asks, listCount, listNode,
} from "./program";
import { ENTRY_PAYLOAD, findName } from "./properties";
import { RULE_ANY_OF, RULE_NOT, RULE_ONE_OF } from "./rules";
import { fillSet, hasBit, mergeSet, popScratch, pushSet } from "./scratch";
import { enterQuiet, fail, leaveQuiet, outermost, quiet, stop, stopped, walk } from "./walk";

/** Runs the deep ones of a node's parts. */
export function walkDeep(node: NodeRecord, value: Value, marks: usize, parts: u32): bool {
  const rest = (parts & (PART_REST_OF_OBJECT | PART_REST_OF_ARRAY)) != 0;
  if (rest && !spend(<i64>(count(value) >> SET_SHIFT))) return stop(value);
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

/** A step pays for a set of so many members or elements: 64 bytes of it. */
const SET_SHIFT: i32 = 9;

/** Whether a value fits a node; only then its marks count. */
function fits(node: NodeRecord, value: Value, marks: usize): bool {
  if (!spend(1)) return stop(value);
  const asked = asks(node, kind(value));
  if (asked == ASKS_NOTHING) return true;
  if (((node.types >> kind(value)) & 1) == 0) return false;
  enterQuiet();
  let valid: bool;
  if (marks == 0) {
    valid = walkChild(node, value);
  } else {
    const total = count(value);
    if (spend(<i64>(total >> SET_SHIFT))) {
      const own = pushSet(total);
      valid = walk(node, value, own);
      if (valid) mergeSet(marks, own, total);
      popScratch(own);
    } else {
      valid = stop(value);
    }
  }
  leaveQuiet();
  return valid;
}

function walkPlace(part: PlaceRecord, value: Value, marks: usize): bool {
  let valid = true;
  const all = listCount(part.all);
  for (let i = 0; i < all; i++) {
    if (walk(listNode(part.all, i), value, marks)) continue;
    valid = false;
    if (quiet != 0 || stopped()) return false;
  }
  const dynamic = part.dynamic;
  if (changetype<usize>(dynamic) != 0 && !walk(outermost(dynamic.nodes, dynamic.fallback), value, marks)) {
    valid = false;
    if (quiet != 0 || stopped()) return false;
  }
  if (part.any != 0 && !walkAny(candidates(part.any, part.anyChoice, value), value, marks)) valid = false;
  if (part.one != 0 && (valid || quiet == 0) && !walkOne(candidates(part.one, part.oneChoice, value), value, marks)) valid = false;
  if (changetype<usize>(part.not) != 0 && (valid || quiet == 0)) {
    if (fits(part.not, value, 0)) valid = fail(value, RULE_NOT, 0);
    if (stopped()) return false;
  }
  if (changetype<usize>(part.condition) != 0 && (valid || quiet == 0)) {
    const branch = fits(part.condition, value, marks) ? part.then : part.otherwise;
    if (stopped()) return false;
    if (changetype<usize>(branch) != 0 && !walk(branch, value, marks)) valid = false;
  }
  return valid;
}

/** Of the schemas of `anyOf` or `oneOf` a list of those that a value may fit, as far as one of its members tells; 0: none. */
function candidates(list: usize, choice: ChoiceRecord, value: Value): usize {
  if (changetype<usize>(choice) == 0 || kind(value) != OBJECT) return list;
  const name = choice.name;
  const total = count(value);
  // The member often stands first.
  let found: Value = 0;
  if (total != 0 && sameString(first(value), name)) found = next(first(value));
  else if (total > 1) {
    if (!spendLookup(value, name)) return list;
    found = member(value, stringStart(name), stringLength(name));
  }
  if (found == 0) return choice.required != 0 ? 0 : list;
  if (kind(found) != STRING) return 0;
  const length = stringLength(found);
  if (!spendText(length)) return list;
  const entry = findName(choice.strings, stringStart(found), length);
  return entry == 0 ? 0 : <usize>load<u32>(entry, ENTRY_PAYLOAD);
}

function walkAny(nodes: usize, value: Value, marks: usize): bool {
  let some = false;
  const total = listCount(nodes);
  for (let i = 0; i < total && !stopped(); i++) {
    if (!fits(listNode(nodes, i), value, marks)) continue;
    some = true;
    // Each one that fits may mark something.
    if (marks == 0) break;
  }
  return some || stopped() ? some : fail(value, RULE_ANY_OF, 0);
}

function walkOne(nodes: usize, value: Value, marks: usize): bool {
  let fit = 0;
  // Two are enough, unless all that fit have something to mark.
  const enough = marks != 0 && quiet == 0 ? i32.MAX_VALUE : 2;
  const total = listCount(nodes);
  for (let i = 0; i < total && fit < enough && !stopped(); i++) if (fits(listNode(nodes, i), value, marks)) fit++;
  if (stopped()) return false;
  return fit == 1 || fail(value, RULE_ONE_OF, 0);
}

function walkMembersLeft(rest: NodeRecord, object: Value, marks: usize): bool {
  let valid = true;
  const total = count(object);
  if (!spend(total)) return stop(object);
  let name = first(object);
  for (let i = 0; i < total; i++) {
    const value = next(name);
    if (!hasBit(marks, i) && !walkChild(rest, value)) {
      valid = false;
      if (quiet != 0 || stopped()) return false;
    }
    name = next(value);
  }
  return valid;
}

function walkElementsLeft(rest: NodeRecord, array: Value, marks: usize): bool {
  let valid = true;
  const total = count(array);
  if (!spend(total)) return stop(array);
  let element = first(array);
  for (let i = 0; i < total; i++) {
    if (!hasBit(marks, i) && !walkChild(rest, element)) {
      valid = false;
      if (quiet != 0 || stopped()) return false;
    }
    element = next(element);
  }
  return valid;
}
