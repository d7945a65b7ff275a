// The page's answer is the Node driver's, byte for byte: calls of generated sessions, loaded by their links, decided in Chromium and by `interlock conform`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { lineDriver } from "interlock";
import { PlaceBook, readSource } from "interlock/register";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../bindings/build/core.mjs";
import { PRACTICE_KEYS } from "../../hosts/shared/practice-keys.ts";
import { generate } from "../model/generate.ts";
import { Chromium, describeChromium, type Seen } from "./browser.ts";

const SEED = 20261130;
const CASES = 240;
const KEYS = { preview: '{"format":"qls-keys/1","preview":true,"keys":[],"digests":"plain"}', practice: PRACTICE_KEYS };

/** A draft to load, and the last line of those that decide the same in Node. */
interface Case {
  draft: object;
  lines: string[];
}

/** The text of a member of an object's text, as it stands there. */
function member(text: string, name: string): string | null {
  const book = new PlaceBook();
  const { value } = readSource("line.json", text, book);
  const place = typeof value === "object" && value !== null ? book.of(value, name)?.value : undefined;
  return place === undefined ? null : text.slice(place.start, place.end);
}

/** A request without what the page adds by itself: session, history, head, confirmation, approvals. */
function bare(request: string): string | null {
  const names = Object.keys(JSON.parse(request) as object);
  const kept = names.filter((name) => !["session", "history", "head", "confirmation", "approvals", "explain"].includes(name));
  return names.includes("head") ? null : `{${kept.map((name) => `${JSON.stringify(name)}:${member(request, name)}`).join(",")}}`;
}

type Answer = { ok?: { decision: string; confirmation: string | null; entry: { restarted?: true; step: number } | null }; error?: object };

/** A session of the generator: each of its calls is a case, with up to three of the calls before it as the session so far. */
function casesOf(policy: string, requests: readonly string[], keys: keyof typeof KEYS, driver: ReturnType<typeof lineDriver>): Case[] {
  const cases: Case[] = [];
  const session = "equal";
  const setUp = [`{"id":0,"op":"keys","name":"k","keys":${KEYS[keys]}}`, `{"id":0,"op":"register","name":"p","policy":${policy}}`];
  if (setUp.some((line) => !driver.answer(line).includes('"ok"'))) return [];
  for (const [index, request] of requests.entries()) {
    const steps: object[] = [];
    let entries: object[] = [];
    const ask = (text: string, confirmation: string | null) => {
      const more = `"session":"${session}","explain":true${confirmation === null ? "" : `,"confirmation":${JSON.stringify(confirmation)}`}${entries.length === 0 ? "" : `,"history":${JSON.stringify({ format: "qls-history/1", session, entries })}`}`;
      return `{"id":1,"op":"check","policy":"p","keys":"k","request":{${more},${text.slice(1)}}`;
    };
    const take = (text: string, confirms: number | null, confirmation: string | null): Answer => {
      const answer = JSON.parse(driver.answer(ask(text, confirmation))) as Answer;
      const entry = answer.ok?.entry;
      if (!entry) return answer;
      entries = entry.restarted ? [entry] : [...entries, entry];
      const reported = answer.ok?.decision === "allow" && index % 2 === 0 ? { status: "ran", result: '{"total":40.00,"order_id":"4411"}' } : null;
      if (reported !== null) {
        const line = `{"id":1,"op":"report","policy":"p","keys":"k","session":"${session}","step":${entry.step},"status":"ran","at":${(entry as { at?: number }).at},"result":${reported.result},"history":${JSON.stringify({ format: "qls-history/1", session, entries })}}`;
        entries = (JSON.parse(driver.answer(line)) as { ok: { entries: object[] } }).ok.entries;
      }
      steps.push({ call: { text, confirms }, outcome: reported });
      return answer;
    };
    for (const text of requests.slice(Math.max(0, index - 3), index)) take(text, null, null);
    // Every third question of a signed session is answered yes.
    let confirms: number | null = null;
    let confirmation: string | null = null;
    if (keys === "practice" && index % 3 === 0) {
      const at = steps.length;
      const asked = take(request, null, null);
      if (asked.ok?.decision === "confirm" && steps.length > at) [confirms, confirmation] = [at, asked.ok.confirmation];
    }
    cases.push({ draft: { v: 1, policy, keys, session, steps, call: { text: request, confirms } }, lines: [...setUp, ask(request, confirmation)] });
  }
  return cases;
}

