// Reads a turn into a plan (chapter 6): clauses, their tools, their arguments, the four rules, and what comes of them.

import { Text } from "../memory/buffer";
import { beginSteps, spend, stepsLeft } from "../memory/steps";
import { Agent, Policy } from "../policy/policy";
import { Binder } from "./bind";
import { calculationIn } from "./calculation";
import { Asks, Clause, Speech, divide } from "./clauses";
import { Earlier } from "./fill";
import { BE, CLOSED, CONDITION, CORRECTS, DETERMINER, FILLER, MODAL, NEGATION, OPERATOR, PREPOSITION, PRONOUN, QUESTION, SENDS, WISH } from "./classes";
import { isOpen, isUnderstood } from "./doubt";
import { By, Reach, namesForeign, othersBetter, ownsData, reachedBy, reachedInDoubt } from "./reach";
import { Sending } from "./egress";
import { Rules } from "./rules";
import { Step } from "./step";
import { Kind, Token } from "./token";
import { Tokens } from "./tokens";
import { afterName, findPassive, findVerb, hasContent, isBare } from "./verbs";
import { PARAMETER, REST, vocabularyOf } from "./vocabulary";

export const enum Outcome {
  Run,
  Confirm,
  Ask,
  Declined,
  Unread,
}

/** A turn that was read. */
@final
export class Plan {
  outcome: Outcome = Outcome.Unread;
  steps: Array<Step> = [];
  clauses: Array<Clause> = [];
  /** Steps of work taken (memory/steps.ts), the making of the policy's vocabulary left out. */
  work: i64 = 0;
  constructor(
    public speech: Speech,
    public tokens: Tokens,
  ) {}
  rules: Rules = changetype<Rules>(0);

  /** The step that a clause became, or null. */
  stepOf(clause: Clause): Step | null {
    if (clause.step < 0) return null;
    return this.steps[clause.step];
  }
}

/** A turn being read. */
@final
class Turn {
  /** A clause asks for something that no tool was reached for, or only under a condition, or for it not to be done. */
  private unread: bool = false;
  private conditional: bool = false;
  /** Something was said that nothing took. */
  private loose: bool = false;
  /** What calculates over another agent's data. */
  private scope: Token | null = null;
  /** A clause before spoke of another agent's data: what calculates over nothing of its own calculates over that. */
  private foreign: bool = false;
  private plan: Plan;
  private reach: Reach;
  private binder: Binder;
  private sending: Sending;

  constructor(
    private speech: Speech,
    private tokens: Tokens,
  ) {
    this.plan = new Plan(speech, tokens);
    this.reach = new Reach(speech, tokens.list);
    this.sending = new Sending(speech, tokens.list);
    this.binder = new Binder(tokens.list, speech.vocabulary, speech.lexicon);
  }

  read(): Plan {
    this.findCorrections();
    this.findTools(divide(this.tokens.list, this.speech));
    this.number();
    this.bindAll();
    const plan = this.plan;
    for (let i = 0; i < plan.clauses.length; i++) this.judge(plan.clauses[i]);
    const rules = new Rules(this.speech, this.tokens, plan.clauses, plan.steps);
    rules.run(this.scope);
    plan.rules = rules;
    plan.outcome = this.outcome();
    return plan;
  }

  /** What takes back or puts off what was said before: `wait`, `no,`, `tomorrow`. */
  private findCorrections(): void {
    const list = this.tokens.list;
    for (let i = 2; i < list.length; i++) {
      const token = list[i];
      if (token.kind != Kind.Word) continue;
      const no = list[i - 1].kind == Kind.Comma && (i + 1 == list.length || list[i + 1].kind == Kind.Comma) && (token.classes & (NEGATION | FILLER | DETERMINER)) != 0;
      if (no || (token.traits & CORRECTS) != 0) this.loose = true;
    }
  }

