// The verb that says what a clause asks for: a command, what should be done to something, or what stands further in.

import { codePointAt } from "../memory/bytes";
import { spend } from "../memory/steps";
import { Asks, Clause, KNOWN_VERBS, Speech } from "./clauses";
import {
  AND, ANAPHOR, BE, BIDS, BY, CALCULATION, CLOSED, CONDITION, COUNTS, DETERMINER, ENSURES, Form, HAVE, INFINITIVE, LIGHT, LOOK, MODAL, MULTIPLE, NEGATION, OF, OFF, ON, OPERAND, PREPOSITION, PRONOUN,
  QUESTION, SENDS, SKIP, SUBJUNCTIVE, SWITCHES, TELLER, THAT, THEN, TOWARD, USES, WISH, YOU,
} from "./classes";
import { Kind, Token } from "./token";
import { OWN, REST } from "./vocabulary";

/** How many words that nobody knows may stand before a verb. */
const UNKNOWN: i32 = 2;

/** Finds the verb of a clause. */
export function findVerb(clause: Clause, tokens: Array<Token>, speech: Speech): void {
  fallback = null;
  const found = findCommand(clause, tokens, speech) || findPassive(clause, tokens, speech) || findFurther(clause, tokens, speech);
  if (!clause.negated && !clause.conditional && (!found || isCausative(clause.verb!)) && findSent(clause, tokens, speech)) return;
  if (found) return;
  if (fallback !== null) take(clause, fallback!);
  else clause.negated = clause.negated && !hasContent(clause, tokens);
}

/** Whether a verb that looks up may have something done: `get the draft shared`. */
function isCausative(verb: Token): bool {
  return (verb.classes & (LOOK | BE)) == (LOOK | BE);
}

/** Finds a participle that sends something with its value to an address: `get draft 8 shared with nina@example.com`. Without a verb that has it done, whether it tells is in doubt. */
function findSent(clause: Clause, tokens: Array<Token>, speech: Speech): bool {
  for (let i = clause.from + 1; i + 2 < clause.to; i++) {
    spend(1);
    const token = tokens[i];
    if (token.kind != Kind.Word || (token.classes & SENDS) == 0 || speech.lexicon.form(token.word) != Form.Participle || !tokens[i - 1].isValue || !speech.isDeed(token)) continue;
    const next = tokens[i + 1];
    if (next.kind != Kind.Word || (next.classes & (TOWARD | PREPOSITION)) == 0 || (next.traits & BY) != 0 || tokens[i + 2].kind != Kind.Address) continue;
    const first = tokens[clause.from];
    const has = clause.verb !== null || (first.kind == Kind.Word && (first.traits & HAVE) != 0);
    take(clause, token);
    clause.told = !has;
    return true;
  }
  return false;
}

/** A verb that only says that something is wished (`let`, `start`), where no other is found. */
let fallback: Token | null = null;

