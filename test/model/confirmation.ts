// Confirmation tokens and signed approvals of chapter 3: making one, and whether one covers a call.
import { b64u, H } from "./digests.ts";
import { comparedAgent, type Call } from "./evidence.ts";
import { approvesOf, isOutsideRead, linkAt } from "./history.ts";
import { byUnits, isInteger, isObject, json, type Json, type JsonObject } from "./json.ts";
import { openJws, signJws } from "./jws.ts";
import type { KeySet } from "./keys.ts";

export const CONFIRMATION = "qls-confirmation+jws";
export const APPROVAL = "qls-approval+jws";

/** The token of a question: `entry` is the entry of the question itself, `link` its link; null in a preview. */
export function makeConfirmation(keys: KeySet, session: string, ttl: number, entry: JsonObject, link: Buffer): string | null {
  if (keys.active === null) return null;
  const iat = (entry.get("at") as { value: number }).value;
  return signJws(keys.active, CONFIRMATION, json({
    agent: entry.get("agent"), digest: entry.get("digest"), exp: iat + ttl, iat, labels: entry.get("labels"), link: b64u(link),
    policy: entry.get("policy"), principal: entry.get("principal"), reasons: entry.get("reasons"), session,
    snapshot: entry.get("snapshot"), step: entry.get("step"), tool: entry.get("tool"), undoes: entry.get("undoes"),
  }));
}

/** What this check has of its own, to hold a token against. */
export interface Now {
  at: number;
  digest: string;
  principal: string | null;
  marks: string[];
  reasons: string[];
}

export type Covered =
  | { covers: true; step: number; approvedBy: string[] | null }
  | { covers: false; denied: true }
  | { covers: false; denied: false; ignored: string };

/** Whether the request's confirmation covers the call; else the first thing that does not hold, in the chapter's order. */
export function covers(call: Call, keys: KeySet, now: Now): Covered {
  const ignored = (why: string): Covered => ({ covers: false, denied: false, ignored: why });
  const { policy, request, history } = call;
  const token = request.confirmation as string;
  const payload = openJws(keys, "sign", CONFIRMATION, token);
  if (payload === null || !isPayload(payload)) return ignored("signature");
  const number = (name: string) => (payload.get(name) as { value: number }).value;
  if (!(number("iat") <= now.at && now.at < number("exp"))) return ignored("expired");
  const undoes = payload.has("undoes") ? number("undoes") : null;
  const sameCall = payload.get("session") === request.session && payload.get("tool") === request.tool && payload.get("principal") === now.principal
    && comparedAgent(policy, payload.get("agent") as string | null) === comparedAgent(policy, request.agent) && undoes === request.undo;
  if (!sameCall) return ignored("other_call");
  if (payload.get("digest") !== now.digest) return ignored("arguments");
  if (payload.get("policy") !== policy.id || payload.get("snapshot") !== call.tool?.snapshot) return ignored("policy");
  const labels = payload.get("labels") as string[];
  if (!now.marks.every((mark) => labels.includes(mark))) return ignored("labels");
  const reasons = payload.get("reasons") as string[];
  if (!now.reasons.every((reason) => reasons.includes(reason))) return ignored("reasons");
  const k = number("step");
  if (history.entries.some((entry) => approvesOf(entry) === k)) return ignored("spent");
  if (!isAtPoint(call, k, payload.get("link") as string)) return ignored("point");
  if (policy.settings.approvalMode === "token") return { covers: true, step: k, approvedBy: null };
  return signedApprovals(call, keys, now, token, k);
}

function isAtPoint(call: Call, k: number, link: string): boolean {
  const { policy, history } = call;
  const n = history.entries.length - 1;
  if (policy.settings.confirmationPoint === "head") return b64u(linkAt(history, n)) === link;
  if (k > n || b64u(linkAt(history, k)) !== link) return false;
  return !history.entries.some((entry, i) => i > k && isOutsideRead(policy, entry));
}

/** At least `count` different approvers must approve this very confirmation; a valid denial of such an approver refuses. */
function signedApprovals(call: Call, keys: KeySet, now: Now, confirmation: string, step: number): Covered {
  const { deciders, approvalCount } = call.policy.settings;
  const question = b64u(H("qls-question/1\n", confirmation));
  const approvers = new Set<string>();
  let denied = false;
  for (const text of call.request.approvals) {
    const approval = openJws(keys, "approve", APPROVAL, text);
    if (approval === null || !isApproval(approval)) continue;
    const approver = approval.get("approver") as string;
    if (approval.get("question") !== question) continue;
    if (!((approval.get("at") as { value: number }).value <= now.at && now.at < (approval.get("exp") as { value: number }).value)) continue;
    if (deciders.length > 0 && !deciders.includes(approver)) continue;
    if (call.request.principal?.get("id") === approver) continue;
    if (approval.get("answer") === "deny") denied = true;
    else approvers.add(approver);
  }
  if (denied) return { covers: false, denied: true };
  if (approvers.size < approvalCount) return { covers: false, denied: false, ignored: "approvals" };
  return { covers: true, step, approvedBy: [...approvers].sort(byUnits) };
}

const text = (v: Json | undefined) => typeof v === "string";
const textOrNull = (v: Json | undefined) => v === null || typeof v === "string";
const texts = (v: Json | undefined) => Array.isArray(v) && v.every(text);

function hasExactly(payload: Json, members: Record<string, (v: Json | undefined) => boolean>, optional: string[]): payload is JsonObject {
  if (!isObject(payload)) return false;
  for (const name of payload.keys()) if (!Object.hasOwn(members, name)) return false;
  return Object.entries(members).every(([name, is]) => (payload.has(name) ? is(payload.get(name)) : optional.includes(name)));
}

function isPayload(payload: Json): payload is JsonObject {
  return hasExactly(payload, {
    agent: textOrNull, digest: text, exp: isInteger, iat: isInteger, labels: texts, link: text, policy: text, principal: textOrNull,
    reasons: texts, session: text, snapshot: text, step: isInteger, tool: text, undoes: isInteger,
  }, ["undoes"]);
}

function isApproval(payload: Json): payload is JsonObject {
  return hasExactly(payload, {
    answer: (v) => v === "approve" || v === "deny", approver: text, at: isInteger, exp: isInteger, question: text, shown: text,
  }, []);
}
