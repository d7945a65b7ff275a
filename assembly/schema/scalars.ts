// The assertions about strings and numbers, and `enum` and `const`.

import { countCodePoints } from "../memory/bytes";
import { isIntegral, isMultipleOf } from "../json/decimal";
import { STRING, Value, count, first, kind, next, numberValue, stringLength, stringStart, textLength, textStart } from "../json/value";
import { MATCH_NO, MATCH_STEPS, matchPattern } from "../regex/run";
import { exhausted } from "../memory/steps";
import { isShortWhole } from "./assertions";
import { compareNumbers, equalValues } from "./equal";
import { hasFormat } from "./formats";
import { NumberPart, TextPart, ValuesPart } from "./program";
import { sameName } from "./properties";
import {
  RULE_CONST, RULE_ENUM, RULE_EXCLUSIVE_MAXIMUM, RULE_EXCLUSIVE_MINIMUM, RULE_FORMAT, RULE_MAXIMUM, RULE_MAX_LENGTH, RULE_MINIMUM,
  RULE_MIN_LENGTH, RULE_MULTIPLE_OF, RULE_PATTERN,
} from "./rules";
import { fail, stop } from "./walk";

/** Whether a number has no fraction. */
export function isWhole(value: Value): bool {
  const start = textStart(value);
  const length = textLength(value);
  for (let i: usize = 0; i < <usize>length; i++) {
    const c = load<u8>(start + i);
    if (c == 0x2e || c == 0x65 || c == 0x45) return isIntegral(start, length);
  }
  return true;
}

function isListed(part: ValuesPart, value: Value): bool {
  const list = part.enumeration;
  const total = count(list);
  let element = first(list);
  if (kind(value) == STRING) {
    const start = stringStart(value);
    const length = stringLength(value);
    if (part.strings !== null) return part.strings!.find(start, length) != 0;
    for (let i = 0; i < total; i++) {
      if (kind(element) == STRING && stringLength(element) == length && sameName(stringStart(element), start, length)) return true;
      element = next(element);
    }
    return false;
  }
  for (let i = 0; i < total; i++) {
    if (equalValues(element, value)) return true;
    element = next(element);
  }
  return false;
}

/** Equality; two strings are compared at once. */
// @ts-ignore: decorator
@inline
function isSame(a: Value, b: Value): bool {
  if (kind(a) != STRING) return equalValues(a, b);
  return kind(b) == STRING && stringLength(a) == stringLength(b) && sameName(stringStart(a), stringStart(b), stringLength(a));
}

/** `enum` and `const`. */
export function checkValues(part: ValuesPart, value: Value): bool {
  let valid = true;
  if (part.enumeration != 0 && !isListed(part, value)) valid = fail(value, RULE_ENUM, part.enumeration);
  if (part.constant != 0 && !isSame(part.constant, value)) valid = fail(value, RULE_CONST, part.constant);
  return valid;
}

/** What speaks of strings. */
export function checkText(part: TextPart, value: Value): bool {
  const start = stringStart(value);
  const length = stringLength(value);
  let valid = true;
  // There are at most as many code points as bytes, and at least a quarter.
  if (length < part.minimum) valid = fail(value, RULE_MIN_LENGTH, part.minimumOperand);
  else if (part.minimum > 0 && length < part.minimum * 4 && countCodePoints(start, length) < part.minimum) valid = fail(value, RULE_MIN_LENGTH, part.minimumOperand);
  if (length > part.maximum && countCodePoints(start, length) > part.maximum) valid = fail(value, RULE_MAX_LENGTH, part.maximumOperand);
  const pattern = part.pattern;
  if (pattern !== null) {
    const matched = matchPattern(pattern, start, length);
    if (matched == MATCH_STEPS) return stop(value);
    if (matched == MATCH_NO) valid = fail(value, RULE_PATTERN, part.patternOperand);
  }
  if (part.format != 0 && !hasFormat(part.format, start, length)) {
    if (exhausted()) return stop(value);
    valid = fail(value, RULE_FORMAT, part.formatOperand);
  }
  return valid;
}

function isMultiple(part: NumberPart, value: Value): bool {
  if (part.shortDivisor != 0 && isShortWhole(value)) return <i64>numberValue(value) % part.shortDivisor == 0;
  return isMultipleOf(textStart(value), textLength(value), textStart(part.multipleOf), textLength(part.multipleOf));
}

/** Whether a number is above a limit; the doubles decide unless they are equal. */
// @ts-ignore: decorator
@inline
function isAbove(value: Value, limit: Value): bool {
  const x = numberValue(value);
  const y = numberValue(limit);
  return x > y || (x == y && compareNumbers(value, limit) > 0);
}

// @ts-ignore: decorator
@inline
function isBelow(value: Value, limit: Value): bool {
  const x = numberValue(value);
  const y = numberValue(limit);
  return x < y || (x == y && compareNumbers(value, limit) < 0);
}

/** What speaks of numbers. */
export function checkNumber(part: NumberPart, value: Value): bool {
  let valid = true;
  if (part.minimum != 0 && isBelow(value, part.minimum)) valid = fail(value, RULE_MINIMUM, part.minimum);
  if (part.maximum != 0 && isAbove(value, part.maximum)) valid = fail(value, RULE_MAXIMUM, part.maximum);
  if (part.exclusiveMinimum != 0 && !isAbove(value, part.exclusiveMinimum)) valid = fail(value, RULE_EXCLUSIVE_MINIMUM, part.exclusiveMinimum);
  if (part.exclusiveMaximum != 0 && !isBelow(value, part.exclusiveMaximum)) valid = fail(value, RULE_EXCLUSIVE_MAXIMUM, part.exclusiveMaximum);
  if (part.multipleOf != 0 && !isMultiple(part, value)) {
    if (exhausted()) return stop(value);
    valid = fail(value, RULE_MULTIPLE_OF, part.multipleOf);
  }
  return valid;
}
