// Which tool a clause reaches (chapter 6, From words to steps, 2): by the tools' own words, else by what one description alone has.

import { DestinationKind } from "../evidence/destinations";
import { equalBytes } from "../memory/bytes";
import { spend } from "../memory/steps";
import { Asks, Clause, Speech } from "./clauses";
import { takesAddress } from "./accept";
import {
  AND, ANAPHOR, BE, CALCULATION, CLOSED, CONDITION, FILLER, LIGHT, LOOK, MODAL, MONEY, MONTH, MULTIPLE, NEGATION, OF, OFF, ON, OPERAND, OPERATOR, PREPOSITION, QUESTION, SENDS, SWITCHES,
  TOWARD, VERB, WISH,
} from "./classes";
import { TAKES_BOOLEAN } from "./parameters";
import { Score } from "./score";
import { Kind, Token } from "./token";
import { isQuestion } from "./verbs";
import { ALSO, DESCRIPTION, FIRST, LITERAL, OWN, PARAMETER, Posting, REST } from "./vocabulary";

/** Classes of words that say how much or which, and not of what. */
const NO_OBJECT: u32 = CALCULATION | OPERATOR | OPERAND | MULTIPLE | FILLER | MONEY | MONTH;

/** How a tool was reached. */
export const enum By {
  Named,
  AlsoCalled,
  Derived,
}

/** What `reach` found: how, and the tools; several are a tie. */
export let reachedBy: By = By.Named;
/** Whether it was reached by its verb alone, and something else was spoken of; or another tool has more of what was. */
export let reachedInDoubt: bool = false;
/** Whether a tool of another agent names what the clause speaks of better than the agent's own (S4). */
export let othersBetter: bool = false;
/** Whether it speaks of what only tools of other agents have a noun for. */
export let namesForeign: bool = false;
/** Whether the agent's own tools name something of what the clause speaks of. */
export let ownsData: bool = false;

@final
export class Reach {
  private scores: StaticArray<Score>;
  private touched: Array<i32> = [];
  /** By stem: the clause that counted it last. */
  private counted: StaticArray<i32>;
  private clause: i32 = 0;
  /** Words of the object, and those of them that are some tool's of the agent. */
  private objects: i32 = 0;
  private known: i32 = 0;
  /** Words that say of what. */
  private content: i32 = 0;
  private values: bool = false;
  /** The word being counted says of what. */
  private says: bool = false;
  /** What stands before it: the preposition, if it does not only join. */
  private apart: bool = false;
  /** It names something and says no more. */
  private name: bool = false;
  /** It speaks of what came before. */
  private speaks: bool = false;
  /** What says that the clause calculates. */
  private calculation: Token | null = null;

  constructor(
    private speech: Speech,
    private tokens: Array<Token>,
  ) {
    const tools = speech.policy.tools.length;
    this.scores = new StaticArray<Score>(tools);
    this.counted = new StaticArray<i32>(speech.vocabulary.size);
    for (let i = 0; i < tools; i++) this.scores[i] = new Score();
    for (let i = 0; i < this.counted.length; i++) this.counted[i] = -1;
  }

  /** The tools that a clause's words reach: none, one, or several alike. */
  tools(clause: Clause, calculates: bool): Array<i32> {
    this.count(clause);
    this.name = clause.asks == Asks.Nothing && this.isName(clause);
    const own = this.best(clause);
    this.compareOthers();
    reachedInDoubt = false;
    if (own.length != 0) {
      const score = this.scores[own[0]];
      reachedInDoubt = clause.asks == Asks.Deed && ((score.nouns == 0 && this.objects > score.explained) || this.othersKnowMore(score.knows));
      reachedBy = this.scores[own[0]].also ? By.AlsoCalled : By.Named;
      return own;
    }
    reachedBy = By.Derived;
    return calculates || (clause.calculation !== null && othersBetter) ? own : this.derived(clause);
  }

