// What an approval is bound to (chapter 7 row 18): the policy, the tool's listing and snapshot, the arguments, the reasons and the marks; and what a person is told where one of them changed.
import { gateRow } from "interlock";
import type { ApprovalRecord } from "./record.ts";

/** What is in force now about an approved call. */
export interface Now {
  readonly policy: string;
  readonly listing: string | null;
  /** The call's argument digest. */
  readonly digest: string | null;
}

/** Whether an approval still is about this call under what is in force. The reasons and marks are for the core, which compares them with the question's token. */
export function stillBinds({ policy, listing, digest }: ApprovalRecord, now: Now): boolean {
  return gateRow("18", { approved: { digest, listing, policy }, now: { digest: now.digest, listing: now.listing, policy: now.policy } }).answer === "passed";
}

/** Why a question is asked again, as sentences for the person; null where nothing can be named. */
export function whatChanged(before: ApprovalRecord, after: Pick<ApprovalRecord, "policy" | "listing" | "snapshot" | "question" | "marks">): string | null {
  const said: string[] = [];
  if (before.policy !== after.policy) said.push("The policy changed since it was asked first.");
  if (before.listing !== after.listing) said.push("The tool's description or schema changed, and the change was approved since it was asked first.");
  else if (before.snapshot !== after.snapshot && before.snapshot !== null && after.snapshot !== null) said.push("The policy describes the tool otherwise than when it was asked first.");
  const marks = new Set(before.marks.map(({ label }) => label));
  const more = after.marks.map(({ label }) => label).filter((label) => !marks.has(label));
  if (more.length > 0) said.push(`The call carries marks that it did not carry then: ${more.join(", ")}.`);
  const reasons = new Set(reasonsOf(before.question));
  if (reasonsOf(after.question).some((reason) => !reasons.has(reason))) said.push("There are reasons to ask that there were not then.");
  return said.length === 0 ? null : said.join(" ");
}

/** The reasons that a question (chapter 4) gives. */
export function reasonsOf(question: unknown): readonly string[] {
  return ((question as { reasons?: readonly { readonly reason: string }[] } | null)?.reasons ?? []).map(({ reason }) => reason);
}
