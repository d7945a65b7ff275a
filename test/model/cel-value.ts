// The values of CEL conditions: how they look, how they are equal, ordered, converted, and when they overflow.
import { JsonNumber, type Json } from './json.ts';

/** A CEL value; `null`, booleans, strings (well-formed) and lists are the JavaScript ones. */
export type Value = null | boolean | string | Value[] | Int | Uint | Double | Bytes | CelMap | Timestamp | Duration;

export class Int { constructor(readonly v: bigint) {} }
export class Uint { constructor(readonly v: bigint) {} }
export class Double { constructor(readonly v: number) {} }
export class Bytes { constructor(readonly v: Uint8Array) {} }
/** Nanoseconds since 1970-01-01T00:00:00Z. */
export class Timestamp { constructor(readonly ns: bigint) {} }
/** Nanoseconds. */
export class Duration { constructor(readonly ns: bigint) {} }

export class CelMap {
  readonly entries: [Value, Value][] = [];
  constructor(readonly missingIsFalse = false) {}
  find(key: Value): Value | undefined {
    for (const [k, v] of this.entries) if (equal(k, key)) return v;
    return this.missingIsFalse && typeof key === 'string' ? false : undefined;
  }
  has(key: Value): boolean {
    return this.entries.some(([k]) => equal(k, key));
  }
}

/** An evaluation that failed; never leaves the evaluator. */
export class Failure extends Error {}

export function fail(message: string): never {
  throw new Failure(message);
}

/** JSON to CEL: every number is a double, objects are maps with string keys. */
export function fromJson(value: Json): Value {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value instanceof JsonNumber) return new Double(value.value);
  if (Array.isArray(value)) return value.map(fromJson);
  const map = new CelMap();
  for (const [name, member] of value) map.entries.push([name, fromJson(member)]);
  return map;
}

export function typeName(v: Value): string {
  if (v === null) return 'null_type';
  if (typeof v === 'boolean') return 'bool';
  if (typeof v === 'string') return 'string';
  if (Array.isArray(v)) return 'list';
  if (v instanceof Int) return 'int';
  if (v instanceof Uint) return 'uint';
  if (v instanceof Double) return 'double';
  if (v instanceof Bytes) return 'bytes';
  if (v instanceof CelMap) return 'map';
  return v instanceof Timestamp ? 'timestamp' : 'duration';
}

const isNumber = (v: Value): v is Int | Uint | Double => v instanceof Int || v instanceof Uint || v instanceof Double;

/** -1, 0, 1, or null beside NaN. Beside a double a whole number is the double nearest to it: cel-spec's cases named "lossy" ask for it. */
function compareNumbers(a: Int | Uint | Double, b: Int | Uint | Double): number | null {
  const mixed = a instanceof Double || b instanceof Double;
  const [x, y] = mixed ? [Number(a.v), Number(b.v)] : [a.v, b.v];
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : null;
}

/** Equality between any two values; values of different types differ, except that numbers compare by value. */
export function equal(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => equal(x, b[i]!));
  if (a instanceof CelMap && b instanceof CelMap) {
    if (a.entries.length !== b.entries.length) return false;
    return a.entries.every(([k, v]) => b.entries.some(([k2, v2]) => equal(k, k2) && equal(v, v2)));
  }
  if (a instanceof Bytes && b instanceof Bytes) return compareBytes(a.v, b.v) === 0;
  if (a instanceof Timestamp && b instanceof Timestamp) return a.ns === b.ns;
  if (a instanceof Duration && b instanceof Duration) return a.ns === b.ns;
  return a === b;
}

/** -1, 0, 1, or null where a NaN makes two numbers incomparable. Fails where the two have no order. */
export function compare(a: Value, b: Value): number | null {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(utf8(a), utf8(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Bytes && b instanceof Bytes) return compareBytes(a.v, b.v);
  if ((a instanceof Timestamp && b instanceof Timestamp) || (a instanceof Duration && b instanceof Duration)) {
    return a.ns < b.ns ? -1 : a.ns > b.ns ? 1 : 0;
  }
  return fail(`no order between ${typeName(a)} and ${typeName(b)}`);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  }
  return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
}

export const utf8 = (s: string): Uint8Array => new TextEncoder().encode(s);

