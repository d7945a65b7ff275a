// Where a clause calculates (chapter 6, S3 and S4): total, sum, average, plus 10 %, difference, times and the like.

import { spend } from "../memory/steps";
import { Clause } from "./clauses";
import { AND, ANAPHOR, CALCULATION, DETERMINER, FILLER, MULTIPLE, OPERAND, OPERATOR, PREPOSITION, PRONOUN, SKIP, TOWARD } from "./lexicon";
import { Step } from "./step";
import { Kind, Token } from "./tokens";
import { DESCRIPTION, OWN, Vocabulary } from "./vocabulary";

/** How far after an operator its number may stand. */
const OPERAND_REACH: i32 = 4;

/**
 * The token that says that a clause calculates, or null. Words of the step's own tool do not, and numbers that an argument took do not
 * (`a total of 40.00`, `add 3 items`); with `step` null, what is not bound yet.
 */
export function calculationIn(clause: Clause, tokens: Array<Token>, step: Step | null, vocabulary: Vocabulary): Token | null {
  for (let i = clause.from; i < clause.to; i++) {
    spend(1);
    const token = tokens[i];
    if (token.kind == Kind.Number) {
      // `12 * 30`
      if ((token.percent && !token.taken) || (i > clause.from && tokens[i - 1].kind == Kind.Number && isSign(token.led))) return token;
      continue;
    }
    if (token.kind != Kind.Word || (token.classes & (CALCULATION | OPERATOR | MULTIPLE)) == 0) continue;
    // What a tool is for is no calculation beside it: its own words, and the verb of the clause where its description has it.
    const sources: u32 = token === clause.verb ? OWN | DESCRIPTION : OWN;
    if (step !== null && (isOf(token.stem, step, vocabulary, sources) || isOf(token.other, step, vocabulary, sources))) continue;
    if ((token.classes & CALCULATION) != 0 && !isAmount(i, clause, tokens)) return token;
    if ((token.classes & OPERATOR) != 0 && hasOperand(i, clause, tokens)) return token;
    if ((token.classes & (OPERATOR | MULTIPLE)) == (OPERATOR | MULTIPLE)) {
      if (repeats(i, clause, tokens)) return token;
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
  for (let i = index + 1; i < clause.to && i <= index + 2; i++) {
    const token = tokens[i];
    if (token.kind == Kind.Number) {
      // `the sum of 10 and 20` has two.
      const and = i + 2 < clause.to && tokens[i + 2].kind == Kind.Number && (tokens[i + 1].kind == Kind.Comma || (tokens[i + 1].kind == Kind.Word && (tokens[i + 1].classes & AND) != 0));
      return token.takenAsNumber && !token.percent && !and;
    }
    if (token.kind != Kind.Word || (token.classes & (PREPOSITION | FILLER)) == 0) return false;
  }
  return false;
}

function hasOperand(index: i32, clause: Clause, tokens: Array<Token>): bool {
  for (let i = index + 1; i < clause.to && i <= index + OPERAND_REACH; i++) {
    const token = tokens[i];
    if (token.kind == Kind.Number) return !token.taken;
    if (token.kind != Kind.Word) return false;
    if ((token.classes & OPERAND) != 0) return true;
    if ((token.classes & (DETERMINER | FILLER | PREPOSITION | PRONOUN | SKIP)) == 0) return false;
  }
  return false;
}

/** Whether a number of times something: `3 times its amount`; not `3 times a day`. */
function repeats(index: i32, clause: Clause, tokens: Array<Token>): bool {
  if (index == clause.from || index + 1 >= clause.to) return false;
  const next = tokens[index + 1];
  return tokens[index - 1].kind <= Kind.Number && next.kind == Kind.Word && (next.classes & (DETERMINER | ANAPHOR)) != 0 && (next.classes & (FILLER | TOWARD | PREPOSITION)) == 0;
}

function isSign(mark: i32): bool {
  return mark == 0x2b || mark == 0x2a || mark == 0xd7 || mark == 0xf7;
}

function multiplies(index: i32, clause: Clause, tokens: Array<Token>): bool {
  if (index + 1 >= clause.to) return true;
  const next = tokens[index + 1];
  return next.kind == Kind.Word && (next.classes & (DETERMINER | PRONOUN | PREPOSITION | ANAPHOR)) != 0;
}
