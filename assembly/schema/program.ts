// A compiled schema: what registration learns about it, and the program that the walk runs.

import { Text } from "../memory/buffer";
import { Value } from "../json/value";

/** Why a schema is not a valid schema. */
@final
export class SchemaProblem {
  constructor(
    /** JSON Pointer from the schema's root; in a registered document its URI, `#` and the pointer there. */
    public pointer: Text,
    /** ASCII. */
    public message: string,
  ) {}
}

/** A schema compiled for the walk. It lies in the region that was current, and points into the values it was compiled from. */
@final
export class Schema {
  /** It is not a valid schema: `problems` says why, and it must not be run. */
  invalid: bool = false;
  problems: Array<SchemaProblem> = [];
  /** It holds something that the walk does not assert: `partialPointers` says where (pointers as in `problems`). */
  partial: bool = false;
  partialPointers: Array<Text> = [];

  constructor(
    /** The schema's value. */
    public root: Value,
  ) {}
}
