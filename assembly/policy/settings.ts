// The settings: each with its default (chapter 2).

import { Value, get, stringText } from "../json/value";
import { Reading } from "./member";
import { Settings } from "./policy";

/** `limits.depth` may not be more: the walks over values are bounded by it. */
export const DEPTH_MAXIMUM: i64 = 512;
const LARGEST: i64 = 9007199254740992;

export const SETTING_NAMES: StaticArray<string> = [
  "taint_policy", "taint_scope", "confirmation_ttl", "confirmation_point", "approval", "receipt_ttl", "result_digests", "head",
  "on_lapse", "language", "unread", "undeclared_arguments", "limits",
];
const APPROVAL_NAMES: StaticArray<string> = ["mode", "count", "deciders"];
const LIMIT_NAMES: StaticArray<string> = ["depth", "bytes", "history", "steps"];

const TAINT_POLICIES: StaticArray<string> = ["confirm", "refuse"];
const TAINT_SCOPES: StaticArray<string> = ["value", "session"];
const POINTS: StaticArray<string> = ["head", "turn"];
const MODES: StaticArray<string> = ["token", "signed"];
const RESULT_DIGESTS: StaticArray<string> = ["if_reported", "required"];
const HEADS: StaticArray<string> = ["optional", "required"];
const LAPSES: StaticArray<string> = ["refuse_writes", "refuse"];
const LANGUAGES: StaticArray<string> = ["en", "pt-BR"];
const UNREAD: StaticArray<string> = ["refuse", "model"];
const UNDECLARED: StaticArray<string> = ["refuse", "schema", "deep"];

/** Reads the settings object (0: none) into `settings`. */
export function readSettings(reading: Reading, object: Value, settings: Settings): void {
  if (!reading.object(object)) return;
  reading.members(object, SETTING_NAMES);
  settings.taintRefuse = reading.choice(object, "taint_policy", TAINT_POLICIES, 0) == 1;
  settings.taintSession = reading.choice(object, "taint_scope", TAINT_SCOPES, 0) == 1;
  settings.confirmationTtl = reading.integer(object, "confirmation_ttl", 0, LARGEST, 86400);
  settings.pointTurn = reading.choice(object, "confirmation_point", POINTS, 0) == 1;
  settings.receiptTtl = reading.integer(object, "receipt_ttl", 0, LARGEST, 300);
  settings.resultDigestsRequired = reading.choice(object, "result_digests", RESULT_DIGESTS, 0) == 1;
  settings.headRequired = reading.choice(object, "head", HEADS, 0) == 1;
  settings.lapseRefuses = reading.choice(object, "on_lapse", LAPSES, 0) == 1;
  settings.portuguese = reading.choice(object, "language", LANGUAGES, 0) == 1;
  reading.choice(object, "unread", UNREAD, 0);
  settings.undeclared = reading.choice(object, "undeclared_arguments", UNDECLARED, 0);
  const approval = get(object, "approval");
  if (reading.object(approval)) {
    reading.members(approval, APPROVAL_NAMES);
    settings.approvalSigned = reading.choice(approval, "mode", MODES, 0) == 1;
    settings.approvalCount = reading.integer(approval, "count", 1, LARGEST, 1);
    const deciders = reading.strings(approval, "deciders", false);
    for (let i = 0; i < deciders.length; i++) settings.deciders.push(stringText(deciders[i]));
  }
  const limits = get(object, "limits");
  if (reading.object(limits)) {
    reading.members(limits, LIMIT_NAMES);
    settings.depth = <i32>reading.integer(limits, "depth", 1, DEPTH_MAXIMUM, 128);
    settings.bytes = reading.integer(limits, "bytes", 1, LARGEST, 8388608);
    settings.history = reading.integer(limits, "history", 1, LARGEST, 10000);
    settings.steps = reading.integer(limits, "steps", 1, LARGEST, 1000000);
  }
}
