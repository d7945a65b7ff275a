// Lays a linked schema out as the flat program that the walk runs (program.ts): records one behind the other, breadth first from the root.

import { allocateCleared, enterRegion } from "../memory/region";
import { NUMBER, Value, numberValue } from "../json/value";
import { Choice, findChoice } from "./choice";
import { ArrayPart, DynamicAnchor, NumberPart, ObjectPart, Outline, PlacePart, Rest, TextPart, ValuesPart } from "./outline";
import {
  ASKS_ELEMENTS, ASKS_MEMBERS, ASKS_NOTHING, ASKS_NUMBER, ASKS_OTHER_KIND, ASKS_PARTS, ASKS_TEXT, ASKS_VALUES, ASKS_WHOLE,
  ArrayRecord, ChoiceRecord, DependentRecord, DynamicRecord, KINDS, NodeRecord, NumberRecord, ObjectRecord, PARTS_OF, PART_ARRAY, PART_NUMBER,
  PART_OBJECT, PART_PLACE, PART_REST_OF_ARRAY, PART_REST_OF_OBJECT, PART_TEXT, PART_VALUES, PlaceRecord, Schema, TextRecord, ValuesRecord,
} from "./program";
import { ENTRY_ASKS, ENTRY_LISTED, ENTRY_NUMBER, ENTRY_PAYLOAD, PropertyTable, entryAt, otherNames } from "./properties";

const NO_OUTLINE: Outline = changetype<Outline>(0);

/** One laying out. */
@final
export class Layout {
  /** Schemas that have a record, each with its parts written once it is behind `done`. */
  private queue: Array<Outline> = [];
  private done: i32 = 0;
  /** The schemas that let everything pass and, by rule, those that refuse everything. */
  private anything: Outline = NO_OUTLINE;
  private refusals: Array<Outline> = [];
  private size: i32 = 0;

  constructor(
    private schema: Schema,
    /** The region that the records are made in. */
    private home: usize,
  ) {}

  /** Writes the program of a schema whose root is `own` and where the walk begins at `entry`. */
  run(own: Outline, entry: Outline): void {
    const schema = this.schema;
    schema.own = this.recordOf(own);
    schema.program = changetype<usize>(schema.own);
    schema.entry = this.recordOf(entry);
    while (this.done < this.queue.length) this.writeParts(this.queue[this.done++]);
    schema.size = this.size;
  }

  private take(size: usize): usize {
    const rounded = (size + 7) & ~7;
    this.size += <i32>rounded;
    const work = enterRegion(this.home);
    const at = allocateCleared(rounded);
    enterRegion(work);
    return at;
  }

  /** The record of a schema; its parts are written when its turn comes. */
  private recordOf(outline: Outline): NodeRecord {
    if (outline.record != 0) return changetype<NodeRecord>(outline.record);
    const record = changetype<NodeRecord>(this.take(offsetof<NodeRecord>()));
    outline.record = changetype<usize>(record);
    record.types = outline.types;
    record.whole = outline.whole ? 1 : 0;
    record.typeRule = outline.typeRule;
    record.typeOperand = outline.typeOperand;
    record.parts = outline.parts;
    record.resource = outline.resource;
    for (let which = 0; which < KINDS; which++) store<u8>(changetype<usize>(record) + <usize>which, <u8>this.asked(outline, which));
    // Whoever has it as a member wants to know it at once.
    if ((outline.parts & PART_NUMBER) != 0) record.number = this.number(outline.number);
    this.queue.push(outline);
    return record;
  }

  private recordOrNone(outline: Outline | null): NodeRecord {
    return outline === null ? changetype<NodeRecord>(0) : this.recordOf(outline);
  }

  /** What a schema asks of a kind of value. */
  private asked(outline: Outline, which: i32): u32 {
    const parts = outline.parts & PARTS_OF[which];
    // Where all that is wrong is told, a value of another kind is held against the other parts too.
    if (((outline.types >> which) & 1) == 0) return parts == 0 ? ASKS_OTHER_KIND : ASKS_PARTS;
    if (which == NUMBER && outline.whole) return parts == 0 ? ASKS_WHOLE : ASKS_PARTS;
    if (parts == 0) return ASKS_NOTHING;
    if (parts == PART_NUMBER) return ASKS_NUMBER;
    if (parts == PART_TEXT) return ASKS_TEXT;
    if (parts == PART_VALUES) return ASKS_VALUES;
    // Where the resources gone through have to be seen, every schema is entered and left.
    if (this.schema.dynamic) return ASKS_PARTS;
    if (parts == PART_OBJECT) {
      const part = outline.object;
      return !part.limited && part.patterns.length == 0 && part.names === null && part.dependents.length == 0 ? ASKS_MEMBERS : ASKS_PARTS;
    }
    if (parts == PART_ARRAY) {
      const part = outline.array;
      return part.prefix.length == 0 && part.contains === null && !part.unique && changetype<usize>(part.rest) != 0 ? ASKS_ELEMENTS : ASKS_PARTS;
    }
    return ASKS_PARTS;
  }

