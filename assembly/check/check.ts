// One check, from the request's text to the answer (chapter 4); stateless, or in a session that keeps its history.

import { History, sameText } from "../history/history";
import { KeySet } from "../history/keys";
import { Failure } from "../json/failure";
import { Buffer } from "../memory/buffer";
import { Policy } from "../policy/policy";
import { writeAnswer } from "./answer";
import { Call } from "./call";
import { MadeEntry, makeEntry } from "./entry";
import { decide } from "./order";
import { prepareCall, prepareHistory } from "./prepare";
import { readRequest } from "./request";

/** What a check leaves for the session that asked. */
@final
export class Checked {
  error: Failure | null = null;
  /** The entry made, or null. */
  entry: MadeEntry | null = null;
  constructor(public call: Call) {}
}

/**
 * Decides one request and appends the answer to `out`.
 * @param kept the session's history, or null where the request carries its own
 * @returns with `error` set, nothing was decided and nothing appended
 */
export function check(policy: Policy, keys: KeySet, start: usize, length: i32, kept: History | null, out: Buffer): Checked {
  const call = new Call(policy, keys);
  const checked = new Checked(call);
  checked.error = readRequest(call, start, length, kept != null);
  if (checked.error != null) return checked;
  if (kept != null && !sameText(kept.session, call.session)) {
    checked.error = new Failure("request_invalid", "the handle is another session's");
    const pointer = new Buffer(8);
    pointer.ascii("/session");
    checked.error!.pointer = pointer.view();
    return checked;
  }
  if (!keys.decides) {
    checked.error = new Failure("keys_cannot_sign", "this key set only verifies; name an active key that signs");
    return checked;
  }
  prepareCall(call, kept);
  prepareHistory(call, kept);
  decide(call);
  // A kept head and a history that does not verify: nothing restarts.
  if (call.verified || call.head == null) checked.entry = makeEntry(call);
  writeAnswer(call, checked.entry, out);
  return checked;
}
