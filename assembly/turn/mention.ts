// Where a clause that reached no write speaks of one all the same (chapter 6, S3): its verb in any mood or voice, or what it sets.

import { spend } from "../memory/steps";
import { Tool } from "../policy/policy";
import { Asks, Clause, Speech } from "./clauses";
import {
  ANAPHOR, BE, BECOMES, CHANGES, CLOSED, CONDITION, CORRECTS, COUNTS, DETERMINER, Form, HAVE, INDEFINITE, INFINITIVE, LOOK, MODAL, MONTH, MULTIPLE, NEGATION, OF, OPERATOR, PRONOUN, PUTS, QUESTION, SENDS, SKIP, SPAN, TOWARD, VERB, WISH, YOU,
} from "./classes";
import { Kind, Token } from "./token";
import { isGiving } from "./egress";
import { ALSO, FIRST, OWN, PARAMETER, REST } from "./vocabulary";

@final
export class Mentions {
  /** By tool: the clause that was looked at last, how many of its words the tool has, and whether it is spoken of as a write. */
  private clause: StaticArray<i32>;
  private words: StaticArray<i32>;
  private spoken: StaticArray<bool>;
  /** By tool: a noun of its own, or its verb, is said; with `a` before it and the calculation after. */
  private named: StaticArray<bool>;
  private made: StaticArray<bool>;
  /** By tool: a form of its verb that may only tell. */
  private told: StaticArray<bool>;
  private touched: Array<i32> = [];
  /** The word that is counted stands between an article and `of`. */
  private owned: bool = false;
  /** The clause speaks of what was computed before. */
  private points: bool = false;

  constructor(
    private speech: Speech,
    private tokens: Array<Token>,
  ) {
    const tools = speech.policy.tools.length;
    this.clause = new StaticArray<i32>(tools);
    this.words = new StaticArray<i32>(tools);
    this.spoken = new StaticArray<bool>(tools);
    this.named = new StaticArray<bool>(tools);
    this.made = new StaticArray<bool>(tools);
    this.told = new StaticArray<bool>(tools);
    for (let i = 0; i < tools; i++) this.clause[i] = -1;
  }

  /** The write of this agent that a clause says should come about, or null: the one whose words it has most of. With `points` it speaks of what was computed before. */
  of(clause: Clause, points: bool): Tool | null {
    const list = this.tokens;
    this.touched.length = 0;
    this.points = points;
    const asks = clause.asks == Asks.Look && !this.isRelative(clause);
    const looks = clause.asks == Asks.Look && clause.verb !== null && (clause.verb!.classes & LOOK) != 0;
    // `give pupil 5 a grade of 7 plus 2`
    const gives = looks && isGiving(clause.verb!);
    // What bids (should, want), what says that something is or becomes another, and whether the calculation stands before.
    let bids = false;
    let becomes = false;
    let states = false;
    // `and leave that as the surcharge of route 8`
    let goes = points && clause.asks != Asks.Look;
    let calculated = false;
    for (let i = clause.from; i < clause.to; i++) {
      spend(1);
      const token = list[i];
      if (token === clause.calculation) calculated = true;
      // `card 4's limit: twice the balance`
      if (token.led == 0x3a && i > clause.from && !asks) states = true;
      if (token.kind != Kind.Word) continue;
      const classes = token.classes;
      // `how many are closed` asks.
      if ((token.traits & COUNTS) != 0) return null;
      if ((token.traits & BECOMES) != 0 && !looks) becomes = true;
      // `put twice the balance as the limit of card 4`
      if (token === clause.verb && (token.traits & (CHANGES | PUTS)) != 0 && clause.calculation !== null && !looks) goes = true;
      // `double the price of product 9`, `raise the limit of card 4 10%`
      if (token === clause.verb && clause.calculation !== null && (clause.asks == Asks.Deed || clause.asks == Asks.Light || (classes & (OPERATOR | MULTIPLE)) != 0 || (token.traits & CHANGES) != 0) && (classes & LOOK) == 0) goes = true;
      // `I want the price of product 9 doubled`
      if (token === clause.calculation && bids && !looks && (classes & (OPERATOR | MULTIPLE)) != 0) goes = true;
      // `half of it must go to invoice 33`
      if (bids && calculated && !asks && !looks && (classes & (MODAL | WISH)) == 0 && (classes & TOWARD) != 0) goes = true;
      if ((classes & BE) != 0 && !asks && !this.speech.lexicon.isPast(token.word)) {
        states = true;
        if (calculated) becomes = true;
      }
      if ((classes & CLOSED) == 0 || (classes & VERB) != 0) this.count(clause, i, bids || (states && points), becomes, calculated, looks);
      if ((classes & (MODAL | WISH)) != 0) bids = true;
    }
    // `the new dose is the average of 20 and 30`
    const equals = becomes || goes || (states && clause.calculation !== null);
    let best = -1;
    for (let k = 0; k < this.touched.length; k++) {
      const tool = this.touched[k];
      if (!this.spoken[tool] && !(equals && this.named[tool]) && !(equals && bids && !asks && this.told[tool]) && !((!looks || gives) && this.made[tool])) continue;
      if (best < 0 || this.words[tool] > this.words[best] || (this.words[tool] == this.words[best] && tool < best)) best = tool;
    }
    return best < 0 ? null : this.speech.policy.tools[best];
  }

