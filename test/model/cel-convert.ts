// The conversions of CEL conditions (`int()`, `timestamp()` …) and the parts of timestamps and durations.
import { Bytes, Double, Duration, Int, Timestamp, Uint, duration, fail, int, timestamp, typeName, uint, utf8, type Value } from './cel-value.ts';

const SECOND = 1_000_000_000n;

/** The conversion functions by name, each of one argument. */
export const conversions: Record<string, (a: Value) => Value> = {
  int: (a) => {
    if (a instanceof Int) return a;
    if (a instanceof Uint) return int(a.v);
    if (a instanceof Double) {
      const whole = Math.trunc(a.v);
      // 2^63 itself is no int, and -2^63 cannot be told from values just below it.
      if (!(whole > -(2 ** 63) && whole < 2 ** 63)) return fail('integer overflow');
      return int(BigInt(whole));
    }
    if (typeof a === 'string' && /^[+-]?[0-9]+$/.test(a)) return int(BigInt(a.replace(/^\+/, '')));
    if (a instanceof Timestamp) return int(floorDivide(a.ns, SECOND));
    return fail(`no int of ${typeName(a)}`);
  },
  uint: (a) => {
    if (a instanceof Uint) return a;
    if (a instanceof Int) return uint(a.v);
    if (a instanceof Double) {
      const whole = Math.trunc(a.v);
      // What is below 0 is out of range before it is cut.
      if (!(a.v >= 0 && whole < 2 ** 64)) return fail('unsigned integer overflow');
      return uint(BigInt(whole));
    }
    if (typeof a === 'string' && /^[0-9]+$/.test(a)) return uint(BigInt(a));
    return fail(`no uint of ${typeName(a)}`);
  },
  double: (a) => {
    if (a instanceof Double) return a;
    if (a instanceof Int || a instanceof Uint) return new Double(Number(a.v));
    if (typeof a === 'string') return stringToDouble(a);
    return fail(`no double of ${typeName(a)}`);
  },
  string: (a) => {
    if (typeof a === 'string') return a;
    if (typeof a === 'boolean') return String(a);
    if (a instanceof Int || a instanceof Uint || a instanceof Double) return String(a.v);
    if (a instanceof Bytes) {
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(a.v);
      } catch {
        return fail('bytes are not UTF-8');
      }
    }
    if (a instanceof Timestamp) return printTimestamp(a.ns);
    if (a instanceof Duration) return `${printDecimal(a.ns)}s`;
    return fail(`no string of ${typeName(a)}`);
  },
  bool: (a) => {
    if (typeof a === 'boolean') return a;
    if (typeof a === 'string') {
      if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(a)) return true;
      if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(a)) return false;
    }
    return fail(`no bool of this ${typeName(a)}`);
  },
  bytes: (a) => {
    if (a instanceof Bytes) return a;
    return typeof a === 'string' ? new Bytes(utf8(a)) : fail(`no bytes of ${typeName(a)}`);
  },
  timestamp: (a) => {
    if (a instanceof Timestamp) return a;
    if (a instanceof Int) return timestamp(a.v * SECOND);
    return typeof a === 'string' ? timestamp(readTimestamp(a)) : fail(`no timestamp of ${typeName(a)}`);
  },
  duration: (a) => {
    if (a instanceof Duration) return a;
    return typeof a === 'string' ? duration(readDuration(a)) : fail(`no duration of ${typeName(a)}`);
  },
  dyn: (a) => a,
};

function stringToDouble(a: string): Double {
  const infinity = /^([+-]?)(inf|infinity)$/i.exec(a);
  if (infinity) return new Double(infinity[1] === '-' ? -Infinity : Infinity);
  if (/^nan$/i.test(a)) return new Double(NaN);
  if (!/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(a)) return fail('not the text of a double');
  const value = Number(a);
  return Number.isFinite(value) ? new Double(value) : fail('double overflow');
}

const floorDivide = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b;

