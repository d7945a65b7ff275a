// Tables of typed evidence (chapter 4, "As typed") by category, in both languages: each row with the reason for its answer, held by the core and by the model.

import { describe, expect, it } from "vitest";
import { type JsonObject, read } from "../model/json";
import { provedTyped } from "../model/typed";
import { Unit } from "./instance";

const unit = new Unit("typed");
const utf8 = new TextEncoder();

type Language = "en" | "pt-BR";
/** Turns (one, or a list of them), the value as JSON text, whether it is proved, and why. */
type Row = [turns: string | string[], value: string, typed: boolean, why: string];

/** What the core and the model say of one value. */
function ask(turns: string[], value: string, language: Language): { core: boolean; model: boolean } {
  const bytes = utf8.encode(`{"turns":${JSON.stringify(turns)},"arguments":{"value":${value}}}`);
  const [start] = unit.place(bytes) as [number];
  expect(unit.call.prove!(start, bytes.length, language === "pt-BR" ? 1 : 0, 1n << 50n)).toBe(1);
  const read_ = ((read(bytes) as JsonObject).get("arguments") as JsonObject).get("value")!;
  return { core: unit.call.isProved!(0) !== 0, model: provedTyped([{ name: "value", value: read_ }], turns, language).has("value") };
}

/** The same text as pt-BR writes its numerals: `,` and `.` exchanged. */
const exchanged = (text: string) => text.replace(/[.,]/g, (mark) => (mark === "." ? "," : "."));

/** Runs rows in both languages; numerals are written with the marks exchanged in pt-BR. */
function table(name: string, rows: Row[], write: (text: string) => string = exchanged): void {
  describe(name, () => {
    for (const [given, value, typed, why] of rows) {
      for (const language of ["en", "pt-BR"] as const) {
        const turns = [given].flat().map((turn) => (language === "en" ? turn : write(turn)));
        it(`${language}: ${value} in ${turns.map((turn) => JSON.stringify(turn)).join(", ")}: ${typed ? "typed" : "not typed"}: ${why}`, () => expect(ask(turns, value, language)).toEqual({ core: typed, model: typed }));
      }
    }
  });
}

const asItStands = (text: string) => text;

table("decimals and thousands (written as in en)", [
  ["40.5", "40.5", true, "the decimal mark"],
  ["40.50", "40.5", true, "its value counts, not its digits"],
  ["40.00", "40", true, "its value counts"],
  ["0.5", "0.5", true, "a decimal below one"],
  ["00.5", "0.5", true, "leading zeros do not change a value"],
  [".5", "0.5", false, "no digit before the mark: the mark is punctuation before 5"],
  [".5", "5", true, "punctuation before is not part of it"],
  ["5.", "5", true, "nor is punctuation after"],
  ["40.5", "40", false, "a part of a numeral is none"],
  ["40.5", "5", false, "nor is the part behind the mark"],
  ["1,234", "1234", true, "thousands"],
  ["1,234", "1.234", false, "the other mark is for thousands"],
  ["1,234", "234", false, "a part of a numeral"],
  ["12,345,678.90", "12345678.9", true, "thousands and a decimal"],
  ["1,000,000", "1e6", true, "a number is compared by its value"],
  ["1,23", "123", false, "two digits are no thousands, so the digits are joined otherwise"],
  ["1,2345", "12345", false, "nor are four"],
  ["1234,567", "1234567", false, "four digits before the first mark"],
  ["1,234,56", "123456", false, "the last group is short"],
  ["1.234,5", "1234.5", false, "thousands behind the decimal mark"],
  ["1,234.5.6", "1234.5", false, "two decimal marks"],
  ["40,5", "40.5", false, "the mark of the other language"],
  ["40, 5", "40", true, "a mark and a space: punctuation"],
  ["40, 5", "5", true, "and a numeral of its own"],
]);

