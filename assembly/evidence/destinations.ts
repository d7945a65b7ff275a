// What counts as a destination (chapter 5): URLs, e-mail addresses, IP addresses, hosts and network shares, found anywhere in a text.
//
// The text is cut into words at white space, quotes and angle brackets, and each kind is looked for in every word by itself. Then, of
// overlapping findings, the longest stands. Every unit is looked at a fixed number of times; only sorting the findings costs more.

import { Text } from "../memory/buffer";
import { allocate, allocateCleared, reallocate } from "../memory/region";
import { spend } from "../memory/steps";
import { addressPortEnd, ip6Begin, ip6End, isIp6, isIp6Unit, isQuad, isSpelled } from "./addresses";
import { foundHost, hostEnd, portEnd, runEnd } from "./hosts";
import { localBegin, mailDomainEnd, quotedBegin } from "./mail";
import { END, LABEL, LETTER, SIGN, beginOf, classAt, endOf, lower, readPlain, readText, skippedBreaks, unitAt, unitCount } from "./reading";
import { findShare, findUrl, isProtocolRelative, isTrailing, shareEnd, urlColon } from "./urls";

/** The kinds, in the order of chapter 5's table. */
export const enum DestinationKind {
  Url,
  Email,
  Ip,
  Host,
  Unc,
}

/** The name of a kind. */
export function kindName(kind: DestinationKind): string {
  switch (kind) {
    case DestinationKind.Url: return "url";
    case DestinationKind.Email: return "email";
    case DestinationKind.Ip: return "ip";
    case DestinationKind.Host: return "host";
    default: return "unc";
  }
}

/** Bytes of one finding: kind, where it begins, where it ends without trailing punctuation, where it ends with it. */
const FINDING: usize = 16;

/** Collects findings by where they start. Offsets are bytes from the text's start. */
@final
export class DestinationSink {
  count: i32 = 0;
  private at: usize = 0;
  private capacity: i32 = 0;

  kind(i: i32): DestinationKind {
    return load<i32>(this.at + <usize>i * FINDING);
  }

  /** Where finding `i` begins. */
  begin(i: i32): i32 {
    return load<i32>(this.at + <usize>i * FINDING, 4);
  }

  /** Where finding `i` ends, without trailing punctuation. */
  end(i: i32): i32 {
    return load<i32>(this.at + <usize>i * FINDING, 8);
  }

  /** How many bytes finding `i` has, without trailing punctuation. */
  length(i: i32): i32 {
    return this.end(i) - this.begin(i);
  }

  /** Where finding `i` ends, with the punctuation that belongs to it (a trailing dot, the bracket of an address literal). */
  wholeEnd(i: i32): i32 {
    return load<i32>(this.at + <usize>i * FINDING, 12);
  }

  add(kind: DestinationKind, begin: i32, end: i32, wholeEnd: i32): void {
    if (this.count == this.capacity) {
      const had = <usize>this.capacity * FINDING;
      this.capacity = max(8, this.capacity * 2);
      this.at = had == 0 ? allocate(<usize>this.capacity * FINDING) : reallocate(this.at, had, <usize>this.capacity * FINDING);
    }
    const to = this.at + <usize>this.count * FINDING;
    this.count++;
    store<i32>(to, kind);
    store<i32>(to, begin, 4);
    store<i32>(to, end, 8);
    store<i32>(to, wholeEnd, 12);
  }

  /** Adds finding `i` of another. */
  addFrom(other: DestinationSink, i: i32): void {
    this.add(other.kind(i), other.begin(i), other.end(i), other.wholeEnd(i));
  }
}

/** The text being searched, and whether its argument is named like a host. */
let text: usize = 0;
let named: bool = false;
/** Where its first and last words begin and end, in units. */
let first: i32 = 0;
let last: i32 = 0;
/** Everything found so far, overlapping. */
let candidates: DestinationSink = changetype<DestinationSink>(0);

/**
 * Adds the destinations of `length` bytes of UTF-8 at `start` to `findings`, by where they start. `argumentName` is the name of the
 * top-level argument, if there is one: a whole argument named `host`, `domain`, `server`, `url` or `to` may be a host that looks
 * like a file. Works in the current region; spends a step a byte.
 */
