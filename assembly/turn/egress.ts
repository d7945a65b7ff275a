// Where a turn uses a verb that sends data out (chapter 6, S1): by its form and by what stands around it.

import { spend } from "../memory/steps";
import { Asks, Clause, Speech } from "./clauses";
import {
  AND, ANAPHOR, ASKS_TOO, BE, BY, CLOSED, CONDITION, CORRECTS, DETERMINER, Form, HAVE, INDEFINITE, INFINITIVE, LEAKS, LIGHT, LOOK, MODAL, MONTH, NEGATION, OF, OR, PREPOSITION, PRONOUN, QUESTION, SENDS, SENDS_NOUN, SKIP, SPAN, TELLER,
  THEN, TOWARD, UNTIL, VERB, WISH, YOU,
} from "./classes";
import { Kind, Token } from "./token";
import { hasDone, isQuestion, isSubject } from "./verbs";
import { OWN, PARAMETER, REST } from "./vocabulary";

/** How far before a verb its negation may stand. */
const NEGATION_REACH: i32 = 5;
/** How far before a negation another may stand that it takes back: `don't leave without forwarding it`. */
const DENIAL_REACH: i32 = 16;
/** How many words of courtesy may stand before a verb of having something done. */
const COURTESIES: i32 = 8;
/** How far before its participle a verb of having something done may stand. */
const CAUSE_REACH: i32 = 4;

/** Whether a clause wishes for something. */
const enum Wished {
  Nothing,
  Yes,
  Not,
}

@final
export class Sending {
  /** The clause that was looked at last for what it wishes, by its first token. */
  private wishedIn: i32 = -1;
  private wished: Wished = Wished.Nothing;

  constructor(
    private speech: Speech,
    private tokens: Array<Token>,
  ) {}

