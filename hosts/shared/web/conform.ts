// The conformance driver of chapter 8 over a request's body: NDJSON in, canonical lines out as they are made; memory is bounded by the lines' own bounds.
import { type LineDriver, lineDriver } from "interlock";

/** The most bytes that one request's lines may have together. */
export const CONFORM_BYTES = 64 << 20;
/** Answers leave in pieces of about this many characters. */
const PIECE = 1 << 16;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Answers lines, each without its line feed (and a carriage return before it); the last may lack it. An empty line is a line.
 * A line of more than `lineBytes` bytes is answered `line_invalid` and not read; so is the first beyond CONFORM_BYTES in all, and then it ends.
 */
export function conformLines(body: ReadableStream<Uint8Array>, lineBytes: number): ReadableStream<Uint8Array> {
  const answers = answered(body, lineBytes);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let out = "";
      while (out.length < PIECE) {
        const { done, value } = await answers.next();
        if (done) {
          if (out !== "") controller.enqueue(encoder.encode(out));
          controller.close();
          return;
        }
        out += `${value}\n`;
      }
      controller.enqueue(encoder.encode(out));
    },
    async cancel() {
      await answers.return(undefined);
    },
  });
}

/** A line while its end has not come. */
class Line {
  #parts: Uint8Array[] = [];
  #length = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get empty(): boolean {
    return this.#length === 0;
  }

  add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > this.#limit) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  /** Answers what came, and begins anew. */
  end(driver: LineDriver): string {
    const length = this.#length;
    const whole = new Uint8Array(length > this.#limit ? 0 : length);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#length = 0;
    if (length > this.#limit) return invalid(`the line is longer than ${this.#limit} bytes`);
    return driver.answer(whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole);
  }
}

async function* answered(body: ReadableStream<Uint8Array>, lineBytes: number): AsyncGenerator<string, undefined> {
  const driver = lineDriver();
  const reader = body.getReader();
  const line = new Line(lineBytes);
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      total += value.length;
      if (total > CONFORM_BYTES) {
        yield invalid(`the lines are longer than ${CONFORM_BYTES} bytes together: the rest was not read`);
        return;
      }
      let start = 0;
      for (let end = value.indexOf(LINE_FEED); end >= 0; end = value.indexOf(LINE_FEED, start)) {
        line.add(value.subarray(start, end));
        yield line.end(driver);
        start = end + 1;
      }
      line.add(value.subarray(start));
    }
    if (!line.empty) yield line.end(driver);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function invalid(message: string): string {
  return JSON.stringify({ error: { code: "line_invalid", message }, id: null });
}
