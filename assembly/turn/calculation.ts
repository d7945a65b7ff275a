// Where a clause calculates (chapter 6, S3 and S4): total, sum, average, plus 10 %, difference, times and the like.

import { spend } from "../memory/steps";
import { Asks, Clause } from "./clauses";
import {
  ADJUSTS, AND, ANAPHOR, BE, BY, CALCULATION, CHANGES, CLOSED, COUNTED, DETERMINER, EXTENDS, FILLER, HAVE, INDEFINITE, INFINITIVE, MODAL, MONEY, MORE, MULTIPLE, NEGATION, OF, OFF, OFTEN, ON, OPERAND, OPERATOR, PREPOSITION, PRONOUN, PUTS, QUANTIFIES, QUESTION, REASON, SKIP, SWITCHES, TELLER, TOWARD, UNIT, VERB,
} from "./classes";
import { Source, Step } from "./step";
import { Kind, Token } from "./token";
import { ALSO, DESCRIPTION, FIRST, OWN, REST, Vocabulary } from "./vocabulary";

/** How far after an operator its number may stand. */
const OPERAND_REACH: i32 = 4;
/** How many words a remark may have. */
const REMARK_REACH: i32 = 24;

/**
 * The token that says that a clause calculates, or null. Words of the step's own tool do not, and numbers that an argument took do not
 * (`a total of 40.00`, `add 3 items`); with `step` null, what is not bound yet.
 */
export function calculationIn(clause: Clause, tokens: Array<Token>, step: Step | null, vocabulary: Vocabulary): Token | null {
  for (let i = clause.from; i < clause.to; i++) {
    spend(1);
    const token = tokens[i];
    if (token.kind == Kind.Comma || token.led == 0x3a || token.led == 0x28) {
      const end = remarkEnd(token.kind == Kind.Comma ? i + 1 : i, clause, tokens, step);
      if (end > i + 1) {
        i = end - 1;
        continue;
      }
    }
    // `because the price was 10% too high`
    if ((token.traits & REASON) != 0 && clause.verb !== null && clause.verb!.start < token.start) return null;
    if (token.kind == Kind.Number) {
      if ((token.percent && !token.taken && !isTarget(i, clause, tokens) && !(i > clause.from && step !== null && isNumberOf(tokens[i - 1], step))) || (i > clause.from && isReckoned(tokens[i - 1], token, step)) || isRelative(i, clause, tokens, step, vocabulary)) return token;
      continue;
    }
    // `3x $20.00`, `2 x 10`
    if (isTimes(token) && i + 1 < clause.to && (token.kind != Kind.Word || (i > clause.from && (tokens[i - 1].kind == Kind.Number || isNoun(tokens[i - 1]))))) {
      const next = tokens[i + 1].kind == Kind.Word && (tokens[i + 1].classes & FILLER) != 0 && i + 2 < clause.to ? tokens[i + 2] : tokens[i + 1];
      if (next.kind == Kind.Number) return token;
    }
    // `1.5x`, at the end; `2.00 per item` and `per item 2.00`
    if (token.kind == Kind.Mark && isTimes(token) && (endsWith(i, clause, tokens) || (tokens[i + 1].kind == Kind.Word && (tokens[i + 1].classes & DETERMINER) != 0))) return token;
    // `80x3`
    if (token.kind == Kind.Mark && !token.taken && isProduct(token) && (i + 1 >= clause.to || !isNoun(tokens[i + 1]))) return token;
    if (i > clause.from && (token.traits & COUNTED) != 0 && (tokens[i - 1].traits & UNIT) != 0 && step !== null && step.words.tool.write) return token;
    // `1/2 of the amount`; `salaries - bonuses`
    if (token.kind == Kind.Mark && !token.taken && (isFraction(token) || isQuotient(token)) && (isQuotient(token) || (i + 1 < clause.to && tokens[i + 1].kind == Kind.Word && (tokens[i + 1].traits & OF) != 0))) return token;
    if (i > clause.from && (token.led == 0x2b || token.led == 0x2d || token.led == 0x2212 || token.led == 0x2a) && token.start - tokens[i - 1].end > 2 && isThing(token, vocabulary) && isThing(tokens[i - 1], vocabulary)) return token;
    // `ten percent`
    if (token.kind == Kind.Word && (token.classes & OPERAND) != 0 && i > clause.from && isPercent(token) && !isTarget(i - 1, clause, tokens) && !(i - 2 >= clause.from && step !== null && isNumberOf(tokens[i - 2], step)) && tokens[i - 1].kind == Kind.Word && (tokens[i - 1].classes & OPERAND) != 0 && isNumeral(tokens[i - 1])) return token;
    // `three degrees lower than now`
    if (token.kind == Kind.Word && (token.traits & MORE) != 0 && (token.classes & (SKIP | ON | OFF)) == 0 && followsNumeral(i, clause, tokens)) return token;
    if (token.kind != Kind.Word || (token.classes & (CALCULATION | OPERATOR | MULTIPLE)) == 0) continue;
    if (isMeant(i, clause, tokens) || isManner(i, clause, tokens, vocabulary) || (step !== null && isMember(token, step))) continue;
    // What a tool is for is no calculation beside it: its own words, and the verb of the clause where its description has it.
    const sources: u32 = token === clause.verb ? OWN | DESCRIPTION : OWN;
    if (step !== null && (isOf(token.stem, step, vocabulary, sources) || isOf(token.other, step, vocabulary, sources))) continue;
    if ((token.classes & OPERAND) != 0) {
      // `2 degrees higher`, `40 squared`; `the rest` where no more is said.
      if ((token.classes & OPERATOR) != 0 ? followsNumber(i, clause, tokens) : endsWith(i, clause, tokens)) return token;
      continue;
    }
    if ((token.classes & CALCULATION) != 0 && !isAmount(i, clause, tokens)) return token;
    // `add all the settlements up`
    if ((token.classes & (OPERATOR | VERB)) == (OPERATOR | VERB) && isParted(i, clause, tokens)) return token;
    // `get the weight, add that and record it`
    if ((token.classes & (OPERATOR | VERB)) == (OPERATOR | VERB) && i + 2 == clause.to && tokens[i + 1].kind == Kind.Word && (tokens[i + 1].classes & ANAPHOR) != 0) return token;
    // `1,000 minus the excess`, `a encomenda 12 menos o sinal`
    if ((token.classes & (OPERATOR | VERB | PREPOSITION)) == OPERATOR && i > clause.from && i + 2 < clause.to && isSum(i, tokens)) return token;
    if ((token.classes & OPERATOR) != 0 && (hasOperand(i, clause, tokens, vocabulary) || joinsNouns(i, clause, tokens, step === null, vocabulary))) return token;
    if ((token.classes & (OPERATOR | MULTIPLE)) == (OPERATOR | MULTIPLE)) {
      if (repeats(i, clause, tokens) || (i + 1 < clause.to && tokens[i + 1].kind == Kind.Number && !tokens[i + 1].takenAsId)) return token;
    } else if ((token.classes & MULTIPLE) != 0 && multiplies(i, clause, tokens)) return token;
  }
  return null;
}

