// Reads the request of `read` (chapter 6): a policy's agent, a language, and the turn; every way in which it is none, at the smallest pointer.

import { Failure, inexactFailure } from "../json/failure";
import { ARRAY, OBJECT, Value, first, get, holdsInexact, isInteger, isString, kind, next, stringLength, stringStart, stringText } from "../json/value";
import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { equalAscii } from "../memory/bytes";
import { Agent, Policy } from "../policy/policy";
import { Wrongs, requestFailure, scanRequest } from "../policy/request";
import { languageIndex } from "./lexicon";
import { PLAN_FORMAT } from "./plan";

@final
export class ReadRequest {
  agent: Agent = changetype<Agent>(0);
  language: i32 = 0;
  turn: Text = NO_TEXT;
  private wrongs: Wrongs = changetype<Wrongs>(0);

  constructor(private policy: Policy) {}

  /** Reads a request's text; null where it is one. The history is not read, and its length does not count. */
  read(start: usize, length: i32): Failure | null {
    const settings = this.policy.settings;
    const root = scanRequest(settings, start, length);
    if (root == 0) return requestFailure;
    if (holdsInexact(root)) return inexactFailure(root, root, start);
    this.wrongs = new Wrongs(root);
    this.validate(root);
    return this.wrongs.failure();
  }

  private validate(root: Value): void {
    if (kind(root) != OBJECT) return this.wrongs.at(root, "a request is an object");
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

  private missing(root: Value, name: string): void {
    if (get(root, name) == 0) this.wrongs.missing(root, name);
  }

  private member(name: Value, value: Value): void {
    if (is(name, "format")) {
      if (!isString(value, PLAN_FORMAT)) this.wrongs.at(value, 'the format is "qls-plan/1"');
    } else if (is(name, "session")) {
      this.wrongs.string(value);
    } else if (is(name, "agent")) {
      if (!this.wrongs.string(value)) return;
      const agent = this.policy.agent(stringText(value));
      if (agent === null) this.wrongs.at(value, "the policy has no such agent");
      else this.agent = agent;
    } else if (is(name, "turn")) {
      if (this.wrongs.string(value)) this.turn = stringText(value);
    } else if (is(name, "turns")) {
      if (kind(value) != ARRAY) return this.wrongs.at(value, "a list of strings is needed here");
      if (next(value) == first(value)) return;
      const end = next(value);
      for (let turn = first(value); turn < end; turn = next(turn)) this.wrongs.string(turn);
    } else if (is(name, "language")) {
      if (!this.wrongs.string(value)) return;
      this.language = languageIndex(stringText(value));
      if (this.language < 0) this.wrongs.at(value, "no turns are read in this language; en and pt-BR are");
    } else if (is(name, "now")) {
      if (!isInteger(value)) this.wrongs.at(value, "an integer (seconds) is needed here");
    } else if (!is(name, "history")) this.wrongs.at(value, "a request has no such member");
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
