// Every property that a pattern can name, at every code point, against the JavaScript engine; and names that are none.

import { describe, expect, it } from "vitest";
import { Unit } from "./instance";
import { propertyNames, sameUnicode } from "./unicode-engine";

const unit = new Unit("regex");
const utf8 = new TextEncoder();
const BYTES = 0x110000 >> 3;

/** All code points but the surrogates, in order. */
const ALL = [[0, 0xd7ff], [0xe000, 0x10ffff]].map(([first, last]) => {
  let text = "";
  for (let point = first!; point <= last!; point++) text += String.fromCodePoint(point);
  return text;
}).join("");

/** The code points that the engine takes for a property, as bits. */
function engine(property: string): Buffer {
  const bits = Buffer.alloc(BYTES);
  for (const { 0: run } of ALL.matchAll(new RegExp(`\\p{${property}}+`, "gu"))) {
    for (const text of run) {
      const point = text.codePointAt(0)!;
      bits[point >> 3]! |= 1 << (point & 7);
    }
  }
  return bits;
}

function compiles(pattern: string): boolean {
  const bytes = utf8.encode(pattern);
  const [start] = unit.place(bytes) as [number];
  return unit.call.compile!(start, bytes.length, 1) === 0;
}

/** Those that the core takes. */
function core(property: string): Buffer {
  expect(compiles(`^\\p{${property}}$`), property).toBe(true);
  const [start] = unit.place(BYTES) as [number];
  unit.call.takeAll!(start);
  return Buffer.from(unit.bytes(start, BYTES));
}

describe("properties at every code point", () => {
  for (const [group, properties] of Object.entries(propertyNames())) {
    it(`${group}: ${properties.length} names`, () => {
      if (!sameUnicode()) return;
      for (const property of properties) {
        const [want, got] = [engine(property), core(property)];
        if (want.equals(got)) continue;
        const at = want.findIndex((byte, i) => byte !== got[i]);
        throw new Error(`\\p{${property}} differs between U+${(at * 8).toString(16)} and U+${(at * 8 + 7).toString(16)}`);
      }
    });
  }
});

it("names are taken letter for letter, and each only where it belongs", () => {
  if (!sameUnicode()) return;
  const known = Object.values(propertyNames()).flat();
  const names = new Set(known);
  // What other engines or other ways of spelling take.
  const others = known.flatMap((name) => [name.toLowerCase(), name.toUpperCase(), name.replaceAll("_", ""), name.replaceAll("_", " "), `Is${name}`, ` ${name}`, `${name}=`, name.replace(/^[^=]*=/, "")])
    .concat(known.map((name) => name.replace(/^.*=/, "")).flatMap((value) => ["gc", "sc", "scx", "General_Category", "Script", "Script_Extensions", "Block", "Age", "ASCII"].map((property) => `${property}=${value}`)));
  let refused = 0;
  for (const name of new Set(others)) {
    if (names.has(name)) continue;
    let taken = true;
    try {
      new RegExp(`\\p{${name}}`, "u");
    } catch {
      taken = false;
      refused++;
    }
    expect(compiles(`\\p{${name}}`), name).toBe(taken);
  }
  console.log(`${refused} names refused`);
  expect(refused).toBeGreaterThan(5000);
});
