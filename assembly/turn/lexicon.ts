// The words of a language: what class each is of, which English word it stands for, and how inflected forms are made one.

import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { NameTable } from "../memory/names";
import { createRegion, enterRegion } from "../memory/region";
import { ASKS_TOO, BECOMES, BIDS, CALCULATION, COUNTS, EXTENDS, Form, INFLECTED, LEAKS, LEMMAS, PHRASE, QUANTIFIES, SENDS, UNTIL } from "./classes";
import { LANGUAGES, languageLength, languageStart } from "./words.gen";

/** An ending and what comes in its place. */
@final
class Ending {
  constructor(
    public group: i32,
    public from: Text,
    public to: Text,
  ) {}
}

/** What a look-up found. */
export let foundClasses: u32 = 0;
/** The English word that a word stands for, as it is written; empty where none is given. */
export let foundOther: Text = NO_TEXT;
/** The stem of the verb that a form is of, where its ending says so; else empty. */
export let foundVerb: Text = NO_TEXT;
/** Whether the language has the word just so, and not only a word that it may be a form of. */
export let foundExact: bool = false;

@final
export class Lexicon {
  language: Text = NO_TEXT;
  thousands: u32 = 0x2c;
  decimals: u32 = 0x2e;
  /** What comes first in 30/11/2026: `d`ay, `m`onth, `e`ither. */
  dateOrder: u32 = 0x65;
  private words: NameTable = new NameTable();
  private classes: Array<u32> = [];
  private others: Array<Text> = [];
  private stems: NameTable = new NameTable();
  private stemClasses: Array<u32> = [];
  private stemOthers: Array<Text> = [];
  private stemLemmas: Array<Text> = [];
  private irregular: NameTable = new NameTable();
  private lemmas: Array<Text> = [];
  private endings: Array<Ending> = [];
  private groups: i32 = 0;
  private always: Array<Text> = [];
  private participles: Array<Text> = [];
  private nouns: Array<Text> = [];
  private never: Array<Text> = [];
  private forms: Array<Text> = [];
  private conjugated: Array<Text> = [];
  private nounsToo: NameTable = new NameTable();
  private pasts: NameTable = new NameTable();
  private pastEndings: Array<Text> = [];
  private derived: Array<Text> = [];
  private gerunds: Array<Text> = [];
  /** How the stem of a verb changes: at its end, and its last vowel. */
  private changes: Array<Ending> = [];
  private vowels: Array<Ending> = [];
  private traitWords: NameTable = new NameTable();
  private traits: Array<u32> = [];

  constructor(start: usize, length: i32) {
    const end = start + <usize>length;
    for (let at = start; at < end; ) {
      let stop = at;
      while (load<u8>(stop) != 0x0a) stop++;
      this.readLine(load<u8>(at), at + 1, stop);
      at = stop + 1;
    }
  }

  private readLine(key: u32, start: usize, end: usize): void {
    if (key == 0x21) this.language = new Text(start, <i32>(end - start));
    else if (key == 0x2c) this.thousands = load<u8>(start);
    else if (key == 0x2e) this.decimals = load<u8>(start);
    else if (key == 0x31) this.dateOrder = load<u8>(start);
    else {
      if (key == 0x3e) this.groups++;
      for (let at = start; at < end; ) {
        let stop = at;
        let middle: usize = 0;
        while (stop < end && load<u8>(stop) != 0x2c) {
          if (load<u8>(stop) == 0x3d || load<u8>(stop) == 0x3e) middle = stop;
          stop++;
        }
        const word = new Text(at, <i32>((middle != 0 ? middle : stop) - at));
        this.readItem(key, word, middle != 0 ? new Text(middle + 1, <i32>(stop - middle - 1)) : NO_TEXT);
        at = stop + 1;
      }
    }
  }

