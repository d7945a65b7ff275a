// Origins: where the caller says an argument came from (chapter 4, Origins).

import { Text } from "../memory/buffer";
import { equalAscii, startsWithAscii } from "../memory/bytes";

/** `model`, and anything that is none of the others. */
export const OTHER: i32 = 0;
export const TYPED: i32 = 1;
export const REPLY: i32 = 2;
export const CONTEXT: i32 = 3;
export const COMPUTED: i32 = 4;
export const RESULT: i32 = 5;

/** The step of the `result:` origin read last; -1 where it is past what a history can hold. */
export let originStep: i32 = -1;
/** Its field, or null for `result:<step>`. */
export let originField: Text | null = null;

/** Which origin a text is; of `result:…` the step and the field are left in `originStep` and `originField`. */
export function readOrigin(start: usize, length: i32): i32 {
  switch (length) {
    case 5:
      if (equalAscii(start, length, "typed")) return TYPED;
      return equalAscii(start, length, "reply") ? REPLY : OTHER;
    case 7:
      if (equalAscii(start, length, "context")) return CONTEXT;
      break;
    case 8:
      if (equalAscii(start, length, "computed")) return COMPUTED;
      break;
    default:
      break;
  }
  if (!startsWithAscii(start, length, "result:")) return OTHER;
  let at = 7;
  let step: i64 = 0;
  while (at < length && load<u8>(start + <usize>at) >= 0x30 && load<u8>(start + <usize>at) <= 0x39) {
    if (step < 2147483647) step = step * 10 + <i64>(load<u8>(start + <usize>at) - 0x30);
    at++;
  }
  const digits = at - 7;
  if (digits == 0 || (digits > 1 && load<u8>(start + 7) == 0x30)) return OTHER;
  originField = null;
  if (at < length) {
    if (load<u8>(start + <usize>at) != 0x2e || at + 1 == length) return OTHER;
    originField = new Text(start + <usize>(at + 1), length - at - 1);
  }
  originStep = step < 2147483647 ? <i32>step : -1;
  return RESULT;
}
