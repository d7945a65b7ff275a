// The CEL room for its tests: parses a condition, evaluates it on variables given as JSON, and tells the steps it took.

import "../../assembly/abort";
import { Condition } from "../../assembly/cel/condition";
import { Environment, HistoryCounts } from "../../assembly/cel/environment";
import { evaluate } from "../../assembly/cel/evaluate";
import { parseCondition } from "../../assembly/cel/parse";
import { scan } from "../../assembly/json/scan";
import { TRUE, Value, count, first, get, kind, next, numberValue, stringLength, stringStart, stringText } from "../../assembly/json/value";
import { Text } from "../../assembly/memory/buffer";
import { equalBytes } from "../../assembly/memory/bytes";
import { allocate, createRegion, enterRegion, resetRegion } from "../../assembly/memory/region";
import { beginSteps, spend } from "../../assembly/memory/steps";

const policies = createRegion();
const calls = createRegion();
let condition: Condition | null = null;
let environment: Environment | null = null;
let taken: i64 = 0;

/** Counts over a list of {"tool","at","ran"?}. */
class ListCounts extends HistoryCounts {
  constructor(
    private entries: Value,
    private now: i64,
  ) {
    super();
  }

  private total(start: usize, length: i32, since: i64, onlyRan: bool): i64 {
    const entries = this.entries;
    if (entries == 0 || count(entries) == 0) return 0;
    let total: i64 = 0;
    const end = next(entries);
    for (let entry = first(entries); entry < end; entry = next(entry)) {
      const tool = get(entry, "tool");
      if (!equalBytes(stringStart(tool), stringLength(tool), start, length)) continue;
      if (<i64>numberValue(get(entry, "at")) < since) continue;
      const ran = get(entry, "ran");
      if (onlyRan && (ran == 0 || kind(ran) != TRUE)) continue;
      total++;
    }
    return total;
  }

  ran(start: usize, length: i32): i64 {
    return this.total(start, length, i64.MIN_VALUE, true);
  }

  allowed(start: usize, length: i32): i64 {
    return this.total(start, length, i64.MIN_VALUE, false);
  }

  allowedWithin(start: usize, length: i32, seconds: i64): i64 {
    return this.total(start, length, this.now - seconds, false);
  }
}

/** Empties the calls' region and gives the test memory in it. */
export function input(size: i32): usize {
  enterRegion(calls);
  resetRegion(calls);
  environment = null;
  return allocate(<usize>size);
}

/** Parses the condition at `start`; `factsStart` is a JSON list of facts where `factsLength` is not 0. 1: it has a problem. */
export function parse(start: usize, length: i32, factsStart: usize, factsLength: i32): i32 {
  resetRegion(policies);
  enterRegion(policies);
  const facts = factsLength > 0 ? scan(factsStart, factsLength, 128, 8388608) : 0;
  const made = parseCondition(start, length, facts);
  condition = made;
  enterRegion(calls);
  // Nothing may point into the text.
  memory.fill(start, 0x3f, <usize>length);
  return made.problem ? 1 : 0;
}

export function offset(): i32 {
  return condition!.offset;
}

export function messageStart(): usize {
  return condition!.message.start;
}

export function messageLength(): i32 {
  return condition!.message.length;
}

export function factStart(): usize {
  const fact = condition!.unknownFact;
  return fact === null ? 0 : fact.start;
}

export function factLength(): i32 {
  const fact = condition!.unknownFact;
  return fact === null ? -1 : fact.length;
}

/** Takes the variables, a JSON object; 0 where it is none. */
export function variables(start: usize, length: i32): i32 {
  enterRegion(calls);
  const given = scan(start, length, 512, 67108864);
  if (given == 0) return 0;
  const none = new Text(0, 0);
  const now = get(given, "now");
  const seconds = now == 0 ? 0 : <i64>numberValue(now);
  const tool = get(given, "tool");
  const made = new Environment(tool == 0 ? none : stringText(tool), new ListCounts(get(given, "history"), seconds));
  const agent = get(given, "agent");
  if (agent != 0) made.agent = stringText(agent);
  const turn = get(given, "turn");
  if (turn != 0) made.turn = stringText(turn);
  made.args = get(given, "args");
  made.facts = get(given, "facts");
  made.principal = get(given, "principal");
  made.resource = get(given, "resource");
  made.origins = get(given, "origins");
  made.now = seconds;
  const labels = get(given, "labels");
  if (labels != 0 && count(labels) > 0) {
    const end = next(labels);
    for (let label = first(labels); label < end; label = next(label)) made.labels.push(stringText(label));
  }
  environment = made;
  return 1;
}

/** Evaluates the condition: 1, 0 or -1. */
export function run(limit: i64): i32 {
  beginSteps(limit);
  const result = evaluate(condition!, environment!);
  // What is left is found by taking all of it.
  let left: i64 = 0;
  for (let bit: i64 = 1 << 60; bit > 0; bit >>= 1) {
    if (spend(bit)) left += bit;
    else spend(-bit);
  }
  taken = limit - left;
  return result;
}

/** The steps the last evaluation took, at most its limit. */
export function steps(): i64 {
  return taken;
}

/** Evaluates it `times` times, for measuring. */
export function runOften(times: i32): i32 {
  let sum = 0;
  for (let i = 0; i < times; i++) {
    beginSteps(1000000);
    sum += evaluate(condition!, environment!);
  }
  return sum;
}