function makeCases(): Case[] {
  const driver = lineDriver();
  const cases: Case[] = [];
  let policy: string | null = null;
  let requests: string[] = [];
  const end = () => {
    if (policy !== null) cases.push(...casesOf(policy, requests, cases.length % 2 === 0 ? "preview" : "practice", driver));
    requests = [];
  };
  for (const line of generate(SEED, 4000)) {
    if (cases.length >= CASES) return cases;
    let read: { op?: string; name?: string; documents?: object; request?: object };
    try {
      read = JSON.parse(line) as typeof read;
    } catch {
      continue;
    }
    if (read.op === "register" && read.name !== "bad") {
      end();
      policy = read.documents === undefined ? member(line, "policy") : null;
    } else if (read.op === "check" && read.request !== undefined) {
      const request = bare(member(line, "request") ?? "");
      if (request !== null) requests.push(request);
    }
  }
  throw new Error(`the generator gave ${cases.length} cases only`);
}

/** Loads a draft by its link and gives the answer's text, or the code where nothing is decided. */
async function answered(page: Page, draft: object): Promise<string> {
  const word = deflateRawSync(JSON.stringify(draft)).toString("base64url");
  await page.evaluate((d) => {
    location.hash = `#/preview?d=${d}`;
  }, word);
  await page.waitForFunction(() => location.hash === "#/preview" && document.querySelector('#decision[aria-busy="false"] .verdict') !== null);
  return page.evaluate(() => document.querySelector('section[aria-label="Answer"] pre')?.textContent ?? document.querySelector(".verdict.none .codename")?.textContent ?? "neither an answer nor a code");
}

describeChromium("the page's answers", () => {
  let chromium: Chromium;
  let seen: Seen;
  let cases: Case[];
  beforeAll(async () => {
    cases = makeCases();
    chromium = await Chromium.start();
    seen = await chromium.open();
    await seen.page.getByRole("tab", { name: "Answer" }).click();
  });
  afterAll(() => chromium?.stop());

  it(`${CASES} calls of generated sessions: the same bytes as \`interlock conform\` gives (seed ${SEED})`, async () => {
    const { stdout, status } = spawnSync(process.execPath, [join(ROOT, "dist/cli.js"), "conform"], { input: cases.flatMap(({ lines }) => lines).join("\n"), encoding: "utf8", maxBuffer: 1 << 28 });
    expect(status).toBe(0);
    const expected = stdout.trimEnd().split("\n").filter((_, index) => index % 3 === 2);
    const tally = new Map<string, number>();
    for (const [index, { draft }] of cases.entries()) {
      const reply = expected[index]!;
      const { error, ok } = JSON.parse(reply) as { error?: { code: string }; ok?: { decision: string; reason: string } };
      expect(await answered(seen.page, draft), `case ${index}: ${JSON.stringify(draft)}`).toBe(error?.code ?? reply.slice('{"id":1,"ok":'.length, -1));
      const key = ok ? `${ok.decision} ${ok.reason.split(":")[0]}` : `error ${error!.code}`;
      tally.set(key, (tally.get(key) ?? 0) + 1);
    }
    console.log([...tally].sort().map(([key, count]) => `${key}: ${count}`).join(", "));
    for (const decision of ["allow allow", "allow confirmed", "confirm", "refuse"]) expect([...tally.keys()].some((key) => key.startsWith(decision)), decision).toBe(true);
    expect(tally.size).toBeGreaterThanOrEqual(12);
    expect(seen.complaints).toEqual([]);
    expect(seen.strange).toEqual([]);
  });

  it("a draft of another session gives another answer: what is read is this draft's, not the last one's", async () => {
    const answer = await answered(seen.page, cases[0]!.draft);
    expect(await answered(seen.page, { ...cases[0]!.draft, session: "other" })).not.toBe(answer);
  });
});