  /** The schema of a `Rest`: that of a literal false refuses by the keyword's own name. */
  private restOf(rest: Rest): NodeRecord {
    if (changetype<usize>(rest) == 0) return changetype<NodeRecord>(0);
    if (!rest.none) return this.recordOf(rest.node);
    for (let i = 0; i < this.refusals.length; i++) if (this.refusals[i].typeRule == rest.rule) return this.recordOf(this.refusals[i]);
    const refusal = new Outline(0, rest.node.resource);
    refusal.types = 0;
    refusal.typeRule = rest.rule;
    this.refusals.push(refusal);
    return this.recordOf(refusal);
  }

  /** The schema that lets everything pass. */
  private anythingOf(resource: i32): NodeRecord {
    if (this.anything === NO_OUTLINE) this.anything = new Outline(0, resource);
    return this.recordOf(this.anything);
  }

  private list(outlines: StaticArray<Outline>): usize {
    const total = outlines.length;
    if (total == 0) return 0;
    const list = this.take((<usize>total << 2) + 4);
    store<i32>(list, total);
    for (let i = 0; i < total; i++) store<u32>(list + (<usize>i << 2), <u32>changetype<usize>(this.recordOf(outlines[i])), 4);
    return list;
  }

  private writeParts(outline: Outline): void {
    const record = changetype<NodeRecord>(outline.record);
    const parts = outline.parts;
    if ((parts & PART_VALUES) != 0) record.values = this.values(outline.values);
    if ((parts & PART_TEXT) != 0) record.text = this.text(outline.text);
    if ((parts & PART_OBJECT) != 0) record.object = this.object(outline.object, outline.resource);
    if ((parts & PART_ARRAY) != 0) record.array = this.array(outline.array);
    if ((parts & PART_PLACE) != 0) record.place = this.place(outline.place);
    if ((parts & PART_REST_OF_OBJECT) != 0) record.restOfObject = this.restOf(outline.restOfObject);
    if ((parts & PART_REST_OF_ARRAY) != 0) record.restOfArray = this.restOf(outline.restOfArray);
  }

  private values(part: ValuesPart): ValuesRecord {
    const record = changetype<ValuesRecord>(this.take(offsetof<ValuesRecord>()));
    record.enumeration = part.enumeration;
    record.constant = part.constant;
    if (part.strings !== null) record.strings = part.strings!.layOut(this.take(<usize>part.strings!.layoutSize));
    return record;
  }

  private text(part: TextPart): TextRecord {
    const record = changetype<TextRecord>(this.take(offsetof<TextRecord>()));
    record.minimum = part.minimum;
    record.maximum = part.maximum;
    record.minimumOperand = part.minimumOperand;
    record.maximumOperand = part.maximumOperand;
    record.pattern = changetype<usize>(part.pattern);
    record.patternOperand = part.patternOperand;
    record.format = part.format;
    record.formatOperand = part.formatOperand;
    return record;
  }

  private number(part: NumberPart): NumberRecord {
    const record = changetype<NumberRecord>(this.take(offsetof<NumberRecord>()));
    record.minimum = part.minimum;
    record.maximum = part.maximum;
    record.exclusiveMinimum = part.exclusiveMinimum;
    record.exclusiveMaximum = part.exclusiveMaximum;
    record.multipleOf = part.multipleOf;
    record.shortDivisor = part.shortDivisor;
    record.above = Math.max(limit(part.minimum, -Infinity), limit(part.exclusiveMinimum, -Infinity));
    record.below = Math.min(limit(part.maximum, Infinity), limit(part.exclusiveMaximum, Infinity));
    return record;
  }

  private object(part: ObjectPart, resource: i32): ObjectRecord {
    const record = changetype<ObjectRecord>(this.take(offsetof<ObjectRecord>()));
    const table = part.table;
    record.names = table.layOut(this.take(<usize>table.layoutSize));
    record.entries = record.names.entries;
    record.hasAdditional = changetype<usize>(part.additional) != 0 ? 1 : 0;
    record.additional = record.hasAdditional != 0 ? this.restOf(part.additional) : this.anythingOf(resource);
    store<u32>(otherNames(record.names), <u32>changetype<usize>(record.additional), ENTRY_PAYLOAD);
    store<u64>(otherNames(record.names), record.additional.asks, ENTRY_ASKS);
    for (let i = 0; i < table.count; i++) {
      const entry = entryAt(record.names, i);
      const outline = <usize>load<u32>(table.entry(i), ENTRY_PAYLOAD);
      const child = outline != 0 ? this.recordOf(changetype<Outline>(outline)) : record.additional;
      store<u32>(entry, <u32>changetype<usize>(child), ENTRY_PAYLOAD);
      store<u64>(entry, child.asks, ENTRY_ASKS);
      store<u32>(entry, <u32>changetype<usize>(child.number), ENTRY_NUMBER);
      store<u32>(entry, outline != 0 ? 1 : 0, ENTRY_LISTED);
    }
    record.required = part.required;
    record.minimum = part.minimum;
    record.maximum = part.maximum;
    record.minimumOperand = part.minimumOperand;
    record.maximumOperand = part.maximumOperand;
    record.propertyNames = this.recordOrNone(part.names);
    record.listsProperties = part.properties != 0 ? 1 : 0;
    record.declaresRest = part.declaresRest ? 1 : 0;
    record.patterns = this.patterns(part);
    record.dependents = this.dependents(part);
    return record;
  }

