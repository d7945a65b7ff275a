// What tells the schemas of `anyOf` and `oneOf` apart: a member that each of them holds to strings of its own, so that all others need no look.

import { ARRAY, OBJECT, STRING, Value, count, first, kind, next, stringLength, stringStart } from "../json/value";
import { Outline } from "./outline";
import { PART_OBJECT, PART_VALUES } from "./program";
import { ENTRY_OPERAND, ENTRY_PAYLOAD, ENTRY_REQUIRED, PropertyTable } from "./properties";

/** How many members of the first schema are tried. */
const MEMBERS_TRIED: i32 = 8;
/** The most strings of all schemas together: twice as many as there are schemas, and so many more. Programs grow with their schemas' texts. */
const MORE_STRINGS: i32 = 8;

/** A member that tells schemas apart. */
@final
export class Choice {
  /** Each of the schemas requires the member. */
  required: bool = true;
  /** The strings that the schemas allow there. */
  strings: PropertyTable = new PropertyTable();
  /** Pairs of string (its number) and schema (its index). */
  private pairs: Array<i32> = [];

  constructor(
    /** The member's name (a string node). */
    public name: Value,
  ) {}

  /** Notes that a schema allows a string. */
  allow(index: i32, text: Value): void {
    const entry = this.strings.add(stringStart(text), stringLength(text));
    // A list may hold a string twice.
    if (load<u32>(entry, ENTRY_OPERAND) == <u32>(index + 1)) return;
    store<u32>(entry, <u32>(index + 1), ENTRY_OPERAND);
    this.pairs.push(this.strings.indexOf(entry));
    this.pairs.push(index);
  }

  /** How many schemas and strings allow each other. */
  get size(): i32 {
    return this.pairs.length >> 1;
  }

  /** The schemas that allow each string, by string, in their order. */
  allowing(outlines: StaticArray<Outline>): Array<Array<Outline>> {
    const lists: Array<Array<Outline>> = [];
    for (let i = 0; i < this.strings.count; i++) lists.push([]);
    for (let i = 0; i < this.pairs.length; i += 2) lists[this.pairs[i]].push(outlines[this.pairs[i + 1]]);
    return lists;
  }
}

/** The outline of a member in `properties`, or null. */
function memberOf(outline: Outline, start: usize, length: i32): Outline | null {
  if ((outline.parts & PART_OBJECT) == 0) return null;
  const entry = outline.object.table.find(start, length);
  if (entry == 0 || load<u32>(entry, ENTRY_PAYLOAD) == 0) return null;
  return changetype<Outline>(<usize>load<u32>(entry, ENTRY_PAYLOAD));
}

/** Whether a schema holds its value to strings: by `const`, or by an `enum` of strings alone. */
function holdsToStrings(outline: Outline, most: i32): bool {
  if ((outline.parts & PART_VALUES) == 0) return false;
  const values = outline.values;
  if (values.constant != 0) return kind(values.constant) == STRING;
  const list = values.enumeration;
  if (list == 0 || kind(list) != ARRAY || count(list) == 0 || count(list) > most) return false;
  for (let element = first(list); element < next(list); element = next(element)) if (kind(element) != STRING) return false;
  return true;
}

/** Notes what one schema allows; false where it does not hold the member to strings. */
function addStrings(choice: Choice, outline: Outline, index: i32, most: i32): bool {
  const start = stringStart(choice.name);
  const length = stringLength(choice.name);
  const member = memberOf(outline, start, length);
  if (member === null || !holdsToStrings(member, most)) return false;
  if (load<u32>(outline.object.table.find(start, length), ENTRY_REQUIRED) == 0) choice.required = false;
  const values = member.values;
  if (values.constant != 0) {
    choice.allow(index, values.constant);
  } else {
    const list = values.enumeration;
    for (let element = first(list); element < next(list); element = next(element)) choice.allow(index, element);
  }
  return choice.size <= most;
}

/** What tells schemas apart, or null: of the first members of the first of them the one that allows most strings. */
export function findChoice(outlines: StaticArray<Outline>): Choice | null {
  if (outlines.length < 2) return null;
  const most = 2 * outlines.length + MORE_STRINGS;
  const source = outlines[0].source;
  if (source == 0 || kind(source) != OBJECT || (outlines[0].parts & PART_OBJECT) == 0) return null;
  const properties = outlines[0].object.properties;
  if (properties == 0 || count(properties) == 0) return null;
  let best: Choice | null = null;
  let tried = 0;
  for (let name = first(properties); name < next(properties) && tried < MEMBERS_TRIED; name = next(next(name))) {
    const member = memberOf(outlines[0], stringStart(name), stringLength(name));
    if (member === null || !holdsToStrings(member, most)) continue;
    tried++;
    const choice = new Choice(name);
    let all = true;
    for (let i = 0; i < outlines.length && all; i++) all = addStrings(choice, outlines[i], i, most);
    if (all && choice.strings.count > 1 && (best === null || choice.strings.count > best.strings.count)) best = choice;
  }
  return best;
}
