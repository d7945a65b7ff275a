// Gives the core's problems (a code, a message and a pointer into the compiled policy) their place in the sources and a hint.
import { membersAt, wordsAt } from './members.ts';
import { nearest } from './nearest.ts';
import { isObject, type JsonObject, type JsonValue, type Place, type Positions, unescapeToken } from './position.ts';
import { type Problem, problemAt, type Severity } from './problems.ts';

/** A problem or warning as the core answers it. */
export interface CoreProblem { code: string; message: string; pointer: string; hint?: string }

/** Where in a condition or pattern a problem is: the core's sentences say it so, in bytes of UTF-8. */
const AT_BYTE = /\(at byte (\d+) of the (condition|pattern)\)/;

/** Codes that a failed import may have caused: a tool that is not there cannot be named. */
const MAY_BE_MISSING = new Set(['policy_unknown_tool', 'policy_unknown_argument', 'policy_document']);

/** What compiling knows besides the draft: whether an import failed, and the names of imported tools. */
export interface Origin { incomplete: boolean; imported: readonly { tool: string }[] }

/** The core's problems at their places. Those that a failed import may have caused are left out when `incomplete`. */
export function placed(problems: readonly CoreProblem[], severity: Severity, draft: JsonObject, positions: Positions, { incomplete, imported }: Origin): Problem[] {
  return problems.filter(({ code }) => !(incomplete && MAY_BE_MISSING.has(code))).map((problem) => {
    const inside = AT_BYTE.exec(problem.message);
    const value = valueAt(draft, problem.pointer);
    // The patterns of patternProperties are names of members.
    const isPatternName = inside?.[2] === 'pattern' && typeof value !== 'string';
    const position = positions.at(problem.pointer, isPatternName || problem.code === 'policy_unknown_member' ? 'name' : 'value');
    const text = isPatternName ? unescapeToken(problem.pointer.slice(problem.pointer.lastIndexOf('/') + 1)) : value;
    const place = position.found ? within(position.place, inside, text) : { ...position.place, end: position.place.start };
    const hint = problem.hint ?? overImport(problem, draft, imported) ?? hintFor(problem, draft);
    return problemAt(place, { code: problem.code, severity, message: problem.message, hint, pointer: problem.pointer });
  });
}

/** The place inside a string to which the core's sentence points, when the string stands in the source as it is. */
function within(place: Place, inside: RegExpExecArray | null, value: JsonValue | undefined): Place {
  if (inside === null || typeof value !== 'string') return place;
  const start = place.source.text.slice(place.start, place.end).indexOf(value);
  if (start < 0) return place;
  const units = new TextDecoder().decode(new TextEncoder().encode(value).subarray(0, Number(inside[1]))).length;
  const at = place.start + start + units;
  return { source: place.source, start: at, end: Math.min(place.end, at + 1) };
}

/** A listing is not what people edit: the words go over the imported tool, in the policy. */
function overImport({ code, pointer }: CoreProblem, draft: JsonObject, imported: Origin['imported']): string | undefined {
  const tool = valueAt(draft, pointer);
  const name = code === 'write_without_undo' && isObject(tool) ? tool['name'] : undefined;
  if (typeof name !== 'string' || !imported.some((one) => one.tool === name)) return undefined;
  return `Lay words over it in the policy: - {name: ${name}, irreversible: true}, or undo: {tool: …, bind: {…}}, or effect: read where it only reads.`;
}

/** What to write instead, found from what is written and from the tables. The core's message already says what is wanted. */
function hintFor(problem: CoreProblem, draft: JsonObject): string | undefined {
  const tokens = problem.pointer.split('/').slice(1).map(unescapeToken);
  const last = tokens.at(-1) ?? '';
  const value = valueAt(draft, problem.pointer);
  if (problem.code === 'policy_unknown_member') {
    const known = membersAt(problem.pointer.slice(0, Math.max(0, problem.pointer.lastIndexOf('/'))));
    const meant = ELSEWHERE.get(last)?.find((name) => known.includes(name)) ?? nearest(last, known);
    return meant ? `Did you mean ${meant}?` : undefined;
  }
  const words = wordsAt(problem.pointer);
  if (words && typeof value === 'string') return didYouMean(value, words);
  if (problem.code === 'policy_unknown_tool' && typeof value === 'string') {
    return didYouMean(value, [...toolNames(draft), 'untrusted']) ?? 'Name a tool that stands in tools:, or import it.';
  }
  if (problem.code === 'policy_unknown_argument') return argumentHint(tokens, value, draft);
  if (problem.code === 'policy_schema' && AT_BYTE.test(problem.message)) {
    return problem.message.includes('too large') ? 'Bound the length with maxLength, and repeat in the pattern without a bound or with a small one.' : undefined;
  }
  return (problem.code === 'policy_schema' ? schemaHint(last, value) : undefined) ?? HINTS.get(problem.code);
}

