// Compares what two runtimes answered, byte by byte: which runtime, which line, which byte.
import { linesOf } from "./cases.ts";

/** The answers of one runtime. */
export interface Answers {
  runtime: string;
  bytes: Uint8Array;
}

/** Where two runtimes part. Lines and bytes count from 1. */
export interface Difference {
  runtime: string;
  line: number;
  /** The byte in the line. */
  byte: number;
  /** What stands around it, in both. */
  expected: string;
  got: string;
}

const AROUND = 60;

/** The first place where the answers are not the reference's bytes; null where there is none. */
export function firstDifference(reference: Answers, other: Answers): Difference | null {
  if (Buffer.from(reference.bytes.buffer, reference.bytes.byteOffset, reference.bytes.length).equals(other.bytes)) return null;
  const [mine, theirs] = [linesOf(reference.bytes), linesOf(other.bytes)];
  for (let index = 0; ; index++) {
    const [expected, got] = [mine[index], theirs[index]];
    if (expected === undefined && got === undefined) break;
    const [a, b] = [expected ?? new Uint8Array(), got ?? new Uint8Array()];
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    if (expected !== undefined && got !== undefined && at === a.length && at === b.length) continue;
    return { runtime: other.runtime, line: index + 1, byte: at + 1, expected: around(expected, at), got: around(got, at) };
  }
  // The lines are the same: one of them lacks the last line feed.
  return { runtime: other.runtime, line: mine.length, byte: mine.at(-1)!.length + 1, expected: `ends with byte ${reference.bytes.at(-1)}`, got: `ends with byte ${other.bytes.at(-1)}` };
}

function around(line: Uint8Array | undefined, at: number): string {
  return line === undefined ? "no such line" : Buffer.from(line.subarray(Math.max(0, at - AROUND), at + AROUND)).toString("latin1");
}

/** A difference for people. */
export function describeDifference(file: string, reference: string, { runtime, line, byte, expected, got }: Difference): string {
  return `${runtime} differs from ${reference} in ${file}, line ${line}, byte ${byte}:\n${reference}: …${expected}…\n${runtime}: …${got}…`;
}
