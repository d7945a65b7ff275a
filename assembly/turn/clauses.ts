// Clauses: a turn's tokens divided at sentence ends and connectives, and the verb that says what each clause asks for.

import { spend } from "../memory/steps";
import { Agent, Policy } from "../policy/policy";
import {
  AND, ANAPHOR, BE, CALCULATION, CLOSED, CONDITION, DETERMINER, Form, INFINITIVE, LIGHT, LOOK, Lexicon, MODAL, NEGATION, PREPOSITION, PRONOUN, QUESTION, SENDS, SKIP, THEN, TOWARD, VERB, WISH,
} from "./lexicon";
import { Kind, Token } from "./tokens";
import { ALSO, FIRST, OWN, PARAMETER, REST, Vocabulary } from "./vocabulary";

/** What kind of thing a clause's verb asks for. */
export const enum Asks {
  /** There is no verb. */
  Nothing,
  /** To be told or shown something. */
  Look,
  /** What the noun says: make, do. */
  Light,
  /** What the verb says. */
  Deed,
}

@final
export class Clause {
  verb: Token | null = null;
  asks: Asks = Asks.Nothing;
  /** It begins after a connective of sequence (then). */
  sequenced: bool = false;
  /** It begins at a connective, but no verb does: it stands only where its own words reach a tool. */
  soft: bool = false;
  /** `and` and another clause follow it. */
  shared: bool = false;
  negated: bool = false;
  conditional: bool = false;
  /** It calculates; and the token that says so. */
  calculation: Token | null = null;
  /** The step it became, or -1; a clause that only calculates has a number and no step. */
  step: i32 = -1;
  number: i32 = -1;
  /** Tools that its words reach alike, where several do. */
  tied: Array<i32> = [];
  constructor(
    /** Its tokens. */
    public from: i32,
    public to: i32,
  ) {}
}

/** How far after a connective a verb is sought: words of courtesy may stand between. */
const LOOK_AHEAD: i32 = 8;
/** How many words that nobody knows may stand before a verb. */
const UNKNOWN: i32 = 2;

/** Classes of the verbs that a language knows. */
const KNOWN_VERBS: u32 = VERB | SENDS | LOOK | LIGHT;

/** What an agent's tools and a language say of words. */
@final
export class Speech {
  constructor(
    public policy: Policy,
    public agent: Agent,
    public vocabulary: Vocabulary,
    public lexicon: Lexicon,
  ) {}

  /** Where the agent's tools have a word: the sources of all of them. */
  sources(stem: i32): u32 {
    if (stem < 0) return 0;
    let sources: u32 = 0;
    for (let posting = this.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      if (this.agent.reaches(this.policy.tools[posting.tool])) sources |= posting.sources;
    }
    return sources;
  }

  /** Whether a word may be the verb of a clause: one the language knows, or the first part of a tool's name; in a form a command has. */
  isVerb(token: Token): bool {
    if (token.kind != Kind.Word) return false;
    const classes = token.classes;
    if ((classes & KNOWN_VERBS) != 0) {
      if (!this.lexicon.isCommand(token.word, token.stands)) return false;
      if ((classes & (SENDS | LOOK | LIGHT)) != 0) return true;
      // `order` in `get_order`, or in its `order_id`, is a noun here.
      const sources = this.sources(token.stem) | this.sources(token.other);
      return (sources & (REST | PARAMETER)) == 0 || (sources & (FIRST | ALSO)) != 0;
    }
    if ((classes & CLOSED) != 0 || (this.sources(token.stem) & FIRST) == 0) return false;
    return this.lexicon.isCommand(token.word, token.word) && this.hasForm(token);
  }

  /** Whether a word is a participle of a verb, one the language knows or the first part of a tool's name; it then counts as that verb. */
  isDone(token: Token): bool {
    if (token.kind != Kind.Word || !this.lexicon.isParticiple(token.word)) return false;
    if ((this.sources(token.stem) & (FIRST | ALSO)) == 0) {
      const verb = this.vocabulary.find(this.lexicon.verbOf(token.word));
      if ((this.sources(verb) & (FIRST | ALSO)) == 0) return (token.classes & VERB) != 0;
      token.stem = verb;
    }
    token.classes |= VERB;
    return true;
  }

