// The loaded policy: agents, tools, rulebook and settings as the check uses them (chapter 2).

import { Text } from "../memory/buffer";
import { NameTable } from "../memory/names";
import { Value } from "../json/value";
import { Condition } from "../cel/condition";
import { Schema } from "../schema/program";
import { DocumentDigests } from "./documents";

/** Privileges in order of trust. */
export const LOW: i32 = 0;
export const NORMAL: i32 = 1;
export const HIGH: i32 = 2;

/** `after T`, with the arguments that must come from that call's result. */
@final
export class AfterRule {
  /** Arguments and the result field each is bound to, by the argument's name. */
  arguments: Array<Text> = [];
  fields: Array<Text> = [];
  constructor(public tool: Text) {}
}

/** The compensation a write declares. */
@final
export class UndoRule {
  arguments: Array<Text> = [];
  /** Whether the argument takes a field of the result (else an argument of the step). */
  fromResult: Array<bool> = [];
  fields: Array<Text> = [];
  constructor(public tool: Text) {}
}

export const ALLOW_IF: i32 = 0;
export const REFUSE_IF: i32 = 1;
export const ASK_IF: i32 = 2;

@final
export class Rule {
  because: Text | null = null;
  question: Text | null = null;
  constructor(
    public id: Text,
    public kind: i32,
    public condition: Condition,
  ) {}
}

@final
export class Flow {
  rules: Array<Rule> = [];
  /** Which tools it is on, by index; null: every tool. */
  on: StaticArray<bool> | null = null;
  constructor(public name: Text) {}
}

@final
export class Agent {
  privilege: i32 = NORMAL;
  /** Whether it reaches every tool; else `tools` says which, by index. */
  all: bool = false;
  tools: StaticArray<bool> = new StaticArray<bool>(0);
  /** Values for arguments that a turn leaves out: an object, or 0. */
  defaults: Value = 0;
  constructor(public name: Text) {}

  /** Whether it reaches a tool. */
  reaches(tool: Tool): bool {
    return this.all || this.tools[tool.index];
  }
}

@final
export class Tool {
  write: bool = true;
  description: Text = new Text(0, 0);
  parameters: Schema = changetype<Schema>(0);
  result: Schema | null = null;
  sendsOut: bool = false;
  readsOutside: bool = false;
  subjectArguments: Array<Text> = [];
  privilege: i32 = NORMAL;
  after: Array<AfterRule> = [];
  /** Tools named by `not_after`, and "untrusted" among them as written. */
  notAfter: Array<Text> = [];
  /** 0: no such rule. */
  atMost: i64 = 0;
  undo: UndoRule | null = null;
  irreversible: bool = false;
  idempotent: bool = false;
  idempotencyKey: Text | null = null;
  /** -1: none. */
  bytesLimit: i64 = -1;
  /** The digest of the compiled tool, base64url. */
  snapshot: Text = new Text(0, 0);
  /** What it was read from. */
  source: Value = 0;
  constructor(
    public name: Text,
    public index: i32,
  ) {}
}

export const UNDECLARED_REFUSE: i32 = 0;
export const UNDECLARED_SCHEMA: i32 = 1;
export const UNDECLARED_DEEP: i32 = 2;

@final
export class Settings {
  taintRefuse: bool = false;
  taintSession: bool = false;
  confirmationTtl: i64 = 86400;
  pointTurn: bool = false;
  approvalSigned: bool = false;
  approvalCount: i64 = 1;
  deciders: Array<Text> = [];
  receiptTtl: i64 = 300;
  resultDigestsRequired: bool = false;
  headRequired: bool = false;
  lapseRefuses: bool = false;
  portuguese: bool = false;
  undeclared: i32 = UNDECLARED_REFUSE;
  depth: i32 = 128;
  bytes: i64 = 8388608;
  history: i64 = 10000;
  steps: i64 = 1000000;
}

@final
export class Policy {
  /** The policy's id, 43 characters of base64url. */
  id: Text = new Text(0, 0);
  tenant: Text = new Text(0, 0);
  agents: Array<Agent> = [];
  agentNames: NameTable = new NameTable();
  tools: Array<Tool> = [];
  toolNames: NameTable = new NameTable();
  flows: Array<Flow> = [];
  settings: Settings = new Settings();
  documents: DocumentDigests = new DocumentDigests();
  /** How many hold it: its handle, and each session. */
  users: i32 = 1;
  /** The names of agents, sorted by UTF-16 code units. */
  sortedAgents: Array<Text> = [];
  /** What the reading of turns made of the tools' words, by language; made when a turn is first read (assembly/turn). */
  vocabularies: Array<usize> = [];
  constructor(
    /** The region it lives in. */
    public region: usize,
    /** The document it was read from. */
    public source: Value,
  ) {}

  tool(name: Text): Tool | null {
    const index = this.toolNames.find(name.start, name.length);
    return index < 0 ? null : this.tools[index];
  }

  agent(name: Text): Agent | null {
    const index = this.agentNames.find(name.start, name.length);
    return index < 0 ? null : this.agents[index];
  }
}
