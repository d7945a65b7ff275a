// Gives the core's problems (a code, a message and a pointer into the compiled policy) their place in the sources and a hint.
import { membersAt, wordsAt } from './members.ts';
import { nearest } from './nearest.ts';
import { isObject, type JsonObject, type JsonValue, type Place, type Positions, unescapeToken } from './position.ts';
import { type Problem, problemAt, type Severity } from './problems.ts';

/** A problem or warning as the core answers it. `offset` counts UTF-8 bytes into a condition's text, where the core gives one. */
export interface CoreProblem { code: string; message: string; pointer: string; offset?: number; hint?: string }

/** Codes that a failed import may have caused: a tool that is not there cannot be named. */
const MAY_BE_MISSING = new Set(['policy_unknown_tool', 'policy_unknown_argument', 'policy_undo_of_read', 'policy_unknown_field', 'policy_document']);

/** The core's problems at their places. Those that a failed import may have caused are left out when `incomplete`. */
export function placed(problems: readonly CoreProblem[], severity: Severity, draft: JsonObject, positions: Positions, incomplete: boolean): Problem[] {
  return problems.filter(({ code }) => !(incomplete && MAY_BE_MISSING.has(code))).map((problem) => {
    const isName = problem.code === 'policy_unknown_member';
    const position = positions.at(problem.pointer, isName ? 'name' : 'value');
    const place = position.found ? within(position.place, problem, valueAt(draft, problem.pointer)) : { ...position.place, end: position.place.start };
    const hint = problem.hint ?? hintFor(problem, draft);
    return problemAt(place, { code: problem.code, severity, message: problem.message, hint, pointer: problem.pointer });
  });
}

/** The place inside a string where the core's offset points, when the string stands in the source as it is. */
function within(place: Place, problem: CoreProblem, value: JsonValue | undefined): Place {
  if (problem.offset === undefined || typeof value !== 'string') return place;
  const start = place.source.text.slice(place.start, place.end).indexOf(value);
  if (start < 0) return place;
  const units = new TextDecoder().decode(new TextEncoder().encode(value).subarray(0, problem.offset)).length;
  const at = place.start + start + units;
  return { source: place.source, start: at, end: Math.min(place.end, at + 1) };
}

/** What to write instead, found from what is written and from the tables. */
function hintFor(problem: CoreProblem, draft: JsonObject): string | undefined {
  const tokens = problem.pointer.split('/').slice(1).map(unescapeToken);
  const last = tokens.at(-1) ?? '';
  const parent = problem.pointer.slice(0, Math.max(0, problem.pointer.lastIndexOf('/')));
  const value = valueAt(draft, problem.pointer);
  if (problem.code === 'policy_unknown_member') {
    const known = membersAt(parent);
    const meant = ELSEWHERE[last] ?? nearest(last, known);
    if (meant && known.includes(meant)) return `Did you mean ${meant}?`;
    return known.length > 0 ? `The members here are: ${known.join(', ')}. A member of your own starts with x-.` : undefined;
  }
  const words = wordsAt(problem.pointer);
  if (words) {
    const meant = typeof value === 'string' ? nearest(value, words) : undefined;
    return meant ? `Did you mean ${meant}?` : `Write one of: ${words.join(', ')}.`;
  }
  if (problem.code === 'policy_unknown_tool' && typeof value === 'string') {
    const meant = nearest(value, [...toolNames(draft), 'untrusted']);
    return meant ? `Did you mean ${meant}?` : 'Name a tool that stands in tools:, or import it.';
  }
  if (problem.code === 'policy_unknown_argument') return argumentHint(tokens, value, draft);
  if (problem.code === 'policy_duplicate_tool') return 'Rename one of them, or give one of two imports a prefix:.';
  return HINTS[problem.code];
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
    const meant = nearest(word, known);
    if (meant) return `Did you mean ${meant}?`;
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

/** Members of other formats, with the one that is meant here. */
const ELSEWHERE: Record<string, string> = {
  inputSchema: 'parameters', input_schema: 'parameters', arguments: 'parameters', outputSchema: 'result', output_schema: 'result', returns: 'result',
  readOnly: 'effect', readOnlyHint: 'effect', idempotentHint: 'idempotent', openWorldHint: 'reads_outside', destructive: 'irreversible', before: 'not_after', requires: 'after',
  max: 'at_most', compensation: 'undo', aliases: 'also_called', if: 'refuse_if', deny_if: 'refuse_if', confirm_if: 'ask_if', when: 'refuse_if', message: 'because', reason: 'because',
  tools: 'on', rules: 'rulebook', flows: 'rulebook', agent: 'agents',
};

/** What to write instead, where the code alone tells. */
const HINTS: Record<string, string> = {
  policy_undo_of_read: 'A read changes nothing: leave undo: out, or write effect: write.',
  policy_undo_irreversible: 'Keep one of undo: and irreversible: true.',
  policy_rule_id: "Choose another id: this one is one of the check's own reasons, or is used twice.",
  policy_fact: 'List the fact in rulebook.facts, or correct its name.',
  policy_condition: 'Conditions are CEL; facts are written $name, arguments args.name.',
  policy_schema: 'Write a JSON Schema of draft 2020-12, or of draft-07 with "$schema": "http://json-schema.org/draft-07/schema#".',
  policy_tool_name: 'Choose a name of 1 to 128 characters that no other tool has, not even in other letter case.',
  policy_no_undo: 'Say how it is undone (undo: {tool: …, bind: …}), or that nothing undoes it (irreversible: true).',
  policy_partial: 'Calls of this tool that write are shown to a person. Rewrite the part of the schema that is not asserted, if you can.',
  policy_outside_unused: 'Add not_after: to the tools that should not run after it, or leave it: marks hold those writes anyway.',
};
