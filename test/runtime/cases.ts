// The conformance lines that every runtime answers: generated sessions with the model's answers, the official ones, hostile bytes, and plans.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Driver } from "../model/driver.ts";
import { generateAnswered } from "../model/generate.ts";
import { Random } from "../model/random.ts";
import { missing, tally } from "../model/tally.ts";
import { openTurns, policyNames, policyText, turns } from "../turns/held-apart/set.ts";
import { haveShared, shared } from "../vectors/shared.ts";

/** A file of lines. */
export interface Cases {
  name: string;
  /** The file's bytes. */
  bytes: Buffer;
  /** How many lines it has. */
  count: number;
  /** What the model answers, line by line; null where the model does not answer these, or one of them: it recurses, so a line may nest too deep for it. */
  model: (string | null)[] | null;
  /** The path of official answers, for the official comparer; null where there are none. */
  official: string | null;
}

/** The seed of the first generated session; the seeds after it follow until everything is reached. */
const SEED = 1;
const GENERATED = 12_000;
const MUTATED = 800;

/** The operations of chapter 8. */
export const OPERATIONS = [
  ...["canonicalize", "sha256", "hmac", "ed25519", "keys", "register", "check", "open", "close", "report", "verify", "receipt", "schema", "destinations", "typed", "rule", "read"],
];

function cases(name: string, bytes: Buffer, model: Cases["model"], official: string | null = null): Cases {
  return { name, bytes, count: linesOf(bytes).length, model, official };
}

/** A file's lines, without line feeds; a last one without its line feed is a line where it is not empty. */
export function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let begin = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, begin)) {
    lines.push(bytes.subarray(begin, end));
    begin = end + 1;
  }
  if (begin < bytes.length) lines.push(bytes.subarray(begin));
  return lines;
}

/** Every file, the same in every run. */
export function makeCases(): { files: Cases[]; reached: Map<string, number> } {
  const generated: Cases[] = [];
  const reached = new Map<string, number>();
  let first: string[] = [];
  for (let seed = SEED; generated.length === 0 || missing(reached).length > 0; seed++) {
    if (seed - SEED > 8) throw new Error(`the generator's lines never reach ${missing(reached).join(", ")}`);
    const { lines, answers } = generateAnswered(seed, seed === SEED ? GENERATED : 4000);
    if (seed === SEED) first = lines;
    for (const [name, count] of tally(lines, answers)) reached.set(name, (reached.get(name) ?? 0) + count);
    generated.push(cases(`generated-${seed}`, Buffer.from(lines.map((line) => `${line}\n`).join("")), answers));
  }
  return { files: [...generated, ...official(), hostile(first), plans()], reached };
}

function official(): Cases[] {
  if (!haveShared) return [];
  return ["seed-transcripts", "random"].map((name) =>
    cases(name, readFileSync(shared(`vectors/check/${name}.ndjson`)), null, shared(`vectors/check/${name}.expected.ndjson`)),
  );
}

const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes as string).toString("base64");
const line = (members: Record<string, unknown>) => Buffer.from(JSON.stringify(members));

