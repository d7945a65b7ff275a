// The question that a `confirm` carries: what a person is shown, as data and as sentences (chapter 4, Answer).

import { writeString } from "../json/string";
import { ARRAY, OBJECT, STRING, SortedMembers, Value, first, kind, next, stringLength, stringStart } from "../json/value";
import { writeCanonical } from "../json/canonical";
import { Buffer, Text } from "../memory/buffer";
import { afterCodePoint, codePointAt, equalAscii, startsWithAscii } from "../memory/bytes";
import { DestinationSink, findDestinations } from "../evidence/destinations";
import { Tool } from "../policy/policy";
import { Argument, Call } from "./call";

/** Control characters, and those that turn the direction of text: they are shown, not obeyed. */
function isHidden(c: i32): bool {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

const HEX = "0123456789abcdef";

/** Appends a text with hidden characters as `\u` and four hex digits, six visible characters each. */
function appendVisible(start: usize, length: i32, out: Buffer): void {
  const end = start + <usize>length;
  for (let at = start; at < end; ) {
    const after = afterCodePoint(at);
    const c = codePointAt(at);
    if (isHidden(c)) {
      out.ascii("\\u");
      for (let shift = 12; shift >= 0; shift -= 4) out.byte(HEX.charCodeAt((c >> shift) & 15));
    } else {
      out.bytes(at, <i32>(after - at));
    }
    at = after;
  }
}

/** Appends a JSON string whose hidden characters are shown. */
function writeVisible(start: usize, length: i32, out: Buffer): void {
  const visible = new Buffer(length + 16);
  appendVisible(start, length, visible);
  writeString(visible.start, visible.length, out);
}

/** Appends a value, canonical but for its strings' hidden characters. Depth is bounded by limits.depth. */
function writeShown(value: Value, out: Buffer): void {
  if (kind(value) == STRING) {
    writeVisible(stringStart(value), stringLength(value), out);
  } else if (kind(value) == ARRAY) {
    out.byte(0x5b);
    const end = next(value);
    for (let element = first(value); element < end; element = next(element)) {
      if (element != first(value)) out.byte(0x2c);
      writeShown(element, out);
    }
    out.byte(0x5d);
  } else if (kind(value) == OBJECT) {
    out.byte(0x7b);
    let any = false;
    for (const m = new SortedMembers(value); m.name != 0; m.advance()) {
      if (any) out.byte(0x2c);
      any = true;
      writeVisible(stringStart(m.name), stringLength(m.name), out);
      out.byte(0x3a);
      writeShown(m.value, out);
    }
    out.byte(0x7d);
  } else {
    writeCanonical(value, out);
  }
}

/** Appends the question of a call that asks. */
export function writeQuestion(call: Call, tool: Tool, out: Buffer): void {
  out.ascii('{"arguments":[');
  for (let i = 0; i < call.list.length; i++) {
    if (i != 0) out.byte(0x2c);
    writeArgument(call.list[i], out);
  }
  out.ascii('],"marks":[');
  for (let i = 0; i < call.marks.length; i++) {
    if (i != 0) out.byte(0x2c);
    out.ascii('{"label":');
    writeString(call.marks[i].start, call.marks[i].length, out);
    out.ascii(',"text":');
    const text = markText(call.marks[i]);
    writeString(text.start, text.length, out);
    out.byte(0x7d);
  }
  out.ascii('],"reasons":[');
  const whole = new Buffer(256);
  for (let i = 0; i < call.reasons.length; i++) {
    if (i != 0) out.byte(0x2c);
    const reason = call.reasons[i];
    out.ascii('{"reason":');
    writeString(reason.start, reason.length, out);
    out.ascii(',"text":');
    const text = reasonText(call, tool, reason);
    writeString(text.start, text.length, out);
    out.byte(0x7d);
    // The warning that nothing undoes the step comes last in the whole.
    if (isPivot(reason)) continue;
    if (whole.length != 0) whole.byte(0x20);
    whole.text(text);
  }
  if (hasPivot(call)) {
    if (whole.length != 0) whole.byte(0x20);
    whole.ascii(PIVOT_TEXT);
  }
  out.byte(0x5d);
  writeTarget(call, tool, out);
  out.ascii(',"text":');
  writeString(whole.start, whole.length, out);
  writeTitle(tool, out);
  out.ascii(',"tool":');
  writeString(tool.name.start, tool.name.length, out);
  out.ascii(',"undo":');
  const undo = tool.undo;
  if (undo == null) out.ascii("null");
  else {
    out.ascii('{"tool":');
    writeString(undo.tool.start, undo.tool.length, out);
    out.byte(0x7d);
  }
  out.byte(0x7d);
}

function writeArgument(argument: Argument, out: Buffer): void {
  out.ascii('{"name":');
  writeString(argument.name.start, argument.name.length, out);
  out.ascii(',"origin":');
  writeString(argument.origin.start, argument.origin.length, out);
  out.ascii(',"typed":');
  out.ascii(argument.typed ? "true" : "false");
  out.ascii(',"value":');
  writeShown(argument.value, out);
  out.byte(0x7d);
}

/** `,"target":…`: where a tool that sends out would send, or whose data a subject argument names. */
function writeTarget(call: Call, tool: Tool, out: Buffer): void {
  for (let i = 0; i < call.list.length; i++) {
    const argument = call.list[i];
    const value = argument.value;
    if (kind(value) != STRING) continue;
    let is = false;
    for (let j = 0; j < tool.subjectArguments.length && !is; j++) {
      const name = tool.subjectArguments[j];
      is = name.length == argument.name.length && memory.compare(name.start, argument.name.start, <usize>name.length) == 0;
    }
    let start = stringStart(value);
    let length = stringLength(value);
    if (!is && tool.sendsOut) {
      const found = new DestinationSink();
      findDestinations(start, length, argument.name, found);
      is = found.count != 0;
      if (is) {
        start += <usize>found.begin(0);
        length = found.length(0);
      }
    }
    if (!is) continue;
    out.ascii(',"target":');
    writeVisible(start, length, out);
    return;
  }
}

function writeTitle(tool: Tool, out: Buffer): void {
  const title = new Buffer(64);
  title.ascii("Run ");
  appendVisible(tool.name.start, tool.name.length, title);
  title.byte(0x3f);
  if (tool.description.length != 0) {
    title.byte(0x20);
    appendVisible(tool.description.start, tool.description.length, title);
  }
  out.ascii(',"title":');
  writeString(title.start, title.length, out);
}

const PIVOT_TEXT: string = "This step cannot be undone, and no step after it can undo it either.";

function isPivot(reason: Text): bool {
  return equalAscii(reason.start, reason.length, "irreversible_pivot");
}

function hasPivot(call: Call): bool {
  for (let i = 0; i < call.reasons.length; i++) if (isPivot(call.reasons[i])) return true;
  return false;
}

function markText(mark: Text): Text {
  const text = new Buffer(64);
  if (startsWithAscii(mark.start, mark.length, "untrusted:")) {
    text.ascii("It may hold what somebody outside wrote, read with ");
    appendVisible(mark.start + 10, mark.length - 10, text);
    text.byte(0x2e);
  } else if (startsWithAscii(mark.start, mark.length, "agent:")) {
    text.ascii("It comes from the agent ");
    appendVisible(mark.start + 6, mark.length - 6, text);
    text.byte(0x2e);
  } else {
    text.ascii("Your application marked it ");
    appendVisible(mark.start, mark.length, text);
    text.byte(0x2e);
  }
  return text.view();
}

function reasonText(call: Call, tool: Tool, reason: Text): Text {
  const text = new Buffer(96);
  const start = reason.start;
  const length = reason.length;
  if (equalAscii(start, length, "gate_clarify")) {
    for (let i = 0; i < call.asked.length; i++) {
      if (i != 0) text.byte(0x20);
      const rule = call.asked[i];
      const question = rule.question != null ? rule.question : rule.because;
      if (question != null) appendVisible(question.start, question.length, text);
      else {
        text.ascii("The rule ");
        appendVisible(rule.id.start, rule.id.length, text);
        text.ascii(" asks for a person.");
      }
    }
  } else if (startsWithAscii(start, length, "argument_origin: ")) {
    originText(call, new Text(start + 17, length - 17), text);
  } else if (equalAscii(start, length, "tainted_call")) {
    text.ascii("It carries what this tool does not trust:");
    for (let i = 0; i < call.holding.length; i++) {
      text.ascii(i == 0 ? " " : ", ");
      appendVisible(call.holding[i].start, call.holding[i].length, text);
    }
    text.byte(0x2e);
  } else if (isPivot(reason)) {
    text.ascii(PIVOT_TEXT);
  } else if (equalAscii(start, length, "schema_partial")) {
    text.ascii("Part of this tool's schema was not checked, so look at the arguments yourself.");
  } else {
    appendVisible(tool.name.start, tool.name.length, text);
    text.ascii(" changes something, so a person says yes first.");
  }
  return text.view();
}

function originText(call: Call, name: Text, text: Buffer): void {
  const argument = call.argument(name);
  appendVisible(name.start, name.length, text);
  if (argument == null || equalAscii(argument.origin.start, argument.origin.length, "model")) text.ascii(" was written by the model.");
  else if (equalAscii(argument.origin.start, argument.origin.length, "typed")) text.ascii(" is said to be typed, but no turn holds it.");
  else {
    text.ascii(" comes from ");
    appendVisible(argument.origin.start, argument.origin.length, text);
    text.ascii(", which is not trusted here.");
  }
}
