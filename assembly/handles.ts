// Handles: small numbers under which a host keeps loaded policies, key sets and sessions, and the regions they live in.

import { Session } from "./check/session";
import { KeySet, readKeys, keysProblem } from "./history/keys";
import { verifyHistory } from "./history/verify";
import { Failure } from "./json/failure";
import { Value, textLength, textStart } from "./json/value";
import { Buffer, Text } from "./memory/buffer";
import { allocate, createRegion, dropRegion, enterRegion } from "./memory/region";
import { scan } from "./json/scan";
import { Loaded, loadPolicy } from "./policy/load";
import { Policy } from "./policy/policy";
import { OUTER_BYTES, OUTER_DEPTH, POLICY_DEPTH } from "./abi";

/** The region of the tables themselves; never emptied. */
let tables: usize = 0;
let policies: Array<Policy | null> = [];
let keySets: Array<KeySet | null> = [];
let sessions: Array<Session | null> = [];

/** The region of the tables. */
export function tablesRegion(): usize {
  return tables;
}

/** Makes the tables where this is the first call. */
export function openTables(): void {
  if (tables != 0) return;
  tables = createRegion();
  const before = enterRegion(tables);
  policies = new Array<Policy | null>();
  keySets = new Array<KeySet | null>();
  sessions = new Array<Session | null>();
  if (before != 0) enterRegion(before);
}

/** The first free place of a table, which grows in the tables' region. */
function place<T>(table: Array<T | null>, item: T): i32 {
  for (let i = 0; i < table.length; i++) {
    if (changetype<usize>(table[i]) != 0) continue;
    table[i] = item;
    return i + 1;
  }
  const before = enterRegion(tables);
  table.push(item);
  enterRegion(before);
  return table.length;
}

export function policyOf(handle: i32): Policy | null {
  return handle >= 1 && handle <= policies.length ? policies[handle - 1] : null;
}

export function keysOf(handle: i32): KeySet | null {
  return handle >= 1 && handle <= keySets.length ? keySets[handle - 1] : null;
}

export function sessionOf(handle: i32): Session | null {
  return handle >= 1 && handle <= sessions.length ? sessions[handle - 1] : null;
}

/** Copies a value's text into the current region and reads it there. The text was read before, so it is strict. */
function adopt(value: Value): Value {
  const length = textLength(value);
  const at = allocate(<usize>length + 16);
  memory.copy(at, textStart(value), <usize>length);
  return scan(at, length, POLICY_DEPTH, OUTER_BYTES);
}

/** What a registration came to. */
@final
export class Registration {
  /** 0 where there is a failure or a problem. */
  handle: i32 = 0;
  failure: Failure | null = null;
  /** The findings, in the call's region; empty texts where a failure came first. */
  problems: Buffer | null = null;
  warnings: Buffer | null = null;
  /** JSON list of the names of tools whose schema is partial. */
  partial: Buffer | null = null;
}

/**
 * Registers a policy.
 * @param policy its document; a value of the call's region
 * @param documents an object of schema documents by URI, or 0
 */
export function registerPolicy(policy: Value, documents: Value): Registration {
  const registration = new Registration();
  const region = createRegion();
  const before = enterRegion(region);
  const source = adopt(policy);
  const beside = documents == 0 ? 0 : adopt(documents);
  let loaded: Loaded | null = null;
  if (source != 0 && (documents == 0 || beside != 0)) loaded = loadPolicy(source, beside, region);
  enterRegion(before);
  if (loaded == null) {
    dropRegion(region);
    registration.failure = new Failure("json_depth", "a policy may not nest deeper than 256");
    return registration;
  }
  if (!loaded.valid) {
    const problems = new Buffer(1024);
    loaded.reading.findings.write(problems);
    registration.problems = problems;
    dropRegion(region);
    return registration;
  }
  const warnings = new Buffer(1024);
  loaded.reading.warnings.write(warnings);
  registration.warnings = warnings;
  const partial = new Buffer(64);
  loaded.writePartial(partial);
  registration.partial = partial;
  registration.handle = place<Policy>(policies, loaded.policy);
  return registration;
}

/** Why `registerKeys` or `openSession` returned 0. */
export let refusal: Failure | null = null;

/** Reads a key set; 0 with `refusal` where it breaks chapter 1. */
export function registerKeys(keys: Value): i32 {
  refusal = null;
  const region = createRegion();
  const before = enterRegion(region);
  const source = adopt(keys);
  let set: KeySet | null = null;
  if (source != 0) set = readKeys(source, region);
  enterRegion(before);
  if (set == null) {
    dropRegion(region);
    refusal = new Failure("keys_invalid", keysProblem);
    return 0;
  }
  return place<KeySet>(keySets, set);
}

/** Opens a session on a history (0: a new one); 0 with `refusal` where it does not verify. */
export function openSession(policy: Policy, keys: KeySet, session: Text, history: Value): i32 {
  refusal = null;
  const region = createRegion();
  const before = enterRegion(region);
  const at = allocate(<usize>session.length + 8);
  memory.copy(at, session.start, <usize>session.length);
  const name = new Text(at, session.length);
  const document = history == 0 ? 0 : adoptHistory(history);
  const verified = verifyHistory(document, policy, keys, name, null, true);
  if (verified == null) {
    enterRegion(before);
    dropRegion(region);
    refusal = new Failure("history_invalid", "the history does not verify for this session, policy and key set");
    return 0;
  }
  enterRegion(tables);
  const opened = new Session(region, policy, keys, verified);
  enterRegion(before);
  policy.users++;
  keys.users++;
  return place<Session>(sessions, opened);
}

function adoptHistory(value: Value): Value {
  const length = textLength(value);
  const at = allocate(<usize>length + 16);
  memory.copy(at, textStart(value), <usize>length);
  return scan(at, length, OUTER_DEPTH, OUTER_BYTES);
}

/** Gives a policy up; it stays as long as a session uses it. */
export function dropPolicy(handle: i32): void {
  const policy = policyOf(handle);
  if (policy == null) return;
  policies[handle - 1] = null;
  releasePolicy(policy);
}

function releasePolicy(policy: Policy): void {
  if (--policy.users == 0) dropRegion(policy.region);
}

/** Gives a key set up; it stays as long as a session uses it. */
export function dropKeys(handle: i32): void {
  const keys = keysOf(handle);
  if (keys == null) return;
  keySets[handle - 1] = null;
  releaseKeys(keys);
}

function releaseKeys(keys: KeySet): void {
  if (--keys.users == 0) dropRegion(keys.region);
}

export function closeSession(handle: i32): void {
  const session = sessionOf(handle);
  if (session == null) return;
  sessions[handle - 1] = null;
  dropRegion(session.region);
  releasePolicy(session.policy);
  releaseKeys(session.keys);
}
