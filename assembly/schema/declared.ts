// Which arguments and result fields a tool's schema declares (chapter 4 step 3, setting undeclared_arguments; chapter 2, result).

import { spend } from "../memory/steps";
import { ARRAY, OBJECT, Value, count, first, kind, next, stringLength, stringStart } from "../json/value";
import { Pattern } from "../regex/compile";
import { MATCH_YES, matchPattern } from "../regex/run";
import { Errors } from "./errors";
import { DependentRecord, NodeRecord, ObjectRecord, PART_ARRAY, PART_OBJECT, PART_PLACE, Schema, listCount, listNode } from "./program";
import { ENTRY_LISTED, ENTRY_PAYLOAD, findName } from "./properties";
import { RULE_ADDITIONAL_PROPERTIES, RULE_STEPS } from "./rules";

/** The schema of a member that stands in `properties`, or null. */
function listed(part: ObjectRecord, start: usize, length: i32): NodeRecord {
  const entry = findName(part.names, start, length);
  return changetype<NodeRecord>(entry != 0 && load<u32>(entry, ENTRY_LISTED) != 0 ? <usize>load<u32>(entry, ENTRY_PAYLOAD) : 0);
}

/** Whether a name matches a member of `patternProperties`. */
function matchesPattern(part: ObjectRecord, index: i32, start: usize, length: i32): bool {
  return matchPattern(changetype<Pattern>(<usize>load<u32>(part.patterns + 8 + (<usize>index << 3))), start, length) == MATCH_YES;
}

function matches(part: ObjectRecord, start: usize, length: i32): bool {
  if (changetype<usize>(listed(part, start, length)) != 0) return true;
  for (let i = 0; i < listCount(part.patterns); i++) if (matchesPattern(part, i, start, length)) return true;
  // A schema object declares every name.
  return part.declaresRest != 0;
}

/** Whether the schema declares a top-level argument: its own `properties` or `patternProperties` match the name, or its `additionalProperties` is an object. */
export function declares(schema: Schema, start: usize, length: i32): bool {
  const node = schema.own;
  return (node.parts & PART_OBJECT) != 0 && matches(node.object, start, length);
}

/** Whether the schema's own `properties` hold a result field. */
export function declaresResultField(schema: Schema, start: usize, length: i32): bool {
  const node = schema.own;
  return (node.parts & PART_OBJECT) != 0 && changetype<usize>(listed(node.object, start, length)) != 0;
}

/** The number of the gathering that is made; a node that carries it is in the list already. */
let gathering: u32 = 0;

/** Adds a node to a list. */
function gatherOne(node: NodeRecord, list: Array<usize>): void {
  if (changetype<usize>(node) == 0 || node.gathered == gathering) return;
  node.gathered = gathering;
  list.push(changetype<usize>(node));
}

function gatherAll(nodes: usize, list: Array<usize>): void {
  for (let i = 0; i < listCount(nodes); i++) gatherOne(listNode(nodes, i), list);
}

/** Adds a node and all that apply in the same place; `not` is left out, since what it describes is excluded. */
function gather(node: NodeRecord, list: Array<usize>): void {
  const from = list.length;
  gatherOne(node, list);
  for (let i = from; i < list.length; i++) {
    const at = changetype<NodeRecord>(list[i]);
    if ((at.parts & PART_PLACE) != 0) {
      const place = at.place;
      gatherAll(place.all, list);
      gatherAll(place.any, list);
      gatherAll(place.one, list);
      gatherOne(place.condition, list);
      gatherOne(place.then, list);
      gatherOne(place.otherwise, list);
      if (changetype<usize>(place.dynamic) != 0) gatherOne(place.dynamic.fallback, list);
    }
    if ((at.parts & PART_OBJECT) != 0) {
      const dependents = at.object.dependents;
      for (let d = 0; d < listCount(dependents); d++) {
        gatherOne(changetype<DependentRecord>(dependents + 8 + <usize>d * offsetof<DependentRecord>()).node, list);
      }
    }
  }
}

/** One search for what is not declared. Schemas that apply in one place stand side by side in `nodes`, the places above before them. */
@final
class Search {
  found: bool = false;
  stopped: bool = false;
  private nodes: Array<usize> = [];

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
      if (!this.spend(next(name), stringLength(name) >> 6)) return;
      if (!declares(schema, stringStart(name), stringLength(name))) this.note(next(name));
    }
  }

  /** The object keywords of one of the schemas, or null. */
  private objectAt(index: i32): ObjectRecord {
    const node = changetype<NodeRecord>(this.nodes[index]);
    return (node.parts & PART_OBJECT) != 0 ? node.object : changetype<ObjectRecord>(0);
  }

  /** Adds the schemas that speak of a member, of those from `from` to `to`. */
  private addForMember(from: i32, to: i32, start: usize, length: i32): void {
    gathering++;
    for (let i = from; i < to; i++) {
      const part = this.objectAt(i);
      if (changetype<usize>(part) == 0) continue;
      const own = listed(part, start, length);
      let known = changetype<usize>(own) != 0;
      gather(own, this.nodes);
      for (let p = 0; p < listCount(part.patterns); p++) {
        if (!matchesPattern(part, p, start, length)) continue;
        known = true;
        gather(changetype<NodeRecord>(<usize>load<u32>(part.patterns + 12 + (<usize>p << 3))), this.nodes);
      }
      if (!known && part.declaresRest != 0) gather(part.additional, this.nodes);
    }
  }

  /** Adds the schemas that speak of an element, of those from `from` to `to`. */
  private addForElement(from: i32, to: i32, index: i32): void {
    gathering++;
    for (let i = from; i < to; i++) {
      const node = changetype<NodeRecord>(this.nodes[i]);
      if ((node.parts & PART_ARRAY) == 0) continue;
      const part = node.array;
      gather(index < listCount(part.prefix) ? listNode(part.prefix, index) : part.rest, this.nodes);
    }
  }

  /** From the root on: the top level's own members are not asked about here. */
  below(schema: Schema, value: Value): void {
    gathering++;
    gather(schema.entry, this.nodes);
    this.nested(0, value, false);
  }

  /** All schemas that apply in one place decide together: those from `from` on. Recursion is bounded by the value's depth. */
  private nested(from: i32, value: Value, check: bool): void {
    const to = this.nodes.length;
    if (to == from || this.stopped || kind(value) < ARRAY || count(value) == 0) return;
    if (!this.spend(value, (to - from) * count(value))) return;
    const end = next(value);
    if (kind(value) != OBJECT) {
      let index = 0;
      for (let element = first(value); element < end && !this.stopped; element = next(element)) {
        this.addForElement(from, to, index++);
        this.nested(to, element, true);
        this.nodes.length = to;
      }
      return;
    }
    let lists = false;
    for (let i = from; i < to; i++) if (changetype<usize>(this.objectAt(i)) != 0 && this.objectAt(i).listsProperties != 0) lists = true;
    for (let name = first(value); name < end && !this.stopped; name = next(next(name))) {
      const start = stringStart(name);
      const length = stringLength(name);
      if (!this.spend(next(name), (length >> 6) * (to - from))) return;
      let known = !lists || !check;
      for (let i = from; i < to && !known; i++) known = changetype<usize>(this.objectAt(i)) != 0 && matches(this.objectAt(i), start, length);
      if (!known) {
        this.note(next(name));
        continue;
      }
      this.addForMember(from, to, start, length);
      this.nested(to, next(name), true);
      this.nodes.length = to;
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
  if (deep) search.below(schema, value);
  return !search.found && !search.stopped;
}
