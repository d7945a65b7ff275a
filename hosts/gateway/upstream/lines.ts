// Cuts what a server writes into lines; one that is too long is passed over as it comes, and only its ends are kept.

/** Bytes of each end of a line that is too long which are kept, to learn whose answer it is. */
export const ENDS = 512;

export interface LineReader {
  /** The most bytes that a line may have now. */
  limit(): number;
  /** A whole line, without its end. */
  line(bytes: Buffer): void;
  /** A line that was longer, by its two ends. */
  tooLong(head: Buffer, tail: Buffer): void;
}

export class Lines {
  readonly #reader: LineReader;
  #kept: Buffer[] = [];
  #length = 0;
  #dropping: { readonly head: Buffer; tail: Buffer } | null = null;
  #closed = false;

  constructor(reader: LineReader) {
    this.#reader = reader;
  }

  /** Takes what came. */
  read(part: Buffer): void {
    let rest = part;
    while (rest.length > 0 && !this.#closed) {
      const end = rest.indexOf(10);
      this.#piece(end < 0 ? rest : rest.subarray(0, end));
      rest = end < 0 ? rest.subarray(rest.length) : rest.subarray(end + 1);
      if (end >= 0) this.#whole();
    }
  }

  /** Nothing more is taken. */
  close(): void {
    this.#closed = true;
  }

  #piece(piece: Buffer): void {
    if (this.#dropping !== null) {
      this.#dropping.tail = Buffer.concat([this.#dropping.tail, piece.subarray(-ENDS)]).subarray(-ENDS);
      return;
    }
    this.#kept.push(piece);
    this.#length += piece.length;
    if (this.#length <= this.#reader.limit()) return;
    const kept = this.#taken();
    this.#dropping = { head: Buffer.from(kept.subarray(0, ENDS)), tail: Buffer.from(kept.subarray(-ENDS)) };
  }

  #whole(): void {
    const dropped = this.#dropping;
    const kept = this.#taken();
    this.#dropping = null;
    if (dropped !== null) this.#reader.tooLong(dropped.head, dropped.tail);
    else this.#reader.line(kept);
  }

  #taken(): Buffer {
    const kept = Buffer.concat(this.#kept);
    this.#kept = [];
    this.#length = 0;
    return kept;
  }
}