  /** Whether a tool's name begins with just this form of the word. */
  private hasForm(token: Token): bool {
    for (let posting = this.vocabulary.first(token.stem); posting.tool >= 0; posting = posting.next) {
      if ((posting.sources & FIRST) != 0 && this.lexicon.isCommand(token.word, posting.form)) return true;
    }
    return false;
  }
}

/** Divides tokens into clauses; empty ones are left out. */
export function divide(tokens: Array<Token>, speech: Speech): Array<Clause> {
  const clauses: Array<Clause> = [];
  let from = 0;
  let sequenced = false;
  let soft = false;
  for (let i = 0; i <= tokens.length; i++) {
    spend(1);
    const token = i < tokens.length ? tokens[i] : null;
    let cut = token === null || token.kind == Kind.Break;
    let then = false;
    let weak = false;
    if (token !== null && !cut) {
      if (token.kind == Kind.Word && (token.classes & THEN) != 0) then = cut = true;
      else if (token.led != 0 && token.kind == Kind.Word && i > from && beginsAfter(tokens, i, speech)) {
        // A mark that is no token: what it stands before is the next clause's.
        clauses.push(made(from, i, sequenced, soft));
        sequenced = soft = false;
        from = i;
        continue;
      } else if (token.kind == Kind.Comma || (token.kind == Kind.Word && (token.classes & AND) != 0)) {
        const after = beginsClause(tokens, i + 1, speech, token.kind == Kind.Comma);
        cut = after != 0;
        weak = after == 1;
      }
    }
    if (!cut) continue;
    if (i > from) {
      const clause = made(from, i, sequenced, soft);
      clause.shared = token !== null && token.kind == Kind.Word && (token.classes & AND) != 0;
      clauses.push(clause);
      sequenced = false;
    }
    sequenced = sequenced || then;
    soft = weak;
    from = i + 1;
  }
  return clauses;
}

function made(from: i32, to: i32, sequenced: bool, soft: bool): Clause {
  const clause = new Clause(from, to);
  clause.sequenced = sequenced;
  clause.soft = soft;
  return clause;
}

/** Whether a verb begins after a mark such as a colon, a dash or a bracket. After marks that may join words, something must follow that it is done to. */
function beginsAfter(tokens: Array<Token>, at: i32, speech: Speech): bool {
  const token = tokens[at];
  if (!joinsWords(token.led)) return beginsClause(tokens, at, speech, true) == 2;
  if (!speech.isVerb(token) || at + 1 >= tokens.length) return false;
  const next = tokens[at + 1];
  return next.led == 0 && (next.kind == Kind.Word || next.isValue);
}

/** Brackets, slashes, and signs that join: `import/export`, `the report (export)`, `R&D`. */
function joinsWords(mark: i32): bool {
  return mark == 0x28 || mark == 0x5b || mark == 0x7b || mark == 0x29 || mark == 0x5d || mark == 0x7d || mark == 0x2f || mark == 0x26 || mark == 0x2b || mark == 0x2e || mark == 0x27;
}

/** What begins after a connective: 2 a verb, 1 a noun of one of the agent's tools, 0 neither. */
function beginsClause(tokens: Array<Token>, from: i32, speech: Speech, comma: bool): i32 {
  let determined = false;
  for (let i = from; i < tokens.length && i < from + LOOK_AHEAD; i++) {
    spend(1);
    const token = tokens[i];
    if (token.kind != Kind.Word) {
      if (token.kind == Kind.Comma) continue;
      return 0;
    }
    const classes = token.classes;
    if ((classes & THEN) != 0) return 0;
    if ((classes & DETERMINER) != 0) {
      determined = true;
      continue;
    }
    if (!determined && (classes & QUESTION) != 0 && !comma) return 2;
    if (!determined && (classes & MODAL) == 0 && speech.isVerb(token)) return 2;
    if ((classes & (SKIP | PRONOUN | MODAL | INFINITIVE | AND | NEGATION)) != 0) continue;
    if ((classes & CLOSED) != 0) return 0;
    return ((speech.sources(token.stem) | speech.sources(token.other)) & OWN) != 0 ? 1 : 0;
  }
  return 0;
}

