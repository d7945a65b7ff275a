// Binds the values of a clause to the parameters of its tool (chapter 6, From words to steps, 3).

import { DestinationKind } from "../evidence/destinations";
import { Value, stringLength, stringText } from "../json/value";
import { Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { spend } from "../memory/steps";
import { accepts, takesAddress } from "./accept";
import { AND, CLOSED, DETERMINER, FILLER, LOOK, MONEY, OFF, ON, PREPOSITION, PRONOUN, SENDS, SKIP, TOWARD } from "./classes";
import { Lexicon } from "./lexicon";
import { Format, NAMES_DATE, NAMES_EMAIL, NAMES_GOAL, NAMES_ID, NAMES_MONEY, NAMES_PATH, NAMES_PERCENT, NAMES_TEXT, Parameter, TAKES_BOOLEAN, TAKES_INTEGER, TAKES_NUMBER, TAKES_STRING, kindsOf } from "./parameters";
import { LABEL_REACH, Owners } from "./owners";
import { Bound, Holds, Source, Step } from "./step";
import { Kind, Token } from "./token";
import { dayOf, isCount, isoDate, monthOf, written } from "./values";
import { Vocabulary } from "./vocabulary";


@final
export class Binder {
  private owners: Owners;
  constructor(
    private tokens: Array<Token>,
    vocabulary: Vocabulary,
    private lexicon: Lexicon,
  ) {
    this.owners = new Owners(tokens, vocabulary);
  }

  /** Whether an address is said as where something goes: after *to*, *into*, or as what a verb that sends is turned to. */
  isToward(index: i32, sends: bool): bool {
    let list = false;
    for (let i = index - 1; i >= 0; i--) {
      spend(1);
      const token = this.tokens[i];
      if (token.kind == Kind.Address) {
        if (list) return token.toward;
        return sends;
      }
      if (token.kind == Kind.Comma || (token.kind == Kind.Word && (token.classes & AND) != 0)) {
        list = true;
        continue;
      }
      if (token.kind != Kind.Word) return sends && token.kind != Kind.Break;
      if ((token.classes & TOWARD) != 0) return true;
      if ((token.classes & PREPOSITION) != 0) return false;
      if ((token.classes & (DETERMINER | PRONOUN | FILLER)) != 0) continue;
      if (index - i > LABEL_REACH) return sends;
    }
    return sends;
  }

  /** Marks the addresses of tokens `from` … `to` that are said as where something goes. */
  markToward(from: i32, to: i32, sends: bool): void {
    for (let i = from; i < to; i++) if (this.tokens[i].kind == Kind.Address) this.tokens[i].toward = this.isToward(i, sends);
  }

  /** An address stands among the tokens being bound. */
  private hasAddress: bool = false;
  /** Several parameters have the noun of a value alike. */
  private alike: bool = false;

  /** Binds what tokens `from` … `to` hold to a step's parameters that have no value yet. */
  bind(step: Step, from: i32, to: i32): void {
    this.hasAddress = false;
    for (let i = from; i < to && !this.hasAddress; i++) this.hasAddress = this.tokens[i].kind == Kind.Address;
    this.bindMembers(step, from, to);
    this.bindLabelled(step, from, to);
    this.bindByKind(step, from, to, true);
    this.bindByKind(step, from, to, false);
    this.bindSwitch(step, from, to);
  }

  /** Members of enumerations that are said, where it is one. */
  private bindMembers(step: Step, from: i32, to: i32): void {
    const parameters = step.words.parameters;
    for (let p = 0; p < parameters.length; p++) {
      const parameter = parameters[p];
      if (step.bound[p] !== null || parameter.members.length == 0) continue;
      let said: Value = 0;
      let at = -1;
      for (let m = 0; m < parameter.members.length; m++) {
        const member = parameter.members[m];
        const place = this.findMember(parameter.memberWords[m], from, to, step);
        if (place < 0) continue;
        // A member inside a longer one (`high`, `very high`) yields.
        if (said != 0 && place == at && stringLength(said) >= stringLength(member)) continue;
        if (said != 0 && place != at) {
          said = 0;
          break;
        }
        said = member;
        at = place;
      }
      if (said == 0) continue;
      const bound = new Bound(parameter, Source.Typed, Holds.Text);
      bound.text = stringText(said);
      this.tokens[at].taken = true;
      step.bound[p] = bound;
    }
  }

  /** The token at which a member is said, word for word, or -1. */
  private findMember(words: Array<Text>, from: i32, to: i32, step: Step): i32 {
    if (words.length == 0) return -1;
    for (let i = from; i + words.length <= to; i++) {
      spend(1);
      let k = 0;
      while (k < words.length && this.says(this.tokens[i + k], words[k])) k++;
      if (k == words.length && !(words.length == 1 && this.tokens[i] === step.clause.verb && (step.clause.verb!.classes & (LOOK | SENDS)) != 0)) return i;
    }
    return -1;
  }

  private says(token: Token, word: Text): bool {
    if (token.kind == Kind.Word) return equalBytes(token.word.start, token.word.length, word.start, word.length);
    if (token.kind == Kind.Break || token.kind == Kind.Comma) return false;
    return equalBytes(token.from, <i32>(token.to - token.from), word.start, word.length);
  }

  /** Values after a noun that a parameter's name holds (`order 4411`), or before it (`3 guests`). */
  private bindLabelled(step: Step, from: i32, to: i32): void {
    const parameters = step.words.parameters;
    if (parameters.length == 0) return;
    for (let i = from; i < to; i++) {
      spend(1);
      const token = this.tokens[i];
      if (token.taken) continue;
      if (token.isValue) {
        const p = this.labelled(step, i, from, to);
        if (p < 0) continue;
        this.give(step, p, token);
        if (this.alike) step.doubt = true;
      } else if (token.kind == Kind.Word && isProper(token) && i > from) this.bindProper(step, i, from, to);
    }
  }

  /** The parameter whose name holds the noun of the value at `index`, or -1. */
  private labelled(step: Step, index: i32, from: i32, to: i32): i32 {
    const token = this.tokens[index];
    this.alike = false;
    for (let i = index - 1; i >= from && index - i <= LABEL_REACH; i--) {
      const before = this.tokens[i];
      if (before.kind != Kind.Word) break;
      const p = this.parameterOf(step, before, i > from ? this.tokens[i - 1] : null, token);
      if (p >= 0) return p;
      if ((before.classes & (FILLER | DETERMINER | MONEY)) == 0) break;
    }
    if (index + 1 < to && this.tokens[index + 1].kind == Kind.Word && token.kind == Kind.Number) return this.parameterOf(step, this.tokens[index + 1], null, token);
    return -1;
  }

  /** The unbound parameter that a word names and that accepts a value, or -1; of several the one that has the word before it too (`final value`). */
  private parameterOf(step: Step, word: Token, before: Token | null, value: Token): i32 {
    const parameters = step.words.parameters;
    let found = -1;
    let both = false;
    this.alike = false;
    for (let p = 0; p < parameters.length; p++) {
      if (step.bound[p] !== null) continue;
      const parameter = parameters[p];
      let named = this.owners.hasWord(parameter, word);
      for (let i = 0; i < parameter.spoken.length && !named; i++) {
        const spoken = parameter.spoken[i];
        named = (word.classes & (TOWARD | PREPOSITION)) != 0 && equalBytes(spoken.start, spoken.length, word.word.start, word.word.length);
      }
      // `to DE89…`: an id said as where something goes is its recipient.
      if (!named && value.kind == Kind.Address) named = (word.classes & TOWARD) != 0 && (parameter.names & NAMES_GOAL) != 0;
      // `the file "minutes.txt"`: a noun for what a path leads to.
      if (!named && value.kind == Kind.Quoted) named = (parameter.names & NAMES_PATH) != 0 && (word.classes & (TOWARD | PREPOSITION)) == 0 && (kindsOf(word.word) & NAMES_PATH) != 0;
      if (!named && value.kind == Kind.Mark) named = (word.classes & TOWARD) != 0 && (parameter.names & NAMES_EMAIL) != 0;
      if (!named || !accepts(parameter, value, true)) continue;
      const more = before !== null && before.kind == Kind.Word && this.owners.hasWord(parameter, before);
      if (found >= 0 && both == more) this.alike = true;
      if (found >= 0 && (both || !more)) continue;
      if (found >= 0) this.alike = false;
      found = p;
      both = more;
    }
    return found;
  }

  /** Gives a value to a parameter. */
  private give(step: Step, p: i32, token: Token): void {
    const parameter = step.words.parameters[p];
    const types = parameter.types;
    token.taken = true;
    token.takenAsId = (parameter.names & NAMES_ID) != 0;
    // Whether `6%` is 6 or 0.06 to a tool nothing says.
    if (token.percent) step.doubt = true;
    if (token.kind == Kind.Number && (types & (TAKES_NUMBER | TAKES_INTEGER)) != 0) {
      const bound = new Bound(parameter, Source.Typed, Holds.Number);
      bound.number = token.value;
      token.takenAsNumber = true;
      step.bound[p] = bound;
      return;
    }
    let text = new Text(token.from, <i32>(token.to - token.from));
    if (token.kind == Kind.Date) {
      const iso = isoDate(token.from, token.to, this.lexicon);
      if (parameter.format == Format.Date) {
        // Which day it is the language leaves open: the person is asked.
        if (iso.length == 0) {
          token.taken = false;
          return;
        }
        text = iso;
      }
    }
    if ((types & TAKES_STRING) != 0) {
      const bound = new Bound(parameter, Source.Typed, Holds.Text);
      bound.text = text;
      step.bound[p] = bound;
      return;
    }
    const bound = new Bound(parameter, Source.Typed, Holds.List);
    bound.list.push(text);
    step.bound[p] = bound;
  }

  /** Values that fit a parameter by what they are: required parameters first. */
  private bindByKind(step: Step, from: i32, to: i32, required: bool): void {
    const parameters = step.words.parameters;
    for (let p = 0; p < parameters.length; p++) {
      const parameter = parameters[p];
      if (parameter.required != required) continue;
      const known = step.bound[p];
      if (known !== null) {
        if (known.holds == Holds.List) this.addToList(known, parameter, from, to);
        continue;
      }
      if (parameter.members.length != 0) continue;
      for (let i = from; i < to; i++) {
        spend(1);
        const token = this.tokens[i];
        if (token.taken) continue;
        if (token.kind == Kind.Word) {
          if ((parameter.format == Format.Date || (parameter.names & NAMES_DATE) != 0) && this.bindSpoken(step, p, i, to)) break;
          continue;
        }
        if (!token.isValue || !accepts(parameter, token, false) || this.owners.isOthers(step, parameter, i, from) || this.owners.isAnothers(step, parameter, token) || !this.fitsUnnamed(step, parameter, token, required)) continue;
        // `refund 44 12`: which is which nothing says.
        if (required && this.mayBeSwapped(step, p, token, from, to)) step.doubt = true;
        this.give(step, p, token);
        break;
      }
      const bound = step.bound[p];
      if (bound !== null && bound.holds == Holds.List) this.addToList(bound, parameter, from, to);
    }
  }

  /** Whether another required parameter takes a value as well, and another value is there to take its place. */
  private mayBeSwapped(step: Step, p: i32, token: Token, from: i32, to: i32): bool {
    const parameters = step.words.parameters;
    let other = false;
    for (let q = 0; q < parameters.length && !other; q++) {
      spend(1);
      other = q != p && step.bound[q] === null && parameters[q].required && parameters[q].members.length == 0 && accepts(parameters[q], token, false);
    }
    if (!other) return false;
    for (let i = from; i < to; i++) {
      spend(1);
      const value = this.tokens[i];
      if (value !== token && value.isValue && !value.taken && accepts(parameters[p], value, false)) return true;
    }
    return false;
  }

  /** Whether a value may go to a parameter that nothing names: a bare number only to one that is required, is an amount, or is the tool's only id. */
  private fitsUnnamed(step: Step, parameter: Parameter, token: Token, required: bool): bool {
    if (required) return true;
    if (token.percent) return (parameter.names & NAMES_PERCENT) != 0;
    if (token.kind == Kind.Number && (parameter.names & NAMES_MONEY) != 0) return true;
    if (token.kind == Kind.Number || token.kind == Kind.Mark) return !token.money && (parameter.names & NAMES_ID) != 0 && this.isOnlyId(step);
    if (token.kind == Kind.Quoted) return (parameter.names & NAMES_TEXT) != 0;
    return true;
  }

  private isOnlyId(step: Step): bool {
    const parameters = step.words.parameters;
    let ids = 0;
    for (let p = 0; p < parameters.length; p++) if ((parameters[p].names & NAMES_ID) != 0) ids++;
    return ids == 1;
  }

  /** A list takes every value of its kind. */
  private addToList(bound: Bound, parameter: Parameter, from: i32, to: i32): void {
    for (let i = from; i < to; i++) {
      spend(1);
      const token = this.tokens[i];
      if (token.taken || !token.isValue || token.kind == Kind.Number || !accepts(parameter, token, false)) continue;
      token.taken = true;
      bound.list.push(new Text(token.from, <i32>(token.to - token.from)));
    }
  }

  /** A date with its month's name: `30 November 2026`, `November 30, 2026`, `30 de novembro de 2026`. */
  private bindSpoken(step: Step, p: i32, index: i32, to: i32): bool {
    const month = monthOf(this.tokens[index].classes, this.tokens[index].stands);
    if (month == 0) return false;
    let before = index - 1;
    while (before >= 0 && index - before <= 2 && this.tokens[before].kind == Kind.Word && (this.tokens[before].classes & PREPOSITION) != 0) before--;
    let after = index + 1;
    while (after < to && after - index <= 2 && (this.tokens[after].kind == Kind.Comma || (this.tokens[after].kind == Kind.Word && (this.tokens[after].classes & PREPOSITION) != 0))) after++;
    let day = before >= 0 ? this.tokens[before] : null;
    let year = after < to ? this.tokens[after] : null;
    if (day === null || dayOf(day) == 0) {
      day = year;
      let further = after + 1;
      while (further < to && further - after <= 1 && this.tokens[further].kind == Kind.Comma) further++;
      year = further < to ? this.tokens[further] : null;
    }
    if (day === null || year === null || dayOf(day) == 0 || !isCount(year, 1000, 9999)) return false;
    const text = written(<i32>year.value, month, dayOf(day));
    if (text.length == 0) return false;
    const bound = new Bound(step.words.parameters[p], Source.Typed, Holds.Text);
    bound.text = text;
    day.taken = year.taken = this.tokens[index].taken = true;
    step.bound[p] = bound;
    return true;
  }

  /** A name after its noun: capitals, one word after the other (`city New York`, `stock AAPL`). */
  private bindProper(step: Step, index: i32, from: i32, to: i32): void {
    let apart = false;
    for (let i = index - 1; i >= from && index - i <= LABEL_REACH; i--) {
      const before = this.tokens[i];
      if (before.kind != Kind.Word) return;
      const p = this.nameOf(step, before);
      if (p >= 0) {
        // What an address is meant for takes no name instead.
        if (this.hasAddress && (step.words.parameters[p].names & NAMES_EMAIL) != 0 && takesAddress(step.words.parameters[p], DestinationKind.Email)) return;
        // `the law in China`: the name may be of something else.
        if (apart) step.doubt = true;
        let last = index;
        while (last + 1 < to && this.tokens[last + 1].kind == Kind.Word && isProper(this.tokens[last + 1]) && this.tokens[last + 1].start - this.tokens[last].end <= 1) last++;
        const bound = new Bound(step.words.parameters[p], Source.Typed, Holds.Text);
        bound.text = new Text(this.tokens[index].start, <i32>(this.tokens[last].end - this.tokens[index].start));
        for (let k = index; k <= last; k++) this.tokens[k].taken = true;
        step.bound[p] = bound;
        return;
      }
      if ((before.classes & (FILLER | DETERMINER)) == 0) return;
      apart = apart || (before.classes & (PREPOSITION | TOWARD)) != 0;
    }
  }

  /** The unbound free text parameter that a noun names, or -1. */
  private nameOf(step: Step, word: Token): i32 {
    const parameters = step.words.parameters;
    for (let p = 0; p < parameters.length; p++) {
      const parameter = parameters[p];
      if (step.bound[p] !== null || (parameter.types & TAKES_STRING) == 0 || parameter.members.length != 0 || parameter.format != Format.None) continue;
      for (let i = 0; i < parameter.words.length; i++) if (this.owners.isWord(parameter.words[i], word)) return p;
    }
    return -1;
  }

  /** `on` and `off`, where the tool has one yes or no to give. */
  private bindSwitch(step: Step, from: i32, to: i32): void {
    const parameters = step.words.parameters;
    let only = -1;
    for (let p = 0; p < parameters.length; p++) {
      if ((parameters[p].types & TAKES_BOOLEAN) == 0) continue;
      if (only >= 0) return;
      only = p;
    }
    if (only < 0 || step.bound[only] !== null) return;
    for (let i = from; i < to; i++) {
      const token = this.tokens[i];
      if (token.kind != Kind.Word || (token.classes & (ON | OFF)) == 0) continue;
      const on = (token.classes & ON) != 0;
      // `on` is a preposition too: it switches after the verb, or where nothing follows.
      if (on && (token.classes & TOWARD) != 0 && !(i > from && this.tokens[i - 1] === step.clause.verb) && i + 1 < to && this.tokens[i + 1].kind == Kind.Word && (this.tokens[i + 1].classes & (SKIP | AND)) == 0) continue;
      const bound = new Bound(parameters[only], Source.Typed, Holds.Boolean);
      bound.yes = on;
      step.bound[only] = bound;
      return;
    }
  }
}

/** Whether a word begins with a capital. */
function isProper(token: Token): bool {
  if ((token.classes & CLOSED) != 0) return false;
  const first = load<u8>(token.start);
  return first - 0x41 < <u8>26 || (first == 0xc3 && load<u8>(token.start, 1) >= 0x80 && load<u8>(token.start, 1) <= 0x9e);
}
