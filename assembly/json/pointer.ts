// JSON Pointers (RFC 6901): writing their tokens, and finding where a value stands.

import { Buffer } from "../memory/buffer";
import { ARRAY, OBJECT, Value, count, first, kind, next, stringLength, stringStart } from "./value";

/** Appends `/` and a name with `~` and `/` escaped. */
export function writePointerToken(start: usize, length: i32, out: Buffer): void {
  out.byte(0x2f);
  for (let i: usize = 0; i < <usize>length; i++) {
    const c = load<u8>(start + i);
    if (c == 0x7e) out.ascii("~0");
    else if (c == 0x2f) out.ascii("~1");
    else out.byte(c);
  }
}

/** Appends the pointer from `root` to `target`, a node in root's tree. */
export function writePointer(root: Value, target: Value, out: Buffer): void {
  let at = root;
  while (at != target) {
    // The child whose nodes enclose the target.
    const total = count(at);
    if (kind(at) == OBJECT) {
      let name = first(at);
      for (let i = 1; i < total && next(next(name)) <= target; i++) name = next(next(name));
      writePointerToken(stringStart(name), stringLength(name), out);
      if (target == name) return;
      at = next(name);
    } else if (kind(at) == ARRAY) {
      let element = first(at);
      let index = 0;
      while (index < total - 1 && next(element) <= target) {
        element = next(element);
        index++;
      }
      out.byte(0x2f);
      out.integer(index);
      at = element;
    } else {
      return;
    }
  }
}
