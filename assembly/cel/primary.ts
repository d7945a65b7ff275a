// Parses what an expression is made of: literals, names, calls, lists, maps, `has`.

import { ARRAY, Value, count, first, isKind, next, stringLength, stringStart } from "../json/value";
import { Text } from "../memory/buffer";
import { equalAscii, equalBytes } from "../memory/bytes";
import { allocate } from "../memory/region";
import { PATTERN_LARGE, PATTERN_OK, compilePattern } from "../regex/compile";
import { INSTRUCTION_SIZE, OP_CALL, OP_CONSTANT, OP_FACTS, OP_HAS, OP_LIST, OP_LOCAL, OP_MAP, OP_MATCHES, OP_SELECT, OP_TOOL } from "./code";
import { Cursor } from "./cursor";
import {
  FUNCTION_DURATION, FUNCTION_GETTER, FUNCTION_MATCHES, FUNCTION_NONE, FUNCTION_TIMESTAMP, convert, globalFunction, leastOperands, memberFunction,
  mostOperands,
} from "./functions";
import { TOKEN_BYTES, TOKEN_DOUBLE, TOKEN_FACT, TOKEN_INT, TOKEN_NAME, TOKEN_STRING, TOKEN_UINT } from "./lex";
import { KEYWORDS, MACROS, RESERVED, TYPES, VARIABLES, listed } from "./names";
import {
  BOOL, BYTES, DOUBLE, DURATION, ERROR, INT, LIST, NULL, SLOT_SIZE, STRING, Slot, TIMESTAMP, TYPE, UINT, addressOf, asideOf, copySlot, setAddress,
  setBool, setDouble, setInt, setUint, tagOf,
} from "./slot";
import { NO_ZONE, zoneOffset } from "./time";

const NO_VARIABLE: string =
  "` is no variable; there are tool, agent, args, facts, principal, resource, origins, labels, now and turn, and a fact is written `$name`";
const NO_FUNCTION: string = "` is no function here; there are has, size, matches, type, dyn, the conversions, ran, allowed and allowed_within";

/** Whether a name may be called on a value. */
function isMethod(name: Text): bool {
  return memberFunction(name.start, name.length) != FUNCTION_NONE || listed(MACROS, name.start, name.length) >= 0;
}

/** A variable of a comprehension. */
@final
export class Local {
  constructor(
    public name: Text,
    public height: i32,
  ) {}
}

/** The parser's part for the operands of operators. */
export abstract class Primaries extends Cursor {
  /** The label after the select that ended the last expression: what `has` may take. */
  protected selected: i32 = -1;
  /** The variables of the comprehensions around, the innermost last. */
  protected locals: Array<Local> = [];

  constructor(
    start: usize,
    length: i32,
    private facts: Value,
  ) {
    super(start, length);
  }

  /** Parses an expression of any kind, one deeper. */
  protected abstract expression(): void;


  protected constant(tag: u32): Slot {
    const slot = allocate(SLOT_SIZE);
    store<u64>(slot, <u64>tag);
    store<u64>(slot, 0, 8);
    this.code.emit(OP_CONSTANT, <i32>slot, 0, 1);
    return slot;
  }