/** RFC 3339, to nanoseconds (further digits are cut). */
function readTimestamp(text: string): bigint {
  const m = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/.exec(text);
  if (!m) return fail('not an RFC 3339 timestamp');
  const [year, month, day, hour, minute, second] = m.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const offsetHours = Number(m[9] ?? 0);
  const offsetMinutes = Number(m[10] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return fail('no such date');
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return fail('no such time');
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const offset = (offsetHours * 60 + offsetMinutes) * 60 * (m[8] === '-' ? -1 : 1);
  const fraction = BigInt((m[7] ?? '').padEnd(9, '0').slice(0, 9));
  return (BigInt(date.getTime() / 1000) - BigInt(offset)) * SECOND + fraction;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
}

/** `1h30m`, `-1.5s`, `0`: signed sequence of decimals with units, to nanoseconds (what is below one is cut). */
function readDuration(text: string): bigint {
  const m = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text);
  if (!m) return fail('not a duration');
  const units: Record<string, bigint> = { ns: 1n, us: 1000n, µs: 1000n, μs: 1000n, ms: 1_000_000n, s: SECOND, m: 60n * SECOND, h: 3600n * SECOND };
  let total = 0n;
  for (const part of m[2]!.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const unit = units[part[3]!]!;
    total += BigInt(part[1] || '0') * unit;
    if (part[2]) total += (BigInt(part[2]) * unit) / 10n ** BigInt(part[2].length);
  }
  return m[1] === '-' ? -total : total;
}

function printDecimal(ns: bigint): string {
  const size = ns < 0n ? -ns : ns;
  const fraction = (size % SECOND).toString().padStart(9, '0').replace(/0+$/, '');
  return `${ns < 0n ? '-' : ''}${size / SECOND}${fraction && `.${fraction}`}`;
}

function printTimestamp(ns: bigint): string {
  const seconds = floorDivide(ns, SECOND);
  const fraction = (ns - seconds * SECOND).toString().padStart(9, '0').replace(/0+$/, '');
  const date = new Date(Number(seconds) * 1000);
  const pad = (n: number, width = 2) => String(n).padStart(width, '0');
  const day = `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  return `${day}T${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}${fraction && `.${fraction}`}Z`;
}

/** The names of the methods that give one part of a timestamp (with an optional time zone) or of a duration. */
export const partNames = [
  'getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getHours', 'getMinutes', 'getSeconds', 'getMilliseconds',
];

/** One part of a timestamp or duration. The zone is `UTC` or a fixed offset `+05:30`; names of places fail. */
export function part(name: string, a: Value, zone: Value | undefined): Int {
  if (a instanceof Duration && zone === undefined) {
    if (name === 'getHours') return int(a.ns / (3600n * SECOND));
    if (name === 'getMinutes') return int(a.ns / (60n * SECOND));
    if (name === 'getSeconds') return int(a.ns / SECOND);
    if (name === 'getMilliseconds') return int((a.ns % SECOND) / 1_000_000n);
  }
  if (!(a instanceof Timestamp)) return fail(`no ${name} of ${typeName(a)}`);
  const seconds = floorDivide(a.ns, SECOND);
  const milliseconds = (a.ns - seconds * SECOND) / 1_000_000n;
  const date = new Date((Number(seconds) + zoneOffset(zone)) * 1000);
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  const parts: Record<string, number> = {
    getFullYear: date.getUTCFullYear(),
    getMonth: date.getUTCMonth(),
    getDate: date.getUTCDate(),
    getDayOfMonth: date.getUTCDate() - 1,
    getDayOfWeek: date.getUTCDay(),
    getDayOfYear: Math.floor((date.getTime() - start.getTime()) / 86_400_000),
    getHours: date.getUTCHours(),
    getMinutes: date.getUTCMinutes(),
    getSeconds: date.getUTCSeconds(),
    getMilliseconds: Number(milliseconds),
  };
  return int(BigInt(parts[name]!));
}

/** Seconds east of UTC. */
function zoneOffset(zone: Value | undefined): number {
  if (zone === undefined || zone === 'UTC') return 0;
  const m = typeof zone === 'string' ? /^([+-]?)(\d\d):(\d\d)$/.exec(zone) : null;
  if (!m || Number(m[2]) > 23 || Number(m[3]) > 59) return fail('the time zone is neither UTC nor a fixed offset');
  return (Number(m[2]) * 60 + Number(m[3])) * 60 * (m[1] === '-' ? -1 : 1);
}