  /** Whether a question word begins what something is said of: `what the card gets charged is …`; not `what is …`. */
  private isRelative(clause: Clause): bool {
    const list = this.tokens;
    let at = clause.from;
    while (at < clause.to && list[at].kind == Kind.Word && (list[at].classes & SKIP) != 0) at++;
    if (at + 1 >= clause.to || list[at] !== clause.verb || (list[at].classes & QUESTION) == 0 || (list[at].classes & BE) != 0) return false;
    // `how long are they`
    for (let i = at + 1; i < clause.to && i <= at + 2; i++) if (list[i].kind == Kind.Word && ((list[i].classes & (BE | WISH)) == BE || (i == at + 1 && (list[i].classes & MODAL) != 0))) return false;
    return clause.to >= list.length || list[clause.to].kind != Kind.Break || load<u8>(list[clause.to].start) != 0x3f;
  }

  /** Counts a word for the writes that have it. */
  private count(clause: Clause, index: i32, bids: bool, becomes: bool, calculated: bool, looks: bool): void {
    const token = this.tokens[index];
    if (token === clause.calculation) return;
    this.owned = (token.classes & SENDS) != 0 && index > clause.from && index + 1 < clause.to && this.tokens[index - 1].kind == Kind.Word && (this.tokens[index - 1].classes & DETERMINER) != 0 && (this.tokens[index + 1].traits & OF) != 0;
    const runs = (clause.calculation !== null || this.points) && this.runsOn(clause, index, index > clause.from && this.tokens[index - 1].kind == Kind.Word ? this.tokens[index - 1].classes : 0);
    const used = runs || (token.classes & LOOK) == 0 && !(looks && calculated) && this.isBidden(clause, index, bids, becomes, calculated);
    const made = !calculated && clause.calculation !== null && index > clause.from && (this.tokens[index - 1].traits & INDEFINITE) != 0;
    this.countStem(clause, token.stem, token, used, made);
    if (token.other != token.stem) this.countStem(clause, token.other, token, used, made);
    if (!this.speech.lexicon.isParticiple(token.word)) return;
    const verb = this.speech.vocabulary.find(this.speech.lexicon.verbOf(token.word));
    if (verb != token.stem && verb != token.other) this.countStem(clause, verb, token, used, made);
  }

  private countStem(clause: Clause, stem: i32, token: Token, used: bool, made: bool): void {
    if (stem < 0) return;
    const set = this.isSet(stem);
    const told = this.speech.lexicon.isPast(token.word) || this.speech.lexicon.isParticiple(token.word);
    for (let posting = this.speech.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      const tool = posting.tool;
      if ((posting.sources & (OWN | PARAMETER)) == 0 || !this.speech.policy.tools[tool].write || !this.speech.agent.reaches(this.speech.policy.tools[tool])) continue;
      if (this.clause[tool] != clause.from) {
        this.clause[tool] = clause.from;
        this.words[tool] = 0;
        this.spoken[tool] = this.named[tool] = this.made[tool] = this.told[tool] = false;
        this.touched.push(tool);
      }
      this.words[tool]++;
      const deed = (posting.sources & FIRST) != 0 || ((posting.sources & ALSO) != 0 && (token.classes & VERB) != 0);
      if (used && deed) this.spoken[tool] = true;
      // `my share of the clay`
      const noun = set && ((posting.sources & REST) != 0 || (deed && !told && !this.owned));
      // `the crates logged must be the sum of 12 and 30`
      if (deed && told) this.told[tool] = true;
      if (noun) this.named[tool] = true;
      if (noun && made) this.made[tool] = true;
    }
  }

