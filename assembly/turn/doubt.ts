// Whether a write is plainly asked for (chapter 6: a doubt confirms): its clause holds no word that its tool does not know, and leaves no number open.

import { spend } from "../memory/steps";
import { Clause, Speech } from "./clauses";
import {
  ADJUSTS, ANAPHOR, APPROXIMATE, BE, BY, CALCULATION, CLOSED, CONDITION, DETERMINER, FILLER, LOOK, MODAL, MONEY, MONTH, NEGATION, OF, OFF, OFTEN, ON, OR, PREPOSITION, PRONOUN, QUANTIFIES, QUESTION, REASON, SKIP, SPAN, SWITCHES, THEN, TOWARD, UNIT, UNTIL, VERB, WISH,
} from "./classes";
import { NAMES_MONEY } from "./parameters";
import { Holds, Source, Step } from "./step";
import { Kind, Token } from "./token";
import { DESCRIPTION, OWN, PARAMETER } from "./vocabulary";

/** How far before a colon a word is sought that says whose words follow. */
const REPORT_REACH: i32 = 12;
/** Where a tool may have a word that is said of it. */
const KNOWN: u32 = OWN | PARAMETER | DESCRIPTION;

/**
 * Whether a write's clause says nothing that the write does not know. A word that nobody knows may say when, how much or of what (`freeze card 7 once
 * I have called`, `feed herd 12 350 pounds`), so that the write is not what the person meant.
 */
export function isUnderstood(step: Step, tokens: Array<Token>, speech: Speech): bool {
  const clause = step.clause;
  if (isReported(step, tokens)) return false;
  for (let i = clause.from; i < clause.to; i++) {
    spend(1);
    const token = tokens[i];
    if (token === clause.verb) continue;
    if (token.kind == Kind.Mark && isRange(token)) return false;
    if (token.taken && (isElsewhere(i, step, tokens, speech) || isApart(i, step, tokens, speech))) return false;
    if (token.kind == Kind.Number && isOfOther(i, step, tokens, speech)) return false;
    // `switch the sauna, I'm off`
    if (token.kind == Kind.Word && i > clause.from && tokens[i - 1].kind == Kind.Comma && (token.classes & (PRONOUN | DETERMINER | ANAPHOR)) == PRONOUN && clause.verb !== null && clause.verb!.start < token.start) return false;
    if (token.kind != Kind.Word || token.taken) continue;
    const classes = token.classes;
    const next = i + 1 < clause.to ? tokens[i + 1] : null;
    // `until 2027-02-01`
    const until = (token.traits & UNTIL) != 0 && next !== null && next!.isValue && !next!.takenAsNumber;
    if (until) continue;
    if ((classes & (NEGATION | CONDITION)) != 0 || (token.traits & QUANTIFIES) != 0) return false;
    // `under ticket 515` is a place.
    if ((token.traits & APPROXIMATE) != 0 && ((classes & PREPOSITION) == 0 || next === null || next!.kind != Kind.Word)) return false;
    // `on the day 22/09/2026`; `the monthly limit`
    // `2 dozen crates`
    if ((token.traits & OFTEN) != 0 && i > clause.from && tokens[i - 1].kind == Kind.Number) return false;
    if ((token.traits & OFTEN) != 0 || ((token.traits & SPAN) != 0 && next !== null && next!.isValue)) continue;
    // `I was going to freeze card 7`, `pickup 31, which was on 2027-05-03`
    if ((classes & BE) != 0 && speech.lexicon.isPast(token.word)) return false;
    if ((classes & MONEY) != 0 && i > clause.from && tokens[i - 1].kind == Kind.Number && !takesMoney(step)) return false;
    if ((classes & (CLOSED | FILLER | MONEY | WISH)) != 0 || (token.traits & REASON) != 0) continue;
    // `a total of 40.00` names a value.
    if ((classes & CALCULATION) != 0 && clause.calculation === null) continue;
    if (!isKnown(token, step, speech)) return false;
  }
  // `could I freeze card 7 after?`
  return clause.to >= tokens.length || tokens[clause.to].kind != Kind.Word || (tokens[clause.to].classes & THEN) == 0 || (clause.to + 1 < tokens.length && tokens[clause.to + 1].kind != Kind.Break);
}

/** Whether what stands before a colon says whose words these are: `the reviews say: switch the sauna off`; not `ticket 31: close it`. */
function isReported(step: Step, tokens: Array<Token>): bool {
  const from = step.clause.from;
  if (tokens[from].led != 0x3a) return false;
  for (let i = from - 1; i >= 0 && i >= from - REPORT_REACH && tokens[i].kind != Kind.Break; i--) {
    spend(1);
    if (tokens[i].kind == Kind.Word && (tokens[i].classes & SKIP) == 0 && (tokens[i].classes & (BE | QUESTION | LOOK | VERB | WISH | MODAL | PRONOUN)) != 0) return true;
  }
  return false;
}

