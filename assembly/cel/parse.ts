// Reads a condition's text and compiles it to flat code: one pass, recursion only where expressions lie in each other.

import { ARRAY, Value, count, first, isKind, next, stringLength, stringStart } from "../json/value";
import { Buffer, Text } from "../memory/buffer";
import { equalAscii, equalBytes } from "../memory/bytes";
import { allocate } from "../memory/region";
import { PATTERN_OK, compilePattern } from "../regex/compile";
import {
  Code, FRAME_SLOTS, INSTRUCTION_SIZE, OP_ADD, OP_AGENT, OP_AND, OP_ARGS, OP_BRANCH, OP_CALL, OP_CONSTANT, OP_DIVIDE,
  OP_END, OP_EQUAL, OP_FACTS, OP_GREATER, OP_GREATER_EQUAL, OP_HAS, OP_IN, OP_INDEX, OP_ITERATE, OP_JUMP, OP_JUMP_FALSE, OP_JUMP_TRUE, OP_KEEP,
  OP_LABELS, OP_LESS, OP_LESS_EQUAL, OP_LIST, OP_LOCAL, OP_MAP, OP_MATCHES, OP_MULTIPLY, OP_NEGATE, OP_NEXT, OP_NOT, OP_NOW, OP_OR, OP_ORIGINS,
  OP_PRINCIPAL, OP_REMAINDER, OP_RESOURCE, OP_RETURN, OP_SELECT, OP_STEP_ALL, OP_SUBTRACT, OP_TOOL, OP_TURN, OP_UNEQUAL, TRANSFORM,
} from "./code";
import { Condition } from "./condition";
import {
  FUNCTION_DURATION, FUNCTION_GETTER, FUNCTION_MATCHES, FUNCTION_NONE, FUNCTION_TIMESTAMP, convert, globalFunction, leastOperands, memberFunction,
  mostOperands,
} from "./functions";
import {
  Lexer, TOKEN_AND, TOKEN_BYTES, TOKEN_DOUBLE, TOKEN_END, TOKEN_EQUAL, TOKEN_FACT, TOKEN_GREATER_EQUAL, TOKEN_INT, TOKEN_LESS_EQUAL, TOKEN_NAME,
  TOKEN_OR, TOKEN_PROBLEM, TOKEN_QUOTED, TOKEN_STRING, TOKEN_UINT, TOKEN_UNEQUAL,
} from "./lex";
import {
  BOOL, BYTES, DOUBLE, DURATION, ERROR, INT, LIST, MAP, NULL, SLOT_SIZE, STRING, Slot, TIMESTAMP, TYPE, UINT, addressOf, asideOf, copySlot, setAddress,
  setBool, setDouble, setInt, setUint, tagOf,
} from "./slot";
import { NO_ZONE, zoneOffset } from "./time";

/** The longest condition, in bytes. */
export const CONDITION_LIMIT: i32 = 65536;
/** How deep expressions may lie in each other: parentheses, operands of calls, elements, indices. cel-spec asks for 12 and more. */
export const DEPTH_LIMIT: i32 = 64;

const VARIABLES: StaticArray<string> = ["tool", "agent", "args", "facts", "principal", "resource", "origins", "labels", "now", "turn"];
/** Their instructions follow each other in this order. */
const FIRST_VARIABLE: i32 = OP_TOOL;
const RESERVED: StaticArray<string> = [
  "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
];
const KEYWORDS: StaticArray<string> = ["true", "false", "null", "in"];
const TYPES: StaticArray<string> = ["null_type", "bool", "int", "uint", "double", "string", "bytes", "list", "map"];
const MACROS: StaticArray<string> = ["all", "exists", "exists_one", "filter", "map"];

/** The longest piece of the text that a message repeats, in bytes. */
const QUOTED_MOST: i32 = 64;

function listed(list: StaticArray<string>, start: usize, length: i32): i32 {
  for (let i = 0; i < list.length; i++) if (equalAscii(start, length, list[i])) return i;
  return -1;
}

/** A variable of a comprehension. */
@final
class Local {
  constructor(
    public name: Text,
    public height: i32,
  ) {}
}

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

@final
class Parser {
  condition: Condition = new Condition();
  private lexer: Lexer;
  private code: Code = new Code();
  private depth: i32 = 0;
  private locals: Array<Local> = [];
  /** The label after the select that ended the last expression: what `has` may take. */
  private selected: i32 = -1;

  constructor(
    private start: usize,
    length: i32,
    private facts: Value,
  ) {
    this.lexer = new Lexer(start, length);
  }

