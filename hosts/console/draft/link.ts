// A draft in a link: deflated and written into the address's fragment, which a browser sends to no server.
import { type Draft, draftOf } from './draft.ts';

/** The draft as a word for a fragment: JSON, raw deflate (RFC 1951), base64url. */
export async function packed(draft: Draft): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(draft)), new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The draft in such a word; null where it holds none, or one too large to play. */
export async function unpacked(word: string): Promise<Draft | null> {
  try {
    const bytes = Uint8Array.from(atob(word.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0));
    const draft = draftOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await through(bytes, new DecompressionStream('deflate-raw'), LARGEST))));
    return draft === null || draft.steps.length > MOST_STEPS ? null : draft;
  } catch {
    return null;
  }
}

/** A link may not unfold to more than this many bytes. */
const LARGEST = 4 << 20;
/** Nor hold more steps than this: each edit plays every step again, over the history before it. */
const MOST_STEPS = 250;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size > most) throw new RangeError('the text is too large');
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