export function findDestinations(start: usize, length: i32, argumentName: Text | null, findings: DestinationSink): void {
  find(start, length, argumentName !== null && isHostArgument(argumentName), findings);
}

function find(start: usize, length: i32, isNamed: bool, findings: DestinationSink): void {
  spend(length);
  const look = glance(start, length);
  if (look == NOTHING) return;
  text = start;
  named = isNamed;
  candidates = new DestinationSink();
  if (look == PLAIN) {
    readPlain(start, length);
    scan();
  } else {
    readText(start, length, false);
    const broken = skippedBreaks();
    scan();
    // A line break also ends what stands before it: a reader that keeps lines sees other destinations than one that joins them.
    if (broken) {
      readText(start, length, true);
      scan();
    }
  }
  if (candidates.count == 1) findings.addFrom(candidates, 0);
  else if (candidates.count > 1) settle(length, findings);
}

/** Whether a text holds a destination; the arguments are those of `findDestinations`. */
export function holdsDestination(start: usize, length: i32, argumentName: Text | null): bool {
  if (glance(start, length) == NOTHING) {
    spend(length);
    return false;
  }
  const findings = new DestinationSink();
  findDestinations(start, length, argumentName, findings);
  return findings.count != 0;
}

/** Whether the whole of a text is one e-mail address or host (what a `subject_argument` may hold, chapter 4 step 4). */
export function isWholeAddress(start: usize, length: i32): bool {
  const findings = new DestinationSink();
  find(start, length, true, findings);
  if (findings.count != 1) return false;
  const kind = findings.kind(0);
  return (kind == DestinationKind.Email || kind == DestinationKind.Host) && findings.begin(0) == 0 && findings.wholeEnd(0) == length;
}

function isHostArgument(name: Text): bool {
  return isName(name, "host") || isName(name, "domain") || isName(name, "server") || isName(name, "url") || isName(name, "to");
}

/** Whether a name is the lower-case ASCII `literal`, letters without case. */
function isName(name: Text, literal: string): bool {
  if (name.length != literal.length) return false;
  for (let i = 0; i < name.length; i++) if (lower(load<u8>(name.start + <usize>i)) != <u32>load<u16>(changetype<usize>(literal) + (<usize>i << 1))) return false;
  return true;
}

const NOTHING: i32 = 0;
const PLAIN: i32 = 1;
const READ: i32 = 2;

/** Which bytes are not printable ASCII, or `%`. */
// @ts-ignore: decorator
@inline
function oddIn(bytes: v128): v128 {
  return v128.or(i8x16.gt_u(i8x16.sub(bytes, i8x16.splat(0x20)), i8x16.splat(0x5e)), i8x16.eq(bytes, i8x16.splat(0x25)));
}

/** Which bytes are one of `. : \`. */
// @ts-ignore: decorator
@inline
function signsIn(bytes: v128): v128 {
  return v128.or(v128.or(i8x16.eq(bytes, i8x16.splat(0x2e)), i8x16.eq(bytes, i8x16.splat(0x3a))), i8x16.eq(bytes, i8x16.splat(0x5c)));
}

/**
 * What a look at the bytes tells: there is nothing to find, the text is plain, or it has to be read. Every destination has one of `. : \`,
 * begins with `//`, or is localhost; anything not printable ASCII, and `%`, may hide one.
 */
function glance(start: usize, length: i32): i32 {
  if (length < 3) return NOTHING;
  const end = start + <usize>length;
  let signs = false;
  let at = start;
  if (length >= 8) {
    // Sixteen bytes at a time, the last of them overlapping those before; of a short text two times eight.
    for (; at + 16 < end; at += 16) {
      const bytes = v128.load(at);
      if (v128.any_true(oddIn(bytes))) return READ;
      if (!signs && v128.any_true(signsIn(bytes))) signs = true;
    }
    const bytes = length >= 16 ? v128.load(end - 16) : v128.load64_lane(end - 8, v128.load64_zero(start), 1);
    if (v128.any_true(oddIn(bytes))) return READ;
    if (v128.any_true(signsIn(bytes))) signs = true;
  } else {
    for (; at < end; at++) {
      const byte: u32 = load<u8>(at);
      if (byte - 0x20 > 0x5e || byte == 0x25) return READ;
      if (byte == 0x2e || byte == 0x3a || byte == 0x5c) signs = true;
    }
  }
  if (signs) return PLAIN;
  at = start;
  while (at < end && load<u8>(at) == 0x20) at++;
  if (at + 2 < end && load<u16>(at) == 0x2f2f) return PLAIN;
  return length >= 9 && mayHoldLocalhost(start, length) ? PLAIN : NOTHING;
}