  /** Whether a word that may send data out is used as a verb: by its form and what stands before it. */
  isUsed(clause: Clause, index: i32, wishes: bool): bool {
    const list = this.tokens;
    const token = list[index];
    const before = this.beforeSkips(clause, index - 1);
    const form = this.speech.lexicon.form(token.word);
    const sends = (token.classes & SENDS) != 0;
    const noun = this.speech.lexicon.isNounToo(token.word);
    if (hasDone(token, index, clause, list, this.speech)) return false;
    // `exportar não`
    if (sends && index + 1 < clause.to && list[index + 1].kind == Kind.Word && (list[index + 1].classes & NEGATION) != 0 && (list[index + 1].traits & ASKS_TOO) != 0 && !isQuestion(clause, list) && (index + 2 == clause.to || list[index + 2].kind == Kind.Comma)) return false;
    if (sends && index + 3 == clause.to && list[index + 1].kind <= Kind.Comma && list[index + 2].kind == Kind.Word && (list[index + 2].traits & ASKS_TOO) != 0 && !isQuestion(clause, list) && (list[index + 1].kind == Kind.Comma || (list[index + 1].classes & NEGATION) != 0)) return false;
    // `they share a room`
    if (noun && before >= clause.from && (list[before].traits & TELLER) != 0 && (before == clause.from || list[before - 1].kind != Kind.Word || (list[before - 1].classes & (MODAL | WISH | QUESTION | CONDITION)) == 0) && index + 1 < clause.to && (list[index + 1].traits & INDEFINITE) != 0) return false;
    // `post got mixed up`
    if (noun && clause.from > before && index + 1 < clause.to && list[index + 1].kind == Kind.Word && (list[index + 1].classes & (DETERMINER | ANAPHOR)) == 0 && ((list[index + 1].classes & BE) != 0 || (list[index + 1].traits & HAVE) != 0)) return false;
    // `dedicate song 12, text "hi"`: a parameter's noun and its value, and no more.
    if (noun && index > 0 && list[index - 1].kind == Kind.Comma && index + 2 == clause.to && list[index + 1].kind == Kind.Quoted && (this.speech.sources(token.stem) & PARAMETER) != 0) return false;
    // `post-workout`; `until export clearance comes`
    if (noun && index + 1 < clause.to && list[index + 1].kind == Kind.Word && list[index + 1].classes == 0 && list[index + 1].stem < 0 && list[index + 1].start - token.end == 1 && load<u8>(token.end) == 0x2d) return false;
    if (noun && before >= clause.from && (list[before].traits & UNTIL) != 0 && !this.hasObject(clause, index)) return false;
    // `it leaks`: only what is done to something leaves.
    if ((token.traits & LEAKS) != 0 && !this.hasObject(clause, index) && !this.actsOn(clause, index)) return false;
    if (clause.from > before) {
      if ((token.classes & SENDS_NOUN) != 0 && this.isAskedFor(clause, index)) return true;
      // `moved to archive, then shared`
      if (sends && clause.sequenced && form == Form.Participle) return true;
      if (!sends || clause.soft || form == Form.Noun || form == Form.Participle) return false;
      return !noun || (!this.isNamed(clause, index) && (clause.verb === token || !isSubject(clause, index, list)));
    }
    const previous = list[before];
    const classes = previous.kind == Kind.Word ? previous.classes : 0;
    if ((classes & NEGATION) != 0 && !this.isPolite(clause, before)) {
      const further = this.beforeSkips(clause, before - 1);
      // `don't leave without forwarding it`
      if (sends && (previous.traits & ASKS_TOO) == 0 && this.deniesBefore(clause, before)) return true;
      // `why not send it`; `you can't not send it`
      return sends && further >= clause.from && list[further].kind == Kind.Word && (list[further].classes & (QUESTION | NEGATION)) != 0;
    }
    if (sends && this.isDenied(clause, before)) return false;
    // `do an export`
    const light = (classes & LIGHT) != 0 || ((classes & DETERMINER) != 0 && before > clause.from && ((list[before - 1].classes & LIGHT) != 0 || (isGiving(list[before - 1]) && index + 1 < clause.to && (list[index + 1].classes & TOWARD) != 0)));
    if (light && ((token.classes & SENDS_NOUN) != 0 || (noun && (previous.traits & INDEFINITE) != 0))) return true;
    // `dá uma compartilhada no pedido`
    if (sends && form == Form.Participle && before > clause.from && (previous.traits & INDEFINITE) != 0 && ((list[before - 1].classes & LIGHT) != 0 || isGiving(list[before - 1]))) return true;
    if (((token.classes & SENDS_NOUN) != 0 || form == Form.Always) && this.isAskedFor(clause, index)) return true;
    if (!sends) return false;
    if (this.isTold(clause, index, before, wishes)) return false;
    // `email 17 deleted`: what it is done to.
    if (noun && clause.verb !== null && clause.verb!.start > token.start && index + 1 < clause.to && (list[index + 1].kind == Kind.Number || list[index + 1].kind == Kind.Mark)) return false;
    // `could it be broadcast`
    if ((classes & BE) != 0 && ((classes & WISH) != 0 || (wishes && !noun) || this.endsAt(clause, index) && wishes)) return true;
    // `any message there`
    if (noun && (list[index - 1].classes & (DETERMINER | PRONOUN)) == DETERMINER && list[index - 1].kind == Kind.Word) return false;
    if (form == Form.Participle) return this.isDone(clause, index, before, wishes);
    if (form == Form.Noun) return this.isThird(clause, index, previous);
    if (form == Form.Always) {
      // `to our transmitting the feedback`
      if ((classes & DETERMINER) != 0) return (classes & (PRONOUN | TOWARD | BE)) != 0 || (index + 1 < clause.to && list[index + 1].kind == Kind.Word && (list[index + 1].classes & (DETERMINER | PRONOUN)) != 0);
      // `the job posting`
      // `lista as peças já exportando`
      return clause.asks != Asks.Look || clause.verb === token || this.speech.lexicon.translates || !isNoun(previous) || previous !== list[index - 1] || this.hasObject(clause, index);
    }
    return this.isBase(clause, index, previous, wishes);
  }

