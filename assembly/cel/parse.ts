// Reads a condition's text and compiles it to flat code: one pass, recursion only where expressions lie in each other.

import { Value } from "../json/value";
import { Text } from "../memory/buffer";
import { equalAscii } from "../memory/bytes";
import {
  FRAME_SLOTS, INSTRUCTION_SIZE, OP_ADD, OP_AND, OP_BRANCH, OP_DIVIDE, OP_END, OP_EQUAL, OP_FACTS, OP_GREATER, OP_GREATER_EQUAL, OP_IN, OP_INDEX,
  OP_ITERATE, OP_JUMP, OP_JUMP_FALSE, OP_JUMP_TRUE, OP_KEEP, OP_LESS, OP_LESS_EQUAL, OP_MULTIPLY, OP_NEGATE, OP_NEXT, OP_NOT, OP_OR, OP_REMAINDER,
  OP_RETURN, OP_STEP_ALL, OP_SUBTRACT, OP_UNEQUAL, TRANSFORM,
} from "./code";
import { Condition } from "./condition";
import { FUNCTION_NONE, globalFunction, memberFunction } from "./functions";
import {
  TOKEN_AND, TOKEN_DOUBLE, TOKEN_END, TOKEN_EQUAL, TOKEN_GREATER_EQUAL, TOKEN_INT, TOKEN_LESS_EQUAL, TOKEN_NAME, TOKEN_OR, TOKEN_PROBLEM,
  TOKEN_QUOTED, TOKEN_UNEQUAL,
} from "./lex";
import { KEYWORDS, MACROS, RESERVED, listed } from "./names";
import { Local, Primaries } from "./primary";

/** The longest condition, in bytes. */
export const CONDITION_LIMIT: i32 = 65536;
/** How deep expressions may lie in each other: parentheses, operands of calls, elements, indices. cel-spec asks for 12 and more. */
export const DEPTH_LIMIT: i32 = 64;

const NO_METHOD: string =
  "` is no method here; there are startsWith, endsWith, contains, matches, size, all, exists, exists_one, filter, map and the getters of times";

/**
 * Parses a condition (chapter 2, Rulebook). `start` and `length` are valid UTF-8; `facts` is the rulebook's list of facts, an array
 * of strings, or 0 where every fact may be used. Everything it makes belongs to the current region and does not point into the text.
 * What can't be used has `problem`, with the message and the offset of what is wrong: a construct or function that there is not, a
 * name that is no variable, an invalid literal pattern, text that is no CEL, a fact that is not listed.
 */
export function parseCondition(start: usize, length: i32, facts: Value): Condition {
  const parser = new Parser(start, length, facts);
  if (length > CONDITION_LIMIT) parser.fail(start, "a condition has at most 65536 bytes; split the rule");
  else parser.whole();
  return parser.condition;
}

/** The parser's part for operators, fields, methods and macros. */
@final
class Parser extends Primaries {
  private depth: i32 = 0;

  whole(): void {
    this.lexer.next();
    this.expression();
    if (!this.failed && this.lexer.token != TOKEN_END) this.unexpected("an operator or the end");
    this.code.emit(OP_RETURN, 0, 0, 0);
    if (this.failed) return;
    this.condition.code = this.code.start;
    this.condition.slots = this.code.most;
  }

  protected expression(): void {
    if (this.failed) return;
    if (this.depth == DEPTH_LIMIT) {
      this.fail(this.lexer.start, "expressions lie more than 64 deep in each other; split the rule");
      return;
    }
    this.depth++;
    const code = this.code;
    const height = code.height;
    // Jumps to the end wait in a chain, each holding the one before.
    let waiting = -1;
    this.binary(1);
    while (this.accept(0x3f)) {
      const branch = code.emit(OP_BRANCH, 0, waiting, -1);
      this.binary(1);
      this.expect(0x3a, "`:` and what is taken otherwise");
      waiting = code.emit(OP_JUMP, branch, 0, -1);
      code.setA(branch, code.length);
      this.binary(1);
    }
    if (waiting >= 0) {
      // Two chains in one: a jump names its branch, and a branch the jump of the ternary before it.
      while (waiting >= 0) {
        const branch = code.a(waiting);
        code.setA(waiting, code.length);
        waiting = code.b(branch);
        code.setB(branch, code.length);
      }
      this.selected = -1;
    }
    if (!this.failed && code.height != height + 1) unreachable();
    this.depth--;
  }

