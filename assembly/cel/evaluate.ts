// Runs a condition's code on the variables of a call.

import { Condition } from "./condition";
import { Environment } from "./environment";

/**
 * Evaluates a condition that has no problem: 1 true, 0 false, -1 where it fails (a missing member, a type error, overflow, a value
 * that is no bool, or the step budget passed). The caller has begun the budget with `beginSteps`.
 */
export function evaluate(condition: Condition, environment: Environment): i32 {
  return -1;
}