const I64_MIN = -(2n ** 63n);
const I64_MAX = 2n ** 63n - 1n;
const U64_MAX = 2n ** 64n - 1n;
const SECOND = 1_000_000_000n;
const TIME_MIN = -62135596800n * SECOND;
const TIME_MAX = 253402300799n * SECOND + 999_999_999n;

export function int(v: bigint): Int {
  return v < I64_MIN || v > I64_MAX ? fail('integer overflow') : new Int(v);
}
export function uint(v: bigint): Uint {
  return v < 0n || v > U64_MAX ? fail('unsigned integer overflow') : new Uint(v);
}
export function timestamp(ns: bigint): Timestamp {
  return ns < TIME_MIN || ns > TIME_MAX ? fail('timestamp out of range') : new Timestamp(ns);
}
export function duration(ns: bigint): Duration {
  // "Duration values are limited to a single int64 value" (cel-spec, Overflow): of nanoseconds.
  return ns < I64_MIN || ns > I64_MAX ? fail('duration out of range') : new Duration(ns);
}

/** `+ - * / %` between two values. */
export function arithmetic(op: string, a: Value, b: Value): Value {
  if (a instanceof Int && b instanceof Int) return int(integerArithmetic(op, a.v, b.v));
  if (a instanceof Uint && b instanceof Uint) return uint(integerArithmetic(op, a.v, b.v));
  if (a instanceof Double && b instanceof Double) {
    if (op === '+') return new Double(a.v + b.v);
    if (op === '-') return new Double(a.v - b.v);
    if (op === '*') return new Double(a.v * b.v);
    if (op === '/') return new Double(a.v / b.v);
  }
  if (op === '+') {
    if (typeof a === 'string' && typeof b === 'string') return a + b;
    if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
    if (a instanceof Bytes && b instanceof Bytes) return new Bytes(Uint8Array.from([...a.v, ...b.v]));
    if (a instanceof Timestamp && b instanceof Duration) return timestamp(a.ns + b.ns);
    if (a instanceof Duration && b instanceof Timestamp) return timestamp(a.ns + b.ns);
    if (a instanceof Duration && b instanceof Duration) return duration(a.ns + b.ns);
  }
  if (op === '-') {
    if (a instanceof Timestamp && b instanceof Timestamp) return duration(a.ns - b.ns);
    if (a instanceof Timestamp && b instanceof Duration) return timestamp(a.ns - b.ns);
    if (a instanceof Duration && b instanceof Duration) return duration(a.ns - b.ns);
  }
  return fail(`no ${op} between ${typeName(a)} and ${typeName(b)}`);
}

function integerArithmetic(op: string, a: bigint, b: bigint): bigint {
  if (op === '+') return a + b;
  if (op === '-') return a - b;
  if (op === '*') return a * b;
  if (b === 0n) return fail('division by zero');
  if (op === '/') return a / b;
  // The quotient of the smallest int by -1 overflows, so its remainder is an overflow too.
  if (a === I64_MIN && b === -1n) return fail('integer overflow');
  return a % b;
}

export function negate(a: Value): Value {
  if (a instanceof Int) return int(-a.v);
  if (a instanceof Double) return new Double(-a.v);
  return fail(`no - of ${typeName(a)}`);
}

/** `a[key]`: an element of a list or the value of a map's key; both fail where there is none. */
export function index(a: Value, key: Value): Value {
  if (Array.isArray(a)) {
    if (!isNumber(key)) return fail(`a list has no index of type ${typeName(key)}`);
    const i = Number(key.v);
    if (!Number.isInteger(i) || i < 0 || i >= a.length) return fail('index out of range');
    return a[i]!;
  }
  if (a instanceof CelMap) {
    const found = a.find(key);
    return found === undefined ? fail('no such key') : found;
  }
  return fail(`no index into ${typeName(a)}`);
}

/** `needle in hay`. */
export function contained(needle: Value, hay: Value): boolean {
  if (Array.isArray(hay)) return hay.some((x) => equal(x, needle));
  if (hay instanceof CelMap) return hay.has(needle);
  return fail(`no in of ${typeName(hay)}`);
}

export function size(a: Value): Int {
  if (typeof a === 'string') return new Int(BigInt([...a].length));
  if (a instanceof Bytes) return new Int(BigInt(a.v.length));
  if (Array.isArray(a)) return new Int(BigInt(a.length));
  if (a instanceof CelMap) return new Int(BigInt(a.entries.length));
  return fail(`no size of ${typeName(a)}`);
}
