// Compares the CEL room with the naive model on random conditions: mostly well typed, with a mistake now and then.

import { evaluateCondition, parseCondition, type Variables } from "../model/cel.ts";
import { json, type Json } from "../model/json.ts";
import { evaluate, register } from "./cel-room";
import type { Random } from "./random";

/** The variables of all conditions. */
const ARGS = {
  amount: 600, half: 0.5, zero: 0, minus: -3, whole: 4, name: "Zoë 🙂", empty: "", date: "2024-02-29T12:30:00Z", flag: true, nil: null,
  numbers: [1, 2, 3, 2.5], words: ["a", "b", "ab", ""], mixed: [1, "a", null, [2], { k: 1 }], table: { a: 1, b: "x", c: { d: [true] } }, none: {},
};
const FACTS = { yes: true, no: false };
const NOW = 1764445000;
const HISTORY = [{ tool: "get", at: NOW - 5, ran: true }, { tool: "get", at: NOW - 500 }, { tool: "put", at: NOW, ran: true }];
const ORIGINS = { amount: "typed", name: "result:0.name" };
const GIVEN = JSON.stringify({
  tool: "put", agent: "desk", args: ARGS, facts: FACTS, principal: { id: "u-1", roles: ["clerk", "lead"] }, resource: { total: 600 }, origins: ORIGINS,
  labels: ["untrusted:get", "low"], now: NOW, turn: "put 600 away", history: HISTORY,
});

/** As the model takes it; the core meets keys in the order of their names, so the model gets them so. */
function read(value: object): Map<string, Json> {
  return json(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))) as Map<string, Json>;
}

const count = (tool: string, since: number, ran: boolean): number => HISTORY.filter((h) => h.tool === tool && h.at >= since && (!ran || h.ran === true)).length;

const VARIABLES: Variables = {
  tool: "put", agent: "desk", args: read(ARGS), facts: new Map(Object.entries(FACTS).sort()), principal: read({ id: "u-1", roles: ["clerk", "lead"] }),
  resource: read({ total: 600 }), origins: new Map(Object.keys(ARGS).sort().map((name) => [name, (ORIGINS as Record<string, string>)[name] ?? "model"])),
  labels: ["untrusted:get", "low"], now: NOW, turn: "put 600 away",
  ran: (tool) => count(tool, -Infinity, true), allowed: (tool) => count(tool, -Infinity, false), allowedWithin: (tool, seconds) => count(tool, NOW - seconds, false),
};

type Kind = "bool" | "int" | "uint" | "double" | "string" | "bytes" | "list" | "map" | "timestamp" | "duration" | "null";
const KINDS: Kind[] = ["bool", "int", "uint", "double", "string", "bytes", "list", "map", "timestamp", "duration", "null"];
const NUMBERS: Kind[] = ["int", "uint", "double"];

/** Writes random conditions. */
class Writer {
  private locals: string[] = [];
  private depth = 0;

  constructor(
    private readonly random: Random,
    /** Numbers near the ends of their types. */
    private readonly large: boolean,
  ) {}

  private one(list: readonly string[]): string {
    return this.random.of(list);
  }

