// Step 8: marks less trusted than the tool requires hold a write.

import { trustOf } from "../evidence/marks";
import { writeString } from "../json/string";
import { Buffer } from "../memory/buffer";
import { Tool } from "../policy/policy";
import { Call } from "./call";

/** Whether the step answered. Marks that hold the call are left in `call.holding`. */
export function marksRefuse(call: Call, tool: Tool): bool {
  if (!tool.write || call.undoing) return false;
  for (let i = 0; i < call.marks.length; i++) if (trustOf(call.policy, call.marks[i]) < tool.privilege) call.holding.push(call.marks[i]);
  if (call.holding.length == 0 || !call.policy.settings.taintRefuse) return false;
  const detail = new Buffer(64);
  detail.ascii('{"labels":[');
  for (let i = 0; i < call.holding.length; i++) {
    if (i != 0) detail.byte(0x2c);
    writeString(call.holding[i].start, call.holding[i].length, detail);
  }
  detail.ascii("]}");
  return call.refuse("tainted_call", detail);
}
