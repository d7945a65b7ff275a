// Tests the reader and the canonical printer: chapter 1's rules, the public suites, and the model on mutated documents.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeShared, shared } from "../vectors/shared";
import { type Reading, coreLooksUp, coreReads, modelReads } from "./json-both";
import { Mutants } from "./json-mutants";
import { OPEN, REFUSED, REFUSED_PAIRS, REFUSED_TRANSFORMS } from "./json-suite";
import { Random } from "./random";

const bytes = (text: string) => new TextEncoder().encode(text);

/** `accept`, or the code of the error a whole document is; inexact numbers are one. */
const verdict = (reading: Reading) => ("code" in reading ? reading.code : reading.inexact.length > 0 ? "json_number" : "accept");

/** The canonical form, which the text must have. */
function canonical(text: string | Uint8Array): string {
  const reading = coreReads(typeof text === "string" ? bytes(text) : text);
  if ("code" in reading) throw new Error(`refused: ${JSON.stringify(reading)}`);
  return Buffer.from(reading.canonical, "latin1").toString("utf8");
}

describe("reading", () => {
  const errors: [string, string, number, string][] = [
    ["", "json_syntax", 0, ""], [" ", "json_syntax", 1, ""], ["01", "json_syntax", 0, ""], ["[1,]", "json_syntax", 3, "/1"], ['"a\u0001"', "json_syntax", 0, ""],
    ["nul", "json_syntax", 3, ""], ["nulx", "json_syntax", 0, ""], ["nul,", "json_syntax", 3, ""], ["1 2", "json_syntax", 2, ""], [".5", "json_syntax", 0, ""],
    ["1.", "json_syntax", 2, ""], ["[1.]", "json_syntax", 3, "/0"], ["+1", "json_syntax", 0, ""], ["NaN", "json_syntax", 0, ""], ["'a'", "json_syntax", 0, ""],
    ["-", "json_syntax", 1, ""], ["1e5.", "json_syntax", 0, ""], ["[1/**/]", "json_syntax", 2, ""], ['{"a":1,}', "json_syntax", 7, ""], ['{"a" 1}', "json_syntax", 5, ""],
    ['{"a":[{"b~/":tru}]}', "json_syntax", 16, "/a/0/b~0~1"], ['{"a":1', "json_syntax", 6, ""], ['{"a":', "json_syntax", 5, "/a"], ['"\\ud800', "json_syntax", 7, ""],
    ['"\\ud800\\u0', "json_surrogate", 0, ""], ['["\\ud800x\\q"]', "json_surrogate", 1, "/0"], ['["\\q\\ud800"]', "json_syntax", 1, "/0"], ['"\\udc00\\ud800"', "json_surrogate", 0, ""],
    ['{"a":1,"\\u0061":2}', "json_duplicate", 7, ""], ['{"a":1,"a":x}', "json_duplicate", 7, ""], ['{"a":x,"a":1}', "json_syntax", 5, "/a"], ['{"a":1,"a"', "json_duplicate", 7, ""],
    ['{"o":{"b":1,"a":2,"b":3},"o":x}', "json_duplicate", 18, "/o"], ['{"a":{"c":{"x":1,"x":', "json_duplicate", 17, "/a/c"], ["\ufeff1", "json_encoding", 0, ""], ["1\ufeff", "json_syntax", 1, ""],
  ];
  for (const [text, code, offset, pointer] of errors) {
    it(`refuses ${JSON.stringify(text)}: ${code} at ${offset}`, () => {
      expect(coreReads(bytes(text))).toEqual({ code, offset, pointer });
    });
  }

  it("puts json_size first, then json_encoding, then what stands first", () => {
    const text = Buffer.concat([Buffer.from("[1,,"), Buffer.from([0xff])]);
    expect(coreReads(text, 128, 4)).toEqual({ code: "json_size", offset: 4, pointer: "" });
    expect(coreReads(text)).toEqual({ code: "json_encoding", offset: 4, pointer: "" });
    expect(coreReads(text.subarray(0, 4))).toEqual({ code: "json_syntax", offset: 3, pointer: "/1" });
    expect(coreReads(bytes("[[1],[[2]]]"), 2)).toEqual({ code: "json_depth", offset: 6, pointer: "/1/0" });
    expect(verdict(coreReads(bytes("[[1],[[2]]]"), 3))).toBe("accept");
  });

  it("keeps noncharacters, and U+FEFF inside strings", () => {
    expect(canonical('["\\uffff","\ufdd0","\ufeff","\u{10ffff}"]')).toBe('["\uffff","\ufdd0","\ufeff","\u{10ffff}"]');
  });

  it("keeps an inexact number's text and says where it stands", () => {
    const text = '{"b":[1,9007199254740993],"a":1e400,"c":{"~":-1E-999}}';
    expect(coreReads(bytes(text))).toEqual({ canonical: '{"a":1e400,"b":[1,9007199254740993],"c":{"~":-1E-999}}', inexact: ["/b/1", "/a", "/c/~0"] });
  });

  it("prints every ASCII character and every escape as RFC 8785 has it", () => {
    for (let c = 0; c < 128; c++) {
      const character = String.fromCharCode(c);
      const wanted = JSON.stringify(character);
      const spellings = [`"\\u${c.toString(16).padStart(4, "0")}"`, `"\\u${c.toString(16).padStart(4, "0").toUpperCase()}"`, wanted];
      for (const spelling of spellings) {
        expect(canonical(spelling), spelling).toBe(wanted);
        const long = `"0123456789abcdef${spelling.slice(1, -1)}tail of the string ${spelling.slice(1, -1)}"`;
        expect(canonical(long), long).toBe(JSON.stringify(`0123456789abcdef${character}tail of the string ${character}`));
      }
    }
  });
});