  /** Whether a noun of sending is what is asked for: `I need the export of order 4411`, `an upload of it, please`; not `show the export of May`. */
  private isAskedFor(clause: Clause, index: i32): bool {
    const list = this.tokens;
    if (clause.asks == Asks.Look || index + 1 >= clause.to || list[index + 1].kind != Kind.Word || (list[index + 1].traits & OF) == 0) return false;
    if (this.wishedIn != clause.from) {
      this.wishedIn = clause.from;
      let said: u32 = 0;
      for (let i = clause.from; i < clause.to; i++) {
        spend(1);
        if (list[i].kind == Kind.Word) said |= list[i].classes;
      }
      this.wished = (said & NEGATION) != 0 ? Wished.Not : (said & (MODAL | WISH | LIGHT)) != 0 ? Wished.Yes : Wished.Nothing;
    }
    if (this.wished != Wished.Nothing) return this.wished == Wished.Yes;
    if (index > clause.from && (list[index - 1].traits & INDEFINITE) != 0) return true;
    let alone = true;
    for (let i = clause.from; i < clause.to && alone; i++) {
      spend(1);
      const token = list[i];
      if (i == index || token.kind != Kind.Word) continue;
      // Nothing but its article before it; after it what it is of, and no more.
      if (i < index ? (token.classes & (DETERMINER | SKIP)) == 0 : (token.classes & CLOSED) == 0 && i > index + 2 && !(list[i - 1].kind == Kind.Word && (list[i - 1].classes & (DETERMINER | PREPOSITION | TOWARD)) != 0)) alone = false;
    }
    return alone;
  }

  /** Whether a form of the past only tells: `the order that Bob sent`, `we sent it`, `o cliente mandou um e-mail`. */
  private isTold(clause: Clause, index: i32, before: i32, wishes: bool): bool {
    const lexicon = this.speech.lexicon;
    const list = this.tokens;
    const word = list[index].word;
    if (wishes || !(lexicon.isPast(word) || lexicon.form(word) == Form.Participle)) return false;
    for (let i = before; i > clause.from && i > before - 3; i--) {
      const token = list[i];
      if (token.kind != Kind.Word || (token.classes & (QUESTION | BE)) != QUESTION && (token.classes & (PRONOUN | DETERMINER | ANAPHOR)) != (PRONOUN | DETERMINER | ANAPHOR)) continue;
      // What it is told of stands before it.
      const head = list[i - 1];
      if (i < before && (head.kind != Kind.Word || (head.classes & CLOSED) == 0)) return true;
    }
    const previous = list[before];
    if (previous.kind != Kind.Word || (previous.classes & BE) != 0) return false;
    return (previous.traits & TELLER) != 0 || (isNoun(previous) && lexicon.isPast(word) && this.hasObject(clause, index));
  }

  /** Whether a negation stands before a verb, with nothing but pronouns and what one must or may between: `não o envie`, `nobody should share it`; not `why don't you share it`. */
  private isDenied(clause: Clause, before: i32): bool {
    for (let i = before; i > clause.from && i > before - NEGATION_REACH; i--) {
      const token = this.tokens[i];
      if (token.kind != Kind.Word || (token.classes & (MODAL | WISH | PRONOUN | SKIP | BE | INFINITIVE)) == 0 || (token.classes & NEGATION) != 0) return false;
      const next = this.tokens[i - 1];
      if (next.kind == Kind.Word && (next.classes & NEGATION) != 0) return (token.traits & YOU) == 0 && !this.isPolite(clause, i - 1);
    }
    return false;
  }

  /** Whether another negation stands before one. */
  private deniesBefore(clause: Clause, index: i32): bool {
    for (let i = index - 1; i >= clause.from && i >= index - DENIAL_REACH; i--) {
      spend(1);
      if (this.tokens[i].kind == Kind.Word && (this.tokens[i].classes & NEGATION) != 0) return true;
    }
    return false;
  }

  /** Whether a negation only asks politely: `você não poderia enviar o pedido?`; not `não envie, tá?`. */
  private isPolite(clause: Clause, index: i32): bool {
    const list = this.tokens;
    if (!isQuestion(clause, list) || (list[index].traits & ASKS_TOO) == 0) return false;
    const last = clause.to - 1;
    return last <= index || list[last - 1].kind != Kind.Comma || (list[last].classes & NEGATION) != 0;
  }

