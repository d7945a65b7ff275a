// Joins data segments of a WebAssembly module that lie close together: the compiler cuts them at every run of zeros.

/** The widest gap that is filled with zeros rather than begun anew, in bytes: a segment's head takes five, and a compressor pays for each. */
const GAP = 64;
const DATA_COUNT = 12;
const DATA = 11;

/** Reads an unsigned LEB128 number: its value and where it ends. */
function readUnsigned(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

/** The LEB128 bytes of a number of 32 bits: unsigned, or signed as a constant's operand is. */
function leb(value, signed) {
  const out = [];
  for (let rest = value; ; ) {
    const low = rest & 127;
    rest = signed ? rest >> 7 : rest >>> 7;
    if (signed ? (rest === 0 && low < 64) || (rest === -1 && low >= 64) : rest === 0) return [...out, low];
    out.push(low | 128);
  }
}

/** The segments of a data section, in order; null where one is not a plain piece of the first memory at a constant place. */
function readSegments(bytes, begin) {
  let [count, at] = readUnsigned(bytes, begin);
  const segments = [];
  for (; count > 0; count--) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0x41) return null;
    const [offset, afterOffset] = readUnsigned(bytes, at + 2);
    if (bytes[afterOffset] !== 0x0b) return null;
    const [length, start] = readUnsigned(bytes, afterOffset + 1);
    segments.push({ offset, bytes: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return segments;
}

/** Segments in ascending places, those at most GAP apart joined; null where two overlap. */
function join(segments) {
  const joined = [];
  for (const { offset, bytes } of segments) {
    const last = joined.at(-1);
    const gap = last === undefined ? 0 : offset - last.offset - last.length;
    if (gap < 0) return null;
    if (last === undefined || gap > GAP) joined.push({ offset, length: bytes.length, parts: [bytes] });
    else {
      last.parts.push(Buffer.alloc(gap), bytes);
      last.length += gap + bytes.length;
    }
  }
  return joined;
}

const section = (id, body) => Buffer.concat([Buffer.from([id, ...leb(body.length, false)]), body]);

/**
 * The same module with its data segments joined; its memory begins the same, since what lies between them was zero.
 * In: a whole module whose memory begins as zeros. A module with segments of other kinds is given back as it is.
 */
export function joinSegments(module) {
  const parts = [module.subarray(0, 8)];
  let count = 0;
  for (let at = 8; at < module.length; ) {
    const id = module[at];
    const [size, begin] = readUnsigned(module, at + 1);
    let part = module.subarray(at, begin + size);
    if (id === DATA) {
      const segments = readSegments(module, begin);
      const joined = segments && join(segments);
      if (joined === null) return module;
      count = joined.length;
      const pieces = joined.flatMap(({ offset, length, parts }) => [Buffer.from([0, 0x41, ...leb(offset, true), 0x0b, ...leb(length, false)]), ...parts]);
      part = section(DATA, Buffer.concat([Buffer.from(leb(count, false)), ...pieces]));
    }
    parts.push(id === DATA_COUNT ? null : part);
    at = begin + size;
  }
  // The number of segments stands before the code, if anywhere: known now.
  return Buffer.concat(parts.map((part) => part ?? section(DATA_COUNT, Buffer.from(leb(count, false)))));
}