  private readItem(key: u32, word: Text, other: Text): void {
    if (key == 0x3e) this.endings.push(new Ending(this.groups, word, other));
    else if (key == 0x7e) {
      if (this.irregular.add(word.start, word.length) == this.lemmas.length) this.lemmas.push(other);
    } else if (key == 0x2b) this.always.push(word);
    else if (key == 0x2d) this.participles.push(word);
    else if (key == 0x73) this.nouns.push(word);
    else if (key == 0x78) this.never.push(word);
    else if (key == 0x66) this.forms.push(word);
    else if (key == 0x76) this.conjugated.push(word);
    else if (key == 0x6e) this.nounsToo.add(word.start, word.length);
    else if (key == 0x70) this.pasts.add(word.start, word.length);
    else if (key == 0x77) this.pastEndings.push(word);
    else if (key == 0x64) this.derived.push(word);
    else if (key >= 0x61) this.addTrait(<u32>1 << (key - 0x61), word);
    else if (key >= 0x32 && key <= 0x34) this.addTrait(<u32>1 << (key - 0x32 + 29), word);
    else if (key == 0x35) this.gerunds.push(word);
    else if (key == 0x36) this.addTrait(BECOMES, word);
    else if (key == 0x38) this.addTrait(COUNTS, word);
    else if (key == 0x37) this.addTrait(UNTIL, word);
    else if (key == 0x3f) this.changes.push(new Ending(0, word, other));
    else if (key == 0x40) this.vowels.push(new Ending(0, word, other));
    else if (key == 0x39) this.addTrait(LEAKS, word);
    else if (key == 0x3a) this.addTrait(ASKS_TOO, word);
    else if (key == 0x3b) this.addTrait(QUANTIFIES, word);
    else if (key == 0x3c) this.addTrait(BIDS, word);
    else if (key == 0x3d) this.addTrait(EXTENDS, word);
    else this.addWord(<u32>1 << (key - 0x41), word, other);
  }

  private addTrait(bit: u32, word: Text): void {
    const key = (bit & INFLECTED) != 0 ? this.stem(word.start, word.length) : word;
    const index = this.traitWords.add(key.start, key.length);
    if (index == this.traits.length) this.traits.push(bit);
    else this.traits[index] |= bit;
  }

  /** The traits of a word or a phrase, those of verbs and nouns by its stem. */
  traitsOf(word: Text, stem: Text): u32 {
    const exact = this.traitWords.find(word.start, word.length);
    const inflected = this.traitWords.find(stem.start, stem.length);
    return (exact < 0 ? 0 : this.traits[exact] & ~INFLECTED) | (inflected < 0 ? 0 : this.traits[inflected] & INFLECTED);
  }

  /** What is left of an adjective that is made of a noun (`salarial`), stemmed; empty where it is none. */
  nounOf(word: Text): Text {
    for (let i = 0; i < this.derived.length; i++) {
      const left = word.length - this.derived[i].length;
      if (left >= 5 && endsWith(word.start, word.length, this.derived[i])) return this.strip(new Text(word.start, left));
    }
    return NO_TEXT;
  }

  private addWord(bit: u32, word: Text, other: Text): void {
    const index = this.words.add(word.start, word.length);
    if (index == this.classes.length) {
      this.classes.push(bit);
      this.others.push(other);
    } else {
      this.classes[index] |= bit;
      if (other.length != 0 && this.others[index].length == 0) this.others[index] = other;
    }
    let space = 0;
    while (space < word.length && load<u8>(word.start + <usize>space) != 0x20) space++;
    if (space < word.length) {
      const first = this.words.add(word.start, space);
      if (first == this.classes.length) {
        this.classes.push(PHRASE);
        this.others.push(NO_TEXT);
      } else this.classes[first] |= PHRASE;
      return;
    }
    if ((bit & LEMMAS) == 0) return;
    const stem = this.stem(word.start, word.length);
    const known = this.stems.add(stem.start, stem.length);
    // A verb stands for itself where no other word is given.
    const stands = other.length != 0 ? other : word;
    if (known == this.stemClasses.length) {
      this.stemClasses.push(bit);
      this.stemOthers.push(stands);
      this.stemLemmas.push(word);
    } else {
      this.stemClasses[known] |= bit;
      // What sends is named as such, whatever else the word is.
      if ((bit & SENDS) != 0) this.stemOthers[known] = stands;
    }
  }

  /** Whether what a word stands for is of another language than the word. */
  get translates(): bool {
    return !(this.language.length == 2 && load<u16>(this.language.start) == 0x6e65);
  }

