// Which arguments and result fields a tool's schema declares (chapter 4 step 3, setting undeclared_arguments; chapter 2, result).

import { Value } from "../json/value";
import { Errors } from "./errors";
import { Schema } from "./program";

/** Whether the schema declares a top-level argument: its own `properties` or `patternProperties` match the name, or its `additionalProperties` is an object. */
export function declares(schema: Schema, start: usize, length: i32): bool {
  return true;
}

/** Whether the schema's own `properties` hold a result field. */
export function declaresResultField(schema: Schema, start: usize, length: i32): bool {
  return true;
}

/**
 * Adds a violation with the rule `additionalProperties` for each top-level member that the schema does not declare; with `deep`
 * also for members of nested objects whose schema lists `properties`. Steps are counted.
 * @returns whether every member is declared
 */
export function undeclared(schema: Schema, value: Value, deep: bool, sink: Errors): bool {
  return true;
}