/** Whether a tool has a word in one of some places. */
function isOf(stem: i32, step: Step, vocabulary: Vocabulary, sources: u32): bool {
  if (stem < 0) return false;
  const tool = step.words.tool.index;
  for (let posting = vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
    spend(1);
    if (posting.tool == tool) return (posting.sources & sources) != 0;
  }
  return false;
}

/** Whether a number that an argument took follows: `a total of 40.00` names a value. */
function isAmount(index: i32, clause: Clause, tokens: Array<Token>): bool {
  // `40.00 in total`
  const before = index > clause.from ? tokens[index - 1] : null;
  if (before !== null && before.kind == Kind.Number && before.takenAsNumber && !before.percent && endsWith(index, clause, tokens)) return true;
  // `30 units in all`
  if (index - 2 >= clause.from && tokens[index - 2].kind == Kind.Number && tokens[index - 2].takenAsNumber && !tokens[index - 2].percent && isNoun(tokens[index - 1]) && (tokens[index].classes & VERB) == 0 && endsWith(index, clause, tokens)) return true;
  for (let i = index + 1; i < clause.to && i <= index + 2; i++) {
    const token = tokens[i];
    if (token.kind == Kind.Number) {
      if (isOneOfSeveral(i, clause, tokens)) return false;
      // `the sum of 10 and 20` has two.
      const and = i + 2 < clause.to && tokens[i + 2].kind == Kind.Number && (tokens[i + 1].kind == Kind.Comma || (tokens[i + 1].kind == Kind.Word && (tokens[i + 1].classes & AND) != 0));
      return token.takenAsNumber && !token.percent && !and;
    }
    if (token.kind != Kind.Word || (token.classes & (FILLER | BE)) == 0) return false;
  }
  return false;
}

