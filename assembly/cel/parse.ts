// Reads a condition's text and compiles it to flat code.

import { Value } from "../json/value";
import { Condition } from "./condition";

/**
 * Parses a condition (chapter 2, Rulebook). `start` and `length` are valid UTF-8; `facts` is the rulebook's list of facts, an array
 * of strings, or 0 where every fact may be used. Everything it makes belongs to the current region and does not point into the text.
 */
export function parseCondition(start: usize, length: i32, facts: Value): Condition {
  return new Condition();
}
