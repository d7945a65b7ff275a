// Links outlines once all are compiled: one that only refers is left out.

import { Outline, PlacePart } from "./outline";
import { ANY_KIND, PART_ARRAY, PART_OBJECT, PART_PLACE, PART_REST_OF_ARRAY, PART_REST_OF_OBJECT } from "./program";
import { ENTRY_PAYLOAD } from "./properties";

/** The one node that a node passes every value on to, or the node itself. */
function onward(node: Outline): Outline {
  if (node.parts != PART_PLACE || node.types != ANY_KIND || node.whole) return node;
  const place = node.place;
  const other = place.dynamic !== null || place.any.length != 0 || place.one.length != 0 || place.not !== null || place.condition !== null;
  return !other && place.all.length == 1 ? place.all[0] : node;
}

/** Follows outlines that only refer, each once; a ring of them stays as it is, for the walk's bound to meet. */
function target(node: Outline): Outline {
  let end = node;
  while (end.target === null) {
    end.target = end;
    end = onward(end);
  }
  // It refers no further, or was followed before, or it closes a ring.
  const goal = end.target!;
  for (let at = node; at !== end; at = onward(at)) at.target = goal;
  return goal;
}

function linkList(list: StaticArray<Outline>): void {
  for (let i = 0; i < list.length; i++) list[i] = target(list[i]);
}

function linkPlace(place: PlacePart): void {
  linkList(place.all);
  linkList(place.any);
  linkList(place.one);
  if (place.not !== null) place.not = target(place.not!);
  if (place.condition !== null) place.condition = target(place.condition!);
  if (place.then !== null) place.then = target(place.then!);
  if (place.otherwise !== null) place.otherwise = target(place.otherwise!);
}

/** Links all outlines of a schema that has no `$dynamicRef` to decide (then every resource gone through has to be seen); returns where the walk begins. */
export function link(list: Array<Outline>, entry: Outline): Outline {
  const nodes = list.length;
  for (let i = 0; i < nodes; i++) {
    const node = list[i];
    if ((node.parts & PART_OBJECT) != 0) {
      const part = node.object;
      for (let e = 0; e < part.table.count; e++) {
        const entry = part.table.entry(e);
        const child = <usize>load<u32>(entry, ENTRY_PAYLOAD);
        if (child != 0) store<u32>(entry, <u32>changetype<usize>(target(changetype<Outline>(child))), ENTRY_PAYLOAD);
      }
      for (let p = 0; p < part.patterns.length; p++) part.patterns[p].node = target(part.patterns[p].node);
      if (changetype<usize>(part.additional) != 0) part.additional.node = target(part.additional.node);
      if (part.names !== null) part.names = target(part.names!);
      for (let d = 0; d < part.dependents.length; d++) {
        const dependent = part.dependents[d];
        if (dependent.node !== null) dependent.node = target(dependent.node!);
      }
    }
    if ((node.parts & PART_ARRAY) != 0) {
      const part = node.array;
      linkList(part.prefix);
      if (changetype<usize>(part.rest) != 0) part.rest.node = target(part.rest.node);
      if (part.contains !== null) part.contains = target(part.contains!);
    }
    if ((node.parts & PART_REST_OF_OBJECT) != 0) node.restOfObject.node = target(node.restOfObject.node);
    if ((node.parts & PART_REST_OF_ARRAY) != 0) node.restOfArray.node = target(node.restOfArray.node);
  }
  for (let i = 0; i < nodes; i++) if ((list[i].parts & PART_PLACE) != 0) linkPlace(list[i].place);
  return target(entry);
}
