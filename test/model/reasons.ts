// The reasons that the check and the receipt give of their own, in the order in which chapters 3 and 4 name them.

/** Reasons of the twelve steps; `argument_origin: NAME` stands here without its name. */
export const CHECK_REASONS = [
  "unknown_tool", "agent_required", "licence_lapsed", "history_invalid", "argument_schema", "undeclared_destination", "order_rule",
  "compensation_mismatch", "compensation_spent", "tainted_call", "confirmed", "denied", "gate_clarify", "argument_origin",
  "irreversible_pivot", "schema_partial", "write", "compensation", "allow",
];

export const RECEIPT_REASONS = [
  "receipt", "history_invalid", "receipt_missing", "receipt_not_allowed", "receipt_mismatch", "licence_lapsed", "receipt_expired", "receipt_spent",
];

/** True for an id that a rule may not have (chapter 2, Registration refuses). */
export function isOwnReason(id: string): boolean {
  return CHECK_REASONS.includes(id) || RECEIPT_REASONS.includes(id) || id.startsWith("argument_origin:");
}
