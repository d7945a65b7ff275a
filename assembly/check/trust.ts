// Whether an argument's origin is trusted, and whether a reported result agrees with it (chapter 4, Origins).

import { Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { Entry } from "../history/entry";
import { RAN } from "../history/outcome";
import { COMPUTED, CONTEXT, REPLY, RESULT, TYPED } from "../evidence/origins";
import { trustOf } from "../evidence/marks";
import { STRING, Value, first, kind, member, next, stringLength, stringStart } from "../json/value";
import { declaresResultField } from "../schema/declared";
import { Argument, Call } from "./call";
import { namesStep } from "./prepare";

/**
 * Whether the result reported of a step agrees with an argument: it holds `field` with the argument's digest (null: any field), or
 * none was reported at all and none is required.
 */
export function agrees(call: Call, entry: Entry, field: Text | null, argument: Argument): bool {
  const result = call.history.resultDigests(entry);
  if (result == 0) return !call.policy.settings.resultDigestsRequired;
  const digest = call.digestOf(argument);
  if (field != null) return isDigest(member(result, field.start, field.length), digest);
  const end = next(result);
  for (let name = first(result); name < end; name = next(next(name))) if (isDigest(next(name), digest)) return true;
  return false;
}

/** Whether a node is a string equal to a digest. */
export function isDigest(value: Value, digest: Text): bool {
  return value != 0 && kind(value) == STRING && equalBytes(stringStart(value), stringLength(value), digest.start, digest.length);
}

/** Whether an argument's origin is trusted. */
export function isTrusted(call: Call, argument: Argument): bool {
  switch (argument.originKind) {
    case REPLY:
    case CONTEXT:
    case COMPUTED:
      return true;
    case TYPED:
      return argument.typed;
    case RESULT:
      break;
    default:
      return false;
  }
  if (!namesStep(call, argument)) return false;
  const entry = call.history.entries[argument.originStep];
  if (!entry.allowed || call.history.outcomeOf(entry) != RAN) return false;
  const tool = call.history.toolOf(entry);
  if (tool == null || tool.result == null) return false;
  const schema = tool.result!;
  const field = argument.originField;
  if (field != null && !declaresResultField(schema, field.start, field.length)) return false;
  return agrees(call, entry, field, argument);
}

/** Whether one of an argument's own marks is trusted less than the tool asks for. */
export function carriesHolding(call: Call, argument: Argument, privilege: i32): bool {
  const marks = argument.marks;
  if (marks == null) return false;
  for (let i = 0; i < marks.length; i++) if (trustOf(call.policy, marks[i]) < privilege) return true;
  return false;
}
