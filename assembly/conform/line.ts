// The conformance driver (chapter 8): one request line in, one canonical answer line out, the same in every runtime.

import { OUTER_BYTES, OUTER_DEPTH } from "../abi";
import { Failure, writeFailure } from "../json/failure";
import { writeCanonical } from "../json/canonical";
import { scan } from "../json/scan";
import { OBJECT, STRING, get, isKind } from "../json/value";
import { Buffer } from "../memory/buffer";
import { Line } from "./members";
import { runStateless } from "./stateless";
import { runNamed } from "./named";

/** Appends the answer to a line; no line break at its end. */
export function answerLine(start: usize, length: i32, out: Buffer): void {
  const document = scan(start, length, OUTER_DEPTH, OUTER_BYTES);
  const id = document != 0 ? get(document, "id") : 0;
  if (!isKind(document, OBJECT) || id == 0 || !isKind(get(document, "op"), STRING)) {
    out.ascii('{"error":{"code":"line_invalid","message":"a line is a JSON object with id and op"},"id":null}');
    return;
  }
  const line = new Line(document);
  const answer = new Buffer(1024);
  if (!runStateless(line, answer) && !runNamed(line, answer)) line.failure = new Failure("op_unknown", "there is no such operation");
  const failure = line.failure;
  out.reserve(answer.length + 64);
  if (failure != null) {
    out.ascii('{"error":');
    if (line.problems != null) {
      out.ascii('{"code":"policy_invalid","message":"the policy has problems","problems":');
      out.bytes(line.problems!.start, line.problems!.length);
      out.byte(0x7d);
    } else {
      writeFailure(failure, out);
    }
    out.ascii(',"id":');
    writeCanonical(id, out);
    out.byte(0x7d);
    return;
  }
  out.ascii('{"id":');
  writeCanonical(id, out);
  out.ascii(',"ok":');
  out.bytes(answer.start, answer.length);
  out.byte(0x7d);
}

