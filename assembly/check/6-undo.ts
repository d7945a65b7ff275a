// Step 6: an undo is the one declared for a step that ran, made of that step's values, and made once.

import { writeString } from "../json/string";
import { Buffer, Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { Entry } from "../history/entry";
import { sameAgent } from "../history/history";
import { COMPENSATED, RAN } from "../history/outcome";
import { RESULT } from "../evidence/origins";
import { Tool, UndoRule } from "../policy/policy";
import { Argument, Call } from "./call";
import { agrees, carriesHolding, isTrusted } from "./trust";

/** Whether the step answered; only for a call that undoes. */
export function undoFits(call: Call, tool: Tool): bool {
  const step = call.undoStep;
  const history = call.history;
  if (step < 0 || step >= <i64>history.length) return mismatch(call, "no_such_step", null);
  const entry = history.entries[<i32>step];
  const outcome = history.outcomeOf(entry);
  if (!entry.allowed || (outcome != RAN && outcome != COMPENSATED)) return mismatch(call, "not_run", null);
  const undone = history.toolOf(entry);
  let rule: UndoRule | null = null;
  if (undone != null) rule = undone.undo;
  if (entry.undoes >= 0 || rule == null || !equalBytes(rule.tool.start, rule.tool.length, tool.name.start, tool.name.length)) {
    return mismatch(call, "not_declared", null);
  }
  if (!sameAgent(call.policy, entry.agent, call.agentName)) return mismatch(call, "agent", null);
  for (let i = 0; i < rule.arguments.length; i++) {
    if (!comesFrom(call, entry, rule, i)) return mismatch(call, "bind:", rule.arguments[i]);
  }
  for (let i = 0; i < call.list.length; i++) {
    const argument = call.list[i];
    if (isBound(rule, argument)) continue;
    if (!isTrusted(call, argument) || carriesHolding(call, argument, tool.privilege)) return mismatch(call, "unbound:", argument.name);
  }
  if (outcome == COMPENSATED || entry.openUndos > 0) return call.refuse("compensation_spent");
  return false;
}

function mismatch(call: Call, which: string, name: Text | null): bool {
  const text = new Buffer(32);
  text.ascii(which);
  if (name != null) text.text(name);
  const detail = new Buffer(64);
  detail.ascii('{"mismatch":');
  writeString(text.start, text.length, detail);
  detail.ascii(',"step":');
  detail.integer(call.undoStep);
  detail.byte(0x7d);
  return call.refuse("compensation_mismatch", detail);
}

function isBound(rule: UndoRule, argument: Argument): bool {
  for (let i = 0; i < rule.arguments.length; i++) {
    const name = rule.arguments[i];
    if (equalBytes(name.start, name.length, argument.name.start, argument.name.length)) return true;
  }
  return false;
}

/** Whether bound argument number `index` comes from the step. */
function comesFrom(call: Call, entry: Entry, rule: UndoRule, index: i32): bool {
  const argument = call.argument(rule.arguments[index]);
  if (argument == null) return false;
  const field = rule.fields[index];
  if (!rule.fromResult[index]) {
    const recorded = call.history.argumentDigest(entry, field);
    const digest = call.digestOf(argument);
    return recorded != null && equalBytes(recorded.start, recorded.length, digest.start, digest.length);
  }
  const given = argument.originField;
  return argument.originKind == RESULT && <i64>argument.originStep == call.undoStep && given != null &&
    equalBytes(given.start, given.length, field.start, field.length) && agrees(call, entry, field, argument);
}