  /** Counts what the words of a clause say of each tool. */
  private count(clause: Clause): void {
    this.clause++;
    this.touched.length = 0;
    this.objects = this.known = this.content = 0;
    this.values = this.speaks = this.apart = namesForeign = false;
    const verb = clause.verb;
    this.calculation = clause.calculation;
    // A verb taken over from the clause before stands outside.
    if (verb !== null && clause.soft) this.countWord(verb, -1, true, false);
    let object = true;
    let denied = false;
    for (let i = clause.from; i < clause.to; i++) {
      spend(1);
      const token = this.tokens[i];
      if (token.isValue) this.values = true;
      if (token.kind != Kind.Word) {
        object = object && token.kind == Kind.Comma;
        if (token.kind == Kind.Comma) denied = false;
        continue;
      }
      if ((token.classes & CALCULATION) != 0) this.apart = false;
      const isVerb = token === verb;
      if (isVerb) object = true;
      const classes = token.classes;
      // `send order 55, not the receipt`
      if (verb !== null && !isVerb && (classes & NEGATION) != 0 && token.start > verb.start) denied = true;
      if (denied) continue;
      if ((classes & ANAPHOR) != 0) this.speaks = true;
      if (!isVerb && (classes & CLOSED) != 0) {
        if ((classes & (PREPOSITION | TOWARD)) != 0) {
          object = false;
          // `divided by the average salary`
          this.apart = (token.traits & OF) == 0 && !(i > clause.from && (this.tokens[i - 1].classes & CALCULATION) != 0);
        } else if ((classes & AND) != 0) this.apart = false;
        if ((classes & (VERB | SENDS)) == 0) continue;
      }
      this.countWord(token, i, isVerb, object && !isVerb);
    }
  }

  private countWord(token: Token, index: i32, isVerb: bool, object: bool): void {
    // A word that only joins (`called`) is a noun where one of the tools has it as such (`chamado`).
    const says = (token.classes & NO_OBJECT) == 0 ||
      // `the average of the counts` with `get_counts`
      ((token.classes & CALCULATION) != 0 && token !== this.calculation && !isVerb && this.speech.vocabulary.isNoun(token.stem, token.word)) || ((token.classes & NO_OBJECT) == FILLER && (token.classes & CLOSED) == 0 && (this.speech.sources(token.stem) & (REST | ALSO)) != 0);
    this.says = says;
    const isObject = object && says;
    const seen = token.stem >= 0 ? token.stem : token.other;
    if (seen >= 0) {
      // A word said twice counts once.
      if (this.counted[seen] == this.clause) return;
      this.counted[seen] = this.clause;
    }
    if (says) this.content++;
    if (isObject) {
      this.objects++;
      if (((this.speech.sources(token.stem) | this.speech.sources(token.other)) & (OWN | PARAMETER)) != 0) this.known++;
    }
    if (says && !isVerb && !this.apart && !namesForeign) namesForeign = this.isForeign(token);
    this.countPostings(token.stem, token, index, isVerb, isObject);
    if (!isVerb || says) this.countAlias(this.speech.vocabulary.alias(token.stem), index, isVerb, isObject, says);
    if (token.other != token.stem) this.countPostings(token.other, token, index, isVerb, isObject, isVerb && (token.classes & SENDS) != 0 && this.speech.lexicon.translates);
  }

