// A turn cut into what it is made of: words, values, quoted texts, and the marks between them; each looked at once.

import { DestinationSink, findDestinations } from "../evidence/destinations";
import { Buffer, Text } from "../memory/buffer";
import { afterCodePoint, codePointAt } from "../memory/bytes";
import { spend } from "../memory/steps";
import { isCurrencySign } from "../unicode/properties";
import { fold, folded, isInvisible, isWordPart } from "./fold";
import { ABBREVIATION, AND, BE, CALCULATION, SENDS, VERB } from "./classes";
import { Lexicon, foundClasses, foundExact, foundOther, foundVerb } from "./lexicon";
import { EXTENSION, kindsOf } from "./parameters";
import { closing, isAscii, isDigitOf, isSpaceAt, joins } from "./marks";
import { findPaths } from "./paths";
import { joinPhrases } from "./phrases";
import { Kind, PATH, Token } from "./token";
import { Vocabulary } from "./vocabulary";
import { isDateText, readNumeral, numeralValue } from "./values";

/** The turn being cut. */
@final
export class Tokens {
  list: Array<Token> = [];
  /** Every address of the turn, by where it starts. */
  addresses: DestinationSink = new DestinationSink();
  kinds: Array<i32> = [];
  /** By address: the token it is, or stands in. */
  holders: Array<Token | null> = [];
  private lexicon: Lexicon;
  private end: usize;
  private address: i32 = 0;
  /** The address that quotation marks stand around, or -1. */
  private quotes: i32 = -1;
  /** Quotation marks that were sought in vain: not sought again. */
  private unclosed: Array<i32> = [];
  private words: Buffer;
  /** The last mark that became no token. */
  private led: i32 = 0;

  constructor(
    private text: Text,
    private vocabulary: Vocabulary,
  ) {
    this.lexicon = vocabulary.lexicon;
    this.end = text.start + <usize>text.length;
    this.words = new Buffer(text.length * 2 + 64);
    this.findAddresses();
    this.cut();
    joinPhrases(this.list, this.lexicon, this.vocabulary);
  }

  /** Merges the destinations of chapter 5 with paths; of two that overlap the one that starts first stands. */
  private findAddresses(): void {
    const found = new DestinationSink();
    findDestinations(this.text.start, this.text.length, null, found);
    const order = findPaths(this.text.start, this.text.length);
    let i = 0;
    let j = 0;
    let last = -1;
    while (i < found.count || j < order.count) {
      const path = i >= found.count || (j < order.count && order.begin(j) < found.begin(i));
      const sink = path ? order : found;
      const k = path ? j++ : i++;
      if (sink.begin(k) < last) continue;
      // A path that runs into an address of chapter 5 is that address's.
      if (path && i < found.count && found.begin(i) < order.end(k)) continue;
      this.addUnquoted(sink, k);
      this.kinds.push(path ? PATH : found.kind(k));
      this.holders.push(null);
      last = sink.end(k);
    }
  }

  /** Adds an address; quotation marks on both its sides are not part of it, though `'` may begin a local part. */
  private addUnquoted(sink: DestinationSink, k: i32): void {
    const begin = sink.begin(k);
    const end = sink.end(k);
    const quoted = load<u8>(this.text.start + <usize>begin) == 0x27 && end < this.text.length && load<u8>(this.text.start + <usize>end) == 0x27 && end - begin > 1;
    this.addresses.add(sink.kind(k), quoted ? begin + 1 : begin, end, sink.wholeEnd(k));
  }

  /** The text of an address, as the turn has it. */
  addressText(k: i32): Text {
    return new Text(this.text.start + <usize>this.addresses.begin(k), this.addresses.length(k));
  }

  private begin(address: i32): usize {
    return this.text.start + <usize>this.addresses.begin(address);
  }

  /** Gives every address that begins before `until` to a token; those that begin before it stay with the token that stands there. */
  private hold(token: Token, until: usize): void {
    while (this.address < this.addresses.count && this.begin(this.address) < until) {
      this.holders[this.address] = token;
      this.address++;
    }
  }

  private add(kind: Kind, start: usize, end: usize): Token {
    const token = new Token(kind, start, end);
    token.led = this.led;
    this.led = 0;
    this.list.push(token);
    return token;
  }

