// Row H2, default-deny: a tool that the agent does not declare is refused. Names of MCP functions are the next row's.

import { Value, first, get, next, sameString, stringLength, stringStart } from "../json/value";
import { startsWithAscii } from "../memory/bytes";
import { RowAnswer } from "./answer";

/** `offered`: the agent's functions, `{"tool","server"?,"function"?}` each; one without a server is the harness's own. */
export function defaultDeny(name: Value, offered: Value, answer: RowAnswer): void {
  if (startsWithAscii(stringStart(name), stringLength(name), "mcp__")) return;
  const end = next(offered);
  for (let item = first(offered); item < end; item = next(item)) {
    if (get(item, "server") != 0 || !sameString(get(item, "tool"), name)) continue;
    answer.tool = get(item, "tool");
    return;
  }
  answer.refuse("unknown_tool");
}