  /** Finds each clause's tool; a soft clause that reaches none is part of the one before. */
  private findTools(clauses: Array<Clause>): void {
    const list = this.tokens.list;
    const kept = this.plan.clauses;
    let number = 0;
    for (let i = 0; i < clauses.length; i++) {
      const clause = clauses[i];
      // `the average of order 4411 and order 4412 should be refunded`: a verb of its own.
      if (clause.soft && findPassive(clause, list, this.speech)) clause.soft = false;
      // `please, the invitation is to be sent`: a courtesy is no clause that another is part of.
      const joined = clause.soft && kept.length != 0 && hasContent(kept[kept.length - 1], list);
      if (joined) {
        clause.verb = kept[kept.length - 1].verb;
        clause.asks = kept[kept.length - 1].asks;
      } else {
        clause.soft = false;
        if (clause.verb === null) findVerb(clause, list, this.speech);
      }
      // `find and cancel order 4411`: the object is the second verb's too. Which deed was meant for what is not guessed.
      if (clause.shared && kept.length == 0 && i + 1 < clauses.length && isBare(clause, list)) {
        if (clause.asks == Asks.Deed) this.unread = true;
        continue;
      }
      if (!joined && clause.verb === null && i + 1 < clauses.length && this.isBehind(clause, clauses[i + 1])) {
        i++;
        clause.to = clauses[i].to;
        clause.verb = clauses[i].verb;
        clause.asks = clauses[i].asks;
      }
      clause.calculation = calculationIn(clause, list, null, this.speech.vocabulary);
      const calculates = clause.calculation !== null && this.plan.steps.length != 0;
      let tools = this.reach.tools(clause, calculates);
      if (tools.length == 0 && clause.calculation === null && !joined && !clause.negated && this.findSending(clause)) tools = this.reach.tools(clause, false);
      if (tools.length == 0 && clause.calculation === null && !joined && !clause.negated && kept.length != 0) {
        const sent = this.sentBefore(clause, kept[kept.length - 1]);
        if (sent >= 0) {
          tools.push(sent);
          clause.told = true;
        }
      }
      // `add the bonuses to the salaries`
      const verb = clause.verb;
      if (clause.calculation === null && namesForeign && tools.length == 0 && verb !== null && (verb.classes & OPERATOR) != 0) clause.calculation = verb;
      const better = othersBetter || namesForeign || (this.foreign && !ownsData);
      this.foreign = this.foreign || othersBetter || namesForeign;
      if (joined && tools.length != 1) {
        const before = kept[kept.length - 1];
        before.to = clause.to;
        // `prescription 12, dose is 40 mg times 3`
        if (before.calculation === null && clause.calculation !== null) {
          before.calculation = clause.calculation;
          before.foreign = othersBetter || namesForeign;
          if (better && this.scope === null) this.scope = clause.calculation;
          if (before.number < 0) before.number = number++;
        }
        continue;
      }
      kept.push(clause);
      clause.foreign = clause.calculation !== null && (othersBetter || namesForeign);
      if (clause.calculation !== null && better && this.scope === null) this.scope = clause.calculation;
      if (clause.negated) {
        this.unread = true;
        continue;
      }
      if (clause.conditional) this.conditional = true;
      if (tools.length == 1) {
        const step = new Step(this.speech.vocabulary.tools[tools[0]], reachedBy, clause, this.plan.steps.length);
        clause.step = step.index;
        const next = afterName(clause, list);
        step.doubt = reachedInDoubt || clause.told || clause.serves || (next !== null && !this.reach.knows(tools[0], next)) || (clause.asks == Asks.Nothing && (reachedBy != By.AlsoCalled || step.words.tool.sendsOut));
        clause.number = number++;
        this.plan.steps.push(step);
      } else if (tools.length > 1) {
        clause.tied = tools;
        clause.number = number++;
      } else if (clause.calculation !== null) clause.number = number++;
      else if (hasContent(clause, list)) {
        // What is said in brackets asks for nothing.
        if (clause.verb !== null && list[clause.from].led != 0x28) this.unread = true;
        else this.loose = true;
      }
    }
  }

  /** Whether a clause is a bare verb that stands behind what it is done to: `manifesto 52 to ana@example.com - transmit`. */
  private isBehind(clause: Clause, next: Clause): bool {
    const list = this.tokens.list;
    for (let i = clause.from; i < clause.to; i++) if (list[i].kind == Kind.Word && (list[i].classes & (MODAL | WISH | BE | PRONOUN | QUESTION)) != 0 && (list[i].classes & (DETERMINER | FILLER | PREPOSITION)) == 0) return false;
    if (next.sequenced || next.soft || !(next.from == clause.to || (next.from == clause.to + 1 && list[clause.to].kind == Kind.Comma))) return false;
    findVerb(next, list, this.speech);
    return next.asks == Asks.Deed && !next.negated && !next.conditional && this.speech.isDeed(next.verb!) && isBare(next, list);
  }

  /** Finds a verb further in that sends, and is that of one of the agent's tools: `ana@example.com asked us to send menu 6`. Whether it is asked for is in doubt. */
  private findSending(clause: Clause): bool {
    const list = this.tokens.list;
    const verb = clause.verb;
    const asks = clause.asks;
    for (let i = clause.from; i < clause.to; i++) {
      spend(1);
      const token = list[i];
      if (token.kind != Kind.Word || (token.classes & SENDS) == 0 || !this.speech.isDeed(token) || !this.sending.isUsed(clause, i, false)) continue;
      clause.verb = token;
      clause.asks = Asks.Deed;
      const tools = this.reach.tools(clause, false);
      if (tools.length == 1 && this.speech.policy.tools[tools[0]].sendsOut && reachedBy != By.Derived) {
        clause.told = true;
        return true;
      }
      break;
    }
    clause.verb = verb;
    clause.asks = asks;
    return false;
  }