table("currency", [
  ["$40", "40", true, "a currency sign beside it is ignored"],
  ["$40.00", "40", true, "with decimals"],
  ["$1,234.50", "1234.5", true, "with thousands"],
  ["R$40.00", "40", true, "letters right before the sign belong to it"],
  ["R$ 40.00", "40", true, "a space between"],
  ["US$ 40", "40", true, "two letters"],
  ["-R$40", "-40", true, "the sign of the number before the currency"],
  ["-R$\u00a040.00", "-40", true, "a no-break space, as programs print it"],
  ["-US$\u202f40", "-40", true, "a narrow no-break space"],
  ["-$40", "40", false, "its sign counts"],
  ["$-40", "-40", true, "the sign of the number after the currency's"],
  ["40€", "40", true, "a sign after it"],
  ["40 €", "40", true, "a space between"],
  ["40US$", "40", true, "letters right before a sign after it belong to the sign"],
  ["₹40 ¥50 £60 ₪70", "60", true, "signs of other currencies"],
  ["40kg€", "40", true, "whatever letters stand right before a sign"],
  ["USD40", "40", false, "letters without a sign: glued"],
  ["USD 40", "40", true, "a word before it"],
  ["40EUR", "40", false, "letters without a sign after it"],
  ["R$40x", "40", false, "glued behind"],
  ["R $40", "40", true, "the R is a word of its own"],
]);

table("per cent", [
  ["40%", "40", true, "the sign is ignored"],
  ["40%", "0.4", false, "and is no division"],
  ["40.5%", "40.5", true, "with decimals"],
  ["40 %", "40", true, "a space between"],
  ["%40", "40", true, "before it"],
  ["-%40", "-40", true, "a sign before it"],
  ["-%40", "40", false, "which counts"],
  ["-40%", "-40", true, "a sign before the digits"],
  ["+40%", "40", true, "a plus"],
  ["40%,", "40", true, "punctuation behind it"],
  ["(40%)", "40", true, "brackets"],
  ["40%off", "40", true, "the sign stands between it and the letters"],
  ["40‰", "40", true, "another sign is punctuation"],
  ["40pct", "40", false, "letters are no sign"],
  ["40-50%", "50", false, "joined by a hyphen"],
]);

table("units glued to a numeral, or not", [
  ["40kg", "40", false, "glued"],
  ["40 kg", "40", true, "a space stands between"],
  ["40-kg", "40", true, "a hyphen that no digits follow"],
  ["40.5kg", "40.5", false, "glued"],
  ["40.5kg", "40", false, "and joined"],
  ["v40", "40", false, "a letter before it"],
  ["v 40", "40", true, "a word before it"],
  ["x40x", "40", false, "letters on both sides"],
  ["40th", "40", false, "an ordinal is glued"],
  ["5ª", "5", false, "ª is a letter (Lo)"],
  ["40°C", "40", true, "a degree sign is no letter"],
  ["40µm", "40", false, "µ is a letter"],
  ["40m²", "40", false, "glued"],
  ["40²", "40", false, "a superscript is a digit (No)"],
  ["40円", "40", false, "an ideograph is a letter"],
  ["40_kg", "40", true, "an underscore is no letter"],
  ["40'", "40", true, "nor is a prime"],
  ["10x20", "10", false, "glued to x"],
  ["10 x 20", "20", true, "set apart"],
]);

table("dates, times, versions, ranges", [
  ["2026-11-30", "2026", false, "joined by hyphens"],
  ["2026-11-30", "11", false, "in the midst of a date"],
  ["2026-11-30", "-11", false, "its hyphen is no sign"],
  ["30/11/2026", "30", false, "joined by slashes"],
  ["30/11/2026", "2026", false, "joined by slashes"],
  ["30.11.2026", "2026", false, "joined by dots"],
  ["30.11.2026", "30.11", false, "a part of a date"],
  ["10:30", "10", false, "a time"],
  ["10:30:15", "15", false, "a time"],
  ["at 10h", "10", false, "glued"],
  ["1.2.3", "1.2", false, "a dotted version"],
  ["v1.2", "2", false, "joined to further digits"],
  ["192.168.0.1", "192.168", false, "an address"],
  ["3-5", "3", false, "a range is joined"],
  ["3 - 5", "5", true, "spaces stand between"],
  ["3–5", "5", true, "an en dash is no hyphen and joins nothing"],
  ["1/2", "1", false, "joined by a slash"],
  ["10:", "10", true, "no digits follow"],
  ["30 Nov 2026", "2026", true, "set apart by words"],
  ["2026\u221211\u221230", "2026", false, "a minus sign is read as a hyphen"],
  ["40.٤", "40", false, "joined to digits of another script"],
  ["٤.40", "40", false, "joined to digits of another script before"],
]);