  whole(): void {
    this.lexer.next();
    this.expression();
    if (!this.failed && this.lexer.token != TOKEN_END) this.unexpected("an operator or the end");
    this.code.emit(OP_RETURN, 0, 0, 0);
    if (this.failed) return;
    this.condition.code = this.code.start;
    this.condition.slots = this.code.most;
  }

  private get failed(): bool {
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
  private unexpected(wanted: string): void {
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
  private append(more: string): void {
    const out = new Buffer(128);
    out.text(this.condition.message);
    out.ascii(more);
    this.condition.message = out.view();
  }

  private is(token: i32): bool {
    return !this.failed && this.lexer.token == token;
  }

  /** Takes a token if it is next. */
  private accept(token: i32): bool {
    if (!this.is(token)) return false;
    this.lexer.next();
    return true;
  }

  private expect(token: i32, wanted: string): void {
    if (this.failed || this.accept(token)) return;
    this.unexpected(wanted);
  }

  // Expressions

  private expression(): void {
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

  /** Checks `facts['name']` against the list. */
  private factNamedBy(label: i32, at: usize): void {
    const code = this.code;
    if (code.length != label + <i32>INSTRUCTION_SIZE || code.op(label) != OP_CONSTANT) return;
    const slot = <Slot>code.a(label);
    if (tagOf(slot) == STRING) this.checkFact(new Text(addressOf(slot), asideOf(slot)), at);
  }

  private checkFact(name: Text, at: usize): void {
    if (!isKind(this.facts, ARRAY) || this.failed) return;
    const end = next(this.facts);
    if (count(this.facts) > 0) {
      for (let fact = first(this.facts); fact < end; fact = next(fact)) {
        if (equalBytes(stringStart(fact), stringLength(fact), name.start, name.length)) return;
      }
    }
    this.fail(at, "the fact `", name, "` is not in the rulebook's `facts`; add it there, or write one that is");
    this.condition.unknownFact = this.keep(name);
  }

  /** A copy of a text in the current region. */
  private keep(text: Text): Text {
    const at = allocate(<usize>text.length);
    memory.copy(at, text.start, <usize>text.length);
    return new Text(at, text.length);
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

  private select(name: Text): void {
    const kept = this.keep(name);
    this.code.emit(OP_SELECT, <i32>kept.start, kept.length, 0);
    this.selected = this.code.length;
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
      this.fail(at, "`", name, asGlobal ? "` is not called on a value; write it in front, as in `int(x)`" : "` is no method here; there are startsWith, endsWith, contains, matches, size, all, exists, exists_one, filter, map and the getters of times");
      return;
    }
    this.lexer.next();
    this.callWith(id, 1, name, at);
  }

  /** The operands of a call, its parenthesis taken, and the call. `had` operands are on the stack. */
  private callWith(id: i32, had: i32, name: Text, at: usize): void {
    const code = this.code;
    let operands = had;
    let last = code.length;
    if (!this.is(0x29)) {
      do {
        last = code.length;
        this.expression();
        operands++;
      } while (this.accept(0x2c));
    }
    this.expect(0x29, "`)` or `,`");
    if (this.failed) return;
    if (operands < leastOperands(id) || operands > mostOperands(id)) {
      this.fail(at, "`", name, "` is called with the wrong number of operands");
      return;
    }
    // A single constant as the last operand is known now.
    const constant = operands > 0 && code.length == last + <i32>INSTRUCTION_SIZE && code.op(last) == OP_CONSTANT ? <Slot>code.a(last) : 0;
    if (constant != 0 && id == FUNCTION_MATCHES && tagOf(constant) == STRING) {
      this.literalPattern(last, constant, at);
      return;
    }
    if (constant != 0 && id >= FUNCTION_GETTER && operands == 2 && tagOf(constant) == STRING && zoneOffset(addressOf(constant), asideOf(constant)) == NO_ZONE) {
      this.fail(at, "the time zone `", new Text(addressOf(constant), asideOf(constant)), "` is not supported; write `UTC` or an offset such as `+02:00`");
      return;
    }
    if (constant != 0 && (id == FUNCTION_TIMESTAMP || id == FUNCTION_DURATION)) {
      const made = allocate(SLOT_SIZE);
      copySlot(made, constant);
      convert(id, made);
      if (tagOf(made) != ERROR) {
        code.setA(last, <i32>made);
        return;
      }
    }
    code.emit(OP_CALL, id, operands, 1 - operands);
  }

  private literalPattern(label: i32, constant: Slot, at: usize): void {
    const pattern = compilePattern(addressOf(constant), asideOf(constant));
    if (pattern.problem != PATTERN_OK) {
      this.fail(at, "the pattern `", new Text(addressOf(constant), asideOf(constant)), "` can't be used: ");
      this.append(pattern.message);
      return;
    }
    this.code.truncate(label, 1);
    this.code.emit(OP_MATCHES, <i32>changetype<usize>(pattern), 0, 0);
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

  // Primaries

  private constant(tag: u32): Slot {
    const slot = allocate(SLOT_SIZE);
    store<u64>(slot, <u64>tag);
    store<u64>(slot, 0, 8);
    this.code.emit(OP_CONSTANT, <i32>slot, 0, 1);
    return slot;
  }

  private number(negative: bool): void {
    const lexer = this.lexer;
    if (lexer.token == TOKEN_DOUBLE) {
      setDouble(this.constant(DOUBLE), negative ? -lexer.double : lexer.double);
    } else {
      const most: u64 = negative ? <u64>1 << 63 : <u64>i64.MAX_VALUE;
      if (lexer.magnitude > most) {
        this.fail(lexer.start, "an integer too large; write it as a double, with `.0` behind it");
        return;
      }
      setInt(this.constant(INT), negative ? <i64>(~lexer.magnitude + 1) : <i64>lexer.magnitude);
    }
    lexer.next();
  }

  private primary(): void {
    const lexer = this.lexer;
    switch (lexer.token) {
      case TOKEN_INT:
      case TOKEN_DOUBLE:
        this.number(false);
        return;
      case TOKEN_UINT:
        setUint(this.constant(UINT), lexer.magnitude);
        lexer.next();
        return;
      case TOKEN_STRING:
      case TOKEN_BYTES: {
        const text = lexer.text;
        setAddress(this.constant(STRING), lexer.token == TOKEN_STRING ? STRING : BYTES, text.start, text.length);
        lexer.next();
        return;
      }
      case TOKEN_FACT: {
        const name = lexer.text;
        this.checkFact(name, lexer.start);
        lexer.next();
        this.code.emit(OP_FACTS, 0, 0, 1);
        this.select(name);
        return;
      }
      case TOKEN_NAME:
        this.name(false);
        return;
      case 0x2e:
        lexer.next();
        if (this.is(TOKEN_NAME)) this.name(true);
        else this.unexpected("a name");
        return;
      case 0x28:
        lexer.next();
        this.expression();
        this.expect(0x29, "`)` or an operator");
        return;
      case 0x5b:
        this.list();
        return;
      case 0x7b:
        this.map();
        return;
      default:
        this.unexpected("a value");
    }
  }

  /** A name: a literal, a variable, a type, or a function's. `rooted`: a dot stood before it, and no comprehension's variable is meant. */
  private name(rooted: bool): void {
    const lexer = this.lexer;
    const code = this.code;
    const name = lexer.text;
    const at = lexer.start;
    const keyword = listed(KEYWORDS, name.start, name.length);
    if (keyword >= 0) {
      if (rooted || keyword == 3) {
        this.fail(at, "`", name, "` is a keyword and no name");
        return;
      }
      if (keyword == 2) this.constant(NULL);
      else setBool(this.constant(BOOL), keyword == 0);
      lexer.next();
      return;
    }
    if (listed(RESERVED, name.start, name.length) >= 0) {
      this.fail(at, "`", name, "` is a reserved word of CEL and no name");
      return;
    }
    lexer.next();
    if (this.is(0x28)) {
      lexer.next();
      this.globalCall(name, at);
      return;
    }
    if (!rooted) {
      const height = this.localHeight(name);
      if (height >= 0) {
        code.emit(OP_LOCAL, height, 0, 1);
        return;
      }
    }
    const variable = listed(VARIABLES, name.start, name.length);
    if (variable >= 0) {
      code.emit(FIRST_VARIABLE + variable, 0, 0, 1);
      return;
    }
    this.typeName(name, at);
  }

  /** Where the comprehension's variable of that name is on the stack, or -1. */
  private localHeight(name: Text): i32 {
    const locals = this.locals;
    for (let i = locals.length - 1; i >= 0; i--) {
      const local = locals[i];
      if (equalBytes(local.name.start, local.name.length, name.start, name.length)) return local.height;
    }
    return -1;
  }

  private typeName(name: Text, at: usize): void {
    let type = 0;
    const plain = listed(TYPES, name.start, name.length);
    if (plain >= 0) type = <i32>NULL + plain;
    else if (equalAscii(name.start, name.length, "type")) type = TYPE;
    else if (equalAscii(name.start, name.length, "google")) type = this.messageType();
    if (this.failed) return;
    if (type == 0) {
      if (this.is(0x7b)) {
        this.fail(at, "messages are not supported: `", name, "{...}`; write a map, `{'field': value}`");
        return;
      }
      this.fail(at, "`", name, "` is no variable; there are tool, agent, args, facts, principal, resource, origins, labels, now and turn, and a fact is written `$name`");
      return;
    }
    const slot = this.constant(TYPE);
    store<i64>(slot, <i64>type, 8);
  }

  /** `.protobuf.Timestamp` or `.protobuf.Duration` after `google`; 0 for anything else. */
  private messageType(): i32 {
    const lexer = this.lexer;
    if (!this.accept(0x2e) || !this.is(TOKEN_NAME) || !equalAscii(lexer.text.start, lexer.text.length, "protobuf")) return 0;
    lexer.next();
    if (!this.accept(0x2e) || !this.is(TOKEN_NAME)) return 0;
    const name = lexer.text;
    const at = lexer.start;
    lexer.next();
    if (equalAscii(name.start, name.length, "Timestamp")) return TIMESTAMP;
    if (equalAscii(name.start, name.length, "Duration")) return DURATION;
    this.fail(at, "the message `google.protobuf.", name, "` is not supported");
    return 0;
  }

  private globalCall(name: Text, at: usize): void {
    if (equalAscii(name.start, name.length, "has")) {
      this.has(at);
      return;
    }
    const id = globalFunction(name.start, name.length);
    if (id == FUNCTION_NONE) {
      const asMember = memberFunction(name.start, name.length) != FUNCTION_NONE || listed(MACROS, name.start, name.length) >= 0;
      this.fail(at, "`", name, asMember ? "` is called on a value; write it behind one, as in `x.startsWith('a')`" : "` is no function here; there are has, size, matches, type, dyn, the conversions, ran, allowed and allowed_within");
      return;
    }
    this.callWith(id, 0, name, at);
  }

  private has(at: usize): void {
    const code = this.code;
    this.selected = -1;
    this.expression();
    this.expect(0x29, "`)`");
    if (this.failed) return;
    const last = code.length - <i32>INSTRUCTION_SIZE;
    if (this.selected != code.length || code.op(last) != OP_SELECT) {
      this.fail(at, "`has` takes a field, as in `has(args.amount)`");
      return;
    }
    const start = code.a(last);
    const length = code.b(last);
    code.truncate(last, 0);
    code.emit(OP_HAS, start, length, 0);
  }

  private list(): void {
    const lexer = this.lexer;
    const code = this.code;
    const begins = code.length;
    lexer.next();
    let size = 0;
    while (!this.failed && !this.is(0x5d)) {
      if (this.is(0x3f)) this.fail(lexer.start, "optional elements (`?`) are not supported");
      this.expression();
      size++;
      if (!this.accept(0x2c)) break;
    }
    this.expect(0x5d, "`]` or `,`");
    if (this.failed) return;
    if (this.allConstant(begins, size)) {
      const elements = allocate(<usize>size * SLOT_SIZE);
      for (let i = 0; i < size; i++) copySlot(elements + <usize>i * SLOT_SIZE, <Slot>code.a(begins + i * <i32>INSTRUCTION_SIZE));
      code.truncate(begins, size);
      setAddress(this.constant(LIST), LIST, elements, size);
    } else {
      code.emit(OP_LIST, size, 0, 1 - size);
    }
  }

  /** Whether the code from `label` on is `size` constants and nothing else. */
  private allConstant(label: i32, size: i32): bool {
    const code = this.code;
    if (code.length != label + size * <i32>INSTRUCTION_SIZE) return false;
    for (let i = label; i < code.length; i += <i32>INSTRUCTION_SIZE) if (code.op(i) != OP_CONSTANT) return false;
    return true;
  }

  private map(): void {
    const lexer = this.lexer;
    lexer.next();
    let size = 0;
    while (!this.failed && !this.is(0x7d)) {
      if (this.is(0x3f)) this.fail(lexer.start, "optional entries (`?`) are not supported");
      this.expression();
      this.expect(0x3a, "`:` and the entry's value");
      this.expression();
      size++;
      if (!this.accept(0x2c)) break;
    }
    this.expect(0x7d, "`}` or `,`");
    if (!this.failed) this.code.emit(OP_MAP, size, 0, 1 - 2 * size);
  }
}
