// Hostile inputs by name: nesting, length, repetition, and texts that make naive readers square or explode.

import { repeatedHistory } from "./hostile-history.ts";

/** One kind of hostile text, at a size; `means` is what its answer shows. */
export interface Case { name: string; size: number; line(size: number): string; means: RegExp; grows: "linear" | "bounded" }

const KEYS = { format: "qls-keys/1", active: "a", keys: [{ kid: "a", kty: "oct", alg: "HS256", k: "A".repeat(43) }], digest_key: "A".repeat(43) };
const POLICY = {
  format: "qls-policy/1", tenant: "t", agents: { desk: { tools: ["*"] } },
  tools: [{ name: "any", effect: "read", parameters: { type: "object", additionalProperties: {} } }],
};

/** The lines that every case is sent after: keys `k` and policy `p` with a tool `any`. */
export const ground = (): string[] => [JSON.stringify({ id: 0, op: "keys", name: "k", keys: KEYS }), JSON.stringify({ id: 0, op: "register", name: "p", policy: POLICY })];

const list = (size: number, item: (i: number) => string) => Array.from({ length: size }, (_, i) => item(i)).join(",");
const nest = (open: string, inside: string, close: string) => (size: number) => open.repeat(size) + inside + close.repeat(size);
const request = (more: string) => `{"id":1,"op":"check","policy":"p","keys":"k","request":{"format":"qls-tool-check/1","session":"s","tool":"any","now":1${more}}}`;
const args = (inside: string) => request(`,"arguments":{"a":${inside}}`);
const schema = (text: string, value: string) => `{"id":1,"op":"schema","schema":${text},"value":${value}}`;
const rule = (condition: string, variables = "{}") => `{"id":1,"op":"rule","condition":${JSON.stringify(condition)},"variables":${variables}}`;
const destinations = (text: string) => JSON.stringify({ id: 1, op: "destinations", value: text });
const register = (inside: string) => `{"id":1,"op":"register","name":"m","policy":{"format":"qls-policy/1","tenant":"t",${inside}}}`;
const desk = '"agents":{"desk":{"tools":["*"]}}';

const linear = (name: string, size: number, line: (size: number) => string, means: RegExp): Case => ({ name, size, line, means, grows: "linear" });
const bounded = (name: string, line: () => string, means: RegExp): Case => ({ name, size: 1, line, means, grows: "bounded" });

const DEEP = 100_000;
const MEBI = 1_048_576;

const NESTING: Case[] = [
  linear("100,000 brackets in a line", DEEP, (n) => `{"id":${nest("[", "", "]")(n)},"op":"x"}`, /line_invalid|op_unknown/),
  linear("100,000 brackets in a text", DEEP, (n) => JSON.stringify({ id: 1, op: "canonicalize", text: nest("[", "", "]")(n) }), /json_depth/),
  linear("100,000 objects in a request, in base64", DEEP, (n) => JSON.stringify({ id: 1, op: "check", policy: "p", keys: "k", base64: Buffer.from(nest('{"a":', "1", "}")(n)).toString("base64") }), /json_depth/),
  linear("60,000 brackets in arguments", 60_000, (n) => args(nest("[", "", "]")(n)), /json_depth/),
  linear("60,000 brackets in an id", 60_000, (n) => `{"id":${nest("[ ", "", "]")(n)},"op":"x"}`, /op_unknown/),
  linear("60,000 objects in a result", 60_000, (n) => `{"id":1,"op":"report","policy":"p","keys":"k","session":"s","step":0,"status":"ran","result":${nest('{ "a":', "1", "}")(n)}}`, /outcome_no_step/),
  linear("60,000 schemas, one in the other", 60_000, (n) => schema(nest('{"not":', "{}", "}")(n), "1"), /json_depth/),
  linear("60,000 brackets in a typed value", 60_000, (n) => `{"id":1,"op":"typed","turns":["a"],"value":${nest("[", '"a"', "]")(n)}}`, /"ok":true/),
  linear("60,000 brackets in an entry", 60_000, (n) => `{"id":1,"op":"verify","policy":"p","keys":"k","session":"s","history":{"format":"qls-history/1","session":"s","entries":[${nest("[", "", "]")(n)}]}}`, /"valid":false/),
  bounded("250 schemas, one in the other", () => register(`${desk},"tools":[{"name":"a","parameters":${nest('{"not":', "{}", "}")(100)}}]`), /"ok"/),
];

