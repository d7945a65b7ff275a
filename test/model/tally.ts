// Counts which reasons, details and errors a run of answers reached, and lists those that a run must reach.
import { isObject, NO_LIMITS, read, type Json, type JsonObject } from "./json.ts";

/** Everything a differential run has to reach at least once. */
export const MUST_REACH: readonly string[] = [
  ...["unknown_tool", "agent_required", "licence_lapsed", "history_invalid", "history_invalid kept", "history_invalid limit", "order_rule after",
    "order_rule after bind", "order_rule not_after", "order_rule not_after untrusted", "order_rule at_most", "order_rule not_after restarted",
    "order_rule at_most restarted", "undeclared_destination", "compensation_spent", "gate refuses", "gate because", "gate error", "tainted_call", "denied"]
    .map((name) => `refuse ${name}`),
  ...["behind", "forked", "ahead", "rewritten"].map((kind) => `refuse history_invalid head ${kind}`),
  ...["bytes", "precision", "additionalProperties", "additionalProperties nested", "required", "type", "pattern", "enum", "minimum", "exclusiveMinimum", "multipleOf", "maxLength",
    "maxItems", "uniqueItems", "format"].map((rule) => `refuse argument_schema ${rule}`),
  ...["no_such_step", "not_run", "not_declared", "agent", "bind", "unbound"].map((kind) => `refuse compensation_mismatch ${kind}`),
  ...["signature", "expired", "other_call", "arguments", "policy", "labels", "reasons", "spent", "point", "approvals"].map((kind) => `ignored ${kind}`),
  ...["gate_clarify", "argument_origin", "tainted_call", "irreversible_pivot", "schema_partial", "write"].map((reason) => `asks ${reason}`),
  "ignored on an allow", "confirm without a token",
  ...["confirmed", "compensation", "allow"].map((reason) => `allow ${reason}`),
  ...["restarted", "outside", "undoes", "approves", "approved_by", "reports", "null token", "undo confirmed"].map((member) => `entry ${member}`),
  ...["history_invalid", "receipt_missing", "receipt_not_allowed", "receipt_mismatch", "licence_lapsed", "receipt_expired", "receipt_spent", "receipt"]
    .map((reason) => `receipt ${reason}`),
  "receipt spent and safe", "once of undo", "once of approval",
  ...["request_invalid", "json_encoding", "json_syntax", "json_surrogate", "json_duplicate", "json_depth", "json_size", "json_number", "keys_cannot_sign", "keys_invalid",
    "policy_invalid", "outcome_no_step", "outcome_not_allowed", "outcome_already_reported", "history_invalid", "line_invalid", "op_unknown", "name_unknown"]
    .map((code) => `error ${code}`),
  ...["policy_unknown_member", "policy_type", "policy_missing", "policy_duplicate_tool", "policy_tool_name", "policy_unknown_tool", "policy_unknown_argument", "policy_undo_of_read",
    "policy_undo_irreversible", "policy_rule_id", "policy_condition", "policy_fact", "policy_schema"].map((code) => `problem ${code}`),
  ...["write_without_undo", "schema_partial", "outside_unmentioned"].map((code) => `warning ${code}`),
  ...["valid", "not valid", "head behind", "head forked", "head ahead", "head rewritten", "limit"].map((kind) => `verify ${kind}`),
  "check by handle", "report by handle", "report late", "report inexact", "trace",
];

const text = (v: Json | undefined) => (typeof v === "string" ? v : "");
const object = (v: Json | undefined): JsonObject => (isObject(v) ? v : new Map());

/** How often each thing was reached, over request lines and their answers. */
export function tally(lines: string[], answers: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  lines.forEach((line, i) => {
    const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
    const answer = object(read(Buffer.from(answers[i], "utf8"), NO_LIMITS));
    if (answer.has("error")) return errors(object(answer.get("error")), add);
    const request = object(read(Buffer.from(line, "utf8"), NO_LIMITS));
    const op = text(request.get("op"));
    const ok = object(answer.get("ok"));
    add(`op ${op}`);
    if (op === "check") return checked(request, ok, add);
    if (op === "receipt") return receipted(request, ok, add);
    if (op === "verify") return verified(ok, add);
    if (op === "register") for (const warning of ok.get("warnings") as Json[]) add(`warning ${text(object(warning).get("code"))}`);
    if (op === "report") {
      if (request.has("handle")) add("report by handle");
      if (ok.has("reports")) add("report late");
      if (/:(9007199254740993|1e400)/.test(line)) add("report inexact");
    }
  });
  return counts;
}

