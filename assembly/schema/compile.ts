// Compiles a schema, with the documents it refers to, into a program.

import { Buffer, Text } from "../memory/buffer";
import { startsWithAscii } from "../memory/bytes";
import { createRegion, dropRegion, enterRegion } from "../memory/region";
import {
  ARRAY, FALSE, OBJECT, STRING, TRUE, Value, count, first, get, isBoolean, isKind, kind, next, stringLength, stringStart,
} from "../json/value";
import { writePointerToken } from "../json/pointer";
import { PATTERN_INVALID, PATTERN_OK, PATTERN_UNSUPPORTED, Pattern, compilePattern } from "../regex/compile";
import { Documents } from "./documents";
import { compileAssertion } from "./assertions";
import { link } from "./link";
import { compileDependents, compilePatternProperties, compileProperties } from "./members";
import {
  DRAFT_07, HOLDS_LIST, HOLDS_MAP, HOLDS_NONE, HOLDS_SCHEMA, K_ADDITIONAL_ITEMS, K_ADDITIONAL_PROPERTIES, K_ALL_OF, K_ANY_OF, K_CONTAINS, K_DEFS, K_DEFINITIONS,
  K_DEPENDENCIES, K_DEPENDENT_SCHEMAS, K_DYNAMIC_REF, K_ELSE, K_IF, K_ITEMS, K_NOT, K_ONE_OF, K_PATTERN_PROPERTIES, K_PREFIX_ITEMS,
  K_PROPERTIES, K_PROPERTY_NAMES, K_REF, K_SCHEMA, K_THEN, K_UNEVALUATED_ITEMS, K_UNEVALUATED_PROPERTIES, K_UNKNOWN, asserts, holds, keywordOf,
} from "./keywords";
import { Layout } from "./layout";
import { ArrayPart, DynamicAnchor, DynamicTarget, ObjectPart, Outline, PlacePart, Rest } from "./outline";
import { PART_ARRAY, PART_OBJECT, PART_PLACE, PART_REST_OF_ARRAY, PART_REST_OF_OBJECT, Schema, SchemaProblem } from "./program";
import { ENTRY_LENGTH, ENTRY_PAYLOAD, ENTRY_START, PropertyTable } from "./properties";
import {
  DUPLICATE_ANCHOR, REFERENCE_BROKEN, REFERENCE_FOUND, Resource, Resources, referenced, referencedDynamic, referencedResource,
} from "./resources";
import {
  RULE_ADDITIONAL_ITEMS, RULE_ADDITIONAL_PROPERTIES, RULE_FALSE, RULE_UNEVALUATED_ITEMS,
  RULE_UNEVALUATED_PROPERTIES,
} from "./rules";

/**
 * Compiles a schema (chapter 2, what the schema walk asserts).
 * @param root the schema's value; it and the documents must live as long as the result
 * @param documents the schemas registered beside the policy
 * @param assertFormats whether `format` is asserted (the check does) or an annotation
 * @returns the program in the current region; look at `invalid` before running it
 */
export function compileSchema(root: Value, documents: Documents, assertFormats: bool): Schema {
  const schema = new Schema(root);
  const work = createRegion();
  const home = enterRegion(work);
  new Compiler(schema, documents, assertFormats, work, home).run();
  enterRegion(home);
  dropRegion(work);
  return schema;
}

/** A list whose nodes are filled in as it is compiled. */
function emptyList(total: i32): StaticArray<Outline> {
  return new StaticArray<Outline>(total);
}

/** One compilation. Schemas wait in a queue, so that it never goes deeper than one of them, whatever the nesting. */
@final
export class Compiler {
  resources: Resources;
  /** All nodes, each with its keywords compiled once it is behind `done`. */
  nodes: Array<Outline> = [];
  private done: i32 = 0;
  /** The dynamic anchors that are referred to, by name: a DynamicAnchor each. */
  private anchors: PropertyTable = new PropertyTable();

  constructor(
    private schema: Schema,
    documents: Documents,
    public assertFormats: bool,
    work: usize,
    /** The region of what outlives the compilation. */
    private home: usize,
  ) {
    this.resources = new Resources(documents, work);
  }

  run(): void {
    const schema = this.schema;
    const index = this.resources.read(new Text(0, 0), schema.root);
    const own = this.nodeOf(schema.root, index);
    this.compileAll();
    // A `$dynamicRef` may lead to its anchor in any resource, those found meanwhile too.
    for (let before = -1; before != this.nodes.length; ) {
      before = this.nodes.length;
      this.targetDynamic();
      this.compileAll();
    }
    this.reportDuplicates();
    schema.invalid = schema.problems.length != 0;
    schema.partial = schema.unasserted.length != 0;
    new Layout(schema, this.home).run(own, schema.dynamic ? own : link(this.nodes, own));
  }

