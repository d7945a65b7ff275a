// Evaluates the conditions of a rulebook: CEL with `$fact`, over the variables of one check (chapter 2, "Rulebook").
import type { Json } from './json.ts';
import { compilePattern } from './pattern.ts';
import { conversions, part, partNames } from './cel-convert.ts';
import { ParseError } from './cel-lex.ts';
import { parse, type Node } from './cel-parse.ts';
import {
  arithmetic, CelMap, compare, contained, Double, equal, fail, Failure, fromJson, index, int, Int, negate, size, timestamp, typeName, Uint, type Value,
} from './cel-value.ts';

/** A parsed condition. */
export interface Condition {
  text: string;
  root: Node;
}

/** What a condition sees. `now` is in seconds; the functions count entries of the verified history. */
export interface Variables {
  tool: string;
  agent: string;
  args: Map<string, Json>;
  facts: Map<string, boolean>;
  principal: Map<string, Json>;
  resource: Map<string, Json>;
  origins: Map<string, string>;
  labels: string[];
  now: number;
  turn: string;
  ran(tool: string): number;
  allowed(tool: string): number;
  allowedWithin(tool: string, seconds: number): number;
}

/**
 * Parses a condition's text. `facts` are the rulebook's listed facts, or null where it lists none.
 * Out: the condition, or what is wrong with it and where (`offset` in bytes of UTF-8); `fact` names a fact that is not listed.
 */
export function parseCondition(text: string, facts: string[] | null): Condition | { error: string; offset: number; fact?: string } {
  try {
    return { text, root: parse(text, facts) };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const offset = new TextEncoder().encode(text.slice(0, error.at)).length;
    return error.fact === undefined ? { error: error.message, offset } : { error: error.message, offset, fact: error.fact };
  }
}

/** Evaluates a condition: true or false, or why it failed (a missing member, a type error, overflow, a value that is not a bool). */
export function evaluateCondition(condition: Condition, variables: Variables): { value: boolean } | { error: string } {
  try {
    const value = evaluate(condition.root, new Scope(variables));
    return typeof value === 'boolean' ? { value } : { error: `the condition is a ${typeName(value)}, not a bool` };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { error: error.message };
  }
}

class Scope {
  constructor(readonly variables: Variables, private readonly locals: Map<string, Value> = new Map()) {}

  with(name: string, value: Value): Scope {
    return new Scope(this.variables, new Map([...this.locals, [name, value]]));
  }

  get(name: string, root: boolean): Value {
    if (!root && this.locals.has(name)) return this.locals.get(name)!;
    const v = this.variables;
    switch (name) {
      case 'tool': return v.tool;
      case 'agent': return v.agent;
      case 'turn': return v.turn;
      case 'args': return fromJson(v.args);
      case 'principal': return fromJson(v.principal);
      case 'resource': return fromJson(v.resource);
      case 'origins': return fromJson(v.origins);
      case 'labels': return [...v.labels];
      case 'now': return timestamp(BigInt(v.now) * 1_000_000_000n);
      case 'facts': {
        const map = new CelMap(true);
        for (const [fact, value] of v.facts) map.entries.push([fact, value]);
        return map;
      }
      default: return fail(`"${name}" is not declared`);
    }
  }
}

function evaluate(node: Node, scope: Scope): Value {
  switch (node.op) {
    case 'value':
      return node.value;
    case 'name':
      return scope.get(node.name, node.root);
    case 'select': {
      const of = evaluate(node.of, scope);
      return of instanceof CelMap ? index(of, node.field) : fail(`no field of ${typeName(of)}`);
    }
    case 'has': {
      const of = evaluate(node.of, scope);
      return of instanceof CelMap ? of.has(node.field) : fail(`no field of ${typeName(of)}`);
    }
    case 'index':
      return index(evaluate(node.of, scope), evaluate(node.key, scope));
    case 'unary': {
      const of = evaluate(node.of, scope);
      if (node.sign === '-') return negate(of);
      return typeof of === 'boolean' ? !of : fail(`no ! of ${typeName(of)}`);
    }
    case 'binary':
      return binary(node.sign, node.left, node.right, scope);
    case 'ternary': {
      const condition = evaluate(node.condition, scope);
      if (typeof condition !== 'boolean') return fail(`no choice by ${typeName(condition)}`);
      return evaluate(condition ? node.yes : node.no, scope);
    }
    case 'list':
      return node.items.map((item) => evaluate(item, scope));
    case 'map':
      return mapLiteral(node.entries, scope);
    case 'macro':
      return macro(node.name, evaluate(node.of, scope), node.args, (x) => scope.with(node.variable, x));
    case 'call':
      return call(node.name, node.of && evaluate(node.of, scope), node.args.map((a) => evaluate(a, scope)), node.of !== null, scope.variables);
  }
}