  private patterns(part: ObjectPart): usize {
    const total = part.patterns.length;
    if (total == 0) return 0;
    const list = this.take(8 + (<usize>total << 3));
    store<i32>(list, total);
    for (let i = 0; i < total; i++) {
      const at = list + 8 + (<usize>i << 3);
      store<u32>(at, <u32>changetype<usize>(part.patterns[i].pattern));
      store<u32>(at, <u32>changetype<usize>(this.recordOf(part.patterns[i].node)), 4);
    }
    return list;
  }

  private dependents(part: ObjectPart): usize {
    const total = part.dependents.length;
    if (total == 0) return 0;
    const list = this.take(8 + <usize>total * offsetof<DependentRecord>());
    store<i32>(list, total);
    for (let i = 0; i < total; i++) {
      const dependent = part.dependents[i];
      const record = changetype<DependentRecord>(list + 8 + <usize>i * offsetof<DependentRecord>());
      record.name = dependent.name;
      record.names = dependent.names;
      record.rule = dependent.rule;
      record.node = this.recordOrNone(dependent.node);
    }
    return list;
  }

  private array(part: ArrayPart): ArrayRecord {
    const record = changetype<ArrayRecord>(this.take(offsetof<ArrayRecord>()));
    record.minimum = part.minimum;
    record.maximum = part.maximum;
    record.minimumOperand = part.minimumOperand;
    record.maximumOperand = part.maximumOperand;
    record.unique = part.unique ? 1 : 0;
    record.prefix = this.list(part.prefix);
    record.rest = this.restOf(part.rest);
    record.contains = this.recordOrNone(part.contains);
    record.minimumContains = part.minimumContains;
    record.maximumContains = part.maximumContains;
    record.minimumContainsOperand = part.minimumContainsOperand;
    record.maximumContainsOperand = part.maximumContainsOperand;
    return record;
  }

  private place(part: PlacePart): PlaceRecord {
    const record = changetype<PlaceRecord>(this.take(offsetof<PlaceRecord>()));
    record.all = this.list(part.all);
    record.any = this.list(part.any);
    record.one = this.list(part.one);
    record.anyChoice = this.choice(part.any);
    record.oneChoice = this.choice(part.one);
    record.not = this.recordOrNone(part.not);
    record.condition = this.recordOrNone(part.condition);
    record.then = this.recordOrNone(part.then);
    record.otherwise = this.recordOrNone(part.otherwise);
    const dynamic = part.dynamic;
    if (dynamic === null) return record;
    record.dynamic = changetype<DynamicRecord>(this.take(offsetof<DynamicRecord>()));
    record.dynamic.fallback = this.recordOf(dynamic.fallback);
    record.dynamic.nodes = this.dynamicList(dynamic.anchor);
    return record;
  }

  /** The schemas of a dynamic anchor by resource: one list for all that refer to it. */
  private dynamicList(anchor: DynamicAnchor): usize {
    const total = anchor.resources.length;
    if (total == 0 || anchor.list != 0) return anchor.list;
    anchor.list = this.take(8 + (<usize>total << 3));
    store<i32>(anchor.list, total);
    for (let i = 0; i < total; i++) {
      const at = anchor.list + 8 + (<usize>i << 3);
      store<i32>(at, anchor.resources[i]);
      store<u32>(at, <u32>changetype<usize>(this.recordOf(anchor.nodes[i])), 4);
    }
    return anchor.list;
  }

  private choice(outlines: StaticArray<Outline>): ChoiceRecord {
    const found: Choice | null = findChoice(outlines);
    if (found === null) return changetype<ChoiceRecord>(0);
    const record = changetype<ChoiceRecord>(this.take(offsetof<ChoiceRecord>()));
    record.name = found.name;
    record.required = found.required ? 1 : 0;
    const strings: PropertyTable = found.strings;
    record.strings = strings.layOut(this.take(<usize>strings.layoutSize));
    const lists = found.allowing(outlines);
    for (let i = 0; i < strings.count; i++) {
      store<u32>(entryAt(record.strings, i), <u32>this.list(StaticArray.fromArray<Outline>(lists[i])), ENTRY_PAYLOAD);
    }
    return record;
  }
}

function limit(operand: Value, otherwise: f64): f64 {
  return operand == 0 ? otherwise : numberValue(operand);
}
