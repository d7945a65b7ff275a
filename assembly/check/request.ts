// Reads a request's text: the limits, the JSON, and every way in which it is no request (chapter 4, Request).

import { Failure, inexactFailure } from "../json/failure";
import { ARRAY, OBJECT, STRING, TRUE, Value, count, first, get, holdsInexact, isBoolean, isInteger, isString, kind, next, numberValue, stringLength, stringStart, stringText } from "../json/value";
import { afterCodePoint, codePointAt, countCodePoints, equalAscii } from "../memory/bytes";
import { readHead } from "../history/verify";
import { Wrongs, requestFailure, scanRequest } from "../policy/request";
import { NAME_MAXIMUM } from "../policy/tools";
import { Call } from "./call";

export const CHECK_FORMAT: string = "qls-tool-check/1";
/** The most labels of a request, in all its lists. */
const LABELS_MAXIMUM: i32 = 64;

/** Reads the text of a request within the policy's limits; null where it is read, `call` is filled then. */
export function readRequest(call: Call, start: usize, length: i32, byHandle: bool): Failure | null {
  const settings = call.policy.settings;
  const root = scanRequest(settings, start, length);
  if (root == 0) return requestFailure;
  if (holdsInexact(root)) {
    if (kind(root) != OBJECT) return inexactFailure(root, root, start);
    const end = next(root);
    for (let name = first(root); name < end; name = next(next(name))) {
      if (!holdsInexact(next(name)) || equalAscii(stringStart(name), stringLength(name), "arguments")) continue;
      return inexactFailure(root, next(name), start);
    }
  }
  const validation = new Validation(root);
  validation.run(call, byHandle);
  return validation.wrongs.failure();
}

/** Finds the smallest pointer (UTF-16 order) at which a request is none. */
@final
class Validation {
  wrongs: Wrongs;
  private labelCount: i32 = 0;

  constructor(private root: Value) {
    this.wrongs = new Wrongs(root);
  }

  private at(value: Value, message: string): void {
    this.wrongs.at(value, message);
  }

  private missing(object: Value, name: string): void {
    this.wrongs.missing(object, name);
  }

  run(call: Call, byHandle: bool): void {
    const root = this.root;
    call.request = root;
    if (kind(root) != OBJECT) {
      this.at(root, "a request is an object");
      return;
    }
    const end = next(root);
    for (let name = first(root); name < end; name = next(next(name))) this.member(call, name, next(name), byHandle);
    if (get(root, "format") == 0) this.missing(root, "format");
    if (get(root, "session") == 0) this.missing(root, "session");
    if (get(root, "tool") == 0) this.missing(root, "tool");
    if (get(root, "arguments") == 0) this.missing(root, "arguments");
    if (get(root, "now") == 0) this.missing(root, "now");
    if (call.policy.settings.headRequired && get(root, "head") == 0) this.missing(root, "head");
  }

  private is(name: Value, literal: string): bool {
    return equalAscii(stringStart(name), stringLength(name), literal);
  }

  private string(value: Value): bool {
    return this.wrongs.string(value);
  }

  private object(value: Value): bool {
    if (kind(value) == OBJECT) return true;
    this.at(value, "an object is needed here");
    return false;
  }

  private member(call: Call, name: Value, value: Value, byHandle: bool): void {
    switch (stringLength(name)) {
      case 3:
        if (!this.is(name, "now")) break;
        if (isInteger(value)) call.now = <i64>numberValue(value);
        else this.at(value, "an integer (seconds) is needed here");
        return;
      case 4:
        if (this.is(name, "tool")) {
          if (!this.string(value)) return;
          call.toolName = stringText(value);
          if (countCodePoints(stringStart(value), stringLength(value)) > NAME_MAXIMUM) this.at(value, "a tool's name has at most 128 characters");
          return;
        }
        if (this.is(name, "head")) return this.head(call, value);
        if (this.is(name, "undo")) return this.undo(call, value);
        break;
      case 5:
        if (this.is(name, "agent")) {
          if (this.string(value)) call.agentName = stringText(value);
          return;
        }
        if (!this.is(name, "turns")) break;
        call.turns = value;
        return this.strings(value);
      case 6:
        if (this.is(name, "format")) {
          if (!isString(value, CHECK_FORMAT)) this.at(value, 'the format is "qls-tool-check/1"');
          return;
        }
        if (!this.is(name, "labels")) break;
        call.labels = value;
        return this.labels(value);
      case 7:
        if (this.is(name, "session")) {
          if (this.string(value)) call.session = stringText(value);
          return;
        }
        if (this.is(name, "origins")) {
          call.origins = value;
          return this.members(value, STRING, "a string is needed here");
        }
        if (this.is(name, "context")) {
          call.context = value;
          return this.members(value, TRUE, "true or false is needed here");
        }
        if (this.is(name, "history")) {
          if (byHandle) this.at(value, "with a handle the core keeps the history");
          call.historyValue = value;
          return;
        }
        if (!this.is(name, "explain")) break;
        if (!isBoolean(value)) this.at(value, "true or false is needed here");
        call.explain = kind(value) == TRUE;
        return;
      case 8:
        if (!this.is(name, "resource")) break;
        if (this.object(value)) call.resource = value;
        return;
      case 9:
        if (this.is(name, "arguments")) {
          if (this.object(value)) call.arguments = value;
          return;
        }
        if (this.is(name, "approvals")) {
          call.approvals = value;
          return this.strings(value);
        }
        if (!this.is(name, "principal")) break;
        if (!this.object(value)) return;
        call.principal = value;
        if (get(value, "id") != 0) this.string(get(value, "id"));
        return;
      case 12:
        if (!this.is(name, "confirmation")) break;
        if (this.string(value)) call.confirmation = stringText(value);
        return;
      default:
        break;
    }
    this.at(value, "a request has no such member");
  }

