// Where values stand: JSON Pointers into one document, each search going on from the last one.

import { writePointerToken } from "./pointer";
import { OBJECT, Value, first, kind, next, stringLength, stringStart } from "./value";
import { Buffer } from "../memory/buffer";

/**
 * A walk of a document that remembers, at each depth, the child it went into. Problems are met mostly in the order of the document, so
 * that telling of a hundred thousand of them does not count every list from its beginning each time.
 */
@final
export class Places {
  private children: Array<Value> = [];
  private indices: Array<i32> = [];

  constructor(private root: Value) {}

  /** Appends the pointer of a value of the document; of any other value, nothing. */
  write(target: Value, out: Buffer): void {
    let at = this.root;
    if (target < at || target >= next(at)) return;
    for (let depth = 0; at != target; depth++) {
      const object = kind(at) == OBJECT;
      let child = first(at);
      let index = 0;
      if (depth == this.children.length) {
        this.children.push(child);
        this.indices.push(0);
      } else if (this.children[depth] > child && this.children[depth] <= target) {
        // It lies in this container: it is after its first child, and the target is not before it.
        child = this.children[depth];
        index = this.indices[depth];
      }
      const end = next(at);
      for (;;) {
        const after = object ? next(next(child)) : next(child);
        if (after > target || after >= end) break;
        child = after;
        index++;
      }
      this.children[depth] = child;
      this.indices[depth] = index;
      if (object) {
        writePointerToken(stringStart(child), stringLength(child), out);
        if (target == child) return;
        at = next(child);
      } else {
        out.byte(0x2f);
        out.integer(index);
        at = child;
      }
    }
  }
}
