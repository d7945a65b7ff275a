// Row 41, kill switches again: right before the bytes go out, and from here on a switch reaches the call at the tool.
import type { Answer } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { killSwitches } from "./38-kill-switches.ts";

/** Refuses with `kill_switch`. Nothing is awaited between this row and the sending. */
export function killSwitchesAgain(call: CallRecord, world: World): Answer {
  return killSwitches(call, world);
}