  private compileAll(): void {
    while (this.done < this.nodes.length) this.compileNode(this.nodes[this.done++]);
  }

  /** Finds the schemas of dynamic anchors in the resources that were not looked at yet. */
  private targetDynamic(): void {
    const list = this.resources.list;
    for (let i = 0; i < this.anchors.count; i++) {
      const anchor = changetype<DynamicAnchor>(<usize>load<u32>(this.anchors.entry(i), ENTRY_PAYLOAD));
      anchor.resources.length = 0;
      anchor.nodes.length = 0;
    }
    if (this.anchors.count == 0) return;
    for (let r = 0; r < list.length; r++) {
      const own = list[r].dynamicAnchors;
      for (let i = 0; i < own.count; i++) {
        const entry = own.entry(i);
        const wanted = this.anchors.find(load<u32>(entry, ENTRY_START), load<i32>(entry, ENTRY_LENGTH));
        if (wanted == 0) continue;
        const anchor = changetype<DynamicAnchor>(<usize>load<u32>(wanted, ENTRY_PAYLOAD));
        anchor.resources.push(r);
        anchor.nodes.push(this.nodeOf(load<u32>(entry, ENTRY_PAYLOAD), r));
      }
    }
  }

  private reportDuplicates(): void {
    const list = this.resources.duplicates;
    for (let i = 0; i < list.length; i += 2) {
      const message = list[i + 1] == DUPLICATE_ANCHOR ? "two schemas of one resource have this anchor; rename one" : "two schemas have this $id; rename one";
      this.problem(list[i], 0, message);
    }
  }

  /** Where a value stands: a pointer from the schema's root; in a registered document `#` and a pointer to there (`placeAt`). */
  private locate(value: Value): Text {
    const out = new Buffer(32);
    const documents = this.resources.documents;
    for (let i = 0; i < documents.length; i++) {
      const document = documents[i];
      if (value < document.root || value >= next(document.root)) continue;
      if (i != 0) {
        out.ascii("#/documents");
        writePointerToken(document.uri.start, document.uri.length, out);
      }
      document.places.write(value, out);
    }
    return out.view();
  }

  /** Notes that the schema is not valid because of a keyword's value. Only the first problem of a place is kept by its pointer. */
  problem(value: Value, resource: i32, message: string): void {
    const work = enterRegion(this.home);
    this.schema.problems.push(new SchemaProblem(this.locate(value), message));
    enterRegion(work);
  }

  /** Notes that something at `value` is not asserted. */
  notAsserted(value: Value, why: string): void {
    const work = enterRegion(this.home);
    this.schema.unasserted.push(new SchemaProblem(this.locate(value), why));
    enterRegion(work);
  }

  /** The node of a schema value, which is compiled later where it is new. The value must be an object or a boolean. */
  nodeOf(value: Value, resource: i32): Outline {
    const document = this.resources.documents[this.resources.list[resource].document];
    const known = document.compiledAt(value);
    if (known != 0) return changetype<Outline>(known);
    const own = document.resourceAt(value);
    const node = new Outline(value, own >= 0 ? own : resource);
    document.setCompiled(value, changetype<usize>(node));
    this.nodes.push(node);
    return node;
  }

  /** The node of a subschema; a value that can be no schema is a problem, and stands for `true`. */
  subschema(value: Value, owner: Outline): Outline {
    return this.nodeOf(value, owner.resource);
  }

  private compileNode(node: Outline): void {
    const source = node.source;
    if (kind(source) == TRUE) return;
    if (kind(source) == FALSE) {
      node.types = 0;
      node.typeRule = RULE_FALSE;
      return;
    }
    if (kind(source) != OBJECT) {
      this.problem(source, node.resource, "a schema must be an object, true or false");
      return;
    }
    if (count(source) == 0) return;
    const resource = this.resources.list[node.resource];
    const alone = resource.dialect == DRAFT_07 && get(source, "$ref") != 0;
    const end = next(source);
    for (let name = first(source); name < end; name = next(next(name))) {
      const keyword = keywordOf(stringStart(name), stringLength(name), resource.dialect, resource.vocabularies);
      const value = next(name);
      if (keyword == K_UNKNOWN) {
        if (!startsWithAscii(stringStart(name), stringLength(name), "x-")) this.notAsserted(value, "this keyword is not known");
        continue;
      }
      // Beside draft-07's `$ref` nothing counts; schemas that stand there can be referred to all the same.
      if (alone && keyword != K_REF) {
        if (asserts(keyword)) this.notAsserted(value, "beside $ref nothing counts in draft-07");
        this.compileAside(node, keyword, value);
        continue;
      }
      if (!this.compileApplicator(node, resource, keyword, value)) compileAssertion(this, node, resource, keyword, value);
    }
  }

