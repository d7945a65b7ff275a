// Reads what others send up to a limit that holds while it is read, and only text that is UTF-8.

/** More came than was wanted; reading ended there. */
export class TooLarge extends Error {
  readonly code = "result_too_large";
  constructor(readonly limit: number) {
    super(`more than ${limit} bytes`);
  }
}

/** What came is not what it says it is. */
export class Malformed extends Error {
  readonly code = "result_malformed";
}

/** The text of bytes. Throws Malformed where they are not UTF-8. */
export function utf8(bytes: Uint8Array): string {
  return decoded(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }), bytes, false);
}

/** The text of a part, or of what is left at the end; Malformed as soon as it cannot be UTF-8 any more. */
function decoded(decoder: TextDecoder, part?: Uint8Array, stream = part !== undefined): string {
  try {
    return decoder.decode(part, { stream });
  } catch {
    throw new Malformed("the bytes are not UTF-8");
  }
}

/** The whole body of a response as text. Throws TooLarge, and cancels the rest, once there are more bytes than `limit`; Malformed once it is not UTF-8. */
export async function bodyText(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const parts: string[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > limit) throw new TooLarge(limit);
    parts.push(decoded(decoder, part));
  }
  parts.push(decoded(decoder));
  return parts.join("");
}

/** One server-sent event. */
export interface Event {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
  /** Milliseconds to wait before coming back, where this event said so. */
  readonly retry: number | null;
}

/** The events of a stream. Throws TooLarge where one event has more bytes than `limit`, Malformed where a line is not UTF-8. */
export async function* events(body: AsyncIterable<Uint8Array>, limit: () => number): AsyncGenerator<Event> {
  const kept = new Kept();
  let size = 0;
  let event = { id: null as string | null, event: "message", data: [] as string[], retry: null as number | null };
  for await (const part of body) {
    let rest = Buffer.from(part);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      kept.add(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      size += kept.length + 1;
      if (size > limit()) throw new TooLarge(limit());
      const line = kept.taken();
      if (line === "") {
        if (event.data.length > 0 || event.id !== null || event.retry !== null) yield { ...event, data: event.data.join("\n") };
        event = { id: null, event: "message", data: [], retry: null };
        size = 0;
      } else field(line, event);
    }
    kept.add(rest);
    if (size + kept.length > limit()) throw new TooLarge(limit());
  }
}

/** The bytes of a line that has not ended. Room is doubled, so that many small parts cost no more than one. */
class Kept {
  #bytes = Buffer.alloc(0);
  length = 0;

  add(part: Uint8Array): void {
    if (this.length + part.length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(1024, 2 * (this.length + part.length)));
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.length);
    this.length += part.length;
  }

  /** The line, without the carriage return at its end; nothing is kept then. Throws Malformed where it is not UTF-8. */
  taken(): string {
    const end = this.length > 0 && this.#bytes[this.length - 1] === 13 ? this.length - 1 : this.length;
    this.length = 0;
    return utf8(this.#bytes.subarray(0, end));
  }
}

function field(line: string, event: { id: string | null; event: string; data: string[]; retry: number | null }): void {
  const colon = line.indexOf(":");
  if (colon === 0) return;
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
  if (name === "data") event.data.push(value);
  else if (name === "event") event.event = value;
  else if (name === "id" && !value.includes("\0")) event.id = value;
  else if (name === "retry" && /^\d{1,6}$/.test(value)) event.retry = Number(value);
}