describe("objects", () => {
  const random = new Random();
  const letters = ["a", "b", "\u0000", "z", "é", "\ufb33", "\uffff", "\u{1f600}", "\u{10ffff}", "aaaaaaaa", "aaaaaaab", "aaaaaaa"];
  const name = () => Array.from({ length: random.below(5) }, () => random.of(letters)).join("");

  it(`sorts any number of names by UTF-16 and finds each, seed ${random.seed}`, () => {
    for (let round = 0; round < 300; round++) {
      const names = [...new Set(Array.from({ length: random.below(random.of([4, 20, 40, 400])) }, name))];
      const text = `{${names.map((one, i) => `${JSON.stringify(one)}:${i}`).join(",")}}`;
      const sorted = [...names].sort().map((one) => `${JSON.stringify(one)}:${names.indexOf(one)}`);
      expect(canonical(text)).toBe(`{${sorted.join(",")}}`);
      const inOrder = bytes(canonical(text));
      for (const one of names.slice(0, 5)) {
        expect(coreLooksUp(bytes(text), one)).toBe(String(names.indexOf(one)));
        expect(coreLooksUp(inOrder, one)).toBe(String(names.indexOf(one)));
      }
      expect(coreLooksUp(inOrder, "not there")).toBe(null);
      expect(coreLooksUp(bytes(text), "not there")).toBe(null);
      if (names.length > 0) {
        const again = random.below(names.length);
        const twice = `${text.slice(0, -1)},${JSON.stringify(names[again])}:0}`;
        expect(coreReads(bytes(twice))).toEqual({ code: "json_duplicate", offset: Buffer.byteLength(text), pointer: "" });
      }
    }
  });

  it(`sorts objects that look alike and those that nearly do, seed ${random.seed}`, () => {
    for (let round = 0; round < 200; round++) {
      const names = [...new Set(Array.from({ length: 2 + random.below(34) }, name))];
      const objects = Array.from({ length: 6 }, () => {
        const mine = [...names];
        if (random.below(3) === 0) mine[random.below(mine.length)] = `${name()}!`;
        if (random.below(4) === 0) mine.reverse();
        return `{${mine.map((one, i) => `${JSON.stringify(one)}:${i}`).join(",")}}`;
      });
      const text = bytes(`[${objects.join(",")}]`);
      expect(coreReads(text)).toEqual(modelReads(text));
    }
  });
});

describe("hostile documents", () => {
  const million = 1000000;
  it("answers in linear time", () => {
    expect(coreReads(bytes("[".repeat(million)))).toEqual({ code: "json_depth", offset: 128, pointer: "/0".repeat(128) });
    expect(coreReads(bytes("[".repeat(511)), 512)).toEqual({ code: "json_syntax", offset: 511, pointer: "/0".repeat(511) });
    expect(coreReads(bytes(`"${"\\".repeat(million)}`))).toEqual({ code: "json_syntax", offset: million + 1, pointer: "" });
    expect(canonical(`"${",:[{".repeat(million)}"`).length).toBe(4 * million + 2);
    expect(canonical(`"${"\\u0001".repeat(million)}"`).length).toBe(6 * million + 2);
    expect(canonical(`[${"1,".repeat(million)}1e20]`).length).toBe(2 * million + 23);
    const names = Array.from({ length: 200000 }, (_, i) => `"common beginning ${(i * 7919) % 200000}":1`);
    expect(canonical(`{${names.join(",")}}`)).toBe(`{${names.sort().join(",")}}`);
    expect(verdict(coreReads(bytes(`{${names.join(",")},${names[9]}`)))).toBe("json_duplicate");
    const nested = `${'{"a":0,"b":1,"b":'.repeat(127)}x`;
    expect(coreReads(bytes(nested))).toEqual({ code: "json_duplicate", offset: 13, pointer: "" });
    expect(canonical(`[${"1e20,".repeat(100000)}0]`).length).toBe(22 * 100000 + 3);
  });
});

