// Step 5: the tool's order rules over the verified history.

import { writeString } from "../json/string";
import { Buffer, Text } from "../memory/buffer";
import { equalAscii, equalBytes } from "../memory/bytes";
import { RAN } from "../history/outcome";
import { RESULT } from "../evidence/origins";
import { holdsUntrusted } from "../evidence/marks";
import { AfterRule, Tool } from "../policy/policy";
import { Call } from "./call";
import { agrees } from "./trust";

/** Whether the step answered. */
export function orderHolds(call: Call, tool: Tool): bool {
  for (let i = 0; i < tool.after.length; i++) if (afterFails(call, tool.after[i])) return true;
  for (let i = 0; i < tool.notAfter.length; i++) if (notAfterFails(call, tool.notAfter[i])) return true;
  if (tool.atMost != 0) {
    const counts = call.history.countsOf(tool.name);
    const counted = counts == null ? 0 : counts.allowed - counts.failed;
    if (call.history.restarted || <i64>counted >= tool.atMost) {
      const rule = new Buffer(24);
      rule.ascii("at_most ");
      rule.integer(tool.atMost);
      return refuseRule(call, rule.view(), null, call.history.restarted);
    }
  }
  return false;
}

function named(prefix: string, name: Text): Text {
  const rule = new Buffer(prefix.length + name.length);
  rule.ascii(prefix);
  rule.text(name);
  return rule.view();
}

/** `{"bind"?,"restarted"?,"rule"}` */
function refuseRule(call: Call, rule: Text, bind: Text | null, restarted: bool): bool {
  const detail = new Buffer(96);
  detail.byte(0x7b);
  if (bind != null) {
    detail.ascii('"bind":');
    writeString(bind.start, bind.length, detail);
    detail.byte(0x2c);
  }
  if (restarted) detail.ascii('"restarted":true,');
  detail.ascii('"rule":');
  writeString(rule.start, rule.length, detail);
  detail.byte(0x7d);
  return call.refuse("order_rule", detail);
}

function afterFails(call: Call, rule: AfterRule): bool {
  const counts = call.history.countsOf(rule.tool);
  if (counts == null || counts.ran == 0) return refuseRule(call, named("after ", rule.tool), null, false);
  for (let i = 0; i < rule.arguments.length; i++) {
    if (!isBound(call, rule, rule.arguments[i], rule.fields[i])) return refuseRule(call, named("after ", rule.tool), rule.arguments[i], false);
  }
  return false;
}

/** Whether an argument comes from a result field of a call of the rule's tool that ran. */
function isBound(call: Call, rule: AfterRule, name: Text, field: Text): bool {
  const argument = call.argument(name);
  if (argument == null || argument.originKind != RESULT) return false;
  const step = argument.originStep;
  const given = argument.originField;
  if (step < 0 || step >= call.history.length || given == null || !equalBytes(given.start, given.length, field.start, field.length)) return false;
  const entry = call.history.entries[step];
  const tool = call.history.toolName(entry);
  if (!equalBytes(tool.start, tool.length, rule.tool.start, rule.tool.length)) return false;
  return entry.allowed && call.history.outcomeOf(entry) == RAN && agrees(call, entry, field, argument);
}

function notAfterFails(call: Call, name: Text): bool {
  const history = call.history;
  let broken = history.restarted;
  if (!broken) {
    if (equalAscii(name.start, name.length, "untrusted")) {
      broken = history.lastOutside >= 0 || history.carriedUntrusted || holdsUntrusted(call.marks);
    } else {
      const counts = history.countsOf(name);
      broken = counts != null && counts.allowed != 0;
    }
  }
  return broken && refuseRule(call, named("not_after ", name), null, history.restarted);
}
