// Warns of what makes a catalogue ambiguous to the reading of turns (chapter 6): words that two tools share, and tools that no words reach or clear.
import { isObject, type JsonObject, type JsonValue, type Positions } from './position.ts';
import { type Problem, problemAt } from './problems.ts';
import { namesAddress, type Word, Words } from './words.ts';

/** Formats that are an address where data may go, as chapter 5 knows them. */
const ADDRESS_FORMATS = new Set(['email', 'idn-email', 'uri', 'uri-reference', 'url', 'iri', 'iri-reference', 'hostname', 'idn-hostname', 'ipv4', 'ipv6', 'ip']);
/** How deep references and alternatives of a parameter's schema are followed. */
const DEPTH = 4;

/** What the warnings need of a tool. */
interface Tool {
  index: number;
  name: string;
  source: JsonObject;
  isWrite: boolean;
  /** Its own words by stem, as they are first written: those of its name and of also_called. */
  own: Map<string, string>;
  phrases: Word[][];
  /** Parts of its name. */
  parts: number;
  /** How its parameters go with a turn that has values, and one that has none. */
  fit: string;
  described: Set<string>;
}

/**
 * The warnings of a policy that is valid: catalogue_same_words, catalogue_sends_unsaid, catalogue_address, catalogue_description, each at the part of the source that it is about.
 * Tools are compared within each agent, in the language of the settings.
 */
export function ambiguities(policy: JsonObject, positions: Positions): Problem[] {
  const settings = policy['settings'];
  const words = new Words(isObject(settings) && typeof settings['language'] === 'string' ? settings['language'] : 'en');
  const tools = (policy['tools'] as JsonValue[]).map((source, index) => toolOf(source as JsonObject, index, words));
  const problems: Problem[] = [];
  const warn = (pointer: string, code: string, message: string, hint: string): void => {
    const place = positions.at(pointer);
    problems.push(problemAt(place.found ? place.place : { ...place.place, end: place.place.start }, { code, severity: 'warning', message, hint, pointer }));
  };
  for (const tool of tools) {
    unsaid(tool, words, warn);
    addresses(tool, words, warn);
  }
  const paired = new Set<number>();
  const unheard = new Set<Tool>();
  for (const own of agentsTools(policy, tools)) {
    for (const [a, b, phrase] of ties(own, words)) {
      const [first, second] = a.index < b.index ? [a, b] : [b, a];
      if (paired.has(second.index)) continue;
      paired.add(second.index);
      warn(`/tools/${second.index}/name`, 'catalogue_same_words', `${first.name} and ${second.name} are reached by the same words: ${phrase}.`, 'A turn that says only these asks which is meant: rename one of them, or take the words out of its also_called:.');
    }
    for (const tool of silent(own)) unheard.add(tool);
  }
  for (const { index, name } of unheard) {
    warn(`/tools/${index}/description`, 'catalogue_description', `No word reaches ${name} by its description: each is in another tool's description too.`, 'Say what it alone does, in words of its own.');
  }
  return problems;
}

type Warn = (pointer: string, code: string, message: string, hint: string) => void;

function toolOf(source: JsonObject, index: number, words: Words): Tool {
  const name = source['name'] as string;
  const parts = words.ofName(name);
  const isWrite = source['effect'] !== 'read';
  const also = (Array.isArray(source['also_called']) ? source['also_called'] : []).filter((phrase) => typeof phrase === 'string').map((phrase) => words.ofText(phrase));
  const own = new Map<string, string>();
  for (const word of [parts, ...also].flat()) for (const stem of words.stems(word)) if (!own.has(stem)) own.set(stem, word.form);
  // A preposition in a name (`mouse_up`) is not heard in a turn.
  const heard = parts.filter((word) => !words.isClosed(word));
  const phrases = heard.length > 0 ? [heard] : [];
  // What looks something up is reached by its nouns; nothing else is.
  if (!isWrite && heard.length > 1 && words.verb(heard[0]!) === 'look') phrases.push(heard.slice(1));
  for (const phrase of also) if (phrase.length > 0 && (!isWrite || phrase.some((word) => words.verb(word) !== null))) phrases.push(phrase);
  const parameters = isObject(source['parameters']) ? source['parameters'] : {};
  const count = isObject(parameters['properties']) ? Object.keys(parameters['properties']).length : 0;
  const required = Array.isArray(parameters['required']) ? parameters['required'].length : 0;
  const described = new Set(words.ofText(typeof source['description'] === 'string' ? source['description'] : '').filter((word) => !['look', 'light'].includes(words.verb(word) ?? '')).map(({ stem }) => stem));
  return { index, name, source, isWrite, own, phrases, parts: parts.length, fit: `${count > 0} ${required > 0}`, described };
}

/** The tools of each agent; agents with the same ones are one. */
function agentsTools(policy: JsonObject, tools: readonly Tool[]): Tool[][] {
  const lists = new Map<string, Tool[]>();
  for (const agent of Object.values(policy['agents'] as JsonObject)) {
    const named = new Set((agent as JsonObject)['tools'] as string[]);
    const own = tools.filter(({ name }) => named.has('*') || named.has(name));
    lists.set(own.map(({ index }) => index).join(' '), own);
  }
  return [...lists.values()];
}

