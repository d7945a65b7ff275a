// Row H2a: `mcp__TOOL__FUNCTION` must name exactly one offered function by the harness's spelling; two that would be spelt alike are both left out.

import { Value, first, get, next, stringLength, stringStart } from "../json/value";
import { Buffer } from "../memory/buffer";
import { equalBytes, startsWithAscii } from "../memory/bytes";
import { RowAnswer } from "./answer";
import { spelled } from "./spelling";

export function theMcpName(name: Value, offered: Value, answer: RowAnswer): void {
  const start = stringStart(name);
  const length = stringLength(name);
  if (!startsWithAscii(start, length, "mcp__")) return;
  let found: Value = 0;
  const end = next(offered);
  const spelling = new Buffer(64);
  for (let item = first(offered); item < end; item = next(item)) {
    const server = get(item, "server");
    if (server == 0) continue;
    const called = get(item, "function");
    spelling.clear();
    spelling.ascii("mcp__");
    spelled(stringStart(server), stringLength(server), spelling);
    spelling.ascii("__");
    spelled(stringStart(called), stringLength(called), spelling);
    if (!equalBytes(spelling.start, spelling.length, start, length)) continue;
    if (found != 0) return answer.refuse("ambiguous_name");
    found = get(item, "tool");
  }
  if (found == 0) answer.refuse("unknown_tool");
  else answer.tool = found;
}
