// The schema resources of a root and of the documents it refers to: their URIs, dialects and anchors, and what a reference names.

import { Places } from "../json/places";
import { Text } from "../memory/buffer";
import { allocateCleared, enterRegion } from "../memory/region";
import {
  ARRAY, NODE_SIZE, OBJECT, STRING, Value, count, first, get, isBoolean, isKind, kind, member, next, stringLength, stringStart,
} from "../json/value";
import { knownDialect, readVocabularies } from "./dialect";
import { Documents } from "./documents";
import {
  DRAFT_07, DRAFT_2020, HOLDS_DEPENDENCIES, HOLDS_EITHER, HOLDS_LIST, HOLDS_MAP, HOLDS_NONE, HOLDS_SCHEMA, K_UNKNOWN, VOCABULARY_ALL,
  holds, keywordOf,
} from "./keywords";
import { ENTRY_PAYLOAD, PropertyTable } from "./properties";
import { findFragment, percentDecode, resolveUri } from "./uri";

/** A schema resource: a root, or a schema with an `$id` of its own. */
@final
export class Resource {
  /** Anchors to the values they stand on. */
  anchors: PropertyTable = new PropertyTable();
  /** Those of `$dynamicAnchor` alone. */
  dynamicAnchors: PropertyTable = new PropertyTable();

  constructor(
    /** Its absolute URI without a fragment; "" of a root that has none. */
    public uri: Text,
    public root: Value,
    /** The document it stands in: 0 is the root's own. */
    public document: i32,
    public dialect: i32,
    public vocabularies: u32,
  ) {}
}

/** A JSON document whose resources are known: two words a node of its tape, of use only while compiling. */
@final
export class Document {
  /** For each node: 1 + the index of the resource that a schema there belongs to, or 0 where no schema is known to be. */
  private resources: usize;
  /** For each node: the address of what it was compiled to, or 0. */
  private compiled: usize;
  /** Where its values stand. */
  readonly places: Places;

  constructor(
    public uri: Text,
    public root: Value,
    workRegion: usize,
  ) {
    this.places = new Places(root);
    const size = (next(root) - root) / NODE_SIZE * 4;
    const region = enterRegion(workRegion);
    this.resources = allocateCleared(size);
    this.compiled = allocateCleared(size);
    enterRegion(region);
  }

  private slot(value: Value): usize {
    return (value - this.root) / NODE_SIZE * 4;
  }

  resourceAt(value: Value): i32 {
    return load<i32>(this.resources + this.slot(value)) - 1;
  }

  setResource(value: Value, resource: i32): void {
    store<i32>(this.resources + this.slot(value), resource + 1);
  }

  compiledAt(value: Value): usize {
    return load<u32>(this.compiled + this.slot(value));
  }

  setCompiled(value: Value, node: usize): void {
    store<u32>(this.compiled + this.slot(value), <u32>node);
  }
}

/** The reference names a schema: `referenced` and `referencedResource`. */
export const REFERENCE_FOUND: i32 = 0;
/** It names a place in the root's own document, and nothing is there. */
export const REFERENCE_BROKEN: i32 = 1;
/** It names another document that is not registered, or a place that is not in it. */
export const REFERENCE_UNKNOWN: i32 = 2;

/** What the last reference names. */
export let referenced: Value = 0;
export let referencedResource: i32 = 0;
/** The anchor it was named by is a `$dynamicAnchor`. */
export let referencedDynamic: bool = false;

/** What a problem met while a document's resources are found is. */
export const DUPLICATE_ANCHOR: i32 = 1;
export const DUPLICATE_ID: i32 = 2;

/** All resources known so far. */
@final
export class Resources {
  list: Array<Resource> = [];
  documents: Array<Document> = [];
  private byUri: PropertyTable = new PropertyTable();
  /** The registered documents that were read already. */
  private loaded: StaticArray<bool>;
  /** Schemas whose resources are to be found yet: pairs of value and resource. */
  private queue: Array<usize> = [];
  /** Where an anchor or `$id` stands twice: pairs of value and DUPLICATE_…. */
  duplicates: Array<usize> = [];