  private leaf(kind: Kind): string {
    if (this.locals.length > 0 && this.random.below(3) === 0) return this.random.of(this.locals);
    switch (kind) {
      case "bool": return this.one(["true", "false", "args.flag", "$yes", "$no", "$unsent", "facts.yes", "has(args.nil)", "has(facts.unsent)", "has(args.table.z)"]);
      case "int":
        if (this.large) return this.one(["9223372036854775807", "-9223372036854775808", "9223372036854775806", "-1", "1", "0", "2", "4611686018427387904", "3037000500"]);
        return this.one(["0", "1", "2", "3", "-1", "-7", "600", "0x1f", "size(args.words)", "ran('get')", "allowed('get')", "allowed_within('get', 60)", "size(turn)", "4"]);
      case "uint": return this.large ? this.one(["18446744073709551615u", "0u", "1u", "9223372036854775808u", "4294967296u"]) : this.one(["0u", "1u", "2u", "600u", "0xFu"]);
      case "double":
        if (this.large) return this.one(["9223372036854775808.0", "-9223372036854775808.0", "-9223372036854775809.0", "18446744073709551616.0", "9007199254740993.0", "-0.5", "-0.0", "0.0", "1e308", "9223372036854774784.0", "18446744073709549568.0"]);
        return this.one(["0.0", "1.0", "2.5", "-3.0", "600.0", ".5", "1e3", "1.5e-3", "args.amount", "args.half", "args.zero", "args.minus", "args.whole", "resource.total"]);
      case "string":
        return this.one(["''", "'a'", "\"b\"", "'ab'", "r'\\d'", "'\\u00eb'", "'''Zo'''", "'600'", "'1.5'", "'true'", "'x\\ty'", "tool", "agent", "turn", "args.name", "args.empty", "args.date", "principal.id", "args.words[2]", "args['name']", "origins.amount", "origins.flag", "'2024-02-29T12:30:00.25+01:00'", "'1h30m'", "'-1.5s'", "'9223372036854775807'", "'-9223372036854775808'", "'18446744073709551615'", "'-0'", "'+5'", "'1e400'", "'nan'", "'-Infinity'", "'0001-01-01T00:00:00Z'"]);
      case "bytes": return this.one(["b''", "b'a'", "b'\\xff'", "b'\\303\\277'", "br'\\x'", "b'ÿ'"]);
      case "list": return this.one(["[]", "[1, 2]", "['a', 'b', '']", "[1.0, 2u, 3]", "args.numbers", "args.words", "args.mixed", "labels", "principal.roles", "[[1], [2]]", "args.mixed[3]"]);
      case "map": return this.one(["{}", "{'a': 1}", "{1: 'x', 2u: 'y'}", "{true: 1, 'k': 2}", "args", "args.table", "args.none", "facts", "origins", "principal", "args.table.c", "args.mixed[4]"]);
      case "timestamp": return this.one(["now", "timestamp(0)", "timestamp('2024-02-29T12:30:00.25Z')", "timestamp(args.date)", "timestamp('1969-12-31T23:59:59.999Z')", "timestamp(1764445000)", "timestamp('0001-01-01T00:00:00Z')", "timestamp('9999-12-31T23:59:59.999999999Z')", "timestamp('1677-09-21T00:12:43.145224192Z')", "timestamp(253402300799)"]);
      case "duration": return this.one(["duration('0')", "duration('1h')", "duration('-1.5s')", "duration('90m')", "duration('1ms2us3ns')", "duration('-1h30m')", "duration('9223372036.854775807s')", "duration('-9223372036854775808ns')", "duration('2562047h')"]);
      case "null": return this.one(["null", "args.nil", "args.mixed[2]"]);
    }
  }

  /** An expression of a kind, or sometimes of another. */
  any(kind: Kind): string {
    if (this.random.below(25) === 0) return this.of(this.random.of(KINDS));
    return this.of(kind);
  }

  private of(kind: Kind): string {
    if (this.depth > 3 || this.random.below(4) === 0) return this.leaf(kind);
    this.depth++;
    const made = this.compound(kind);
    this.depth--;
    return made;
  }

  private compound(kind: Kind): string {
    if (this.random.below(8) === 0) return `(${this.any("bool")} ? ${this.any(kind)} : ${this.any(kind)})`;
    if (this.random.below(16) === 0) return `[${this.any(kind)}, ${this.any(kind)}][${this.one(["0", "1", "1.0", "1u", "2", "0.5"])}]`;
    if (this.random.below(16) === 0) return `{'x': ${this.any(kind)}}${this.one([".x", "['x']", ".y"])}`;
    switch (kind) {
      case "bool": return this.bool();
      case "int":
        if (this.large) return this.random.below(3) === 0 ? `int(${this.any(this.random.of(["uint", "double", "string"] as const))})` : this.operation("int", ["+", "-", "*", "/", "%"]);
        return this.random.of([
          () => this.operation("int", ["+", "-", "*", "/", "%"]), () => `-${this.any("int")}`, () => `size(${this.any(this.random.of(["string", "bytes", "list", "map"] as const))})`,
          () => `int(${this.any(this.random.of(["int", "uint", "double", "string", "timestamp"] as const))})`, () => this.part(),
        ])();
      case "uint": return this.large && this.random.below(3) > 0 ? this.operation("uint", ["+", "-", "*", "/", "%"]) : this.random.of([() => this.operation("uint", ["+", "-", "*", "/", "%"]), () => `uint(${this.any(this.random.of(["int", "uint", "double", "string"] as const))})`])();
      case "double":
        return this.random.of([() => this.operation("double", ["+", "-", "*", "/"]), () => `-(${this.any("double")})`, () => `double(${this.any(this.random.of(["int", "uint", "double", "string"] as const))})`])();
      case "string": return this.random.of([() => this.operation("string", ["+"]), () => `string(${this.any(this.random.of(["int", "uint", "double", "string", "bytes", "bool", "timestamp", "duration"] as const))})`])();
      case "bytes": return this.random.of([() => this.operation("bytes", ["+"]), () => `bytes(${this.any("string")})`])();
      case "list": return this.random.of([
        () => this.operation("list", ["+"]), () => `[${this.any(this.random.of(KINDS))}, ${this.any(this.random.of(KINDS))}]`,
        () => this.macro("map", this.random.of(KINDS)), () => this.macro("filter", "bool"),
        () => this.macro("map", "bool", this.random.of(KINDS)),
      ])();
      case "map": return `{${this.any("string")}: ${this.any(this.random.of(KINDS))}, ${this.any(this.random.of(["int", "string", "bool"] as const))}: ${this.any("int")}}`;
      case "timestamp": return this.random.of([() => `${this.any("timestamp")} ${this.one(["+", "-"])} ${this.any("duration")}`, () => `${this.any("duration")} + ${this.any("timestamp")}`, () => `timestamp(${this.any("string")})`])();
      case "duration": return this.random.of([() => `(${this.operation("duration", ["+", "-"])})`, () => `(${this.any("timestamp")} - ${this.any("timestamp")})`, () => `duration(${this.any("string")})`])();
      case "null": return this.leaf("null");
    }
  }

