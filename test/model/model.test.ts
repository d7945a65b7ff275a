// Holds the model against the official sessions, and the generator against its own promises: same seed same lines, no line kills the driver.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeShared, shared } from "../vectors/shared.ts";
import { Driver } from "./driver.ts";
import { answers, generate, generateAnswered } from "./generate.ts";
import { canonical, NO_LIMITS, read, type Json, type JsonObject } from "./json.ts";
import { strip } from "./strip.ts";
import { MUST_REACH, tally } from "./tally.ts";

const parse = (line: string) => read(Buffer.from(line, "utf8"), NO_LIMITS) as JsonObject;
const lines = (path: string) => readFileSync(shared(path), "utf8").trim().split("\n");
const member = (value: Json, path: string) =>
  path === "*" ? value : path.split(".").reduce((v: Json | undefined, name) => (v instanceof Map ? v.get(name) : undefined), value);
const show = (value: Json | undefined) => (value === undefined ? "absent" : canonical(value));

describeShared("the official sessions", () => {
  for (const name of ["seed-transcripts", "random"]) {
    it(`agrees with ${name}`, () => {
      const driver = new Driver();
      const expected = lines(`vectors/check/${name}.expected.ndjson`).map(parse);
      lines(`vectors/check/${name}.ndjson`).forEach((line, i) => {
        const got = parse(driver.answer(line));
        const want = expected[i];
        for (const field of (want.get("fields") as string[] | undefined) ?? []) {
          const [a, b] = [want, got].map((answer) => `${i} ${field} ${show(member(answer.get("ok") ?? null, field))}`);
          expect(b).toBe(a);
        }
        if (want.has("error")) expect(show(member(got, "error.code"))).toBe(show(want.get("error")));
      });
    }, 60_000);
  }
});

it("makes the same lines and answers from one seed", () => {
  const made = generateAnswered(7, 400);
  expect(generate(7, 400)).toEqual(made.lines);
  expect(answers(made.lines)).toEqual(made.answers);
  expect(made.answers.map(strip).map(strip)).toEqual(made.answers.map(strip));
  const known = new Set(MUST_REACH);
  const reached = [...tally(made.lines, made.answers).keys()].filter((name) => known.has(name));
  expect(reached.length).toBeGreaterThan(60);
}, 60_000);

it("answers what is no request line", () => {
  const driver = new Driver();
  const code = (line: string) => show(member(parse(driver.answer(line)), "error.code"));
  expect(["", "[]", "{}", "{\"id\":1}", "\ufeff{}"].map(code)).toEqual(Array(5).fill("\"line_invalid\""));
  expect(code("{\"id\":1,\"op\":\"x\"}")).toBe("\"op_unknown\"");
  expect(show(member(parse(driver.answer("{\"id\":[1,\"é\"],\"op\":\"close\",\"name\":\"h\"}")), "id"))).toBe("[1,\"é\"]");
});
