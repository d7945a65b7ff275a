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

/** Every name of a caller's person: the caller's own, the one it approves by, its principal's id. */
export function namesOf({ name, approver, principal }: Pick<Caller, "name" | "approver" | "principal">): readonly string[] {
  const id = principalName(principal);
  return [...new Set([name, approver, ...(id === null ? [] : [id])])];
}

function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((name) => others.some((other) => sameName(name, other)));
}

/** Whose request it is, by every name. */
function proposersOf({ caller, principal, person = [] }: ApprovalRecord): readonly string[] {
  return [caller, ...(principal === null ? [] : [principal]), ...person];
}

/** Whether an approver whose signed answer somebody brought may answer: not their own request, a decider, and for the first time. */
export function mayAnswer(approver: string, approval: ApprovalRecord): boolean {
  const { deciders, answers } = approval;
  const taken = [...proposersOf(approval), ...answers.flatMap((answer) => [answer.approver, ...(answer.names ?? [])])];
  return (deciders.length === 0 || deciders.includes(approver)) && !overlap([approver], taken);
}

/** Fails with `not_granted`. */
export function requireApprover(caller: Caller): void {
  if (!caller.may.has("approve")) throw new GatewayError(403, "not_granted", "this caller may not approve: the right `approve` is not among its grants");
}

/** Fails with `not_granted`, `own_request`, `not_a_decider`, `already_answered`. */
export function requireEligible(caller: Caller, approval: ApprovalRecord): void {
  requireApprover(caller);
  const own = namesOf(caller);
  if (overlap(own, proposersOf(approval))) throw new GatewayError(403, "own_request", "nobody approves their own request: another person has to answer");
  if (approval.deciders.length > 0 && !approval.deciders.includes(caller.approver)) throw new GatewayError(403, "not_a_decider", "the policy names who decides this, and this caller is not among them");
  if (approval.answers.some(({ approver, names = [] }) => overlap(own, [approver, ...names]))) throw new GatewayError(409, "already_answered", "this approver has answered already; another one is wanted");
}
