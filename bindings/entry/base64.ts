// Turns the module's base64 text into bytes, by what the runtime has for it: a loop in JavaScript would take a quarter of the first decision's time.

/** What some runtimes have beyond this project's language level. */
interface Decoders {
  /** Newer engines: Bun, Deno, Chromium 140, Firefox 133, Safari 18.2, Node 25. */
  Uint8Array: { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
  /** Node, and whatever takes after it; looked up here so that no bundler takes it for an import. */
  Buffer?: { from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer> };
}

/** The bytes of a text in standard base64 with its padding. The text is the build's own; it is not judged. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const { Uint8Array: bytes, Buffer: buffer } = globalThis as unknown as Decoders;
  if (bytes.fromBase64 !== undefined) return bytes.fromBase64(text);
  if (buffer !== undefined) return buffer.from(text, "base64");
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
