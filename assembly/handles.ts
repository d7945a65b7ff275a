// Handles: small numbers under which a host keeps loaded policies, key sets and sessions, and the regions they live in.

import { check } from "./check/check";
import { Session } from "./check/session";
import { KeySet, readKeys, keysProblem } from "./history/keys";
import { verifyHistory } from "./history/verify";
import { Failure, scanFailure } from "./json/failure";
import { Value, textLength, textStart } from "./json/value";
import { Buffer, Text } from "./memory/buffer";
import { allocate, createRegion, dropRegion, enterRegion } from "./memory/region";
import { scan } from "./json/scan";
import { Loaded, loadPolicy } from "./policy/load";
import { Policy } from "./policy/policy";
import { OUTER_BYTES, OUTER_DEPTH, POLICY_BYTES, POLICY_DEPTH } from "./abi";

/** The region of the tables themselves; never emptied. */
let tables: usize = 0;
let policies: Table<Policy> = changetype<Table<Policy>>(0);
let keySets: Table<KeySet> = changetype<Table<KeySet>>(0);
let sessions: Table<Session> = changetype<Table<Session>>(0);

/** Numbered places: a number is given again once its place is free. */
@final
class Table<T> {
  private items: Array<T | null> = [];
  /** Numbers that were given up. */
  private free: Array<i32> = [];

  /** The item of a number, or null. */
  get(handle: i32): T | null {
    return handle >= 1 && handle <= this.items.length ? unchecked(this.items[handle - 1]) : null;
  }

  /** Puts an item into a free place; the table grows in the tables' region. */
  place(item: T): i32 {
    if (this.free.length != 0) {
      const handle = this.free.pop();
      this.items[handle - 1] = item;
      return handle;
    }
    const before = enterRegion(tables);
    this.items.push(item);
    enterRegion(before);
    return this.items.length;
  }

  replace(handle: i32, item: T): void {
    this.items[handle - 1] = item;
  }

  clear(handle: i32): void {
    this.items[handle - 1] = null;
    const before = enterRegion(tables);
    this.free.push(handle);
    enterRegion(before);
  }
}

/** The region of the tables. */
export function tablesRegion(): usize {
  return tables;
}

/** Makes the tables where this is the first call. */
export function openTables(): void {
  if (tables != 0) return;
  tables = createRegion();
  const before = enterRegion(tables);
  policies = new Table<Policy>();
  keySets = new Table<KeySet>();
  sessions = new Table<Session>();
  if (before != 0) enterRegion(before);
}

export function policyOf(handle: i32): Policy | null {
  return policies.get(handle);
}

export function keysOf(handle: i32): KeySet | null {
  return keySets.get(handle);
}

export function sessionOf(handle: i32): Session | null {
  return sessions.get(handle);
}

/** Copies a value's text into the current region and reads it there, by the limits of what is registered; 0 with the reader's problem set. */
function adopt(value: Value): Value {
  const length = textLength(value);
  const at = allocate(<usize>length + 16);
  memory.copy(at, textStart(value), <usize>length);
  return scan(at, length, POLICY_DEPTH, POLICY_BYTES);
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
  const beside = documents == 0 || source == 0 ? <Value>0 : adopt(documents);
  let loaded: Loaded | null = null;
  // The reader's problem is that of the text read last, so a policy that fails is not followed by its documents.
  if (source != 0 && (documents == 0 || beside != 0)) loaded = loadPolicy(source, beside, region);
  enterRegion(before);
  if (loaded == null) {
    registration.failure = scanFailure();
    dropRegion(region);
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
  registration.handle = policies.place(loaded.policy);
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
    refusal = source == 0 ? scanFailure() : new Failure("keys_invalid", keysProblem);
    dropRegion(region);
    return 0;
  }
  return keySets.place(set);
}

/** Opens a session on a history (0: a new one); 0 with `refusal` where it does not verify. */
export function openSession(policy: Policy, keys: KeySet, session: Text, history: Value): i32 {
  refusal = null;
  const region = createRegion();
  const before = enterRegion(region);
  const at = allocate(<usize>session.length + 8);
  memory.copy(at, session.start, <usize>session.length);
  const name = new Text(at, session.length);
  const document = history == 0 ? <Value>0 : adoptHistory(history);
  const verified = verifyHistory(document, policy, keys, name, null, true);
  if (verified == null) {
    enterRegion(before);
    dropRegion(region);
    refusal = new Failure("history_invalid", "the history does not verify for this session, policy and key set");
    return 0;
  }
  const opened = new Session(region, policy, keys, verified);
  enterRegion(before);
  policy.users++;
  keys.users++;
  return sessions.place(opened);
}

function adoptHistory(value: Value): Value {
  const length = textLength(value);
  const at = allocate(<usize>length + 16);
  memory.copy(at, textStart(value), <usize>length);
  return scan(at, length, OUTER_DEPTH, OUTER_BYTES);
}

/** Decides one request of an open session, which takes the entry. */
export function checkSession(handle: i32, session: Session, start: usize, length: i32, out: Buffer): Failure | null {
  const checked = check(session.policy, session.keys, start, length, session.history, out);
  const after = session.extended(checked);
  if (after != session) {
    sessions.replace(handle, after);
    dropRegion(session.region);
  }
  return checked.error;
}

/** Gives a policy up; it stays as long as a session uses it. */
export function dropPolicy(handle: i32): void {
  const policy = policyOf(handle);
  if (policy == null) return;
  policies.clear(handle);
  releasePolicy(policy);
}

function releasePolicy(policy: Policy): void {
  if (--policy.users == 0) dropRegion(policy.region);
}

/** Gives a key set up; it stays as long as a session uses it. */
export function dropKeys(handle: i32): void {
  const keys = keysOf(handle);
  if (keys == null) return;
  keySets.clear(handle);
  releaseKeys(keys);
}

function releaseKeys(keys: KeySet): void {
  if (--keys.users == 0) dropRegion(keys.region);
}

export function closeSession(handle: i32): void {
  const session = sessionOf(handle);
  if (session == null) return;
  sessions.clear(handle);
  dropRegion(session.region);
  releasePolicy(session.policy);
  releaseKeys(session.keys);
}
