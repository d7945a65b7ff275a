// Who may answer a question: somebody with the right, on the list where there is one, who neither proposed the call nor is the one it is for, and has not answered yet.
import { type Caller, GatewayError } from "../gateway.ts";
import type { ApprovalRecord } from "./record.ts";

/** Names are compared without case and in one normal form: who signs in as `Ann` is `ann`. */
export function sameName(one: string, other: string): boolean {
  return fold(one) === fold(other);
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase().normalize("NFKC").trim();
}

/** Fails with `not_granted`, `own_request`, `not_a_decider`, `already_answered`. */
export function requireEligible(caller: Caller, approval: ApprovalRecord): void {
  if (!caller.may.has("approve")) throw new GatewayError(403, "not_granted", "this caller may not approve: the right `approve` is not among its grants");
  const principal = caller.principal?.["id"];
  const own = [caller.name, caller.approver, ...(typeof principal === "string" ? [principal] : [])];
  const theirs = [approval.caller, ...(approval.principal === null ? [] : [approval.principal])];
  if (own.some((name) => theirs.some((other) => sameName(name, other)))) throw new GatewayError(403, "own_request", "nobody approves their own request: another person has to answer");
  if (approval.deciders.length > 0 && !approval.deciders.includes(caller.approver)) throw new GatewayError(403, "not_a_decider", "the policy names who decides this, and this caller is not among them");
  if (approval.answers.some(({ approver }) => sameName(approver, caller.approver))) throw new GatewayError(409, "already_answered", "this approver has answered already; another one is wanted");
}
