// The licence: whether it has lapsed for a tool (chapter 4 step 1).

import { Settings, Tool } from "../policy/policy";
import { KeySet } from "./keys";

/** Whether a call of the tool at a time is refused: a write once the licence has ended, or every call where `on_lapse` says so. */
export function isLapsed(keys: KeySet, settings: Settings, tool: Tool, at: i64): bool {
  return keys.licensed && keys.expires <= at && (settings.lapseRefuses || tool.write);
}
