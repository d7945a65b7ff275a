// Tells what changed between two versions of a policy: tools, words, schemas, rules, agents and settings.
import { type TableName, TABLES } from './members.ts';
import { isObject, type JsonObject, type JsonValue } from './position.ts';

/** One difference. `before` and `after` are absent on the side that has none. */
export interface Change {
  kind: 'added' | 'removed' | 'changed';
  what: 'tool' | 'words' | 'schema' | 'rules' | 'agent' | 'rule' | 'setting' | 'policy';
  /** The tool, agent, rule (`flow/rule`), setting or member. */
  name: string;
  /** The member that changed, where the thing itself stayed. */
  member?: string;
  before?: JsonValue;
  after?: JsonValue;
  /** The change may let calls through that were held or refused before: look at it first. */
  loosens: boolean;
}

const WORDS = new Set(['description', 'also_called', 'defaults']);
const SCHEMAS = new Set(['parameters', 'result']);

/** What changed from one policy to another, both as members with or without their defaults. Order: policy, agents, tools, rules, settings. */
export function describeChanges(before: JsonObject, after: JsonObject): Change[] {
  const changes: Change[] = [];
  for (const member of ['tenant', 'documents']) compareMember(changes, 'policy', 'policy', member, before[member], after[member]);
  compareNamed(changes, 'agent', named(before['agents']), named(after['agents']), 'agent');
  compareNamed(changes, 'tool', byName(before['tools']), byName(after['tools']), 'tool');
  compareRules(changes, before, after);
  const settings = [filled(before['settings'], 'settings'), filled(after['settings'], 'settings')] as const;
  for (const member of names(...settings)) compareMember(changes, 'setting', member, undefined, settings[0][member], settings[1][member]);
  return changes;
}

/** A change as one line for people, without colour. */
export function describeChange({ kind, what, name, member, before, after }: Change): string {
  if (kind === 'added') return `+ ${what} ${name}`;
  if (kind === 'removed') return `- ${what} ${name}`;
  const where = member === undefined ? `${what} ${name}` : `${what === 'agent' || what === 'policy' ? what : 'tool'} ${name}: ${member}`;
  if (what === 'schema') return `~ ${where} ${schemaWords(before, after)}`;
  return `~ ${where} ${short(before)} → ${short(after)}`;
}

function compareNamed(changes: Change[], what: 'agent' | 'tool', before: Map<string, JsonObject>, after: Map<string, JsonObject>, table: TableName): void {
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)];
    if (!old || !now) {
      changes.push({ kind: old ? 'removed' : 'added', what, name, ...(old ? { before: old } : {}), ...(now ? { after: now } : {}), loosens: !old });
      continue;
    }
    const [from, to] = [filled(old, table), filled(now, table)];
    for (const member of names(from, to)) {
      const kind = what === 'agent' ? 'agent' : WORDS.has(member) ? 'words' : SCHEMAS.has(member) ? 'schema' : 'rules';
      compareMember(changes, kind, name, member, from[member], to[member]);
    }
  }
}

function compareRules(changes: Change[], before: JsonObject, after: JsonObject): void {
  const [old, now] = [rules(before), rules(after)];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [from, to] = [old.get(name), now.get(name)];
    if (same(from, to)) continue;
    changes.push({ kind: !from ? 'added' : !to ? 'removed' : 'changed', what: 'rule', name, ...(from ? { before: from } : {}), ...(to ? { after: to } : {}), loosens: from !== undefined });
  }
}

function compareMember(changes: Change[], what: Change['what'], name: string, member: string | undefined, before: JsonValue | undefined, after: JsonValue | undefined): void {
  if (same(before, after)) return;
  changes.push({
    kind: 'changed', what, name, ...(member === undefined ? {} : { member }), ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }),
    loosens: loosens(member ?? name, before, after),
  });
}

