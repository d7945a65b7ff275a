// Which arguments and result fields a tool's schema declares (chapter 4 step 3, setting undeclared_arguments; chapter 2, result).

import { spend } from "../memory/steps";
import { ARRAY, OBJECT, Value, count, first, kind, next, stringLength, stringStart } from "../json/value";
import { MATCH_YES, matchPattern } from "../regex/run";
import { Errors } from "./errors";
import { Node, ObjectPart, PART_ARRAY, PART_OBJECT, PART_PLACE, Schema } from "./program";
import { RULE_ADDITIONAL_PROPERTIES, RULE_STEPS } from "./rules";

/** Whether `additionalProperties` is a schema object: then it declares every name. */
function declaresAll(part: ObjectPart): bool {
  return changetype<usize>(part.additional) != 0 && part.declaresRest;
}

function matches(part: ObjectPart, start: usize, length: i32): bool {
  const entry = part.table.find(start, length);
  if (entry != 0 && load<u32>(entry, 8) != 0) return true;
  for (let i = 0; i < part.patterns.length; i++) if (matchPattern(part.patterns[i].pattern, start, length) == MATCH_YES) return true;
  return declaresAll(part);
}

/** Whether the schema declares a top-level argument: its own `properties` or `patternProperties` match the name, or its `additionalProperties` is an object. */
export function declares(schema: Schema, start: usize, length: i32): bool {
  const node = schema.own;
  return (node.parts & PART_OBJECT) != 0 && matches(node.object, start, length);
}

/** Whether the schema's own `properties` hold a result field. */
export function declaresResultField(schema: Schema, start: usize, length: i32): bool {
  const node = schema.own;
  if ((node.parts & PART_OBJECT) == 0) return false;
  const entry = node.object.table.find(start, length);
  return entry != 0 && load<u32>(entry, 8) != 0;
}

/** The number of the gathering that is made; a node that carries it is in the list already. */
let gathering: u32 = 0;

/** Adds a node and all that apply in the same place; `not` is left out, since what it describes is excluded. */
function gather(node: Node | null, list: Array<Node>): void {
  if (node === null || node.gathered == gathering) return;
  node.gathered = gathering;
  const from = list.length;
  list.push(node);
  for (let i = from; i < list.length; i++) {
    const at = list[i];
    if ((at.parts & PART_PLACE) != 0) {
      const place = at.place;
      gatherAll(place.all, list);
      gatherAll(place.any, list);
      gatherAll(place.one, list);
      gatherOne(place.condition, list);
      gatherOne(place.then, list);
      gatherOne(place.otherwise, list);
      if (place.dynamic !== null) gatherOne(place.dynamic!.fallback, list);
    }
    if ((at.parts & PART_OBJECT) != 0) {
      const dependents = at.object.dependents;
      for (let d = 0; d < dependents.length; d++) gatherOne(dependents[d].node, list);
    }
  }
}

function gatherOne(node: Node | null, list: Array<Node>): void {
  if (node === null || node.gathered == gathering) return;
  node.gathered = gathering;
  list.push(node);
}

function gatherAll(nodes: StaticArray<Node>, list: Array<Node>): void {
  for (let i = 0; i < nodes.length; i++) gatherOne(nodes[i], list);
}

/** The schemas that speak of a member. */
function forMember(nodes: Array<Node>, start: usize, length: i32): Array<Node> {
  gathering++;
  const list: Array<Node> = [];
  for (let i = 0; i < nodes.length; i++) {
    if ((nodes[i].parts & PART_OBJECT) == 0) continue;
    const part = nodes[i].object;
    let known = false;
    const entry = part.table.find(start, length);
    if (entry != 0 && load<u32>(entry, 8) != 0) {
      known = true;
      gather(changetype<Node>(<usize>load<u32>(entry, 8)), list);
    }
    for (let p = 0; p < part.patterns.length; p++) {
      if (matchPattern(part.patterns[p].pattern, start, length) != MATCH_YES) continue;
      known = true;
      gather(part.patterns[p].node, list);
    }
    if (!known && declaresAll(part)) gather(part.additional.node, list);
  }
  return list;
}

/** The schemas that speak of an element. */
function forElement(nodes: Array<Node>, index: i32): Array<Node> {
  gathering++;
  const list: Array<Node> = [];
  for (let i = 0; i < nodes.length; i++) {
    if ((nodes[i].parts & PART_ARRAY) == 0) continue;
    const part = nodes[i].array;
    if (index < part.prefix.length) gather(part.prefix[index], list);
    else if (changetype<usize>(part.rest) != 0) gather(part.rest.node, list);
  }
  return list;
}

/** One search for what is not declared. */
@final
class Search {
  found: bool = false;
  stopped: bool = false;

  constructor(private sink: Errors) {}

  private note(value: Value): void {
    this.found = true;
    this.sink.add(value, RULE_ADDITIONAL_PROPERTIES, 0);
  }

  private spend(value: Value, steps: i32): bool {
    if (spend(steps)) return true;
    if (!this.stopped) {
      this.stopped = true;
      this.sink.only(value, RULE_STEPS);
    }
    return false;
  }

  /** The top level: the schema's own keywords decide. */
  top(schema: Schema, value: Value): void {
    if (kind(value) != OBJECT || count(value) == 0 || !this.spend(value, count(value))) return;
    for (let name = first(value); name < next(value); name = next(next(name))) {
      if (!declares(schema, stringStart(name), stringLength(name))) this.note(next(name));
    }
  }

  /** Below: all schemas that apply in one place decide together. Recursion is bounded by the value's depth. */
  nested(nodes: Array<Node>, value: Value, check: bool): void {
    if (nodes.length == 0 || this.stopped || kind(value) < ARRAY || count(value) == 0) return;
    if (!this.spend(value, nodes.length * count(value))) return;
    const end = next(value);
    if (kind(value) != OBJECT) {
      let index = 0;
      for (let element = first(value); element < end && !this.stopped; element = next(element)) this.nested(forElement(nodes, index++), element, true);
      return;
    }
    let lists = false;
    for (let i = 0; i < nodes.length; i++) if ((nodes[i].parts & PART_OBJECT) != 0 && nodes[i].object.listsProperties) lists = true;
    for (let name = first(value); name < end && !this.stopped; name = next(next(name))) {
      const start = stringStart(name);
      const length = stringLength(name);
      let known = !lists || !check;
      for (let i = 0; i < nodes.length && !known; i++) known = (nodes[i].parts & PART_OBJECT) != 0 && matches(nodes[i].object, start, length);
      if (!known) this.note(next(name));
      else this.nested(forMember(nodes, start, length), next(name), true);
    }
  }
}

/**
 * Adds a violation with the rule `additionalProperties` for each top-level member that the schema does not declare; with `deep`
 * also for members of nested objects whose schema lists `properties`. Steps are counted; past the budget there is one violation
 * with the rule `steps`.
 * @returns whether every member is declared
 */
export function undeclared(schema: Schema, value: Value, deep: bool, sink: Errors): bool {
  const search = new Search(sink);
  search.top(schema, value);
  if (deep) {
    gathering++;
    const nodes: Array<Node> = [];
    gather(schema.entry, nodes);
    search.nested(nodes, value, false);
  }
  return !search.found && !search.stopped;
}
