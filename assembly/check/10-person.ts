// Step 10: every reason why a person must see the call, in the spec's order.

import { Buffer, Text } from "../memory/buffer";
import { Tool } from "../policy/policy";
import { Call } from "./call";
import { isTrusted } from "./trust";

/** The reasons, before anything is answered. */
export function personReasons(call: Call, tool: Tool): Array<Text> {
  const reasons: Array<Text> = [];
  if (call.asked.length != 0) reasons.push(reason("gate_clarify"));
  if (!tool.write || call.undoing) return reasons;
  for (let i = 0; i < call.list.length; i++) {
    if (isTrusted(call, call.list[i])) continue;
    const text = new Buffer(32);
    text.ascii("argument_origin: ");
    text.text(call.list[i].name);
    reasons.push(text.view());
  }
  if (call.holding.length != 0) reasons.push(reason("tainted_call"));
  if (tool.irreversible && call.history.undoable > 0) reasons.push(reason("irreversible_pivot"));
  if (tool.parameters.partial) reasons.push(reason("schema_partial"));
  if (reasons.length == 0) reasons.push(reason("write"));
  return reasons;
}

function reason(name: string): Text {
  const text = new Buffer(name.length);
  text.ascii(name);
  return text.view();
}