/** Finds a verb that a clause begins with, over courtesies, pronouns and what is said in front of it (`for order 4411 please charge …`). */
function findCommand(clause: Clause, tokens: Array<Token>, speech: Speech): bool {
  let started = false;
  let fronted = false;
  let told = false;
  // A verb whose past is its base form (set) may tell: `Bob set it`, `have you set it`. `Devo bloquear?` asks whether to.
  let had = false;
  let asks = false;
  // Something bids before the verb: what one may, must, wishes, a word of courtesy.
  let bids = false;
  let unknown = 0;
  for (let i = clause.from; i < clause.to; i++) {
    spend(1);
    const token = tokens[i];
    if (token.kind == Kind.Comma) {
      // `Ana, bloqueia o cartão`: who is spoken to.
      unknown = 0;
      told = had = false;
      continue;
    }
    if (token.kind != Kind.Word) {
      if (started && !fronted) break;
      continue;
    }
    const classes = token.classes;
    if ((classes & NEGATION) != 0) {
      clause.negated = true;
      continue;
    }
    if ((classes & CONDITION) != 0) clause.conditional = true;
    // `how many invoices must be paid`
    if ((token.traits & COUNTS) != 0 && !started) {
      clause.verb = token;
      clause.asks = Asks.Look;
      return true;
    }
    if ((classes & QUESTION) != 0 && !started) {
      // `que você envie`
      if (isThat(clause, i, tokens)) continue;
      if (isNeed(clause, i, tokens)) {
        started = true;
        continue;
      }
      // `depois é cobrar no quarto 5`
      if ((classes & BE) != 0 && i + 1 < clause.to && speech.isVerb(tokens[i + 1]) && speech.isDeed(tokens[i + 1]) && speech.lexicon.form(tokens[i + 1].word) == Form.Always && !speech.lexicon.isGerund(tokens[i + 1].word)) {
        started = true;
        continue;
      }
      // `estão esperando você enviar`
      if ((classes & BE) != 0 && i + 1 < clause.to && isGoingOn(clause, i + 1, tokens, speech)) {
        started = true;
        continue;
      }
      clause.verb = token;
      clause.asks = Asks.Look;
      return true;
    }
    // `manda bloquear o cartão`
    if (hasDone(token, i, clause, tokens, speech)) {
      bids = started = true;
      told = told || speech.lexicon.isPast(token.word);
      continue;
    }
    if ((unknown == 0 || (classes & KNOWN_VERBS) != 0) && speech.isVerb(token) && !isNounHere(clause, i, tokens) && !isGoingOn(clause, i, tokens, speech) && (!fronted || beginsAnew(clause, i, tokens, speech))) {
      if ((classes & MODAL) == 0) {
        // `email 12 can be deleted`
        if ((classes & SENDS) != 0 && speech.lexicon.isNounToo(token.word) && i + 1 < clause.to && isId(tokens[i + 1]) && findPassive(clause, tokens, speech)) return true;
        // `double the amount should be charged`
        if ((classes & (CALCULATION | MULTIPLE)) != 0 && findPassive(clause, tokens, speech)) return true;
        take(clause, token);
        clause.told = told || (had && speech.lexicon.isParticiple(token.word)) || (unknown != 0 && !bids && speech.lexicon.form(token.word) == Form.Always) || (speech.lexicon.form(token.word) == Form.Always && isJudged(clause, i, tokens, speech)) || (asks && isQuestion(clause, tokens));
        // `freezing card 90 worked`; `freeze card 90?`
        if (!bids && (speech.lexicon.isGerund(token.word) ? !isPraised(clause, i, tokens, speech) : isQuestion(clause, tokens))) clause.told = true;
        clause.told = clause.told || hasCondition(clause, i, tokens);
        // `use it to charge order 4411`
        if ((token.traits & USES) != 0) findFurther(clause, tokens, speech);
        return true;
      }
      bids = true;
      if (fallback === null) fallback = token;
      started = true;
      continue;
    }
    if ((classes & (SKIP | CONDITION)) != 0) continue;
    if (!started && (classes & (PREPOSITION | TOWARD)) != 0 && !((classes & INFINITIVE) != 0 && i + 1 < clause.to && speech.isVerb(tokens[i + 1]))) fronted = true;
    started = true;
    if (fronted) continue;
    if ((classes & DETERMINER) != 0 && (classes & PRONOUN) == 0) break;
    if ((classes & (PRONOUN | MODAL | INFINITIVE | AND | THEN | BE | QUESTION)) != 0) {
      had = had || (token.traits & HAVE) != 0;
      bids = bids || (classes & (MODAL | WISH)) != 0 || (token.traits & YOU) != 0;
      // `the owner wants you to freeze it`
      if ((token.traits & YOU) != 0 && i + 1 < clause.to && tokens[i + 1].kind == Kind.Word && (tokens[i + 1].classes & INFINITIVE) != 0) {
        unknown = 0;
        told = false;
        continue;
      }
      // `o João quer bloquear o cartão`
      if ((classes & (MODAL | WISH)) != 0 && unknown != 0) {
        told = true;
        continue;
      }
      // `imagine you freeze it`
      if ((token.traits & YOU) != 0 && unknown != 0 && (tokens[i - 1].traits & THAT) == 0) {
        told = true;
        continue;
      }
      // `I might freeze card 90`, `I will`: not what one wishes.
      if ((classes & (MODAL | WISH)) == MODAL && i > clause.from && (tokens[i - 1].traits & TELLER) != 0) {
        told = true;
        continue;
      }
      asks = asks || ((classes & MODAL) != 0 && (token.traits & TELLER) != 0);
      // `Bob told me to charge it`
      if ((classes & INFINITIVE) != 0 && unknown != 0 && (tokens[i - 1].kind != Kind.Word || (tokens[i - 1].traits & YOU) == 0)) {
        told = true;
        continue;
      }
      // `they charge order 4411`, but `they should charge it`
      if ((classes & INFINITIVE) != 0 && told) continue;
      told = (classes & (MODAL | INFINITIVE | WISH)) == 0 && (token.traits & YOU) == 0 && (told || (token.traits & TELLER) != 0);
      continue;
    }
    if ((classes & (PREPOSITION | TOWARD)) != 0) break;
    if ((speech.sources(token.stem) & OWN) != 0 || ++unknown > UNKNOWN) break;
    had = true;
    // `a Ana bloqueia o cartão`
    told = told || (i > clause.from && tokens[i - 1].kind == Kind.Word && (tokens[i - 1].classes & DETERMINER) != 0);
  }
  return false;
}