/** Whether another number is joined to one: `the sum of 2 front and 2 rear`, `soma de 4 com 9`. */
function isOneOfSeveral(index: i32, clause: Clause, tokens: Array<Token>): bool {
  let joined = index + 1 < clause.to && tokens[index + 1].kind == Kind.Number;
  for (let i = index + 1; i < clause.to && i <= index + OPERAND_REACH; i++) {
    const token = tokens[i];
    if (token.kind == Kind.Number) return joined && !token.takenAsId;
    if (token.kind == Kind.Comma || (token.classes & AND) != 0 || (i == index + 1 && (token.classes & PREPOSITION) != 0 && (token.traits & OF) == 0)) joined = true;
  }
  return false;
}

function hasOperand(index: i32, clause: Clause, tokens: Array<Token>, vocabulary: Vocabulary): bool {
  const operator = tokens[index].classes;
  // `over 30 days`
  if ((operator & PREPOSITION) != 0 && (index == clause.from || tokens[index - 1].kind != Kind.Number)) return false;
  // `all the cards but 7` excepts it.
  for (let i = index - 1; i >= clause.from && i >= index - OPERAND_REACH; i--) if (tokens[i].kind == Kind.Word && (tokens[i].traits & QUANTIFIES) != 0) return false;
  let things = 0;
  // `the balance minus 10`: whatever took the number; `add 3 items` where an argument did not.
  const joins = (operator & (VERB | PREPOSITION)) == 0 && index > clause.from && ((tokens[index - 1].kind == Kind.Comma && index - 1 > clause.from) || tokens[index - 1].isValue || ((isNoun(tokens[index - 1]) || isThing(tokens[index - 1], vocabulary)) && tokens[index - 1] !== clause.verb) || (tokens[index - 1].classes & (ANAPHOR | DETERMINER)) == ANAPHOR);
  for (let i = index + 1; i < clause.to && i <= index + OPERAND_REACH; i++) {
    const token = tokens[i];
    if (token.kind == Kind.Number) return joins || !token.taken;
    if (token.kind != Kind.Word) return false;
    // A number in letters: `times two`; not `add two guests`.
    if ((token.classes & (OPERAND | OPERATOR | CALCULATION)) == OPERAND) return !isNumeral(token) || joins;
    // `batch 3's trays plus batch 4's trays`
    if (joins && (token.classes & (CLOSED | VERB)) == 0 && i + 1 < clause.to && tokens[i + 1].kind == Kind.Number) return true;
    // `descontando o sinal de 20`
    if ((token.classes & (DETERMINER | FILLER | PREPOSITION | PRONOUN | SKIP)) == 0 && ((operator & VERB) == 0 || (token.classes & CLOSED) != 0 || things++ != 0 || !(joinsAfter(i, clause, tokens)))) return false;
  }
  return false;
}

/** Whether `up` stands behind what is added, and no number between. */
function isParted(index: i32, clause: Clause, tokens: Array<Token>): bool {
  for (let i = index + 2; i < clause.to && i <= index + OPERAND_REACH + 1; i++) {
    const token = tokens[i];
    if (token.kind != Kind.Word || tokens[i - 1].kind != Kind.Word) return false;
    if (token.word.length == 2 && load<u16>(token.word.start) == 0x7075) return i + 1 == clause.to || tokens[i + 1].kind != Kind.Word || (tokens[i + 1].classes & (SKIP | PREPOSITION)) != 0;
  }
  return false;
}

/** Whether `of` and a number follow a noun: `o sinal de 20`. */
function joinsAfter(index: i32, clause: Clause, tokens: Array<Token>): bool {
  return index + 2 < clause.to && tokens[index + 1].kind == Kind.Word && (tokens[index + 1].traits & OF) != 0 && tokens[index + 2].kind == Kind.Number;
}

