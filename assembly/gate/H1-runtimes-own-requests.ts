// Row H1: a session may not call the runtime's own tools this way, under whatever spelling a harness gives: `interlock`, `interlock_approve`, `mcp__interlock__…`.

import { Text } from "../memory/buffer";
import { RowAnswer } from "./answer";
import { Cursor, folded } from "./spelling";

export function runtimesOwnRequests(name: Text, answer: RowAnswer): void {
  const plain = folded(name.start, name.length);
  const cursor = new Cursor(plain.start, plain.start + <usize>plain.length);
  if (cursor.takes("mcp__")) while (cursor.takes("_")) continue;
  if (!cursor.takes("interlock")) return;
  const after: i32 = cursor.isAtEnd ? 0 : load<u8>(cursor.at);
  if (after < 0x61 || after > 0x7a) answer.refuse("runtime_tool");
}
