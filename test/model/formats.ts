// The `format` values that are asserted, each by the grammar of its RFC (chapter 2, "What the schema walk asserts").
import { compilePattern } from './pattern.ts';
import { isALabel } from './alabel.ts';

/** Checks by format name; a format not here is an annotation. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date-time', (s) => isSplit(s, /[Tt]/, isDate, isTime)],
  ['date', isDate],
  ['time', isTime],
  ['duration', isDuration],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', (s) => isReference(s) && /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(s)],
  ['uri-reference', isReference],
  ['uuid', (s) => /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(s)],
  ['json-pointer', (s) => /^(\/([^~/]|~[01])*)*$/u.test(s)],
  ['relative-json-pointer', (s) => /^(0|[1-9][0-9]*)(#|(\/([^~/]|~[01])*)*)$/u.test(s)],
  ['regex', (s) => compilePattern(s).kind !== 'invalid'],
] as [string, (text: string) => boolean][]);

function isSplit(s: string, at: RegExp, left: (s: string) => boolean, right: (s: string) => boolean): boolean {
  const i = s.search(at);
  return i >= 0 && left(s.slice(0, i)) && right(s.slice(i + 1));
}

/** RFC 3339 full-date. */
function isDate(s: string): boolean {
  const m = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(s);
  if (!m) return false;
  const [year, month, day] = m.slice(1).map(Number) as [number, number, number];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1]!;
}

/** RFC 3339 full-time; a leap second only where it is 23:59:60 in UTC. */
function isTime(s: string): boolean {
  const m = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/.exec(s);
  if (!m) return false;
  const [hour, minute, second, offsetHour, offsetMinute] = [m[1], m[2], m[3], m[5] ?? 0, m[6] ?? 0].map(Number) as [number, number, number, number, number];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const utc = hour * 60 + minute - (m[4] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  return (utc + 2 * 1440) % 1440 === 1439;
}

/** RFC 3339 appendix A: weeks alone, or units from large to small without a gap between the first and the last. */
function isDuration(s: string): boolean {
  const time = 'T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)';
  const date = '(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)';
  return new RegExp(`^P(?:[0-9]+W|${time}|${date}(?:${time})?)$`).test(s);
}

/** RFC 5321 Mailbox. */
function isEmail(s: string): boolean {
  const m = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])*")@(.+)$/s.exec(s);
  if (!m) return false;
  const domain = m[1]!;
  if (!domain.startsWith('[')) return isHostname(domain);
  if (!domain.endsWith(']')) return false;
  const literal = domain.slice(1, -1);
  if (/^IPv6:/i.test(literal)) return isIpv6(literal.slice(5));
  return isIpv4(literal) || /^[A-Za-z0-9-]*[A-Za-z0-9]:[!-Z^-~]+$/.test(literal);
}

/** RFC 1123, with the A-labels of RFC 5891. */
export function isHostname(s: string): boolean {
  if (s.length > 253) return false;
  return s.split('.').every((label) => {
    if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label)) return false;
    return label.slice(2, 4) !== '--' || isALabel(label);
  });
}

export function isIpv4(s: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/.test(s);
}

/** RFC 4291 section 2.2, without a zone. */
export function isIpv6(s: string): boolean {
  const halves = s.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [i, half] of halves.entries()) {
    if (half === '') continue;
    const parts = half.split(':');
    for (const [j, part] of parts.entries()) {
      const last = i === halves.length - 1 && j === parts.length - 1;
      if (last && part.includes('.')) {
        if (!isIpv4(part)) return false;
        groups += 2;
      } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
        groups += 1;
      } else {
        return false;
      }
    }
  }
  return halves.length === 2 ? groups <= 7 : groups === 8 && halves[0] !== '';
}

/** RFC 3986 URI-reference. */
function isReference(s: string): boolean {
  const pct = '%[0-9a-fA-F]{2}';
  const pchar = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|${pct})`;
  const m = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(s);
  if (!m) return false;
  const [, scheme, authority, path, query, fragment] = m;
  if (scheme !== undefined && !/^[A-Za-z][A-Za-z0-9+.-]*$/.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority, pct)) return false;
  if (!new RegExp(`^(?:${pchar}|/)*$`).test(path!)) return false;
  if (scheme === undefined && authority === undefined && path!.split('/')[0]!.includes(':')) return false;
  const tail = new RegExp(`^(?:${pchar}|[/?])*$`);
  return tail.test(query ?? '') && tail.test(fragment ?? '');
}

function isAuthority(s: string, pct: string): boolean {
  const plain = "A-Za-z0-9._~!$&'()*+,;=\\-";
  const m = new RegExp(`^(?:(?:[${plain}:]|${pct})*@)?(?:\\[([^\\]]*)\\]|(?:[${plain}]|${pct})*)(?::[0-9]*)?$`).exec(s);
  if (!m) return false;
  return m[1] === undefined || isIpv6(m[1]) || /^[vV][0-9a-fA-F]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$/.test(m[1]);
}
