// Ids of calls, approvals and switches: UUIDs of version 7 (RFC 9562), which sort by the time they were made.
import { randomFillSync } from "node:crypto";

/** So many ids are made of random bytes that were asked for at once: asking takes longer than all the rest. */
const AT_ONCE = 256;

/** Makes ids by a clock (milliseconds since 1970). Two of one millisecond sort in the order they were made, while there are not more than 2^11 of them. */
export function createIds(clock: () => number): () => string {
  let last = -1;
  let count = 0;
  const pool = Buffer.alloc(16 * AT_ONCE);
  let used = AT_ONCE;
  return () => {
    const now = Math.max(clock(), last);
    if (used === AT_ONCE) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.subarray(16 * used, 16 * ++used);
    if (now === last) count = Math.min(count + 1, 0xfff);
    else count = bytes.readUInt16BE(6) & 0x7ff;
    last = now;
    bytes.writeUIntBE(now, 0, 6);
    bytes.writeUInt16BE(0x7000 | count, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}
