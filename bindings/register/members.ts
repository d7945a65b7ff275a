// The one table of the policy file's members: what each is, its shape and its default. The published JSON Schema, the suggestions for misspelt members and the comparison of policies are made from it.
import type { JsonValue } from './position.ts';

/** A JSON Schema fragment, as the published schema has it. */
export type Fragment = { [keyword: string]: JsonValue };

/** One member of an object of the policy file. */
export interface Member {
  /** One or two sentences for people: editors show them. */
  says: string;
  /** The shape, for editors. What is really accepted is judged by the core. */
  shape: Fragment;
  /** What the compiled form holds where the member is left out; absent where it has no default. */
  fill?: JsonValue;
  required?: boolean;
  /** Only in source documents: registration turns it into something else, and the compiled form does not have it. */
  sourceOnly?: boolean;
}

/** An object of the policy file: its members, and where it stands (`*` is any name or index; several where it stands in several places). */
export interface Table { says: string; at: readonly string[]; members: Readonly<Record<string, Member>> }

const text: Fragment = { type: 'string' };
const truth: Fragment = { type: 'boolean' };
const names: Fragment = { type: 'array', items: { type: 'string' } };
const level: Fragment = { enum: ['low', 'normal', 'high'] };
const schema: Fragment = { type: ['object', 'boolean'] };
const count = (minimum: number): Fragment => ({ type: 'integer', minimum });
const oneOf = (...values: string[]): Fragment => ({ enum: values });
const table = (name: TableName): Fragment => ({ $ref: `#/$defs/${name}` });
const listOf = (items: Fragment): Fragment => ({ type: 'array', items });

export type TableName =
  | 'policy' | 'agent' | 'tool' | 'import' | 'server' | 'after' | 'undo' | 'toolLimits' | 'rulebook' | 'flow' | 'rule' | 'settings' | 'approval' | 'limits';

