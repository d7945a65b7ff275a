// A condition as registration leaves it: the code that evaluate.ts runs, or what is wrong with the text.

import { Text } from "../memory/buffer";

/** A parsed condition, in the policy's region. */
@final
export class Condition {
  /** Whether it can't be used; `message` and `offset` say why. */
  problem: bool = false;
  /** What is wrong and what to write instead; empty where nothing is. */
  message: Text;
  /** Where, in bytes from the text's beginning. */
  offset: i32 = 0;
  /** The fact that is used but not listed; set together with `problem`. */
  unknownFact: Text | null = null;
  /** Its code (code.ts). */
  code: usize = 0;
  /** The most slots its evaluation has on the stack. */
  slots: i32 = 0;

  constructor() {
    this.message = new Text(0, 0);
  }
}
