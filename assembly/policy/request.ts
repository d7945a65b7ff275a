// What the requests of a check and of a turn share: a policy's limits on their text, and the smallest pointer at which one is none (chapter 4, Request).

import { Failure, scanFailure, sizeFailure } from "../json/failure";
import { Places } from "../json/places";
import { scan } from "../json/scan";
import { STRING, Value, get, kind, textLength } from "../json/value";
import { Buffer, Text } from "../memory/buffer";
import { compareUtf16 } from "../memory/bytes";
import { Settings } from "./policy";

/** Deeper than any limit a policy can set; only to find the history's text. */
const DEEPEST: i32 = 1 << 30;
const LONGEST: i64 = 0x7fffffff;

/** What was wrong with the text that `scanRequest` read last. */
export let requestFailure: Failure | null = null;

/** Reads the text of a request within a policy's limits; the history does not count. 0 where it breaks one or is no JSON: `requestFailure` says how. */
export function scanRequest(settings: Settings, start: usize, length: i32): Value {
  requestFailure = null;
  let size = <i64>length;
  if (size > settings.bytes) {
    // To know where the history is the text has to be read.
    const whole = scan(start, length, DEEPEST, LONGEST);
    const history = whole == 0 ? <Value>0 : get(whole, "history");
    if (history != 0) size -= <i64>textLength(history);
    if (size > settings.bytes) {
      requestFailure = sizeFailure(<i32>settings.bytes);
      return 0;
    }
  }
  const root = scan(start, length, settings.depth, LONGEST);
  if (root == 0) requestFailure = scanFailure();
  return root;
}

/** Keeps the smallest pointer (UTF-16 order) at which a request is none, and why. */
export class Wrongs {
  private wrong: Text | null = null;
  private message: string = "";
  private places: Places;

  constructor(root: Value) {
    this.places = new Places(root);
  }

  /** A value that is not what it must be. */
  at(value: Value, message: string): void {
    const out = new Buffer(32);
    this.places.write(value, out);
    this.note(out.view(), message);
  }

  /** A member that an object must have. */
  missing(object: Value, name: string): void {
    const out = new Buffer(32);
    this.places.write(object, out);
    out.byte(0x2f);
    out.ascii(name);
    this.note(out.view(), "this member is required");
  }

  /** Whether a value is a string. */
  string(value: Value): bool {
    if (kind(value) == STRING) return true;
    this.at(value, "a string is needed here");
    return false;
  }

  private note(pointer: Text, message: string): void {
    const least = this.wrong;
    if (least !== null && compareUtf16(least.start, least.length, pointer.start, pointer.length) <= 0) return;
    this.wrong = pointer;
    this.message = message;
  }

  /** `request_invalid` at the smallest pointer, or null where nothing was wrong. */
  failure(): Failure | null {
    const wrong = this.wrong;
    if (wrong === null) return null;
    const failure = new Failure("request_invalid", this.message);
    failure.pointer = wrong;
    return failure;
  }
}
