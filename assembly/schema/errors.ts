// What a walk found wrong: where, which rule, and in which order it is told.

import { Buffer, Text } from "../memory/buffer";
import { Value } from "../json/value";
import { ruleName, writeRuleMessage } from "./rules";

/** One violation, ready to be told. */
@final
export class Violation {
  constructor(
    /** JSON Pointer (RFC 6901) to the offending value, from the value that was checked. */
    public pointer: Text,
    /** The rule's number (rules.ts). */
    public rule: i32,
    /** The keyword's value in the schema, or 0. */
    public operand: Value,
  ) {}

  /** The rule's name, ASCII. */
  get ruleName(): string {
    return ruleName(this.rule);
  }

  /** Appends the sentence for people. */
  writeMessage(out: Buffer): void {
    writeRuleMessage(this.rule, this.operand, out);
  }
}

/** The violations of one walk over one value; it belongs to the region in which it was made. */
@final
export class Errors {
  constructor(
    /** The value that pointers start from. */
    public root: Value,
  ) {}

  get empty(): bool {
    return true;
  }

  /** Notes that `value` (a node in root's tree) breaks a rule. */
  add(value: Value, rule: i32, operand: Value): void {}

  /** The violation with the smallest pointer (UTF-16 code units), then rule name; null where there is none. */
  first(): Violation | null {
    return null;
  }

  /** All of them in that order, each (pointer, rule) once. */
  all(): Array<Violation> {
    return [];
  }
}