  constructor(
    private registered: Documents,
    private workRegion: usize,
  ) {
    this.loaded = new StaticArray<bool>(registered.uris.length);
  }

  /** Reads a document: finds every resource and anchor in it. Returns the index of its root's resource. */
  read(uri: Text, root: Value): i32 {
    const document = new Document(uri, root, this.workRegion);
    this.documents.push(document);
    const base = new Resource(uri, root, this.documents.length - 1, DRAFT_2020, VOCABULARY_ALL);
    this.readDialect(root, base);
    const index = this.add(base);
    const id = ownId(root, base.dialect);
    const length = id != 0 ? findFragment(stringStart(id), stringLength(id)) : 0;
    if (length > 0) {
      // It is known by where it was found and by what it calls itself.
      base.uri = resolveUri(uri, stringStart(id), length);
      this.byUriAdd(base, index);
    }
    this.queue.push(root);
    this.queue.push(index);
    for (let i = 0; i < this.queue.length; i += 2) this.readSchema(document, this.queue[i], <i32>this.queue[i + 1]);
    this.queue.length = 0;
    return index;
  }

  private add(resource: Resource): i32 {
    const index = this.list.length;
    this.list.push(resource);
    this.byUriAdd(resource, index);
    return index;
  }

  private byUriAdd(resource: Resource, index: i32): void {
    const entry = this.byUri.add(resource.uri.start, resource.uri.length);
    if (load<u32>(entry, ENTRY_PAYLOAD) == 0) store<u32>(entry, <u32>(index + 1), ENTRY_PAYLOAD);
    else if (resource.document == 0 && this.list[<i32>load<u32>(entry, ENTRY_PAYLOAD) - 1].root != resource.root) {
      this.duplicates.push(resource.root);
      this.duplicates.push(DUPLICATE_ID);
    }
  }

  /** Takes the dialect from `$schema`; what it does not know is left to what it was. */
  private readDialect(schema: Value, resource: Resource): void {
    const value = get(schema, "$schema");
    if (!isKind(value, STRING)) return;
    const start = stringStart(value);
    let length = stringLength(value);
    if (length > 0 && load<u8>(start + <usize>length - 1) == 0x23) length--;
    const known = knownDialect(start, length);
    if (known != 0) {
      resource.dialect = known;
      resource.vocabularies = VOCABULARY_ALL;
      return;
    }
    const index = this.registered.find(start, length);
    if (index < 0) return;
    const metaschema = this.registered.roots[index];
    const above = get(metaschema, "$schema");
    if (isKind(above, STRING)) {
      let aboveLength = stringLength(above);
      if (aboveLength > 0 && load<u8>(stringStart(above) + <usize>aboveLength - 1) == 0x23) aboveLength--;
      const dialect = knownDialect(stringStart(above), aboveLength);
      if (dialect != 0) resource.dialect = dialect;
    }
    const vocabularies = get(metaschema, "$vocabulary");
    if (resource.dialect == DRAFT_2020 && isKind(vocabularies, OBJECT)) resource.vocabularies = readVocabularies(vocabularies);
  }

  /** Whether a `$schema` names a dialect the walk knows, itself or through a registered metaschema. */
  knowsDialect(start: usize, length: i32): bool {
    if (length > 0 && load<u8>(start + <usize>length - 1) == 0x23) length--;
    return knownDialect(start, length) != 0 || this.registered.find(start, length) >= 0;
  }

