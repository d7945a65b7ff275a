// Compiles the keywords that speak of an object's members by name: `properties`, `patternProperties`, and what depends on a member.

import { allocate } from "../memory/region";
import { sortNames } from "../json/order";
import { ARRAY, STRING, Value, count, first, kind, next, sameString, stringLength, stringStart } from "../json/value";
import { Compiler } from "./compile";
import { K_DEPENDENCIES } from "./keywords";
import { Dependent, Outline, PatternProperty } from "./outline";
import { ENTRY_PAYLOAD } from "./properties";
import { RULE_DEPENDENCIES } from "./rules";

/** `properties`. */
export function compileProperties(compiler: Compiler, node: Outline, value: Value): void {
  if (!compiler.isMap(node, value)) return;
  const part = compiler.objectPart(node);
  part.properties = value;
  if (count(value) == 0) return;
  for (let name = first(value); name < next(value); name = next(next(name))) {
    const entry = part.table.add(stringStart(name), stringLength(name));
    store<u32>(entry, <u32>changetype<usize>(compiler.subschema(next(name), node)), ENTRY_PAYLOAD);
  }
}

/** `patternProperties`. */
export function compilePatternProperties(compiler: Compiler, node: Outline, value: Value): void {
  if (!compiler.isMap(node, value) || count(value) == 0) return;
  const part = compiler.objectPart(node);
  const list: Array<PatternProperty> = [];
  for (let name = first(value); name < next(value); name = next(next(name))) {
    const child = compiler.subschema(next(name), node);
    const pattern = compiler.pattern(name, next(name), node);
    if (pattern !== null) list.push(new PatternProperty(pattern, child));
  }
  part.patterns = StaticArray.fromArray<PatternProperty>(list);
}

/** `dependentSchemas`, and `dependencies` with its two kinds of values. */
export function compileDependents(compiler: Compiler, node: Outline, keyword: i32, value: Value): void {
  if (!compiler.isMap(node, value) || count(value) == 0) return;
  for (let name = first(value); name < next(value); name = next(next(name))) {
    const needed = next(name);
    if (keyword == K_DEPENDENCIES && kind(needed) == ARRAY) {
      dependentNames(compiler, node, name, needed, RULE_DEPENDENCIES);
      continue;
    }
    const dependent = new Dependent(name, 0);
    dependent.node = compiler.subschema(needed, node);
    addDependent(compiler, node, dependent);
  }
}

function addDependent(compiler: Compiler, node: Outline, dependent: Dependent): void {
  compiler.objectPart(node).dependents.push(dependent);
}

/** A member of `dependentRequired`. */
export function dependentNames(compiler: Compiler, node: Outline, name: Value, needed: Value, rule: i32): void {
  if (!areNames(compiler, node, needed)) return;
  const dependent = new Dependent(name, rule);
  dependent.names = needed;
  addDependent(compiler, node, dependent);
}

/** Whether a value is a list of different strings; a problem where it is not. */
export function areNames(compiler: Compiler, node: Outline, value: Value): bool {
  if (kind(value) == ARRAY && areDifferentStrings(value)) return true;
  compiler.problem(value, node.resource, "must be a list of different strings");
  return false;
}

function areDifferentStrings(list: Value): bool {
  const total = count(list);
  const table = allocate(<usize>total << 2);
  let element = first(list);
  for (let i: usize = 0; i < <usize>total; i++) {
    if (kind(element) != STRING) return false;
    store<u32>(table + (i << 2), <u32>element);
    element = next(element);
  }
  sortNames(table, total);
  for (let i: usize = 1; i < <usize>total; i++) if (sameString(load<u32>(table + ((i - 1) << 2)), load<u32>(table + (i << 2)))) return false;
  return true;
}
