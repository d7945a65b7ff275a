// The assertions about strings and numbers, and `enum` and `const`.

import { countCodePoints } from "../memory/bytes";
import { isIntegral, isMultipleOf } from "../json/decimal";
import { CANONICAL, STRING, Value, count, first, flags, kind, next, numberValue, stringLength, stringStart, textLength, textStart } from "../json/value";
import { Pattern } from "../regex/compile";
import { MATCH_NO, MATCH_STEPS, matchPattern } from "../regex/run";
import { exhausted, spend } from "../memory/steps";
import { isShortWhole } from "./assertions";
import { LONG, spendText } from "./contents";
import { compareNumbers, equalValues } from "./equal";
import { hasFormat } from "./formats";
import { NumberRecord, TextRecord, ValuesRecord } from "./program";
import { findName, sameName } from "./properties";
import {
  RULE_CONST, RULE_ENUM, RULE_EXCLUSIVE_MAXIMUM, RULE_EXCLUSIVE_MINIMUM, RULE_FORMAT, RULE_MAXIMUM, RULE_MAX_LENGTH, RULE_MINIMUM,
  RULE_MIN_LENGTH, RULE_MULTIPLE_OF, RULE_PATTERN,
} from "./rules";
import { fail, stop } from "./walk";

/** Whether a number has no fraction and its double tells so: that of a canonical text has a fraction if the text has one. */
// @ts-ignore: decorator
@inline
export function isPlainlyWhole(value: Value): bool {
  return (flags(value) & CANONICAL) != 0 && Math.trunc(numberValue(value)) == numberValue(value);
}

/** Whether a number has no fraction, by its text. */
export function isWholeText(value: Value): bool {
  return spendText(textLength(value)) && isIntegral(textStart(value), textLength(value));
}

/** Whether a number has no fraction. */
export function isWhole(value: Value): bool {
  return isPlainlyWhole(value) || isWholeText(value);
}

function isListed(part: ValuesRecord, value: Value): bool {
  const list = part.enumeration;
  const total = count(list);
  let element = first(list);
  if (kind(value) == STRING) {
    const start = stringStart(value);
    const length = stringLength(value);
    if (changetype<usize>(part.strings) != 0) return findName(part.strings, start, length) != 0;
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

/** The steps for comparing a long string with each of a short list, or looking it up in a long one. */
function spendStrings(part: ValuesRecord, length: i32): bool {
  const times = part.enumeration != 0 && changetype<usize>(part.strings) == 0 ? count(part.enumeration) + 1 : 2;
  return spend(<i64>(length >> 6) * <i64>times);
}

/** `enum` and `const`. */
export function checkValues(part: ValuesRecord, value: Value): bool {
  let valid = true;
  if (kind(value) == STRING && stringLength(value) >= LONG && !spendStrings(part, stringLength(value))) return stop(value);
  if (part.enumeration != 0 && !isListed(part, value)) valid = fail(value, RULE_ENUM, part.enumeration);
  if (part.constant != 0 && !isSame(part.constant, value)) valid = fail(value, RULE_CONST, part.constant);
  return valid;
}

/** What speaks of strings. */
export function checkText(part: TextRecord, value: Value): bool {
  const start = stringStart(value);
  const length = stringLength(value);
  let valid = true;
  // There are at most as many code points as bytes, and at least a quarter.
  if (length > part.maximum || <i64>length < (<i64>part.minimum << 2)) {
    if (!spendText(length)) return stop(value);
    const points = countCodePoints(start, length);
    if (points < part.minimum) valid = fail(value, RULE_MIN_LENGTH, part.minimumOperand);
    if (points > part.maximum) valid = fail(value, RULE_MAX_LENGTH, part.maximumOperand);
  }
  if (part.pattern != 0) {
    const matched = matchPattern(changetype<Pattern>(part.pattern), start, length);
    if (matched == MATCH_STEPS) return stop(value);
    if (matched == MATCH_NO) valid = fail(value, RULE_PATTERN, part.patternOperand);
  }
  if (part.format != 0 && !hasFormat(part.format, start, length)) {
    if (exhausted()) return stop(value);
    valid = fail(value, RULE_FORMAT, part.formatOperand);
  }
  return valid;
}

function isMultiple(part: NumberRecord, value: Value): bool {
  if (part.shortDivisor != 0 && isShortWhole(value)) return <i64>numberValue(value) % part.shortDivisor == 0;
  return isMultipleOf(textStart(value), textLength(value), textStart(part.multipleOf), textLength(part.multipleOf));
}

/** Whether a number is above a limit; the doubles decide unless they are equal. */
function isAbove(value: Value, limit: Value): bool {
  const x = numberValue(value);
  const y = numberValue(limit);
  return x > y || (x == y && compareNumbers(value, limit) > 0);
}

function isBelow(value: Value, limit: Value): bool {
  const x = numberValue(value);
  const y = numberValue(limit);
  return x < y || (x == y && compareNumbers(value, limit) < 0);
}

/** Whether a double alone tells that a number is within its limits. */
// @ts-ignore: decorator
@inline
export function isWithin(part: NumberRecord, value: Value): bool {
  const x = numberValue(value);
  return x > part.above && x < part.below && part.multipleOf == 0;
}

/** What speaks of numbers. */
export function checkNumber(part: NumberRecord, value: Value): bool {
  return isWithin(part, value) || checkExactly(part, value);
}

/** The same where the double alone does not tell. */
export function checkExactly(part: NumberRecord, value: Value): bool {
  let valid = true;
  if (part.minimum != 0 && isBelow(value, part.minimum)) valid = fail(value, RULE_MINIMUM, part.minimum);
  if (part.maximum != 0 && isAbove(value, part.maximum)) valid = fail(value, RULE_MAXIMUM, part.maximum);
  if (part.exclusiveMinimum != 0 && !isAbove(value, part.exclusiveMinimum)) valid = fail(value, RULE_EXCLUSIVE_MINIMUM, part.exclusiveMinimum);
  if (part.exclusiveMaximum != 0 && !isBelow(value, part.exclusiveMaximum)) valid = fail(value, RULE_EXCLUSIVE_MAXIMUM, part.exclusiveMaximum);
  if (part.multipleOf != 0 && !isMultiple(part, value)) valid = fail(value, RULE_MULTIPLE_OF, part.multipleOf);
  // Long numbers take steps.
  return exhausted() ? stop(value) : valid;
}
