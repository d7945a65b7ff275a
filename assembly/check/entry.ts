// The entry that an answer adds to the history: its body, its link and its token (chapter 3).

import { sha256 } from "../digest/sha256";
import { writeString } from "../json/string";
import { writeTextOrNull, writeTexts } from "../history/confirmation";
import { beginLink, writeLinkToken } from "../history/link";
import { Buffer } from "../memory/buffer";
import { allocate } from "../memory/region";
import { ALLOW, CONFIRM, Call } from "./call";

/** An entry just made, and where in its text the parts stand that a session keeps. */
@final
export class MadeEntry {
  text: Buffer = new Buffer(1024);
  /** 32 raw bytes */
  link: usize = allocate(32);
  step: i32 = 0;
  argumentsFrom: i32 = 0;
  argumentsTo: i32 = 0;
  labelsFrom: i32 = 0;
  labelsTo: i32 = 0;
  tokenFrom: i32 = 0;
  tokenTo: i32 = 0;
}

export function decisionName(decision: i32): string {
  return decision == ALLOW ? "allow" : decision == CONFIRM ? "confirm" : "refuse";
}

/** Makes the entry of a decided call, signed after the history it was decided on. */
export function makeEntry(call: Call): MadeEntry {
  const made = new MadeEntry();
  const out = made.text;
  const history = call.history;
  made.step = history.length;
  out.ascii('{"agent":');
  writeTextOrNull(call.agentName, out);
  if (call.approvedBy.length != 0) {
    out.ascii(',"approved_by":');
    writeTexts(call.approvedBy, out);
  }
  if (call.approves >= 0) {
    out.ascii(',"approves":');
    out.integer(call.approves);
  }
  writeArguments(call, made, out);
  out.ascii(',"at":');
  out.integer(call.at);
  out.ascii(',"decision":"');
  out.ascii(decisionName(call.decision));
  out.ascii('","digest":"');
  out.text(call.digest);
  out.ascii('","evidence":"');
  out.text(call.evidence);
  out.ascii('","labels":');
  made.labelsFrom = out.length;
  writeTexts(call.marks, out);
  made.labelsTo = out.length;
  writeOrigins(call, out);
  const tool = call.tool;
  if (tool != null && tool.readsOutside) out.ascii(',"outside":true');
  out.ascii(',"policy":"');
  out.text(call.policy.id);
  out.ascii('","principal":');
  writeTextOrNull(call.principalDigest, out);
  out.ascii(',"reason":');
  writeString(call.reasons[0].start, call.reasons[0].length, out);
  out.ascii(',"reasons":');
  writeTexts(call.reasons, out);
  if (history.reports.length != 0) {
    out.ascii(',"reports":');
    out.text(history.reports);
  }
  if (!call.verified) out.ascii(',"restarted":true');
  if (tool != null) {
    out.ascii(',"snapshot":"');
    out.text(tool.snapshot);
    out.byte(0x22);
  }
  out.ascii(',"step":');
  out.integer(made.step);
  seal(call, made, tail(call));
  return made;
}

/** What follows the token: the tool, and what is undone. */
function tail(call: Call): Buffer {
  const out = new Buffer(64);
  out.ascii(',"tool":');
  writeString(call.toolName.start, call.toolName.length, out);
  if (call.undoing) {
    out.ascii(',"undoes":');
    out.integer(call.undoStep);
  }
  out.byte(0x7d);
  return out;
}

/** Links the body (what is written, and the tail), signs it, and ends the entry's text. */
function seal(call: Call, made: MadeEntry, end: Buffer): void {
  const out = made.text;
  const message = new Buffer(out.length + end.length + 256);
  beginLink(call.history, message);
  message.bytes(out.start, out.length);
  message.bytes(end.start, end.length);
  sha256(message.start, message.length, made.link);
  out.ascii(',"token":');
  made.tokenFrom = out.length;
  writeLinkToken(call.keys, made.link, out);
  made.tokenTo = out.length;
  out.bytes(end.start, end.length);
}

function writeArguments(call: Call, made: MadeEntry, out: Buffer): void {
  out.ascii(',"arguments":');
  made.argumentsFrom = out.length;
  out.byte(0x7b);
  let any = false;
  for (let i = 0; i < call.list.length; i++) {
    const argument = call.list[i];
    if (!argument.declared) continue;
    if (any) out.byte(0x2c);
    any = true;
    writeString(argument.name.start, argument.name.length, out);
    out.ascii(':"');
    out.text(call.digestOf(argument));
    out.byte(0x22);
  }
  out.byte(0x7d);
  made.argumentsTo = out.length;
}

function writeOrigins(call: Call, out: Buffer): void {
  out.ascii(',"origins":{');
  let any = false;
  for (let i = 0; i < call.list.length; i++) {
    const argument = call.list[i];
    if (!argument.declared) continue;
    if (any) out.byte(0x2c);
    any = true;
    writeString(argument.name.start, argument.name.length, out);
    out.byte(0x3a);
    writeString(argument.origin.start, argument.origin.length, out);
  }
  out.byte(0x7d);
}