/** Whether an operator stands between an amount, or something with its id, and what begins with an article; not `all but the last`. */
function isSum(index: i32, tokens: Array<Token>): bool {
  const before = tokens[index - 1];
  const next = tokens[index + 1];
  if (!(before.isValue || (isNoun(before) && (before.classes & OPERAND) == 0)) || next.kind != Kind.Word || (next.classes & DETERMINER) == 0 || (next.traits & (INDEFINITE | UNIT)) != 0 || (next.classes & CLOSED & ~(DETERMINER | PRONOUN | ANAPHOR | TOWARD | INFINITIVE)) != 0) return false;
  const operator = tokens[index];
  if ((operator.classes & SKIP) != 0) return before.kind == Kind.Number && !before.takenAsId;
  for (let i = index - 1; i >= 0 && i >= index - OPERAND_REACH; i--) if (tokens[i].kind == Kind.Word && (tokens[i].traits & QUANTIFIES) != 0) return false;
  return true;
}

/** Whether a token is a numeral with decimals that a slash divides: `6.00/3`. */
function isQuotient(token: Token): bool {
  let slashes = 0;
  let marks = 0;
  for (let at = token.from; at < token.to; at++) {
    const byte: u32 = load<u8>(at);
    if (byte == 0x2f) slashes++;
    else if (byte == 0x2e || byte == 0x2c) marks++;
    else if (byte - 0x30 > 9) return false;
  }
  return slashes == 1 && marks != 0;
}

/** Whether a token is two numerals that an `x` parts: `80x3`. */
function isProduct(token: Token): bool {
  let times = 0;
  for (let at = token.from; at < token.to; at++) {
    const byte: u32 = load<u8>(at);
    if ((byte | 0x20) == 0x78) times++;
    else if (byte - 0x30 > 9) return false;
  }
  return times == 1 && (load<u8>(token.to - 1) | 0x20) != 0x78;
}

/** Whether a token is two numerals that a slash parts. */
function isFraction(token: Token): bool {
  let slashes = 0;
  for (let at = token.from; at < token.to; at++) {
    const byte: u32 = load<u8>(at);
    if (byte == 0x2f) slashes++;
    else if (byte - 0x30 > 9) return false;
  }
  return slashes == 1;
}

function isPercent(token: Token): bool {
  return token.stands.length == 1 && load<u8>(token.stands.start) == 0x25;
}

/**
 * Where a remark behind a write that has its numbers ends, or `from` where none begins: `refund 12.00 on order 55, she paid double`. A remark is said of
 * something, with a verb of its own; what only says more of an amount calculates (`20.00, doubled`, `20.00, plus 10%`).
 */
function remarkEnd(from: i32, clause: Clause, tokens: Array<Token>, step: Step | null): i32 {
  if (step === null || !step.words.tool.write || from >= clause.to || clause.verb === null || clause.verb!.start > tokens[from].start) return from;
  const first = tokens[from];
  if (first.kind == Kind.Word && ((first.classes & AND) != 0 || ((first.classes & OPERATOR) != 0 && (first.classes & (DETERMINER | PRONOUN)) == 0))) return from;
  let says = first.kind == Kind.Word && (first.classes & (PRONOUN | ANAPHOR | BE)) != 0;
  let to = from;
  for (; to < clause.to && tokens[to].kind != Kind.Comma; to++) {
    spend(1);
    if (to - from > REMARK_REACH) return from;
    const token = tokens[to];
    if (token.kind != Kind.Word) {
      if (token.isValue && token.taken) return from;
      continue;
    }
    if ((token.classes & (BE | NEGATION)) != 0 || (token.traits & (HAVE | TELLER)) != 0 || (token.classes & (PRONOUN | QUESTION | DETERMINER)) == (PRONOUN | QUESTION)) says = true;
  }
  return (says || (first.kind == Kind.Word && (first.classes & DETERMINER) != 0 && to > from + 2)) && hasNumbers(step) ? to : from;
}

/** Whether a tool has each number that it takes from the person, or takes none. */
function hasNumbers(step: Step): bool {
  const parameters = step.words.parameters;
  for (let p = 0; p < parameters.length; p++) {
    if (!parameters[p].isNumeric) continue;
    const bound = step.bound[p];
    if (bound === null || bound.source != Source.Typed) return false;
  }
  return true;
}

/** Whether `mean` says what somebody means, and not an average: it has who means it before it, or no noun after it. */
function isMeant(index: i32, clause: Clause, tokens: Array<Token>): bool {
  const token = tokens[index];
  if (token.stands.length != 4 || load<u32>(token.stands.start) != 0x6e61656d) return false;
  if (token.word.length != 4 || index + 1 >= clause.to || tokens[index + 1].kind != Kind.Word || (tokens[index + 1].classes & CLOSED & ~PREPOSITION) != 0) return true;
  return index > clause.from && tokens[index - 1].kind == Kind.Word && (tokens[index - 1].classes & (PRONOUN | MODAL | NEGATION | INFINITIVE)) != 0;
}