  /** How many stems a verb's form may be of beside its own (`insira` of `inserir`, `reponha` of `repor`). */
  get changesOf(): i32 {
    return this.changes.length + this.vowels.length;
  }

  /** The stem that a form's stem changes into by one of them; empty where that one says nothing. */
  changed(stem: Text, index: i32): Text {
    const atEnd = index < this.changes.length;
    const change = atEnd ? this.changes[index] : this.vowels[index - this.changes.length];
    let at = stem.length - change.from.length;
    if (atEnd) {
      if (!endsWith(stem.start, stem.length, change.from)) return NO_TEXT;
    } else {
      while (at > 0 && !isVowel(load<u8>(stem.start + <usize>at))) at--;
      if (0 >= at || load<u8>(stem.start + <usize>at) != load<u8>(change.from.start)) return NO_TEXT;
    }
    const out = new Buffer(stem.length + 8);
    out.bytes(stem.start, at);
    out.text(change.to);
    out.bytes(stem.start + <usize>(at + change.from.length), stem.length - at - change.from.length);
    return out.view();
  }

  /** Looks a folded word up: its classes are left in `foundClasses`, what it stands for in `foundOther`. */
  find(word: Text, stem: Text): void {
    foundClasses = 0;
    foundOther = NO_TEXT;
    foundVerb = NO_TEXT;
    foundExact = this.words.find(word.start, word.length) >= 0;
    const known = this.stems.find(stem.start, stem.length);
    if (known >= 0 && this.isForm(word, this.stemLemmas[known])) {
      foundClasses = this.stemClasses[known];
      foundOther = this.stemOthers[known];
    } else this.findParticiple(word);
    const index = this.words.find(word.start, word.length);
    if (index < 0) return;
    foundClasses |= this.classes[index];
    if (this.others[index].length != 0) foundOther = this.others[index];
  }

  /** Looks up what verb that sends or calculates a participle is of, where `stem` leaves its ending on (`pedido` is no form of `pedir`). */
  private findParticiple(word: Text): void {
    for (let i = 0; i < this.participles.length; i++) {
      const ending = this.participles[i];
      if (!endsWith(word.start, word.length, ending)) continue;
      const known = this.stems.find(word.start, word.length - ending.length);
      if (known < 0 || (this.stemClasses[known] & (SENDS | CALCULATION)) == 0) continue;
      foundVerb = this.stem(this.stemLemmas[known].start, this.stemLemmas[known].length);
      foundClasses = this.stemClasses[known];
      foundOther = this.stemOthers[known];
      return;
    }
    this.findConjugated(word);
  }

  /** Looks up what verb a form is of whose ending nouns have too, so that `stem` leaves it on (`publicaremos`; but `secretaria`). */
  private findConjugated(word: Text): void {
    for (let i = 0; i < this.conjugated.length; i++) {
      const ending = this.conjugated[i];
      if (word.length - ending.length < 3 || !endsWith(word.start, word.length, ending)) continue;
      const stem = this.strip(new Text(word.start, word.length - ending.length));
      const known = this.stems.find(stem.start, stem.length);
      if (known < 0) continue;
      foundVerb = stem;
      foundClasses = this.stemClasses[known];
      foundOther = this.stemOthers[known];
      return;
    }
  }

  /** Whether a word is a form of a lemma with the same stem: by an ending that forms have, where the language names them. */
  private isForm(word: Text, lemma: Text): bool {
    if (this.forms.length == 0 || equalBytes(word.start, word.length, lemma.start, lemma.length)) return true;
    return endsWithAny(word, this.forms) || this.irregular.find(word.start, word.length) >= 0;
  }

  /** The classes of a phrase, its words apart by single spaces; 0 where it is none. */
  phrase(start: usize, length: i32): u32 {
    const index = this.words.find(start, length);
    if (index < 0) return 0;
    foundOther = this.others[index];
    return this.classes[index] & ~PHRASE;
  }

  /** What all inflected forms of a folded word have in common. */
  stem(start: usize, length: i32): Text {
    const lemma = this.irregular.find(start, length);
    if (lemma >= 0) return this.strip(this.lemmas[lemma]);
    return this.strip(new Text(start, length));
  }

