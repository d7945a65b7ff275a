// The facts that a row is asked about: texts that may be null, each wanted, none guessed.

import { NULL, STRING, Value, get, isKind, kind, sameString } from "../json/value";
import { RowAnswer } from "./answer";

/** A member that is a text or null; `answer.wrong` is set where it is neither. */
export function textOrNull(facts: Value, name: string, pointer: string, answer: RowAnswer): Value {
  const value = get(facts, name);
  if ((value == 0 || (kind(value) != STRING && kind(value) != NULL)) && answer.wrong == null) answer.wrong = pointer;
  return value;
}

/** Whether both are the same text, or both null. */
export function isSame(one: Value, other: Value): bool {
  if (kind(one) != kind(other)) return false;
  return kind(one) == NULL || sameString(one, other);
}

/** Whether both are the same text; null is the same as nothing. */
export function isSameText(one: Value, other: Value): bool {
  return isKind(one, STRING) && isKind(other, STRING) && sameString(one, other);
}