  private cut(): void {
    let at = this.text.start;
    while (at < this.end) {
      spend(1);
      if (this.address < this.addresses.count && this.begin(this.address) <= at) {
        const token = this.add(Kind.Address, this.begin(this.address), this.text.start + <usize>this.addresses.end(this.address));
        token.address = this.kinds[this.address];
        token.quoted = this.quotes == this.address;
        token.file = this.endsAsFile(token.start, token.end);
        this.holders[this.address] = token;
        this.address++;
        at = max(at, token.end);
        // The mark that closes is no mark that opens.
        if (token.quoted && at < this.end) at = afterCodePoint(at);
        continue;
      }
      const c = codePointAt(at);
      if (isWordPart(c) || isInvisible(c)) at = this.word(at);
      else at = this.mark(at, c);
    }
  }

  /** Where the next address begins; a word does not run into it. */
  private limit(): usize {
    return this.address < this.addresses.count ? this.begin(this.address) : this.end;
  }

  /** Reads a word, a number or a mark at `at`; returns where it ends. */
  private word(at: usize): usize {
    const end = this.limit();
    const file = this.fileEnd(at, end);
    if (file != 0) {
      const token = this.add(Kind.Address, at, file);
      token.address = PATH;
      token.file = token.bare = true;
      return file;
    }
    let stop = at;
    let digits = this.inMark(at, end);
    let letters = 0;
    let before = 0;
    while (stop < end) {
      const c = codePointAt(stop);
      const after = afterCodePoint(stop);
      if (isWordPart(c)) {
        if (isDigitOf(c)) digits = true;
        else letters++;
        before = c;
      } else if (!isInvisible(c)) {
        if (after >= end || before == 0) break;
        const following = codePointAt(after);
        const grouped = (c == this.lexicon.thousands || c == this.lexicon.decimals) && isDigitOf(before) && isDigitOf(following);
        if (!isWordPart(following) || (!grouped && !joins(c, before, following, digits, letters))) break;
      }
      stop = after;
    }
    if (stop == at) stop = afterCodePoint(at);
    if (before == 0) return stop;
    // `US$ 40`: letters before a currency sign belong to it.
    if (!digits && stop < end && isCurrencySign(codePointAt(stop))) return stop;
    if (digits) this.number(at, stop, false, false);
    else this.plainWord(at, stop);
    return stop;
  }

  /** Where letters, digits, dots, hyphens and underscores end that were looked at last. */
  private nameEnd: usize = 0;

  /** Where a file's name ends that begins at `at`, such as `report_final.pdf`; 0 where none does. */
  private fileEnd(at: usize, end: usize): usize {
    if (at < this.nameEnd) return 0;
    let stop = at;
    let dots = false;
    while (stop < end) {
      const c = codePointAt(stop);
      if (c == 0x2e) dots = true;
      else if (c != 0x2d && c != 0x5f && !isWordPart(c)) break;
      stop = afterCodePoint(stop);
    }
    this.nameEnd = stop;
    while (stop > at && load<u8>(stop - 1) == 0x2e) stop--;
    return dots && this.endsAsFile(at + 1, stop) ? stop : 0;
  }

  /** Whether a text ends with a dot and the ending of files' names. */
  private endsAsFile(start: usize, end: usize): bool {
    let at = end;
    while (at > start && isAscii(load<u8>(at - 1))) at--;
    return at > start && at < end && end - at <= 5 && load<u8>(at - 1) == 0x2e && (kindsOf(folded(at, end)) & EXTENSION) != 0;
  }

  /** Where the letters, digits, hyphens and underscores end that were looked at last, and whether a digit and a letter are among them. */
  private runEnd: usize = 0;
  private runIsMark: bool = false;

  /** Whether letters and digits begin at `at` that hyphens or underscores make one mark, such as `ana_lima_77` or `INV-ABC-77`. */
  private inMark(at: usize, end: usize): bool {
    if (at < this.runEnd) return this.runIsMark;
    let digits = false;
    let letters = false;
    let joined = false;
    let stop = at;
    while (stop < end) {
      const c = codePointAt(stop);
      if (isDigitOf(c)) digits = true;
      else if (c == 0x2d || c == 0x5f) joined = true;
      else if (isWordPart(c)) letters = true;
      else if (!isInvisible(c)) break;
      stop = afterCodePoint(stop);
    }
    this.runEnd = stop;
    this.runIsMark = digits && letters && joined && !this.sends(at, stop);
    return this.runIsMark;
  }

