// The schema walk: runs a compiled schema over a value.

import { Value } from "../json/value";
import { Errors } from "./errors";
import { Schema } from "./program";

/**
 * Checks a value against a valid schema. Steps are counted against the budget of `beginSteps` (memory/steps.ts), which the caller begins;
 * once it is passed, the sink holds one violation with the rule `steps`.
 * @param all true: every violation is wanted; false: only the first by the spec's order (`sink.first()`)
 * @returns whether the value is valid
 */
export function validate(schema: Schema, value: Value, sink: Errors, all: bool): bool {
  return true;
}
