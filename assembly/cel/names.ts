// The names of the language: its variables, types, macros, keywords and reserved words.

import { equalAscii } from "../memory/bytes";

/** Their instructions (code.ts) follow each other in this order. */
export const VARIABLES: StaticArray<string> = ["tool", "agent", "args", "facts", "principal", "resource", "origins", "labels", "now", "turn"];
export const RESERVED: StaticArray<string> = [
  "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
];
export const KEYWORDS: StaticArray<string> = ["true", "false", "null", "in"];
/** Their tags (slot.ts) follow each other in this order, from NULL on. */
export const TYPES: StaticArray<string> = ["null_type", "bool", "int", "uint", "double", "string", "bytes", "list", "map"];
/** Their kinds (code.ts) follow each other in this order. */
export const MACROS: StaticArray<string> = ["all", "exists", "exists_one", "filter", "map"];

/** Where a name is in a list, or -1. */
export function listed(list: StaticArray<string>, start: usize, length: i32): i32 {
  for (let i = 0; i < list.length; i++) if (equalAscii(start, length, list[i])) return i;
  return -1;
}
