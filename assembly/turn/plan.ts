// Writes a plan as chapter 6 has it: canonical JSON, members that do not apply left out.

import { writeCanonical } from "../json/canonical";
import { writeDouble } from "../json/number";
import { writeString } from "../json/string";
import { Buffer, Text } from "../memory/buffer";
import { compareUtf16 } from "../memory/bytes";
import { NameTable } from "../memory/names";
import { sorted } from "../policy/sorted";
import { Outcome, Plan } from "./read";
import { By } from "./reach";
import { Bound, Holds, Source, Step } from "./step";

export const PLAN_FORMAT: string = "qls-plan/1";

function outcomeName(outcome: Outcome): string {
  switch (outcome) {
    case Outcome.Run: return "run";
    case Outcome.Confirm: return "confirm";
    case Outcome.Ask: return "ask";
    case Outcome.Declined: return "declined";
    default: return "unread";
  }
}

/** How a tool was reached, as `decided_by` says it. */
export function decidedBy(by: By): string {
  return by == By.Named ? "tool: named" : by == By.AlsoCalled ? "tool: also_called" : "tool: derived";
}

/** Appends a plan. */
export function writePlan(plan: Plan, out: Buffer): void {
  out.byte(0x7b);
  const declined = plan.outcome == Outcome.Declined;
  const because = new Buffer(64);
  if (declined) {
    const holding = plan.rules.holding;
    for (let i = 0; i < holding.length; i++) {
      if (i != 0) because.ascii("; ");
      because.text(holding[i].text);
    }
    out.ascii('"declined_because":');
    writeString(because.start, because.length, out);
    out.byte(0x2c);
  }
  out.ascii('"format":"');
  out.ascii(PLAN_FORMAT);
  out.ascii('","language":"');
  out.text(plan.speech.lexicon.language);
  out.ascii('","outcome":"');
  out.ascii(outcomeName(plan.outcome));
  out.byte(0x22);
  if (plan.outcome == Outcome.Ask || plan.outcome == Outcome.Confirm) {
    out.ascii(',"question":');
    const question = new Buffer(64);
    writeQuestion(plan, question);
    writeString(question.start, question.length, out);
  }
  if (declined) {
    out.ascii(',"sentence":');
    const sentence = new Buffer(because.length * 2 + 64);
    sentence.ascii("I can't do that: ");
    sentence.bytes(because.start, because.length);
    sentence.ascii(". (rule ");
    sentence.text(plan.rules.holding[0].text);
    sentence.byte(0x29);
    writeString(sentence.start, sentence.length, out);
  }
  out.ascii(',"steps":[');
  // Of a turn that is not read nothing may run.
  if (plan.outcome != Outcome.Unread) {
    for (let i = 0; i < plan.steps.length; i++) {
      if (i != 0) out.byte(0x2c);
      writeStep(plan.steps[i], out);
    }
  }
  out.ascii("]}");
}

function byName(a: Bound, b: Bound): i32 {
  return compareUtf16(a.parameter.name.start, a.parameter.name.length, b.parameter.name.start, b.parameter.name.length);
}

function writeStep(step: Step, out: Buffer): void {
  const found: Array<Bound> = [];
  for (let p = 0; p < step.bound.length; p++) {
    const bound = step.bound[p];
    if (bound !== null) found.push(bound);
  }
  const list = sorted<Bound>(found, byName);
  out.byte(0x7b);
  if (step.after >= 0) {
    out.ascii('"after_step":');
    out.integer(step.after);
    out.byte(0x2c);
  }
  out.ascii('"arguments":{');
  let any = false;
  for (let i = 0; i < list.length; i++) {
    // What a result will hold is not known yet: the host puts it in.
    if (list[i].holds == Holds.Field) continue;
    if (any) out.byte(0x2c);
    any = true;
    writeName(list[i], out);
    writeValue(list[i], out);
  }
  out.ascii('},"decided_by":"');
  out.ascii(decidedBy(step.by));
  out.ascii('","missing":[');
  const parameters = step.words.parameters;
  any = false;
  for (let p = 0; p < parameters.length; p++) {
    if (!parameters[p].required || step.bound[p] !== null) continue;
    if (any) out.byte(0x2c);
    any = true;
    writeString(parameters[p].name.start, parameters[p].name.length, out);
  }
  out.ascii('],"origins":{');
  for (let i = 0; i < list.length; i++) {
    if (i != 0) out.byte(0x2c);
    writeName(list[i], out);
    writeOrigin(list[i], out);
  }
  out.ascii('},"tool":');
  writeString(step.words.tool.name.start, step.words.tool.name.length, out);
  out.byte(0x7d);
}