  /** Whether only tools of other agents have a word as a noun. */
  private isForeign(token: Token): bool {
    if (token.stem < 0 || (token.classes & (CLOSED | LOOK | LIGHT | SENDS)) != 0) return false;
    let foreign = false;
    for (let posting = this.speech.vocabulary.first(token.stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      if (this.isOwn(posting.tool)) return false;
      if ((posting.sources & (REST | ALSO)) != 0) foreign = true;
    }
    return foreign;
  }

  /** Tools that have what a word stands for as the name of a parameter know it too. */
  private countAlias(noun: i32, index: i32, isVerb: bool, object: bool, says: bool): void {
    for (let posting = this.speech.vocabulary.first(noun); posting.tool >= 0; posting = posting.next) {
      spend(1);
      if ((posting.sources & PARAMETER) == 0) continue;
      const score = this.touch(posting.tool);
      if (score.token == index) continue;
      score.token = index;
      if (!isVerb) score.knows++;
      if (says) score.familiar++;
      if (object) score.explained++;
    }
  }

  private touch(tool: i32): Score {
    const score = this.scores[tool];
    if (score.clause == this.clause) return score;
    score.begin(this.clause);
    this.touched.push(tool);
    return score;
  }

  /** With `literal`, only tools that have this very word: `mandar` does not reach what `enviar` does. */
  private countPostings(stem: i32, token: Token, index: i32, isVerb: bool, object: bool, literal: bool = false): void {
    if (stem < 0) return;
    const postings = this.speech.vocabulary.first(stem);
    let describing = 0;
    for (let posting = postings; posting.tool >= 0; posting = posting.next) {
      spend(1);
      if ((posting.sources & DESCRIPTION) != 0 && this.isOwn(posting.tool)) describing++;
    }
    for (let posting = postings; posting.tool >= 0; posting = posting.next) if (!literal || (posting.sources & OWN) == 0 || (posting.sources & LITERAL) != 0) this.countPosting(posting, token, index, isVerb, object, describing == 1);
  }

  private countPosting(posting: Posting, token: Token, index: i32, isVerb: bool, object: bool, alone: bool): void {
    const score = this.touch(posting.tool);
    if (score.token == index && index >= 0) return;
    score.token = index;
    if ((posting.sources & (OWN | PARAMETER)) != 0) {
      if (object) score.explained++;
      if (!isVerb) score.knows++;
      if (this.says) score.familiar++;
    }
    if ((posting.sources & OWN) != 0) {
      score.own++;
      const exact = equalBytes(posting.form.start, posting.form.length, token.word.start, token.word.length);
      if ((posting.sources & (FIRST | REST)) == 0 || (!exact && posting.isAlso(token.word))) score.also = true;
      if (exact) score.exact++;
      if (isVerb) {
        // `email` in `delete_email` is a noun; in the name of a tool that sends it may be the verb.
        if ((posting.sources & (FIRST | ALSO)) != 0 || (token.classes & SENDS) == 0 || this.speech.policy.tools[posting.tool].sendsOut) score.verb = true;
      } else {
        score.nouns++;
        if ((token.classes & CALCULATION) == 0) score.data++;
        if ((posting.sources & (FIRST | ALSO)) != 0) score.deed = true;
      }
    }
    if ((posting.sources & DESCRIPTION) == 0) return;
    if (isVerb) score.describedVerb = true;
    if (isVerb && (token.classes & (LOOK | LIGHT)) != 0) return;
    if ((token.classes & CALCULATION) == 0) score.described++;
    // A verb that the tool has as its own did not suffice: its description does not help it.
    if (alone && isVerb && (posting.sources & OWN) == 0) score.uniqueVerb = true;
    if (alone && !isVerb) score.unique++;
  }

  private isOwn(tool: i32): bool {
    return this.speech.agent.reaches(this.speech.policy.tools[tool]);
  }

  /** Whether a tool's own words suffice for what the clause's verb asks. */
  private fits(tool: i32, score: Score, clause: Clause): bool {
    const write = this.speech.policy.tools[tool].write;
    switch (clause.asks) {
      case Asks.Nothing: return score.nouns > 0 && (!write || (this.name && this.isFamiliar(tool, score, clause)));
      case Asks.Look: return score.nouns > 0 ? !write || score.verb : score.verb && !write && this.objects == 0 && !this.speaks && this.takesAddressOf(tool, clause);
      // What a tool that sends takes must be its own: `faça a publicação do chamado 31` does not reach `publicar_artigo`.
      case Asks.Light: return score.nouns > 0 && (!write || score.verb || score.deed) && (!this.speech.policy.tools[tool].sendsOut || score.nouns >= 2 || this.content <= 2);
      default: return (score.verb || (score.nouns > 0 && this.isSwitched(tool, clause))) && (score.nouns > 0 || clause.calculation !== null || this.suffices(tool, score));
    }
  }

  /** Whether a clause turns on or off what a tool has on and off for: `switch the lamp off` with `set_light(state)`. */
  private isSwitched(tool: i32, clause: Clause): bool {
    if (clause.verb === null || (clause.verb!.traits & SWITCHES) == 0) return false;
    let said: Token | null = null;
    for (let i = clause.from; i < clause.to && said === null; i++) if (this.tokens[i].kind == Kind.Word && (this.tokens[i].classes & (ON | OFF)) != 0) said = this.tokens[i];
    if (said === null) return false;
    const parameters = this.speech.vocabulary.tools[tool].parameters;
    for (let p = 0; p < parameters.length; p++) {
      spend(1);
      if ((parameters[p].types & TAKES_BOOLEAN) != 0 || parameters[p].hasWord(said.word)) return true;
    }
    return false;
  }

  /** Whether a clause names something and says no more: it asks, wishes and tells nothing of it. Only so may a noun alone reach a write. */
  private isName(clause: Clause): bool {
    for (let i = clause.from; i < clause.to; i++) {
      const token = this.tokens[i];
      if ((token.classes & (BE | QUESTION | MODAL | WISH | NEGATION | CONDITION | SENDS)) != 0 || (token.kind == Kind.Word && this.speech.lexicon.isPast(token.word))) return false;
    }
    return !isQuestion(clause, this.tokens);
  }

  /** Whether a tool knows every word of a clause that says of what. */
  private isFamiliar(tool: i32, score: Score, clause: Clause): bool {
    if (score.familiar >= this.content) return true;
    const parameters = this.speech.vocabulary.tools[tool].parameters;
    let members = 0;
    for (let i = clause.from; i < clause.to; i++) {
      const token = this.tokens[i];
      if (token.kind != Kind.Word || (token.classes & (CLOSED | NO_OBJECT)) != 0 || this.knows(tool, token)) continue;
      for (let p = 0; p < parameters.length; p++) {
        spend(1);
        if (parameters[p].hasWord(token.word)) {
          members++;
          break;
        }
      }
    }
    return score.familiar + members >= this.content;
  }

  /** The agent's tool that sends, whose name is a verb and a noun, or -1. */
  sends(verb: i32, noun: Token): i32 {
    if (verb < 0) return -1;
    for (let posting = this.speech.vocabulary.first(verb); posting.tool >= 0; posting = posting.next) {
      spend(1);
      const tool = this.speech.policy.tools[posting.tool];
      if ((posting.sources & (FIRST | ALSO)) == 0 || !tool.sendsOut || !this.isOwn(posting.tool) || this.speech.vocabulary.tools[posting.tool].parts != 2) continue;
      if (this.hasNoun(posting.tool, noun.stem) || this.hasNoun(posting.tool, this.speech.vocabulary.alias(noun.stem))) {
        reachedBy = By.Named;
        reachedInDoubt = true;
        return posting.tool;
      }
    }
    return -1;
  }

  private hasNoun(tool: i32, stem: i32): bool {
    for (let posting = this.speech.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      if (posting.tool == tool) return (posting.sources & REST) != 0;
    }
    return false;
  }

  /** Whether a word is one of a tool's own, or of its parameters. */
  knows(tool: i32, token: Token): bool {
    return this.hasWord(tool, token.stem) || this.hasWord(tool, token.other);
  }

  private hasWord(tool: i32, stem: i32): bool {
    for (let posting = this.speech.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) {
      spend(1);
      if (posting.tool == tool) return (posting.sources & (OWN | PARAMETER)) != 0;
    }
    return false;
  }

  /** Whether a verb alone suffices: nothing is spoken of that is another tool's. What leaves this tool must be named, or be what it is given. */
  private suffices(tool: i32, score: Score): bool {
    if (!this.speech.policy.tools[tool].sendsOut) return score.explained >= this.known;
    // `show order 4411; send.` sends that, and not what else the tool may send.
    if (this.objects == 0 && !this.values && this.clause > 1) return false;
    if (this.takesAddress(tool)) return score.explained >= this.objects;
    return this.objects == 0 && !this.speaks;
  }

  /** Whether another of the agent's tools has more of the clause's nouns as its own than the one reached knows. */
  private othersKnowMore(knows: i32): bool {
    for (let i = 0; i < this.touched.length; i++) {
      spend(1);
      if (this.scores[this.touched[i]].nouns > knows && this.isOwn(this.touched[i])) return true;
    }
    return false;
  }

  /** Whether a tool takes an address that a clause names: `read ./minutes.txt`. */
  private takesAddressOf(tool: i32, clause: Clause): bool {
    const parameters = this.speech.vocabulary.tools[tool].parameters;
    for (let i = clause.from; i < clause.to; i++) {
      if (this.tokens[i].kind != Kind.Address) continue;
      for (let p = 0; p < parameters.length; p++) {
        spend(1);
        if (takesAddress(parameters[p], this.tokens[i].address)) return true;
      }
    }
    return false;
  }

  private takesAddress(tool: i32): bool {
    const parameters = this.speech.vocabulary.tools[tool].parameters;
    for (let p = 0; p < parameters.length; p++) if (takesAddress(parameters[p], DestinationKind.Email) || takesAddress(parameters[p], DestinationKind.Url)) return true;
    return false;
  }

  private best(clause: Clause): Array<i32> {
    const best: Array<i32> = [];
    for (let i = 0; i < this.touched.length; i++) {
      spend(1);
      const tool = this.touched[i];
      const score = this.scores[tool];
      if (score.own == 0 || !this.isOwn(tool) || !this.fits(tool, score, clause)) continue;
      const order = best.length == 0 ? 1 : this.compare(tool, best[0], clause.asks == Asks.Light);
      if (order > 0) best.length = 0;
      if (order >= 0) best.push(tool);
    }
    return best;
  }

  /** Which of two tools is named better: more words, more of them letter for letter, less of the name left over, and for reads a fit of values. */
  private compare(a: i32, b: i32, light: bool): i32 {
    const x = this.scores[a];
    const y = this.scores[b];
    // `make a refund for order 4411`: the deed is the noun that is a tool's verb.
    if (light && x.deed != y.deed) return i32(x.deed) - i32(y.deed);
    if (x.own != y.own) return x.own - y.own;
    if (x.exact != y.exact) return x.exact - y.exact;
    const tools = this.speech.vocabulary.tools;
    if (tools[a].parts != tools[b].parts) return tools[b].parts - tools[a].parts;
    if (this.speech.policy.tools[a].write || this.speech.policy.tools[b].write) return 0;
    return this.fit(a) - this.fit(b);
  }

  /** Whether a tool's parameters go with there being values, or none. */
  private fit(tool: i32): i32 {
    const parameters = this.speech.vocabulary.tools[tool].parameters;
    let required = 0;
    for (let i = 0; i < parameters.length; i++) if (parameters[i].required) required++;
    return this.values ? i32(parameters.length > 0) + i32(required > 0) : i32(required == 0);
  }

  /** The tools whose descriptions alone have most words of the clause. */
  private derived(clause: Clause): Array<i32> {
    const best: Array<i32> = [];
    let most = 0;
    for (let i = 0; i < this.touched.length; i++) {
      const tool = this.touched[i];
      const score = this.scores[tool];
      const unique = score.unique + i32(score.uniqueVerb && (score.unique != 0 || score.explained >= this.objects));
      if (unique == 0 || !this.isOwn(tool)) continue;
      // What another verb asks for no description gives.
      if (clause.asks == Asks.Deed && !score.verb && !score.describedVerb) continue;
      if (unique > most) {
        best.length = 0;
        most = unique;
      }
      if (unique == most) best.push(tool);
    }
    return best;
  }

  private compareOthers(): void {
    let ownData = 0;
    let ownDescribed = 0;
    let data = 0;
    let described = 0;
    for (let i = 0; i < this.touched.length; i++) {
      const score = this.scores[this.touched[i]];
      if (this.isOwn(this.touched[i])) {
        ownData = max(ownData, score.data);
        ownDescribed = max(ownDescribed, score.described);
      } else {
        data = max(data, score.data);
        described = max(described, score.described);
      }
    }
    ownsData = ownData > 0;
    othersBetter = data > ownData || (data == ownData && described > ownDescribed && ownData == 0);
  }
}
