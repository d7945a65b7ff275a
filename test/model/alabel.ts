// Tells whether a label of a host name with hyphens in the third and fourth place is an A-label (RFC 5891, RFC 5892).

/** A label that starts with `xn--` and is the Punycode of a valid U-label. */
export function isALabel(label: string): boolean {
  if (!/^xn--/i.test(label)) return false;
  const decoded = decodePunycode(label.slice(4).toLowerCase());
  return decoded !== null && isULabel(decoded);
}

/** RFC 3492 section 6.2; null where the text is not Punycode or its result is not well formed. */
export function decodePunycode(text: string): string | null {
  const delimiter = text.lastIndexOf('-');
  const output = delimiter > 0 ? [...text.slice(0, delimiter)].map((c) => c.charCodeAt(0)) : [];
  let at = delimiter > 0 ? delimiter + 1 : 0;
  let n = 128;
  let i = 0;
  let bias = 72;
  while (at < text.length) {
    const old = i;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      const digit = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(text[at++] ?? ' ');
      if (digit < 0) return null;
      i += digit * weight;
      const threshold = Math.min(26, Math.max(1, k - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
      if (i > 2 ** 40) return null;
    }
    const count = output.length + 1;
    let delta = old === 0 ? Math.floor((i - old) / 700) : Math.floor((i - old) / 2);
    delta += Math.floor(delta / count);
    let k = 0;
    for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
    bias = k + Math.floor((36 * delta) / (delta + 38));
    n += Math.floor(i / count);
    i %= count;
    if (n > 0x10ffff || (n >= 0xd800 && n <= 0xdfff)) return null;
    output.splice(i++, 0, n);
  }
  return output.some((c) => c >= 128) ? String.fromCodePoint(...output) : null;
}

const exceptions = '\u00DF\u03C2\u06FD\u06FE\u0F0B\u3007';
const disallowed = '\u0640\u07FA\u302E\u302F\u3031\u3032\u3033\u3034\u3035\u303B';

/** A label of valid code points in valid contexts: RFC 5892, approximated by Unicode properties. */
function isULabel(label: string): boolean {
  const c = [...label];
  if (label !== label.normalize('NFC') || /^\p{M}/u.test(label)) return false;
  if (label.startsWith('-') || label.endsWith('-') || label.slice(2, 4) === '--') return false;
  const has = (expression: RegExp) => c.some((x) => expression.test(x));
  return c.every((x, i) => {
    const before = c[i - 1] ?? '';
    const after = c[i + 1] ?? '';
    if (exceptions.includes(x)) return true;
    if (disallowed.includes(x)) return false;
    switch (x) {
      case '\u00B7': return before === 'l' && after === 'l';
      case '\u0375': return /\p{Script=Greek}/u.test(after);
      case '\u05F3': case '\u05F4': return /\p{Script=Hebrew}/u.test(before);
      case '\u30FB': return has(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u);
      case '\u200D': return isVirama(before);
      case '\u200C': return isVirama(before) || joins(c, i);
    }
    if (/[\u0660-\u0669]/.test(x) && has(/[\u06F0-\u06F9]/)) return false;
    if (/[\u06F0-\u06F9]/.test(x) && has(/[\u0660-\u0669]/)) return false;
    if (!/^[a-z0-9-]$/.test(x) && x.charCodeAt(0) < 128) return false;
    // Stable under case folding and compatibility normalisation, and a letter, mark or decimal digit.
    return /^[-\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]$/u.test(x) && x.normalize('NFKC').toLowerCase().normalize('NFKC') === x;
  });
}

/** Code points of canonical combining class 9 in the basic plane. */
function isVirama(x: string): boolean {
  return x !== '' && viramas.includes(x);
}
const viramas =
  '\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u0E3A\u0EBA\u0F84\u1039\u103A\u1714\u1715\u1734\u17D2\u1A60\u1B44\u1BAA\u1BAB\u1BF2\u1BF3\u2D7F\uA806\uA82C\uA8C4\uA953\uA9C0\uAAF6\uABED';

/** A zero-width non-joiner between letters that join: approximated by Arabic-like scripts on both sides. */
function joins(c: string[], i: number): boolean {
  const cursive = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Phags_Pa}]/u;
  return cursive.test(c[i - 1] ?? '') && cursive.test(c[i + 1] ?? '');
}