function writeName(bound: Bound, out: Buffer): void {
  writeString(bound.parameter.name.start, bound.parameter.name.length, out);
  out.byte(0x3a);
}

/** Appends the value of an argument that has one. */
export function writeValue(bound: Bound, out: Buffer): void {
  switch (bound.holds) {
    case Holds.Text:
      writeString(bound.text!.start, bound.text!.length, out);
      return;
    case Holds.Number:
      writeDouble(bound.number, out);
      return;
    case Holds.Boolean:
      out.ascii(bound.yes ? "true" : "false");
      return;
    case Holds.List:
      out.byte(0x5b);
      for (let i = 0; i < bound.list.length; i++) {
        if (i != 0) out.byte(0x2c);
        writeString(bound.list[i].start, bound.list[i].length, out);
      }
      out.byte(0x5d);
      return;
    default:
      writeCanonical(bound.value, out);
  }
}

/** Appends where an argument comes from, as the check takes it (chapter 4, Origins). */
export function writeOrigin(bound: Bound, out: Buffer): void {
  if (bound.source != Source.Result) {
    out.ascii(bound.source == Source.Typed ? '"typed"' : '"context"');
    return;
  }
  const origin = new Buffer(32);
  origin.ascii("result:");
  origin.integer(bound.step);
  origin.byte(0x2e);
  origin.text(bound.text!);
  writeString(origin.start, origin.length, out);
}

/** Appends what the person is asked: which of several tools, what is missing, or whether to go on. */
function writeQuestion(plan: Plan, out: Buffer): void {
  const portuguese = isPortuguese(plan.speech.lexicon.language);
  // A sentence that was said is not said again.
  const said = new NameTable();
  for (let i = 0; i < plan.clauses.length; i++) {
    if (plan.clauses[i].tied.length == 0) continue;
    const sentence = new Buffer(64);
    writeChoice(plan, plan.clauses[i].tied, portuguese, sentence);
    say(sentence, said, out);
  }
  for (let i = 0; i < plan.steps.length; i++) {
    const step = plan.steps[i];
    const sentence = new Buffer(64);
    if (plan.outcome == Outcome.Confirm) {
      if (!step.words.tool.write) continue;
      sentence.ascii(portuguese ? "Devo chamar " : "Shall I call ");
      sentence.text(step.words.tool.name);
    } else {
      if (!step.lacks) continue;
      sentence.ascii(portuguese ? "Para " : "For ");
      sentence.text(step.words.tool.name);
      sentence.ascii(portuguese ? ", qual " : ", which ");
      missingNames(step, sentence);
    }
    sentence.byte(0x3f);
    say(sentence, said, out);
  }
}

function say(sentence: Buffer, said: NameTable, out: Buffer): void {
  const count = said.names.length;
  if (said.add(sentence.start, sentence.length) != count) return;
  if (count != 0) out.byte(0x20);
  out.bytes(sentence.start, sentence.length);
}

/** Appends which of several tools a clause may mean, in the catalogue's order. */
function writeChoice(plan: Plan, tied: Array<i32>, portuguese: bool, out: Buffer): void {
  out.ascii(portuguese ? "Qual: " : "Which: ");
  const order = sorted<i32>(tied, byNumber);
  for (let i = 0; i < order.length; i++) {
    if (i != 0) out.ascii(i + 1 < order.length ? ", " : portuguese ? " ou " : " or ");
    out.text(plan.speech.policy.tools[order[i]].name);
  }
  out.byte(0x3f);
}

function byNumber(a: i32, b: i32): i32 {
  return a - b;
}

function missingNames(step: Step, out: Buffer): void {
  const parameters = step.words.parameters;
  let any = false;
  for (let p = 0; p < parameters.length; p++) {
    if (!parameters[p].required || step.bound[p] !== null) continue;
    if (any) out.ascii(", ");
    any = true;
    out.text(parameters[p].name);
  }
}

function isPortuguese(language: Text): bool {
  return language.length >= 2 && load<u16>(language.start) == 0x7470;
}