/** Lines that are no requests, or hold what is none: bytes that are no UTF-8, broken JSON raw and in base64, long ones, ends of lines of every kind. */
function hostile(lines: readonly string[]): Cases {
  const random = new Random(99);
  const digest = (id: unknown) => line({ id, op: "sha256", base64: "" });
  const list: Uint8Array[] = [
    ...["", " ", "\t", "\r", "\r\r", "{}", "[]", "null", "0", '"', "{", "}", "\u0000", "\ufeff", "\ufeff{}"].map((text) => Buffer.from(text)),
    ...[1, -0, 1.5, 1e21, 0.1, "é", "\u2028", "\ud83d\ude00", null, true, [], {}, [1, { b: 2, a: 1 }], "x".repeat(5000)].map(digest),
    ...['{"id":9007199254740993,"op":"sha256","base64":""}', '{"id":1e400,"op":"sha256","base64":""}', '{"id":"\\ud800","op":"sha256","base64":""}', '{"id":1,"op":"sha256","base64":"="}'].map((text) => Buffer.from(text)),
    Buffer.concat([digest(1), Buffer.from("\r")]), Buffer.concat([Buffer.from("  "), digest(2), Buffer.from(" \t")]), Buffer.concat([digest(3), digest(4)]),
    ...NOT_UTF8.flatMap((bytes) => [bytes, Buffer.concat([Buffer.from('{"id":"'), bytes, Buffer.from('","op":"sha256","base64":""}')]), Buffer.concat([digest(5), bytes])]),
    ...NOT_UTF8.map((bytes) => line({ id: 6, op: "canonicalize", base64: base64(Buffer.concat([Buffer.from('["'), bytes, Buffer.from('"]')])) })),
    Buffer.from("[".repeat(100_000)), Buffer.from(`${"[".repeat(5000)}${"]".repeat(5000)}`), line({ id: 7, op: "canonicalize", text: `${"[".repeat(100_000)}` }),
    line({ id: 8, op: "canonicalize", text: `"${"é".repeat(400_000)}"` }), line({ id: 9, op: "canonicalize", text: `[${"1,".repeat(300_000)}1]` }),
    line({ id: 10, op: "canonicalize", text: "9".repeat(200_000) }), line({ id: 11, op: "canonicalize", text: `0.${"0".repeat(200_000)}1` }),
    line({ id: 12, op: "sha256", base64: base64(Buffer.alloc(3_000_000, "interlock")) }), Buffer.from(`{"id":13,${" ".repeat(2_000_000)}"op":"sha256","base64":""}`),
    ...jsonTests(), ...Array.from({ length: MUTATED }, () => mutated(random, lines)), Buffer.concat([digest("the last, without its line feed")]),
  ];
  const plain = list.map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)));
  const model = new Driver();
  const bytes = Buffer.concat(plain.flatMap((each, index) => (index === plain.length - 1 ? [each] : [each, Buffer.from("\n")])));
  return cases("hostile", bytes, plain.map((each) => answerOf(model, each)));
}

function answerOf(model: Driver, bytes: Uint8Array): string | null {
  try {
    return model.answer(bytes);
  } catch (error) {
    if (error instanceof RangeError && /call stack/.test(error.message)) return null;
    throw error;
  }
}

const NOT_UTF8 = ["ff", "fe", "80", "bf", "c0af", "c1bf", "c2", "e0", "e08080", "e282", "eda080", "edbfbf", "f0808080", "f09f98", "f4908080", "f8888080"].map((hex) => Buffer.from(hex, "hex"));

/** The texts of the JSON test suite, raw where they are one line, and in base64. */
function jsonTests(): Uint8Array[] {
  if (!haveShared) return [];
  const folder = shared("vectors/json-test-suite/test_parsing");
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(`${folder}/${name}`))
    .flatMap((bytes, index) => [...(bytes.includes(10) ? [] : [bytes]), line({ id: `json ${index}`, op: "canonicalize", base64: base64(bytes) })]);
}

/** A generated line with a few of its bytes changed, taken out or put in. */
function mutated(random: Random, lines: readonly string[]): Uint8Array {
  let bytes = Buffer.from(random.pick(lines));
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(bytes.length);
    const [kept, inserted] = random.pick<[number, number]>([[1, 0], [0, 1], [1, 1]]);
    bytes = Buffer.concat([bytes.subarray(0, at), random.bytes(inserted), bytes.subarray(at + kept)]);
  }
  return bytes;
}

/** Turns read into plans (chapter 6): those held apart, as they stand, with characters put in or cut out, and as bytes. The model reads none, so the runtimes are compared with each other alone. */
function plans(): Cases {
  const random = new Random(6);
  const made = policyNames.map((name) => line({ id: name, op: "register", name, policy: JSON.parse(policyText(name)) }));
  for (const { id, policy, language, turn } of [...turns, ...openTurns]) {
    const agent = Object.keys(JSON.parse(policyText(policy)).agents)[0];
    const request = (text: string) => ({ format: "qls-plan/1", session: "s", agent, turn: text, language, now: 1_764_445_000 });
    const at = random.below(turn.length);
    const spoilt = `${turn.slice(0, at)}${random.pick(["\u200b", "\u0301", "'", '"', "é", "ｗ", " ", ";", "\u202e", "4411", "@", ".com"])}${turn.slice(at + random.below(2))}`.toWellFormed();
    made.push(line({ id, op: "read", policy, request: request(turn) }), line({ id: `${id} spoilt`, op: "read", policy, request: request(spoilt) }));
    if (random.below(8) === 0) made.push(line({ id: `${id} bytes`, op: "read", policy, base64: base64(JSON.stringify(request(`${turn}; ${spoilt}`))) }));
  }
  return cases("plans", Buffer.concat(made.flatMap((each) => [each, Buffer.from("\n")])), null);
}

/** SHA-256 in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
