// The four rules (chapter 6): what a turn asks for that the catalogue gives no safe way to do. They read the policy and the turn, nothing else.

import { Buffer, Text } from "../memory/buffer";
import { NameTable } from "../memory/names";
import { spend } from "../memory/steps";
import { Tool } from "../policy/policy";
import { takesAddress } from "./bind";
import { Asks, Clause, Speech } from "./clauses";
import {
  AND, ANAPHOR, BE, CLOSED, CONDITION, DETERMINER, Form, INFINITIVE, LIGHT, LOOK, MODAL, NEGATION, PLACE, PREPOSITION, PRONOUN, QUESTION, SENDS, SENDS_NOUN, SKIP, THEN, TOWARD, VERB, WISH,
} from "./lexicon";
import { NAMES_MONEY } from "./parameters";
import { Step } from "./step";
import { Kind, Token, Tokens } from "./tokens";
import { isSubject } from "./verbs";
import { OWN, PARAMETER, REST } from "./vocabulary";

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
  private reached: StaticArray<bool>;

  constructor(
    private speech: Speech,
    private tokens: Tokens,
    private clauses: Array<Clause>,
    private steps: Array<Step>,
  ) {
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
      if ((token.classes & (SENDS | SENDS_NOUN)) == 0 || token.stands.length == 0) continue;
      if (!this.isUsed(clause, i, wishes)) continue;
      this.add("S1 egress: ", token.stands, new Text(token.start, <i32>(token.end - token.start)), !this.isSent(token));
    }
  }

  /** Whether a word that may send data out is used as a verb: by its form and what stands before it. */
  private isUsed(clause: Clause, index: i32, wishes: bool): bool {
    const list = this.tokens.list;
    const token = list[index];
    const before = this.beforeSkips(clause, index - 1);
    const form = this.speech.lexicon.form(token.word);
    const sends = (token.classes & SENDS) != 0;
    const noun = this.speech.lexicon.isNounToo(token.word);
    if (clause.from > before) {
      if (!sends || clause.soft || form == Form.Noun || form == Form.Participle) return false;
      return !noun || (!this.isNamed(clause, index) && (clause.verb === token || !isSubject(clause, index, list)));
    }
    const previous = list[before];
    const classes = previous.kind == Kind.Word ? previous.classes : 0;
    if ((classes & NEGATION) != 0) {
      // `why not send it`
      const further = this.beforeSkips(clause, before - 1);
      return sends && further >= clause.from && list[further].kind == Kind.Word && (list[further].classes & QUESTION) != 0;
    }
    // `do an export`
    const light = (classes & LIGHT) != 0 || ((classes & DETERMINER) != 0 && before > clause.from && (list[before - 1].classes & LIGHT) != 0);
    if (light && (token.classes & SENDS_NOUN) != 0) return true;
    if (!sends) return false;
    // `could it be broadcast`
    if ((classes & BE) != 0 && ((classes & WISH) != 0 || (wishes && !noun) || this.endsAt(clause, index) && wishes)) return true;
    // `any message there`
    if (noun && (list[index - 1].classes & (DETERMINER | PRONOUN)) == DETERMINER && list[index - 1].kind == Kind.Word) return false;
    if (form == Form.Participle) return this.isDone(clause, index, before, wishes);
    if (form == Form.Noun) return this.isThird(clause, index, previous);
    if (form == Form.Always) {
      if ((classes & DETERMINER) != 0) return (classes & (PRONOUN | TOWARD | BE)) != 0;
      // `the job posting`
      return clause.asks != Asks.Look || clause.verb === token || !isNoun(previous) || this.hasObject(clause, index);
    }
    return this.isBase(clause, index, previous, wishes);
  }

  private beforeSkips(clause: Clause, index: i32): i32 {
    const list = this.tokens.list;
    while (index >= clause.from && list[index].kind == Kind.Word && (list[index].classes & SKIP) != 0) index--;
    return index;
  }

  /** Whether a participle says that something is to be sent, is being sent, or was: not `which were sent`, `the shared folder`, `messages sent by Ana`. */
  private isDone(clause: Clause, index: i32, before: i32, wishes: bool): bool {
    const list = this.tokens.list;
    const previous = list[before];
    const classes = previous.kind == Kind.Word ? previous.classes : 0;
    if ((classes & BE) != 0) {
      if (wishes) return true;
      const verb = clause.verb;
      if (verb !== null && (verb.classes & (QUESTION | BE)) == QUESTION) return false;
      const at = this.beforeSkips(clause, before - 1);
      if (clause.from > at || list[at].kind != Kind.Word) return true;
      // `the orders that were sent`
      const subject = list[at].classes;
      return (subject & QUESTION) == 0 && (subject & (DETERMINER | PRONOUN)) != (DETERMINER | PRONOUN);
    }
    if ((classes & ANAPHOR) != 0 && (classes & DETERMINER) == 0) return true;
    if ((classes & PRONOUN) != 0) return clause.asks != Asks.Look;
    if ((classes & DETERMINER) != 0) return false;
    const last = this.endsAt(clause, index);
    // `get order 4411 sent`, `order 4411, published`; not `email 17 sent by Ana`.
    if (previous.isValue) return last || !this.isDescribed(clause, index);
    if (clause.asks != Asks.Look) return wishes;
    // `get the orders sent`
    return last && clause.verb !== null && (clause.verb!.classes & (BE | WISH)) != 0 && (classes & LOOK) == 0;
  }

  /** Whether a clause is nothing but a word and a noun that one of the agent's tools has beside it: `upload limit`. */
  private isNamed(clause: Clause, index: i32): bool {
    const list = this.tokens.list;
    if (index + 1 >= clause.to || list[index + 1].kind != Kind.Word || !this.endsAt(clause, index + 1)) return false;
    for (let a = this.speech.vocabulary.first(list[index].stem); a.tool >= 0; a = a.next) {
      spend(1);
      if ((a.sources & REST) == 0 || !this.speech.agent.reaches(this.speech.policy.tools[a.tool])) continue;
      for (let b = this.speech.vocabulary.first(list[index + 1].stem); b.tool >= 0; b = b.next) {
        spend(1);
        if (b.tool == a.tool && (b.sources & REST) != 0) return true;
      }
    }
    return false;
  }

  /** Whether a clause says no more after a word than courtesies. */
  private endsAt(clause: Clause, index: i32): bool {
    const list = this.tokens.list;
    for (let i = index + 1; i < clause.to; i++) if (list[i].kind != Kind.Comma && (list[i].kind != Kind.Word || (list[i].classes & SKIP) == 0)) return false;
    return true;
  }

  /** Whether what follows a participle says by whom, when or from where, and not where to or by what means. */
  private isDescribed(clause: Clause, index: i32): bool {
    const list = this.tokens.list;
    const next = list[index + 1];
    if (next.kind != Kind.Word || (next.classes & PREPOSITION) == 0 || (next.classes & TOWARD) != 0) return false;
    return index + 2 >= clause.to || (list[index + 2].classes & (SENDS | SENDS_NOUN)) == 0;
  }

  /** Whether a form that may be a noun's too is a verb: `the office transmits order 70`; not `the blog posts of May`. */
  private isThird(clause: Clause, index: i32, previous: Token): bool {
    const classes = previous.kind == Kind.Word ? previous.classes : 0;
    if ((classes & QUESTION) != 0) return (classes & (DETERMINER | BE)) == 0 && this.actsOn(clause, index);
    if ((classes & PRONOUN) != 0) return (classes & DETERMINER) == 0;
    return isNoun(previous) && clause.asks == Asks.Nothing && this.actsOn(clause, index);
  }

  /** Whether a form that may be a command is a verb where it stands. */
  private isBase(clause: Clause, index: i32, previous: Token, wishes: bool): bool {
    const token = this.tokens.list[index];
    const classes = previous.kind == Kind.Word ? previous.classes : 0;
    if (previous.kind == Kind.Comma) return true;
    if ((classes & (AND | THEN | CONDITION)) != 0) return true;
    const sure = !this.speech.lexicon.isNounToo(token.word);
    if ((classes & DETERMINER) != 0) return (classes & PRONOUN) != 0 && (sure || this.hasObject(clause, index));
    // `add it to message 12`: a noun that a parameter has.
    if ((classes & INFINITIVE) != 0) return sure || ((classes & PREPOSITION) == 0 && (wishes || clause.verb === null || clause.verb === token || !this.isLabel(clause, index)));
    if ((classes & (MODAL | PRONOUN | WISH)) != 0) return true;
    const object = this.hasObject(clause, index);
    if (sure) return object || classes != 0 || this.endsAt(clause, index) || clause.verb === null || clause.verb === token || previous.isValue;
    // `I want order 4411 broadcast`
    if (wishes && previous.isValue) return true;
    if ((classes & (PREPOSITION | TOWARD | LOOK | VERB)) != 0) return false;
    // `let the auditors share the report`
    const free = clause.verb === null || clause.verb === token || (clause.verb!.classes & MODAL) != 0;
    return free && object;
  }

  /** Whether a word is in the name of a parameter of the agent's, and a number or an id follows. */
  private isLabel(clause: Clause, index: i32): bool {
    if (index + 1 >= clause.to) return false;
    const next = this.tokens.list[index + 1];
    return (next.kind == Kind.Number || next.kind == Kind.Mark) && (this.speech.sources(this.tokens.list[index].stem) & PARAMETER) != 0;
  }

  /** Whether what follows a verb begins its object. */
  private hasObject(clause: Clause, index: i32): bool {
    if (index + 1 >= clause.to) return false;
    const next = this.tokens.list[index + 1];
    return next.isValue || (next.kind == Kind.Word && (next.classes & (DETERMINER | PRONOUN)) != 0);
  }

  /** Whether what follows is done something to: an article, or a noun of the agent's tools with its value. */
  private actsOn(clause: Clause, index: i32): bool {
    const list = this.tokens.list;
    if (index + 1 >= clause.to || list[index + 1].kind != Kind.Word) return false;
    const next = list[index + 1];
    if ((next.classes & DETERMINER) != 0) return true;
    return index + 2 < clause.to && list[index + 2].isValue && ((this.speech.sources(next.stem) | this.speech.sources(next.other)) & (OWN | PARAMETER)) != 0;
  }

  /** Whether a reached tool that sends out has the verb among its own words. */
  private isSent(verb: Token): bool {
    return this.sendsBy(verb.stem) || this.sendsBy(verb.other);
  }

  private sendsBy(stem: i32): bool {
    if (stem < 0) return false;
    for (let posting = this.speech.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      if ((posting.sources & OWN) != 0 && this.reached[posting.tool] && this.speech.policy.tools[posting.tool].sendsOut) return true;
    }
    return false;
  }

  // S2

  private destinations(): void {
    const addresses = this.tokens.addresses;
    let next = 0;
    for (let i = 0; i < this.tokens.list.length; i++) {
      spend(1);
      const token = this.tokens.list[i];
      // Places and addresses in the order of the turn.
      while (next < addresses.count && this.tokens.holders[next] === token) this.address(next++);
      if (token.kind == Kind.Word && (token.classes & PLACE) != 0 && !token.taken && this.isGoal(i)) {
        const said = new Text(token.start, <i32>(token.end - token.start));
        this.add("S2 destination: ", said, said, !this.isHeld(token));
      }
    }
    while (next < addresses.count) this.address(next++);
  }

  private address(k: i32): void {
    const said = this.tokens.addressText(k);
    const holder = this.tokens.holders[k];
    this.add("S2 destination: ", said, said, holder === null || !(holder.taken || this.mayBeTaken(holder)));
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
  private isGoal(index: i32): bool {
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
      if ((token.classes & DETERMINER) != 0) continue;
      if ((token.classes & (PREPOSITION | AND | THEN)) != 0) return false;
    }
    return false;
  }

  /** Whether a reached tool's own words or parameters hold a place. */
  private isHeld(place: Token): bool {
    return this.holdsBy(place.stem) || this.holdsBy(place.other);
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
    let written: Step | null = null;
    for (let i = 0; i < this.clauses.length; i++) {
      spend(1);
      const clause = this.clauses[i];
      const step = this.stepOf(clause);
      const writes = step !== null && step.words.tool.write;
      const calculation = clause.calculation;
      if (calculation !== null) {
        computed = clause.number;
        // Its data: the clause's own tool, else what the last step before it gave.
        if (step === null && written !== null) this.wrote(written, computed, calculation);
      }
      if (writes && computed >= 0 && (calculation !== null || this.takesComputed(step!, clause))) this.wrote(step!, computed, calculation !== null ? calculation : clause.verb);
      // Which of several writes is meant is not asked where each would write it.
      if (step === null && computed >= 0 && clause.tied.length != 0 && this.allWrite(clause.tied) && (calculation !== null || this.speaksOf(clause))) {
        this.wroteBy(this.speech.policy.tools[least(clause.tied)], computed, calculation !== null ? calculation : clause.verb);
      }
      if (step !== null) written = writes ? step : null;
    }
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
      if ((token.classes & DETERMINER) == 0 || i + 1 >= clause.to || list[i + 1].kind != Kind.Word) return true;
    }
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
      if (step.bound[p] === null && (parameter.required || (parameter.isNumeric && (parameter.names & NAMES_MONEY) != 0))) return true;
    }
    return false;
  }
}

/** Whether a token is a word that neither joins, nor asks, nor does. */
function isNoun(token: Token): bool {
  return token.kind == Kind.Word && (token.classes & (CLOSED | VERB | SENDS | LOOK | LIGHT)) == 0;
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
