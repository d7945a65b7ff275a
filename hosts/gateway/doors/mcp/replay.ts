// The streams of one session's calls: events with ids, kept for a while so that a client whose stream was torn takes it up where it left.

/** Streams kept for a session, bytes kept for one, and how long an ended one is kept. */
const STREAMS = 128;
const STREAM_BYTES = 8 * 1024 * 1024;
const KEPT_MS = 5 * 60_000;
/** Characters of ended streams that are kept over all sessions of a door. */
const KEPT_BYTES = 64 * 1024 * 1024;
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

/** What the sessions of one door keep of ended streams, together: what ended first is let go where there is too much. */
export class Kept {
  readonly #streams = new Map<Stream, () => void>();
  #bytes = 0;

  /** Characters kept now. */
  get bytes(): number {
    return this.#bytes;
  }

  add(stream: Stream, forget: () => void): void {
    this.#streams.set(stream, forget);
    this.#bytes += stream.bytes;
    for (const letGo of this.#streams.values()) {
      if (this.#bytes <= KEPT_BYTES) break;
      letGo();
    }
  }

  remove(stream: Stream): void {
    if (this.#streams.delete(stream)) this.#bytes -= stream.bytes;
  }
}

export class Replay {
  readonly #streams = new Map<number, Stream>();
  readonly #kept: Kept;
  #next = 0;

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  /** Opens a stream for a call's messages. */
  open(): { send(text: string): void; end(): void; body(): ReadableStream<Uint8Array> } {
    const stream: Stream = { name: ++this.#next, events: [], bytes: 0, next: 1, ended: false, reader: null };
    this.#streams.set(stream.name, stream);
    for (const each of this.#streams.values()) {
      if (this.#streams.size <= STREAMS) break;
      if (each.ended) this.#forget(each);
    }
    return {
      send: (text) => send(stream, text),
      end: () => {
        if (stream.ended) return;
        stream.ended = true;
        close(stream);
        this.#kept.add(stream, () => this.#forget(stream));
        setTimeout(() => this.#forget(stream), KEPT_MS).unref?.();
      },
      body: () => body(stream, OPENING),
    };
  }

  /** The rest of a stream behind an event's id; null where there is no such stream any more. */
  after(id: string): ReadableStream<Uint8Array> | null {
    const [, name, number] = /^call-(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
    const stream = this.#streams.get(Number(name));
    return stream === undefined ? null : body(stream, Number(number));
  }

  close(): void {
    for (const stream of [...this.#streams.values()]) {
      stream.ended = true;
      close(stream);
      this.#forget(stream);
    }
  }

  /** Lets a stream's texts go too, since its timer holds on to it. */
  #forget(stream: Stream): void {
    this.#streams.delete(stream.name);
    this.#kept.remove(stream);
    stream.events.length = 0;
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
