// Row 37, the approved snapshot: the tool's listing is the one that the tenant approved, and the one that the call was decided for.

import { NULL, Value, kind } from "../json/value";
import { RowAnswer } from "./answer";
import { isSameText, textOrNull } from "./facts";

/** `approved`, `listed`, `decided`: the digests of the listing that was approved, of the one that the server gives now, and of the one when the call was decided (null: none was known). */
export function approvedSnapshot(facts: Value, answer: RowAnswer): void {
  const approved = textOrNull(facts, "approved", "/approved", answer);
  const listed = textOrNull(facts, "listed", "/listed", answer);
  const decided = textOrNull(facts, "decided", "/decided", answer);
  if (answer.wrong != null) return;
  if (!isSameText(approved, listed)) answer.refuse("listing_not_approved");
  else if (kind(decided) != NULL && !isSameText(decided, approved)) answer.refuse("listing_changed");
}
