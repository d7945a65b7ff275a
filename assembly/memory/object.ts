// What compiled code calls for `new` and for growing arrays: objects are blocks of the current region, never freed alone.
//
//   object:  -8 class id   -4 payload size   +0 payload (8-aligned)

import { reallocate, take } from "./region";

const OBJECT_HEADER: usize = 8;

// @ts-ignore: decorator
@global @unsafe
export function __new(size: usize, id: u32): usize {
  const at = take(size + OBJECT_HEADER);
  store<u32>(at, id);
  store<u32>(at, <u32>size, 4);
  const object = at + OBJECT_HEADER;
  clear(object, size);
  return object;
}

/** Clears a block whose end may be rounded up to 8 bytes: a short one without the call that `memory.fill` costs. */
// @ts-ignore: decorator
@inline
function clear(at: usize, size: usize): void {
  if (size > 256) {
    memory.fill(at, 0, size);
    return;
  }
  let i: usize = 0;
  for (; i + 16 <= size; i += 16) v128.store(at + i, i64x2.splat(0));
  if (i < size) {
    store<u64>(at + i, 0);
    if (i + 8 < size) store<u64>(at + i, 0, 8);
  }
}

// @ts-ignore: decorator
@global @unsafe
export function __renew(old: usize, size: usize): usize {
  const had: usize = load<u32>(old - 4);
  if (size <= had) {
    store<u32>(old - 4, <u32>size);
    return old;
  }
  const at = reallocate(old - OBJECT_HEADER, had + OBJECT_HEADER, size + OBJECT_HEADER);
  const object = at + OBJECT_HEADER;
  store<u32>(object - 4, <u32>size);
  memory.fill(object + had, 0, size - had);
  return object;
}

// @ts-ignore: decorator
@global @unsafe
export function __link(parent: usize, child: usize, expectMultiple: bool): void {}

// @ts-ignore: decorator
@global @unsafe
export function __pin(object: usize): usize {
  return object;
}

// @ts-ignore: decorator
@global @unsafe
export function __unpin(object: usize): void {}

// @ts-ignore: decorator
@global @unsafe
export function __collect(): void {}