  private beforeSkips(clause: Clause, index: i32): i32 {
    const list = this.tokens;
    while (index >= clause.from && list[index].kind == Kind.Word && (list[index].classes & SKIP) != 0) index--;
    return index;
  }

  /** Whether a participle says that something is to be sent, is being sent, or was: not `which were sent`, `the shared folder`, `messages sent by Ana`. */
  private isDone(clause: Clause, index: i32, before: i32, wishes: bool): bool {
    const list = this.tokens;
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
    // `o mandado judicial`; `I want that sent`
    if ((classes & DETERMINER) != 0) return (classes & PRONOUN) != 0 && ((wishes && clause.asks != Asks.Look) || ((classes & ANAPHOR) != 0 && this.endsAt(clause, index)));
    if ((classes & PRONOUN) != 0) return clause.asks != Asks.Look;
    const last = this.endsAt(clause, index);
    // `list the users, exported`
    if (previous.kind == Kind.Comma && (last || (clause.asks == Asks.Nothing && (list[index + 1].kind == Kind.Comma || (list[index + 1].traits & UNTIL) != 0)))) return true;
    if (!last && this.isDue(clause, index)) return true;
    // `my contacts exported please`
    if (clause.asks == Asks.Nothing && last && index + 1 < clause.to && isNoun(previous)) return true;
    // `absences of pupil 5, printed and mailed`
    if ((classes & AND) != 0 && clause.asks == Asks.Nothing && last && before - 1 > clause.from && this.speech.lexicon.isParticiple(list[before - 1].word) && list[before - 2].kind == Kind.Comma) return true;
    // `its history transmitted to the client`
    if ((clause.asks == Asks.Nothing || (clause.asks == Asks.Deed && before > clause.from && (list[before - 1].classes & ANAPHOR) != 0)) && !last && isNoun(previous) && (list[index + 1].classes & TOWARD) != 0 && list[index + 1].kind == Kind.Word) return true;
    // `after you have exported it`; `quero ver exportado o pedido`
    if ((previous.traits & HAVE) != 0 && ((previous.traits & YOU) != 0 || (before > clause.from && (list[before - 1].traits & YOU) != 0))) return this.hasObject(clause, index) || this.actsOn(clause, index);
    if (wishes && previous === clause.verb) return true;
    // `get order 4411 sent`, `order 4411, published`; not `email 17 sent by Ana`.
    if (previous.isValue && wishes && !this.looks(clause)) return true;
    if (previous.isValue) return last || !this.isDescribed(clause, index);
    if (clause.asks != Asks.Look) return wishes;
    // `have the list of operations uploaded by teatime`
    if (wishes && isNoun(previous) && !isQuestion(clause, list) && this.begins(clause)) return true;
    // `see about getting the reviews uploaded`
    if (this.isCaused(clause, index) && (last || (list[index + 1].classes & TOWARD) != 0)) return true;
    // `I need to get the guestbook shared with the boss`
    if (wishes && !this.looks(clause) && (last || ((list[index + 1].classes & (PREPOSITION | TOWARD)) != 0 && (list[index + 1].traits & BY) == 0 && isNoun(previous)))) return true;
    // `get the orders sent`
    return last && clause.verb !== null && (clause.verb!.classes & (BE | WISH)) != 0 && (classes & LOOK) == 0;
  }

  /** Whether a clause begins with a verb of having something done. */
  private begins(clause: Clause): bool {
    let at = clause.from;
    const end = min(clause.to, clause.from + COURTESIES);
    while (at < end && this.tokens[at].kind == Kind.Word && (this.tokens[at].classes & SKIP) != 0) at++;
    return at + 1 < clause.to && this.tokens[at].kind == Kind.Word && (this.tokens[at].traits & HAVE) != 0 && (this.tokens[at + 1].classes & PRONOUN) == 0;
  }

