// The receipt of chapter 3: whether one entry is the permit for exactly this call.
import { argumentDigest, b64u, H, type DigestScope } from "./digests.ts";
import { comparedAgent } from "./evidence.ts";
import { isLapsed } from "./check.ts";
import { approvesOf, atOf, isAllowed, linkAt, reported, scopeOf, statusOf, toolOf, undoesOf, verifyHistory, type Head, type History } from "./history.ts";
import { canonical, json, type Json, type JsonObject } from "./json.ts";
import type { KeySet } from "./keys.ts";
import type { Policy, Tool } from "./policy.ts";

export interface ReceiptRequest {
  session: string;
  history: Json | undefined;
  tool: string;
  arguments: JsonObject;
  now: number;
  agent: string | null;
  principal: JsonObject | null;
  step: number | null;
  sends: number;
  head: Head | null;
}

/** Answers `allow`, `receipt`, or `refuse` with the first reason of the chapter that holds. */
export function receipt(policy: Policy, keys: KeySet | null, request: ReceiptRequest): Json {
  const refuse = (reason: string, more: object = {}) => json({ format: "qls-tool-receipt/1", decision: "refuse", reason, ...more });
  if (keys === null) return refuse("history_invalid");
  const verified = verifyHistory(policy, keys, request.session, request.history, undefined, request.head);
  if (!verified.valid) return refuse("history_invalid", { detail: verified.detail });
  const { history } = verified;
  if (history.entries.some((entry) => entry.get("token") === null)) return refuse("history_invalid");

  const k = request.step ?? history.entries.length - 1;
  const entry = history.entries[k];
  if (entry === undefined) return refuse("receipt_missing");
  if (!isAllowed(entry)) return refuse("receipt_not_allowed");
  const once = onceOf(history, k);

  const scope = scopeOf(policy, keys, request.session);
  const tool = policy.tools.get(request.tool);
  if (tool === undefined || !matches(policy, entry, tool, request, scope)) return refuse("receipt_mismatch", { once });
  if (isLapsed(policy, keys, tool, request.now)) return refuse("licence_lapsed", { once });
  const at = atOf(entry);
  if (request.now - at > policy.settings.receiptTtl || request.now < at) return refuse("receipt_expired", { once });
  const spent = reported(history, k) !== null || request.sends >= 1;
  if (spent && !isSafeAgain(tool, request.arguments)) return refuse("receipt_spent", { once });
  return json({ format: "qls-tool-receipt/1", decision: "allow", reason: "receipt", once });
}

function matches(policy: Policy, entry: JsonObject, tool: Tool, request: ReceiptRequest, scope: DigestScope): boolean {
  if (toolOf(entry) !== tool.name) return false;
  if (entry.get("digest") !== argumentDigest(scope, request.arguments)) return false;
  const agent = comparedAgent(policy, request.agent); // null: not given, and the policy has several
  if (agent === null || comparedAgent(policy, entry.get("agent") as string | null) !== agent) return false;
  const id = request.principal?.get("id");
  if (entry.get("principal") !== (id === undefined ? null : argumentDigest(scope, id))) return false;
  return entry.get("policy") === policy.id && entry.get("snapshot") === tool.snapshot;
}

/** Sending again is safe: a read, an `idempotent` tool, or a write whose `idempotency_key` argument is present and not empty. */
function isSafeAgain(tool: Tool, args: JsonObject): boolean {
  if (tool.effect === "read" || tool.idempotent) return true;
  const key = tool.idempotencyKey === null ? undefined : args.get(tool.idempotencyKey);
  return key !== undefined && key !== null && key !== "";
}

/** once = b64u(H("qls-once/1\n" || JCS(X))) */
function onceOf(history: History, k: number): string {
  const entry = history.entries[k];
  const link = (step: number) => b64u(linkAt(history, step));
  const approves = approvesOf(entry);
  const undoes = undoesOf(entry);
  let x: object = { link: link(k) };
  if (undoes !== null) x = { undoes: link(undoes), try: failedUndos(history, undoes, k) };
  if (approves !== null) x = { approves: link(approves) };
  return b64u(H("qls-once/1\n", canonical(json(x))));
}

/** Earlier failed undos of a step. */
function failedUndos(history: History, step: number, before: number): number {
  return history.entries.filter((entry, j) => j < before && isAllowed(entry) && undoesOf(entry) === step && statusOf(history, j) === "failed").length;
}