  private strings(value: Value): void {
    if (kind(value) != ARRAY) {
      this.at(value, "a list of strings is needed here");
      return;
    }
    const end = next(value);
    for (let element = first(value); element < end; element = next(element)) this.string(element);
  }

  /** An object whose values are strings, or (TRUE) booleans. */
  private members(value: Value, which: i32, message: string): void {
    if (!this.object(value)) return;
    const end = next(value);
    for (let name = first(value); name < end; name = next(next(name))) {
      const member = next(name);
      if (which == TRUE ? !isBoolean(member) : kind(member) != which) this.at(member, message);
    }
  }

  private head(call: Call, value: Value): void {
    if (!this.object(value)) return;
    call.head = readHead(value);
    if (call.head != null) return;
    const end = next(value);
    for (let name = first(value); name < end; name = next(next(name))) {
      const member = next(name);
      if (this.is(name, "step")) {
        if (!isInteger(member)) this.at(member, "an integer is needed here");
      } else if (this.is(name, "link") || this.is(name, "state")) this.string(member);
      else this.at(member, "a head has the members step, link and state");
    }
    if (get(value, "step") == 0) this.missing(value, "step");
    if (get(value, "link") == 0) this.missing(value, "link");
    if (get(value, "state") == 0) this.missing(value, "state");
  }

  private undo(call: Call, value: Value): void {
    if (!this.object(value)) return;
    const step = get(value, "step");
    if (step == 0) this.missing(value, "step");
    else if (!isInteger(step)) this.at(step, "an integer is needed here");
    else {
      call.undoing = true;
      call.undoStep = <i64>numberValue(step);
    }
    const end = next(value);
    for (let name = first(value); name < end; name = next(next(name))) {
      if (!this.is(name, "step")) this.at(next(name), "undo has the member step alone");
    }
  }

  private labels(value: Value): void {
    if (!this.object(value)) return;
    this.labelCount = 0;
    const end = next(value);
    for (let name = first(value); name < end; name = next(next(name))) {
      const member = next(name);
      if (this.is(name, "call")) this.labelList(member);
      else if (this.is(name, "arguments")) {
        if (!this.object(member)) continue;
        const last = next(member);
        for (let argument = first(member); argument < last; argument = next(next(argument))) this.labelList(next(argument));
      } else this.at(member, "labels has the members call and arguments");
    }
    if (this.labelCount > LABELS_MAXIMUM) this.at(value, "a request carries at most 64 labels");
  }

  private labelList(value: Value): void {
    if (kind(value) != ARRAY) {
      this.at(value, "a list of labels is needed here");
      return;
    }
    this.labelCount += count(value);
    const end = next(value);
    for (let element = first(value); element < end; element = next(element)) {
      if (kind(element) != STRING || !isLabel(stringStart(element), stringLength(element))) this.at(element, "a label is name or name:value: a-z first, then a-z 0-9 _ -");
    }
  }
}

/** `[a-z][a-z0-9_-]{0,31}`, then optionally `:` and 1 to 128 characters without white space. */
function isLabel(start: usize, length: i32): bool {
  let at = 0;
  while (at < length && at < 32) {
    const c = load<u8>(start + <usize>at);
    const letter = c >= 0x61 && c <= 0x7a;
    if (!letter && (at == 0 || !((c >= 0x30 && c <= 0x39) || c == 0x5f || c == 0x2d))) break;
    at++;
  }
  if (at == 0) return false;
  if (at == length) return true;
  if (load<u8>(start + <usize>at) != 0x3a || at + 1 == length) return false;
  const end = start + <usize>length;
  let characters = 0;
  for (let i = start + <usize>(at + 1); i < end; i = afterCodePoint(i)) {
    if (isSpace(codePointAt(i))) return false;
    characters++;
  }
  return characters <= 128;
}

/** ECMAScript's white space and line ends, which hold Unicode's but U+0085. */
function isSpace(c: i32): bool {
  return (c >= 9 && c <= 13) || c == 0x20 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
    c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff;
}