  /** Whether a part of what hyphens and underscores join is a verb that sends: no mark hides it. */
  private sends(at: usize, end: usize): bool {
    let from = at;
    for (let stop = at; stop <= end; stop++) {
      const c = stop < end ? load<u8>(stop) : 0x2d;
      if (c != 0x2d && c != 0x5f) continue;
      const part = folded(from, stop);
      this.lexicon.find(part, this.lexicon.stem(part.start, part.length));
      if ((foundClasses & SENDS) != 0) return true;
      from = stop + 1;
    }
    return false;
  }

  private plainWord(at: usize, stop: usize): void {
    const token = this.add(Kind.Word, at, stop);
    const from = this.words.length;
    this.words.reserve(<i32>(stop - at) * 2 + 8);
    fold(at, stop, this.words);
    token.word = new Text(this.words.start + <usize>from, this.words.length - from);
    this.look(token);
  }

  private look(token: Token): void {
    const stem = this.lexicon.stem(token.word.start, token.word.length);
    this.lexicon.find(token.word, stem);
    token.classes = foundClasses;
    // An accent tells `é` from `e`.
    if ((foundClasses & (AND | BE)) == (AND | BE) && load<u8>(token.start) >= 0x80) token.classes &= ~AND;
    token.stands = foundOther;
    token.stem = this.vocabulary.find(stem);
    if (token.stem < 0 && foundVerb.length != 0) token.stem = this.vocabulary.find(foundVerb);
    token.traits = this.lexicon.traitsOf(token.word, stem);
    if (token.stem < 0 && foundClasses == 0) this.change(token, stem);
    // `dividendos`, a noun of a tool, is no form of `dividir`.
    if ((foundClasses & (CALCULATION | VERB)) == (CALCULATION | VERB) && !foundExact && this.vocabulary.isNoun(token.stem, token.word)) token.classes = 0;
    if (token.stem < 0 && foundClasses == 0) {
      // `salarial` speaks of a `salário`.
      const noun = this.lexicon.nounOf(token.word);
      if (noun.length != 0) token.stem = this.vocabulary.find(noun);
    }
    if (foundOther.length == 0) return;
    const other = new Buffer(foundOther.length + 8);
    fold(foundOther.start, foundOther.start + <usize>foundOther.length, other);
    token.other = this.vocabulary.find(this.lexicon.stem(other.start, other.length));
  }

  /** A form whose stem is another than its verb's, of a tool's verb. */
  private change(token: Token, stem: Text): void {
    for (let i = 0; i < this.lexicon.changesOf; i++) {
      const other = this.lexicon.changed(stem, i);
      if (other.length < 3) continue;
      const known = this.vocabulary.find(other);
      if (known < 0 || !this.vocabulary.isVerb(known)) continue;
      token.stem = known;
      return;
    }
  }

  /** Adds the number, date or mark that digits are part of. */
  private number(at: usize, stop: usize, money: bool, negative: bool): Token {
    const numeral = readNumeral(at, stop, this.lexicon);
    const token = this.add(numeral ? Kind.Number : isDateText(at, stop) ? Kind.Date : Kind.Mark, at, stop);
    if (numeral) {
      token.value = negative ? -numeralValue : numeralValue;
    }
    token.money = money;
    return token;
  }

  /** Reads a character that is in no word; returns where it ends. */
  private mark(at: usize, c: i32): usize {
    const after = afterCodePoint(at);
    if (c == 0x2c || c == 0xff0c || c == 0x3001) {
      this.add(Kind.Comma, at, after);
      return after;
    }
    if (c == 0x3b || c == 0x21 || c == 0x3f || c == 0x0a || c == 0x0d || c == 0x2026 || c == 0x3002 || c == 0xff1b || c == 0xff01 || c == 0xff1f || c == 0x2028 || c == 0x2029) {
      this.add(Kind.Break, at, after);
      return after;
    }
    if (c == 0x2e) {
      // `.5`
      if (this.lexicon.decimals == 0x2e && after < this.limit() && isDigitOf(codePointAt(after)) && (at == this.text.start || !isWordPart(this.before(at)))) return this.fraction(at, after);
      if (after == this.end || isSpaceAt(after)) {
        if (!this.afterAbbreviation(at)) this.add(Kind.Break, at, after);
      } else this.led = c;
      return after;
    }
    const close = closing(c);
    if (close != 0) return this.quoted(at, after, c, close);
    if (isCurrencySign(c)) return this.currency(at, after);
    if (this.divides(at, after, c)) this.led = c;
    const last = this.last();
    if (c == 0x25 && last !== null && last.kind == Kind.Number && at - last.end <= 1) last.percent = true;
    if ((c == 0x2d || c == 0x2212 || c == 0x2b) && after < this.limit() && isDigitOf(codePointAt(after)) && (at == this.text.start || !isWordPart(this.before(at)))) {
      const stop = this.word(after);
      const token = this.list[this.list.length - 1];
      if (c != 0x2b && token.kind == Kind.Number) token.value = -token.value;
      return stop;
    }
    return after;
  }

