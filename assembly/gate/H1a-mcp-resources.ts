// Row H1a: tools that list or read MCP servers' resources are refused under any of their names, whatever the agent declares.

import { Buffer, Text } from "../memory/buffer";
import { RowAnswer } from "./answer";
import { Cursor, folded } from "./spelling";

export function mcpResources(name: Text, answer: RowAnswer): void {
  const plain = folded(name.start, name.length);
  if (isMethod(plain) || isTool(plain)) answer.refuse("mcp_resources");
}

/** A harness's own tool: `ListMcpResourcesTool`, `read_mcp_resource` and the like; separators and a last `tool` say nothing. */
function isTool(plain: Buffer): bool {
  const letters = new Buffer(plain.length + 8);
  for (let i = 0; i < plain.length; i++) {
    const c: i32 = load<u8>(plain.start + <usize>i);
    if ((c >= 0x61 && c <= 0x7a) || (c >= 0x30 && c <= 0x39)) letters.byte(c);
  }
  const cursor = new Cursor(letters.start, letters.start + <usize>letters.length);
  if (!(cursor.takes("list") || cursor.takes("read") || cursor.takes("get") || cursor.takes("fetch") || cursor.takes("subscribe") || cursor.takes("unsubscribe"))) return false;
  cursor.takes("to");
  if (!cursor.takes("mcp")) return false;
  cursor.takes("server");
  if (!cursor.takes("resource")) return false;
  cursor.takes("s");
  if (cursor.takes("template")) cursor.takes("s");
  cursor.takes("tool");
  return cursor.isAtEnd;
}

/** One of the protocol's own methods, spelt as a function of a server: `mcp__files__resources_read`. */
function isMethod(plain: Buffer): bool {
  const end = plain.start + <usize>plain.length;
  const whole = new Cursor(plain.start, end);
  if (!whole.takes("mcp__")) return false;
  for (let at = whole.at + 1; at < end; at++) {
    const cursor = new Cursor(at, end);
    if (!cursor.takes("__resources_")) continue;
    const method = cursor.takes("list") || cursor.takes("read") || cursor.takes("templates_list") || cursor.takes("subscribe") || cursor.takes("unsubscribe");
    if (method && cursor.isAtEnd) return true;
  }
  return false;
}
