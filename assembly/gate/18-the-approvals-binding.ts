// Row 18, the approval's binding: bound to the policy, the tool's listing and the arguments as they were when people were asked; where one changed, they are asked again.

import { Value, get } from "../json/value";
import { RowAnswer } from "./answer";
import { isSame, textOrNull } from "./facts";

/** `approved` and `now`: `{"digest","listing","policy"}`, each a text or null. */
export function theApprovalsBinding(facts: Value, answer: RowAnswer): void {
  const approved = get(facts, "approved");
  const now = get(facts, "now");
  const same =
    isSame2(approved, now, "digest", "/approved/digest", "/now/digest", answer) &&
    isSame2(approved, now, "listing", "/approved/listing", "/now/listing", answer) &&
    isSame2(approved, now, "policy", "/approved/policy", "/now/policy", answer);
  if (same || answer.wrong != null) return;
  answer.again = true;
  answer.refuse("approval_outdated");
}

function isSame2(approved: Value, now: Value, name: string, approvedPointer: string, nowPointer: string, answer: RowAnswer): bool {
  const before = textOrNull(approved, name, approvedPointer, answer);
  const after = textOrNull(now, name, nowPointer, answer);
  return answer.wrong == null && isSame(before, after);
}