  /** Whether a verb of having something done stands further in before a participle: `see about getting it uploaded`. */
  private isCaused(clause: Clause, index: i32): bool {
    for (let i = index - 1; i > clause.from && i >= index - CAUSE_REACH; i--) {
      const token = this.tokens[i];
      if (token.kind == Kind.Word && (token.classes & (LOOK | BE)) == (LOOK | BE) && token !== clause.verb) return true;
    }
    return false;
  }

  /** Whether a time by which follows a participle: `the absences exported by tonight`. */
  private isDue(clause: Clause, index: i32): bool {
    const list = this.tokens;
    if (index + 2 >= clause.to || clause.asks != Asks.Nothing || (list[index + 1].traits & UNTIL) == 0) return false;
    let at = index + 2;
    while (at + 1 < clause.to && list[at].kind == Kind.Word && (list[at].classes & DETERMINER) != 0) at++;
    return list[at].kind == Kind.Date || list[at].kind == Kind.Number || (list[at].classes & (SKIP | MONTH)) != 0 || (list[at].traits & (SPAN | CORRECTS)) != 0;
  }

  /** Whether what is wished for is to look at something: `I want to see the orders sent`. */
  private looks(clause: Clause): bool {
    const verb = clause.verb;
    // `let's get it shared`
    if (verb !== null && (verb.classes & (LOOK | BE)) == (LOOK | BE)) return false;
    for (let i = clause.from + 1; i < clause.to; i++) if (this.tokens[i] === verb) return this.tokens[i - 1].kind != Kind.Word || (this.tokens[i - 1].classes & DETERMINER) == 0;
    return false;
  }

  /** Whether a clause is nothing but a word and a noun that one of the agent's tools has beside it: `upload limit`. */
  private isNamed(clause: Clause, index: i32): bool {
    const list = this.tokens;
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
    const list = this.tokens;
    for (let i = index + 1; i < clause.to; i++) if (list[i].kind != Kind.Comma && (list[i].kind != Kind.Word || (list[i].classes & SKIP) == 0)) return false;
    return true;
  }

  /** Whether what follows a participle says by whom, when or from where, and not where to or by what means. */
  private isDescribed(clause: Clause, index: i32): bool {
    const list = this.tokens;
    let at = index + 1;
    while (at + 1 < clause.to && list[at].kind == Kind.Word && (list[at].classes & SKIP) != 0) at++;
    const next = list[at];
    if (next.kind != Kind.Word || (next.classes & PREPOSITION) == 0 || (next.classes & TOWARD) != 0) return false;
    return at + 1 >= clause.to || (list[at + 1].classes & (SENDS | SENDS_NOUN)) == 0;
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
    const token = this.tokens[index];
    const classes = previous.kind == Kind.Word ? previous.classes : 0;
    if (previous.kind == Kind.Comma || (token.led != 0 && token === clause.verb)) return true;
    if ((classes & (AND | THEN | CONDITION)) != 0) return true;
    const sure = !this.speech.lexicon.isNounToo(token.word);
    // `já que está aí exporte tudo`: a form of be whose letters an article has too.
    if ((classes & (DETERMINER | BE)) == (DETERMINER | BE) && sure && this.tokens[index - 1] !== previous) return true;
    if ((classes & DETERMINER) != 0) return (classes & PRONOUN) != 0 && (sure || this.hasObject(clause, index));
    // `add it to message 12`: a noun that a parameter has.
    if ((classes & INFINITIVE) != 0) return sure || ((classes & PREPOSITION) == 0 && (clause.verb === null || clause.verb === token || !this.isLabel(clause, index)));
    if ((classes & (MODAL | PRONOUN | WISH)) != 0) return true;
    const list = this.tokens;
    const object = this.hasObject(clause, index) || this.actsOn(clause, index);
    const next = index + 1 < clause.to && list[index + 1].kind == Kind.Word ? list[index + 1].classes : 0;
    // `list the devices then upload it`: no noun has `it` after it.
    if ((next & (PRONOUN | ANAPHOR)) == (PRONOUN | ANAPHOR) && (next & DETERMINER) == 0) return true;
    // `it was switched off today so share order 4411`
    if (previous !== list[index - 1] && object && (classes & LOOK) == 0) return true;
    // `list the devices post the result`, `once visit 310 is cancelled e-mail the doctor`
    if ((next & (DETERMINER | ANAPHOR)) != 0 && (list[index + 1].traits & OF) == 0 && (classes & (DETERMINER | PREPOSITION | TOWARD)) == 0 && (isNoun(previous) || this.speech.lexicon.isParticiple(previous.word))) return true;
    // `what I'd have you do with it is post it`
    if ((classes & BE) != 0 && index + 1 < clause.to && list[index + 1].kind == Kind.Word && (list[index + 1].classes & (DETERMINER | PRONOUN)) != 0) return true;
    // `complaints pls export`; `listen/summarize/forward`
    if (clause.asks == Asks.Nothing && this.endsAt(clause, index) && (list[index - 1] !== previous || (token.led == 0x2f && list[index - 1].led == 0x2f))) return true;
    if (sure) return object || classes != 0 || this.endsAt(clause, index) || clause.verb === null || clause.verb === token || previous.isValue;
    // `I want order 4411 broadcast`
    const verb = clause.verb;
    if (previous.isValue && (wishes || (verb !== null && (verb.classes & (BE | WISH)) != 0 && this.endsAt(clause, index)))) return true;
    // `have the users broadcast`
    if (this.endsAt(clause, index) && this.speech.lexicon.isParticiple(token.word) && previous.kind == Kind.Word && (classes & CLOSED) == 0 && (wishes || (verb !== null && (verb.classes & (BE | WISH)) != 0))) return true;
    // `make the system e-mail the chart`
    if (clause.asks == Asks.Light && this.hasObject(clause, index) && isNoun(previous)) return true;
    // `show or export it`
    if ((previous.traits & OR) != 0 && index - 2 >= clause.from && (list[index - 2].classes & (LOOK | VERB | SENDS | LIGHT)) != 0) return true;
    if ((classes & (PREPOSITION | TOWARD | LOOK | VERB)) != 0) return false;
    // `let the auditors share the report`
    const free = clause.verb === null || clause.verb === token || (clause.verb!.classes & MODAL) != 0;
    return free && object;
  }