const LENGTH: Case[] = [
  linear("8 MiB of one string", 8 * MEBI - 1000, (n) => args(`"${"a".repeat(n)}"`), /"decision":"allow"/),
  linear("8 MiB of e-mail addresses", 1_190_000, (n) => args(`"${"a@b.co ".repeat(n)}"`), /undeclared_destination/),
  linear("8 MiB of numbers", 4_000_000, (n) => args(`[${"1,".repeat(n)}1]`), /"decision":"allow"/),
  linear("8 MiB and one byte", 9 * MEBI, (n) => args(`"${"a".repeat(n)}"`), /json_size/),
  linear("8 MiB of turns", 4_000_000, (n) => request(`,"arguments":{"a":"x y"},"origins":{"a":"typed"},"turns":["${"b ".repeat(n)}"]`), /"decision":"allow"/),
  linear("100,000 inexact numbers", 100_000, (n) => args(`[${"1e400,".repeat(n)}1]`), /precision/),
  linear("100,000 addresses in a list", 100_000, (n) => args(`[${'"a@b.co",'.repeat(n)}1]`), /undeclared_destination/),
  linear("100,000 members that no request has", 100_000, (n) => request(`,"arguments":{},${list(n, (i) => `"m${i}":1`)}`), /request_invalid/),
  linear("30,000 arguments, explained", 30_000, (n) => request(`,"explain":true,"arguments":{${list(n, (i) => `"a${i}":"x"`)}}`), /"trace"/),
  linear("100,000 labels", 100_000, (n) => request(`,"arguments":{},"labels":{"call":[${'"a",'.repeat(n)}"a"]}`), /labels/),
  linear("200,000 names of one object", 200_000, (n) => JSON.stringify({ id: 1, op: "canonicalize", text: `{${list(n, (i) => `"${i}":1`)}}` }), /"ok"/),
  linear("a number of a million digits", 1_000_000, (n) => JSON.stringify({ id: 1, op: "canonicalize", text: `0.${"0".repeat(n >> 1)}${"9".repeat(n >> 1)}e${n >> 1}` }), /"ok":"1"/),
  linear("a history of 10,000 entries", 10_000, (n) => repeatedHistory(n), /"valid":false/),
  linear("a history of 100,000 entries", 100_000, (n) => `{"id":1,"op":"verify","policy":"p","keys":"k","session":"s","history":{"format":"qls-history/1","session":"s","entries":[${"1,".repeat(n)}1]}}`, /"limit":10000/),
];

const REPETITION: Case[] = [
  ...["a.", "a@", "1:", "//", "%40", "\\", '"a', "[1:", "a-", "1.", "http:", "xn--", "@[", "\u200b", "．", "1,"].map((piece) =>
    linear(`destinations in ${JSON.stringify(piece)} again and again`, 60_000, (n) => destinations(piece.repeat(n)), /"ok"/)),
  linear("numerals in a turn", 100_000, (n) => `{"id":1,"op":"typed","turns":["${"1 ".repeat(n)}"],"value":[${"1,".repeat(n >> 1)}2]}`, /"ok":false/),
  linear("a turn and a value nearly in it", 500_000, (n) => JSON.stringify({ id: 1, op: "typed", turns: ["a".repeat(n)], value: `${"a".repeat(n >> 3)}b` }), /"ok":false/),
  linear("unique items", 100_000, (n) => schema('{"uniqueItems":true}', `[${list(n, (i) => `{"a":${i}}`)}]`), /"valid":(true|false)/),
  linear("100,000 violations", 100_000, (n) => schema('{"items":{"type":"string"}}', `[${"1,".repeat(n)}1]`), /"rule":"type"/),
  linear("a policy of 20,000 bad tools", 20_000, (n) => register(`${desk},"tools":[{}${',{"zzz":1}'.repeat(n)}]`), /policy_invalid/),
  linear("a policy of 100,000 elements that are no tools", 100_000, (n) => register(`${desk},"tools":[${"1,".repeat(n)}1]`), /policy_invalid/),
  linear("a policy of 30,000 agents, backwards", 30_000, (n) => register(`"agents":{${list(n, (i) => `"a${n - i}":1`)}},"tools":[]`), /policy_invalid/),
  linear("a policy of 5,000 tools", 5000, (n) => register(`${desk},"tools":[${list(n, (i) => `{"name":"t${i}","reads_outside":true}`)}]`), /"ok"/),
];