describe("the core and the model", () => {
  const random = new Random();
  it(`agree on 100,000 mutated documents, seed ${random.seed}`, { timeout: 120000 }, () => {
    const mutants = new Mutants(random);
    const seen = new Map<string, number>();
    for (let i = 0; i < 100000; i++) {
      const document = mutants.next();
      const depth = random.below(4) === 0 ? random.below(5) : 128;
      const limit = random.below(20) === 0 ? random.below(40) : 8388608;
      const core = coreReads(document, depth, limit);
      const model = modelReads(document, depth, limit);
      if (JSON.stringify(core) !== JSON.stringify(model)) {
        expect(core, `${Buffer.from(document).toString("hex")}, depth ${depth}, limit ${limit}, SEED=${random.seed}`).toEqual(model);
      }
      const kind = "code" in model ? model.code : "accept";
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    for (const kind of ["accept", "json_syntax", "json_encoding", "json_surrogate", "json_duplicate", "json_depth", "json_size"]) {
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(500);
    }
  });
});

describeShared("the JSON parsing suite", () => {
  const folder = shared("vectors/json-test-suite/test_parsing/");
  const files = readdirSync(folder);
  const wanted = (file: string) => REFUSED[file]?.answer ?? OPEN[file]?.answer ?? (file.startsWith("y_") ? "accept" : "refuse");

  it("decides every file as chapter 1 does", () => {
    expect(files.length).toBe(318);
    for (const file of files) {
      const answer = verdict(coreReads(readFileSync(folder + file)));
      if (wanted(file) === "refuse") expect(answer, file).not.toBe("accept");
      else expect(answer, file).toBe(wanted(file));
    }
  });

  it("gives the model's code, offset, pointer and text for every file", () => {
    for (const file of files) expect(coreReads(readFileSync(folder + file)), file).toEqual(modelReads(readFileSync(folder + file)));
  });

  it("lists exactly the open files, and refuses what it lists as refused", () => {
    expect(Object.keys(OPEN).sort()).toEqual(files.filter((file) => file.startsWith("i_")).sort());
    for (const file of Object.keys(REFUSED)) expect(files, file).toContain(file);
  });

  it("decides the values that parsers change", () => {
    const changed = shared("vectors/json-test-suite/test_transform/");
    const names = readdirSync(changed);
    expect(names.length).toBe(22);
    for (const file of names) expect(verdict(coreReads(readFileSync(changed + file))), file).toBe(REFUSED_TRANSFORMS[file]?.answer ?? "accept");
    for (const file of Object.keys(REFUSED_TRANSFORMS)) expect(names, file).toContain(file);
  });

  it("prints in README.md what is decided here", () => {
    const readme = readFileSync(new URL("../../assembly/json/README.md", import.meta.url), "utf8");
    for (const [file, { answer, rule }] of Object.entries({ ...REFUSED, ...REFUSED_TRANSFORMS, ...OPEN })) {
      expect(readme).toContain(`| ${file} | ${answer} | ${rule} |`);
    }
  });
});

describeShared("RFC 8785", () => {
  it("prints the six official documents", () => {
    const folder = shared("vectors/rfc8785/testdata/");
    const names = readdirSync(`${folder}input`);
    expect(names.length).toBe(6);
    for (const name of names) {
      const text = canonical(readFileSync(`${folder}input/${name}`));
      expect(text, name).toBe(readFileSync(`${folder}output/${name}`, "utf8"));
      const hex = readFileSync(`${folder}outhex/${name.replace(".json", ".txt")}`, "utf8").replace(/\s+/g, "");
      expect(Buffer.from(text).toString("hex"), name).toBe(hex);
      expect(canonical(text), name).toBe(text);
    }
  });

  it("prints or refuses the extra pairs", () => {
    const pairs = JSON.parse(readFileSync(shared("vectors/rfc8785/extra-pairs.json"), "utf8")) as { input?: string; input_hex?: string; canonical?: string; sha256?: string; error?: string }[];
    expect(pairs.length).toBe(23);
    for (const pair of pairs) {
      const input = pair.input !== undefined ? bytes(pair.input) : Buffer.from(pair.input_hex!, "hex");
      const reading = coreReads(input);
      if (pair.error !== undefined) {
        expect(verdict(reading), pair.error).toBe(REFUSED_PAIRS[pair.error]);
        continue;
      }
      const text = canonical(input);
      expect(text).toBe(pair.canonical);
      if (pair.sha256 !== undefined) expect(createHash("sha256").update(text).digest("hex")).toBe(pair.sha256);
    }
  });
});