  /** Compiles the schemas in a keyword's value without applying them. */
  private compileAside(node: Outline, keyword: i32, value: Value): void {
    const what = holds(keyword);
    if (what == HOLDS_SCHEMA) {
      this.subschema(value, node);
    } else if (what == HOLDS_MAP) {
      if (!this.isMap(node, value)) return;
      if (count(value) == 0) return;
      for (let name = first(value); name < next(value); name = next(next(name))) this.subschema(next(name), node);
    } else if (what == HOLDS_LIST && kind(value) == ARRAY && count(value) != 0) {
      for (let element = first(value); element < next(value); element = next(element)) this.subschema(element, node);
    }
  }

  isMap(node: Outline, value: Value): bool {
    if (kind(value) == OBJECT) return true;
    this.problem(value, node.resource, "must be an object");
    return false;
  }

  /** The part that speaks of objects, made where it is not there yet. */
  objectPart(node: Outline): ObjectPart {
    if ((node.parts & PART_OBJECT) == 0) {
      node.parts |= PART_OBJECT;
      node.object = new ObjectPart();
    }
    return node.object;
  }

  arrayPart(node: Outline): ArrayPart {
    if ((node.parts & PART_ARRAY) == 0) {
      node.parts |= PART_ARRAY;
      node.array = new ArrayPart();
    }
    return node.array;
  }

  private placePart(node: Outline): PlacePart {
    if ((node.parts & PART_PLACE) == 0) {
      node.parts |= PART_PLACE;
      node.place = new PlacePart();
    }
    return node.place;
  }

  private rest(node: Outline, value: Value, rule: i32): Rest {
    return new Rest(this.subschema(value, node), kind(value) == FALSE, rule);
  }

  private list(node: Outline, value: Value, least: i32): StaticArray<Outline> {
    if (kind(value) != ARRAY || count(value) < least) {
      this.problem(value, node.resource, least == 0 ? "must be a list of schemas" : "must be a list of at least one schema");
      return emptyList(0);
    }
    const nodes = emptyList(count(value));
    let element = first(value);
    for (let i = 0; i < nodes.length; i++) {
      nodes[i] = this.subschema(element, node);
      element = next(element);
    }
    return nodes;
  }

  private compileApplicator(node: Outline, resource: Resource, keyword: i32, value: Value): bool {
    switch (keyword) {
      case K_REF: this.reference(node, value, false); return true;
      case K_DYNAMIC_REF: this.reference(node, value, true); return true;
      case K_ALL_OF: {
        const place = this.placePart(node);
        place.all = place.all.concat<StaticArray<Outline>>(this.list(node, value, 1));
        return true;
      }
      case K_ANY_OF: this.placePart(node).any = this.list(node, value, 1); return true;
      case K_ONE_OF: this.placePart(node).one = this.list(node, value, 1); return true;
      case K_NOT: this.placePart(node).not = this.subschema(value, node); return true;
      case K_IF: this.placePart(node).condition = this.subschema(value, node); return true;
      case K_THEN: this.placePart(node).then = this.subschema(value, node); return true;
      case K_ELSE: this.placePart(node).otherwise = this.subschema(value, node); return true;
      case K_PROPERTIES: compileProperties(this, node, value); return true;
      case K_PATTERN_PROPERTIES: compilePatternProperties(this, node, value); return true;
      case K_ADDITIONAL_PROPERTIES: {
        const part = this.objectPart(node);
        part.additional = this.rest(node, value, RULE_ADDITIONAL_PROPERTIES);
        part.declaresRest = kind(value) == OBJECT;
        return true;
      }
      case K_PROPERTY_NAMES: this.objectPart(node).names = this.subschema(value, node); return true;
      case K_DEPENDENT_SCHEMAS:
      case K_DEPENDENCIES: compileDependents(this, node, keyword, value); return true;
      case K_PREFIX_ITEMS: this.arrayPart(node).prefix = this.list(node, value, 1); return true;
      case K_ITEMS: {
        if (resource.dialect != DRAFT_07) {
          this.arrayPart(node).rest = this.rest(node, value, RULE_FALSE);
        } else if (kind(value) == ARRAY) {
          this.arrayPart(node).prefix = this.list(node, value, 0);
        } else {
          this.arrayPart(node).rest = this.rest(node, value, RULE_FALSE);
        }
        return true;
      }
      case K_ADDITIONAL_ITEMS: {
        // Without a list of `items` it says nothing.
        if (isKind(get(node.source, "items"), ARRAY)) this.arrayPart(node).rest = this.rest(node, value, RULE_ADDITIONAL_ITEMS);
        else this.subschema(value, node);
        return true;
      }
      case K_CONTAINS: this.arrayPart(node).contains = this.subschema(value, node); return true;
      case K_UNEVALUATED_ITEMS: {
        node.parts |= PART_REST_OF_ARRAY;
        node.restOfArray = this.rest(node, value, RULE_UNEVALUATED_ITEMS);
        return true;
      }
      case K_UNEVALUATED_PROPERTIES: {
        node.parts |= PART_REST_OF_OBJECT;
        node.restOfObject = this.rest(node, value, RULE_UNEVALUATED_PROPERTIES);
        return true;
      }
      case K_DEFS:
      case K_DEFINITIONS: {
        // Of a registered document only what is referred to counts.
        if (resource.document == 0) this.compileAside(node, keyword, value);
        return true;
      }
      case K_SCHEMA: this.dialect(node, value); return true;
      default: {
        if (holds(keyword) == HOLDS_NONE) return false;
        this.compileAside(node, keyword, value);
        return true;
      }
    }
  }