table("signs", [
  ["-40", "-40", true, "a sign"],
  ["-40", "40", false, "counts"],
  ["+40", "40", true, "a plus"],
  ["+40", "-40", false, "is no minus"],
  ["\u221240", "-40", true, "the minus sign"],
  ["\u221240", "40", false, "counts as well"],
  ["\uff0d40", "-40", true, "the full-width hyphen-minus"],
  ["\u201140", "40", false, "a non-breaking hyphen is read as `-`"],
  ["A-77", "77", false, "after a hyphen that follows a letter"],
  ["A-77", "-77", false, "and it is no sign"],
  ["A\u201177", "77", false, "a non-breaking hyphen is a hyphen"],
  ["A\u221277", "77", false, "nor after a minus sign that follows a letter"],
  ["é-77", "77", false, "any letter"],
  ["²-77", "77", false, "any digit"],
  ["A -77", "-77", true, "a space stands before the sign"],
  ["(-77)", "-77", true, "a bracket stands before it"],
  ["- 77", "77", true, "a space stands behind: punctuation"],
  ["- 77", "-77", false, "and no sign"],
  ["--77", "-77", true, "the hyphen before the sign follows no letter"],
  ["+-77", "-77", true, "the sign is the one beside it"],
  ["A+77", "77", true, "a plus after a letter is no hyphen"],
  ["=-77", "-77", true, "punctuation before the sign"],
  ["-0", "0", true, "zero has one value"],
]);

table("exponents and other notations", [
  ["1e3", "1000", false, "glued to a letter"],
  ["1e3", "1", false, "glued to a letter"],
  ["1e3", "3", false, "glued to a letter"],
  ["1000", "1e3", true, "the argument's notation does not count"],
  ["1000", "1000.0", true, "nor do its decimals"],
  ["1e-3", "3", false, "after a hyphen that follows a letter"],
  ["1e+3", "3", true, "a plus is no hyphen"],
  ["10^3", "10", true, "two numerals with punctuation between"],
  ["10^3", "1000", false, "no arithmetic"],
  ["0x1F", "0", false, "glued to a letter"],
  ["1_000", "1000", false, "an underscore does not group"],
  ["٤٠", "40", false, "numerals are written with 0 to 9"],
  ["４０", "40", false, "full-width digits are other digits"],
  ["forty", "40", false, "words are no numerals"],
  ["½", "0.5", false, "a fraction is a digit, no numeral"],
  ["9007199254740993", "9007199254740992", false, "a double would change what it says"],
  ["9007199254740992", "9007199254740992", true, "exact"],
  ["0.1", "0.1", true, "the nearest double"],
]);

table("spaces and apostrophes in numbers", [
  ["1 234", "1234", false, "a space does not group"],
  ["1 234", "1", true, "two numerals"],
  ["1 234", "234", true, "two numerals"],
  ["1\u00a0234", "1234", false, "nor does a no-break space"],
  ["1\u00a0234", "234", true, "two numerals"],
  ["1\u202f234", "1234", false, "nor a narrow one"],
  ["1\u2009234", "1234", false, "nor a thin one"],
  ["1'234", "1234", false, "an apostrophe does not group"],
  ["1'234", "234", true, "two numerals"],
  ["1’234", "1234", false, "nor a curly one"],
  ["1’234", "1", true, "two numerals"],
  ["1\n234", "234", true, "two lines"],
  ["4 0", "40", false, "digits set apart"],
  ["40\t50", "50", true, "a tab"],
  ["1\u200b234", "1234", false, "nor what nobody sees"],
  ["1\u200b234", "234", true, "which is no letter or digit"],
  ["'40'", "40", true, "quotation marks"],
]);