  private precedence(token: i32): i32 {
    switch (token) {
      case TOKEN_OR: return 1;
      case TOKEN_AND: return 2;
      case TOKEN_EQUAL: case TOKEN_UNEQUAL: case TOKEN_LESS_EQUAL: case TOKEN_GREATER_EQUAL: case 0x3c: case 0x3e: return 3;
      case TOKEN_NAME: return equalAscii(this.lexer.text.start, this.lexer.text.length, "in") ? 3 : 0;
      case 0x2b: case 0x2d: return 4;
      case 0x2a: case 0x2f: case 0x25: return 5;
      default: return 0;
    }
  }

  private operation(token: i32): i32 {
    switch (token) {
      case TOKEN_EQUAL: return OP_EQUAL;
      case TOKEN_UNEQUAL: return OP_UNEQUAL;
      case TOKEN_LESS_EQUAL: return OP_LESS_EQUAL;
      case TOKEN_GREATER_EQUAL: return OP_GREATER_EQUAL;
      case 0x3c: return OP_LESS;
      case 0x3e: return OP_GREATER;
      case 0x2b: return OP_ADD;
      case 0x2d: return OP_SUBTRACT;
      case 0x2a: return OP_MULTIPLY;
      case 0x2f: return OP_DIVIDE;
      case 0x25: return OP_REMAINDER;
      default: return OP_IN;
    }
  }

  /** Operators that bind at least as tightly as `least`; all of them group to the left. */
  private binary(least: i32): void {
    const code = this.code;
    this.unary();
    while (!this.failed) {
      const token = this.lexer.token;
      const precedence = this.precedence(token);
      if (precedence < least) return;
      this.lexer.next();
      if (precedence <= 2) {
        const jump = code.emit(token == TOKEN_AND ? OP_JUMP_FALSE : OP_JUMP_TRUE, 0, 0, 0);
        this.binary(precedence + 1);
        code.emit(token == TOKEN_AND ? OP_AND : OP_OR, 0, 0, -1);
        code.setA(jump, code.length);
      } else {
        this.binary(precedence + 1);
        code.emit(this.operation(token), 0, 0, -1);
      }
    }
  }

  private unary(): void {
    const code = this.code;
    const token = this.lexer.token;
    if (token == 0x21) {
      let many = 0;
      while (this.accept(0x21)) many++;
      this.member();
      for (; many > 0; many--) code.emit(OP_NOT, 0, 0, 0);
    } else if (token == 0x2d) {
      let many = 0;
      while (this.accept(0x2d)) many++;
      // The minus right before a number is its sign: so the least int can be written.
      const signed = this.lexer.token == TOKEN_INT || this.lexer.token == TOKEN_DOUBLE;
      if (signed) {
        many--;
        this.number(true);
        this.postfix();
      } else {
        this.member();
      }
      for (; many > 0; many--) code.emit(OP_NEGATE, 0, 0, 0);
    } else {
      this.member();
    }
  }

  private member(): void {
    if (this.failed) return;
    this.primary();
    this.postfix();
  }

  /** Fields, calls and indices behind a value. */
  private postfix(): void {
    const code = this.code;
    while (!this.failed) {
      const at = this.lexer.start;
      if (this.accept(0x2e)) {
        this.dotted();
      } else if (this.accept(0x5b)) {
        if (this.is(0x3f)) this.fail(this.lexer.start, "optional indices (`[?`) are not supported; write `x in m && m[x]`");
        const begins = code.length;
        const onFacts = begins > 0 && code.op(begins - <i32>INSTRUCTION_SIZE) == OP_FACTS;
        this.expression();
        this.expect(0x5d, "`]`");
        if (onFacts && !this.failed) this.factNamedBy(begins, at);
        code.emit(OP_INDEX, 0, 0, -1);
      } else {
        if (this.is(0x7b)) this.fail(at, "messages (`Name{...}`) are not supported; write a map, `{'field': value}`");
        return;
      }
    }
  }

