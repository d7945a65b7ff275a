// The answer to a check: canonical JSON, a member that does not apply absent (chapter 4, Answer).

import { writeString } from "../json/string";
import { encoded } from "../digest/labelled";
import { writeConfirmation, writeTexts } from "../history/confirmation";
import { Buffer } from "../memory/buffer";
import { ALLOW, CONFIRM, Call } from "./call";
import { MadeEntry, decisionName } from "./entry";
import { writeQuestion } from "./question";
import { CHECK_FORMAT } from "./request";

/** The steps' names in a trace, by number. */
const CHECKS: StaticArray<string> = [
  "", "tool", "history", "arguments", "destinations", "order", "undo", "gate", "marks", "approval", "person", "compensation", "allow",
];

/** Appends the answer. `made` is null where a kept head and a history that does not verify leave the session as it was. */
export function writeAnswer(call: Call, made: MadeEntry | null, out: Buffer): void {
  out.byte(0x7b);
  if (call.decision == ALLOW) {
    out.ascii('"arguments":');
    out.bytes(call.canonical.start, call.canonical.length);
    out.byte(0x2c);
  }
  if (call.decision == CONFIRM && made != null) {
    out.ascii('"confirmation":');
    confirmation(call, made, out);
    out.byte(0x2c);
  }
  out.ascii('"decision":"');
  out.ascii(decisionName(call.decision));
  out.byte(0x22);
  if (call.detail.length != 0) {
    out.ascii(',"detail":');
    out.text(call.detail);
  }
  out.ascii(',"entry":');
  if (made == null) out.ascii("null");
  else out.bytes(made.text.start, made.text.length);
  out.ascii(',"format":"');
  out.ascii(CHECK_FORMAT);
  out.ascii('","link":');
  if (made == null) out.ascii("null");
  else {
    out.byte(0x22);
    out.text(encoded(made.link));
    out.byte(0x22);
  }
  const pointer = call.pointer;
  if (pointer != null) {
    out.ascii(',"pointer":');
    writeString(pointer.start, pointer.length, out);
  }
  out.ascii(',"policy":"');
  out.text(call.policy.id);
  out.byte(0x22);
  if (call.decision == CONFIRM) {
    out.ascii(',"question":');
    writeQuestion(call, call.tool!, out);
  }
  out.ascii(',"reason":');
  writeString(call.reasons[0].start, call.reasons[0].length, out);
  out.ascii(',"reasons":');
  writeTexts(call.reasons, out);
  out.ascii(',"step":');
  if (made == null) out.ascii("null");
  else out.integer(made.step);
  if (call.explain) writeTrace(call, out);
  out.byte(0x7d);
}

function confirmation(call: Call, made: MadeEntry, out: Buffer): void {
  const key = call.keys.active;
  if (key == null) {
    out.ascii("null");
    return;
  }
  out.byte(0x22);
  writeConfirmation(
    key, call.agentName, call.digest, call.at, call.policy.settings.confirmationTtl, call.marks, encoded(made.link), call.policy.id,
    call.principalDigest, call.reasons, call.session, call.tool!.snapshot, made.step, call.toolName, call.undoing, call.undoStep, out,
  );
  out.byte(0x22);
}

function writeTrace(call: Call, out: Buffer): void {
  out.ascii(',"trace":[');
  for (let i = 0; i < call.trace.length; i++) {
    if (i != 0) out.byte(0x2c);
    const item = call.trace[i];
    out.ascii('{"check":"');
    out.ascii(CHECKS[item.order]);
    out.byte(0x22);
    if (item.detail.length != 0) {
      out.ascii(',"detail":');
      out.text(item.detail);
    }
    out.ascii(',"order":');
    out.integer(item.order);
    out.ascii(',"result":"');
    out.ascii(item.result);
    out.ascii('"}');
  }
  out.byte(0x5d);
}
