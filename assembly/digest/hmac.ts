// HMAC-SHA-256 (RFC 2104, FIPS 198-1): a key is worked in once, and then each message costs its own blocks and one more.
//
//   key state (64 bytes):  +0 chaining value after the inner pad   +32 chaining value after the outer pad

import { SHA256_BLOCK, sha256, sha256Compress, sha256Initial, sha256Tail, sha256Write } from "./sha256";
import { LANE, clearLane, enterLane, goOn, isBusy, prepareLane } from "./sha256x4";

/** Bytes of a key state. */
export const HMAC_KEY_STATE: i32 = 64;
/** Bytes of a MAC. */
export const HMAC_LENGTH: i32 = 32;

const PAD: usize = memory.data(64, 8);
const VALUE: usize = memory.data(32, 16);
const TAIL: usize = memory.data(128, 8);

/** The records, chaining values (32 bytes each) and tails (128 bytes each) of `hmacMany`. */
const LANES: usize = memory.data(96, 8);
const VALUES: usize = memory.data(128, 16);
const TAILS: usize = memory.data(512, 8);
/** Of each lane: where its MAC goes (0: it has no message), and 1 while it is at its message, 0 at the outer block. */
const TARGETS: usize = memory.data(32, 8);

/** Works a key of any length into the 64-byte key state at `out`. */
export function hmacKey(key: usize, length: i32, out: usize): void {
  memory.fill(PAD, 0, SHA256_BLOCK);
  if (length > SHA256_BLOCK) sha256(key, length, PAD);
  else memory.copy(PAD, key, <usize>length);
  mask(0x3636363636363636);
  sha256Initial(out);
  sha256Compress(out, PAD, 1);
  mask(0x3636363636363636 ^ 0x5c5c5c5c5c5c5c5c);
  sha256Initial(out + 32);
  sha256Compress(out + 32, PAD, 1);
  memory.fill(PAD, 0, SHA256_BLOCK);
}

function mask(pattern: u64): void {
  for (let i: usize = 0; i < <usize>SHA256_BLOCK; i += 8) store<u64>(PAD + i, load<u64>(PAD + i) ^ pattern);
}

/** Writes the 32-byte MAC of `length` bytes at `start` to `out`. */
export function hmac(keyState: usize, start: usize, length: i32, out: usize): void {
  const whole = length & ~63;
  takeValue(keyState, VALUE);
  sha256Compress(VALUE, start, whole >> 6);
  const tailBlocks = sha256Tail(start + <usize>whole, length - whole, <u64>SHA256_BLOCK + <u64>length, TAIL);
  sha256Compress(VALUE, TAIL, tailBlocks);
  outerBlock(VALUE, TAIL);
  takeValue(keyState + 32, VALUE);
  sha256Compress(VALUE, TAIL, 1);
  sha256Write(VALUE, out);
}

/** Copies a chaining value. */
// @ts-ignore: decorator
@inline
function takeValue(from: usize, to: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
}

/** The one block that the outer hash takes: the inner digest and its padding. */
function outerBlock(inner: usize, out: usize): void {
  sha256Write(inner, out);
  sha256Tail(out, 32, <u64>SHA256_BLOCK + 32, out);
}

/**
 * Writes the MACs of `count` messages under one key, four side by side: a lane that has made one takes the next message, so the
 * longest go best first. `messages` holds 12 bytes for each: start (u32), length in bytes (i32), and where its 32-byte MAC goes
 * (u32). No output may overlap a message.
 */
export function hmacMany(keyState: usize, messages: usize, count: i32): void {
  if (count == 1) {
    hmac(keyState, load<u32>(messages), load<i32>(messages, 4), load<u32>(messages, 8));
    return;
  }
  const end = messages + <usize>(count * 12);
  let next = messages;
  for (let lane = 0; lane < 4; lane++) {
    clearLane(LANES, lane);
    store<u64>(TARGETS + <usize>(lane << 3), 0);
  }
  do {
    for (let lane = 0; lane < 4; lane++) if (!isBusy(LANES, lane) && takeLane(keyState, lane, next < end ? next : 0)) next += 12;
  } while (goOn(LANES));
}

/** Gives a lane that has no blocks left its outer block, or ends its MAC and begins the message whose record is `next` (0: none); whether it took that. */
function takeLane(keyState: usize, lane: i32, next: usize): bool {
  const value = VALUES + <usize>(lane << 5);
  const target = TARGETS + <usize>(lane << 3);
  const out: usize = load<u32>(target);
  if (out != 0) {
    if (load<i32>(target, 4) != 0) {
      const record = LANES + <usize>(lane * LANE);
      const tail = TAILS + <usize>(lane << 7);
      outerBlock(value, tail);
      takeValue(keyState + 32, value);
      store<u32>(record, <u32>tail, 4);
      store<i32>(record, 1, 8);
      store<i32>(target, 0, 4);
      enterLane(LANES, lane);
      return false;
    }
    sha256Write(value, out);
    store<u32>(target, 0);
  }
  if (next == 0) return false;
  takeValue(keyState, value);
  prepareLane(LANES, lane, value, load<u32>(next), load<i32>(next, 4), SHA256_BLOCK, TAILS);
  store<u32>(target, load<u32>(next, 8));
  store<i32>(target, 1, 4);
  enterLane(LANES, lane);
  return true;
}