  /** Takes endings off; those of the first `after` groups stay on. */
  private strip(word: Text, after: i32 = 0): Text {
    let at = word.start;
    let length = word.length;
    let group = after;
    for (let i = 0; i < this.endings.length; i++) {
      const ending = this.endings[i];
      if (ending.group <= group) continue;
      const from = ending.from;
      if (length - from.length + ending.to.length < 3 || !endsWith(at, length, from)) continue;
      group = ending.group;
      if (ending.to.length == 0) {
        length -= from.length;
        continue;
      }
      const out = new Buffer(length + 8);
      out.bytes(at, length - from.length);
      out.text(ending.to);
      at = out.start;
      length = out.length;
    }
    return new Text(at, length);
  }

  /** How a verb's form is used. */
  form(word: Text): Form {
    if (endsWithAny(word, this.always)) return Form.Always;
    if (endsWithAny(word, this.participles)) return Form.Participle;
    return endsWithAny(word, this.nouns) ? Form.Noun : Form.Base;
  }

  /** Whether a form of a verb that sends is the form of a noun too. */
  isNounToo(word: Text): bool {
    return this.nounsToo.find(word.start, word.length) >= 0;
  }

  /** Whether a form names or describes what is done: `freezing the card`. */
  isGerund(word: Text): bool {
    return endsWithAny(word, this.gerunds);
  }

  /** Whether a form tells of what was. */
  isPast(word: Text): bool {
    if (this.pasts.find(word.start, word.length) >= 0) return true;
    // `grava`, of `gravar`, only looks like one.
    return this.irregular.find(word.start, word.length) < 0 && endsWithAny(word, this.pastEndings);
  }

  /** Whether a form may be a participle: by its ending, or as an irregular form. */
  isParticiple(word: Text): bool {
    return endsWithAny(word, this.participles) || this.irregular.find(word.start, word.length) >= 0;
  }

  /** The stem of the verb that a participle is of, its ending taken off. */
  verbOf(word: Text): Text {
    for (let i = 0; i < this.participles.length; i++) {
      const ending = this.participles[i];
      if (word.length - ending.length >= 3 && endsWith(word.start, word.length, ending)) return this.strip(new Text(word.start, word.length - ending.length), 1);
    }
    return this.stem(word.start, word.length);
  }

  /** Whether a verb's form may be a command; `lemma` is its dictionary form. */
  isCommand(word: Text, lemma: Text): bool {
    if (equalBytes(word.start, word.length, lemma.start, lemma.length)) return true;
    return !this.isPast(word) && (endsWithAny(word, this.always) || !endsWithAny(word, this.never));
  }
}

function isVowel(letter: u32): bool {
  return letter == 0x61 || letter == 0x65 || letter == 0x69 || letter == 0x6f || letter == 0x75;
}

function endsWith(start: usize, length: i32, ending: Text): bool {
  return length >= ending.length && equalBytes(start + <usize>(length - ending.length), ending.length, ending.start, ending.length);
}

function endsWithAny(word: Text, endings: Array<Text>): bool {
  for (let i = 0; i < endings.length; i++) if (endsWith(word.start, word.length, endings[i])) return true;
  return false;
}

/** The lexicons that were asked for, in a region of their own that is never emptied. */
let region: usize = 0;
let lexicons: StaticArray<Lexicon | null> = changetype<StaticArray<Lexicon | null>>(0);

/** The number of a language by its name, or -1. */
export function languageIndex(name: Text): i32 {
  for (let i = 0; i < LANGUAGES; i++) {
    const start = languageStart(i) + 1;
    let length = 0;
    while (load<u8>(start + <usize>length) != 0x0a) length++;
    if (equalBytes(start, length, name.start, name.length)) return i;
  }
  return -1;
}

/** The words of a language, read when first asked for. */
export function lexiconOf(index: i32): Lexicon {
  if (region == 0) {
    region = createRegion();
    const before = enterRegion(region);
    lexicons = new StaticArray<Lexicon | null>(LANGUAGES);
    enterRegion(before);
  }
  let lexicon = lexicons[index];
  if (lexicon === null) {
    const before = enterRegion(region);
    lexicon = new Lexicon(languageStart(index), languageLength(index));
    lexicons[index] = lexicon;
    enterRegion(before);
  }
  return lexicon;
}