/** Members and settings whose values stand from strict to loose. */
const STRICT_FIRST: Record<string, readonly JsonValue[]> = {
  effect: ['write', 'read'], reads_outside: [true, false], sends_out: [false, true], irreversible: [true, false], idempotent: [false, true],
  privilege: ['high', 'normal', 'low'], taint_policy: ['refuse', 'confirm'], taint_scope: ['session', 'value'], confirmation_point: ['head', 'turn'],
  result_digests: ['required', 'if_reported'], head: ['required', 'optional'], on_lapse: ['refuse', 'refuse_writes'], unread: ['refuse', 'model'],
  undeclared_arguments: ['deep', 'refuse', 'schema'],
};

function loosens(member: string, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  const order = STRICT_FIRST[member];
  if (order) return order.indexOf(after ?? null) > order.indexOf(before ?? null);
  switch (member) {
    case 'description': case 'also_called': case 'defaults': case 'language': return false;
    case 'at_most': return after === undefined || (typeof before === 'number' && typeof after === 'number' && after > before);
    case 'confirmation_ttl': case 'receipt_ttl': return typeof before === 'number' && typeof after === 'number' && after > before;
    case 'after': case 'not_after': return missing(before, after);
    case 'tools': return missing(after, before);
    default: return true;
  }
}

/** Something of the first list is not in the second. */
function missing(from: JsonValue | undefined, to: JsonValue | undefined): boolean {
  const kept = new Set((Array.isArray(to) ? to : []).map(text));
  return (Array.isArray(from) ? from : []).some((item) => !kept.has(text(item)));
}

function schemaWords(before: JsonValue | undefined, after: JsonValue | undefined): string {
  const properties = (schema: JsonValue | undefined) => (isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}) as JsonObject;
  const [from, to] = [properties(before), properties(after)];
  const parts = names(from, to).flatMap((name) => (from[name] === undefined ? [`+${name}`] : to[name] === undefined ? [`-${name}`] : same(from[name], to[name]) ? [] : [`~${name}`]));
  return parts.length > 0 ? `(${parts.join(', ')})` : '(outside its properties)';
}

function rules(policy: JsonObject): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const flows = isObject(policy['rulebook']) && Array.isArray(policy['rulebook']['flows']) ? policy['rulebook']['flows'].filter(isObject) : [];
  for (const flow of flows) {
    for (const rule of (Array.isArray(flow['rules']) ? flow['rules'] : []).filter(isObject)) found.set(`${String(flow['name'])}/${String(rule['id'])}`, { ...rule, on: flow['on']! });
  }
  return found;
}

function named(value: JsonValue | undefined): Map<string, JsonObject> {
  return new Map(Object.entries(isObject(value) ? value : {}).filter((pair): pair is [string, JsonObject] => isObject(pair[1])));
}

function byName(value: JsonValue | undefined): Map<string, JsonObject> {
  return new Map((Array.isArray(value) ? value : []).filter(isObject).map((tool) => [String(tool['name']), tool]));
}

/** The object with the defaults of its table filled in, and with those of the objects inside it. */
function filled(value: JsonValue | undefined, table: TableName): JsonObject {
  const object: JsonObject = { ...(isObject(value) ? value : {}) };
  for (const [name, member] of Object.entries(TABLES[table].members)) {
    if (object[name] === undefined && member.fill !== undefined) object[name] = member.fill;
    if (table === 'settings' && (name === 'approval' || name === 'limits')) object[name] = filled(object[name], name);
  }
  if (typeof object['subject_argument'] === 'string') object['subject_argument'] = [object['subject_argument']];
  return object;
}

function names(...objects: JsonObject[]): string[] {
  return [...new Set(objects.flatMap(Object.keys))].sort();
}

function same(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return text(a) === text(b);
}

/** A text that is equal for equal values, whatever the order of their members. */
function text(value: JsonValue | undefined): string {
  return JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner)) ?? '';
}

function short(value: JsonValue | undefined): string {
  if (value === undefined) return 'none';
  const said = text(value);
  return said.length > 60 ? `${said.slice(0, 57)}…` : said;
}