  /** Whether a word is in the name of a parameter of the agent's, and a number or an id follows. */
  private isLabel(clause: Clause, index: i32): bool {
    if (index + 1 >= clause.to) return false;
    const next = this.tokens[index + 1];
    return (next.kind == Kind.Number || next.kind == Kind.Mark) && (this.speech.sources(this.tokens[index].stem) & PARAMETER) != 0;
  }

  /** Whether what follows a verb begins its object. */
  private hasObject(clause: Clause, index: i32): bool {
    let at = index + 1;
    while (at + 1 < clause.to && this.tokens[at].kind == Kind.Word && (this.tokens[at].classes & SKIP) != 0) at++;
    if (at >= clause.to) return false;
    const next = this.tokens[at];
    return next.isValue || (next.kind == Kind.Word && (next.classes & (DETERMINER | PRONOUN | ANAPHOR)) != 0 && (next.traits & OF) == 0);
  }

  /** Whether what follows is done something to: an article, or a noun of the agent's tools with its value. */
  private actsOn(clause: Clause, index: i32): bool {
    const list = this.tokens;
    if (index + 1 >= clause.to || list[index + 1].kind != Kind.Word) return false;
    const next = list[index + 1];
    if ((next.classes & DETERMINER) != 0) return true;
    return index + 2 < clause.to && list[index + 2].isValue && ((this.speech.sources(next.stem) | this.speech.sources(next.other)) & (OWN | PARAMETER)) != 0;
  }
}

/** Whether a word stands for `give`: `dê um forward no chamado`. */
export function isGiving(token: Token): bool {
  return token.kind == Kind.Word && token.stands.length == 4 && load<u32>(token.stands.start) == 0x65766967;
}

/** Whether a token is a word that neither joins, nor asks, nor does. */
function isNoun(token: Token): bool {
  return token.kind == Kind.Word && (token.classes & (CLOSED | VERB | SENDS | LOOK | LIGHT)) == 0;
}
