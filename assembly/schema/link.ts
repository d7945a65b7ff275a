// Links a program once all its nodes are compiled: a node that only refers is left out, and values that need no closer look are marked.

import { NUMBER } from "../json/value";
import { Node, PART_PLACE, PART_REST_OF_ARRAY, PART_REST_OF_OBJECT, PART_ARRAY, PART_OBJECT, ANY_KIND, PARTS_OF, PlacePart, Schema } from "./program";
import { ENTRY_SIZE } from "./properties";

/** The one node that a node passes every value on to, or the node itself. */
function onward(node: Node): Node {
  if (node.parts != PART_PLACE || node.types != ANY_KIND || node.whole) return node;
  const place = node.place;
  const other = place.dynamic !== null || place.any.length != 0 || place.one.length != 0 || place.not !== null || place.condition !== null;
  return !other && place.all.length == 1 ? place.all[0] : node;
}

/** Follows nodes that only refer; a ring of them stays as it is, for the walk's bound to meet. */
function target(node: Node, nodes: i32): Node {
  let at = node;
  for (let hops = 0; hops <= nodes; hops++) {
    const further = onward(at);
    if (further === at) return at;
    at = further;
  }
  return node;
}

function linkList(list: StaticArray<Node>, nodes: i32): void {
  for (let i = 0; i < list.length; i++) list[i] = target(list[i], nodes);
}

function linkPlace(place: PlacePart, nodes: i32): void {
  linkList(place.all, nodes);
  linkList(place.any, nodes);
  linkList(place.one, nodes);
  if (place.not !== null) place.not = target(place.not!, nodes);
  if (place.condition !== null) place.condition = target(place.condition!, nodes);
  if (place.then !== null) place.then = target(place.then!, nodes);
  if (place.otherwise !== null) place.otherwise = target(place.otherwise!, nodes);
}

/** Finds the kinds of values that a node has nothing more to ask of. */
export function findQuick(node: Node): void {
  for (let which = 0; which < PARTS_OF.length; which++) {
    const allowed = ((node.types >> which) & 1) != 0 && !(node.whole && which == NUMBER);
    if (allowed && (node.parts & PARTS_OF[which]) == 0) node.quick |= 1 << which;
  }
}

/** Links every node of a program that has no `$dynamicRef` to decide (then every resource gone through has to be seen). */
export function link(list: Array<Node>, schema: Schema): void {
  const nodes = list.length;
  for (let i = 0; i < nodes; i++) {
    const node = list[i];
    if ((node.parts & PART_OBJECT) != 0) {
      const part = node.object;
      for (let entry = part.table.entries; entry < part.table.end; entry += ENTRY_SIZE) {
        const child = <usize>load<u32>(entry, 8);
        if (child != 0) store<u32>(entry, <u32>changetype<usize>(target(changetype<Node>(child), nodes)), 8);
      }
      for (let p = 0; p < part.patterns.length; p++) part.patterns[p].node = target(part.patterns[p].node, nodes);
      if (changetype<usize>(part.additional) != 0) part.additional.node = target(part.additional.node, nodes);
      if (part.names !== null) part.names = target(part.names!, nodes);
      for (let d = 0; d < part.dependents.length; d++) {
        const dependent = part.dependents[d];
        if (dependent.node !== null) dependent.node = target(dependent.node!, nodes);
      }
    }
    if ((node.parts & PART_ARRAY) != 0) {
      const part = node.array;
      linkList(part.prefix, nodes);
      if (changetype<usize>(part.rest) != 0) part.rest.node = target(part.rest.node, nodes);
      if (part.contains !== null) part.contains = target(part.contains!, nodes);
    }
    if ((node.parts & PART_REST_OF_OBJECT) != 0) node.restOfObject.node = target(node.restOfObject.node, nodes);
    if ((node.parts & PART_REST_OF_ARRAY) != 0) node.restOfArray.node = target(node.restOfArray.node, nodes);
  }
  for (let i = 0; i < nodes; i++) if ((list[i].parts & PART_PLACE) != 0) linkPlace(list[i].place, nodes);
  schema.entry = target(schema.entry, nodes);
}
