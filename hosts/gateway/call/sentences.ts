// What a model is told when its call is refused: one plain sentence for each reason, that says what to do instead.
import type { ApprovalRecord } from "../approvals/record.ts";
import type { Decided } from "./record.ts";

/** The core's reasons (chapters 3 and 4). A rule's own id is the reason where none of these is. */
const CORE: Readonly<Record<string, string>> = {
  unknown_tool: "There is no such tool for this agent. Use one of the tools that are listed.",
  agent_required: "The call has to name one of the agents.",
  licence_lapsed: "The licence of this deployment has ended, so this call is not made. Tell the person in charge.",
  history_invalid: "The history that came with this call is not the session's history up to now. Go on from the session's own history.",
  argument_schema: "An argument does not fit the tool's schema.",
  undeclared_destination: "An argument holds a destination (a URL, an address, a host), and this tool sends nothing out. Leave it out, or use a tool that sends.",
  order_rule: "A rule about the order of calls does not allow this one now.",
  compensation_mismatch: "This does not undo that step: the tool or an argument is not the declared one.",
  compensation_spent: "That step was undone already.",
  tainted_call: "Values of this call come from a less trusted source than the tool accepts.",
  denied: "A person said no to this call. Do not try it again.",
};

/** Why the core refused, for the model. */
export function coreSentence({ reason, detail, pointer }: Decided): string {
  const known = Object.hasOwn(CORE, reason) ? CORE[reason] : undefined;
  const because = typeof detail?.["because"] === "string" ? detail["because"] : null;
  if (known === undefined) return because === null ? `The rule ${reason} of the policy does not allow this call.` : `The rule ${reason} of the policy does not allow this call: ${because}`;
  const rule = typeof detail?.["rule"] === "string" ? ` The rule is: ${detail["rule"]}.` : "";
  const message = typeof detail?.["message"] === "string" ? ` ${detail["message"]}` : "";
  return `${known}${pointer === undefined ? "" : ` It is at ${pointer}.`}${message}${message === "" ? rule : ""}`;
}

/** A denial with its why. */
export function deniedSentence({ answers }: ApprovalRecord): string {
  const why = answers.find(({ answer }) => answer === "deny")?.why ?? null;
  return `A person said no to this call. Do not try it again.${why === null ? "" : ` They said: ${why}`}`;
}

/** Receipts' reasons (chapter 3), where a permit does not hold when the call is to be made. */
export function receiptSentence(reason: string): string {
  if (reason === "receipt_expired") return "The permit for this call is too old. Propose the call again.";
  if (reason === "receipt_spent") return "The permit for this call was used already. Propose the call again if it is meant a second time.";
  if (reason === "receipt_mismatch") return "The policy or the tool changed after this call was decided. Propose the call again.";
  if (reason === "licence_lapsed") return CORE["licence_lapsed"] as string;
  return "There is no permit for this call. Propose it again.";
}