/** Whether a verb that may send only has another deed done: `manda bloquear o cartão`. */
export function hasDone(token: Token, index: i32, clause: Clause, tokens: Array<Token>, speech: Speech): bool {
  if ((token.traits & BIDS) == 0 || index + 1 >= clause.to) return false;
  const next = tokens[index + 1];
  return next.kind == Kind.Word && (next.classes & SENDS) == 0 && speech.isVerb(next) && speech.lexicon.form(next.word) == Form.Always && !speech.lexicon.isGerund(next.word);
}

/** Whether a token is a number or an id. */
function isId(token: Token): bool {
  return token.kind == Kind.Number || token.kind == Kind.Mark;
}

/** Whether a clause ends with a question mark. */
export function isQuestion(clause: Clause, tokens: Array<Token>): bool {
  if (clause.to >= tokens.length || tokens[clause.to].kind != Kind.Break) return false;
  const mark = codePointAt(tokens[clause.to].start);
  return mark == 0x3f || mark == 0xff1f;
}

/** Whether a condition follows a verb: `close ticket 31 unless it is open`; not `until 2027-02-01`. */
function hasCondition(clause: Clause, index: i32, tokens: Array<Token>): bool {
  for (let i = index + 1; i + 1 < clause.to; i++) {
    const token = tokens[i];
    if (token.kind != Kind.Word || (token.classes & CONDITION) == 0 || tokens[i + 1].kind != Kind.Word) continue;
    if (tokens[i - 1].kind != Kind.Word || (tokens[i - 1].classes & DETERMINER) == 0) return true;
  }
  return false;
}

/** Whether a clause says of what a verb's form names that it is, or would be something: `closing ticket 31 is fine`. */
function isPraised(clause: Clause, index: i32, tokens: Array<Token>, speech: Speech): bool {
  for (let i = index + 2; i < clause.to; i++) {
    spend(1);
    const token = tokens[i];
    if (token.kind == Kind.Word && (token.classes & (BE | MODAL)) != 0 && !speech.lexicon.isPast(token.word)) return true;
  }
  return false;
}

/** Whether a clause says of what a verb's form names that it was something: `charging the card was a mistake`. */
function isJudged(clause: Clause, index: i32, tokens: Array<Token>, speech: Speech): bool {
  for (let i = index + 2; i < clause.to; i++) {
    spend(1);
    const token = tokens[i];
    if (token.kind != Kind.Word || !speech.lexicon.isPast(token.word)) continue;
    return tokens[i - 1].kind != Kind.Word || (tokens[i - 1].classes & PRONOUN) == 0;
  }
  return false;
}

