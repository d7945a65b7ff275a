// Which dialect a `$schema` names, and which vocabularies a metaschema lists.

import { equalAscii } from "../memory/bytes";
import { OBJECT, TRUE, Value, count, first, isKind, kind, next, stringLength, stringStart } from "../json/value";
import {
  DRAFT_07, DRAFT_2020, VOCABULARY_APPLICATOR, VOCABULARY_CONTENT, VOCABULARY_FORMAT, VOCABULARY_FORMAT_ASSERTION, VOCABULARY_META_DATA,
  VOCABULARY_UNEVALUATED, VOCABULARY_VALIDATION,
} from "./keywords";

/** The dialect of a standard `$schema`, without its empty fragment; 0 for others. */
export function knownDialect(start: usize, length: i32): i32 {
  if (equalAscii(start, length, "https://json-schema.org/draft/2020-12/schema")) return DRAFT_2020;
  if (equalAscii(start, length, "http://json-schema.org/draft-07/schema")) return DRAFT_07;
  if (equalAscii(start, length, "https://json-schema.org/draft-07/schema")) return DRAFT_07;
  return 0;
}

const VOCABULARY_PREFIX: string = "https://json-schema.org/draft/2020-12/vocab/";

/** The vocabularies that a metaschema lists, required or not. */
export function readVocabularies(list: Value): u32 {
  let found: u32 = 0;
  if (count(list) == 0) return found;
  const skip = <usize>VOCABULARY_PREFIX.length;
  for (let name = first(list); name < next(list); name = next(next(name))) {
    const start = stringStart(name);
    const length = stringLength(name);
    if (length <= <i32>skip || !equalAscii(start, <i32>skip, VOCABULARY_PREFIX)) continue;
    const at = start + skip;
    const rest = length - <i32>skip;
    if (equalAscii(at, rest, "applicator")) found |= VOCABULARY_APPLICATOR;
    else if (equalAscii(at, rest, "unevaluated")) found |= VOCABULARY_UNEVALUATED;
    else if (equalAscii(at, rest, "validation")) found |= VOCABULARY_VALIDATION;
    else if (equalAscii(at, rest, "format-annotation")) found |= VOCABULARY_FORMAT;
    else if (equalAscii(at, rest, "format-assertion")) found |= VOCABULARY_FORMAT | VOCABULARY_FORMAT_ASSERTION;
    else if (equalAscii(at, rest, "content")) found |= VOCABULARY_CONTENT;
    else if (equalAscii(at, rest, "meta-data")) found |= VOCABULARY_META_DATA;
  }
  return found;
}

/** Whether a `$vocabulary` of a metaschema requires one that the walk does not know. */
export function requiresUnknownVocabulary(list: Value): bool {
  if (!isKind(list, OBJECT) || count(list) == 0) return false;
  for (let name = first(list); name < next(list); name = next(next(name))) {
    if (kind(next(name)) != TRUE) continue;
    const length = stringLength(name);
    if (length < VOCABULARY_PREFIX.length || !equalAscii(stringStart(name), VOCABULARY_PREFIX.length, VOCABULARY_PREFIX)) return true;
  }
  return false;
}
