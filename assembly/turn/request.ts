// Reads the request of `read` (chapter 6): a policy's agent, a language, and the turn; every way in which it is none, at the smallest pointer.

import { Failure, scanFailure, sizeFailure, inexactFailure } from "../json/failure";
import { Places } from "../json/places";
import { scan } from "../json/scan";
import { ARRAY, OBJECT, STRING, Value, first, get, holdsInexact, isInteger, isString, kind, next, stringLength, stringStart, stringText, textLength } from "../json/value";
import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { compareUtf16, equalAscii } from "../memory/bytes";
import { Agent, Policy } from "../policy/policy";
import { languageIndex } from "./lexicon";
import { PLAN_FORMAT } from "./plan";

const LONGEST: i64 = 0x7fffffff;
const DEEPEST: i32 = 1 << 30;

@final
export class ReadRequest {
  agent: Agent = changetype<Agent>(0);
  language: i32 = 0;
  turn: Text = NO_TEXT;
  private wrong: Text | null = null;
  private message: string = "";
  private places: Places = changetype<Places>(0);

  constructor(private policy: Policy) {}

  /** Reads a request's text; null where it is one. The history is not read, and its length does not count. */
  read(start: usize, length: i32): Failure | null {
    const settings = this.policy.settings;
    let size = <i64>length;
    if (size > settings.bytes) {
      const whole = scan(start, length, DEEPEST, LONGEST);
      const history = whole == 0 ? <Value>0 : get(whole, "history");
      if (history != 0) size -= <i64>textLength(history);
      if (size > settings.bytes) return sizeFailure(<i32>settings.bytes);
    }
    const root = scan(start, length, settings.depth, LONGEST);
    if (root == 0) return scanFailure();
    if (holdsInexact(root)) return inexactFailure(root, root, start);
    this.places = new Places(root);
    this.validate(root);
    const wrong = this.wrong;
    if (wrong === null) return null;
    const failure = new Failure("request_invalid", this.message);
    failure.pointer = wrong;
    return failure;
  }

  private at(value: Value, message: string): void {
    const out = new Buffer(32);
    this.places.write(value, out);
    this.note(out.view(), message);
  }

  private note(pointer: Text, message: string): void {
    const least = this.wrong;
    if (least !== null && compareUtf16(least.start, least.length, pointer.start, pointer.length) <= 0) return;
    this.wrong = pointer;
    this.message = message;
  }

  private missing(root: Value, name: string): void {
    if (get(root, name) != 0) return;
    const out = new Buffer(16);
    out.byte(0x2f);
    out.ascii(name);
    this.note(out.view(), "this member is required");
  }

  private validate(root: Value): void {
    if (kind(root) != OBJECT) return this.at(root, "a request is an object");
    this.missing(root, "format");
    this.missing(root, "session");
    this.missing(root, "turn");
    this.missing(root, "now");
    // The only agent need not be named.
    const agents = this.policy.agents;
    if (agents.length == 1) this.agent = agents[0];
    else this.missing(root, "agent");
    this.language = this.policy.settings.portuguese ? languageIndex(portuguese()) : 0;
    const end = next(root);
    for (let name = first(root); name < end; name = next(next(name))) this.member(name, next(name));
  }

  private member(name: Value, value: Value): void {
    if (is(name, "format")) {
      if (!isString(value, PLAN_FORMAT)) this.at(value, 'the format is "qls-plan/1"');
    } else if (is(name, "session")) {
      this.text(value);
    } else if (is(name, "agent")) {
      if (!this.text(value)) return;
      const agent = this.policy.agent(stringText(value));
      if (agent === null) this.at(value, "the policy has no such agent");
      else this.agent = agent;
    } else if (is(name, "turn")) {
      if (this.text(value)) this.turn = stringText(value);
    } else if (is(name, "turns")) {
      if (kind(value) != ARRAY) return this.at(value, "a list of strings is needed here");
      if (next(value) == first(value)) return;
      const end = next(value);
      for (let turn = first(value); turn < end; turn = next(turn)) this.text(turn);
    } else if (is(name, "language")) {
      if (!this.text(value)) return;
      this.language = languageIndex(stringText(value));
      if (this.language < 0) this.at(value, "no turns are read in this language; en and pt-BR are");
    } else if (is(name, "now")) {
      if (!isInteger(value)) this.at(value, "an integer (seconds) is needed here");
    } else if (!is(name, "history")) this.at(value, "a request has no such member");
  }

  private text(value: Value): bool {
    if (kind(value) == STRING) return true;
    this.at(value, "a string is needed here");
    return false;
  }
}

function is(name: Value, literal: string): bool {
  return equalAscii(stringStart(name), stringLength(name), literal);
}

function portuguese(): Text {
  const out = new Buffer(8);
  out.ascii("pt-BR");
  return out.view();
}
