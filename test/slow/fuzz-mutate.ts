// Ways to spoil an input: bytes of a text, values of a JSON document, characters of a condition or a pattern.

import type { Random } from "../model/random.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Values that readers like to trip over. */
const ODD: readonly Json[] = [
  null, true, false, 0, -0, 1, -1, 0.1, 1e308, -1e-308, 9007199254740991, 2147483648, 4294967296, "", "0", "a", "*", "__proto__", "untrusted", "result:0.total", "result:99",
  "\u0000", "\ufeff", "é\u0301", "\u{10ffff}", "a".repeat(300), "://", "a@b.co", [], {}, [[]], [null], [{}], { a: 1 }, { "": {} }, { $ref: "#" }, { type: "string" },
  "(a+)+$", "[", "\\p{L}", "1 +", "true", "$x", "$ref", "2025-11-29T00:00:00Z", "AAAA", "A".repeat(43), ".",
];

/** One of them, of its own: what is put into a document may be changed there, and a seed must replay alone. */
function odd(r: Random): Json {
  return structuredClone(r.pick(ODD));
}

/** Pieces of texts that mean something somewhere. */
const PIECES = [
  "{", "}", "[", "]", ",", ":", '"', "\\", "\\u", "\\ud800", "\\u0000", "null", "true", "1e400", "9007199254740993", "-", ".", "e", "0", " ", "\t", "\n", "/", "\u00e9", "\ufeff",
  '"history":', '"head":', '"undo":{"step":0}', '"explain":true', '"a":1,"a":1', "((((", "))))", "{1000}", "+", "*", "?", "|", "^", "$", "&&", "||", "!", "==", "in", "[0]", ".a", "args", "now", "matches('", "')",
];

/** A text with a few bytes changed, cut, doubled or put in. */
export function spoilBytes(r: Random, text: Uint8Array): Uint8Array {
  let bytes = text;
  for (let n = 1 + r.below(3); n > 0; n--) {
    const at = r.below(bytes.length + 1);
    const length = r.pick([1, 1, 1, 2, 8, 64]);
    const rest = bytes.subarray(Math.min(bytes.length, at + length));
    const before = bytes.subarray(0, at);
    switch (r.below(6)) {
      case 0: bytes = Buffer.concat([before, rest]); break;
      case 1: bytes = Buffer.concat([before, bytes.subarray(at, at + length), bytes.subarray(at)]); break;
      case 2: bytes = Buffer.concat([before, Buffer.from(r.pick(PIECES)), bytes.subarray(at)]); break;
      case 3: bytes = before; break;
      default: {
        const changed = Uint8Array.from(bytes);
        if (at < changed.length) changed[at] = r.chance(0.5) ? changed[at]! ^ (1 << r.below(8)) : r.below(256);
        bytes = changed;
      }
    }
  }
  return bytes;
}

/** A text of characters (a condition, a pattern) with a few changed. */
export function spoilText(r: Random, text: string): string {
  let out = text;
  for (let n = 1 + r.below(3); n > 0; n--) {
    const at = r.below(out.length + 1);
    const cut = r.below(4);
    out = r.pick([
      () => out.slice(0, at) + r.pick(PIECES) + out.slice(at), () => out.slice(0, at) + out.slice(at + cut), () => out.slice(0, at) + out.slice(at - cut),
      () => out.slice(0, at) + String.fromCharCode(32 + r.below(95)) + out.slice(at + 1), () => `${out}${r.pick(["+", "", "|", " && "])}${out}`.slice(0, 400),
    ])();
  }
  return out;
}

/** A document with one to three of its values changed, left out or doubled. The document itself is changed. */
export function spoilJson(r: Random, document: unknown): unknown {
  let root = document as Json;
  for (let n = 1 + r.below(3); n > 0; n--) root = spoilOne(r, root);
  return root;
}

function spoilOne(r: Random, root: Json): Json {
  let at = root;
  for (;;) {
    const names = at !== null && typeof at === "object" ? Object.keys(at) : [];
    if (names.length === 0) return odd(r);
    const name = r.pick(names);
    const inside = (at as { [name: string]: Json })[name]!;
    if (inside !== null && typeof inside === "object" && r.chance(0.8)) {
      at = inside;
      continue;
    }
    change(r, at as Json[] | { [name: string]: Json }, name, inside);
    return root;
  }
}

function change(r: Random, parent: Json[] | { [name: string]: Json }, name: string, value: Json): void {
  const members = parent as { [name: string]: Json };
  const kind = r.below(6);
  if (kind === 0 && Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (kind === 0) delete members[name];
  else if (kind === 1 && Array.isArray(parent)) parent.push(structuredClone(value));
  else if (kind === 1) members[r.pick(["extra", "x-a", "reports", "outcome", "head", "undo", "labels", "restarted", "$ref", "bind", "if"])] = structuredClone(value);
  else if (kind === 2 && typeof value === "string") members[name] = spoilText(r, value);
  else if (kind === 2 && typeof value === "number") members[name] = value + r.pick([1, -1, 0.5, 1e15]);
  else members[name] = odd(r);
}