/** Whether a word is `que` before what is wished. */
function isThat(clause: Clause, index: i32, tokens: Array<Token>): bool {
  if ((tokens[index].traits & THAT) == 0 || index + 1 >= clause.to) return false;
  const next = tokens[index + 1];
  return next.kind == Kind.Word && ((next.classes & DETERMINER) != 0 || (next.traits & YOU) != 0);
}

/** Whether a question word begins what is needed, which a verb follows: `what I need is map 12 shared`; not `what I need`. */
function isNeed(clause: Clause, index: i32, tokens: Array<Token>): bool {
  if (index + 3 >= clause.to) return false;
  const who = tokens[index + 1];
  const wish = tokens[index + 2];
  const is = tokens[index + 3];
  return who.kind == Kind.Word && (who.traits & TELLER) != 0 && wish.kind == Kind.Word && (wish.classes & WISH) != 0 && is.kind == Kind.Word && (is.classes & BE) != 0;
}

/** Whether a word that may be a verb stands as a noun (`a lista de`, `o dobro do`) or an article. */
function isNounHere(clause: Clause, index: i32, tokens: Array<Token>): bool {
  if (index == clause.from || index + 1 >= clause.to) return false;
  const before = tokens[index - 1];
  const next = tokens[index + 1];
  // `quero da lista`: no `dá`.
  if ((tokens[index].classes & DETERMINER) != 0 && before.kind == Kind.Word && (before.classes & (PRONOUN | SKIP | NEGATION)) == 0) return true;
  return before.kind == Kind.Word && (before.classes & DETERMINER) != 0 && next.kind == Kind.Word && (next.traits & OF) != 0;
}

/** Whether a verb says what goes on: `we are counting on you`. */
function isGoingOn(clause: Clause, index: i32, tokens: Array<Token>, speech: Speech): bool {
  const token = tokens[index];
  if (index == clause.from || (token.classes & SENDS) != 0 || speech.lexicon.form(token.word) != Form.Always) return false;
  return tokens[index - 1].kind == Kind.Word && (tokens[index - 1].classes & (BE | MODAL)) == BE;
}

/** Whether a verb begins after what stands in front: no article or preposition before it, and an object after it. */
function beginsAnew(clause: Clause, index: i32, tokens: Array<Token>, speech: Speech): bool {
  const before = tokens[index - 1];
  if (before.kind == Kind.Word && (before.classes & (DETERMINER | PREPOSITION | TOWARD | INFINITIVE)) != 0 && (before.classes & SKIP) == 0) return false;
  return hasObject(clause, index, tokens, speech);
}

/** Whether what follows a verb is something that it may be done to. */
function hasObject(clause: Clause, index: i32, tokens: Array<Token>, speech: Speech): bool {
  if (index + 1 >= clause.to) return false;
  const next = tokens[index + 1];
  if (next.kind != Kind.Word) return next.isValue;
  return (next.classes & (DETERMINER | PRONOUN | ANAPHOR | MULTIPLE | CALCULATION | OPERAND)) != 0 || ((speech.sources(next.stem) | speech.sources(next.other)) & OWN) != 0;
}

/** Whether a word and its value are what something is said of: `email 12 can be deleted`. */
export function isSubject(clause: Clause, index: i32, tokens: Array<Token>): bool {
  if (index + 2 >= clause.to || !tokens[index + 1].isValue) return false;
  const next = tokens[index + 2];
  return next.kind == Kind.Word && (next.classes & (MODAL | WISH | BE)) != 0;
}

