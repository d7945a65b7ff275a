// Answers a stream of conformance lines by the installed package's driver, as every runtime with web streams can.
import { lineDriver } from "interlock";

const LINE_FEED = 10;

/**
 * The lines of some bytes, as bytes without their line feeds. What follows the last line feed is a line where it is not empty.
 * @param {AsyncIterable<Uint8Array>} pieces
 */
async function* linesOf(pieces) {
  let rest = [];
  for await (const piece of pieces) {
    let begin = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, begin)) {
      rest.push(piece.subarray(begin, end));
      yield joined(rest);
      rest = [];
      begin = end + 1;
    }
    if (begin < piece.length) rest.push(piece.slice(begin));
  }
  if (rest.length > 0) yield joined(rest);
}

function joined(parts) {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What a stream holds, piece by piece: not every engine's streams can be iterated. */
async function* piecesOf(stream) {
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

/**
 * The answers to the lines that a stream of bytes holds, one line feed after each; a driver of their own answers them.
 * @param {ReadableStream<Uint8Array>} input
 * @returns {ReadableStream<Uint8Array>}
 */
export function answersTo(input) {
  const driver = lineDriver();
  const encoder = new TextEncoder();
  const lines = linesOf(piecesOf(input));
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${driver.answer(value)}\n`));
    },
  });
}