/** What of MUST_REACH a tally lacks. */
export function missing(counts: Map<string, number>): string[] {
  return MUST_REACH.filter((name) => !counts.has(name));
}

type Add = (name: string) => void;

function errors(error: JsonObject, add: Add): void {
  add(`error ${text(error.get("code"))}`);
  for (const problem of (error.get("problems") as Json[] | undefined) ?? []) add(`problem ${text(object(problem).get("code"))}`);
}

function checked(request: JsonObject, ok: JsonObject, add: Add): void {
  const decision = text(ok.get("decision"));
  const reason = text(ok.get("reason"));
  const detail = object(ok.get("detail"));
  const entry = object(ok.get("entry"));
  if (request.has("handle")) add("check by handle");
  if (ok.has("trace")) add("trace");
  for (const member of ["restarted", "outside", "undoes", "approves", "approved_by", "reports"]) if (entry.has(member)) add(`entry ${member}`);
  if (entry.get("token") === null) add("entry null token");
  const ignored = object(detail.get("confirmation")).get("ignored");
  if (ignored !== undefined) {
    add(`ignored ${text(ignored)}`);
    if (decision === "allow") add("ignored on an allow");
  }
  if (decision === "allow") {
    add(`allow ${reason}`);
    if (reason === "confirmed" && entry.has("undoes")) add("entry undo confirmed");
  } else if (decision === "confirm") {
    for (const each of ok.get("reasons") as string[]) add(`asks ${each.replace(/: .*/s, "")}`);
    if (ok.get("confirmation") === null) add("confirm without a token");
  } else refused(reason, detail, ok, add);
}

function refused(reason: string, detail: JsonObject, ok: JsonObject, add: Add): void {
  if (detail.has("flow")) {
    add("refuse gate refuses");
    if (detail.has("because")) add("refuse gate because");
    if (detail.has("error")) add("refuse gate error");
  } else if (reason === "argument_schema") {
    const nested = text(detail.get("pointer")).split("/").length > 2 && detail.get("rule") === "additionalProperties";
    add(`refuse argument_schema ${text(detail.get("rule"))}${nested ? " nested" : ""}`);
  } else if (reason === "order_rule") {
    const rule = text(detail.get("rule"));
    const restarted = detail.has("restarted") ? " restarted" : "";
    add(`refuse order_rule ${rule.split(" ")[0]}${restarted || (detail.has("bind") ? " bind" : rule === "not_after untrusted" ? " untrusted" : "")}`);
  } else if (reason === "compensation_mismatch") add(`refuse compensation_mismatch ${text(detail.get("mismatch")).split(":")[0]}`);
  else if (reason === "history_invalid") {
    add(detail.has("head") ? `refuse history_invalid head ${text(detail.get("head"))}` : detail.has("limit") ? "refuse history_invalid limit" : "refuse history_invalid");
    if (ok.get("entry") === null && detail.size === 0) add("refuse history_invalid kept");
  } else add(`refuse ${reason}`);
}

function receipted(request: JsonObject, ok: JsonObject, add: Add): void {
  const reason = text(ok.get("reason"));
  add(`receipt ${reason}`);
  const step = request.get("step");
  const entries = (object(request.get("history")).get("entries") as Json[] | undefined) ?? [];
  const index = isObject(step) ? -1 : typeof step === "object" && step !== null && "value" in step ? (step as { value: number }).value : entries.length - 1;
  const entry = object(entries[index]);
  const sends = request.get("sends") as { value: number } | undefined;
  if (reason === "receipt" && (entry.has("outcome") || (sends !== undefined && sends.value > 0))) add("receipt spent and safe");
  if (ok.has("once") && entry.has("approves")) add("once of approval");
  else if (ok.has("once") && entry.has("undoes")) add("once of undo");
}

function verified(ok: JsonObject, add: Add): void {
  const detail = object(ok.get("detail"));
  if (ok.get("valid") === true) add("verify valid");
  else add(detail.has("head") ? `verify head ${text(detail.get("head"))}` : detail.has("limit") ? "verify limit" : "verify not valid");
}