/** Whether a word is a member of one of a tool's enumerations: `tamanho médio`. */
function isMember(token: Token, step: Step): bool {
  const parameters = step.words.parameters;
  for (let p = 0; p < parameters.length; p++) {
    spend(1);
    if (step.bound[p] !== null && parameters[p].hasWord(token.word)) return true;
  }
  return false;
}

/** Whether a word of a calculation only says of what kind something is that no tool knows: `an average day`, `a total mess`, `the double room`. */
function isManner(index: i32, clause: Clause, tokens: Array<Token>, vocabulary: Vocabulary): bool {
  const token = tokens[index];
  if (token === clause.verb || index == clause.from || index + 1 >= clause.to || tokens[index - 1].kind != Kind.Word) return false;
  const before = tokens[index - 1];
  const next = tokens[index + 1];
  if (next.kind != Kind.Word || (next.classes & (CLOSED | CALCULATION | OPERATOR | OPERAND | MULTIPLE | MONEY | VERB)) != 0 || next.stem >= 0 || next.other >= 0 || next.led != 0) return false;
  if ((before.traits & INDEFINITE) != 0) return true;
  return (before.classes & DETERMINER) != 0 && (token.classes & MULTIPLE) != 0;
}

/** Whether a percentage is what something is set to, and not a part of something: `set the light to 40%`. */
function isTarget(index: i32, clause: Clause, tokens: Array<Token>): bool {
  let at = index - 1;
  while (at > clause.from && tokens[at].kind == Kind.Word && (tokens[at].classes & (SKIP | DETERMINER)) != 0 && (tokens[at].classes & TOWARD) == 0) at--;
  if (clause.from > at || tokens[at].kind != Kind.Word || (tokens[at].classes & TOWARD) == 0 || ((tokens[at].traits & BY) != 0 && (clause.verb === null || (clause.verb!.traits & (PUTS | ADJUSTS | SWITCHES)) == 0))) return isState(index, clause, tokens);
  let next = index + 1;
  while (next < clause.to && tokens[next].kind == Kind.Word && isPercent(tokens[next])) next++;
  return next >= clause.to || tokens[next].kind != Kind.Word || ((tokens[next].traits & (OF | MORE)) == 0 && (tokens[next].classes & (OPERAND | CALCULATION | OPERATOR)) == 0);
}

/** Whether a word is in the name of a number that a tool takes: `intensity 80 percent`. */
function isNumberOf(token: Token, step: Step): bool {
  if (token.kind != Kind.Word || token.stem < 0) return false;
  const parameters = step.words.parameters;
  for (let p = 0; p < parameters.length; p++) if (parameters[p].isNumeric && parameters[p].words.includes(token.stem)) return true;
  return false;
}

/** Whether a percentage is what something is at: `the attic is at 60 percent`. */
function isState(index: i32, clause: Clause, tokens: Array<Token>): bool {
  return index - 2 >= clause.from && tokens[index - 1].kind == Kind.Word && (tokens[index - 1].classes & (FILLER | PREPOSITION)) == (FILLER | PREPOSITION) && tokens[index - 1].word.length <= 2 && (tokens[index - 1].traits & BY) == 0 && tokens[index - 2].kind == Kind.Word && (tokens[index - 2].classes & BE) != 0;
}

