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
  return find(text, argument).map(({ kind, shown, from }) => ({ kind, text: shown, start: from }));
}

/** Whether the whole of a string is one e-mail address or one host. */
export function isWholeAddress(text: string): boolean {
  const found = find(text, 'host');
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

function find(text: string, argument: string | null): Finding[] {
  const reading = readAsProgram(text);
  const spans: [string, number, number][] = [
    ...urls(reading.text).map(([a, b]) => ['url', a, b] as [string, number, number]),
    ...emails(reading.text).map(([a, b]) => ['email', a, b] as [string, number, number]),
    ...ips(reading.text).map(([a, b]) => ['ip', a, b] as [string, number, number]),
    ...hosts(reading.text, argument).map(([a, b]) => ['host', a, b] as [string, number, number]),
    ...uncs(reading.text).map(([a, b]) => ['unc', a, b] as [string, number, number]),
  ];
  const findings = spans.map(([kind, a, b]): Finding => {
    const from = reading.from[a]!;
    const to = reading.to[b - 1]!;
    return { kind, from, to, shown: text.slice(from, to).replace(/[.,;:!?)\]}'"]+$/, '') };
  });
  // The longest first, then by the table's order of kinds; each stands if it overlaps none that stands.
  findings.sort((a, b) => b.shown.length - a.shown.length || kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.from - b.from);
  const standing: Finding[] = [];
  for (const f of findings) {
    if (f.shown !== '' && !standing.some((s) => f.from < s.from + s.shown.length && s.from < f.from + f.shown.length)) standing.push(f);
  }
  return standing.sort((a, b) => a.from - b.from);
}

/** The string as a program would read it; for each of its code units, where that stands in the original. */
interface Reading {
  text: string;
  from: number[];
  to: number[];
}

function readAsProgram(original: string): Reading {
  const units: { c: string; from: number; to: number }[] = [];
  let at = 0;
  for (const c of original) {
    const code = c.codePointAt(0)!;
    const next = at + c.length;
    if (!/[\t\r\n\u200B-\u200D\u2060\uFEFF\u00AD]/.test(c)) {
      let read = c;
      if (code >= 0xff01 && code <= 0xff5e) read = String.fromCharCode(code - 0xfee0);
      else if (code === 0x3002 || code === 0xff61) read = '.';
      units.push({ c: read, from: at, to: next });
    }
    at = next;
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
/** Something that is not only trailing punctuation; behind one colon, not only slashes either. */
const something = `(?=${rest}*[^\\s\\p{Cc}<>"\`.,;:!?)\\]}'])`;
const somewhere = `(?=${rest}*[^\\s\\p{Cc}<>"\`.,;:!?)\\]}'/\\\\])`;
const schemes = [
  'http', 'https', 'mailto', 'tel', 'callto', 'sms', 'smsto', 'mms', 'mmsto', 'sip', 'sips', 'xmpp', 'im', 'skype', 'facetime', 'whatsapp', 'tg', 'data', 'javascript', 'vbscript', 'blob', 'file', 'filesystem',
  'ftp', 'ftps', 'sftp', 'tftp', 'scp', 'ssh', 'telnet', 'ws', 'wss', 's3', 's3a', 's3n', 'gs', 'gcs', 'az', 'abfs', 'abfss', 'wasb', 'wasbs', 'hdfs', 'arn', 'git', 'svn', 'smb', 'cifs', 'nfs', 'rsync', 'ldap', 'ldaps', 'dict',
  'gopher', 'news', 'nntp', 'irc', 'ircs', 'magnet', 'bitcoin', 'ethereum', 'ipfs', 'ipns', 'jar', 'feed', 'view-source', 'intent', 'market', 'dns', 'docker', 'oci', 'rtsp', 'rtmp', 'webcal', 'jdbc',
];

function urls(text: string): Span[] {
  const expressions = [
    // Any scheme with two slashes and something after them; the scheme starts at the first letter of its run.
    new RegExp(`(?<![a-z0-9+.-])[0-9+.-]*([a-z][a-z0-9+.-]*://${something}${rest}+)`, 'gu'),
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${schemes.join('|')}):${somewhere}${rest}+`, 'gu'),
    // A reference without a scheme, at the start.
    new RegExp(`(?<=^\\s*)//(?!/)${something}${rest}+`, 'gu'),
  ];
  return expressions.flatMap((e) => matches(text, e)).map((m) => [m.index + m[0].length - (m[1] ?? m[0]).length, m.index + m[0].length]);
}

const labelCharacters = '\\p{L}\\p{M}\\p{N}-';
const atext = "\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~.-";

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
  while (labels.length >= 2 && !/\p{L}/u.test(labels.at(-1)!)) labels.pop();
  return labels.length >= 2 ? from + labels.join('.').length : null;
}

const isQuad = (s: string) => /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/.test(s) && s.split('.').every((n) => Number(n) <= 255);

function ips(text: string): Span[] {
  const out: Span[] = [];
  // Dotted numbers, whole; a quad, or before a port any spelling.
  for (const m of matches(text, /(?<![\p{L}\p{N}]|[\p{L}\p{N}]\.)(?:0x[0-9a-f]+|[0-9]+)(?:\.(?:0x[0-9a-f]+|[0-9]+))*(?![\p{L}\p{N}]|\.[\p{L}\p{N}])/gu)) {
    const end = m.index + m[0].length;
    const port = /^:[0-9]{1,5}(?![\p{L}\p{N}:]|[.][0-9])/u.exec(text.slice(end));
    const validPort = port !== null && Number(port[0].slice(1)) <= 65535;
    if (isQuad(m[0]) || (validPort && isSpelledAddress(m[0]))) out.push([m.index, validPort ? end + port[0].length : end]);
  }
  for (const m of matches(text, /\[([0-9a-f:.]+)(?:%[a-z0-9._~-]+)?\](?::[0-9]{1,5}(?![0-9]))?/gu)) {
    if (isIpv6(m[1]!)) out.push([m.index, m.index + m[0].length]);
  }
  // A bare one: the longest valid text from each place where one may start.
  for (const m of matches(text, /(?<![\p{L}\p{N}_:.])[0-9a-f:][0-9a-f:.]+/gu)) {
    // No address has more than 45 characters.
    for (let length = Math.min(m[0].length, 45); length > 2; length--) {
      const end = m.index + length;
      if (!isIpv6(m[0].slice(0, length)) || /^[\p{L}\p{N}_]/u.test(text.slice(end))) continue;
      const zone = /^%[a-z0-9._~-]+/u.exec(text.slice(end));
      out.push([m.index, end + (zone ? zone[0].length : 0)]);
      break;
    }
  }
  return out;
}

/** A spelling that programs read as an IPv4 address; a small plain integer is none (`10:30`). */
function isSpelledAddress(s: string): boolean {
  const parts = s.split('.');
  if (parts.length > 4) return false;
  const numbers = parts.map((p) => (/^0x/.test(p) ? Number(p) : /^0[0-7]+$/.test(p) ? parseInt(p, 8) : Number(p)));
  const last = numbers.pop()!;
  if (numbers.some((n) => n > 255) || last >= 256 ** (4 - numbers.length)) return false;
  if (parts.length > 1 || /^0x/.test(s)) return true;
  return last >= 2 ** 24;
}

const lines = (name: string) => new Set(readFileSync(new URL(name, import.meta.url), 'utf8').split('\n').filter((l) => l !== '' && !l.startsWith('#')));
const topLevel = lines('./tlds.txt');
for (const special of ['localhost', 'local', 'internal', 'invalid', 'test', 'example', 'onion']) topLevel.add(special);
const extensions = lines('./extensions.txt');
const hostArguments = ['host', 'domain', 'server', 'url', 'to'];

function hosts(text: string, argument: string | null): Span[] {
  const out: Span[] = [];
  for (const m of matches(text, new RegExp(`(?<![${labelCharacters}])[${labelCharacters}]+(?:\\.[${labelCharacters}]+)*`, 'gu'))) {
    const stripped = m[0].replace(/^-+/, '');
    const from = m.index + m[0].length - stripped.length;
    let to = from + stripped.length;
    const labels = stripped.split('.');
    const last = labels.at(-1)!;
    if (labels.length < 2 ? last !== 'localhost' : !isTopLevel(last)) continue;
    const dot = text[to] === '.' ? 1 : 0;
    const port = /^:[0-9]{1,5}(?![0-9])/.exec(text.slice(to + dot));
    const next = text[to + dot] ?? '';
    to += dot + (port ? port[0].length : 0);
    const isWhole = text.trim() === text.slice(from, to) && argument !== null && hostArguments.includes(argument.toLowerCase());
    if (extensions.has(last) && !stripped.startsWith('www.') && next !== '/' && !port && !isWhole) continue;
    out.push([from, to]);
  }
  return out;
}

function isTopLevel(label: string): boolean {
  if (topLevel.has(label)) return true;
  const decoded = label.startsWith('xn--') ? decodePunycode(label.slice(4)) : null;
  return decoded !== null && topLevel.has(decoded);
}

function uncs(text: string): Span[] {
  return matches(text, /(?<!\\)\\\\[^\\/\s\p{Cc}<>"|*:]+\\[^\\/\s\p{Cc}<>"|*:][^\s\p{Cc}<>"|*]*/gu).map((m) => [m.index, m.index + m[0].length]);
}
