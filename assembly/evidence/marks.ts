// Marks: labels on a call and its arguments, given and derived, and how far each is trusted (chapter 4 step 8).

import { Buffer, Text } from "../memory/buffer";
import { compareUtf16, startsWithAscii } from "../memory/bytes";
import { Entry } from "../history/entry";
import { History, isUntrustedLabel, sameAgent } from "../history/history";
import { Value, first, next, stringText } from "../json/value";
import { LOW, Policy } from "../policy/policy";

/** Trust below `low`: what came from outside. */
export const OUTSIDE: i32 = -1;

/** Where a mark stands in a sorted list, or -1 - where it would. */
function find(marks: Array<Text>, mark: Text): i32 {
  let low = 0;
  let high = marks.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const there = unchecked(marks[middle]);
    const order = compareUtf16(there.start, there.length, mark.start, mark.length);
    if (order == 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1 - low;
}

/** Adds a mark to a sorted list where it is new. */
export function addMark(marks: Array<Text>, mark: Text): void {
  const found = find(marks, mark);
  if (found >= 0) return;
  const at = -1 - found;
  marks.push(mark);
  for (let i = marks.length - 1; i > at; i--) unchecked((marks[i] = marks[i - 1]));
  unchecked((marks[at] = mark));
}

/** Adds every mark of a list. */
export function addMarks(marks: Array<Text>, more: Array<Text>): void {
  for (let i = 0; i < more.length; i++) addMark(marks, unchecked(more[i]));
}

function prefixed(prefix: string, name: Text): Text {
  const out = new Buffer(prefix.length + name.length);
  out.ascii(prefix);
  out.text(name);
  return out.view();
}

/** `untrusted:<tool>` */
export function untrustedMark(tool: Text): Text {
  return prefixed("untrusted:", tool);
}

/** `agent:<name>` */
export function agentMark(agent: Text): Text {
  return prefixed("agent:", agent);
}

/** Adds the marks of a list of labels. */
export function addLabels(labels: Value, marks: Array<Text>): void {
  if (labels == 0) return;
  const end = next(labels);
  for (let label = first(labels); label < end; label = next(label)) addMark(marks, stringText(label));
}

/** Adds what a value takes over from the step it came from. */
export function addStepMarks(policy: Policy, history: History, entry: Entry, agent: Text | null, marks: Array<Text>): void {
  addLabels(history.labelsOf(entry), marks);
  if (history.isOutsideRead(entry)) addMark(marks, untrustedMark(history.toolName(entry)));
  if (sameAgent(policy, entry.agent, agent)) return;
  const name = entry.agent != null ? entry.agent : policy.agents.length == 1 ? policy.agents[0].name : null;
  if (name != null) addMark(marks, agentMark(name));
}

/** `untrusted:<tool>` for every tool that was read from outside, sorted. */
export function outsideMarks(history: History): Array<Text> {
  const marks: Array<Text> = [];
  for (let i = 0; i < history.outsideTools.length; i++) addMark(marks, untrustedMark(history.tools.names[history.outsideTools[i]]));
  return marks;
}

/** How far a mark is trusted: OUTSIDE, or a privilege. */
export function trustOf(policy: Policy, mark: Text): i32 {
  if (isUntrustedLabel(mark.start, mark.length)) return OUTSIDE;
  if (!startsWithAscii(mark.start, mark.length, "agent:")) return LOW;
  const agent = policy.agent(new Text(mark.start + 6, mark.length - 6));
  return agent == null ? LOW : agent.privilege;
}

/** Whether a list of marks holds one that starts with `untrusted:`. */
export function holdsUntrusted(marks: Array<Text>): bool {
  for (let i = 0; i < marks.length; i++) if (isUntrustedLabel(marks[i].start, marks[i].length)) return true;
  return false;
}