/** Every table, by name; chapter 2 is the contract. */
export const TABLES: Readonly<Record<TableName, Table>> = {
  policy: {
    says: 'An Interlock policy: the agents, the tools they may call, the rules between them and the settings of the check.',
    at: [''],
    members: {
      format: { says: 'The format of the compiled policy. May be left out.', shape: { const: 'qls-policy/1' }, fill: 'qls-policy/1' },
      tenant: { says: 'Whose policy this is. The name is part of every digest, so that those of two tenants never meet.', shape: text, required: true },
      agents: { says: 'The agents, by name. At least one.', shape: { type: 'object', minProperties: 1, additionalProperties: table('agent') }, required: true },
      tools: {
        says: 'The catalogue: tools written here, imports (mcp:, openapi:, module:), and words laid over imported tools by name.',
        shape: listOf({ if: { required: ['name'] }, then: table('tool'), else: table('import') }), required: true,
      },
      rulebook: { says: 'Rules over a call, written as conditions in CEL.', shape: table('rulebook'), fill: { flows: [] } },
      settings: { says: 'Settings of the check. Each has a default.', shape: table('settings') },
      documents: {
        says: 'Remote JSON Schemas that tools refer to by $ref: each URI with the path of a file that holds the document, or with the document itself.',
        shape: { type: 'object', additionalProperties: { type: ['string', 'object', 'boolean'] } }, sourceOnly: true,
      },
    },
  },
  agent: {
    says: 'An agent: what it may call, and how far it is trusted.',
    at: ['/agents/*'],
    members: {
      privilege: { says: 'How far the agent is trusted: a write of a tool with more privilege is held for a person.', shape: level, fill: 'normal' },
      tools: { says: 'The names of the tools it may call; "*" means all.', shape: names, required: true },
      defaults: { says: "Values for arguments that a turn leaves out; they come before the tool's own. Never added to a checked call.", shape: { type: 'object' }, fill: {} },
    },
  },
  tool: {
    says: 'A tool, or words laid over an imported tool of this name: each member given here replaces the imported one.',
    at: ['/tools/*'],
    members: {
      name: { says: 'The unique name, 1 to 128 characters.', shape: { type: 'string', minLength: 1, maxLength: 128 }, required: true },
      description: { says: 'What it does, for people and for the reading of turns.', shape: text, fill: '' },
      effect: { says: 'What a call does to the world. A write is held for a person unless rules and evidence let it through.', shape: oneOf('read', 'write'), fill: 'write' },
      parameters: { says: 'The JSON Schema of the arguments: draft 2020-12, or draft-07 where $schema says so.', shape: schema, fill: { type: 'object', properties: {} } },
      result: { says: 'The JSON Schema of what it returns: names the fields that later calls may take values from.', shape: schema },
      sends_out: { says: 'It sends data to a destination that an argument names.', shape: truth, fill: false },
      reads_outside: { says: 'What it returns was written by somebody outside (a mailbox, a web page).', shape: truth, fill: false },
      subject_argument: {
        says: 'The argument(s) whose address says whose data is read, and not where data goes.',
        shape: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      },
      privilege: { says: 'The trust that every mark on a write must have for it not to be held.', shape: level, fill: 'normal' },
      after: { says: 'Tools that must have run before this one; with bind, on the very values they returned.', shape: listOf({ anyOf: [{ type: 'string' }, table('after')] }), fill: [] },
      not_after: { says: 'Tools after which this one is refused; "untrusted" means after anything from outside was read.', shape: names, fill: [] },
      at_most: { says: 'How many times it may run in a session.', shape: count(1) },
      undo: { says: 'The tool that undoes this write, and where its arguments come from.', shape: table('undo') },
      irreversible: { says: 'Nothing undoes it.', shape: truth, fill: false },
      idempotent: { says: 'The same call sent twice has the effect of one.', shape: truth, fill: false },
      idempotency_key: { says: 'The argument that carries an idempotency key.', shape: text },
      defaults: { says: 'Values for arguments that a turn leaves out. Never added to a checked call.', shape: { type: 'object' }, fill: {} },
      also_called: { says: 'Words people use for what the tool acts on.', shape: names, fill: [] },
      limits: { says: 'Limits of one call.', shape: table('toolLimits') },
    },
  },
  import: {
    says: 'An import: the tools that an MCP server lists, the operations of an OpenAPI document, or the functions that a module exports.',
    at: ['/tools/*'],
    members: {
      mcp: { says: 'A saved tools/list result (a path, from this file), or the server to ask (command and args).', shape: { anyOf: [{ type: 'string' }, table('server')] }, sourceOnly: true },
      openapi: { says: 'An OpenAPI document of version 3.0 or 3.1 (a path, from this file): each operation is a tool.', shape: text, sourceOnly: true },
      module: { says: 'A TypeScript or JavaScript module (a path, from this file): each exported function is a tool. It is read, never run.', shape: text, sourceOnly: true },
      approved: {
        says: "The digest of the listing that a person has read, as `interlock import mcp` prints it. Another listing is then an error. A live server's annotations count only with it; naming a saved listing approves that file.",
        shape: text, sourceOnly: true,
      },
      only: { says: "The tools to import, by their own names, before the prefix. Without it, all of them.", shape: names, sourceOnly: true },
      prefix: { says: 'Put before every imported name, so that two imports can have a tool of the same name.', shape: text, sourceOnly: true },
    },
  },
  server: {
    says: 'An MCP server that is started over stdio and asked for its tools each time the policy is registered.',
    at: ['/tools/*/mcp'],
    members: {
      command: { says: 'The program to start.', shape: text, required: true, sourceOnly: true },
      args: { says: 'Its arguments.', shape: names, sourceOnly: true },
      env: { says: 'Environment variables, beside the few that are safe to hand on (PATH, HOME …).', shape: { type: 'object', additionalProperties: { type: 'string' } }, sourceOnly: true },
      cwd: { says: 'The folder it starts in, from this file. Without it, the folder of this file.', shape: text, sourceOnly: true },
      timeout: { says: 'Seconds it may take to list its tools.', shape: { type: 'number', exclusiveMinimum: 0, maximum: 600 }, fill: 30, sourceOnly: true },
    },
  },
  after: {
    says: 'An order rule: the tool must have run before, on the values that were returned then.',
    at: ['/tools/*/after/*'],
    members: {
      tool: { says: 'The tool that must have run.', shape: text, required: true },
      bind: { says: "Arguments of this tool, each with the field of that tool's result it must come from.", shape: { type: 'object', additionalProperties: { type: 'string' } } },
    },
  },
  undo: {
    says: 'The compensation that undoes a write.',
    at: ['/tools/*/undo'],
    members: {
      tool: { says: 'The tool that undoes it.', shape: text, required: true },
      bind: {
        says: 'Arguments of the undoing tool, each from arguments.NAME or result.FIELD of the call being undone.',
        shape: { type: 'object', additionalProperties: { type: 'string', pattern: '^(arguments|result)\\.' } },
      },
    },
  },
  toolLimits: {
    says: 'Limits of one call of a tool.',
    at: ['/tools/*/limits'],
    members: { bytes: { says: 'The largest canonical arguments text, in bytes.', shape: count(1) } },
  },
  rulebook: {
    says: 'The rules. Flows and rules are read in the order written; the first that refuses decides.',
    at: ['/rulebook'],
    members: {
      facts: { says: 'The facts that conditions may name. Where given, any other fact is an error.', shape: names },
      flows: { says: 'Groups of rules, each for some tools.', shape: listOf(table('flow')), fill: [] },
    },
  },
  flow: {
    says: 'Rules for some tools.',
    at: ['/rulebook/flows/*'],
    members: {
      name: { says: 'The name, shown in the detail of a refusal.', shape: text, required: true },
      on: { says: 'The tools whose calls the rules judge; "*" for all.', shape: names, required: true },
      rules: { says: 'The rules, in the order they are read.', shape: listOf(table('rule')), required: true },
    },
  },
  rule: {
    says: 'A rule: an id and exactly one condition. A condition that cannot be evaluated never lets a call through.',
    at: ['/rulebook/flows/*/rules/*'],
    members: {
      id: { says: "The reason of a refusal by this rule. Not one of the check's own reasons.", shape: text, required: true },
      allow_if: { says: 'CEL: the call is refused unless this is true.', shape: text },
      refuse_if: { says: 'CEL: the call is refused when this is true.', shape: text },
      ask_if: { says: 'CEL: a person is asked when this is true.', shape: text },
      because: { says: 'Why, for the person who reads a refusal.', shape: text },
      question: { says: 'What a person is asked.', shape: text },
    },
  },
  settings: {
    says: 'Settings of the check.',
    at: ['/settings'],
    members: {
      taint_policy: { says: 'What happens to a write that a mark of little trust holds.', shape: oneOf('confirm', 'refuse'), fill: 'confirm' },
      taint_scope: { says: 'Whether what was read outside marks the values that may repeat it, or every later call of the session.', shape: oneOf('value', 'session'), fill: 'value' },
      confirmation_ttl: { says: 'Seconds that a confirmation holds.', shape: count(0), fill: 86400 },
      confirmation_point: { says: 'Whether an answer must come right after its question (head), or other calls of the turn may come between (turn).', shape: oneOf('head', 'turn'), fill: 'head' },
      approval: { says: 'How a person approves.', shape: table('approval') },
      receipt_ttl: { says: 'Seconds that a receipt holds.', shape: count(0), fill: 300 },
      result_digests: { says: 'Whether a value taken from a result needs the reported digest of that result.', shape: oneOf('if_reported', 'required'), fill: 'if_reported' },
      head: { says: "Whether every request must bring the session's head.", shape: oneOf('optional', 'required'), fill: 'optional' },
      on_lapse: { says: 'What is refused once the licence has lapsed.', shape: oneOf('refuse_writes', 'refuse'), fill: 'refuse_writes' },
      language: { says: 'The language of turns: how numbers are written, and which words are read.', shape: oneOf('en', 'pt-BR'), fill: 'en' },
      unread: { says: 'What becomes of a turn that no rule reads.', shape: oneOf('refuse', 'model'), fill: 'refuse' },
      undeclared_arguments: { says: 'Whether an argument that the schema does not declare is refused: always, as the schema says, or in nested objects too.', shape: oneOf('refuse', 'schema', 'deep'), fill: 'refuse' },
      limits: { says: 'Limits of a request.', shape: table('limits') },
    },
  },
  approval: {
    says: 'How a person approves.',
    at: ['/settings/approval'],
    members: {
      mode: { says: 'Whether holding the confirmation is enough, or approvers sign.', shape: oneOf('token', 'signed'), fill: 'token' },
      count: { says: 'How many different approvers must sign.', shape: count(1), fill: 1 },
      deciders: { says: 'Who may approve. Empty: whoever holds an approval key.', shape: names, fill: [] },
    },
  },
  limits: {
    says: 'Limits of a request: counts, never times.',
    at: ['/settings/limits'],
    members: {
      depth: { says: 'How many objects and lists may be open at once.', shape: { type: 'integer', minimum: 1, maximum: 512 }, fill: 128 },
      bytes: { says: 'The largest request text, its history not counted.', shape: count(1), fill: 8388608 },
      history: { says: 'The most entries of a history.', shape: count(1), fill: 10000 },
      steps: { says: 'Steps that a schema walk, a condition or a search for typed evidence may take.', shape: count(1), fill: 1000000 },
    },
  },
};

/** The tables whose objects stand at a pointer of the policy; an import entry's pointer names `import` too. */
export function tablesAt(pointer: string): [TableName, Table][] {
  const tokens = pointer.split('/');
  const fits = (pattern: string) => {
    const wanted = pattern.split('/');
    return wanted.length === tokens.length && wanted.every((token, i) => token === '*' || token === tokens[i]);
  };
  return (Object.entries(TABLES) as [TableName, Table][]).filter(([, { at }]) => at.some(fits));
}

/** The names of the members that an object at a pointer may have. */
export function membersAt(pointer: string): string[] {
  return [...new Set(tablesAt(pointer).flatMap(([, { members }]) => Object.keys(members)))];
}

/** The values a member may have, where it is one of a few words. */
export function wordsAt(pointer: string): string[] | undefined {
  const cut = pointer.lastIndexOf('/');
  const name = pointer.slice(cut + 1);
  for (const [, { members }] of tablesAt(pointer.slice(0, Math.max(0, cut)))) {
    const words = Object.hasOwn(members, name) ? members[name]!.shape['enum'] : undefined;
    if (Array.isArray(words)) return words as string[];
  }
  return undefined;
}
