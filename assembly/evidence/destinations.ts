// What counts as a destination (chapter 5): URLs, e-mail addresses, IP addresses, hosts and network shares, found anywhere in a text.
//
// The text is cut into words at white space, quotes and angle brackets. In a word the first URL or share takes everything from
// where it begins; before it stand e-mail addresses, between those IPv6 addresses, between those hosts and IPv4 addresses. So of
// overlapping findings the longest stands, and every unit is looked at a fixed number of times.

import { Text } from "../memory/buffer";
import { equalAscii } from "../memory/bytes";
import { allocate, reallocate } from "../memory/region";
import { spend } from "../memory/steps";
import { ip6Begin, ip6End, isIp6, isIp6Unit, isQuad, isSpelled } from "./addresses";
import { foundHost, hostEnd, portEnd, runEnd } from "./hosts";
import { localBegin, mailDomainEnd, quotedBegin } from "./mail";
import { END, LABEL, LETTER, SIGN, beginOf, classAt, endOf, readPlain, readText, skippedBreaks, unitAt, unitCount, wasAltered } from "./reading";
import { findShare, findUrl, isProtocolRelative, isTrailing } from "./urls";

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

  /** How many bytes finding `i` has, without trailing punctuation. */
  length(i: i32): i32 {
    return load<i32>(this.at + <usize>i * FINDING, 8) - this.begin(i);
  }

  /** Where finding `i` ends, with the punctuation that belongs to it (the bracket of an address literal). */
  wholeEnd(i: i32): i32 {
    return load<i32>(this.at + <usize>i * FINDING, 12);
  }

  /** Empties it. */
  clear(): void {
    this.count = 0;
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

  /** Takes back the last findings that begin at `begin` or later. */
  dropFrom(begin: i32): void {
    while (this.count > 0 && this.begin(this.count - 1) >= begin) this.count--;
  }
}

/** The text being searched, and whether its argument is named like a host. */
let text: usize = 0;
let named: bool = false;
/** Where its first and last words begin and end, in units. */
let first: i32 = 0;
let last: i32 = 0;
let sink: DestinationSink = changetype<DestinationSink>(0);
/** Whether reading the text skipped or undid anything. */
let hidden: bool = false;

/**
 * Adds the destinations of `length` bytes of UTF-8 at `start` to `findings`, by where they start. `argumentName` is the name of the
 * top-level argument, if there is one: a whole argument named `host`, `domain`, `server`, `url` or `to` may be a host that looks
 * like a file. Linear in the text; spends a step a byte.
 */
export function findDestinations(start: usize, length: i32, argumentName: Text | null, findings: DestinationSink): void {
  spend(length);
  const look = glance(start, length);
  if (look == NOTHING) return;
  text = start;
  named = argumentName !== null && isHostArgument(argumentName);
  sink = findings;
  if (look == PLAIN) {
    hidden = false;
    readPlain(start, length);
    scan();
    return;
  }
  readText(start, length, false);
  hidden = wasAltered();
  scan();
  if (!skippedBreaks()) return;
  // A line break also ends what stands before it: a reader that keeps lines sees other destinations than one that joins them.
  const joined = sink;
  sink = new DestinationSink();
  const apart = sink;
  readText(start, length, true);
  scan();
  if (apart.count != 0) merge(joined, apart);
}

/** Whether a text holds a destination; the arguments are those of `findDestinations`. */
export function holdsDestination(start: usize, length: i32, argumentName: Text | null): bool {
  const findings = new DestinationSink();
  findDestinations(start, length, argumentName, findings);
  return findings.count != 0;
}

/**
 * Whether the whole of a text is one e-mail address or host, as it stands: nothing around it, nothing hidden in it. (What a
 * `subject_argument` may hold, chapter 4 step 4.)
 */
export function isWholeAddress(start: usize, length: i32): bool {
  const findings = new DestinationSink();
  findDestinations(start, length, null, findings);
  if (findings.count != 1 || hidden) return false;
  const kind = findings.kind(0);
  return (kind == DestinationKind.Email || kind == DestinationKind.Host) && findings.begin(0) == 0 && findings.wholeEnd(0) == length;
}

function isHostArgument(name: Text): bool {
  return isName(name, "host") || isName(name, "domain") || isName(name, "server") || isName(name, "url") || isName(name, "to");
}

function isName(name: Text, literal: string): bool {
  return equalAscii(name.start, name.length, literal);
}

const NOTHING: i32 = 0;
const PLAIN: i32 = 1;
const READ: i32 = 2;

/**
 * What a look at the bytes tells: there is nothing to find, the text is plain, or it has to be read. Every destination has one of `. : \`,
 * begins with `//`, or is localhost; anything not printable ASCII, and `%`, may hide one.
 */