/** Tools that a phrase reaches alike: each with the first other that it does. */
function* ties(tools: readonly Tool[], words: Words): Generator<[Tool, Tool, string]> {
  const having = new Map<string, Tool[]>();
  for (const tool of tools) for (const stem of tool.own.keys()) {
    const list = having.get(stem);
    if (list) list.push(tool);
    else having.set(stem, [tool]);
  }
  const named = new Map<string, Set<Tool>>();
  for (const tool of tools) for (const phrase of tool.phrases) {
    const isDeed = phrase.length > 1 && phrase.some((word) => words.verb(word) !== null);
    // A write is never reached by a noun alone. A word said twice counts once, and what then reaches a tool is none of its names.
    if ((tool.isWrite && !isDeed) || new Set(phrase.map(({ stem }) => stem)).size < phrase.length) continue;
    const key = phrase.map(({ form }) => form).sort().join(' ');
    let best = named.get(key);
    if (!best) named.set(key, (best = bestNamed(phrase, having, isDeed)));
    if (!best.has(tool)) continue;
    for (const other of best) {
      if (other === tool || !(other.isWrite || tool.isWrite || other.fit === tool.fit)) continue;
      yield [tool, other, spoken(phrase, words)];
      break;
    }
  }
}

/** The tools that have every word of a phrase, as far as none is named better: by more of the words letter for letter, then by a shorter name. */
function bestNamed(phrase: readonly Word[], having: ReadonlyMap<string, Tool[]>, isDeed: boolean): Set<Tool> {
  const rarest = phrase.map((word) => having.get(word.stem) ?? []).sort((a, b) => a.length - b.length)[0] ?? [];
  const all = rarest.filter((tool) => phrase.every((word) => tool.own.has(word.stem)) && (isDeed || !tool.isWrite)).map((tool) => ({ tool, rank: exact(phrase, tool) * 1000 - tool.parts }));
  const most = all.reduce((highest, { rank }) => Math.max(highest, rank), Number.NEGATIVE_INFINITY);
  return new Set(all.filter(({ rank }) => rank === most).map(({ tool }) => tool));
}

/** The words of a phrase as people say them: `order_cancel` is *cancel order*. */
function spoken(phrase: readonly Word[], words: Words): string {
  const verb = phrase.find((word) => words.verb(word) !== null);
  return [...(verb ? [verb] : []), ...phrase.filter((word) => word !== verb)].map(({ form }) => form).join(' ');
}

/** How many words of a phrase a tool has letter for letter. */
function exact(phrase: readonly Word[], tool: Tool): number {
  return phrase.filter(({ form, stem }) => tool.own.get(stem) === form).length;
}

/** Tools whose descriptions have no word that no other description of the agent's tools has: by such a word alone does a description reach its tool. */
function silent(tools: readonly Tool[]): Tool[] {
  const counts = new Map<string, number>();
  for (const { described } of tools) for (const stem of described) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return tools.filter(({ described }) => described.size > 0 && ![...described].some((stem) => counts.get(stem) === 1));
}

/** A tool that sends out, and that no verb that sends can reach. */
function unsaid({ index, name, source, own }: Tool, words: Words, warn: Warn): void {
  if (source['sends_out'] !== true || [...own.keys()].some((stem) => words.sends(stem))) return;
  warn(`/tools/${index}/name`, 'catalogue_sends_unsaid', `${name} sends data out, and no verb that sends is among its own words: a turn that says send is declined (S1).`, 'Put the verb people use into its name or also_called: (send, export, post, share, …).');
}

/** Parameters that take an address, of a tool that may be given none. */
function addresses({ index, name, source }: Tool, words: Words, warn: Warn): void {
  const parameters = source['parameters'];
  if (source['sends_out'] === true || !isObject(parameters) || !isObject(parameters['properties'])) return;
  const subject = source['subject_argument'];
  const cleared = new Set(Array.isArray(subject) ? subject : [subject]);
  for (const parameter of Object.keys(parameters['properties'])) {
    if (cleared.has(parameter) || !takesAddress(parameter, parameters['properties'][parameter]!, parameters, words)) continue;
    const pointer = `/tools/${index}/parameters/properties/${parameter.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    warn(pointer, 'catalogue_address', `${parameter} of ${name} takes an address, and the tool says neither sends_out nor subject_argument: a call with one is refused (undeclared_destination).`,
      `Write sends_out: true where data goes there, subject_argument: ${parameter} where the address says whose data is read.`);
  }
}

function takesAddress(name: string, schema: JsonValue, root: JsonObject, words: Words): boolean {
  const found = shapeOf(schema, root, 0);
  if (!found.takesText) return false;
  return found.format === null ? namesAddress(words.ofName(name)) : ADDRESS_FORMATS.has(found.format);
}

/** Whether a schema takes text, and the format it says. */
function shapeOf(schema: JsonValue, root: JsonObject, depth: number): { takesText: boolean; format: string | null } {
  const none = { takesText: false, format: null };
  if (!isObject(schema) || depth > DEPTH || schema['enum'] !== undefined || schema['const'] !== undefined) return none;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const target = /^#\/(?:\$defs|definitions)\/[^/]+$/.test(reference) ? (root[reference.split('/')[1]!] as JsonObject | undefined)?.[reference.split('/')[2]!] : undefined;
    return target === undefined ? none : shapeOf(target, root, depth + 1);
  }
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  const inner = [...['anyOf', 'oneOf', 'allOf'].flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : [])), ...(types.includes('array') && schema['items'] !== undefined ? [schema['items']] : [])].map((each) => shapeOf(each, root, depth + 1));
  const format = typeof schema['format'] === 'string' ? schema['format'] : inner.find((each) => each.format !== null)?.format ?? null;
  return { takesText: types.includes('string') || inner.some((each) => each.takesText), format };
}
