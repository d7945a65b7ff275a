// Says how a turn was read: each clause, the words that reached its tool, what bound each argument, each rule and what set it off or cleared it.

import { writeString } from "../json/string";
import { Buffer, Text } from "../memory/buffer";
import { Clause } from "./clauses";
import { Holding } from "./rules";
import { Plan } from "./read";
import { decidedBy, writeOrigin, writePlan, writeValue } from "./plan";
import { Holds, Step } from "./step";
import { Kind, Token } from "./token";

/**
 * Appends `{"clauses":[{"text","tool"?,"tools"?,"decided_by"?,"words":[…],"arguments":{NAME:{"origin","value"?}},"unbound":[…],"calculation"?,"negated"?,"conditional"?}],
 * "plan":…,"rules":[{"rule","result":"holds"|"cleared","said"}],"work":STEPS}`. `words` are those of the turn that the tool has as its own, in its description or a parameter's name.
 */
export function writeExplained(plan: Plan, out: Buffer): void {
  out.ascii('{"clauses":[');
  for (let i = 0; i < plan.clauses.length; i++) {
    if (i != 0) out.byte(0x2c);
    writeClause(plan, plan.clauses[i], out);
  }
  out.ascii('],"plan":');
  writePlan(plan, out);
  out.ascii(',"rules":[');
  writeRules(plan.rules.holding, "holds", false, out);
  writeRules(plan.rules.cleared, "cleared", plan.rules.holding.length != 0, out);
  out.ascii('],"work":');
  out.integer(plan.work);
  out.byte(0x7d);
}

function writeRules(list: Array<Holding>, result: string, after: bool, out: Buffer): void {
  for (let i = 0; i < list.length; i++) {
    if (i != 0 || after) out.byte(0x2c);
    out.ascii('{"result":"');
    out.ascii(result);
    out.ascii('","rule":');
    writeString(list[i].text.start, list[i].text.length, out);
    out.ascii(',"said":');
    writeString(list[i].said.start, list[i].said.length, out);
    out.byte(0x7d);
  }
}

function writeText(text: Text, out: Buffer): void {
  writeString(text.start, text.length, out);
}

function writeClause(plan: Plan, clause: Clause, out: Buffer): void {
  const list = plan.tokens.list;
  const step = plan.stepOf(clause);
  out.ascii('{"arguments":{');
  if (step !== null) writeArguments(step, out);
  out.byte(0x7d);
  const calculation = clause.calculation;
  if (calculation !== null) {
    out.ascii(',"calculation":');
    writeSpan(calculation, out);
  }
  if (clause.conditional) out.ascii(',"conditional":true');
  if (step !== null) {
    out.ascii(',"decided_by":"');
    out.ascii(decidedBy(step.by));
    out.byte(0x22);
  }
  if (clause.negated) out.ascii(',"negated":true');
  out.ascii(',"text":');
  const start = list[clause.from].start;
  writeString(start, <i32>(list[clause.to - 1].end - start), out);
  if (step !== null) {
    out.ascii(',"tool":');
    writeText(step.words.tool.name, out);
  }
  if (clause.tied.length != 0) {
    out.ascii(',"tools":[');
    for (let i = 0; i < clause.tied.length; i++) {
      if (i != 0) out.byte(0x2c);
      writeText(plan.speech.policy.tools[clause.tied[i]].name, out);
    }
    out.byte(0x5d);
  }
  out.ascii(',"unbound":[');
  let any = false;
  for (let i = clause.from; i < clause.to; i++) {
    if (!list[i].isValue || list[i].taken) continue;
    if (any) out.byte(0x2c);
    any = true;
    writeSpan(list[i], out);
  }
  out.ascii('],"words":[');
  any = false;
  for (let i = clause.from; i < clause.to; i++) {
    const token = list[i];
    if (token.kind != Kind.Word || step === null || !(isOf(plan, token.stem, step) || isOf(plan, token.other, step))) continue;
    if (any) out.byte(0x2c);
    any = true;
    writeSpan(token, out);
  }
  out.ascii("]}");
}

function writeSpan(token: Token, out: Buffer): void {
  writeString(token.start, <i32>(token.end - token.start), out);
}

function writeArguments(step: Step, out: Buffer): void {
  let any = false;
  for (let p = 0; p < step.bound.length; p++) {
    const bound = step.bound[p];
    if (bound === null) continue;
    if (any) out.byte(0x2c);
    any = true;
    writeText(bound.parameter.name, out);
    out.ascii(':{"origin":');
    writeOrigin(bound, out);
    if (bound.holds != Holds.Field) {
      out.ascii(',"value":');
      writeValue(bound, out);
    }
    out.byte(0x7d);
  }
}

/** Whether a tool has a stem, in whatever place. */
function isOf(plan: Plan, stem: i32, step: Step): bool {
  if (stem < 0) return false;
  for (let posting = plan.speech.vocabulary.first(stem); posting.tool >= 0; posting = posting.next) if (posting.tool == step.words.tool.index) return true;
  return false;
}
