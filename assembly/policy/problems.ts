// What registration found: problems that keep a policy from being loaded, and warnings that do not.

import { Buffer, Text } from "../memory/buffer";
import { writeString } from "../json/string";
import { compareUtf16 } from "../memory/bytes";

/** One finding: a stable code, a sentence for people, and a JSON Pointer into the policy. */
@final
export class Finding {
  constructor(
    public code: string,
    public message: Text,
    public pointer: Text,
  ) {}
}

/** Findings in the order they were met; printed by pointer. */
@final
export class Findings {
  list: Array<Finding> = [];

  add(code: string, message: Buffer, pointer: Text): void {
    this.list.push(new Finding(code, message.view(), pointer));
  }

  say(code: string, message: string, pointer: Text): void {
    const text = new Buffer(message.length);
    text.ascii(message);
    this.add(code, text, pointer);
  }

  /** Prints them by pointer (UTF-16 order), then by when they were met. */
  write(out: Buffer): void {
    const sorted = this.list.slice(0);
    // Insertion is stable; a policy has few findings, and 10,000 are still quick in the common sorted case.
    for (let i = 1; i < sorted.length; i++) {
      const moved = sorted[i];
      let j = i - 1;
      while (j >= 0 && compareUtf16(sorted[j].pointer.start, sorted[j].pointer.length, moved.pointer.start, moved.pointer.length) > 0) {
        sorted[j + 1] = sorted[j];
        j--;
      }
      sorted[j + 1] = moved;
    }
    out.byte(0x5b);
    for (let i = 0; i < sorted.length; i++) {
      const finding = sorted[i];
      // One place is told of once for each code.
      if (i != 0 && repeats(sorted, i)) continue;
      if (i != 0) out.byte(0x2c);
      out.ascii('{"code":"');
      out.ascii(finding.code);
      out.ascii('","message":');
      writeString(finding.message.start, finding.message.length, out);
      out.ascii(',"pointer":');
      writeString(finding.pointer.start, finding.pointer.length, out);
      out.byte(0x7d);
    }
    out.byte(0x5d);
  }
}

/** Whether an earlier finding at the same place has the same code. */
function repeats(sorted: Array<Finding>, index: i32): bool {
  const finding = sorted[index];
  for (let i = index - 1; i >= 0; i--) {
    const other = sorted[i];
    if (compareUtf16(other.pointer.start, other.pointer.length, finding.pointer.start, finding.pointer.length) != 0) return false;
    if (other.code == finding.code) return true;
  }
  return false;
}
