// Completion in the policy: the members that may stand at the cursor, the words a value may be, and the policy's own tools, agents and facts.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { isObject } from '../package.ts';
import { type Place, placesAt, valueAt } from './position.ts';
import { kindOf, membersOf, type Offered, schemasAt, wordsOf } from './schema.ts';

/** The completions at the cursor; null where nothing is known. */
export function policyCompletion(context: CompletionContext): CompletionResult | null {
  const { from, word, options } = completionsAt(context.state.doc.toString(), context.pos);
  // Without being asked, a list of everything would be in the way of whoever begins a line.
  if (options.length === 0 || (word === '' && !context.explicit)) return null;
  return { from, options, validFor: /^[\w$.*-]*$/ };
}

/** The completions at an offset, in the schema's own order, and the word that they complete. */
export function completionsAt(text: string, offset: number): { from: number; word: string; options: Completion[] } {
  const places = placesAt(text, offset);
  const options = places.flatMap((place) => (place.kind === 'value' ? valuesAt(text, place) : membersAt(text, place)));
  return { from: places[0]?.from ?? offset, word: places[0]?.word ?? '', options: options.map((option, index) => ({ ...option, sortText: String(index).padStart(4, '0') })) };
}

function membersAt(text: string, place: Place): Completion[] {
  return membersOf(schemasAt(place.path, namesAt(text, place))).filter(({ name }) => !place.there.includes(name)).map((offered) => member(offered, place.flow));
}

function valuesAt(text: string, place: Place): Completion[] {
  return [...wordsOf(schemasAt(place.path, namesAt(text, place))).map((word): Completion => ({ label: word, type: 'enum' })), ...own(text, place.path)];
}

/** The names of the mapping at a path; of the one at the cursor those that stand there. */
function namesAt(text: string, place: Place): (path: readonly (string | number)[]) => ReadonlySet<string> {
  const whole = valueAt(text, []);
  return (path) => {
    if (path.length === place.path.length && place.kind === 'name') return new Set(place.there);
    let value = whole;
    for (const part of path) value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined;
    return new Set(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []);
  };
}

function member({ name, says, shape }: Offered, flow: boolean): Completion {
  const opens = shape['type'] === 'object' && !flow;
  return { label: name, type: 'property', detail: kindOf(shape), apply: `${name}:${opens ? '' : ' '}`, ...(says === '' ? {} : { info: says }) };
}

/** Where the policy's own names stand, by the path's words (`*` is any). */
const OWN: [string, 'tools' | 'facts'][] = [
  ['agents/*/tools/*', 'tools'], ['tools/*/after/*', 'tools'], ['tools/*/after/*/tool', 'tools'], ['tools/*/not_after/*', 'tools'], ['tools/*/undo/tool', 'tools'], ['rulebook/flows/*/on/*', 'tools'],
  ['rulebook/flows/*/rules/*/allow_if', 'facts'], ['rulebook/flows/*/rules/*/refuse_if', 'facts'], ['rulebook/flows/*/rules/*/ask_if', 'facts'],
];

function own(text: string, path: readonly (string | number)[]): Completion[] {
  const kind = OWN.find(([pattern]) => fits(pattern.split('/'), path))?.[1];
  const policy = valueAt(text, []) as Record<string, unknown> | undefined;
  if (kind === undefined || typeof policy !== 'object' || policy === null) return [];
  if (kind === 'facts') {
    const rulebook = policy['rulebook'] as { facts?: unknown } | undefined;
    const facts = Array.isArray(rulebook?.facts) ? rulebook.facts : [];
    return facts.map((fact) => ({ label: `$${String(fact)}`, type: 'variable', detail: 'a fact' }));
  }
  const tools = Array.isArray(policy['tools']) ? policy['tools'].filter((tool) => isObject(tool)) : [];
  const names = tools.flatMap((tool) => (typeof tool['name'] === 'string' ? [{ label: tool['name'], type: 'function', detail: 'a tool', info: String(tool['description'] ?? '') }] : []));
  return path[2] === 'not_after' ? [...names, { label: 'untrusted', type: 'enum', detail: 'anything from outside' }] : names;
}

function fits(pattern: readonly string[], path: readonly (string | number)[]): boolean {
  return pattern.length === path.length && pattern.every((part, index) => part === '*' || part === path[index]);
}
