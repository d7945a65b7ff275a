// The words of a policy's tools, made ready once a language: which tools have a word in their name, in also_called, in a description, in a parameter.

import { NO_TEXT, Text } from "../memory/buffer";
import { afterCodePoint, codePointAt, equalBytes } from "../memory/bytes";
import { NameTable } from "../memory/names";
import { enterRegion } from "../memory/region";
import { STRING, first, get, isKind, kind, next, count, ARRAY, stringLength, stringStart } from "../json/value";
import { lowerOf } from "../policy/letter-case";
import { Policy, Tool } from "../policy/policy";
import { isDigit } from "../unicode/properties";
import { folded, isInvisible, isWordPart } from "./fold";
import { CLOSED, DETERMINER, PREPOSITION, QUESTION, SENDS, VERB, LOOK, LIGHT } from "./classes";
import { Lexicon, foundClasses, foundOther, lexiconOf } from "./lexicon";
import { NAMES_ID, Parameter, kindsOf, readParameters } from "./parameters";

// Where a tool has a word.
/** The first part of its name: the verb, as names are made. */
export const FIRST: u32 = 1;
/** Another part of its name. */
export const REST: u32 = 2;
export const ALSO: u32 = 4;
export const DESCRIPTION: u32 = 8;
export const PARAMETER: u32 = 16;
/** A tool's own words. */
export const OWN: u32 = FIRST | REST | ALSO;
/** The tool has this very word, and not one of another language that stands for it. */
export const LITERAL: u32 = 1 << 8;

/** One tool that has a word. The last of a list has no tool: `for (let p = vocabulary.first(stem); p.tool >= 0; p = p.next)`. */
@final
export class Posting {
  constructor(
    /** By the catalogue's order; -1 at the list's end. */
    public tool: i32,
    public sources: u32,
    /** The word as the tool has it, folded. */
    public form: Text,
    /** The next tool that has it. */
    public next: Posting,
  ) {}

  /** The words of also_called that have the stem, where the tool's name has it too. */
  also: Array<Text> = [];

  /** Whether also_called has a word letter for letter, beside the name. */
  isAlso(word: Text): bool {
    for (let i = 0; i < this.also.length; i++) if (equalBytes(this.also[i].start, this.also[i].length, word.start, word.length)) return true;
    return false;
  }
}

/** What reading a turn knows of a tool. */
@final
export class ToolWords {
  parameters: Array<Parameter> = [];
  /** How many parts its name has. */
  parts: i32 = 0;
  constructor(public tool: Tool) {}
}

@final
export class Vocabulary {
  stems: NameTable = new NameTable();
  /** By a stem's number: the tools that have it, those read last first. */
  private postings: Array<Posting> = [];
  tools: Array<ToolWords> = [];
  private end: Posting;
  /** By stem: the noun of a tool's name that a word of also_called stands for (`pedido` for the order of `get_order`), or -1. */
  private aliases: Array<i32> = [];

  constructor(
    policy: Policy,
    public lexicon: Lexicon,
  ) {
    this.end = new Posting(-1, 0, NO_TEXT, changetype<Posting>(0));
    for (let i = 0; i < policy.tools.length; i++) this.readTool(policy.tools[i]);
  }

  /** The number of a stem, or -1 where no tool has it. */
  find(stem: Text): i32 {
    return this.stems.find(stem.start, stem.length);
  }

  /** The tools that have a stem; a number below 0 is no tool's. */
  first(stem: i32): Posting {
    return stem < 0 ? this.end : this.postings[stem];
  }

  /** The noun that a word of also_called stands for in the tools' names, or -1. */
  alias(stem: i32): i32 {
    return stem < 0 ? -1 : this.aliases[stem];
  }

  /** How many stems there are. */
  get size(): i32 {
    return this.postings.length;
  }

  /** The stems of the nouns that `addWords` added last: parts of a name after its first, or words of also_called that are no verbs. */
  private nouns: Array<i32> = [];

  private readTool(tool: Tool): void {
    this.nouns = [];
    const words = new ToolWords(tool);
    this.tools.push(words);
    words.parts = this.addWords(tool.name, tool.index, FIRST);
    const nouns = this.nouns;
    const also = get(tool.source, "also_called");
    if (isKind(also, ARRAY) && count(also) != 0) {
      const end = next(also);
      for (let phrase = first(also); phrase < end; phrase = next(phrase)) {
        if (kind(phrase) != STRING) continue;
        this.nouns = [];
        const count = this.addWords(new Text(stringStart(phrase), stringLength(phrase)), tool.index, ALSO);
        if (count != 1 || this.nouns.length != 1) continue;
        // The last part of a name is what the others describe.
        if (nouns.length != 0 && this.aliases[this.nouns[0]] < 0) this.aliases[this.nouns[0]] = nouns[nouns.length - 1];
      }
    }
    this.addWords(tool.description, tool.index, DESCRIPTION);
    words.parameters = readParameters(tool.source);
    for (let i = 0; i < words.parameters.length; i++) this.readName(words.parameters[i], tool.index);
  }

  /** Adds the words of a text; returns how many they were. The first of a name is its verb. */
  private addWords(text: Text, tool: i32, source: u32): i32 {
    const end = text.start + <usize>text.length;
    let words = 0;
    for (let at = text.start; at < end; ) {
      const from = wordStart(at, end);
      if (from == end) break;
      at = source == DESCRIPTION || source == ALSO ? proseEnd(from, end) : partEnd(from, end);
      this.addWord(folded(from, at), tool, source == FIRST && words > 0 ? REST : source);
      words++;
    }
    return words;
  }

