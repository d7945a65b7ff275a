// A conformance line's members, and what went wrong with one of them.

import { readBase64 } from "../digest/base64url";
import { Failure } from "../json/failure";
import { STRING, Value, get, isKind, stringLength, stringStart, stringText } from "../json/value";
import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { equalAscii } from "../memory/bytes";
import { allocate } from "../memory/region";

/** One line: its document, its operation, and the first failure. */
@final
export class Line {
  failure: Failure | null = null;
  /** A policy's problems, where that is what failed. */
  problems: Buffer | null = null;
  private op: Text;

  constructor(public document: Value) {
    this.op = stringText(get(document, "op"));
  }

  is(op: string): bool {
    return equalAscii(this.op.start, this.op.length, op);
  }

  /** Fails at a member, if nothing failed before. */
  wrong(name: string): void {
    if (this.failure != null) return;
    const failure = new Failure("request_invalid", "this member is missing, or of a wrong type");
    const pointer = new Buffer(16);
    pointer.byte(0x2f);
    pointer.ascii(name);
    failure.pointer = pointer.view();
    this.failure = failure;
  }

  has(name: string): bool {
    return get(this.document, name) != 0;
  }

  /** A member; fails where it is absent. */
  value(name: string): Value {
    const value = get(this.document, name);
    if (value == 0) this.wrong(name);
    return value;
  }

  /** A string member. */
  text(name: string): Text {
    const value = get(this.document, name);
    if (isKind(value, STRING)) return stringText(value);
    this.wrong(name);
    return NO_TEXT;
  }

  /** The bytes of a member in padded base64. */
  bytes(name: string): Text {
    const value = get(this.document, name);
    if (isKind(value, STRING)) {
      const out = allocate(<usize>stringLength(value) + 8);
      const length = readBase64(stringStart(value), stringLength(value), out);
      if (length >= 0) return new Text(out, length);
    }
    this.wrong(name);
    return NO_TEXT;
  }
}