  private readSchema(document: Document, schema: Value, parent: i32): void {
    let resource = parent;
    if (kind(schema) != OBJECT) {
      document.setResource(schema, resource);
      return;
    }
    let owner = this.list[parent];
    const id = ownId(schema, owner.dialect);
    if (id != 0) {
      const start = stringStart(id);
      const length = stringLength(id);
      const mark = findFragment(start, length);
      if (mark > 0 && schema != document.root) {
        const made = new Resource(resolveUri(owner.uri, start, mark), schema, owner.document, owner.dialect, owner.vocabularies);
        this.readDialect(schema, made);
        resource = this.add(made);
        owner = made;
      }
      if (owner.dialect == DRAFT_07 && mark + 1 < length) this.anchor(owner, start + <usize>mark + 1, length - mark - 1, schema, id);
    }
    document.setResource(schema, resource);
    if (owner.dialect == DRAFT_2020) {
      const anchor = get(schema, "$anchor");
      if (isKind(anchor, STRING)) this.anchor(owner, stringStart(anchor), stringLength(anchor), schema, anchor);
      const dynamic = get(schema, "$dynamicAnchor");
      if (isKind(dynamic, STRING)) {
        this.anchor(owner, stringStart(dynamic), stringLength(dynamic), schema, dynamic);
        store<u32>(owner.dynamicAnchors.add(stringStart(dynamic), stringLength(dynamic)), <u32>schema, ENTRY_PAYLOAD);
      }
    }
    this.queueSubschemas(schema, resource, owner);
  }

  private anchor(owner: Resource, start: usize, length: i32, schema: Value, at: Value): void {
    const inRoot = owner.document == 0;
    const table = owner.anchors;
    const entry = table.add(start, length);
    if (load<u32>(entry, ENTRY_PAYLOAD) == 0) {
      store<u32>(entry, <u32>schema, ENTRY_PAYLOAD);
    } else if (load<u32>(entry, ENTRY_PAYLOAD) != <u32>schema && inRoot) {
      this.duplicates.push(at);
      this.duplicates.push(DUPLICATE_ANCHOR);
    }
  }

  private queueSubschemas(schema: Value, resource: i32, owner: Resource): void {
    if (count(schema) == 0) return;
    const end = next(schema);
    for (let name = first(schema); name < end; name = next(next(name))) {
      const keyword = keywordOf(stringStart(name), stringLength(name), owner.dialect, owner.vocabularies);
      if (keyword == K_UNKNOWN) continue;
      const value = next(name);
      const what = holds(keyword);
      if (what == HOLDS_NONE || count(value) == 0 && kind(value) >= ARRAY) {
        if (what == HOLDS_SCHEMA || what == HOLDS_EITHER) this.push(value, resource);
        continue;
      }
      const list = kind(value) == ARRAY && (what == HOLDS_LIST || what == HOLDS_EITHER);
      if (list) {
        for (let element = first(value); element < next(value); element = next(element)) this.push(element, resource);
      } else if (kind(value) == OBJECT && (what == HOLDS_MAP || what == HOLDS_DEPENDENCIES)) {
        for (let inner = first(value); inner < next(value); inner = next(next(inner))) this.push(next(inner), resource);
      } else if (what == HOLDS_SCHEMA || what == HOLDS_EITHER) {
        this.push(value, resource);
      }
    }
  }

  private push(value: Value, resource: i32): void {
    if (kind(value) != OBJECT && !isBoolean(value)) return;
    this.queue.push(value);
    this.queue.push(resource);
  }

  /** The resource at a URI without a fragment, reading registered documents where needed; -1 where there is none. */
  private locate(uri: Text): i32 {
    const known = this.byUri.find(uri.start, uri.length);
    if (known != 0) return <i32>load<u32>(known, ENTRY_PAYLOAD) - 1;
    const index = this.registered.find(uri.start, uri.length);
    if (index >= 0) {
      this.load(index);
    } else {
      // It may be the `$id` of something inside a document that was not read yet.
      for (let i = 0; i < this.loaded.length; i++) this.load(i);
    }
    const entry = this.byUri.find(uri.start, uri.length);
    return entry != 0 ? <i32>load<u32>(entry, ENTRY_PAYLOAD) - 1 : -1;
  }

