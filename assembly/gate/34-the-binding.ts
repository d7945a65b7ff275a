// Row 34, the binding: the policy's version and the tool's snapshot are those that the call was decided under.

import { Value } from "../json/value";
import { RowAnswer } from "./answer";
import { isSameText, textOrNull } from "./facts";

/** `decided` and `policy`: the id of the policy that the call was decided under, and of the one in force. A snapshot is part of a policy, and so of its id. */
export function theBinding(facts: Value, answer: RowAnswer): void {
  const decided = textOrNull(facts, "decided", "/decided", answer);
  const policy = textOrNull(facts, "policy", "/policy", answer);
  if (answer.wrong == null && !isSameText(decided, policy)) answer.refuse("binding_changed");
}
