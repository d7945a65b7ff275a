// Cuts the texts of members and elements out of JSON text by counting brackets, so that no digit and no member is read and printed again.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/** Where the next unit stands that is no JSON white space. */
export function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The end of the string token that starts at `from`; -1 where it is not closed. */
function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

/**
 * The end of the value that starts at `from`: the place after its last unit. -1 where brackets do not close, or nothing is there.
 * The text need not be valid JSON; but where a strict reader accepts it, it ends the value at this very place.
 */
export function valueEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = stringEnd(text, at);
        if (end < 0 || depth === 0) return depth === 0 && at === from ? end : -1;
        at = end - 1;
        break;
      }
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (depth === 0 && at !== from) return -1;
        depth++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (depth === 0) return at === from ? -1 : at;
        if (--depth === 0) return at + 1;
        break;
      case COMMA:
      case COLON:
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        if (depth === 0) return at === from ? -1 : at;
        break;
    }
  }
  return depth === 0 && text.length > from ? text.length : -1;
}

/** Whether the text is one value and white space: put between other members, it cannot become more than one. */
export function isOneValue(text: string): boolean {
  const start = afterSpace(text, 0);
  const end = valueEnd(text, start);
  return end > start && afterSpace(text, end) === text.length;
}

/** A member of an object's text. `name` is the token with its quotes; `start` is where it begins. */
export interface Member {
  name: string;
  value: string;
  start: number;
}

/** The members of an object's text, in order; null where the text is no object. What is inside the values is not looked at. */
export function members(text: string): Member[] | null {
  const found: Member[] = [];
  let at = afterSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_OBJECT) return null;
  at = afterSpace(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return ended(text, at + 1, found);
  for (;;) {
    const start = at;
    const nameEnd = text.charCodeAt(at) === QUOTE ? stringEnd(text, at) : -1;
    if (nameEnd < 0) return null;
    at = afterSpace(text, nameEnd);
    if (text.charCodeAt(at) !== COLON) return null;
    const from = afterSpace(text, at + 1);
    const end = valueEnd(text, from);
    if (end < 0) return null;
    found.push({ name: text.slice(start, nameEnd), value: text.slice(from, end), start });
    at = afterSpace(text, end);
    if (text.charCodeAt(at) === CLOSE_OBJECT) return ended(text, at + 1, found);
    if (text.charCodeAt(at) !== COMMA) return null;
    at = afterSpace(text, at + 1);
  }
}

/** The texts of a list's elements, in order; null where the text is no list. */
export function elements(text: string): string[] | null {
  const found: string[] = [];
  let at = afterSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_LIST) return null;
  at = afterSpace(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_LIST) return ended(text, at + 1, found);
  for (;;) {
    const end = valueEnd(text, at);
    if (end < 0) return null;
    found.push(text.slice(at, end));
    at = afterSpace(text, end);
    if (text.charCodeAt(at) === CLOSE_LIST) return ended(text, at + 1, found);
    if (text.charCodeAt(at) !== COMMA) return null;
    at = afterSpace(text, at + 1);
  }
}

function ended<T>(text: string, end: number, found: T[]): T[] | null {
  return afterSpace(text, end) === text.length ? found : null;
}

/** The text of the member `name` of an object in canonical form; undefined where it has none. */
export function memberText(text: string, name: string): string | undefined {
  const token = JSON.stringify(name);
  let at = 1;
  while (text.charCodeAt(at) === QUOTE) {
    const nameEnd = stringEnd(text, at);
    const end = valueEnd(text, nameEnd + 1);
    if (text.startsWith(token, at) && text.charCodeAt(at + token.length) === COLON) return text.slice(nameEnd + 1, end);
    at = end + 1;
  }
  return undefined;
}

/** An object in canonical form with one more member, in its canonical place. `name` is ASCII. */
export function withMember(text: string, name: string, value: string): string {
  const token = JSON.stringify(name);
  const all = members(text) ?? [];
  const after = all.find((member) => member.name > token);
  const written = `${token}:${value}`;
  if (after !== undefined) return `${text.slice(0, after.start)}${written},${text.slice(after.start)}`;
  return all.length === 0 ? `{${written}}` : `${text.slice(0, -1)},${written}}`;
}