/** Whether an `l` stands before an `h` anywhere, as in localhost. */
function mayHoldLocalhost(start: usize, length: i32): bool {
  const end = start + <usize>length - 1;
  let at = start;
  for (; at + 16 <= end; at += 16) {
    const l = i8x16.eq(v128.or(v128.load(at), i8x16.splat(0x20)), i8x16.splat(0x6c));
    const h = i8x16.eq(v128.or(v128.load(at, 1), i8x16.splat(0x20)), i8x16.splat(0x68));
    if (v128.any_true(v128.and(l, h))) return true;
  }
  for (; at < end; at++) if ((load<u16>(at) | 0x2020) == 0x686c) return true;
  return false;
}

/** Adds what the units of the current reading hold. */
function scan(): void {
  first = 0;
  last = unitCount();
  while (first < last && isSpace(first)) first++;
  while (last > first && isSpace(last - 1)) last--;
  let at = first;
  while (at < last) {
    if ((classAt(at) & END) != 0) {
      at++;
      continue;
    }
    const from = at;
    let classes: u32 = 0;
    for (; at < last; at++) {
      const unitClasses = classAt(at);
      if ((unitClasses & END) != 0) break;
      classes |= unitClasses;
    }
    if ((classes & SIGN) != 0) scanWord(from, at);
    else if (from == first && isProtocolRelative(from, at)) add(DestinationKind.Url, from, at);
    else if (at - from >= 9) scanHosts(from, at);
  }
}

/** Whether a unit is white space or a control character. */
function isSpace(at: i32): bool {
  const unit = unitAt(at);
  return unit <= 0x20 || unit == 0x7f;
}

/** Adds units `from` … `to` as a candidate. */
function add(kind: DestinationKind, from: i32, to: i32): void {
  const begin = beginOf(from);
  const whole = endOf(to - 1);
  let end = whole;
  while (end > begin && isTrailing(load<u8>(text + <usize>end - 1))) end--;
  if (end > begin) candidates.add(kind, begin, end, whole);
}

/** Everything in the word `from` … `to`. A URL goes on to its end, so that what begins behind its colon need not be looked for. */
function scanWord(from: i32, to: i32): void {
  if (from == first && isProtocolRelative(from, to)) {
    add(DestinationKind.Url, from, to);
    return;
  }
  const url = findUrl(from, to);
  // A name that began before it may reach up to its colon: a scheme can also be a top-level domain.
  const limit = url < 0 ? to : urlColon();
  if (url >= 0) add(DestinationKind.Url, url, to);
  let at = from;
  while (at < limit) {
    const share = findShare(at, to);
    if (share < 0 || share >= limit) break;
    at = shareEnd();
    add(DestinationKind.Unc, share, at);
  }
  scanMail(from, limit);
  scanIp6(from, limit);
  scanHosts(from, limit);
}

function scanMail(from: i32, to: i32): void {
  let floor = from;
  for (let at = from; at < to; at++) {
    if (unitAt(at) != 0x40) continue;
    const quoted = at == from && from > 0 && unitAt(from - 1) == 0x22;
    const begin = quoted ? quotedBegin(from - 1) : localBegin(at, floor);
    floor = at + 1;
    if (begin < 0 || begin == at) continue;
    const end = mailDomainEnd(at + 1, to);
    if (end >= 0) add(DestinationKind.Email, begin, end);
  }
}