/** What people mean by a type that JSON Schema does not have, or by `required` inside of the member that it is about. */
function schemaHint(keyword: string, value: JsonValue | undefined): string | undefined {
  if (keyword === 'required' && typeof value === 'boolean') return 'Name the member in the list of the object around it: required: [NAME].';
  if (keyword === 'required' && typeof value === 'string') return `Write a list: required: [${value}].`;
  if (keyword !== 'type') return undefined;
  const word = (Array.isArray(value) ? value : [value]).find((one) => typeof one === 'string' && !JSON_TYPES.includes(one));
  if (typeof word !== 'string') return undefined;
  if (ANYTHING.has(word.toLowerCase())) return 'Leave type out: without it any value fits.';
  const type = [...TYPE_WORDS].find(([, words]) => words.includes(word.toLowerCase()))?.[0];
  return type ? `JSON Schema's word for ${word} is ${type}.` : didYouMean(word, JSON_TYPES);
}

function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const meant = nearest(word, known);
  return meant ? `Did you mean ${meant}?` : undefined;
}

function argumentHint(tokens: readonly string[], value: JsonValue | undefined, draft: JsonObject): string | undefined {
  const known = new Set<string>();
  for (const tool of (Array.isArray(draft['tools']) ? draft['tools'] : []).filter(isObject)) {
    for (const schema of [tool['parameters'], tool['result']]) {
      if (isObject(schema) && isObject(schema['properties'])) for (const name of Object.keys(schema['properties'])) known.add(name);
    }
  }
  for (const word of [typeof value === 'string' ? value.replace(/^(?:arguments|result)\./, '') : '', tokens.at(-1) ?? '']) {
    if (word === '' || known.has(word)) continue;
    const hint = didYouMean(word, known);
    if (hint) return hint;
  }
  return 'Name an argument that stands in the properties of the parameters.';
}

function toolNames(draft: JsonObject): string[] {
  const tools = Array.isArray(draft['tools']) ? draft['tools'] : [];
  return tools.filter(isObject).map((tool) => tool['name']).filter((name) => typeof name === 'string');
}

/** The value a pointer leads to, if there is one. */
export function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const token of pointer.split('/').slice(1).map(unescapeToken)) {
    if (Array.isArray(found)) found = /^(?:0|[1-9]\d*)$/.test(token) ? found[Number(token)] : undefined;
    else if (isObject(found)) found = Object.hasOwn(found, token) ? found[token] : undefined;
    else return undefined;
  }
  return found;
}

/** Members of other formats and words people try, with what may be meant. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  inputSchema: ['parameters'], input_schema: ['parameters'], arguments: ['parameters'], outputSchema: ['result'], output_schema: ['result'], returns: ['result'],
  readOnly: ['effect'], readOnlyHint: ['effect'], idempotentHint: ['idempotent'], openWorldHint: ['reads_outside'], destructive: ['irreversible'], annotations: ['effect'],
  before: ['not_after'], requires: ['after'], max: ['at_most'], compensation: ['undo'], aliases: ['also_called'], if: ['refuse_if'], deny_if: ['refuse_if'],
  confirm_if: ['ask_if'], when: ['refuse_if'], message: ['because'], reason: ['because'], rules: ['rulebook'], flows: ['rulebook'], agent: ['agents'], tools: ['on'], sources: ['tools'],
}));

const JSON_TYPES: readonly string[] = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const ANYTHING: ReadonlySet<string> = new Set(['', 'any', 'unknown', 'mixed', 'variant']);
/** The types of other languages, in small letters, by the type of JSON Schema that people mean. */
const TYPE_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['object', ['dict', 'map', 'hash', 'hashmap', 'hashtable', 'record', 'struct', 'json']],
  ['array', ['list', 'tuple', 'set', 'arraylist', 'vector', 'sequence', 'queue', 'stack']],
  ['number', ['float', 'double', 'decimal', 'real', 'numeric', 'float32', 'float64']],
  ['integer', ['int', 'long', 'short', 'byte', 'bigint', 'int32', 'int64', 'uint']],
  ['string', ['str', 'text', 'char', 'varchar', 'date', 'datetime', 'uuid', 'url', 'email']],
  ['boolean', ['bool']],
  ['null', ['none', 'nil', 'undefined', 'void']],
]);

/** What to write instead, where the code alone tells. */
const HINTS: ReadonlyMap<string, string> = new Map(Object.entries({
  policy_duplicate_tool: 'Rename one of them, or give one of two imports a prefix:.',
  policy_fact: 'List the fact in rulebook.facts, or correct its name.',
  policy_condition: 'Conditions are CEL; facts are written $name, arguments args.name.',
  policy_schema: 'Write a JSON Schema of draft 2020-12, or of draft-07 with "$schema": "http://json-schema.org/draft-07/schema#".',
  policy_document: 'Give the URI and the path of its file in documents:.',
  write_without_undo: 'Add undo: {tool: …, bind: {…}} or irreversible: true.',
  schema_partial: 'Its writes are shown to a person with this reason. Rewrite that part of the schema, if you can.',
  outside_unmentioned: 'Add not_after: [untrusted] to the tools that must not run after it. Marks hold writes that may repeat it in any case.',
}));