  /** Whether only writes have a noun in their names: what they set. */
  private isSet(stem: i32): bool {
    for (let posting = this.speech.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      const tool = this.speech.policy.tools[posting.tool];
      if (!tool.write && (posting.sources & OWN) != 0 && this.speech.agent.reaches(tool)) return false;
    }
    return true;
  }

  /** Whether a verb says what should be done: `gets charged`, `is the amount to pay`, `what you should set`; not `were charged`, `how many are closed`. */
  private isBidden(clause: Clause, index: i32, bids: bool, becomes: bool, calculated: bool): bool {
    const list = this.tokens;
    const lexicon = this.speech.lexicon;
    const token = list[index];
    let at = index - 1;
    while (at >= clause.from && list[at].kind == Kind.Word && (list[at].classes & SKIP) != 0) at--;
    let before: Token | null = null;
    if (at >= clause.from && list[at].kind == Kind.Word) before = list[at];
    const classes: u32 = before === null ? 0 : before.classes;
    if ((classes & NEGATION) != 0) return false;
    // `é o que se paga`
    if ((classes & (PRONOUN | CONDITION)) == (PRONOUN | CONDITION) && !lexicon.isPast(token.word)) return true;
    if (lexicon.isParticiple(token.word) || lexicon.form(token.word) == Form.Participle) {
      if (before !== null && (classes & BE) != 0) {
        // `are being closed` tells; `gets charged`, `will be charged` do not.
        const going = at > clause.from && list[at - 1].kind == Kind.Word && (list[at - 1].classes & (BE | MODAL | WISH)) == BE;
        if (!going && !lexicon.isPast(before.word) && ((classes & WISH) != 0 || bids)) return true;
      }
      if (before !== null && ((classes & (MODAL | WISH)) != 0 || (before.traits & HAVE) != 0) && bids) return true;
      if (becomes) return true;
      if (!bids) return false;
      if (!calculated && clause.calculation !== null) return true;
      return this.endsAt(clause, index) || this.goes(clause, index);
    }
    // `and form 19 charges that`
    if (this.points && clause.asks == Asks.Nothing && !lexicon.isPast(token.word) && (token.classes & VERB) != 0 && index > clause.from && list[index - 1].isValue && index + 1 < clause.to && list[index + 1].kind == Kind.Word && (list[index + 1].classes & ANAPHOR) != 0) return true;
    if (before === null || lexicon.isPast(token.word)) return false;
    if (clause.asks == Asks.Look && calculated && !becomes) return false;
    if ((classes & INFINITIVE) != 0) return (classes & DETERMINER) == 0 || (token.classes & VERB) != 0 && lexicon.form(token.word) == Form.Always;
    return (classes & (MODAL | WISH)) != 0 && (classes & BE) == 0 || (before.traits & YOU) != 0 && (bids || this.points);
  }

  /** Whether a verb of the agent's tools stands where a command runs on, behind what another verb is about, with an object of its own: `if it stays under 2000 settle claim 12 for it`. */
  private runsOn(clause: Clause, index: i32, before: u32): bool {
    const list = this.tokens;
    const token = list[index];
    const lexicon = this.speech.lexicon;
    if (index == clause.from || index + 1 >= clause.to || token === clause.verb || !this.speech.isVerb(token) || !this.speech.isDeed(token) || lexicon.isPast(token.word) || lexicon.isParticiple(token.word)) return false;
    if ((before & (DETERMINER | PRONOUN | TOWARD | INFINITIVE | MODAL | LOOK | VERB | BE)) != 0) return false;
    const next = list[index + 1];
    if (next.kind != Kind.Word) return false;
    if ((next.classes & (DETERMINER | ANAPHOR)) != 0) return true;
    return index + 2 < clause.to && list[index + 2].isValue && ((this.speech.sources(next.stem) | this.speech.sources(next.other)) & (REST | PARAMETER | ALSO)) != 0;
  }

  private endsAt(clause: Clause, index: i32): bool {
    for (let i = index + 1; i < clause.to; i++) if (this.tokens[i].kind != Kind.Comma && (this.tokens[i].kind != Kind.Word || (this.tokens[i].classes & SKIP) == 0)) return false;
    return true;
  }

  /** Whether what follows says to what, and no time. */
  private goes(clause: Clause, index: i32): bool {
    if (index + 2 >= clause.to) return false;
    const next = this.tokens[index + 1];
    const then = this.tokens[index + 2];
    return next.kind == Kind.Word && (next.classes & TOWARD) != 0 && then.kind == Kind.Word && (then.classes & MONTH) == 0 && (then.traits & (SPAN | CORRECTS)) == 0;
  }
}