function scanIp6(from: i32, to: i32): void {
  let at = from;
  while (at < to) {
    if (!isIp6Unit(at)) {
      at++;
      continue;
    }
    const begin = at;
    let colons = 0;
    for (; at < to && isIp6Unit(at); at++) if (unitAt(at) == 0x3a) colons++;
    if (colons >= 2 && isIp6(begin, at, from, to)) add(DestinationKind.Ip, ip6Begin(), ip6End());
  }
}

/** Adds the hosts and IPv4 addresses of `from` … `to`. */
function scanHosts(from: i32, to: i32): void {
  let at = from;
  while (at < to) {
    if ((classAt(at) & LABEL) == 0 || unitAt(at) == 0x2d) {
      at++;
      continue;
    }
    const run = runEnd(at, to);
    const end = hostEnd(at, run, text, named, first, last);
    if (foundHost()) {
      const after = unitAt(end) == 0x2e ? end + 1 : end;
      add(DestinationKind.Host, at, portEnd(after));
      at = end;
    } else {
      scanNumbers(at, run);
      at = run;
    }
  }
}

/** Adds the IPv4 addresses of a run that is no host: its pieces between hyphens and other scripts. */
function scanNumbers(from: i32, to: i32): void {
  for (let at = from; at < to; at++) {
    while (at < to && unitAt(at) == 0x2e) at++;
    const begin = at;
    while (at < to && unitAt(at) != 0x2d && unitAt(at) != LETTER) at++;
    const port = addressPortEnd(at);
    if (isQuad(begin, at) || (port != at && isSpelled(begin, at))) add(DestinationKind.Ip, begin, port);
  }
}

/**
 * Of overlapping candidates the longest stands, of equal ones the first kind, then the first in the text; those that stand are
 * added to `findings` by where they begin.
 */
function settle(length: i32, findings: DestinationSink): void {
  const count = candidates.count;
  const order = allocate(<usize>count << 3);
  for (let i = 0; i < count; i++) {
    store<u64>(order + (<usize>i << 3), (<u64>(0xfffffff - candidates.length(i)) << 32) | (<u64>candidates.kind(i) << 28) | <u64>i);
  }
  sortKeys(order, count);
  // Nothing that stands is shorter than what comes after it: if they overlap, it covers one of its ends.
  const covered = allocateCleared(<usize>length);
  let standing = 0;
  for (let k = 0; k < count; k++) {
    const i = <i32>(load<u64>(order + (<usize>k << 3)) & 0xfffffff);
    const begin = candidates.begin(i);
    const end = candidates.end(i);
    if ((load<u8>(covered + <usize>begin) | load<u8>(covered + <usize>end - 1)) != 0) continue;
    memory.fill(covered + <usize>begin, 1, <usize>(end - begin));
    store<u64>(order + (<usize>standing << 3), (<u64>begin << 32) | <u64>i);
    standing++;
  }
  sortKeys(order, standing);
  for (let k = 0; k < standing; k++) findings.addFrom(candidates, <i32>(load<u64>(order + (<usize>k << 3)) & 0xfffffff));
}

/** Sorts `count` u64 at `keys`, in place: a heap, so that no order of theirs is slow. */
function sortKeys(keys: usize, count: i32): void {
  for (let root = (count >> 1) - 1; root >= 0; root--) sink(keys, root, count);
  for (let end = count - 1; end > 0; end--) {
    const largest = load<u64>(keys);
    store<u64>(keys, load<u64>(keys + (<usize>end << 3)));
    store<u64>(keys + (<usize>end << 3), largest);
    sink(keys, 0, end);
  }
}

/** Moves the key at `root` down to its place in the heap of `count`. */
function sink(keys: usize, root: i32, count: i32): void {
  const key = load<u64>(keys + (<usize>root << 3));
  let at = root;
  while (true) {
    let child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && load<u64>(keys + (<usize>child << 3)) < load<u64>(keys + (<usize>child << 3), 8)) child++;
    const below = load<u64>(keys + (<usize>child << 3));
    if (below <= key) break;
    store<u64>(keys + (<usize>at << 3), below);
    at = child;
  }
  store<u64>(keys + (<usize>at << 3), key);
}