const EXPLOSIVE: Case[] = [
  bounded("a schema that refers to itself", () => schema('{"$ref":"#"}', "1"), /"rule":"steps"/),
  bounded("a schema that doubles forty times", () => schema(`{"$defs":{${list(40, (i) => `"d${i}":{"allOf":[{"$ref":"#/$defs/d${i + 1}"},{"$ref":"#/$defs/d${i + 1}"}]}`)},"d40":{}},"$ref":"#/$defs/d0"}`, "1"), /"rule":"steps"/),
  bounded("ten thousand values against ten thousand in an enum", () => schema(`{"items":{"enum":[${list(10_000, String)}]}}`, `[${"-1,".repeat(10_000)}1]`), /"valid":false/),
  bounded("a pattern that backtracks elsewhere", () => schema('{"pattern":"^(a+)+$"}', `"${"a".repeat(500_000)}b"`), /"valid":false/),
  bounded("a pattern of nested repetitions", () => schema('{"pattern":"((((a{100}){100}){100}){100}){100}"}', '"a"'), /schema_invalid/),
  bounded("a pattern of ten thousand optional letters", () => schema(`{"pattern":"${"(a?){1000}".repeat(10)}"}`, `"${"a".repeat(10_000)}"`), /"ok"|schema_invalid/),
  bounded("a pattern of large classes", () => schema(`{"pattern":"${"[\\\\p{L}]{50}".repeat(20)}"}`, `"${"a".repeat(1000)}"`), /"valid"/),
  bounded("a pattern of 100,000 parentheses", () => schema(`{"pattern":"${nest("(", "", ")")(100_000)}"}`, '"a"'), /schema_invalid/),
  ...["(", "[", "!", "-", "size(", "true?true:"].flatMap((open) => [1000, 20_000].map((n) =>
    bounded(`a condition of ${n} ${open}`, () => rule(open.repeat(n) + "1" + (open === "[" ? "]" : open.endsWith("(") ? ")" : "").repeat(n)), /"ok"/))),
  bounded("a condition of seven loops", () => rule("abcdefg".split("").reduceRight((inside, name) => `[1,2,3,4,5,6,7,8,9].all(${name},${inside})`, "true")), /could not be evaluated/),
  bounded("a condition that doubles a text", () => rule(`[0,1,2]${".map(b,b+b+b+b)".repeat(0)}.map(a,turn+turn)${".map(b,b+b+b+b)".repeat(12)}.size()==3`, JSON.stringify({ turn: "a".repeat(1000) })), /could not be evaluated/),
  bounded("a condition that multiplies lists", () => rule(`${"[1,2,3,4,5,6,7,8,9,0].map(x,".repeat(7)}1${")".repeat(7)}==[]`), /could not be evaluated/),
  bounded("a condition with its pattern from the text", () => rule("turn.matches(turn)", JSON.stringify({ turn: "(a{1000})".repeat(1000) })), /could not be evaluated|"value"/),
  bounded("a condition that searches a long text", () => rule("turn.contains(args.a)", JSON.stringify({ turn: "a".repeat(500_000), args: { a: `${"a".repeat(100_000)}b` } })), /"ok"/),
];

/** All of them. */
export const CASES: readonly Case[] = [...NESTING, ...LENGTH, ...REPETITION, ...EXPLOSIVE];
