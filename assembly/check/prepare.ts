// What the steps need before the first: the arguments with their origins, digests and marks, the call's marks, and its time.

import { Buffer, Text } from "../memory/buffer";
import { ArgumentDigests } from "../history/digest";
import { History, sameText } from "../history/history";
import { WHY_LIMIT, WHY_NONE, canonicalText, emptyHistory, endsAt, setWhy, verifyHistory } from "../history/verify";
import { TypedEvidence } from "../evidence/typed";
import { addLabels, addMark, addMarks, addStepMarks, agentMark, outsideMarks } from "../evidence/marks";
import { CONTEXT, REPLY, RESULT, TYPED, originField, originStep, readOrigin } from "../evidence/origins";
import { writeCanonical } from "../json/canonical";
import { SortedMembers, Value, first, get, member, next, stringText } from "../json/value";
import { equalBytes } from "../memory/bytes";
import { beginSteps } from "../memory/steps";
import { declares } from "../schema/declared";
import { Argument, Call } from "./call";

/** The longest text of which a session keeps the digest, in bytes. */
const EVIDENCE_KEPT: i32 = 65536;
/** The origin where none was claimed. */
const MODEL: string = "model";

/** Finds the tool and the agent, reads the arguments and digests what the entry holds. `kept`: the session's history, or null. */
export function prepareCall(call: Call, kept: History | null): void {
  const policy = call.policy;
  call.tool = policy.tool(call.toolName);
  const name = call.agentName;
  call.agent = name != null ? policy.agent(name) : policy.agents.length == 1 ? policy.agents[0] : null;
  call.canonical = new Buffer(256);
  writeCanonical(call.arguments, call.canonical);
  readArguments(call);
  call.digests = new ArgumentDigests(call.keys.digestKey, call.session, policy.tenant, kept != null ? kept.scopeKey : 0);
  digestCall(call, kept);
}

function readArguments(call: Call): void {
  // Which names are declared is no walk of the schema: it does not depend on `limits.steps`, nor on what another call left of them.
  beginSteps(i64.MAX_VALUE);
  const model = new Buffer(8);
  model.ascii(MODEL);
  for (const m = new SortedMembers(call.arguments); m.name != 0; m.advance()) {
    const argument = new Argument(m.name, stringText(m.name), m.value);
    const tool = call.tool;
    argument.declared = tool != null && declares(tool.parameters, argument.name.start, argument.name.length);
    const claimed = call.origins == 0 ? <Value>0 : member(call.origins, argument.name.start, argument.name.length);
    argument.origin = claimed != 0 ? stringText(claimed) : model.view();
    argument.originKind = readOrigin(argument.origin.start, argument.origin.length);
    if (argument.originKind == RESULT) {
      argument.originStep = originStep;
      argument.originField = originField;
    }
    call.list.push(argument);
  }
}

/** Makes every digest of the entry, side by side. */
function digestCall(call: Call, kept: History | null): void {
  const digests = call.digests;
  digests.begin().bytes(call.canonical.start, call.canonical.length);
  call.digest = digests.end();
  call.evidence = evidenceOf(call, kept);
  const id = get(call.principal, "id");
  if (id != 0) {
    const text = canonicalText(id);
    call.principalId = text;
    // In a session everybody is the first one, so his digest is known.
    if (kept != null && kept.principalId.length != 0 && sameText(kept.principalId, text)) call.principalDigest = kept.principal;
    else {
      digests.begin().text(text);
      call.principalDigest = digests.end();
    }
  }
  for (let i = 0; i < call.list.length; i++) {
    const argument = unchecked(call.list[i]);
    if (argument.declared) argument.digest = digests.later(argument.value);
  }
  digests.settle();
}

/** The digest of what the decision is made from; a session's is known while nothing of it changes, which it mostly does with the turn. */
function evidenceOf(call: Call, kept: History | null): Text {
  const text = call.digests.begin();
  const from = text.length;
  writeEvidence(call, text);
  if (kept != null) {
    const known = kept.evidence;
    const length = text.length - from;
    if (known != null && equalBytes(text.start + <usize>from, length, known.start, known.length)) {
      call.digests.drop();
      return kept.evidenceDigest;
    }
    if (length <= EVIDENCE_KEPT) {
      call.evidenceText = new Buffer(length);
      call.evidenceText!.bytes(text.start + <usize>from, length);
    }
  }
  return call.digests.end();
}