table("ids and leading zeros", [
  ["id 007", '"007"', true, "a string letter for letter"],
  ["id 007", '"7"', false, "a digit stands before"],
  ["id 007", '"07"', false, "a digit stands before"],
  ["id 007", "7", true, "a number by its value"],
  ["id 7", '"007"', false, "letter for letter"],
  ["order 4411", '"4411"', true, "an id of digits"],
  ["order #4411,", '"4411"', true, "punctuation is no letter"],
  ["order #4411", '"#4411"', true, "it may begin with punctuation"],
  ["order x#4411", '"#4411"', false, "a letter stands before it"],
  ["order 44110", '"4411"', false, "a digit follows"],
  ["INV-0042", '"INV-0042"', true, "the whole id"],
  ["INV-0042", '"0042"', true, "a string asks only for letters and digits beside it"],
  ["INV-0042", "42", false, "a number after a hyphen that follows a letter is none"],
  ["INV-0042", '"inv-0042"', false, "letters are compared as they are"],
  ["id0042", '"0042"', false, "a letter stands before"],
  ["a1b2c3", '"a1b2c3"', true, "letters and digits"],
  ["a1b2c3", '"b2"', false, "in the midst of a word"],
  ["f47ac10b-58cc", '"58cc"', true, "a hyphen is no letter"],
], asItStands);

table("accents and combining marks", [
  ["café", '"café"', true, "composed, as typed"],
  ["cafe\u0301", '"cafe\u0301"', true, "decomposed, as typed"],
  ["cafe\u0301", '"café"', false, "nothing is normalised"],
  ["café", '"cafe\u0301"', false, "nothing is normalised"],
  ["café", '"cafe"', false, "é is another letter than e"],
  ["café", '"caf"', false, "é is a letter, and follows"],
  ["cafe\u0301", '"cafe"', true, "a combining mark is no letter"],
  ["São Paulo", '"São Paulo"', true, "two words"],
  ["São Paulo", '"Sao Paulo"', false, "letter for letter"],
  ["São Paulo", '"o Paulo"', false, "ã stands before o"],
  ["ação", '"a\u00e7\u00e3o"', true, "an escape in JSON is the letter"],
  ["AÇÃO", '"ação"', false, "capitals are other letters"],
  ["ﬁm", '"fim"', false, "a ligature is another letter"],
  ["नमस्ते", '"नमस्ते"', true, "vowel signs inside"],
  ["नमस्ते", '"नमस"', true, "a virama is a mark (Mn), no letter"],
  ["e\u0301a", '"a"', true, "a mark stands before it"],
  ["Ångström", '"Ångström"', true, "composed"],
  ["A\u030angström", '"Ångström"', false, "decomposed"],
], asItStands);

table("emoji and symbols", [
  ["👍", '"👍"', false, "it holds no letter or digit"],
  ["go 👍", '"go 👍"', true, "with a word"],
  ["👍go👍", '"go"', true, "an emoji is no letter"],
  ["👍🏽go", '"go"', true, "nor is its skin tone"],
  ["👨‍👩‍👧 Ana", '"Ana"', true, "nor is a family"],
  ["🇧🇷Ana", '"Ana"', true, "nor are flags' letters (So)"],
  ["4️⃣", "4", true, "a keycap's marks are no letters"],
  ["4️⃣", '"4"', true, "for strings neither"],
  ["①", "1", false, "a circled digit is a digit of another script"],
  ["①a", '"a"', false, "a digit (No) stands before"],
  ["Ⓐb", '"b"', true, "a circled letter is a symbol (So)"],
  ["™Ana", '"Ana"', true, "a symbol"],
  ["👍40👍", "40", true, "beside a numeral too"],
  ["💰40", "40", true, "an emoji of money is no currency sign, and no letter"],
  ["-💰40", "40", true, "so the sign before it is punctuation"],
  ["a♥b", '"a♥b"', true, "inside a string"],
], asItStands);

table("right to left", [
  ["שלום עולם", '"שלום"', true, "a word"],
  ["שלום עולם", '"שלום עולם"', true, "two words"],
  ["שלום עולם", '"לום"', false, "a letter stands before"],
  ["שלום\u200f", '"שלום"', true, "a mark of direction is no letter"],
  ["\u202eana\u202c", '"ana"', true, "nor are controls of direction"],
  ["\u202eana", '"\u202eana"', true, "which a string may hold"],
  ["ana", '"a\u200fna"', false, "letter for letter"],
  ["מחיר 40 שקל", "40", true, "a numeral between"],
  ["₪40", "40", true, "a currency sign"],
  ["40₪", "40", true, "after it"],
  ["‏-40", "-40", true, "a mark before the sign"],
  ["مرحبا", '"مرحبا"', true, "Arabic"],
  ["٤٠", '"٤٠"', true, "a string of Arabic digits"],
  ["٤٠", '"٤"', false, "a digit follows"],
  ["۴۰ ریال", "40", false, "numerals are written with 0 to 9"],
  ["ב40", "40", false, "glued to a letter"],
], asItStands);

