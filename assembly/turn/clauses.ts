// Clauses: a turn's tokens divided at sentence ends and connectives, and which words may be verbs.

import { Text } from "../memory/buffer";
import { spend } from "../memory/steps";
import { Agent, Policy } from "../policy/policy";
import { AND, CALCULATION, CLOSED, DETERMINER, Form, INFINITIVE, LIGHT, LOOK, MODAL, NEGATION, OPERATOR, PREPOSITION, PRONOUN, QUESTION, SENDS, SKIP, THEN, TOWARD, VERB } from "./classes";
import { Lexicon } from "./lexicon";
import { Kind, Token } from "./token";
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
  /** It says what the one before is for: `compute the total to charge it`. */
  serves: bool = false;
  /** Its verb may only tell of what happens, or of what another asks for. */
  told: bool = false;
  conditional: bool = false;
  /** It calculates; and the token that says so. */
  calculation: Token | null = null;
  /** It calculates over what another agent's tools name better. */
  foreign: bool = false;
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

/** Classes of the verbs that a language knows. */
export const KNOWN_VERBS: u32 = VERB | SENDS | LOOK | LIGHT;

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
    if ((classes & CLOSED) != 0 || (this.sources(token.stem) & (FIRST | ALSO)) == 0) return false;
    return this.lexicon.isCommand(token.word, token.word) && this.hasForm(token);
  }

  /** Whether the agent's tools have a word as their verb, by their names or also_called. */
  isDeed(token: Token): bool {
    return ((this.sources(token.stem) | this.sources(token.other)) & (FIRST | ALSO)) != 0;
  }

  /** Whether a word is a participle of a verb, one the language knows or the first part of a tool's name; it then counts as that verb. */
  isDone(token: Token): bool {
    if (token.kind != Kind.Word || !this.lexicon.isParticiple(token.word)) return false;
    if ((this.sources(token.stem) & (FIRST | ALSO)) == 0) {
      const verb = this.vocabulary.find(this.lexicon.verbOf(token.word));
      if ((this.sources(verb) & (FIRST | ALSO)) == 0) return (token.classes & (VERB | SENDS)) != 0;
      token.stem = verb;
    }
    token.classes |= VERB;
    return true;
  }

  private isInfinitive(word: Text): bool {
    return this.lexicon.form(word) == Form.Always && !this.lexicon.isGerund(word);
  }

  /** Whether a tool's name begins with just this form of the word, or also_called has it as a verb. */
  private hasForm(token: Token): bool {
    for (let posting = this.vocabulary.first(token.stem); posting.tool >= 0; posting = posting.next) {
      if ((posting.sources & FIRST) != 0 && this.lexicon.isCommand(token.word, posting.form)) return true;
      // `abasteça` where `abastecer` stands in also_called: a form that only verbs have.
      if ((posting.sources & ALSO) != 0 && this.isInfinitive(posting.form) && this.lexicon.isCommand(token.word, posting.form)) return true;
      for (let i = 0; i < posting.also.length; i++) if (this.isInfinitive(posting.also[i]) && this.lexicon.isCommand(token.word, posting.also[i])) return true;
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
  let front = Front.Nothing;
  // A verb that looks up or calculates stands before; and what follows is what that serves.
  let acts = false;
  let serves = false;
  for (let i = 0; i <= tokens.length; i++) {
    spend(1);
    const token = i < tokens.length ? tokens[i] : null;
    if (i == from) {
      front = Front.Nothing;
      acts = acts && soft;
    }
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
        front = frontOf(Front.Nothing, token, speech);
        continue;
      } else if (acts && isPurpose(tokens, i, speech)) {
        const clause = made(from, i, sequenced, soft);
        clauses.push(clause);
        sequenced = soft = false;
        serves = true;
        from = i + 1;
        acts = false;
        continue;
      } else if (joinsVerb(tokens, i, speech)) cut = true;
      else if (token.kind == Kind.Comma || (token.kind == Kind.Word && (token.classes & AND) != 0)) {
        const after = beginsClause(tokens, i + 1, speech, token.kind == Kind.Comma);
        // `for order 4411, charge the card`: what stands in front is the verb's.
        cut = after != 0 && !(token.kind == Kind.Comma && front == Front.Place);
        weak = after == 1;
      }
      if (!cut) {
        front = frontOf(front, token, speech);
        acts = acts || (token.kind == Kind.Word && (token.classes & (LOOK | CALCULATION)) != 0 && speech.isVerb(token));
      }
    }
    if (!cut) continue;
    if (i > from) {
      const clause = made(from, i, sequenced, soft);
      clause.serves = serves;
      serves = false;
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

/** What a clause begins with. */
const enum Front {
  Nothing,
  /** A preposition and what it stands before; no verb yet. */
  Place,
  Other,
}

function frontOf(front: Front, token: Token, speech: Speech): Front {
  if (token.kind == Kind.Comma || front == Front.Other) return front;
  if (token.kind != Kind.Word) return front == Front.Place ? front : Front.Other;
  if (front == Front.Place) return speech.isVerb(token) ? Front.Other : front;
  if ((token.classes & (TOWARD | PREPOSITION)) != 0) return Front.Place;
  return (token.classes & SKIP) != 0 ? front : Front.Other;
}

/** Whether `to` stands before what a clause is for: a deed of the agent's tools, and its object. */
function isPurpose(tokens: Array<Token>, at: i32, speech: Speech): bool {
  const token = tokens[at];
  if (token.kind != Kind.Word || (token.classes & INFINITIVE) == 0 || (token.classes & TOWARD) == 0 || at == 0 || at + 2 >= tokens.length) return false;
  const before = tokens[at - 1];
  if (before.kind == Kind.Word && (before.classes & CLOSED) != 0) return false;
  const verb = tokens[at + 1];
  const next = tokens[at + 2];
  return verb.kind == Kind.Word && (verb.classes & (LOOK | SENDS)) == 0 && speech.isVerb(verb) && speech.isDeed(verb) && (next.isValue || (next.kind == Kind.Word && next.led == 0));
}

/** Whether `plus` and the like stand before a verb that sends and its object: they join, and reckon nothing. */
function joinsVerb(tokens: Array<Token>, at: i32, speech: Speech): bool {
  const token = tokens[at];
  if (token.kind != Kind.Word || (token.classes & OPERATOR) == 0 || (token.classes & (VERB | PREPOSITION)) != 0 || at + 2 >= tokens.length) return false;
  const next = tokens[at + 1];
  const object = tokens[at + 2];
  return next.kind == Kind.Word && (next.classes & SENDS) != 0 && speech.isVerb(next) && object.kind == Kind.Word && (object.classes & (DETERMINER | PRONOUN)) != 0;
}

/** Whether a verb begins after a mark such as a colon, a dash or a bracket. After marks that may join words, something must follow that it is done to. */
function beginsAfter(tokens: Array<Token>, at: i32, speech: Speech): bool {
  const token = tokens[at];
  if (!joinsWords(token.led)) return beginsClause(tokens, at, speech, true) == 2;
  if (!speech.isVerb(token)) return false;
  // `list users + export`: a sign with spaces around it.
  if ((token.led == 0x2b || token.led == 0x26 || token.led == 0x2f) && token.start - tokens[at - 1].end > 2) return true;
  if (at + 1 >= tokens.length) return false;
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
