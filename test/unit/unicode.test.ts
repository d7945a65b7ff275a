// Tests the Unicode room: every property that a pattern can name, letters, digits and currency signs, against the JavaScript engine.

import { describe, expect, it } from "vitest";
import { Unit } from "./instance";
import { propertyNames, sameUnicode } from "./unicode-engine";

const unit = new Unit("regex");
const utf8 = new TextEncoder();
const MANY = 1n << 60n;
/** Code points tried of each property: all below U+0300, every SAMPLE-th above. (unicode.slow.test.ts tries all.) */
const SAMPLE = 211;

const points: number[] = [];
for (let i = 0; i < 0x110000; i += i < 0x300 ? 1 : SAMPLE) if (i < 0xd800 || i > 0xdfff) points.push(i);
const texts = points.map((point) => String.fromCodePoint(point));
const encoded = texts.map((text) => utf8.encode(text));

/** Compares `\\p{property}` with the engine's on all points. */
function compare(property: string): void {
  const bytes = utf8.encode(`^\\p{${property}}$`);
  const [start] = unit.place(bytes) as [number];
  expect(unit.call.compile!(start, bytes.length, 1), property).toBe(0);
  const expression = new RegExp(`^\\p{${property}}$`, "u");
  const [at] = unit.place(8) as [number];
  const room = new Uint8Array(unit.view().buffer);
  for (let i = 0; i < points.length; i++) {
    room.set(encoded[i]!, at);
    const got = unit.call.match!(at, encoded[i]!.length, MANY) === 1;
    if (got !== expression.test(texts[i]!)) throw new Error(`\\p{${property}} on U+${points[i]!.toString(16)}`);
  }
}

describe("properties", () => {
  for (const [group, properties] of Object.entries(propertyNames())) {
    it(`${group}: ${properties.length} names`, () => {
      if (!sameUnicode()) return;
      for (const property of properties) compare(property);
    });
  }

  it("letters and digits are L* and N*, digits N*, currency signs Sc", () => {
    if (!sameUnicode()) return;
    for (let i = 0; i < 0x110000; i++) {
      if (i >= 0xd800 && i < 0xe000) continue;
      const text = String.fromCodePoint(i);
      const want = (/[\p{L}\p{N}]/u.test(text) ? 1 : 0) | (/\p{N}/u.test(text) ? 2 : 0) | (/\p{Sc}/u.test(text) ? 4 : 0);
      if (unit.call.kindOf!(i) !== want) throw new Error(`U+${i.toString(16)}`);
    }
  });
});
