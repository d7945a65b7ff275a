// Measures the scanner of destinations: misses and false alarms on published lists and on honest texts, and its work on hostile ones.
//
// The tables stand in assembly/evidence/README.md; where one is no longer what is measured here, the test fails and prints it anew.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { instrument } from "../differential/counted";
import { describeShared } from "../vectors/shared";
import { find } from "./destinations-found";
import { argumentTexts, type Honest, holdsAddress, sentenceTexts } from "./destinations-honest";
import { ADDRESS_DIFFERENCES, addresses, type Difference, type Listed, NAME_DIFFERENCES, names, PAYLOAD_DIFFERENCES, payloads, URL_DIFFERENCES, urls } from "./destinations-lists";
import { Unit } from "./instance";

const readme = readFileSync(new URL("../../assembly/evidence/README.md", import.meta.url), "utf8");
const number = (n: number) => n.toLocaleString("en");

function table(rows: string[][]): string {
  const [head, ...body] = rows.map((row) => `| ${row.join(" | ")} |`);
  return [head, `| ${rows[0]!.map(() => "---").join(" | ")} |`, ...body].join("\n");
}

/** Holds a table to what stands in the README. */
function stands(rows: string[][]): void {
  const made = table(rows);
  expect(readme.includes(made), `assembly/evidence/README.md no longer has this table; it is to be:\n${made}\n`).toBe(true);
}

describeShared("published lists", () => {
  const lists: [string, Listed[], Difference[]][] = [
    ["URL Standard: test data", urls(), URL_DIFFERENCES],
    ["URL Standard: names (toASCII, IDNA)", names(), NAME_DIFFERENCES],
    ["addresses and look-alikes", addresses(), ADDRESS_DIFFERENCES],
    ["payload lists: SSRF, metadata, redirects", payloads(), PAYLOAD_DIFFERENCES],
  ];
  const rows = [["list", "texts", "the list says", "chapter 5 says", "found", "missed", "found besides"]];
  const differences = [["list", "chapter 5", "texts", "why"]];
  for (const [name, texts, reasons] of lists) {
    const of = new Map(reasons.map((reason) => [reason, 0]));
    const counted = { says: 0, counts: 0, found: 0 };
    const missed: string[] = [];
    const besides: string[] = [];
    for (const { text, says } of texts) {
      const reason = reasons.find((difference) => difference.counts !== says && difference.of(text));
      if (reason) of.set(reason, of.get(reason)! + 1);
      const counts = reason ? reason.counts : says;
      const got = find(text).length > 0;
      if (says) counted.says++;
      if (counts) counted.counts++;
      if (counts && got) counted.found++;
      if (counts && !got) missed.push(text);
      if (!counts && got) besides.push(text);
    }
    it(`${name}: nothing that chapter 5 counts is missed`, () => expect(missed).toEqual([]));
    it(`${name}: nothing is found besides`, () => expect(besides).toEqual([]));
    it(`${name}: every reason is met`, () => expect(reasons.filter((reason) => of.get(reason) === 0).map(({ why }) => why)).toEqual([]));
    rows.push([name, ...[texts.length, counted.says, counted.counts, counted.found, missed.length, besides.length].map(number)]);
    for (const [{ why, counts: does }, n] of of) differences.push([name, does ? "counts" : "does not", number(n), why]);
  }
  it("the table of lists stands in the README", () => stands(rows));
  it("and the table of disagreements", () => stands(differences));
});