/** Finds the verb of a clause that says what should be done to something: `the card should be frozen`, `is to be frozen`, `I want it frozen`, `needs freezing`; not `the card has been frozen`. */
export function findPassive(clause: Clause, tokens: Array<Token>, speech: Speech): bool {
  let modal = false;
  let asked = false;
  let wished = false;
  let ensured = false;
  let be = false;
  let negated = false;
  let conditional = false;
  let content = false;
  for (let i = clause.from; i < clause.to; i++) {
    spend(1);
    const token = tokens[i];
    if (token.kind == Kind.Comma) continue;
    const classes = token.kind == Kind.Word ? token.classes : 0;
    if ((classes & NEGATION) != 0) negated = true;
    else if ((classes & CONDITION) != 0) conditional = true;
    else if (be && (classes & SKIP) == 0) {
      if (speech.isDone(token)) {
        clause.negated = negated;
        clause.conditional = clause.conditional || conditional;
        take(clause, token);
        return true;
      }
      modal = be = false;
    } else if (isBeing(clause, i, tokens, speech, modal || ensured, asked)) be = true;
    else if ((classes & (MODAL | WISH)) != 0) {
      modal = asked = true;
      ensured = ensured || (token.traits & ENSURES) != 0;
      // `I have card 90 frozen` may tell of it.
      const tells = (token.traits & HAVE) != 0 && i > clause.from && (tokens[i - 1].traits & TELLER) != 0;
      wished = wished || ((classes & WISH) != 0 && (classes & BE) == 0 && !tells);
    } else if ((classes & INFINITIVE) != 0) continue;
    else if ((classes & QUESTION) != 0) {
      // `what I need is map 12 shared with Ana`
      if (isThat(clause, i, tokens) || isNeed(clause, i, tokens)) asked = true;
      else if (!wished && !((classes & BE) != 0 && content)) return false;
    } else if (isRelative(clause, i, tokens)) return false;
    else if ((classes & SKIP) == 0) {
      if (wished && !negated && !conditional && isWished(clause, i, tokens, speech)) {
        take(clause, token);
        return true;
      }
      // `card 90 needs freezing`
      if (i > clause.from && (tokens[i - 1].classes & WISH) != 0 && content && !negated && speech.lexicon.form(token.word) == Form.Always && speech.isVerb(token) && speech.isDeed(token)) {
        clause.conditional = clause.conditional || conditional;
        take(clause, token);
        return true;
      }
      modal = false;
      content = true;
    }
  }
  return false;
}

/** Whether a form of be asks for what follows it: after what one must, or as `be` itself; not `was to be`. */
function isBeing(clause: Clause, index: i32, tokens: Array<Token>, speech: Speech, modal: bool, asked: bool): bool {
  const token = tokens[index];
  if (token.kind != Kind.Word || (token.classes & BE) == 0 || speech.lexicon.form(token.word) == Form.Participle || speech.lexicon.isPast(token.word)) return false;
  if (modal || (asked && (token.classes & WISH) != 0)) return true;
  if ((token.traits & SUBJUNCTIVE) == 0) return false;
  return index - 2 < clause.from || tokens[index - 2].kind != Kind.Word || !speech.lexicon.isPast(tokens[index - 2].word);
}

/** Whether a word begins what only describes: `the card that must be frozen`. */
function isRelative(clause: Clause, index: i32, tokens: Array<Token>): bool {
  const token = tokens[index];
  if (token.kind != Kind.Word || (token.classes & (PRONOUN | ANAPHOR)) != (PRONOUN | ANAPHOR) || index == clause.from || index + 1 >= clause.to) return false;
  const before = tokens[index - 1];
  const next = tokens[index + 1];
  return (before.isValue || (before.kind == Kind.Word && (before.classes & CLOSED) == 0)) && next.kind == Kind.Word && (next.classes & (MODAL | BE)) != 0;
}

/** Whether a participle after a noun or a value is what is wished for it: `I want card 90 frozen`. Of what the agent's tools do, whatever follows; by whom leaves a doubt. */
function isWished(clause: Clause, index: i32, tokens: Array<Token>, speech: Speech): bool {
  const before = index > clause.from ? tokens[index - 1] : null;
  if (before === null || !(before.isValue || (before.kind == Kind.Word && ((before.classes & CLOSED) == 0 || (before.classes & (ANAPHOR | DETERMINER)) == ANAPHOR)))) return false;
  if (!speech.isDone(tokens[index])) return false;
  const next = index + 1 < clause.to ? tokens[index + 1] : null;
  if (next === null || (next.kind == Kind.Word && (next.classes & TOWARD) != 0)) return true;
  // `I want the lamp switched off`
  if ((tokens[index].traits & SWITCHES) != 0 && next.kind == Kind.Word && (next.classes & (ON | OFF)) != 0) return true;
  if (!speech.isDeed(tokens[index])) return false;
  if (next.kind == Kind.Word && (next.classes & CONDITION) != 0 && index + 2 < clause.to && tokens[index + 2].isValue) return true;
  clause.told = next.kind == Kind.Word && ((next.classes & (PREPOSITION | SKIP)) == 0 || (next.traits & BY) != 0);
  return true;
}

