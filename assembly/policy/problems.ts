// What registration found: problems that keep a policy from being loaded, and warnings that do not.

import { Buffer, Text } from "../memory/buffer";
import { writeString } from "../json/string";
import { compareUtf16 } from "../memory/bytes";
import { sorted } from "./sorted";

/** One finding: a stable code, a sentence for people, and a JSON Pointer into the policy. */
@final
export class Finding {
  constructor(
    public code: string,
    public message: Text,
    public pointer: Text,
  ) {}
}

function byPointerThenCode(a: Finding, b: Finding): i32 {
  const order = compareUtf16(a.pointer.start, a.pointer.length, b.pointer.start, b.pointer.length);
  return order != 0 || a.code == b.code ? order : a.code < b.code ? -1 : 1;
}

/** Findings in the order they were met; printed by pointer, then code. */
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

  /** Prints them by pointer (UTF-16 order), then code; one place is told of once for each code. */
  write(out: Buffer): void {
    const list = sorted<Finding>(this.list, byPointerThenCode);
    out.byte(0x5b);
    for (let i = 0; i < list.length; i++) {
      const finding = list[i];
      if (i != 0 && byPointerThenCode(list[i - 1], finding) == 0) continue;
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
