// The schema walk: runs a compiled schema over a value.
//
// Nothing is allocated for a node that fits: places are known by the addresses of their values, and pointers are made when a
// violation is told. What members and elements `unevaluated…` has still to look at is kept in bit sets of the scratch memory.

import { exhausted, spend } from "../memory/steps";
import { NUMBER, Value, kind } from "../json/value";
import { beginLabels } from "./a-label";
import { walkArray, walkChild, walkObject } from "./contents";
import { walkDeep } from "./deep";
import { Errors } from "./errors";
import {
  ASKS_NOTHING, NodeRecord, PARTS_DEEP, PARTS_OF, PART_ARRAY,
  PART_NUMBER, PART_OBJECT, PART_TEXT, PART_VALUES, Schema, asks, listCount,
} from "./program";
import { RULE_STEPS } from "./rules";
import { beginScratch, pushScratch, scratch } from "./scratch";
import { checkNumber, checkText, checkValues, isWhole } from "./scalars";

/**
 * How many nodes the walk may be inside at once: a value of depth 512 under a schema that refers to itself takes about one a level.
 * Past it the walk answers as it does past the step budget. A level takes up to 510 bytes of V8's stack of about 984 KB (measured in
 * both of its compilers: 1,946 levels of the dearest kind, 12,303 of the cheapest), so that less than half of it is used.
 */
export const WALK_DEPTH: i32 = 768;

let sink: Errors = changetype<Errors>(0);
/** Above 0 inside `anyOf`, `not` and the like: whether the value fits is asked, and nothing is noted. */
export let quiet: i32 = 0;
/** Where the step budget was passed, or 0. */
let stoppedAt: Value = 0;
let depth: i32 = 0;
/** The resources gone through, outermost first, where a `$dynamicRef` may ask for them: their place in the scratch memory and number. */
let scope: usize = 0;
let scopeCount: i32 = 0;
let tracks: bool = false;

/**
 * Checks a value against a valid schema. Steps are counted against the budget of `beginSteps` (memory/steps.ts), which the caller begins;
 * once it is passed, the sink holds one violation with the rule `steps`.
 * @param all true: every violation is wanted; false: only the first by the spec's order (`sink.first()`)
 * @returns whether the value is valid
 */
export function validate(schema: Schema, value: Value, into: Errors, all: bool): bool {
  sink = into;
  sink.firstOnly = !all;
  quiet = 0;
  stoppedAt = 0;
  depth = 0;
  beginScratch();
  beginLabels();
  tracks = schema.dynamic;
  scopeCount = 0;
  if (tracks) scope = pushScratch(<usize>WALK_DEPTH << 2);
  const valid = walkChild(schema.entry, value);
  if (stoppedAt == 0 && !exhausted()) return valid;
  sink.only(stoppedAt != 0 ? stoppedAt : value, RULE_STEPS);
  return false;
}

/** Notes a violation, unless only an answer is asked for; false, for the caller to return. */
export function fail(value: Value, rule: i32, operand: Value): bool {
  if (quiet == 0) sink.add(value, rule, operand);
  return false;
}

/** Ends the walk: no more steps may be taken. */
export function stop(value: Value): bool {
  if (stoppedAt == 0) stoppedAt = value;
  return false;
}

/** Whether the walk has ended. */
// @ts-ignore: decorator
@inline
export function stopped(): bool {
  return stoppedAt != 0;
}

export function enterQuiet(): void {
  quiet++;
}

export function leaveQuiet(): void {
  quiet--;
}

/** Goes one level deeper; false where that is too deep. */
// @ts-ignore: decorator
@inline
export function enterLevel(): bool {
  const level = depth + 1;
  depth = level;
  return level <= WALK_DEPTH;
}

// @ts-ignore: decorator
@inline
export function leaveLevel(): void {
  depth--;
}

/**
 * Whether a value fits a node.
 * @param marks a bit set of the value's members or elements, in which those that were evaluated are marked, or 0
 */
export function walk(node: NodeRecord, value: Value, marks: usize): bool {
  if (!spend(1)) return stop(value);
  const which = kind(value);
  if (asks(node, which) == ASKS_NOTHING) return true;
  let valid = true;
  if (((node.types >> which) & 1) == 0 || (which == NUMBER && node.whole != 0 && !isWhole(value))) {
    fail(value, node.typeRule, node.typeOperand);
    if (quiet != 0) return false;
    valid = false;
  }
  const parts = node.parts & unchecked(PARTS_OF[which]);
  if ((parts & (PART_VALUES | PART_TEXT | PART_NUMBER)) != 0 && !checkScalar(node, value, parts)) {
    if (quiet != 0) return false;
    valid = false;
  }
  if ((parts & PARTS_DEEP) == 0) return valid;
  if (!enterLevel()) return stop(value);
  const entered = tracks && enterResource(node.resource);
  const deep = parts == PART_OBJECT ? walkObject(node.object, value, marks) : parts == PART_ARRAY ? walkArray(node.array, value, marks) : walkDeep(node, value, marks, parts);
  if (entered) scopeCount--;
  leaveLevel();
  return deep && valid;
}

function checkScalar(node: NodeRecord, value: Value, parts: u32): bool {
  let valid = true;
  if ((parts & PART_VALUES) != 0) valid = checkValues(node.values, value);
  if (!valid && quiet != 0) return false;
  if ((parts & PART_TEXT) != 0) return checkText(node.text, value) && valid;
  if ((parts & PART_NUMBER) != 0) return checkNumber(node.number, value) && valid;
  return valid;
}

function enterResource(resource: i32): bool {
  if (scopeCount > 0 && load<i32>(scratch(scope) + (<usize>(scopeCount - 1) << 2)) == resource) return false;
  store<i32>(scratch(scope) + (<usize>scopeCount << 2), resource);
  scopeCount++;
  return true;
}

/** Of a list of schemas by resource, that of the outermost resource gone through which has one, or `otherwise`. Spends a step for each 4 looked at. */
export function outermost(list: usize, otherwise: NodeRecord): NodeRecord {
  const total = listCount(list);
  let looked = 0;
  for (; looked < scopeCount; looked++) {
    const resource = load<i32>(scratch(scope) + (<usize>looked << 2));
    let low = 0;
    let high = total - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = list + 8 + (<usize>middle << 3);
      const number = load<i32>(at);
      if (number == resource) {
        spend(looked >> 2);
        return changetype<NodeRecord>(<usize>load<u32>(at, 4));
      }
      if (number < resource) low = middle + 1;
      else high = middle - 1;
    }
  }
  spend(looked >> 2);
  return otherwise;
}
