// The rulebook: flows of rules, each one CEL condition (chapter 2).

import { Buffer, Text } from "../memory/buffer";
import { equalAscii, equalBytes, startsWithAscii } from "../memory/bytes";
import { Condition } from "../cel/condition";
import { parseCondition } from "../cel/parse";
import { Value, first, get, isString, next, stringLength, stringStart, stringText } from "../json/value";
import { Reading } from "./member";
import { ALLOW_IF, Flow, Policy, Rule } from "./policy";

const RULEBOOK_NAMES: StaticArray<string> = ["facts", "flows"];
const FLOW_NAMES: StaticArray<string> = ["name", "on", "rules"];
const RULE_NAMES: StaticArray<string> = ["id", "allow_if", "refuse_if", "ask_if", "because", "question"];
/** In the order of ALLOW_IF, REFUSE_IF, ASK_IF. */
const CONDITION_NAMES: StaticArray<string> = ["allow_if", "refuse_if", "ask_if"];

/** The check's own reasons: no rule may be called like one. */
const REASONS: StaticArray<string> = [
  "unknown_tool", "agent_required", "licence_lapsed", "history_invalid", "argument_schema", "undeclared_destination", "order_rule",
  "compensation_mismatch", "compensation_spent", "tainted_call", "confirmed", "denied", "gate_clarify", "argument_origin",
  "irreversible_pivot", "schema_partial", "write", "compensation", "allow", "receipt", "receipt_missing", "receipt_not_allowed",
  "receipt_mismatch", "receipt_expired", "receipt_spent",
];

/** Reads `rulebook` (0: none). */
export function readRulebook(reading: Reading, rulebook: Value, policy: Policy): void {
  if (!reading.object(rulebook)) return;
  reading.members(rulebook, RULEBOOK_NAMES);
  reading.strings(rulebook, "facts", false);
  const facts = get(rulebook, "facts");
  const flows = get(rulebook, "flows");
  if (!reading.array(flows)) return;
  const end = next(flows);
  for (let flow = first(flows); flow < end; flow = next(flow)) if (reading.object(flow)) readFlow(reading, flow, facts, policy);
}

function readFlow(reading: Reading, value: Value, facts: Value, policy: Policy): void {
  reading.members(value, FLOW_NAMES);
  const name = reading.string(value, "name", true);
  const flow = new Flow(name != null ? name : new Text(0, 0));
  const on = reading.strings(value, "on", true);
  const tools = new StaticArray<bool>(policy.tools.length);
  let all = false;
  for (let i = 0; i < on.length; i++) {
    if (isString(on[i], "*")) {
      all = true;
      continue;
    }
    const tool = policy.tool(stringText(on[i]));
    if (tool == null) reading.problemNaming("policy_unknown_tool", "the catalogue has no tool", stringText(on[i]), on[i]);
    else tools[tool.index] = true;
  }
  if (!all) flow.on = tools;
  const rules = get(value, "rules");
  if (rules == 0) reading.missing(value, "rules");
  else if (reading.array(rules)) {
    const end = next(rules);
    for (let rule = first(rules); rule < end; rule = next(rule)) if (reading.object(rule)) readRule(reading, rule, facts, flow);
  }
  policy.flows.push(flow);
}

function readRule(reading: Reading, value: Value, facts: Value, flow: Flow): void {
  reading.members(value, RULE_NAMES);
  const id = reading.string(value, "id", true);
  if (id != null) {
    if (id.length == 0) reading.problem("policy_rule_id", "a rule's id may not be empty: it is the reason of a refusal", get(value, "id"));
    let own = startsWithAscii(id.start, id.length, "argument_origin:");
    for (let i = 0; i < REASONS.length && !own; i++) own = equalAscii(id.start, id.length, REASONS[i]);
    if (own) reading.problem("policy_rule_id", "this is one of the check's own reasons; give the rule another id", get(value, "id"));
  }
  const because = reading.string(value, "because", false);
  const question = reading.string(value, "question", false);
  let any = false;
  for (let i = 0; i < CONDITION_NAMES.length; i++) {
    if (get(value, CONDITION_NAMES[i]) == 0) continue;
    if (any) reading.problem("policy_type", "a rule has one condition: allow_if, refuse_if or ask_if", get(value, CONDITION_NAMES[i]));
    any = true;
    const condition = readCondition(reading, value, i, facts);
    if (condition == null || id == null) continue;
    const rule = new Rule(id, ALLOW_IF + i, condition);
    rule.because = because;
    rule.question = question;
    flow.rules.push(rule);
  }
  if (!any) reading.problem("policy_missing", "a rule needs one condition: allow_if, refuse_if or ask_if", value);
}

/** One condition of a rule; null where it is none. */
function readCondition(reading: Reading, value: Value, which: i32, facts: Value): Condition | null {
  const text = reading.string(value, CONDITION_NAMES[which], true);
  if (text == null) return null;
  const condition = parseCondition(text.start, text.length, facts);
  if (condition.problem) {
    const message = new Buffer(96);
    message.text(condition.message);
    message.ascii(" (at byte ");
    message.integer(condition.offset);
    message.ascii(" of the condition)");
    const code = condition.unknownFact != null ? "policy_fact" : "policy_condition";
    reading.findings.add(code, message, reading.pointer(get(value, CONDITION_NAMES[which])));
    return null;
  }
  return condition;
}

/** Whether a flow is on the tool by name, or some condition holds the text: a tool's name, or `untrusted`. */
export function rulesMention(rulebook: Value, text: Text): bool {
  const flows = get(rulebook, "flows");
  if (flows == 0) return false;
  const end = next(flows);
  for (let flow = first(flows); flow < end; flow = next(flow)) {
    const on = get(flow, "on");
    const ends = next(on);
    for (let name = first(on); name < ends; name = next(name)) {
      if (equalBytes(stringStart(name), stringLength(name), text.start, text.length)) return true;
    }
    const rules = get(flow, "rules");
    const last = next(rules);
    for (let rule = first(rules); rule < last; rule = next(rule)) {
      for (let i = 0; i < CONDITION_NAMES.length; i++) {
        const condition = get(rule, CONDITION_NAMES[i]);
        if (condition != 0 && contains(stringStart(condition), stringLength(condition), text)) return true;
      }
    }
  }
  return false;
}

function contains(start: usize, length: i32, text: Text): bool {
  if (text.length == 0) return false;
  for (let i = 0; i + text.length <= length; i++) {
    if (load<u8>(start + <usize>i) == load<u8>(text.start) && memory.compare(start + <usize>i, text.start, <usize>text.length) == 0) return true;
  }
  return false;
}
