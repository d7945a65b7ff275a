// Holds typed evidence against the model on random turns and values.

import { expect, it } from "vitest";
import { read, type JsonObject } from "../model/json";
import { provedTyped } from "../model/typed";
import { Unit } from "./instance";
import { Random } from "./random";

const unit = new Unit("typed");
const utf8 = new TextEncoder();
/** SLOW=1 tries 200,000 cases. */
const CASES = process.env.SLOW ? 200_000 : 6_000;

const PIECES = [
  "a", "b", "ana", "v", "kg", "R", "US", "é", "e\u0301", "日本", "😀", "º", "²", "٤", "4", "40", "0", "00", "1", "12", "007", "123", "234", "5", "77", "1234",
  " ", " ", " ", "-", "+", "\u2212", "\u2010", "\u2011", "\uff0d", "\u2013", "\u202f", ".", ",", ":", "/", "$", "€", "R$", "US$", "%", "(", ")", "'", "_", "\u00a0", "\u200f", "#", "=", "9007199254740993", "0.5", "1,234", "1.234", "40,00",
];
const STRINGS = ["a", "b", "ana", "40", "4", "a b", "12", "-40", "é", "e", "日本", "R$", "007", "1.234", "a-b", "($)", "", "40 a", "v1"];
const NUMBERS = ["40", "-40", "4", "0", "-0", "1", "12", "7", "123", "1234", "1.234", "40.0", "4e1", "0.5", "5", "-5", "77", "-77", "234", "1234.5", "9007199254740992", "-4", "-1", "12.4", "123123"];

function turnOf(random: Random): string {
  let made = "";
  for (let count = random.below(9); count >= 0; count--) made += random.of(PIECES);
  return made;
}

function valueOf(random: Random, depth: number, turns: string[]): string {
  const choice = random.below(depth > 0 ? 12 : 9);
  if (choice < 2) return random.of(NUMBERS);
  if (choice < 5) {
    const written = random.of(turns).match(/-?[0-9]+(?:[.,][0-9]+)?/g) ?? ["1"];
    return random.of(written).replace(",", random.below(2) ? "." : "").replace(/^(-?)0+(?=[0-9])/, "$1");
  }
  if (choice === 5) return JSON.stringify(random.of(STRINGS));
  if (choice < 8) {
    const points = [...random.of(turns)];
    const from = random.below(points.length + 1);
    return JSON.stringify(points.slice(from, from + 1 + random.below(4)).join(""));
  }
  if (choice === 8) return random.of(["true", "null", "{}", "[]", "40", "12"]);
  const inner = Array.from({ length: random.below(4) }, () => valueOf(random, depth - 1, turns));
  return choice < 11 ? `[${inner.join(",")}]` : `{${inner.map((value, i) => `"${"zaéb"[i]}":${value}`).join(",")}}`;
}

it("proves what the model proves", { timeout: 600_000 }, () => {
  const random = new Random();
  let proved = 0;
  let asked = 0;
  for (let i = 0; i < CASES; i++) {
    const turns = Array.from({ length: 1 + random.below(3) }, () => turnOf(random));
    const names = ["a", "b", "c", "d"].slice(0, 1 + random.below(4));
    const text = `{"turns":${JSON.stringify(turns)},"arguments":{${names.map((name) => `"${name}":${valueOf(random, 2, turns)}`).join(",")}}}`;
    const language = random.below(2) ? "pt-BR" : "en";
    const bytes = utf8.encode(text);
    const args = (read(bytes) as JsonObject).get("arguments") as JsonObject;
    const want = provedTyped(names.map((name) => ({ name, value: args.get(name)! })), turns, language);
    const [start] = unit.place(bytes) as [number];
    expect(unit.call.prove!(start, bytes.length, language === "pt-BR" ? 1 : 0, 1n << 50n)).toBe(names.length);
    const got = names.filter((_, n) => unit.call.isProved!(n) !== 0);
    asked += names.length;
    proved += got.length;
    if (got.join() !== [...want].join()) {
      throw new Error(`${language} ${text}: core proves ${got.join()}; model ${[...want].join()}; replay with SEED=${random.seed}`);
    }
  }
  console.log(`${CASES} cases, ${proved} of ${asked} values proved, seed ${random.seed}`);
  expect(proved).toBeGreaterThan(CASES / 10);
});