function glance(start: usize, length: i32): i32 {
  if (length < 3) return NOTHING;
  const end = start + <usize>length;
  let signs = false;
  let at = start;
  for (; at + 16 <= end; at += 16) {
    const bytes = v128.load(at);
    const odd = v128.or(i8x16.gt_u(i8x16.sub(bytes, i8x16.splat(0x20)), i8x16.splat(0x5e)), i8x16.eq(bytes, i8x16.splat(0x25)));
    if (v128.any_true(odd)) return READ;
    if (signs) continue;
    const sign = v128.or(v128.or(i8x16.eq(bytes, i8x16.splat(0x2e)), i8x16.eq(bytes, i8x16.splat(0x3a))), i8x16.eq(bytes, i8x16.splat(0x5c)));
    if (v128.any_true(sign)) signs = true;
  }
  for (; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte - 0x20 > 0x5e || byte == 0x25) return READ;
    if (byte == 0x2e || byte == 0x3a || byte == 0x5c) signs = true;
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
  const count = unitCount();
  let at = 0;
  while (at < count && (classAt(at) & END) != 0) at++;
  first = at;
  last = count;
  while (last > first && (classAt(last - 1) & END) != 0) last--;
  while (at < last) {
    let to = at;
    let classes: u32 = 0;
    for (; to < last; to++) {
      const unitClasses = classAt(to);
      if ((unitClasses & END) != 0) break;
      classes |= unitClasses;
    }
    if ((classes & SIGN) != 0) scanWord(at, to);
    else if (at == first && isProtocolRelative(at, to)) add(DestinationKind.Url, at, to);
    else if (to - at >= 9) scanHosts(at, to);
    at = to;
    while (at < last && (classAt(at) & END) != 0) at++;
  }
}

/** Adds units `from` … `to` as a finding. */
function add(kind: DestinationKind, from: i32, to: i32): void {
  const begin = beginOf(from);
  const whole = endOf(to - 1);
  let end = whole;
  while (end > begin && isTrailing(load<u8>(text + <usize>end - 1))) end--;
  if (end > begin) sink.add(kind, begin, end, whole);
}

/** The word `from` … `to`: its tail first, then the addresses before it. */
function scanWord(from: i32, to: i32): void {
  let tail = from == first && isProtocolRelative(from, to) ? from : findUrl(from, to);
  let kind = DestinationKind.Url;
  const share = findShare(from, to);
  if (share >= 0 && (tail < 0 || share < tail)) {
    tail = share;
    kind = DestinationKind.Unc;
  }
  scanMail(from, tail < 0 ? to : tail);
  if (tail >= 0) add(kind, tail, to);
}

function scanMail(from: i32, to: i32): void {
  let done = from;
  for (let at = from; at < to; at++) {
    if (unitAt(at) != 0x40) continue;
    const quoted = at == from && from > 0 && unitAt(from - 1) == 0x22;
    const begin = quoted ? quotedBegin(from - 1) : localBegin(at, done);
    if (begin == at) continue;
    const end = mailDomainEnd(at + 1, to);
    if (end < 0) continue;
    if (quoted) sink.dropFrom(beginOf(begin));
    else scanColons(done, begin);
    add(DestinationKind.Email, begin, end);
    done = end;
    at = end - 1;
  }
  scanColons(done, to);
}

/** Adds the IPv6 addresses of `from` … `to`, and the hosts between them. */
function scanColons(from: i32, to: i32): void {
  let done = from;
  let at = from;
  while (at < to) {
    if (!isIp6Unit(at)) {
      at++;
      continue;
    }
    const begin = at;
    let colons = 0;
    for (; at < to && isIp6Unit(at); at++) if (unitAt(at) == 0x3a) colons++;
    if (colons < 2 || !isIp6(begin, at, done, to)) continue;
    scanHosts(done, ip6Begin());
    done = ip6End();
    add(DestinationKind.Ip, ip6Begin(), done);
    at = max(at, done);
  }
  scanHosts(done, to);
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
      // With its port; a trailing dot may stand between.
      const after = unitAt(end) == 0x2e ? end + 1 : end;
      const port = portEnd(after);
      add(DestinationKind.Host, at, port != after ? port : end);
      at = max(end, port != after ? port : end);
    } else {
      at = scanNumbers(at, run);
    }
  }
}

/** Adds the IPv4 addresses of a run that is no host: its pieces between hyphens and other scripts. Returns where to go on. */
function scanNumbers(from: i32, to: i32): i32 {
  let at = from;
  while (at < to) {
    const begin = at;
    while (at < to && unitAt(at) != 0x2d && unitAt(at) != LETTER) at++;
    const port = portEnd(at);
    if (isQuad(begin, at) || (port != at && unitAt(port) != 0x3a && (begin == 0 || unitAt(begin - 1) != 0x3a) && isSpelled(begin, at))) {
      add(DestinationKind.Ip, begin, port);
      at = port;
    } else {
      at++;
    }
  }
  return max(at, to);
}

/** Adds to `into` what `more` found besides; both are by where findings start. Of overlapping ones the longest stands. */
function merge(into: DestinationSink, more: DestinationSink): void {
  const other = new DestinationSink();
  let i = 0;
  let j = 0;
  while (i < into.count || j < more.count) {
    const mine = j == more.count || (i < into.count && into.begin(i) <= more.begin(j));
    const from = mine ? into : more;
    const k = mine ? i++ : j++;
    if (other.count > 0) {
      const before = other.count - 1;
      if (other.begin(before) + other.length(before) > from.begin(k)) {
        if (from.length(k) <= other.length(before)) continue;
        other.dropFrom(other.begin(before));
      }
    }
    other.add(from.kind(k), from.begin(k), from.begin(k) + from.length(k), from.wholeEnd(k));
  }
  into.clear();
  for (let k = 0; k < other.count; k++) into.add(other.kind(k), other.begin(k), other.begin(k) + other.length(k), other.wholeEnd(k));
}
