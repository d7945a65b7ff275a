// What a pure row answers: passed, refused or to be asked again, each with its reason, and the function that a name was found to mean.

import { Value, stringLength, stringStart } from "../json/value";
import { writeString } from "../json/string";
import { Buffer } from "../memory/buffer";

/** A row's answer; a null reason is `passed`. */
@final
export class RowAnswer {
  reason: string | null = null;
  /** Row 18: a person is asked again. */
  again: bool = false;
  /** Rows H2 and H2a: the policy's name of the function, a string's node; 0 where none was found. */
  tool: Value = 0;
  /** What of the facts is missing, or of a wrong type, as a pointer; null where they can be judged. */
  wrong: string | null = null;

  refuse(reason: string): void {
    this.reason = reason;
  }

  write(out: Buffer): void {
    out.ascii(this.reason == null ? '{"answer":"passed"' : this.again ? '{"answer":"ask_again"' : '{"answer":"refuse"');
    if (this.reason != null) {
      out.ascii(',"reason":"');
      out.ascii(this.reason!);
      out.byte(0x22);
    } else if (this.tool != 0) {
      out.ascii(',"tool":');
      writeString(stringStart(this.tool), stringLength(this.tool), out);
    }
    out.byte(0x7d);
  }
}
