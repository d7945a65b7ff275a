// Dates, times and durations as RFC 3339 writes them (section 5.6 and appendix A).

// @ts-ignore: decorator
@inline
function isDigit(c: i32): bool {
  return c >= 0x30 && c <= 0x39;
}

/** The number that `digits` ASCII digits at `at` make, or -1. */
function digitsAt(at: usize, digits: i32): i32 {
  let value = 0;
  for (let i: usize = 0; i < <usize>digits; i++) {
    const c: i32 = load<u8>(at + i);
    if (!isDigit(c)) return -1;
    value = value * 10 + c - 0x30;
  }
  return value;
}

/** `full-date`: a day of the proleptic Gregorian calendar. */
export function isDate(start: usize, length: i32): bool {
  if (length != 10 || load<u8>(start, 4) != 0x2d || load<u8>(start, 7) != 0x2d) return false;
  const year = digitsAt(start, 4);
  const month = digitsAt(start + 5, 2);
  const day = digitsAt(start + 8, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const days = month == 2 ? (leap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
  return day <= days;
}

/** `full-time`. A leap second counts where it is 23:59:60 in UTC. */
export function isTime(start: usize, length: i32): bool {
  if (length < 9 || load<u8>(start, 2) != 0x3a || load<u8>(start, 5) != 0x3a) return false;
  const hour = digitsAt(start, 2);
  const minute = digitsAt(start + 3, 2);
  const second = digitsAt(start + 6, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
  const end = start + <usize>length;
  let at = start + 8;
  if (load<u8>(at) == 0x2e) {
    const fraction = ++at;
    while (at < end && isDigit(load<u8>(at))) at++;
    if (at == fraction) return false;
  }
  let offset = 0;
  if (end - at == 1) {
    if ((load<u8>(at) | 0x20) != 0x7a) return false;
  } else {
    if (end - at != 6 || load<u8>(at, 3) != 0x3a) return false;
    const sign = load<u8>(at);
    const hours = digitsAt(at + 1, 2);
    const minutes = digitsAt(at + 4, 2);
    if ((sign != 0x2b && sign != 0x2d) || hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
    offset = hours * 60 + minutes;
    if (sign == 0x2d) offset = -offset;
  }
  if (second < 60) return true;
  return (hour * 60 + minute - offset + 2880) % 1440 == 1439;
}

/** `date-time`. */
export function isDateTime(start: usize, length: i32): bool {
  if (length < 20 || (load<u8>(start, 10) | 0x20) != 0x74) return false;
  return isDate(start, 10) && isTime(start + 11, length - 11);
}

/** Past one or more digits and the letter after them; the letter is left in `unit`, 0 where there is none. */
let unit: i32 = 0;
function component(at: usize, end: usize): usize {
  const from = at;
  while (at < end && isDigit(load<u8>(at))) at++;
  unit = at > from && at < end ? <i32>load<u8>(at) : 0;
  return at + 1;
}

/** Reads components whose letters follow one another in `units` without a gap; returns where they end, or 0. */
function components(at: usize, end: usize, units: string): usize {
  let expected = -1;
  while (at < end && load<u8>(at) != 0x54) {
    at = component(at, end);
    const place = unit == 0 ? -1 : units.indexOf(String.fromCharCode(unit));
    if (place < 0 || (expected >= 0 && place != expected)) return 0;
    expected = place + 1;
  }
  return expected < 0 ? 0 : at;
}

/** `duration`. */
export function isDuration(start: usize, length: i32): bool {
  const end = start + <usize>length;
  if (length < 3 || load<u8>(start) != 0x50) return false;
  let at = component(start + 1, end);
  if (unit == 0x57) return at == end;
  at = start + 1;
  if (load<u8>(at) != 0x54) {
    at = components(at, end, "YMD");
    if (at == 0) return false;
    if (at == end) return true;
  }
  return components(at + 1, end, "HMS") == end;
}
