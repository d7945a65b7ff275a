// The streams of one session's calls: events with ids, kept for a while so that a client whose stream was torn takes it up where it left.

/** Streams kept for a session, bytes kept for one, and how long an ended one is kept. */
const STREAMS = 128;
const STREAM_BYTES = 8 * 1024 * 1024;
const KEPT_MS = 5 * 60_000;
/** How often a silent stream says that it is there, in milliseconds. */
const ALIVE_MS = 15_000;

/** Where a stream is read from its very beginning. */
const OPENING = -1;

/** The ids of our events begin so; the library's do not. */
export const EVENT = "call-";

interface Stream {
  readonly name: number;
  /** Texts by their number; the oldest are let go where there is too much of them. */
  readonly events: { readonly number: number; readonly text: string }[];
  bytes: number;
  next: number;
  ended: boolean;
  reader: ReadableStreamDefaultController<Uint8Array> | null;
}

export class Replay {
  readonly #streams = new Map<number, Stream>();
  #next = 0;

  /** Opens a stream for a call's messages. */
  open(): { send(text: string): void; end(): void; body(): ReadableStream<Uint8Array> } {
    const stream: Stream = { name: ++this.#next, events: [], bytes: 0, next: 1, ended: false, reader: null };
    this.#streams.set(stream.name, stream);
    for (const [name, { ended }] of this.#streams) {
      if (this.#streams.size <= STREAMS) break;
      if (ended) this.#streams.delete(name);
    }
    return {
      send: (text) => send(stream, text),
      end: () => {
        stream.ended = true;
        close(stream);
        setTimeout(() => this.#streams.delete(stream.name), KEPT_MS).unref?.();
      },
      body: () => body(stream, OPENING),
    };
  }

  /** The rest of a stream behind an event's id; null where there is no such stream any more. */
  after(id: string): ReadableStream<Uint8Array> | null {
    const [name, number] = id.startsWith(EVENT) ? id.slice(EVENT.length).split("-").map(Number) : [];
    const stream = this.#streams.get(name ?? 0);
    return stream === undefined || !Number.isInteger(number) || number! < 0 ? null : body(stream, number!);
  }

  close(): void {
    for (const stream of this.#streams.values()) {
      stream.ended = true;
      close(stream);
    }
    this.#streams.clear();
  }
}

const encoder = new TextEncoder();

/** A stream's events behind a number, then those to come. A reader takes the place of the one before. A new stream begins with an event that has an id and no data. */
function body(stream: Stream, after: number): ReadableStream<Uint8Array> {
  let alive: ReturnType<typeof setInterval> | undefined;
  let own: ReadableStreamDefaultController<Uint8Array> | null = null;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      close(stream);
      own = controller;
      if (after === OPENING) controller.enqueue(encoder.encode(`id: ${EVENT}${stream.name}-0\ndata: \n\n`));
      for (const { number, text } of stream.events) if (number > after) controller.enqueue(written(stream, number, text));
      if (stream.ended) {
        controller.close();
        return;
      }
      stream.reader = controller;
      alive = setInterval(() => {
        if (stream.reader !== controller) clearInterval(alive);
        else if ((controller.desiredSize ?? 0) > -64) controller.enqueue(encoder.encode(": waiting\n\n"));
      }, ALIVE_MS);
      alive.unref?.();
    },
    cancel() {
      clearInterval(alive);
      if (stream.reader === own) stream.reader = null;
    },
  });
}

function send(stream: Stream, text: string): void {
  if (stream.ended) return;
  const number = stream.next++;
  stream.events.push({ number, text });
  stream.bytes += text.length;
  while (stream.bytes > STREAM_BYTES && stream.events.length > 1) stream.bytes -= stream.events.shift()!.text.length;
  stream.reader?.enqueue(written(stream, number, text));
}

function written(stream: Stream, number: number, text: string): Uint8Array {
  return encoder.encode(`id: ${EVENT}${stream.name}-${number}\nevent: message\ndata: ${text}\n\n`);
}

function close(stream: Stream): void {
  const { reader } = stream;
  stream.reader = null;
  try {
    reader?.close();
  } catch {
    // The client closed it first.
  }
}