  private operation(kind: Kind, signs: string[]): string {
    const sign = this.one(signs);
    const text = `${this.any(kind)} ${sign} ${this.any(kind)}`;
    return this.random.below(3) === 0 ? text : `(${text})`;
  }

  private part(): string {
    const name = this.one(["getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getHours", "getMinutes", "getSeconds", "getMilliseconds"]);
    const zone = this.one(["", "", "'UTC'", "'+05:30'", "'-11:00'", "'02:00'"]);
    return `(${this.any(this.random.below(3) === 0 ? "duration" : "timestamp")}).${name}(${zone})`;
  }

  private macro(name: string, ...bodies: Kind[]): string {
    const range = this.any(this.random.below(4) === 0 ? "map" : "list");
    const local = this.one(["x", "y", "tool"]);
    this.locals.push(local);
    const inside = bodies.map((kind) => this.any(kind)).join(", ");
    this.locals.pop();
    return `(${range}).${name}(${local}, ${inside})`;
  }

  private bool(): string {
    const r = this.random;
    const same = r.of(KINDS.slice(0, 10));
    return r.of([
      () => `${this.any("bool")} && ${this.any("bool")}`, () => `${this.any("bool")} || ${this.any("bool")}`, () => `!(${this.any("bool")})`,
      () => `(${this.any(same)}) ${this.one(["==", "!="])} (${this.any(same)})`, () => `(${this.any(same)}) ${this.one(["<", "<=", ">", ">="])} (${this.any(same)})`,
      () => `(${this.any(r.of(NUMBERS))}) ${this.one(["==", "!=", "<", "<=", ">", ">="])} (${this.any(r.of(NUMBERS))})`,
      () => `(${this.any(r.of(KINDS))}) in (${this.any("list")})`, () => `(${this.any("string")}) in (${this.any("map")})`,
      () => this.macro(this.one(["all", "exists", "exists_one"]), "bool"), () => this.macro(this.one(["all", "exists", "exists_one"]), "bool"),
      () => `(${this.any("string")}).${this.one(["startsWith", "endsWith", "contains"])}(${this.any("string")})`,
      () => `(${this.any("string")}).matches(${this.one(["'^a'", "'[0-9]+'", "'b$'", "r'^\\w*$'", "'(a|b)*'", this.leaf("string")])})`,
      () => `bool(${this.any(r.of(["bool", "string"] as const))})`,
    ])();
  }
}

/** Breaks a text: takes a character out, doubles one, or puts one in. */
function broken(text: string, random: Random): string {
  const at = random.below(text.length);
  const piece = random.of(["", text[at]! + text[at]!, random.of(["(", ")", ".", "'", "\\", "&", "x", "?", ":", "1", "$", "[", "0x", "in "])]);
  return text.slice(0, at) + piece + text.slice(at + 1);
}

/**
 * Compares core and model on `rounds` random conditions, failing with the condition, its variables being fixed, at the first
 * difference; how often each answer was given.
 */
export function compareWithModel(random: Random, rounds: number): Record<string, number> {
  const tally: Record<string, number> = { true: 0, false: 0, fails: 0, problem: 0 };
  for (let round = 0; round < rounds; round++) {
    let condition = new Writer(random, random.below(8) === 0).any("bool");
    // Not with a zone in it: a literal one that is none is a problem to the core and a failure to the model.
    if (random.below(10) === 0 && !/get\w+\('/.test(condition)) condition = broken(condition, random);
    const parsed = parseCondition(condition, null);
    const problem = register(condition);
    let expected: string;
    if ("error" in parsed) {
      expected = "problem";
    } else {
      const result = evaluateCondition(parsed, VARIABLES);
      expected = "error" in result ? "fails" : String(result.value);
    }
    const got = problem !== null ? "problem" : String(evaluate(GIVEN));
    if (got !== expected) {
      throw new Error(`SEED=${random.seed} round ${round}: core ${got} (${problem?.message ?? ""}), model ${expected} (${"error" in parsed ? parsed.error : ""}): ${condition}`);
    }
    tally[got]!++;
  }
  return tally;
}
