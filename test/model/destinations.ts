// Finds the destinations in a string: URLs, e-mail addresses, IP addresses, host names, UNC paths (chapter 5).
import { readFileSync } from 'node:fs';
import { decodePunycode } from './alabel.ts';
import { isIpv6 } from './formats.ts';

export interface Destination {
  kind: string;
  /** The original text, without trailing punctuation. */
  text: string;
  /** Where it starts, in UTF-16 code units of the original text. */
  start: number;
}

/**
 * The destinations in a string, by where they start.
 * `argument` is the name of the argument whose whole value the string is, or null.
 */
export function destinations(text: string, argument: string | null): Destination[] {
  return find(text, argument, true).map(({ kind, shown, from }) => ({ kind, text: shown, start: from }));
}

/** Whether the whole of a string is one e-mail address or one host, as chapter 5 reads it. */
export function isWholeAddress(text: string): boolean {
  const found = find(text, 'host', false);
  const [only] = found;
  return found.length === 1 && (only!.kind === 'email' || only!.kind === 'host') && only!.from === 0 && only!.to === text.length;
}

/** A finding in the original text; `shown` is it without trailing punctuation. */
interface Finding {
  kind: string;
  from: number;
  to: number;
  shown: string;
}

const kinds = ['url', 'email', 'ip', 'host', 'unc'];

function find(text: string, argument: string | null, wide: boolean): Finding[] {
  const findings = readings(text, wide).flatMap((reading) => findIn(text, reading, argument));
  // The longest first (in bytes of UTF-8), then by the table's order of kinds; each stands if it overlaps none that stands.
  const bytes = (f: Finding) => Buffer.byteLength(f.shown);
  findings.sort((a, b) => bytes(b) - bytes(a) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.from - b.from);
  const standing: Finding[] = [];
  for (const f of findings) {
    if (f.shown !== '' && !standing.some((s) => f.from < s.from + s.shown.length && s.from < f.from + f.shown.length)) standing.push(f);
  }
  return standing.sort((a, b) => a.from - b.from);
}

/** Everything in one reading, in the original text's places. */
function findIn(original: string, reading: Reading, argument: string | null): Finding[] {
  const { text } = reading;
  const { hosts, ips } = names(text, argument);
  const spans: [string, Span[]][] = [['url', urls(text)], ['email', emails(text)], ['ip', [...ips, ...ip6s(text)]], ['host', hosts], ['unc', uncs(text)]];
  return spans.flatMap(([kind, found]) => found.map(([a, b]): Finding => {
    const from = reading.from[a]!;
    const to = reading.to[b - 1]!;
    return { kind, from, to, shown: original.slice(from, to).replace(/[.,;:!?)\]}'"]+$/, '') };
  }));
}

/** A way in which a program may read the string; for each code unit of what it reads, where that stands in the original. */
interface Reading {
  text: string;
  from: number[];
  to: number[];
}

/**
 * Chapter 5's reading; where it skips something, also with spaces in its place; and, as chapter 5 prefers a false alarm, what programs
 * make of compatibility characters, further ignorable characters and the escapes of JSON, JavaScript and HTML, where `wide`.
 */
function readings(original: string, wide: boolean): Reading[] {
  const modes = wide && hides(original) ? [false, true] : [false];
  return modes.flatMap((mode) => {
    const characters = charactersOf(original, mode);
    const joined = readAsProgram(characters, '');
    return characters.some(({ c }) => skipped.test(c) || (mode && ignored.test(c))) ? [joined, readAsProgram(characters, ' ')] : [joined];
  });
}

const skipped = /^[\t\r\n\u200B-\u200D\u2060\uFEFF\u00AD]$/;
/** Characters that programs leave out of a name. */
const ignored = /^\p{Default_Ignorable_Code_Point}$/u;
/** Not `\n` and `\t`, which would join the lines of a text in JSON. */
const escapes = /\\(?:[/\\]|x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\})|&#(?:x[0-9a-f]{1,7}|[0-9]{1,7});?|&(?:colon|period|sol|bsol|commat|percnt|Tab|NewLine);/iy;
const named: Record<string, string> = { colon: ':', period: '.', sol: '/', bsol: '\\', commat: '@', percnt: '%', Tab: '\t', NewLine: '\n' };

