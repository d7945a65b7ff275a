// Step 2: the history verifies (chapter 3), and ends where the host's head says.

import { writeWhy } from "../history/verify";
import { Buffer } from "../memory/buffer";
import { Call } from "./call";

/** Whether the step answered. */
export function historyVerifies(call: Call): bool {
  if (call.verified) return false;
  const detail = new Buffer(32);
  return call.refuse("history_invalid", writeWhy(call.policy, detail) ? detail : null);
}