  /** A number that begins with its decimals: `.5`, `$.99`. */
  private fraction(at: usize, after: usize): usize {
    const stop = this.word(after);
    const token = this.list[this.list.length - 1];
    if (token.kind != Kind.Number) return stop;
    for (let i = token.from; i < token.to; i++) token.value /= 10;
    token.start = token.from = at;
    token.money = at > this.text.start && isCurrencySign(this.before(at));
    return stop;
  }

  /** Whether a mark may divide what it stands between: no hyphen or underscore inside of a word, and no space. */
  private divides(at: usize, after: usize, c: i32): bool {
    if (c <= 0x20 || c == 0xa0 || c == 0x23 || c == 0x25 || c == 0x5f || c == 0x2028 || c == 0x2029 || c == 0x3000) return false;
    const inside = at > this.text.start && isWordPart(this.before(at)) && after < this.end && isWordPart(codePointAt(after));
    return !inside || (c != 0x2d && c != 0x2010 && c != 0x2011);
  }

  private last(): Token | null {
    return this.list.length == 0 ? null : this.list[this.list.length - 1];
  }

  private before(at: usize): i32 {
    at--;
    while ((load<u8>(at) & 0xc0) == 0x80) at--;
    return codePointAt(at);
  }

  /** Whether the word that ends at `at` is an abbreviation or a single letter. */
  private afterAbbreviation(at: usize): bool {
    if (this.list.length == 0) return false;
    const last = this.list[this.list.length - 1];
    return last.kind == Kind.Word && last.end == at && (last.classes & ABBREVIATION) != 0;
  }

  /** A currency sign: the number after it, one space between at most, or the one before it. */
  private currency(at: usize, after: usize): usize {
    const last = this.last();
    let digits = after;
    if (digits < this.end && (load<u8>(digits) == 0x20 || codePointAt(digits) == 0xa0)) digits = afterCodePoint(digits);
    if (digits < this.limit() && isDigitOf(codePointAt(digits))) {
      const stop = this.word(digits);
      const token = this.list[this.list.length - 1];
      token.money = true;
      if (at > this.text.start && (this.before(at) == 0x2d || this.before(at) == 0x2212) && token.kind == Kind.Number) token.value = -token.value;
      return stop;
    }
    if (last !== null && last.kind == Kind.Number && at - last.end <= 1) last.money = true;
    return after;
  }

  /** A quoted text, where its end is found; else the mark alone. */
  private quoted(at: usize, after: usize, open: i32, close: i32): usize {
    // An apostrophe inside or at the end of a word opens nothing.
    if (open == close && open != 0x22 && at > this.text.start && isWordPart(this.before(at))) return after;
    if (this.unclosed.includes(open)) {
      this.led = open;
      return after;
    }
    let stop = after;
    for (; stop < this.end; stop = afterCodePoint(stop)) {
      spend(1);
      const c = codePointAt(stop);
      if (c != close) continue;
      const beyond = afterCodePoint(stop);
      if (open == 0x27 && beyond < this.end && isWordPart(codePointAt(beyond))) continue;
      break;
    }
    if (stop >= this.end) {
      this.unclosed.push(open);
      this.led = open;
      return after;
    }
    const beyond = afterCodePoint(stop);
    // Quotation marks around nothing but an address: the address.
    if (this.address < this.addresses.count && this.begin(this.address) == after && this.text.start + <usize>this.addresses.end(this.address) == stop) {
      this.quotes = this.address;
      return after;
    }
    const token = this.add(Kind.Quoted, at, beyond);
    token.from = after;
    token.to = stop;
    this.hold(token, beyond);
    return beyond;
  }
}