describeShared("honest texts", () => {
  const unjudged = new Set<string>();
  const missed: string[] = [];
  const alarms: string[] = [];
  const rows = [["texts", "strings", "hold an address", "found", "false alarms", "rate"]];
  const measure = (name: string, texts: Honest[]) => {
    const counted = { texts: texts.length, hold: 0, found: 0, false: 0 };
    for (const { text, argument } of texts) {
      const got = find(text, argument);
      if (holdsAddress(text, unjudged)) {
        counted.hold++;
        if (got.length > 0) counted.found++;
        else missed.push(text);
      } else if (got.length > 0) {
        counted.false++;
        alarms.push(`${name}: ${got.join(", ")}`);
      }
    }
    return counted;
  };
  type Counted = ReturnType<typeof measure>;
  const add = (name: string, { texts, hold, found, false: wrong }: Counted) => rows.push([name, number(texts), number(hold), number(found), number(wrong), `${((100 * wrong) / (texts - hold)).toFixed(2)} %`]);
  const each = Object.entries(argumentTexts()).map(([name, texts]) => [name, measure(name, texts)] as const);
  for (const [name, counted] of each) add(name, counted);
  const all = each.map(([, counted]) => counted).reduce((a, b) => ({ texts: a.texts + b.texts, hold: a.hold + b.hold, found: a.found + b.found, false: a.false + b.false }));
  add("**all arguments**", all);
  const wrongArguments = [...alarms];
  const sentences = sentenceTexts();
  // Chapter 5 skips line breaks, so that the end of a paragraph and the beginning of the next can be a name (`insurance.` `You`).
  const isBroken = ({ text }: Honest) => /[\r\n]/.test(text);
  add("sentences of one line", measure("sentences", sentences.filter((honest) => !isBroken(honest))));
  add("sentences and paragraphs with line breaks", measure("paragraphs", sentences.filter(isBroken)));

  it("every word is judged", () => expect([...unjudged]).toEqual([]));
  it("no address is missed", () => expect(missed).toEqual([]));
  it("of arguments, fewer than 0.5 % are false alarms", () => expect(all.false / (all.texts - all.hold)).toBeLessThan(0.005));
  it("the false alarms on arguments are known", () =>
    expect(wrongArguments.map((alarm) => alarm.replace(/^.*: /, ""))).toEqual(["host microsoft.windows.camera", "host XyzmMode.XYZ", "host credentials.properties", "host FSDirectory.open", "host PhotoEditor.app", "host MyApp.app"]));
  it("the table stands in the README", () => stands(rows));
});

/** Texts made to be slow: each would take minutes at a cost that grows with the square of its length. */
const HOSTILE: [string, (n: number) => string][] = [
  ...["a.", "a.a@", "a@b.c ", "a@b.com@", '"@a.b', '\\"@', "tel:", "aaaa:", "x://", "http:/", "::1:", "1:1::", ".com.", "a.com谢", "\\\\h\\s|", "%25", "\u200b", "1.2.3.4-", "0x1.0x1:80 ", "@[aa.a", "a.rs ", "localhost", "a\nb.com ", "fe80::1%a", "♥.", "\\u002e", "&#46", "㏂", "=//1.1 ", "www."].map(
    (pattern): [string, (n: number) => string] => [`\`${JSON.stringify(pattern).slice(1, -1).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).replaceAll("|", "\\|")}\``, (n) => pattern.repeat(Math.ceil(n / pattern.length)).slice(0, n)],
  ),
  ["`//` and dots", (n) => `//${".".repeat(n)}`],
  ["`a://` and quotes", (n) => `a://${'"'.repeat(n)}`],
  ["hex digits", (n) => "abcdef01:".repeat(n / 9)],
];

it("work on hostile texts grows with their length, and only sorting faster", () => {
  const unit = new Unit("destinations", (bytes) => instrument(bytes, true));
  const work = unit.globals.work!;
  const rows = [["text, repeated", "work a character, of 16,384", "of 32,768", "of 65,536"]];
  for (const [name, make] of HOSTILE) {
    const counts = [16384, 32768, 65536].map((n) => {
      const bytes = Buffer.from(make(n).toWellFormed());
      const [start] = unit.place(bytes) as [number];
      work.value = 0n;
      unit.call.find!(start, bytes.length, 0, 0);
      return Number(work.value);
    });
    rows.push([name, ...counts.map((count, i) => (count / (16384 << i)).toFixed(0))]);
    // Sorting adds a little to twice: n log n.
    expect(counts[2]! / counts[1]!, name).toBeLessThan(2.3);
  }
  stands(rows);
});
