// Reading a policy's members: each accessor takes what is there, says what is wrong with it, and gives the default where nothing usable is.

import { Buffer, Text } from "../memory/buffer";
import { equalAscii, startsWithAscii } from "../memory/bytes";
import {
  ARRAY, OBJECT, STRING, TRUE, FALSE, Value,
  count, first, get, isInteger, isKind, isString, kind, next, numberValue, stringLength, stringStart, stringText,
} from "../json/value";
import { Places } from "../json/places";
import { Findings } from "./problems";

/** A policy being read: its document, and what was found so far. */
@final
export class Reading {
  findings: Findings = new Findings();
  warnings: Findings = new Findings();
  private places: Places;
  constructor(public root: Value) {
    this.places = new Places(root);
  }

  /** Where a value of the document stands. */
  pointer(value: Value): Text {
    const out = new Buffer(32);
    this.places.write(value, out);
    return out.view();
  }

  /** Where a member would be. */
  pointerTo(object: Value, name: string): Text {
    const out = new Buffer(32);
    this.places.write(object, out);
    out.byte(0x2f);
    out.ascii(name);
    return out.view();
  }

  problem(code: string, message: string, value: Value): void {
    this.findings.say(code, message, this.pointer(value));
  }

  /** A problem whose sentence ends with a name in quotes. */
  problemNaming(code: string, message: string, name: Text, value: Value): void {
    const text = new Buffer(64);
    text.ascii(message);
    text.ascii(' "');
    text.text(name);
    text.byte(0x22);
    this.findings.add(code, text, this.pointer(value));
  }

  missing(object: Value, name: string): void {
    const text = new Buffer(64);
    text.ascii(name);
    text.ascii(" is required here");
    this.findings.add("policy_missing", text, this.pointerTo(object, name));
  }

  /** Whether it is an object; a problem where it is there and is none. */
  object(value: Value): bool {
    if (isKind(value, OBJECT)) return true;
    if (value != 0) this.problem("policy_type", "an object is needed here", value);
    return false;
  }

  array(value: Value): bool {
    if (isKind(value, ARRAY)) return true;
    if (value != 0) this.problem("policy_type", "a list is needed here", value);
    return false;
  }

  /** Refuses members that are neither in `known` nor begin with `x-`. */
  members(object: Value, known: StaticArray<string>): void {
    const end = next(object);
    for (let name = first(object); name < end; name = next(next(name))) {
      const start = stringStart(name);
      const length = stringLength(name);
      if (startsWithAscii(start, length, "x-")) continue;
      let found = false;
      for (let i = 0; i < known.length && !found; i++) found = equalAscii(start, length, unchecked(known[i]));
      if (found) continue;
      const text = new Buffer(96);
      text.ascii('"');
      text.bytes(start, length);
      text.ascii('" is no member here; the members are ');
      for (let i = 0; i < known.length; i++) {
        if (i != 0) text.ascii(", ");
        text.ascii(known[i]);
      }
      text.ascii(" (and any that begin with x-)");
      this.findings.add("policy_unknown_member", text, this.pointer(next(name)));
    }
  }

  string(object: Value, name: string, required: bool): Text | null {
    const value = get(object, name);
    if (value == 0) {
      if (required) this.missing(object, name);
      return null;
    }
    if (kind(value) != STRING) {
      this.problem("policy_type", "a string is needed here", value);
      return null;
    }
    return stringText(value);
  }

  flag(object: Value, name: string, otherwise: bool): bool {
    const value = get(object, name);
    if (value == 0) return otherwise;
    if (kind(value) == TRUE) return true;
    if (kind(value) != FALSE) this.problem("policy_type", "true or false is needed here", value);
    return false;
  }

  integer(object: Value, name: string, least: i64, most: i64, otherwise: i64): i64 {
    const value = get(object, name);
    if (value == 0) return otherwise;
    if (isInteger(value)) {
      const given = <i64>numberValue(value);
      if (given >= least && given <= most) return given;
    }
    const text = new Buffer(64);
    text.ascii("an integer from ");
    text.integer(least);
    if (most < 9007199254740992) {
      text.ascii(" to ");
      text.integer(most);
    }
    text.ascii(" is needed here");
    this.findings.add("policy_type", text, this.pointer(value));
    return otherwise;
  }

  /** The index of a string among `choices`; `otherwise` where it is not there. */
  choice(object: Value, name: string, choices: StaticArray<string>, otherwise: i32): i32 {
    const value = get(object, name);
    if (value == 0) return otherwise;
    for (let i = 0; i < choices.length; i++) if (isString(value, choices[i])) return i;
    const text = new Buffer(64);
    text.ascii("one of ");
    for (let i = 0; i < choices.length; i++) {
      if (i != 0) text.ascii(", ");
      text.ascii(choices[i]);
    }
    text.ascii(" is needed here");
    this.findings.add("policy_type", text, this.pointer(value));
    return otherwise;
  }

  /** The string nodes of a list of strings; other elements are problems. */
  strings(object: Value, name: string, required: bool): Array<Value> {
    const found: Array<Value> = [];
    const value = get(object, name);
    if (value == 0) {
      if (required) this.missing(object, name);
      return found;
    }
    if (!this.array(value)) return found;
    const end = next(value);
    for (let element = first(value); element < end; element = next(element)) {
      if (kind(element) == STRING) found.push(element);
      else this.problem("policy_type", "a string is needed here", element);
    }
    return found;
  }
}