table("quoted strings and punctuation", [
  ['"hello"', '"hello"', true, "quotation marks are no letters"],
  ["“hello”", '"hello"', true, "curly ones"],
  ["«hello»", '"hello"', true, "angled ones"],
  ["'hello'", '"hello"', true, "apostrophes"],
  ["'hello'", "\"'hello'\"", true, "or a part of it"],
  ['say "a b"', '"a b"', true, "with a space inside"],
  ['say "a  b"', '"a b"', false, "two spaces are not one"],
  ["don't", '"don"', true, "an apostrophe is no letter"],
  ["don’t", "\"don't\"", false, "another apostrophe"],
  ["`rm`", '"rm"', true, "a backquote"],
  ["a_b", '"a"', true, "an underscore is no letter (Pc)"],
  ["to: ana@x.org.", '"ana@x.org"', true, "the full stop is no letter"],
  ["joana@x.org", '"ana@x.org"', false, "a letter stands before"],
  ["/var/x", '"/var"', true, "a slash follows"],
  ["", '"a"', false, "nothing is there"],
  ["a", '""', false, "it holds no letter or digit"],
  ["...", '"..."', false, "it holds no letter or digit"],
  ["line one\nline two", '"one\\nline"', true, "a line break as typed"],
  ["line one line two", '"one\\nline"', false, "a space is none"],
], asItStands);

table("values that are no strings or numbers, and their leaves", [
  ["true", "true", false, "never typed"],
  ["false", "false", false, "never typed"],
  ["null", "null", false, "never typed"],
  ["{}", "{}", false, "never typed"],
  ["[]", "[]", false, "never typed"],
  ["true", '"true"', true, "a string is"],
  ["a", '["a"]', true, "every leaf is"],
  ["a", '["a",null]', false, "one leaf is not"],
  ["a", '["a",[]]', false, "an empty array is a leaf"],
  ["a", '["a",{}]', false, "so is an empty object"],
  ["a 1", '{"x":"a","y":[1]}', true, "leaves of leaves"],
  ["a 1", '{"x":"a","y":[1,true]}', false, "never typed"],
  ["a", '{"unknown":"a"}', true, "names of members are no leaves"],
  ["x", '{"x":"a"}', false, "nor proof"],
  ["a", '["a","a"]', false, "one occurrence proves one leaf"],
  ["a a", '["a","a"]', true, "two do"],
], asItStands);

table("occurrences, and several turns", [
  [["no", "order 4411"], '"4411"', true, "any turn"],
  [["order", "4411"], '"order 4411"', false, "nothing stands across two turns"],
  [["44", "11"], '"4411"', false, "nothing stands across two turns"],
  [["44", "11"], "4411", false, "no numeral either"],
  [["R$", "40"], "40", true, "the currency sign is in another turn, and not needed"],
  [["A-", "77"], "77", true, "the hyphen is in another turn"],
  [["a", "a"], '["a","a"]', true, "one in each"],
  [["a", "a"], '["a","a","a"]', false, "two prove two"],
  [["a b", "b"], '["a b","b"]', true, "the second turn has another"],
  [["a b"], '["a b","b"]', false, "they overlap"],
  [["b a b"], '["b","a b"]', true, "the earliest is free of the other"],
  [["a b a"], '["a b","b a"]', false, "b is taken"],
  [["4411"], '["4411",4411]', false, "a string takes the digits"],
  [["4411 4411"], '["4411",4411]', true, "two of them"],
  [["-40"], '[-40,"40"]', false, "a numeral takes its digits with its sign"],
  [["R$40"], '[40,"R"]', true, "but not its currency"],
  [[], '"a"', false, "no turns"],
  [["", ""], '"a"', false, "empty turns"],
], asItStands);