/** Appends what the decision is made from, as the request gave it. */
function writeEvidence(call: Call, out: Buffer): void {
  const before = out.length;
  writeMember('{"context":', ',"context":', call.context, before, out);
  writeMember('{"labels":', ',"labels":', call.labels, before, out);
  writeMember('{"principal":', ',"principal":', call.principal, before, out);
  writeMember('{"resource":', ',"resource":', call.resource, before, out);
  writeMember('{"turns":', ',"turns":', call.turns, before, out);
  out.ascii(out.length == before ? "{}" : "}");
}

/** Appends a member that is there, after `opening` where it is the first. */
function writeMember(opening: string, following: string, value: Value, before: i32, out: Buffer): void {
  if (value == 0) return;
  out.ascii(out.length == before ? opening : following);
  writeCanonical(value, out);
}

/** Verifies the history that came (chapter 3), or takes the session's; `why` says why not, where `call.verified` is false. */
export function prepareHistory(call: Call, kept: History | null): void {
  let history: History | null = kept;
  if (kept == null) {
    history = verifyHistory(call.historyValue, call.policy, call.keys, call.session, call.principalDigest, false);
  } else {
    setWhy(WHY_NONE);
    if (<i64>kept.length > call.policy.settings.history) {
      setWhy(WHY_LIMIT);
      history = null;
    } else if (kept.length != 0 && !sameText(kept.principal, call.principalDigest)) {
      history = null;
    }
  }
  const head = call.head;
  if (history != null && head != null && !endsAt(history, head)) history = null;
  call.verified = history != null;
  call.history = history != null ? history : emptyHistory(call.policy, call.session);
  call.at = max(call.now, call.history.at);
}

/** The last turn, or the empty text. */
export function lastTurn(call: Call): Text {
  const turns = turnsOf(call);
  return turns.length == 0 ? new Text(0, 0) : turns[turns.length - 1];
}

function turnsOf(call: Call): Array<Text> {
  const turns: Array<Text> = [];
  if (call.turns == 0) return turns;
  const end = next(call.turns);
  for (let turn = first(call.turns); turn < end; turn = next(turn)) turns.push(stringText(turn));
  return turns;
}

/** Which of the arguments claimed typed a turn holds, by name. */
export function proveTyped(call: Call): void {
  let evidence: TypedEvidence | null = null;
  for (let i = 0; i < call.list.length; i++) {
    const argument = call.list[i];
    if (argument.originKind != TYPED) continue;
    if (evidence == null) {
      beginSteps(call.policy.settings.steps);
      evidence = new TypedEvidence(turnsOf(call), call.policy.settings.portuguese);
    }
    argument.typed = evidence.prove(argument.value);
  }
}

/** Whether an origin names a step of the history. */
export function namesStep(call: Call, argument: Argument): bool {
  return argument.originKind == RESULT && argument.originStep >= 0 && argument.originStep < call.history.length;
}

/** Gathers every mark on the call: given, and derived (step 8). */
export function prepareMarks(call: Call): void {
  const given = call.labels;
  if (given != 0) addLabels(get(given, "call"), call.marks);
  const perArgument = given == 0 ? <Value>0 : get(given, "arguments");
  // What the model may have read is the same for every argument: made once, shared by those that carry nothing else.
  const outside = outsideMarks(call.history);
  let touched = call.policy.settings.taintSession;
  for (let i = 0; i < call.list.length; i++) {
    const argument = unchecked(call.list[i]);
    const labels = perArgument != 0 ? member(perArgument, argument.name.start, argument.name.length) : <Value>0;
    const derives = namesStep(call, argument);
    const tainted = !derives && outside.length != 0 && argument.originKind != REPLY && argument.originKind != CONTEXT && !argument.typed;
    if (tainted) touched = true;
    if (labels == 0 && !derives) {
      if (tainted) argument.marks = outside;
      continue;
    }
    const marks: Array<Text> = [];
    addLabels(labels, marks);
    if (derives) addStepMarks(call.policy, call.history, call.history.entries[argument.originStep], call.agentName, marks);
    else if (tainted) addMarks(marks, outside);
    argument.marks = marks;
    addMarks(call.marks, marks);
  }
  if (touched) addMarks(call.marks, outside);
  const agent = call.agent;
  const tool = call.tool;
  if (agent != null && tool != null && agent.privilege < tool.privilege) addMark(call.marks, agentMark(agent.name));
}