  private load(index: i32): void {
    if (this.loaded[index]) return;
    this.loaded[index] = true;
    this.read(this.registered.uris[index], this.registered.roots[index]);
  }

  /** Resolves a reference that stands in a resource; sets `referenced` and its companions. Returns REFERENCE_…. */
  resolve(start: usize, length: i32, from: i32): i32 {
    const mark = findFragment(start, length);
    let index = from;
    if (mark > 0) {
      index = this.locate(resolveUri(this.list[from].uri, start, mark));
      if (index < 0) return REFERENCE_UNKNOWN;
    }
    const missing = this.list[index].document == 0 ? REFERENCE_BROKEN : REFERENCE_UNKNOWN;
    referencedResource = index;
    referencedDynamic = false;
    referenced = this.list[index].root;
    if (mark + 1 >= length) return REFERENCE_FOUND;
    const fragment = percentDecode(start + <usize>mark + 1, length - mark - 1);
    if (load<u8>(fragment.start) == 0x2f) return this.follow(fragment) ? REFERENCE_FOUND : missing;
    const entry = this.list[index].anchors.find(fragment.start, fragment.length);
    if (entry == 0) return missing;
    referenced = load<u32>(entry, ENTRY_PAYLOAD);
    referencedDynamic = this.list[index].dynamicAnchors.find(fragment.start, fragment.length) != 0
      && <usize>load<u32>(this.list[index].dynamicAnchors.find(fragment.start, fragment.length), ENTRY_PAYLOAD) == referenced;
    return REFERENCE_FOUND;
  }

  /** Follows a JSON Pointer from `referenced`, and keeps the resource of the schemas it passes. */
  private follow(pointer: Text): bool {
    const document = this.documents[this.list[referencedResource].document];
    const end = pointer.start + <usize>pointer.length;
    let at = pointer.start;
    while (at < end) {
      const token = ++at;
      while (at < end && load<u8>(at) != 0x2f) at++;
      const length = unescapeToken(token, <i32>(at - token));
      const value = child(referenced, token, length);
      if (value == 0) return false;
      referenced = value;
      const resource = document.resourceAt(value);
      if (resource >= 0) referencedResource = resource;
    }
    return true;
  }
}

/** The `$id` that counts of a schema, or 0: beside draft-07's `$ref` none does. */
function ownId(schema: Value, dialect: i32): Value {
  const id = get(schema, "$id");
  if (!isKind(id, STRING)) return 0;
  return dialect == DRAFT_07 && isKind(get(schema, "$ref"), STRING) ? 0 : id;
}

/** Unescapes `~0` and `~1` in place (RFC 6901 section 4); returns the new length. */
function unescapeToken(start: usize, length: i32): i32 {
  let to = start;
  for (let i: usize = 0; i < <usize>length; i++) {
    let c = load<u8>(start + i);
    if (c == 0x7e && i + 1 < <usize>length) {
      const escaped = load<u8>(start + i + 1);
      if (escaped == 0x30 || escaped == 0x31) {
        c = escaped == 0x30 ? 0x7e : 0x2f;
        i++;
      }
    }
    store<u8>(to++, c);
  }
  return <i32>(to - start);
}

/** The child a pointer's token names, or 0. */
function child(value: Value, start: usize, length: i32): Value {
  if (kind(value) == OBJECT) return count(value) == 0 ? 0 : member(value, start, length);
  if (kind(value) != ARRAY || length == 0 || length > 9) return 0;
  if (length > 1 && load<u8>(start) == 0x30) return 0;
  let index = 0;
  for (let i: usize = 0; i < <usize>length; i++) {
    const digit = <i32>load<u8>(start + i) - 0x30;
    if (digit < 0 || digit > 9) return 0;
    index = index * 10 + digit;
  }
  if (index >= count(value)) return 0;
  let element = first(value);
  while (index-- > 0) element = next(element);
  return element;
}
