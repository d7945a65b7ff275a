// The four rules (chapter 6): what a turn asks for that the catalogue gives no safe way to do. They read the policy and the turn, nothing else.

import { DestinationKind } from "../evidence/destinations";
import { Buffer, Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { NameTable } from "../memory/names";
import { spend } from "../memory/steps";
import { Tool } from "../policy/policy";
import { takesAddress } from "./accept";
import { Asks, Clause, Speech } from "./clauses";
import { Sending } from "./egress";
import { AND, ANAPHOR, DETERMINER, Form, INFINITIVE, LIGHT, LOOK, MODAL, NEGATION, PHRASE, PLACE, PREPOSITION, PRONOUN, PUTS, SENDS, SENDS_NOUN, SKIP, THEN, TOWARD, VERB, WISH, WITHIN } from "./classes";
import { foundOther } from "./lexicon";
import { Mentions } from "./mention";
import { NAMES_MONEY } from "./parameters";
import { By } from "./reach";
import { Source, Step } from "./step";
import { Kind, Token } from "./token";
import { Tokens } from "./tokens";
import { ALSO, FIRST, LITERAL, OWN, PARAMETER, REST } from "./vocabulary";

/** How far from its verb a particle may stand. */
const PARTED_REACH: i32 = 5;
/** How far from its preposition a place may stand. */
const PLACE_REACH: i32 = 4;

/** What a rule says, and what set it off. */
@final
export class Holding {
  constructor(
    public text: Text,
    /** The part of the turn that set it off. */
    public said: Text,
  ) {}
}

/** What each rule found; `cleared` are verbs and values that a tool took care of. */
@final
export class Rules {
  holding: Array<Holding> = [];
  /** What set nothing off, because a tool took it: `S1 egress: send` and the like. */
  cleared: Array<Holding> = [];
  private seen: NameTable = new NameTable();
  private sending: Sending;
  private reached: StaticArray<bool>;
  /** By tool: the clause that was looked at last for all of its nouns, and whether it has them. */
  private looked: StaticArray<i32>;
  private named: StaticArray<bool>;

  constructor(
    private speech: Speech,
    private tokens: Tokens,
    private clauses: Array<Clause>,
    private steps: Array<Step>,
  ) {
    const looked = new StaticArray<i32>(speech.policy.tools.length);
    for (let i = 0; i < looked.length; i++) looked[i] = -1;
    this.looked = looked;
    this.named = new StaticArray<bool>(speech.policy.tools.length);
    this.sending = new Sending(speech, tokens.list);
    this.reached = new StaticArray<bool>(speech.policy.tools.length);
    for (let i = 0; i < steps.length; i++) this.reached[steps[i].words.tool.index] = true;
    for (let i = 0; i < clauses.length; i++) for (let k = 0; k < clauses[i].tied.length; k++) this.reached[clauses[i].tied[k]] = true;
  }

  /** Adds a rule once for each thing that it is about. */
  private add(rule: string, what: Text, said: Text, holds: bool): void {
    const text = new Buffer(what.length + 32);
    text.ascii(rule);
    text.text(what);
    // What was cleared and what holds are told apart.
    text.byte(holds ? 0x2b : 0x2d);
    const count = this.seen.names.length;
    if (this.seen.add(text.start, text.length) != count) return;
    const item = new Holding(new Text(text.start, text.length - 1), said);
    if (holds) this.holding.push(item);
    else this.cleared.push(item);
  }

  /** `scope` is what calculates over data that another agent's tool names better. */
  run(scope: Token | null): void {
    for (let i = 0; i < this.clauses.length; i++) this.egress(this.clauses[i]);
    this.destinations();
    this.writes();
    if (scope !== null) this.add("S4 scope: ", literal("the data is not this agent's to read"), new Text(scope.start, <i32>(scope.end - scope.start)), true);
  }

  // S1

  private egress(clause: Clause): void {
    let wishes = false;
    const list = this.tokens.list;
    for (let i = clause.from; i < clause.to; i++) {
      spend(1);
      const token = list[i];
      if (token.kind != Kind.Word) continue;
      if ((token.classes & WISH) != 0) wishes = true;
      if ((token.classes & PHRASE) != 0) this.parted(clause, i);
      if ((token.classes & (SENDS | SENDS_NOUN)) == 0 || token.stands.length == 0) continue;
      if (this.isDeedOf(token, clause) || !this.sending.isUsed(clause, i, wishes)) continue;
      this.add("S1 egress: ", token.stands, new Text(token.start, <i32>(token.end - token.start)), !this.isSent(token, clause));
    }
  }

  /** Whether a verb that only stands for one that chapter 6 names is the verb of the tool that a clause reached: `dispatch truck 4` with `dispatch_truck`. */
  private isDeedOf(token: Token, clause: Clause): bool {
    if (clause.step < 0 || token !== clause.verb || this.speech.lexicon.translates || equalBytes(token.stands.start, token.stands.length, token.word.start, token.word.length) || token.stem < 0 || token.stem == token.other) return false;
    for (let posting = this.speech.vocabulary.first(token.stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      if (posting.tool == this.steps[clause.step].words.tool.index) return (posting.sources & (FIRST | ALSO)) != 0;
    }
    return false;
  }

  /** A verb that sends whose particle stands after its object: `fire order 4411 off to the team`. */
  private parted(clause: Clause, index: i32): void {
    const list = this.tokens.list;
    const token = list[index];
    for (let i = index + 2; i < clause.to && i <= index + PARTED_REACH; i++) {
      spend(1);
      const particle = list[i];
      if (particle.kind != Kind.Word || (particle.classes & (PREPOSITION | TOWARD)) == 0 || particle.word.length > 8) continue;
      if (i + 1 < clause.to && (list[i + 1].kind != Kind.Word || (list[i + 1].classes & (PREPOSITION | TOWARD | SKIP)) == 0)) continue;
      const phrase = new Buffer(token.word.length + 16);
      phrase.text(token.word);
      phrase.byte(0x20);
      phrase.text(particle.word);
      if ((this.speech.lexicon.phrase(phrase.start, phrase.length) & SENDS) == 0) continue;
      this.add("S1 egress: ", foundOther, new Text(token.start, <i32>(particle.end - token.start)), true);
    }
  }

  /** Whether a tool that sends out has the verb among its own words: one that is reached, or whose name the clause says whole (`has the receipt been sent`). */
  private isSent(verb: Token, clause: Clause): bool {
    // `mandar` is no form of `enviar`; a verb of another language is what it stands for.
    return this.sendsBy(verb.stem, clause) || (this.speech.lexicon.translates && verb.other != verb.stem && this.sendsBy(verb.other, clause));
  }

  private sendsBy(stem: i32, clause: Clause): bool {
    if (stem < 0) return false;
    for (let posting = this.speech.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      const tool = this.speech.policy.tools[posting.tool];
      if ((posting.sources & OWN) == 0 || (posting.sources & LITERAL) == 0 || !tool.sendsOut) continue;
      // `mande um aviso`: another noun than the tool's, which its description has.
      if (clause.step >= 0 && this.steps[clause.step].by == By.Derived && this.steps[clause.step].words.tool === tool && !this.takesAny(posting.tool)) continue;
      if (this.reached[posting.tool] || (clause.step < 0 || !this.steps[clause.step].words.tool.write) && this.speech.agent.reaches(tool) && this.namesAll(posting.tool, clause)) return true;
    }
    return false;
  }

  /** Whether a tool takes an address as where it sends. */
  private takesAny(tool: i32): bool {
    const parameters = this.speech.vocabulary.tools[tool].parameters;
    for (let p = 0; p < parameters.length; p++) if (takesAddress(parameters[p], DestinationKind.Email) || takesAddress(parameters[p], DestinationKind.Url)) return true;
    return false;
  }

  /** Whether a clause says as many nouns of a tool's name as it has. */
  private namesAll(tool: i32, clause: Clause): bool {
    if (this.looked[tool] == clause.from) return this.named[tool];
    let nouns = this.speech.vocabulary.tools[tool].parts - 1;
    for (let i = clause.from; i < clause.to && nouns > 0; i++) {
      // `send order 55, not the receipt`
      if (i > clause.from && this.tokens.list[i].kind == Kind.Word && (this.tokens.list[i].classes & NEGATION) != 0) break;
      const stem = this.tokens.list[i].stem;
      if (this.hasNoun(tool, stem) || this.hasNoun(tool, this.speech.vocabulary.alias(stem))) nouns--;
    }
    this.looked[tool] = clause.from;
    this.named[tool] = nouns == 0 && this.speech.vocabulary.tools[tool].parts > 1;
    return this.named[tool];
  }

  private hasNoun(tool: i32, stem: i32): bool {
    for (let posting = this.speech.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      if (posting.tool == tool) return (posting.sources & REST) != 0;
    }
    return false;
  }

  // S2

  private destinations(): void {
    const addresses = this.tokens.addresses;
    let next = 0;
    // A verb of putting stands before, in the same clause.
    let puts = false;
    let clause = -1;
    for (let i = 0; i < this.tokens.list.length; i++) {
      spend(1);
      const token = this.tokens.list[i];
      if (token.clause != clause) puts = false;
      clause = token.clause;
      if (token.kind == Kind.Word && (token.traits & PUTS) != 0) puts = true;
      // Places and addresses in the order of the turn.
      while (next < addresses.count && this.tokens.holders[next] === token) this.address(next++);
      if (token.kind == Kind.Word && (token.classes & PLACE) != 0 && !token.taken && this.isGoal(i, puts)) {
        const said = new Text(token.start, <i32>(token.end - token.start));
        this.add("S2 destination: ", said, said, !this.isHeld(token) && !this.isNumbered(i));
      } else if (token.bare && token.toward && !token.taken) {
        // `save it to orders.csv`
        const said = new Text(token.start, <i32>(token.end - token.start));
        this.add("S2 destination: ", said, said, !this.mayBeTaken(token));
      }
    }
    while (next < addresses.count) this.address(next++);
  }

  private address(k: i32): void {
    const said = this.tokens.addressText(k);
    const holder = this.tokens.holders[k];
    this.add("S2 destination: ", said, said, holder === null || !(holder.taken || this.mayBeTaken(holder) || this.isSaidBefore(k)));
  }

  /** Whether an address that no argument took, and that is not said as where something goes, is the one beside it that one took: `what's in ~/plans? list ~/plans`. */
  private isSaidBefore(k: i32): bool {
    const holder = this.tokens.holders[k];
    if (holder === null || holder.toward || k + 1 >= this.tokens.addresses.count) return false;
    const next = this.tokens.holders[k + 1];
    const said = this.tokens.addressText(k);
    const other = this.tokens.addressText(k + 1);
    return next !== null && next.taken && equalBytes(said.start, said.length, other.start, other.length);
  }

  /** Whether one of several tools that a clause reaches alike may take an address: the person is asked which, and nothing runs before. */
  private mayBeTaken(token: Token): bool {
    if (token.kind != Kind.Address || token.clause < 0) return false;
    const tied = this.clauses[token.clause].tied;
    for (let k = 0; k < tied.length; k++) {
      const parameters = this.speech.vocabulary.tools[tied[k]].parameters;
      for (let p = 0; p < parameters.length; p++) {
        spend(1);
        if (takesAddress(parameters[p], token.address) && !(token.toward && parameters[p].subject)) return true;
      }
    }
    return false;
  }

  /** Whether a place is said as where something goes: to, on, into, and words that describe it between. */
  private isGoal(index: i32, puts: bool): bool {
    const list = this.tokens.list;
    for (let i = index - 1; i >= 0 && index - i <= PLACE_REACH; i--) {
      const token = list[i];
      // `to the S3 bucket`, `to the "ops" channel`
      if (token.kind == Kind.Mark || token.kind == Kind.Quoted) continue;
      if (token.kind != Kind.Word) return false;
      if ((token.classes & TOWARD) != 0) {
        // `to share drive 3`: an infinitive.
        const after = list[i + 1];
        // `I need to drive there`
        if ((token.classes & INFINITIVE) != 0 && i + 1 == index && i > 0 && (list[i - 1].classes & (MODAL | WISH)) != 0) return false;
        return (token.classes & INFINITIVE) == 0 || i + 1 == index || (after.classes & (SENDS | LOOK | VERB | LIGHT)) == 0 || (after.classes & DETERMINER) != 0 || this.speech.lexicon.form(after.word) == Form.Participle;
      }
      // `drop it in the bucket`
      if (puts && (token.traits & WITHIN) != 0) return true;
      if ((token.classes & DETERMINER) != 0) continue;
      if ((token.classes & (PREPOSITION | AND | THEN)) != 0) return false;
    }
    return false;
  }

  /** Whether a reached tool's own words or parameters hold a place. */
  private isHeld(place: Token): bool {
    return this.holdsBy(place.stem) || this.holdsBy(place.other);
  }

  /** Whether a place with a number is one of a kind that one of the agent's tools has: `put it on channel 5` with `set_channel`. */
  private isNumbered(index: i32): bool {
    const list = this.tokens.list;
    if (index + 1 >= list.length || list[index + 1].kind != Kind.Number) return false;
    return ((this.speech.sources(list[index].stem) | this.speech.sources(list[index].other)) & (REST | PARAMETER)) != 0;
  }

  private holdsBy(stem: i32): bool {
    if (stem < 0) return false;
    for (let posting = this.speech.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      if ((posting.sources & (OWN | PARAMETER)) != 0 && this.reached[posting.tool]) return true;
    }
    return false;
  }

  // S3

  private writes(): void {
    // The calculation whose result is still at hand, by its number; and the last step's write, whose data one may take.
    let computed = -1;
    const mentions = new Mentions(this.speech, this.tokens.list);
    let written: Step | null = null;
    // A write before that lacks a number: a calculation after it may say which.
    let lacking: Step | null = null;
    for (let i = 0; i < this.clauses.length; i++) {
      spend(1);
      const clause = this.clauses[i];
      const step = this.stepOf(clause);
      const writes = step !== null && step.words.tool.write;
      const calculation = clause.calculation;
      if (calculation !== null) {
        computed = clause.number;
        // Its data: the clause's own tool, else what the last step before it gave.
        if (step === null && written !== null && !clause.foreign) {
          if (!this.isStated(clause)) this.wrote(written, computed, calculation);
        } else if (lacking !== null) this.wrote(lacking, computed, calculation);
      }
      if (writes && computed >= 0 && (calculation !== null || this.takesComputed(step!, clause))) this.wrote(step!, computed, calculation !== null ? calculation : clause.verb);
      // Which of several writes is meant is not asked where each would write it.
      if (step === null && computed >= 0 && clause.tied.length != 0 && this.allWrite(clause.tied) && (calculation !== null || this.speaksOf(clause))) {
        this.wroteBy(this.speech.policy.tools[least(clause.tied)], computed, calculation !== null ? calculation : clause.verb);
      }
      // A write that is spoken of and was not reached: `the total is the amount to pay`.
      if (!writes && computed >= 0 && !(clause.tied.length != 0 && this.allWrite(clause.tied))) {
        const tool = mentions.of(clause, calculation === null && (this.speaksOf(clause) || (clause.verb !== null && (clause.verb!.traits & PUTS) != 0)));
        if (tool !== null) this.wroteBy(tool, computed, calculation !== null ? calculation : clause.verb);
      }
      if (step !== null) written = writes ? step : null;
      if (writes && this.lacksNumber(step!)) lacking = step;
    }
  }

  /** Whether a clause tells of something, and asks for no calculation: `that makes all the difference`. */
  private isStated(clause: Clause): bool {
    if (clause.asks != Asks.Nothing) return false;
    const list = this.tokens.list;
    const first = list[clause.from];
    if (first.kind != Kind.Word || (first.classes & (PRONOUN | DETERMINER | ANAPHOR)) == 0) return false;
    for (let i = clause.from; i < clause.to; i++) {
      spend(1);
      if (list[i].isValue) return false;
    }
    return true;
  }

  private stepOf(clause: Clause): Step | null {
    if (clause.step < 0) return null;
    return this.steps[clause.step];
  }

  private allWrite(tools: Array<i32>): bool {
    for (let i = 0; i < tools.length; i++) if (!this.speech.policy.tools[tools[i]].write) return false;
    return true;
  }

  private wrote(step: Step, number: i32, token: Token | null): void {
    this.wroteBy(step.words.tool, number, token);
  }

  private wroteBy(tool: Tool, number: i32, token: Token | null): void {
    const what = new Buffer(64);
    what.text(tool.name);
    what.ascii(" writes what step ");
    what.integer(number);
    what.ascii(" computed");
    this.add("S3 write: ", what.view(), token === null ? new Text(0, 0) : new Text(token.start, <i32>(token.end - token.start)), true);
  }

  /** Whether a clause speaks of what came before it: it, that, the result. */
  private speaksOf(clause: Clause): bool {
    const list = this.tokens.list;
    for (let i = clause.from; i < clause.to; i++) {
      spend(1);
      const token = list[i];
      if (token.kind != Kind.Word || (token.classes & ANAPHOR) == 0 || token === clause.verb) continue;
      // An article that may also stand for something is one before a noun.
      if ((token.classes & DETERMINER) == 0 || i + 1 >= clause.to || list[i + 1].kind != Kind.Word || (list[i + 1].classes & SKIP) != 0) return true;
    }
    return false;
  }

  /** Whether a step has no value for a number that it requires. */
  private lacksNumber(step: Step): bool {
    const parameters = step.words.parameters;
    for (let p = 0; p < parameters.length; p++) if (parameters[p].required && parameters[p].isNumeric && step.bound[p] === null) return true;
    return false;
  }

  /** Whether a write after a calculation takes what it came to: it speaks of it, says no value of its own, or lacks a value that a number could be. */
  private takesComputed(step: Step, clause: Clause): bool {
    if (this.speaksOf(clause)) return true;
    let values = 0;
    for (let i = clause.from; i < clause.to; i++) if (this.tokens.list[i].isValue && this.tokens.list[i].taken) values++;
    if (values == 0) return true;
    const parameters = step.words.parameters;
    for (let p = 0; p < parameters.length; p++) {
      const parameter = parameters[p];
      const bound = step.bound[p];
      if ((bound === null || (bound.source == Source.Result && parameter.isNumeric)) && (parameter.required || (parameter.isNumeric && (parameter.names & NAMES_MONEY) != 0))) return true;
    }
    return false;
  }
}

function least(tools: Array<i32>): i32 {
  let found = tools[0];
  for (let i = 1; i < tools.length; i++) found = min(found, tools[i]);
  return found;
}

/** An ASCII literal as a text. */
export function literal(text: string): Text {
  const out = new Buffer(text.length);
  out.ascii(text);
  return out.view();
}