/** Whether a number says by how much, or for each of what: `update the limit by $10`, `$10 more than last time`, `$10 per item`. */
function isRelative(index: i32, clause: Clause, tokens: Array<Token>, step: Step | null, vocabulary: Vocabulary): bool {
  const verb = clause.verb;
  // `extend stay 8812 by 2 nights` with `extend_stay(stay_id, nights)`: what the tool is for.
  const counts = verb !== null && step !== null && (verb.traits & EXTENDS) != 0 && tokens[index].takenAsNumber && isOf(verb.stem, step!, vocabulary, FIRST) && isChange(tokens[index], step!, vocabulary);
  if (verb !== null && (verb.traits & CHANGES) != 0) {
    // `by a factor of 2`
    for (let i = index - 1; i >= clause.from && i >= index - OPERAND_REACH; i--) {
      const before = tokens[i];
      if (before.kind != Kind.Word || (before.classes & TOWARD) != 0 && (before.traits & BY) == 0) break;
      // `limite em 5.500, pode mudar`: a word that says to what too.
      if ((before.traits & BY) != 0 && counts && (i == clause.from || tokens[i - 1] === verb || (tokens[i - 1].classes & (VERB | CALCULATION)) == 0)) break;
      if ((before.traits & BY) != 0) return (i == index - 1 || (tokens[index - 1].traits & OF) != 0) && ((before.classes & TOWARD) == 0 || verb.start < before.start);
    }
  }
  if (tokens[index].takenAsId) return false;
  let next = index + 1;
  while (next < clause.to && tokens[next].kind == Kind.Word && (tokens[next].classes & MONEY) != 0) next++;
  if (next >= clause.to || tokens[next].kind != Kind.Word) return false;
  if ((tokens[next].traits & MORE) != 0) return true;
  // `3 degrees less than the kitchen`
  if (next + 1 < clause.to && (tokens[next].classes & CLOSED) == 0 && tokens[next + 1].kind == Kind.Word && (tokens[next + 1].traits & MORE) != 0 && (tokens[next + 1].classes & (SKIP | ON | OFF)) == 0 && ((tokens[next + 1].classes & PREPOSITION) == 0 || !endsWith(next + 1, clause, tokens))) return true;
  // `2.00/item`, `2.00 an item`
  if (tokens[next].led == 0x2f && (tokens[next].traits & COUNTED) != 0) return true;
  if ((tokens[next].traits & INDEFINITE) != 0 && next + 1 < clause.to && (tokens[next + 1].traits & COUNTED) != 0) return true;
  let unit = false;
  const last = next + 3;
  while (next < clause.to && next < last && tokens[next].kind == Kind.Word && ((tokens[next].traits & UNIT) != 0 || (tokens[next].classes & (DETERMINER | TOWARD)) != 0)) unit = (tokens[next++].traits & UNIT) != 0 || unit;
  // `10 alerts per page` with `per_page` names what the tool takes.
  if (unit && next < clause.to && step !== null && isNumberOf(tokens[next], step!)) return false;
  return unit && next < clause.to && tokens[next].kind == Kind.Word && (tokens[next].traits & COUNTED) != 0;
}

/** Whether a number was taken as what its tool changes by, and not as what something becomes: `extend_stay(stay_id, nights)`; not `raise_limit(limit)`. */
function isChange(token: Token, step: Step, vocabulary: Vocabulary): bool {
  const parameters = step.words.parameters;
  for (let p = 0; p < parameters.length; p++) {
    const bound = step.bound[p];
    if (!parameters[p].isNumeric || bound === null || bound.number != token.value) continue;
    const words = parameters[p].words;
    for (let k = 0; k < words.length; k++) if (isOf(words[k], step, vocabulary, REST)) return false;
    return true;
  }
  return false;
}

/** Whether a word stands for a number. */
function isNumeral(token: Token): bool {
  return token.stands.length != 0 && <u32>load<u8>(token.stands.start) - 0x30 <= 9;
}

/** Whether an operator stands between two nouns of tools: `revenue minus expenses`. */
function joinsNouns(index: i32, clause: Clause, tokens: Array<Token>, alone: bool, vocabulary: Vocabulary): bool {
  const classes = tokens[index].classes;
  // `mais` says `more` too: before an article, and where the clause asks for nothing else.
  const more = (classes & SKIP) != 0;
  if ((classes & (VERB | PREPOSITION)) != 0 || index == clause.from || (more && !alone)) return false;
  const before = tokens[index - 1];
  let after = index + 1;
  while (after < clause.to && tokens[after].kind == Kind.Word && (tokens[after].classes & DETERMINER) != 0) after++;
  if (more && after == index + 1 && clause.asks != Asks.Nothing) return false;
  // `minus the lowest salary`
  const last = after + 2;
  while (after < clause.to && after < last && tokens[after].kind == Kind.Word && (tokens[after].classes & CLOSED) == 0 && tokens[after].stem < 0) after++;
  return after < clause.to && isThing(before, vocabulary) && isThing(tokens[after], vocabulary);
}

function isNoun(token: Token): bool {
  return token.kind == Kind.Word && (token.classes & (CLOSED | VERB)) == 0;
}