function binary(sign: string, leftNode: Node, rightNode: Node, scope: Scope): Value {
  if (sign === '&&' || sign === '||') {
    // Either side decides alone; a failure counts only where the other side does not decide.
    return anyOf([leftNode, rightNode].map((side) => () => evaluate(side, scope)), sign === '||');
  }
  const left = evaluate(leftNode, scope);
  const right = evaluate(rightNode, scope);
  switch (sign) {
    case '==': return equal(left, right);
    case '!=': return !equal(left, right);
    case 'in': return contained(left, right);
    case '+': case '-': case '*': case '/': case '%': return arithmetic(sign, left, right);
  }
  const order = compare(left, right);
  if (order === null) return false;
  if (sign === '<') return order < 0;
  if (sign === '<=') return order <= 0;
  return sign === '>' ? order > 0 : order >= 0;
}

/** `deciding` as soon as one is; else a failure of any; else the opposite. */
function anyOf(sides: (() => Value)[], deciding: boolean): boolean {
  let failure: Failure | null = null;
  for (const side of sides) {
    try {
      const value = side();
      if (typeof value !== 'boolean') fail(`${typeName(value)} is no truth value`);
      if (value === deciding) return deciding;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return !deciding;
}

function mapLiteral(entries: [Node, Node][], scope: Scope): Value {
  const map = new CelMap();
  for (const [keyNode, valueNode] of entries) {
    const key = evaluate(keyNode, scope);
    const isKey = typeof key === 'string' || typeof key === 'boolean' || key instanceof Int || key instanceof Uint;
    if (!isKey) return fail(`${typeName(key)} is no key of a map`);
    if (map.has(key)) return fail('a key stands twice in a map');
    map.entries.push([key, evaluate(valueNode, scope)]);
  }
  return map;
}

/** `all`, `exists`, `exists_one`, `filter`, `map` over a list's elements or a map's keys. */
function macro(name: string, of: Value, args: Node[], scopeOf: (x: Value) => Scope): Value {
  const items = Array.isArray(of) ? of : of instanceof CelMap ? of.entries.map(([key]) => key) : fail(`no ${name} over ${typeName(of)}`);
  const [first, second] = args as [Node, Node?];
  if (name === 'all' || name === 'exists') return anyOf(items.map((x) => () => evaluate(first, scopeOf(x))), name === 'exists');
  const holds = (x: Value): boolean => {
    const value = evaluate(first, scopeOf(x));
    return typeof value === 'boolean' ? value : fail(`${typeName(value)} is no truth value`);
  };
  if (name === 'exists_one') return items.filter(holds).length === 1;
  if (name === 'filter') return items.filter(holds);
  if (second) return items.filter(holds).map((x) => evaluate(second, scopeOf(x)));
  return items.map((x) => evaluate(first, scopeOf(x)));
}

function call(name: string, of: Value, args: Value[], isMethod: boolean, variables: Variables): Value {
  if (isMethod && partNames.includes(name)) return part(name, of, args[0]);
  const all = isMethod ? [of, ...args] : args;
  if (name === 'size') return size(all[0]!);
  if (Object.hasOwn(conversions, name)) return conversions[name]!(all[0]!);
  const [a, b] = all;
  if (typeof a !== 'string') return fail(`no ${name} of ${typeName(a!)}`);
  if (name === 'ran') return int(BigInt(variables.ran(a)));
  if (name === 'allowed') return int(BigInt(variables.allowed(a)));
  if (name === 'allowed_within') {
    if (b instanceof Int || b instanceof Uint || b instanceof Double) return int(BigInt(variables.allowedWithin(a, Number(b.v))));
    return fail(`allowed_within() counts seconds, not ${typeName(b!)}`);
  }
  if (typeof b !== 'string') return fail(`no ${name} with ${typeName(b!)}`);
  if (name === 'startsWith') return a.startsWith(b);
  if (name === 'endsWith') return a.endsWith(b);
  if (name === 'contains') return a.includes(b);
  const pattern = compilePattern(b);
  return pattern.kind === 'ok' ? pattern.test(a) : fail(`the pattern is not supported: ${pattern.why}`);
}