/** Whether a word is one of a tool's own, of its parameters, its description or its enumerations, or turns it on and off. */
function isKnown(token: Token, step: Step, speech: Speech): bool {
  if (sourcesOf(step, token.stem, speech, KNOWN) || sourcesOf(step, token.other, speech, KNOWN) || sourcesOf(step, speech.vocabulary.alias(token.stem), speech, KNOWN)) return true;
  if ((token.classes & (ON | OFF)) != 0 && step.clause.verb !== null && (step.clause.verb!.traits & SWITCHES) != 0) return true;
  const parameters = step.words.parameters;
  for (let p = 0; p < parameters.length; p++) {
    spend(1);
    if (parameters[p].hasWord(token.word)) return true;
  }
  return false;
}

/** Whether a tool has a word in one of some places. */
function sourcesOf(step: Step, stem: i32, speech: Speech, sources: u32): bool {
  if (stem < 0) return false;
  for (let posting = speech.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
    spend(1);
    if (posting.tool == step.words.tool.index) return (posting.sources & sources) != 0;
  }
  return false;
}

/** Whether a token is several numbers: `12-15`, `7/8`. */
function isRange(token: Token): bool {
  let joins = false;
  for (let at = token.start; at < token.end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte == 0x2d || byte == 0x2f) joins = true;
    else if (byte - 0x30 > 9) return false;
  }
  return joins;
}

/** Whether a value that an argument took says something else by what stands before it: `invoice 12 of 2026`, `artifact 209 from 1890`, `the visit after visit 5`. */
function isElsewhere(index: i32, step: Step, tokens: Array<Token>, speech: Speech): bool {
  const from = step.clause.from;
  const token = tokens[index];
  if (token.money || token.kind == Kind.Address || token === step.clause.verb || isSpoken(index, step.clause, tokens)) return false;
  let at = index - 1;
  const labelled = at > from && tokens[at].kind == Kind.Word && isNounOf(step, tokens[at], speech);
  if (labelled) at--;
  while (at > from && tokens[at].kind == Kind.Word && (tokens[at].classes & DETERMINER) != 0 && (tokens[at].classes & TOWARD) == 0 && (tokens[at].traits & OF) == 0) at--;
  if (at <= from || tokens[at].kind != Kind.Word || tokens[at].taken) return false;
  const before = tokens[at];
  if ((before.traits & OF) != 0) {
    if (token.kind == Kind.Number && token.takenAsNumber && token.value >= 1900 && token.value < 2100) return true;
    return at == index - 1 && tokens[at - 1].isValue && !tokens[at - 1].money || (at > from + 1 && (tokens[at - 1].classes & (PREPOSITION | FILLER)) == PREPOSITION);
  }
  // `transfer from source 70`, `until 2027-02-01`
  if (labelled && (before.traits & (UNTIL | APPROXIMATE)) == 0) return false;
  if ((before.traits & UNTIL) != 0 && ((before.traits & APPROXIMATE) != 0 || (before.classes & CONDITION) != 0)) return false;
  return (before.classes & PREPOSITION) != 0 && (before.classes & (FILLER | TOWARD)) == 0 && (before.traits & BY) == 0;
}

/** Whether a number is of a date that is spoken: `3 de março de 2026`. */
function isSpoken(index: i32, clause: Clause, tokens: Array<Token>): bool {
  for (let i = max(clause.from, index - 3); i < clause.to && i <= index + 2; i++) if (tokens[i].kind == Kind.Word && (tokens[i].classes & MONTH) != 0) return true;
  return false;
}

