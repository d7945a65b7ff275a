// The allocator under everything: bump allocation in the current region; a region is freed whole, never an object alone.
//
// A region is a chain of chunks. Each call works in the call region, which is emptied when the next call begins. A loaded
// policy, a key set and a session handle each own a region, freed when they are dropped.
//
//   chunk:   +0 size (bytes, this header included)   +4 next chunk or 0   +8 payload …
//   region:  the first 16 payload bytes of its first chunk:
//            +0 last chunk   +4 cursor (while not current)   +8 limit (while not current)   +12 0

const CHUNK_HEADER: usize = 8;
const REGION_HEADER: usize = 16;
const PAGE: usize = 65536;
/** Bytes of memory that follow the last chunk: whoever reads a short text eight bytes at a time never leaves memory. */
const SLACK: usize = 8;
/** The smallest chunk, in bytes. */
const CHUNK_MINIMUM: usize = PAGE;

/** Free chunks, ordered by address, neighbours merged; each uses the chunk header. */
let freeChunks: usize = 0;
/** Where the memory never given out begins. */
let frontier: usize = 0;

let region: usize = 0;
let cursor: usize = 0;
let limit: usize = 0;

function takeChunk(payload: usize): usize {
  const size = (payload + CHUNK_HEADER + (CHUNK_MINIMUM - 1)) & ~(CHUNK_MINIMUM - 1);
  let before: usize = 0;
  for (let chunk = freeChunks; chunk != 0; chunk = load<u32>(chunk, 4)) {
    const have: usize = load<u32>(chunk);
    if (have >= size) {
      let rest: usize = load<u32>(chunk, 4);
      if (have > size) {
        const tail = chunk + size;
        store<u32>(tail, <u32>(have - size));
        store<u32>(tail, <u32>rest, 4);
        rest = tail;
      }
      if (before == 0) freeChunks = rest;
      else store<u32>(before, <u32>rest, 4);
      store<u32>(chunk, <u32>size);
      store<u32>(chunk, 0, 4);
      return chunk;
    }
    before = chunk;
  }
  if (frontier == 0) frontier = (__heap_base + (PAGE - 1)) & ~(PAGE - 1);
  const end = frontier + size;
  const pages = <i32>((end + SLACK + PAGE - 1) / PAGE) - memory.size();
  // An eighth of what there is at the least: V8 may collect garbage at each growth, which made a large policy five times as slow.
  if (pages > 0 && memory.grow(max(pages, memory.size() >> 3)) < 0 && memory.grow(pages) < 0) unreachable();
  const chunk = frontier;
  frontier = end;
  store<u32>(chunk, <u32>size);
  store<u32>(chunk, 0, 4);
  return chunk;
}

function giveChunk(chunk: usize): void {
  let before: usize = 0;
  let after = freeChunks;
  while (after != 0 && after < chunk) {
    before = after;
    after = load<u32>(after, 4);
  }
  let size: usize = load<u32>(chunk);
  if (after != 0 && chunk + size == after) {
    size += <usize>load<u32>(after);
    after = load<u32>(after, 4);
  }
  if (before != 0 && before + <usize>load<u32>(before) == chunk) {
    store<u32>(before, <u32>(<usize>load<u32>(before) + size));
    store<u32>(before, <u32>after, 4);
    return;
  }
  store<u32>(chunk, <u32>size);
  store<u32>(chunk, <u32>after, 4);
  if (before == 0) freeChunks = chunk;
  else store<u32>(before, <u32>chunk, 4);
}

/** Makes an empty region and returns it; it is not the current one. */
export function createRegion(): usize {
  const chunk = takeChunk(REGION_HEADER);
  const made = chunk + CHUNK_HEADER;
  store<u32>(made, <u32>chunk);
  store<u32>(made, <u32>(made + REGION_HEADER), 4);
  store<u32>(made, <u32>(chunk + <usize>load<u32>(chunk)), 8);
  return made;
}

/** Makes `next` the region of all allocations from here on; returns the one that was. */
export function enterRegion(next: usize): usize {
  const old = region;
  if (old == next) return old;
  if (old != 0) {
    store<u32>(old, <u32>cursor, 4);
    store<u32>(old, <u32>limit, 8);
  }
  region = next;
  cursor = load<u32>(next, 4);
  limit = load<u32>(next, 8);
  return old;
}

function freeChain(first: usize): void {
  let chunk = first;
  while (chunk != 0) {
    const next: usize = load<u32>(chunk, 4);
    giveChunk(chunk);
    chunk = next;
  }
}

/** Empties a region; its first chunk stays. Everything allocated in it is gone. */
export function resetRegion(which: usize): void {
  const first = which - CHUNK_HEADER;
  const more: usize = load<u32>(first, 4);
  if (more != 0) {
    freeChain(more);
    store<u32>(first, 0, 4);
    store<u32>(which, <u32>first);
  }
  const start = which + REGION_HEADER;
  const end = first + <usize>load<u32>(first);
  if (region == which) {
    cursor = start;
    limit = end;
  } else {
    store<u32>(which, <u32>start, 4);
    store<u32>(which, <u32>end, 8);
  }
}

/** Frees a region whole. It must not be the current one. */
export function dropRegion(which: usize): void {
  freeChain(which - CHUNK_HEADER);
}

function grow(size: usize): void {
  const last: usize = load<u32>(region);
  const had: usize = load<u32>(last);
  // Chunks double up to a bound, and are never smaller than what is asked for.
  const payload = max(size + 16, min(had, 16 * CHUNK_MINIMUM));
  const chunk = takeChunk(payload);
  store<u32>(last, <u32>chunk, 4);
  store<u32>(region, <u32>chunk);
  cursor = chunk + CHUNK_HEADER;
  limit = chunk + <usize>load<u32>(chunk);
}

/** `size` bytes of the current region, 8-aligned, not cleared. */
export function allocate(size: usize): usize {
  return take(size);
}

/** `allocate` in the place of its call, for what is called most. */
// @ts-ignore: decorator
@inline
export function take(size: usize): usize {
  // A size near the address space's end would wrap around in the sum below.
  if (size > 0x70000000) unreachable();
  const wanted = (size + 7) & ~7;
  if (cursor + wanted > limit) grow(wanted);
  const at = cursor;
  cursor = at + wanted;
  return at;
}

/** `size` bytes of the current region, 8-aligned, cleared. */
export function allocateCleared(size: usize): usize {
  const at = allocate(size);
  memory.fill(at, 0, size);
  return at;
}

/** Grows the block at `at` from `had` to `size` bytes, in place where it is the last one; returns where it is now. */
export function reallocate(at: usize, had: usize, size: usize): usize {
  const end = at + ((had + 7) & ~7);
  if (end == cursor && at + ((size + 7) & ~7) <= limit && size >= had) {
    cursor = at + ((size + 7) & ~7);
    return at;
  }
  const moved = allocate(size);
  memory.copy(moved, at, min(had, size));
  return moved;
}

/** Gives the end of the last allocation back: `end` becomes the cursor. */
export function trimTo(end: usize): void {
  const aligned = (end + 7) & ~7;
  if (aligned <= cursor) cursor = aligned;
}