/** Finds a verb of the agent's tools further in: after `to` or `you` (`waiting for you to send the receipt`), or where a command runs on (`my wallet is gone freeze card 90`). */
function findFurther(clause: Clause, tokens: Array<Token>, speech: Speech): bool {
  if (clause.negated || clause.conditional) return false;
  for (let i = clause.from + 1; i < clause.to; i++) {
    spend(1);
    const token = tokens[i];
    if (token.kind != Kind.Word) continue;
    if ((token.classes & (NEGATION | CONDITION)) != 0) return false;
    if (!speech.isVerb(token) || !speech.isDeed(token) || !hasObject(clause, i, tokens, speech)) continue;
    const before = tokens[i - 1];
    const after = tokens[i + 1];
    const to = before.kind == Kind.Word && (before.classes & INFINITIVE) != 0;
    const who = to && i - 2 >= clause.from ? tokens[i - 2] : before;
    const asked = who.kind == Kind.Word && (who.traits & YOU) != 0;
    const runsOn = before.kind != Kind.Word || (before.classes & (CLOSED | KNOWN_VERBS)) == 0 ? after.kind == Kind.Word && (speech.sources(after.stem) & REST) != 0 : false;
    if (!to && !asked && !runsOn) continue;
    // `esperando você enviar`, `espera que você envie`; `imagine you send it` may only tell.
    const bid = asked && (to || speech.lexicon.form(token.word) == Form.Always || (i - 2 >= clause.from && (tokens[i - 2].traits & THAT) != 0));
    const told = !bid && (clause.verb === null || (clause.verb!.traits & USES) == 0);
    take(clause, token);
    clause.told = told;
    return true;
  }
  return false;
}

function take(clause: Clause, token: Token): void {
  clause.verb = token;
  clause.asks = (token.classes & SENDS) != 0 ? Asks.Deed : (token.classes & (LOOK | CALCULATION)) != 0 ? Asks.Look : (token.classes & LIGHT) != 0 ? Asks.Light : Asks.Deed;
}

/** Whether a clause says a verb and nothing that it is done to. */
export function isBare(clause: Clause, tokens: Array<Token>): bool {
  if (clause.verb === null) return false;
  for (let i = clause.from; i < clause.to; i++) {
    const token = tokens[i];
    if (token.isValue) return false;
    if (token.kind == Kind.Word && token !== clause.verb && ((token.classes & CLOSED) == 0 || (token.classes & ANAPHOR) != 0)) return false;
  }
  return true;
}

/** The word after a verb that only a tool's name makes a verb, where it is no article: `conference websites` may be a name. */
export function afterName(clause: Clause, tokens: Array<Token>): Token | null {
  const verb = clause.verb;
  if (verb === null || (verb.classes & (KNOWN_VERBS | QUESTION)) != 0) return null;
  for (let i = clause.from; i + 1 < clause.to; i++) {
    if (tokens[i] !== verb) continue;
    const next = tokens[i + 1];
    return next.kind == Kind.Word && (next.classes & CLOSED) == 0 ? next : null;
  }
  return null;
}

/** Whether a clause says anything but courtesies. */
export function hasContent(clause: Clause, tokens: Array<Token>): bool {
  for (let i = clause.from; i < clause.to; i++) {
    const token = tokens[i];
    if (token.isValue) return true;
    if (token.kind == Kind.Word && ((token.classes & CLOSED) == 0 || (token.classes & (CALCULATION | SENDS)) != 0)) return true;
  }
  return false;
}