/** Whether a value counts, says when, or is another noun's: `discard 7 lots`, `o cartão às 10`, `the loan of reader 90`; and whether a quoted text says which: `the "urgent" one`. */
function isApart(index: i32, step: Step, tokens: Array<Token>, speech: Speech): bool {
  const token = tokens[index];
  const next = index + 1 < step.clause.to ? tokens[index + 1] : null;
  const before = index > step.clause.from ? tokens[index - 1] : null;
  if (token.kind == Kind.Quoted) return next !== null && next !== step.clause.verb && next!.kind == Kind.Word && ((next!.classes & CLOSED) == 0 || (next!.classes & (PRONOUN | DETERMINER | PREPOSITION)) == PRONOUN);
  if (token.kind == Kind.Date) return token.takenAsId;
  if (token.kind != Kind.Number && token.kind != Kind.Mark) return false;
  if (token.takenAsId && next !== null && next!.kind == Kind.Word && isNounOf(step, next!, speech) && (before === null || before!.kind != Kind.Word || !isNounOf(step, before!, speech))) return true;
  if (before === null || before!.kind != Kind.Word || before === step.clause.verb || isSpoken(index, step.clause, tokens)) return false;
  if ((before!.classes & (FILLER | MONEY)) != 0) return false;
  if ((before!.classes & CLOSED) != 0) return token.takenAsId || (before!.classes & (DETERMINER | TOWARD)) == DETERMINER;
  return !before!.taken && !isNounOf(step, before!, speech) && !isOwn(before!, step, speech);
}

/** Whether a word is one of a tool's own, or stands for one. */
function isOwn(token: Token, step: Step, speech: Speech): bool {
  return sourcesOf(step, token.stem, speech, OWN) || sourcesOf(step, token.other, speech, OWN) || sourcesOf(step, speech.vocabulary.alias(token.stem), speech, OWN);
}

/** Whether a word is in the name of one of a tool's parameters that has a value, or stands for one that is. */
function isNounOf(step: Step, token: Token, speech: Speech): bool {
  const alias = speech.vocabulary.alias(token.stem);
  const parameters = step.words.parameters;
  for (let p = 0; p < parameters.length; p++) {
    if (step.bound[p] === null) continue;
    const words = parameters[p].words;
    if ((token.stem >= 0 && words.includes(token.stem)) || (token.other >= 0 && words.includes(token.other)) || (alias >= 0 && words.includes(alias))) return true;
  }
  return false;
}

/** Whether what a number counts is no word of what it was taken as: `bill tenant 22 for printing 140 pages`; and whether it is open: `12+ sacks`. */
function isOfOther(index: i32, step: Step, tokens: Array<Token>, speech: Speech): bool {
  const token = tokens[index];
  if (!token.takenAsNumber || index + 1 >= step.clause.to) return false;
  const next = tokens[index + 1];
  if (next.led == 0x2b) return true;
  if (next.kind != Kind.Word || next.stem < 0 || token.money || (next.classes & (CLOSED | MONEY | FILLER | VERB)) != 0) return false;
  const parameters = step.words.parameters;
  for (let p = 0; p < parameters.length; p++) {
    spend(1);
    const bound = step.bound[p];
    if (bound !== null && bound.holds == Holds.Number && bound.number == token.value && (parameters[p].words.includes(next.stem) || ((parameters[p].names & NAMES_MONEY) != 0 && isOwn(next, step, speech)))) return false;
  }
  return true;
}

function takesMoney(step: Step): bool {
  const parameters = step.words.parameters;
  for (let p = 0; p < parameters.length; p++) if ((parameters[p].names & NAMES_MONEY) != 0 && step.bound[p] !== null && step.bound[p]!.source == Source.Typed) return true;
  return false;
}

/** Whether it is open how much a word makes of a number: `60 a month`, `10.00 each`, `about 40.00`, `twice`, `ajuste em 2`. */
export function isOpen(list: Array<Token>, index: i32, clause: Clause): bool {
  const token = list[index];
  if (token.kind == Kind.Word) {
    if ((token.traits & OFTEN) == 0 || token.taken) return false;
    // `the monthly limit` says which.
    const noun = index + 1 < clause.to ? list[index + 1] : null;
    return noun === null || noun.kind != Kind.Word || (noun.classes & CLOSED) != 0;
  }
  if ((token.takenAsId || token.takenAsNumber) && index > clause.from && (list[index - 1].traits & APPROXIMATE) != 0) return true;
  if (token.kind != Kind.Number || !token.takenAsNumber) return false;
  if (token.value < 0) return true;
  const verb = clause.verb;
  if (index > clause.from && verb !== null && (verb.traits & ADJUSTS) != 0 && (list[index - 1].traits & BY) != 0) return true;
  let next = index + 1;
  while (next < clause.to && list[next].kind == Kind.Word && (list[next].classes & MONEY) != 0) next++;
  if (next >= clause.to || list[next].kind != Kind.Word) return false;
  // `40.00 or whatever is due`
  if ((list[next].traits & OR) != 0) return true;
  const spans = next + 1 < clause.to && (list[next + 1].traits & SPAN) != 0;
  return (list[next].traits & UNIT) != 0 ? spans || next + 1 >= clause.to || (list[next].classes & DETERMINER) != 0 : spans && (list[next].classes & DETERMINER) != 0;
}