/** Whether a word is a noun of tools; one that is a verb too, only where a tool's name has it after its verb, or also_called. */
function isThing(token: Token, vocabulary: Vocabulary): bool {
  if (token.stem < 0 || token.kind != Kind.Word || (token.classes & CLOSED) != 0) return false;
  if ((token.classes & VERB) == 0) return true;
  for (let posting = vocabulary.first(token.stem); posting.tool >= 0; posting = posting.next) {
    spend(1);
    if ((posting.sources & (REST | ALSO)) != 0) return true;
  }
  return false;
}

/** Whether a number stands just before a word, or with one other between. */
function followsNumber(index: i32, clause: Clause, tokens: Array<Token>): bool {
  for (let i = index - 1; i >= clause.from && i >= index - 2; i--) {
    if (tokens[i].kind == Kind.Number) return !tokens[i].takenAsId;
    // `a third lower`
    if (tokens[i].kind == Kind.Word && (tokens[i].classes & MULTIPLE) != 0) return true;
    // `2.0 or higher`
    if ((tokens[i].classes & (PREPOSITION | AND)) != 0) return false;
  }
  return false;
}

/** Whether a number in letters stands just before a word, or with one other between. */
function followsNumeral(index: i32, clause: Clause, tokens: Array<Token>): bool {
  for (let i = index - 1; i >= clause.from && i >= index - 2; i--) {
    const token = tokens[i];
    if (token.kind != Kind.Word || (token.classes & (PREPOSITION | AND)) != 0) return false;
    if ((token.classes & OPERAND) != 0 && isNumeral(token)) return true;
  }
  return false;
}

/** Whether a clause says no more after a word than courtesies. */
function endsWith(index: i32, clause: Clause, tokens: Array<Token>): bool {
  for (let i = index + 1; i < clause.to; i++) if (tokens[i].kind != Kind.Comma && (tokens[i].kind != Kind.Word || (tokens[i].classes & SKIP) == 0)) return false;
  return true;
}

/** Whether a number of times something: `3 times its amount`; not `3 times a day`. */
function repeats(index: i32, clause: Clause, tokens: Array<Token>): bool {
  if (index == clause.from || index + 1 >= clause.to) return false;
  const next = tokens[index + 1];
  return tokens[index - 1].kind <= Kind.Number && next.kind == Kind.Word && (next.classes & (DETERMINER | ANAPHOR | QUESTION)) != 0 && (next.classes & (FILLER | TOWARD | PREPOSITION)) == 0;
}

/** Whether a sign between two numbers reckons: `12 * 30`, `40 - 5`; not `order 4411 - $5.00`. */
function isReckoned(before: Token, token: Token, step: Step | null): bool {
  const mark = token.led;
  // `40mg*3`, `4 × 6.50`: signs that no id has before a number.
  if ((mark == 0x2a || mark == 0xd7 || mark == 0xf7) && (before.isValue || (before.kind == Kind.Word && load<u8>(token.start - 1) == 0x20))) return true;
  // `donations / 12`
  if (mark == 0x2f && isNoun(before) && before.stem >= 0 && load<u8>(token.start - 1) == 0x20 && load<u8>(before.end) == 0x20) return true;
  if (before.kind != Kind.Number || before.takenAsId) return false;
  if (mark == 0x2b || mark == 0x2a || mark == 0xd7 || mark == 0xf7) return true;
  return (mark == 0x2d || mark == 0x2212 || mark == 0x2f) && (before.money || (step !== null && before.takenAsNumber));
}

/** Whether a token is an `x` alone, or a numeral and an `x`. */
function isTimes(token: Token): bool {
  if ((token.kind != Kind.Word && token.kind != Kind.Mark) || token.taken) return false;
  const last = load<u8>(token.end - 1) | 0x20;
  if (last != 0x78) return false;
  for (let at = token.start; at < token.end - 1; at++) if (<u32>load<u8>(at) - 0x30 > 9 && load<u8>(at) != 0x2e && load<u8>(at) != 0x2c) return false;
  return token.kind == Kind.Word || token.end - token.start > 1;
}

function multiplies(index: i32, clause: Clause, tokens: Array<Token>): bool {
  // `a quarter of order 4411`
  if ((tokens[index].traits & OF) != 0) return true;
  // `the client asked twice` says how often.
  if (endsWith(index, clause, tokens)) return (tokens[index].traits & OFTEN) == 0;
  const next = tokens[index + 1];
  if (next.kind == Kind.Number) return true;
  return next.kind == Kind.Word && (next.classes & (DETERMINER | PRONOUN | PREPOSITION | ANAPHOR | QUESTION)) != 0;
}