  /** `$schema` counts at the root of a resource. */
  private dialect(node: Outline, value: Value): void {
    if (kind(value) != STRING) {
      this.problem(value, node.resource, "must be a string");
      return;
    }
    if (node.source != this.resources.list[node.resource].root) return;
    if (!this.resources.knowsDialect(stringStart(value), stringLength(value))) this.notAsserted(value, "this dialect is not known");
  }

  private reference(node: Outline, value: Value, dynamic: bool): void {
    if (kind(value) != STRING) {
      this.problem(value, node.resource, "must be a string");
      return;
    }
    const found = this.resources.resolve(stringStart(value), stringLength(value), node.resource);
    if (found == REFERENCE_BROKEN) {
      this.problem(value, node.resource, "names no schema of this document");
      return;
    }
    if (found != REFERENCE_FOUND) {
      this.notAsserted(value, "nothing is registered there");
      return;
    }
    if (kind(referenced) != OBJECT && !isBoolean(referenced)) {
      this.problem(value, node.resource, "names something that is no schema");
      return;
    }
    const toDynamic = dynamic && referencedDynamic;
    const target = this.nodeOf(referenced, referencedResource);
    const place = this.placePart(node);
    if (!toDynamic) {
      place.all = place.all.concat<StaticArray<Outline>>([target]);
      return;
    }
    const anchor = get(target.source, "$dynamicAnchor");
    const entry = this.anchors.add(stringStart(anchor), stringLength(anchor));
    if (load<u32>(entry, ENTRY_PAYLOAD) == 0) store<u32>(entry, <u32>changetype<usize>(new DynamicAnchor()), ENTRY_PAYLOAD);
    place.dynamic = new DynamicTarget(changetype<DynamicAnchor>(<usize>load<u32>(entry, ENTRY_PAYLOAD)), target);
    this.schema.dynamic = true;
  }

  /** Compiles a pattern (a string node); null where it is not asserted, which is then noted at `at`. */
  pattern(text: Value, at: Value, node: Outline): Pattern | null {
    const work = enterRegion(this.home);
    const pattern = compilePattern(stringStart(text), stringLength(text));
    enterRegion(work);
    if (pattern.problem == PATTERN_OK) return pattern;
    const unsupported = pattern.problem == PATTERN_UNSUPPORTED;
    const invalid = pattern.problem == PATTERN_INVALID;
    const why = unsupported ? "" : invalid ? "is no regular expression of ECMA-262 with the u flag" : "is a regular expression that is too large; use smaller bounds";
    enterRegion(this.home);
    const found = new SchemaProblem(this.locate(at), why);
    found.inPattern = pattern.message;
    found.offset = pattern.offset;
    if (unsupported) this.schema.unasserted.push(found);
    else this.schema.problems.push(found);
    enterRegion(work);
    return null;
  }
}