  protected number(negative: bool): void {
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

  protected primary(): void {
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
        if (listed(KEYWORDS, name.start, name.length) >= 0) this.fail(lexer.start, "`", name, "` is a keyword and no fact's name; write `facts['...']`");
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
  protected name(rooted: bool): void {
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
      code.emit(OP_TOOL + variable, 0, 0, 1);
      return;
    }
    this.typeName(name, at);
  }

  /** Where the comprehension's variable of that name is on the stack, or -1. */
  protected localHeight(name: Text): i32 {
    const locals = this.locals;
    for (let i = locals.length - 1; i >= 0; i--) {
      const local = locals[i];
      if (equalBytes(local.name.start, local.name.length, name.start, name.length)) return local.height;
    }
    return -1;
  }

  protected typeName(name: Text, at: usize): void {
    let type = 0;
    const plain = listed(TYPES, name.start, name.length);
    if (plain >= 0) type = <i32>NULL + plain;
    else if (equalAscii(name.start, name.length, "type")) type = TYPE;
    else if (equalAscii(name.start, name.length, "google")) type = this.messageType(at);
    if (this.failed) return;
    if (type == 0) {
      this.unknownName(name, at);
      return;
    }
    const slot = this.constant(TYPE);
    store<i64>(slot, <i64>type, 8);
  }

  /** Notes a name that is none, with what it seems to be meant for: a variable, a function of a library, a message. */
  protected unknownName(name: Text, at: usize): void {
    const lexer = this.lexer;
    let whole = name;
    let last = name;
    while (this.accept(0x2e)) {
      if (!this.is(TOKEN_NAME)) break;
      last = lexer.text;
      whole = new Text(at, <i32>(lexer.at - at));
      lexer.next();
    }
    if (this.is(0x7b)) this.fail(at, "messages are not supported: `", whole, "{...}`; write a map, `{'field': value}`");
    else if (this.is(0x28) && last != name && !isMethod(last)) this.fail(at, "`", whole, NO_FUNCTION);
    else this.fail(at, "`", name, NO_VARIABLE);
  }

  /** `.protobuf.Timestamp` or `.protobuf.Duration` after `google`, which stands at `at`; 0 for anything else. */
  protected messageType(at: usize): i32 {
    const lexer = this.lexer;
    if (!this.accept(0x2e) || !this.is(TOKEN_NAME) || !equalAscii(lexer.text.start, lexer.text.length, "protobuf")) return 0;
    lexer.next();
    if (!this.accept(0x2e) || !this.is(TOKEN_NAME)) return 0;
    const name = lexer.text;
    lexer.next();
    if (equalAscii(name.start, name.length, "Timestamp")) return TIMESTAMP;
    if (equalAscii(name.start, name.length, "Duration")) return DURATION;
    this.fail(at, "messages are not supported: `google.protobuf.", name, "`; write a map, `{'field': value}`");
    return 0;
  }

  protected globalCall(name: Text, at: usize): void {
    if (equalAscii(name.start, name.length, "has")) {
      this.has(at);
      return;
    }
    const id = globalFunction(name.start, name.length);
    if (id == FUNCTION_NONE) {
      const asMember = isMethod(name);
      this.fail(at, "`", name, asMember ? "` is called on a value; write it behind one, as in `x.startsWith('a')`" : NO_FUNCTION);
      return;
    }
    this.callWith(id, 0, name, at);
  }

  protected has(at: usize): void {
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

  protected list(): void {
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
  protected allConstant(label: i32, size: i32): bool {
    const code = this.code;
    if (code.length != label + size * <i32>INSTRUCTION_SIZE) return false;
    for (let i = label; i < code.length; i += <i32>INSTRUCTION_SIZE) if (code.op(i) != OP_CONSTANT) return false;
    return true;
  }

  protected map(): void {
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

  protected select(name: Text): void {
    const kept = this.keep(name);
    this.code.emit(OP_SELECT, <i32>kept.start, kept.length, 0);
    this.selected = this.code.length;
  }

  /** Checks `facts['name']` against the list. */
  protected factNamedBy(label: i32, at: usize): void {
    const code = this.code;
    if (code.length != label + <i32>INSTRUCTION_SIZE || code.op(label) != OP_CONSTANT) return;
    const slot = <Slot>code.a(label);
    if (tagOf(slot) == STRING) this.checkFact(new Text(addressOf(slot), asideOf(slot)), at);
  }

  protected checkFact(name: Text, at: usize): void {
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

  /** The operands of a call, its parenthesis taken, and the call. `had` operands are on the stack. */
  protected callWith(id: i32, had: i32, name: Text, at: usize): void {
    const code = this.code;
    let operands = had;
    let last = code.length;
    let lastAt = at;
    if (!this.is(0x29)) {
      do {
        last = code.length;
        lastAt = this.lexer.start;
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
      this.literalPattern(last, constant, lastAt);
      return;
    }
    if (constant != 0 && id >= FUNCTION_GETTER && operands == 2 && tagOf(constant) == STRING && zoneOffset(addressOf(constant), asideOf(constant)) == NO_ZONE) {
      this.fail(lastAt, "the time zone `", new Text(addressOf(constant), asideOf(constant)), "` is not supported; write `UTC` or an offset such as `+02:00`");
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

  protected literalPattern(label: i32, constant: Slot, at: usize): void {
    const pattern = compilePattern(addressOf(constant), asideOf(constant));
    if (pattern.problem != PATTERN_OK) {
      this.fail(at, "the pattern `", new Text(addressOf(constant), asideOf(constant)), "` can't be used: ");
      this.append(pattern.message);
      this.appendPlace(pattern.offset);
      if (pattern.problem == PATTERN_LARGE) this.append("; use smaller bounds");
      return;
    }
    this.code.truncate(label, 1);
    this.code.emit(OP_MATCHES, <i32>changetype<usize>(pattern), 0, 0);
  }
}