/** Finds the verb of a clause. */
export function findVerb(clause: Clause, tokens: Array<Token>, speech: Speech): void {
  let started = false;
  let unknown = 0;
  let fallback: Token | null = null;
  for (let i = clause.from; i < clause.to; i++) {
    spend(1);
    const token = tokens[i];
    if (token.kind == Kind.Comma) continue;
    if (token.kind != Kind.Word) {
      if (started) break;
      continue;
    }
    const classes = token.classes;
    if ((classes & NEGATION) != 0) {
      clause.negated = true;
      continue;
    }
    if ((classes & CONDITION) != 0) clause.conditional = true;
    if ((classes & QUESTION) != 0 && !started) {
      clause.verb = token;
      clause.asks = Asks.Look;
      return;
    }
    if ((unknown == 0 || (classes & KNOWN_VERBS) != 0) && speech.isVerb(token)) {
      if ((classes & MODAL) == 0) {
        // `email 12 can be deleted`
        if (!started && (classes & SENDS) != 0 && speech.lexicon.isNounToo(token.word) && isSubject(clause, i, tokens) && findPassive(clause, tokens, speech)) return;
        take(clause, token);
        return;
      }
      if (fallback === null) fallback = token;
      started = true;
      continue;
    }
    if ((classes & (SKIP | CONDITION)) != 0) continue;
    started = true;
    if ((classes & DETERMINER) != 0 && (classes & PRONOUN) == 0) break;
    if ((classes & (PRONOUN | MODAL | INFINITIVE | AND | THEN | BE | QUESTION)) != 0) continue;
    if ((classes & (PREPOSITION | TOWARD)) != 0) break;
    if ((speech.sources(token.stem) & OWN) != 0 || ++unknown > UNKNOWN) break;
  }
  if (fallback !== null) take(clause, fallback);
  else if (findPassive(clause, tokens, speech)) return;
  else clause.negated = clause.negated && !hasContent(clause, tokens);
}

/** Whether a word and its value are what something is said of: `email 12 can be deleted`. */
export function isSubject(clause: Clause, index: i32, tokens: Array<Token>): bool {
  if (index + 2 >= clause.to || !tokens[index + 1].isValue) return false;
  const next = tokens[index + 2];
  return next.kind == Kind.Word && (next.classes & (MODAL | WISH)) != 0;
}

/** Finds the verb of a clause that says what should be done to something: `the card should be frozen`, `could the card be frozen`, `I want it frozen`; not `the card has been frozen`. */
function findPassive(clause: Clause, tokens: Array<Token>, speech: Speech): bool {
  let modal = false;
  let asked = false;
  let wished = false;
  let infinitive = false;
  let be = false;
  let negated = false;
  let conditional = false;
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
      modal = infinitive = be = false;
    } else if ((classes & BE) != 0 && (modal || (asked && (classes & WISH) != 0)) && speech.lexicon.form(token.word) != Form.Participle) be = true;
    else if ((classes & (MODAL | WISH)) != 0) {
      modal = asked = true;
      wished = wished || ((classes & WISH) != 0 && (classes & BE) == 0);
    } else if ((classes & INFINITIVE) != 0 && modal && !infinitive) infinitive = true;
    else if ((classes & QUESTION) != 0) {
      if (!wished) return false;
    } else if ((classes & SKIP) == 0) {
      if (wished && !negated && !conditional && isWished(clause, i, tokens, speech)) {
        take(clause, token);
        return true;
      }
      modal = infinitive = false;
    }
  }
  return false;
}

/** Whether a participle at a clause's end, or before where something goes, is what is wished for what stands before it: `I want card 90 frozen`. */
function isWished(clause: Clause, index: i32, tokens: Array<Token>, speech: Speech): bool {
  const before = index > clause.from ? tokens[index - 1] : null;
  if (before === null || !(before.isValue || (before.kind == Kind.Word && ((before.classes & CLOSED) == 0 || (before.classes & (ANAPHOR | DETERMINER)) == ANAPHOR)))) return false;
  if (index + 1 < clause.to && (tokens[index + 1].kind != Kind.Word || (tokens[index + 1].classes & TOWARD) == 0)) return false;
  return speech.isDone(tokens[index]);
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
    return next.kind == Kind.Word && (next.classes & (DETERMINER | PRONOUN | ANAPHOR)) == 0 ? next : null;
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