/** What the escape at a place of a text stands for, and its length; null where there is none. */
function escapeAt(text: string, at: number): { c: string; length: number } | null {
  escapes.lastIndex = at;
  const [found] = escapes.exec(text) ?? [null];
  // Only the letters of digits go without case: `\X2e` is no escape, nor is `&COLON;`.
  if (found === null || /^\\[XU]|^&(?!#)(?!colon|period|sol|bsol|commat|percnt|Tab|NewLine)/.test(found)) return null;
  const hex = /^(?:\\[xu]\{?|&#x)([0-9a-f]+)/i.exec(found);
  const decimal = /^&#([0-9]+)/.exec(found);
  const length = found.length;
  if (hex || decimal) {
    const code = hex ? parseInt(hex[1]!, 16) : Number(decimal![1]);
    return { c: code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD', length };
  }
  if (found[0] === '&') return { c: named[found.slice(1, -1)]!, length };
  return { c: found[1]!, length };
}

/** What a character that is not ASCII stands for in a name, or itself. Not the ordinal and numero signs, nor what stands for dots alone. */
function asName(c: string): string {
  const ascii = c.normalize('NFKC').toLowerCase();
  const fits = /^[a-z0-9.:/@\\%-]{1,4}$/.test(ascii) && !/^\.\.+$/.test(ascii) && ascii.length <= Buffer.byteLength(c);
  return fits && !/^[\u0000-\u007F\u00AA\u00BA\u2116]$/.test(c) ? ascii : c;
}

/** Whether a text holds anything that a wide reading reads otherwise. */
function hides(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (/[\\&]/.test(text[at]!) && escapeAt(text, at)) return true;
  return [...text].some((c) => (ignored.test(c) && !skipped.test(c)) || (!/[\uFF01-\uFF5E]/.test(c) && asName(c) !== c));
}

interface Character { c: string; from: number; to: number }

function charactersOf(original: string, wide: boolean): Character[] {
  const out: Character[] = [];
  for (let at = 0; at < original.length; ) {
    const escape = wide && /[\\&]/.test(original[at]!) ? escapeAt(original, at) : null;
    const c = escape?.c ?? String.fromCodePoint(original.codePointAt(at)!);
    const to = at + (escape?.length ?? c.length);
    for (const read of wide ? asName(c) : [c]) out.push({ c: read, from: at, to });
    at = to;
    if (wide && out.at(-1) && ignored.test(out.at(-1)!.c) && !skipped.test(out.at(-1)!.c)) out.at(-1)!.c = '\u200B';
  }
  return out;
}

function readAsProgram(characters: Character[], forSkipped: string): Reading {
  const units: Character[] = [];
  for (const { c, from, to } of characters) {
    const code = c.codePointAt(0)!;
    if (skipped.test(c)) {
      if (forSkipped !== '') units.push({ c: forSkipped, from, to });
    } else if (/^(?:[\u0080-\u00A0]|\p{Z})$/u.test(c)) units.push({ c: ' ', from, to });
    else if (code >= 0xff01 && code <= 0xff5e) units.push({ c: String.fromCharCode(code - 0xfee0), from, to });
    else units.push({ c: code === 0x3002 || code === 0xff61 ? '.' : c, from, to });
  }
  const reading: Reading = { text: '', from: [], to: [] };
  for (let i = 0; i < units.length; i++) {
    let { c, to } = units[i]!;
    const { from } = units[i]!;
    const hex = c === '%' ? `${units[i + 1]?.c ?? ''}${units[i + 2]?.c ?? ''}` : '';
    if (/^[0-7][0-9a-fA-F]$/.test(hex)) {
      c = String.fromCharCode(parseInt(hex, 16));
      to = units[i + 2]!.to;
      i += 2;
    }
    const lower = c.toLowerCase();
    if ([...lower].length === 1) c = lower;
    reading.text += c;
    for (let u = 0; u < c.length; u++) {
      reading.from.push(from);
      reading.to.push(to);
    }
  }
  return reading;
}

type Span = [number, number];

/** All matches of an expression, overlapping ones too where it starts anew at every place. */
function matches(text: string, expression: RegExp): RegExpExecArray[] {
  return [...text.matchAll(expression)];
}

/** What a URL goes on with, up to white space, angle brackets or a quotation mark. */
const rest = '[^\\s\\p{Cc}<>"`]';
/** Something that is not only trailing punctuation. */
const something = `(?=${rest}*[^\\s\\p{Cc}<>"\`.,;:!?)\\]}'])`;
/** Behind two slashes, quotation marks and the like are passed over; at the start of the text, whatever stands before an `@`. */
const onwards = `(?=[^ ]*[^\\x00-\\x20\\x7f.,;:!?)\\]}'"])`;
const onwardsFromStart = `(?=[^]*@)`;
/** Behind `http:` and the like, not only slashes either; `//` alone is nothing behind any scheme. */
const somewhere = `(?=${rest}*[^\\s\\p{Cc}<>"\`.,;:!?)\\]}'/\\\\])`;
const schemes = [
  'http', 'https', 'mailto', 'tel', 'callto', 'sms', 'smsto', 'mms', 'mmsto', 'sip', 'sips', 'xmpp', 'im', 'skype', 'facetime', 'whatsapp', 'tg', 'data', 'javascript', 'vbscript', 'blob', 'file', 'filesystem',
  'ftp', 'ftps', 'sftp', 'tftp', 'scp', 'ssh', 'telnet', 'ws', 'wss', 's3', 's3a', 's3n', 'gs', 'gcs', 'az', 'abfs', 'abfss', 'wasb', 'wasbs', 'hdfs', 'arn', 'git', 'svn', 'smb', 'cifs', 'nfs', 'rsync', 'ldap', 'ldaps', 'dict',
  'gopher', 'news', 'nntp', 'irc', 'ircs', 'magnet', 'bitcoin', 'ethereum', 'litecoin', 'dogecoin', 'lightning', 'afp', 'vnc', 'msteams', 'zoommtg', 'ms-msdt', 'ms-word', 'ms-excel', 'search-ms', 'ipfs', 'ipns', 'jar', 'feed', 'view-source', 'intent', 'market', 'dns', 'docker', 'oci', 'rtsp', 'rtmp', 'webcal', 'jdbc',
];

function urls(text: string): Span[] {
  const bare = (names: string, something: string) => new RegExp(`(?<![a-z0-9\\p{L}\\p{M}\\p{N}])(?=((?:${names}):${something}${rest}+))`, 'gu');
  // Each is looked at without being passed over, for another may begin inside it.
  const expressions = [
    // Any scheme with two slashes and something after them; the scheme starts at the first letter of its run.
    new RegExp(`(?<![a-z0-9+.-])[0-9+.-]*(?=([a-z][a-z0-9+.-]*://${onwards}${rest}*))`, 'gu'),
    new RegExp(`(?<=^[\\x00-\\x20\\x7f]*)(?=([a-z][a-z0-9+.-]*://${onwardsFromStart}${rest}*))`, 'gu'),
    bare('https?|wss?', somewhere),
    bare(schemes.filter((name) => !/^(?:http|ws)s?$/.test(name)).join('|'), `(?!//[.,;:!?)\\]}']*(?!${rest}))${something}`),
    // A reference without a scheme, at the start.
    new RegExp(`(?<=^[\\x00-\\x20\\x7f]*)(?=(//(?!/)${something}${rest}+))`, 'gu'),
  ];
  return expressions.flatMap((e) => matches(text, e)).map((m) => [m.index + m[0].length, m.index + m[0].length + m[1]!.length]);
}

const labelCharacters = '\\p{L}\\p{M}\\p{N}-';
/** Of which a label may be made, too. */
const symbols = '\\u2190-\\u245F\\u2500-\\u2BFF\\u{1F000}-\\u{1FBFF}';
const atext = "\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_{|}~.-";

function emails(text: string): Span[] {
  const out: Span[] = [];
  for (const m of matches(text, /@/g)) {
    const at = m.index;
    const from = localStart(text, at);
    const to = domainEnd(text, at + 1);
    if (from !== null && to !== null) out.push([from, to]);
  }
  return out;
}

/** Where the local part before an `@` starts: a dot-string, or one in quotation marks. */
function localStart(text: string, at: number): number | null {
  const before = text.slice(0, at);
  const quoted = before.endsWith('"') ? /"(?:[^"\\]|\\.)+"$/su.exec(before) : null;
  if (quoted) return quoted.index;
  const isLocal = new RegExp(`^[${atext}]$`, 'u');
  let from = at;
  for (const c of [...before].reverse()) {
    if (!isLocal.test(c)) break;
    from -= c.length;
  }
  while (text[from] === '.') from++;
  return from === at ? null : from;
}

/** Where the domain after an `@` ends: an address literal, `localhost`, a dotted quad, or a dotted name that ends in a name. */
function domainEnd(text: string, from: number): number | null {
  const after = text.slice(from);
  const literal = /^\[[a-z0-9:.-]+\]/u.exec(after);
  if (literal) return from + literal[0].length;
  const run = new RegExp(`^[${labelCharacters}]+(?:\\.[${labelCharacters}]+)*`, 'u').exec(after);
  if (!run) return null;
  const labels = run[0].split('.');
  if (labels[0] === 'localhost' && labels.length === 1) return from + run[0].length;
  if (isQuad(run[0])) return from + run[0].length;
  while (labels.length >= 2 && !/[^0-9-]/.test(labels.at(-1)!)) labels.pop();
  return labels.length >= 2 ? from + labels.join('.').length : null;
}

const isQuad = (s: string) => /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/.test(s) && s.split('.').every((n) => Number(n) <= 255);

function ip6s(text: string): Span[] {
  // A quad at the end may have leading zeros, as one that stands alone.
  const isAddress = (s: string) => isIpv6(s.replace(/[0-9]+\.[0-9.]+$/, (quad) => (isQuad(quad) ? '1.2.3.4' : quad)));
  const out: Span[] = [];
  for (const m of matches(text, /\[([0-9a-f:.]+)(?:%[a-z0-9._~-]+)?\](?::[0-9]{1,5}(?![0-9]))?/gu)) {
    if (isAddress(m[1]!) && (m[1]!.length > 2 || m[0].startsWith('[::]'))) out.push([m.index, m.index + m[0].length]);
  }
  // A bare one: the longest valid text of a run, less a colon that stands before it.
  for (const m of matches(text, /[0-9a-f:.]+/gu)) {
    const colon = /^:(?!:)/.test(m[0]) ? 1 : 0;
    const start = m.index + colon;
    if (!colon && /[a-z0-9_]$/.test(text.slice(0, start))) continue;
    // No address has more than 45 characters.
    for (let length = Math.min(m[0].length - colon, 45); length > 2; length--) {
      const end = start + length;
      if (!isAddress(text.slice(start, end)) || /^[a-z0-9_]/.test(text.slice(end))) continue;
      const zone = /^%[a-z0-9._~-]+/u.exec(text.slice(end));
      out.push([start, end + (zone ? zone[0].length : 0)]);
      break;
    }
  }
  return out;
}

/** The IPv4 addresses of a run of labels that is no host: pieces between hyphens and other scripts; any spelling before a port or after `//`. */
function ip4s(text: string, from: number, to: number, slashed: boolean): Span[] {
  const out: Span[] = [];
  for (const m of matches(text.slice(from, to), /[a-z0-9.]+/g)) {
    const piece = m[0].replace(/^\.+/, '');
    const start = from + m.index + m[0].length - piece.length;
    const end = start + piece.length;
    const port = /^:[0-9]{1,5}(?![a-z0-9\p{L}\p{M}\p{N}]|:[a-z0-9\p{L}\p{M}\p{N}]|[.][0-9])/u.exec(text.slice(end));
    const validPort = port !== null && Number(port[0].slice(1)) <= 65535;
    const spelled = validPort || (slashed && start === from);
    if (isQuad(piece) || (spelled && isSpelledAddress(piece))) out.push([start, validPort ? end + port[0].length : end]);
  }
  return out;
}

/** A spelling that programs read as an IPv4 address; a small plain integer is none (`10:30`). */
function isSpelledAddress(s: string): boolean {
  const parts = s.split('.');
  if (parts.length > 4 || !parts.every((p) => /^(?:0x[0-9a-f]+|[0-9]+)$/.test(p))) return false;
  const numbers = parts.map((p) => (/^0x/.test(p) ? Number(p) : /^0[0-7]+$/.test(p) ? parseInt(p, 8) : Number(p)));
  const last = numbers.pop()!;
  if (numbers.some((n) => n > 255) || last >= 256 ** (4 - numbers.length)) return false;
  if (parts.length > 1 || /^0x/.test(s)) return true;
  return last >= 2 ** 24;
}

const lines = (name: string) => new Set(readFileSync(new URL(name, import.meta.url), 'utf8').split('\n').filter((l) => l !== '' && !l.startsWith('#')));
const topLevel = lines('./tlds.txt');
for (const special of ['localhost', 'local', 'internal', 'invalid', 'test', 'example', 'onion']) topLevel.add(special);
const extensions = new Set([...lines('./extensions.txt')].map((line) => line.split('\t')[0]!));
const hostArguments = ['host', 'domain', 'server', 'url', 'to'];

/** The hosts, and the IPv4 addresses among labels that are no host's. */
function names(text: string, argument: string | null): { hosts: Span[]; ips: Span[] } {
  const found: { hosts: Span[]; ips: Span[] } = { hosts: [], ips: [] };
  for (const m of matches(text, new RegExp(`(?<![${labelCharacters}])[${labelCharacters}]+(?:\\.[${labelCharacters}]+)*`, 'gu'))) {
    const end = m.index + m[0].length;
    let from = end - m[0].replace(/^[-.]+/, '').length;
    while (from < end) {
      const slashed = /(?:^|[\s\p{Cc}<>"`(=',[])\/\/$/u.test(text.slice(0, from));
      const start = from - symbolLabel(text, from);
      const to = hostEnd(text, start, from, end, slashed, argument);
      if (to === null) {
        found.ips.push(...ip4s(text, from, end, slashed));
        break;
      }
      found.hosts.push([start, portEnd(text, to)]);
      from = to + /^[-.]*/.exec(text.slice(to, end))![0].length;
    }
  }
  return found;
}

/** The length of a label of symbols and its dot that stand before a place; 0 where none does. */
function symbolLabel(text: string, at: number): number {
  const label = new RegExp(`[${symbols}${labelCharacters}]{0,62}[${symbols}]\\.$`, 'u').exec(text.slice(0, at));
  return label ? label[0].length : 0;
}

/** Where the port of a name ends that ends at `to`, a dot passed over; without one, behind the dot. */
function portEnd(text: string, to: number): number {
  const after = text[to] === '.' ? to + 1 : to;
  const port = /^:[0-9]{1,5}(?![0-9])/.exec(text.slice(after));
  return after + (port ? port[0].length : 0);
}

/** Where the host that begins at `start` ends, at the end of its labels or at the last place where another script follows a domain; or null. */
function hostEnd(text: string, start: number, from: number, end: number, slashed: boolean, argument: string | null): number | null {
  const whole = end - /-*$/.exec(text.slice(from, end))![0].length;
  const fits = (to: number, isNamed: boolean): boolean => {
    const labels = text.slice(start, to).split('.');
    const last = labels.at(-1)!;
    if (/^www\.[^-]/.test(text.slice(start, to)) && to === whole) return true;
    return (labels.length < 2 ? last === 'localhost' : isTopLevel(last)) && (slashed || !yields(text, start, to, last, isNamed ? argument : null));
  };
  if (fits(whole, true)) return whole;
  for (let to = end - 1; to > from; to--) {
    if (text.charCodeAt(to) >= 0x80 && /[a-z0-9-]/.test(text[to - 1]!) && fits(to, false)) return to;
  }
  return null;
}

/** Whether a name is rather a file's. */
function yields(text: string, start: number, to: number, last: string, argument: string | null): boolean {
  const end = portEnd(text, to);
  const behind = text[to] === '.' ? to + 1 : to;
  if (!extensions.has(last) || text.startsWith('www.', start) || text[behind] === '/' || end > behind) return false;
  const trimmed = text.replace(/^[\x00-\x20\x7f]+|[\x00-\x20\x7f]+$/g, '');
  return !(argument !== null && hostArguments.includes(argument.toLowerCase()) && trimmed === text.slice(start, behind));
}

function isTopLevel(label: string): boolean {
  if (topLevel.has(label)) return true;
  const decoded = label.startsWith('xn--') ? decodePunycode(label.slice(4)) : null;
  return decoded !== null && topLevel.has(decoded);
}

function uncs(text: string): Span[] {
  return matches(text, /(?<!\\)\\\\[^\\/\s\p{Cc}<>"`|*:]+\\[^\\/\s\p{Cc}<>"`|*:][^\s\p{Cc}<>"`|*]*/gu).map((m) => [m.index, m.index + m[0].length]);
}
