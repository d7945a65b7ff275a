// Lines of an exported log from its bytes, exactly as they stand: a line ends with a line feed and with nothing else, so that no changed byte is read away.

/** The longest line in UTF-16 code units: what is longer was not written by a gateway, and must not fill the memory. */
const LONGEST = 64 * 1024 * 1024;

/** Bytes that are no UTF-8 read as U+FFFD, which no hash agrees with. A last line without an end is a line. */
export async function* linesOfBytes(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for await (const part of bytes) {
    const lines = (rest + (typeof part === "string" ? part : decoder.decode(part, { stream: true }))).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST) throw new RangeError("a line of the log is longer than any that a gateway writes");
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