  /** The tool of the agent's that sends what the clause before is about, where this one says no more than its verb, or speaks of that, or -1: `if the receipt of order 4411 is ready, send it`. */
  private sentBefore(clause: Clause, before: Clause): i32 {
    const list = this.tokens.list;
    const verb = clause.verb;
    if (verb === null || (verb.classes & SENDS) == 0) return -1;
    for (let i = clause.from; i < clause.to; i++) {
      const token = list[i];
      if (token.isValue && token.kind != Kind.Address) return -1;
      if (token.kind != Kind.Word || token === verb) continue;
      if (token.start > verb.start && (token.classes & CONDITION) != 0) break;
      if ((token.classes & CLOSED) == 0) return -1;
    }
    let head: Token | null = null;
    for (let i = before.from; i < before.to && head === null; i++) if (list[i].kind == Kind.Word && list[i] !== before.verb && (list[i].classes & CLOSED) == 0 && ((this.speech.sources(list[i].stem) | this.speech.sources(list[i].other)) & (REST | PARAMETER)) != 0) head = list[i];
    if (head === null) return -1;
    const found = this.reach.sends(verb.stem, head);
    return found >= 0 ? found : this.reach.sends(verb.other, head);
  }

  /** Tells every token its clause. */
  private number(): void {
    const clauses = this.plan.clauses;
    for (let i = 0; i < clauses.length; i++) for (let k = clauses[i].from; k < clauses[i].to; k++) this.tokens.list[k].clause = i;
  }

  /** Binds what clauses hold to their tools; what a clause without a tool holds, to the step before it, else the one after. */
  private bindAll(): void {
    const list = this.tokens.list;
    const plan = this.plan;
    for (let i = 0; i < plan.clauses.length; i++) {
      const clause = plan.clauses[i];
      const verb = clause.verb;
      this.binder.markToward(clause.from, clause.to, verb !== null && (verb.classes & SENDS) != 0);
      if (clause.step >= 0) this.binder.bind(plan.steps[clause.step], clause.from, clause.to);
    }
    let last: Step | null = null;
    const waiting: Array<Clause> = [];
    for (let i = 0; i < plan.clauses.length; i++) {
      const clause = plan.clauses[i];
      if (clause.step >= 0) {
        last = plan.steps[clause.step];
        for (let k = 0; k < waiting.length; k++) this.binder.bind(last, waiting[k].from, waiting[k].to);
        waiting.length = 0;
      } else if (clause.tied.length == 0 && clause.calculation === null) {
        if (last !== null) this.binder.bind(last, clause.from, clause.to);
        waiting.push(clause);
      }
    }
    const earlier = new Earlier(this.speech.policy, this.speech.agent.defaults, list);
    for (let i = 0; i < plan.steps.length; i++) {
      const step = plan.steps[i];
      if (step.clause.sequenced && i > 0) step.after = i - 1;
      earlier.fill(step);
    }
  }

  /** Judges a clause whose values are bound: whether it still calculates, and whether a write rests on a doubt. */
  private judge(clause: Clause): void {
    const list = this.tokens.list;
    const step = this.plan.stepOf(clause);
    if (step !== null || clause.calculation !== null) clause.calculation = calculationIn(clause, list, step, this.speech.vocabulary);
    if (clause.tied.length != 0) return;
    let left = false;
    for (let k = clause.from; k < clause.to && !left; k++) left = (list[k].isValue && !list[k].taken) || isOpen(list, k, clause);
    if (step === null) {
      if (left && clause.calculation === null) this.loose = true;
      return;
    }
    if (left) this.loose = true;
    // A write of which something was said that it does not take, or that only a description reached.
    step.doubt = step.words.tool.write && (step.doubt || left || step.by == By.Derived || !isUnderstood(step, list, this.speech));
  }

  private outcome(): Outcome {
    const plan = this.plan;
    if (plan.rules.holding.length != 0) return Outcome.Declined;
    let ties = false;
    for (let i = 0; i < plan.clauses.length; i++) if (plan.clauses[i].tied.length != 0) ties = true;
    let writes = false;
    let doubt = false;
    let lacks = false;
    for (let i = 0; i < plan.steps.length; i++) {
      const step = plan.steps[i];
      if (step.words.tool.write) writes = true;
      if (step.doubt) doubt = true;
      if (step.lacks) lacks = true;
    }
    if (this.unread || (plan.steps.length == 0 && !ties) || (this.conditional && writes)) return Outcome.Unread;
    if (ties || lacks) return Outcome.Ask;
    return doubt || (this.loose && writes) ? Outcome.Confirm : Outcome.Run;
  }
}

/**
 * Reads a turn.
 * @param turn what the person wrote: UTF-8 of the current region, which stays as long as the plan
 * @param language the number of the language (lexicon.ts)
 * @returns the plan, in the current region. Work is counted in steps (memory/steps.ts) and grows with the turn's length; there is no budget
 */
export function readTurn(policy: Policy, agent: Agent, language: i32, turn: Text): Plan {
  beginSteps(i64.MAX_VALUE);
  const vocabulary = vocabularyOf(policy, language);
  beginSteps(i64.MAX_VALUE);
  const speech = new Speech(policy, agent, vocabulary, vocabulary.lexicon);
  const plan = new Turn(speech, new Tokens(turn, vocabulary)).read();
  plan.work = i64.MAX_VALUE - stepsLeft();
  return plan;
}
