// Reads a character class […] of a pattern into ranges.

import { ESCAPE_NONE, ESCAPE_SET, PatternText, readEscape } from "./escape";
import { RangeList } from "../unicode/ranges";

/** How many ranges are gathered before those that touch are joined: a class of many sets says the same ranges again and again. */
const GATHERED: i32 = 4096;

/** Reads one member of a class: a code point, ESCAPE_SET, or ESCAPE_NONE. */
function readMember(text: PatternText, set: RangeList): i32 {
  const value = text.take();
  return value == 0x5c ? readEscape(text, true, set) : value;
}

/** Reads a class whose bracket has been taken and answers its ranges, normalised, or null after noting the problem. */
export function readClass(text: PatternText): RangeList | null {
  const start = text.at - 1;
  const inverted = text.accept(0x5e);
  const set = new RangeList(16);
  let gathered = GATHERED;
  while (true) {
    if (text.at >= text.end) {
      text.fail(start, "a class does not end");
      return null;
    }
    if (text.accept(0x5d)) break;
    const where = text.at;
    const first = readMember(text, set);
    if (first == ESCAPE_NONE) return null;
    if (text.peek() == 0x2d && text.peek(1) != 0x5d && text.peek(1) >= 0) {
      text.at++;
      const last = readMember(text, set);
      if (last == ESCAPE_NONE) return null;
      if (first == ESCAPE_SET || last == ESCAPE_SET) {
        text.fail(where, "a range in a class begins or ends with a set");
        return null;
      }
      if (first > last) {
        text.fail(where, "a range in a class is out of order");
        return null;
      }
      set.add(first, last);
    } else if (first != ESCAPE_SET) {
      set.add(first, first);
    }
    if (set.count > gathered) {
      set.normalise();
      gathered = max(GATHERED, set.count << 1);
    }
  }
  set.normalise();
  return inverted ? set.inverted() : set;
}