  private addWord(word: Text, tool: i32, source: u32): void {
    if (word.length == 0) return;
    const stem = this.lexicon.stem(word.start, word.length);
    this.lexicon.find(word, stem);
    const classes = foundClasses;
    const other = foundOther;
    // Articles, prepositions and the like reach nothing, except as a name's parts.
    if ((source & (ALSO | DESCRIPTION)) != 0 && (classes & CLOSED) != 0 && ((classes & (VERB | SENDS | LOOK | LIGHT)) == 0 || (classes & (PREPOSITION | DETERMINER)) != 0)) return;
    if (source == DESCRIPTION && (classes & (LOOK | LIGHT | QUESTION)) != 0) return;
    const index = this.post(stem, tool, source | LITERAL, word);
    if ((source & (REST | ALSO)) != 0 && (source == REST || (classes & (VERB | SENDS | LOOK | LIGHT)) == 0)) this.nouns.push(index);
    // What a verb stands for reaches the tool too.
    if ((source & OWN) != 0 && (classes & (VERB | SENDS | LOOK | LIGHT)) != 0 && other.length != 0) {
      const english = folded(other.start, other.start + <usize>other.length);
      this.post(this.lexicon.stem(english.start, english.length), tool, source, english);
    }
  }

  /** Whether a stem is of the verb of a tool's name, or stands in also_called. */
  isVerb(stem: i32): bool {
    for (let posting = this.first(stem); posting.tool >= 0; posting = posting.next) if ((posting.sources & (FIRST | ALSO)) != 0) return true;
    return false;
  }

  /** Whether a tool's name has this very word after its verb. */
  isNoun(stem: i32, word: Text): bool {
    for (let posting = this.first(stem); posting.tool >= 0; posting = posting.next) {
      if ((posting.sources & (FIRST | REST)) == REST && equalBytes(posting.form.start, posting.form.length, word.start, word.length)) return true;
    }
    return false;
  }

  private post(stem: Text, tool: i32, source: u32, form: Text): i32 {
    const index = this.stems.add(stem.start, stem.length);
    if (index == this.postings.length) {
      this.postings.push(this.end);
      this.aliases.push(-1);
    }
    const last = this.postings[index];
    if (last.tool == tool) {
      last.sources |= source;
      if ((source & ALSO) != 0) last.also.push(form);
      return index;
    }
    this.postings[index] = new Posting(tool, source, form, last);
    return index;
  }

  /** Takes the words of a parameter's name. */
  private readName(parameter: Parameter, tool: i32): void {
    const name = parameter.name;
    const end = name.start + <usize>name.length;
    for (let at = name.start; at < end; ) {
      const from = wordStart(at, end);
      if (from == end) break;
      at = partEnd(from, end);
      const word = folded(from, at);
      const stem = this.lexicon.stem(word.start, word.length);
      const kinds = kindsOf(word);
      parameter.names |= kinds;
      parameter.spoken.push(word);
      const index = this.post(stem, tool, PARAMETER, word);
      if (kinds != NAMES_ID) parameter.words.push(index);
    }
  }
}

/** Where the first word at or after `at` begins; `end` where there is none. */
function wordStart(at: usize, end: usize): usize {
  while (at < end && !isWordPart(codePointAt(at))) at = afterCodePoint(at);
  return at;
}

/** Where a word of prose ends: hyphens and apostrophes stay in it. */
function proseEnd(at: usize, end: usize): usize {
  while (at < end) {
    const c = codePointAt(at);
    const after = afterCodePoint(at);
    if (!isWordPart(c) && !isInvisible(c)) {
      const joins = (c == 0x2d || c == 0x27 || c == 0x2019) && after < end && isWordPart(codePointAt(after));
      if (!joins) break;
    }
    at = after;
  }
  return at;
}

/** Where a part of a name ends: at `_` and the like, before a capital that follows a small letter, and between letters and digits. */
function partEnd(from: usize, end: usize): usize {
  let before = codePointAt(from);
  let at = afterCodePoint(from);
  while (at < end) {
    const c = codePointAt(at);
    if (!isWordPart(c) && !isInvisible(c)) break;
    if (isCapital(c) && !isCapital(before)) break;
    if (isDigit(c) != isDigit(before)) break;
    // `HTTPServer` is http and server.
    const after = afterCodePoint(at);
    if (isCapital(c) && isCapital(before) && after < end && isWordPart(codePointAt(after)) && !isCapital(codePointAt(after)) && !isDigit(codePointAt(after))) break;
    before = c;
    at = after;
  }
  return at;
}

function isCapital(c: i32): bool {
  return lowerOf(c) != c;
}

/** The words of a policy in a language, made when first asked for; they stay with the policy. */
export function vocabularyOf(policy: Policy, language: i32): Vocabulary {
  const made = policy.vocabularies;
  if (language < made.length && made[language] != 0) return changetype<Vocabulary>(made[language]);
  const lexicon = lexiconOf(language);
  const before = enterRegion(policy.region);
  while (made.length <= language) made.push(0);
  const vocabulary = new Vocabulary(policy, lexicon);
  made[language] = changetype<usize>(vocabulary);
  enterRegion(before);
  return vocabulary;
}