  /** What follows a dot: a field, a method or a macro. */
  private dotted(): void {
    const lexer = this.lexer;
    const code = this.code;
    const at = lexer.start;
    const name = lexer.text;
    if (this.is(0x3f)) {
      this.fail(at, "optional fields (`.?`) are not supported; write `has(e.f) && e.f`");
      return;
    }
    const quoted = this.is(TOKEN_QUOTED);
    if (!quoted && !this.is(TOKEN_NAME)) {
      this.unexpected("the name of a field");
      return;
    }
    if (!quoted && listed(KEYWORDS, name.start, name.length) >= 0) {
      this.fail(at, "`", name, "` is a keyword and no field's name; write `['...']`");
      return;
    }
    lexer.next();
    if (!quoted && this.is(0x28)) {
      this.method(name, at);
      return;
    }
    if (code.length > 0 && code.op(code.length - <i32>INSTRUCTION_SIZE) == OP_FACTS) this.checkFact(name, at);
    this.select(name);
  }

  private method(name: Text, at: usize): void {
    const macro = listed(MACROS, name.start, name.length);
    if (macro >= 0) {
      this.comprehension(macro, name, at);
      return;
    }
    const id = memberFunction(name.start, name.length);
    if (id == FUNCTION_NONE) {
      const asGlobal = globalFunction(name.start, name.length) != FUNCTION_NONE;
      this.fail(at, "`", name, asGlobal ? "` is not called on a value; write it in front, as in `int(x)`" : NO_METHOD);
      return;
    }
    this.lexer.next();
    this.callWith(id, 1, name, at);
  }

  /** `e.all(x, p)` and the like: the range is on the stack, the parenthesis is next. */
  private comprehension(kind: i32, name: Text, at: usize): void {
    const lexer = this.lexer;
    const code = this.code;
    lexer.next();
    const variable = lexer.text;
    const variableAt = lexer.start;
    if (!this.is(TOKEN_NAME) || listed(KEYWORDS, variable.start, variable.length) >= 0 || listed(RESERVED, variable.start, variable.length) >= 0) {
      if (lexer.token == TOKEN_PROBLEM) this.unexpected("");
      else this.fail(variableAt, "`", name, "` needs a variable's name first, as in `list.all(x, x > 0)`");
      return;
    }
    lexer.next();
    if (!this.is(0x2c)) {
      this.fail(lexer.start, "`", name, "` needs a plain name, a comma and a body, as in `list.all(x, x > 0)`");
      return;
    }
    lexer.next();
    if (kind != TRANSFORM && this.is(TOKEN_NAME) && lexer.isFollowedBy(0x2c)) {
      this.fail(at, "`", name, "` with two variables is not supported; write it with one");
      return;
    }
    const iterate = code.emit(OP_ITERATE, kind, 0, FRAME_SLOTS - 1);
    this.locals.push(new Local(variable, code.height - 1));
    const turn = code.emit(OP_NEXT, 0, 0, 0);
    this.expression();
    let keep = -1;
    if (this.is(0x2c)) {
      if (kind != TRANSFORM) {
        this.fail(at, "`", name, "` with two variables is not supported; write it with one");
        return;
      }
      lexer.next();
      keep = code.emit(OP_KEEP, turn, 0, -1);
      this.expression();
      if (this.is(0x2c)) {
        this.fail(at, "`map` has at most a variable, a filter and a body");
        return;
      }
    }
    this.expect(0x29, "`)`");
    if (this.failed) return;
    const step = code.emit(OP_STEP_ALL + kind, turn, 0, -1);
    code.setB(step, code.length);
    if (keep >= 0) code.setB(keep, code.length);
    // A turn pays for its body by length, so that a long body can't be walked for the price of a short one.
    code.setA(turn, code.length);
    code.setB(turn, 1 + (code.length - turn) / (16 * <i32>INSTRUCTION_SIZE));
    code.emit(OP_END, kind, 0, 1 - FRAME_SLOTS);
    code.setB(iterate, code.length);
    this.locals.pop();
  }
}
