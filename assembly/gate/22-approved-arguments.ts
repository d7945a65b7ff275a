// Row 22, approved arguments: the digest of what is to be sent equals the one that was decided, and the one that people approved.

import { NULL, Value, kind } from "../json/value";
import { RowAnswer } from "./answer";
import { isSameText, textOrNull } from "./facts";

/** `digest`, `decided`, `approved`: the digests of the arguments to be sent, of the decision's entry, and of the approval; `approved` is null where nobody was asked. */
export function approvedArguments(facts: Value, answer: RowAnswer): void {
  const digest = textOrNull(facts, "digest", "/digest", answer);
  const decided = textOrNull(facts, "decided", "/decided", answer);
  const approved = textOrNull(facts, "approved", "/approved", answer);
  if (answer.wrong != null) return;
  if (!isSameText(digest, decided) || (kind(approved) != NULL && !isSameText(digest, approved))) answer.refuse("digest_mismatch");
}
