// The parser's cursor: the token it is at, the code it lays down, and the first problem it meets.

import { Buffer, Text } from "../memory/buffer";
import { allocate } from "../memory/region";
import { Code } from "./code";
import { Condition } from "./condition";
import { Lexer, TOKEN_END, TOKEN_PROBLEM } from "./lex";

/** The longest piece of the text that a message repeats, in bytes. */
const QUOTED_MOST: i32 = 64;

/** What all parts of the parser share. */
export abstract class Cursor {
  condition: Condition = new Condition();
  protected lexer: Lexer;
  protected code: Code = new Code();

  constructor(
    protected start: usize,
    length: i32,
  ) {
    this.lexer = new Lexer(start, length);
  }

  protected get failed(): bool {
    return this.condition.problem;
  }

  /** Notes a problem, unless there is one: `before`, a piece of the text, `after`. */
  fail(at: usize, before: string, piece: Text | null = null, after: string = ""): void {
    const condition = this.condition;
    if (condition.problem) return;
    const out = new Buffer(128);
    out.ascii(before);
    if (piece !== null) {
      let length = min(piece.length, QUOTED_MOST);
      if (length < piece.length) while (length > 0 && (load<u8>(piece.start + <usize>length) & 0xc0) == 0x80) length--;
      out.bytes(piece.start, length);
      if (length < piece.length) out.ascii("...");
    }
    out.ascii(after);
    condition.problem = true;
    condition.offset = <i32>(at - this.start);
    condition.message = out.view();
  }

  /** Notes that the current token is not what was wanted. */
  protected unexpected(wanted: string): void {
    const lexer = this.lexer;
    if (lexer.token == TOKEN_PROBLEM) {
      this.fail(lexer.problemAt, lexer.problem);
      return;
    }
    if (lexer.token == TOKEN_END) {
      this.fail(lexer.start, "the condition ends where it needs ", null, wanted);
      return;
    }
    const end = max(lexer.at, lexer.afterFirst());
    this.fail(lexer.start, "`", new Text(lexer.start, <i32>(end - lexer.start)), "` stands where the condition needs ");
    this.append(wanted);
  }

  /** Lengthens the message of the problem just noted. */
  protected append(more: string): void {
    const out = new Buffer(128);
    out.text(this.condition.message);
    out.ascii(more);
    this.condition.message = out.view();
  }

  /** Says where in the literal just named. */
  protected appendPlace(offset: i32): void {
    const out = new Buffer(128);
    out.text(this.condition.message);
    out.ascii(", at byte ");
    out.integer(offset);
    out.ascii(" of it");
    this.condition.message = out.view();
  }

  protected is(token: i32): bool {
    return !this.failed && this.lexer.token == token;
  }

  /** Takes a token if it is next. */
  protected accept(token: i32): bool {
    if (!this.is(token)) return false;
    this.lexer.next();
    return true;
  }

  protected expect(token: i32, wanted: string): void {
    if (this.failed || this.accept(token)) return;
    this.unexpected(wanted);
  }

  /** A copy of a text in the current region. */
  protected keep(text: Text): Text {
    const at = allocate(<usize>text.length);
    memory.copy(at, text.start, <usize>text.length);
    return new Text(at, text.length);
  }
}
