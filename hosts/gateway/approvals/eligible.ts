// Who may answer a question: somebody with the right, on the list where there is one, who neither proposed the call nor is the one it is for, and has not answered yet.
import { type Caller, GatewayError } from "../gateway.ts";
import type { ApprovalRecord } from "./record.ts";

/** Whether two names are one person's: without case, width, invisible characters and outer white space. Letters of another script are other names. */
export function sameName(one: string, other: string): boolean {
  return fold(one) === fold(other);
}

/** Upper case first: `ß` and `SS`, `ſ` and `s`, are one. The Turkish i's, of which case makes four, are one too. */
function fold(name: string): string {
  const plain = name.normalize("NFKC").replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu, "");
  const folded = plain.toUpperCase().toLowerCase().normalize("NFKC").replaceAll("i\u0307", "i").replaceAll("ı", "i");
  return folded.replaceAll(/\s+/gu, " ").trim();
}

/** A principal's id as a name; null where there is none. Ids may be any JSON. */
export function principalName(principal: Readonly<Record<string, unknown>> | null | undefined): string | null {
  const id = principal?.["id"];
  if (id === undefined || id === null) return null;
  return typeof id === "string" ? id : JSON.stringify(id);
}

/** Whether an approver whose signed answer somebody brought may answer: not their own request, a decider, and for the first time. */
export function mayAnswer(approver: string, { caller, principal, deciders, answers }: ApprovalRecord): boolean {
  const taken = [caller, ...(principal === null ? [] : [principal]), ...answers.map((answer) => answer.approver)];
  return (deciders.length === 0 || deciders.includes(approver)) && !taken.some((name) => sameName(name, approver));
}

/** Fails with `not_granted`. */
export function requireApprover(caller: Caller): void {
  if (!caller.may.has("approve")) throw new GatewayError(403, "not_granted", "this caller may not approve: the right `approve` is not among its grants");
}

/** Fails with `not_granted`, `own_request`, `not_a_decider`, `already_answered`. */
export function requireEligible(caller: Caller, approval: ApprovalRecord): void {
  requireApprover(caller);
  const own = [caller.name, caller.approver, principalName(caller.principal)].filter((name) => name !== null);
  const theirs = [approval.caller, approval.principal].filter((name) => name !== null);
  if (own.some((name) => theirs.some((other) => sameName(name, other)))) throw new GatewayError(403, "own_request", "nobody approves their own request: another person has to answer");
  if (approval.deciders.length > 0 && !approval.deciders.includes(caller.approver)) throw new GatewayError(403, "not_a_decider", "the policy names who decides this, and this caller is not among them");
  if (approval.answers.some(({ approver }) => sameName(approver, caller.approver))) throw new GatewayError(409, "already_answered", "this approver has answered already; another one is wanted");
}
