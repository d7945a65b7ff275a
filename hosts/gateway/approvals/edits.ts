// What an edit proposes: the same call with other arguments, of which those that a person changed have origin `reply`; refused before anything where they do not fit.
import { type LineDriver, rawJson } from "interlock";
import type { PolicyInForce } from "../call/parts.ts";
import type { CallRecord, Proposal } from "../call/record.ts";
import { GatewayError } from "../gateway.ts";
import { canonical, changedArguments } from "../hooks/changes.ts";

/** The edited arguments in canonical form. Fails with `arguments_invalid` (no strict JSON object), `nothing_edited`, and `edit_refused` where they do not fit the tool's schema. */
export function fitting(call: CallRecord, edited: string, policy: PolicyInForce, driver: LineDriver): string {
  const after = canonical(driver, edited);
  if (after === null || !after.startsWith("{")) throw new GatewayError(400, "arguments_invalid", "the edited arguments have to be one strict JSON object", { pointer: "/arguments" });
  if (argumentsOf(call, driver) === after) throw new GatewayError(400, "nothing_edited", "these are the call's own arguments: approve it as it is", { pointer: "/arguments" });
  requireFit(call, after, policy);
  return after;
}

/** The call as edited. Only top-level arguments that changed are the person's; every other keeps its origin, and every mark stays. The tool is the same. */
export function editedProposal(call: CallRecord, after: string, driver: LineDriver): Proposal {
  const names = Object.keys(JSON.parse(after) as object);
  const changed = new Set(changedArguments(argumentsOf(call, driver), after));
  const origins: [string, string][] = names.map((name) => [name, changed.has(name) ? "reply" : ((call.origins !== undefined && Object.hasOwn(call.origins, name) ? call.origins[name] : undefined) ?? "model")]);
  const { door, tenant, caller, person, session, agent, agentVersion, tool, turns, context, resource, principal, labels, turn, requestId, purpose } = call;
  return {
    door,
    tenant,
    caller,
    ...(person === undefined ? {} : { person }),
    session,
    agent,
    ...(agentVersion === undefined ? {} : { agentVersion }),
    tool,
    arguments: after,
    origins: Object.fromEntries(origins),
    ...(turns === undefined ? {} : { turns }),
    ...(context === undefined ? {} : { context }),
    ...(resource === undefined ? {} : { resource }),
    ...(principal === undefined ? {} : { principal }),
    ...(labels === undefined ? {} : { labels }),
    turn,
    idempotencyKey: null,
    waitMs: 0,
    purpose,
    requestId,
  };
}

function argumentsOf(call: CallRecord, driver: LineDriver): string {
  return call.canonical ?? canonical(driver, call.arguments) ?? "{}";
}

/** The check's third step alone, in a session of its own that nobody keeps: what else it would say, the call's own session says. */
function requireFit(call: CallRecord, edited: string, { client }: PolicyInForce): void {
  const session = "an edit before it is taken";
  const head = client.verify({ format: "qls-history/1", session, entries: [] } as never).head;
  const check = client.checkToolCall(call.tool, rawJson(edited), { session, ...(call.agent === null ? {} : { agent: call.agent }), ...(head === undefined ? {} : { head }) });
  if (check.decision !== "refuse" || check.reasons[0] !== "argument_schema") return;
  const detail = check.detail as { pointer?: string; message?: string } | undefined;
  throw new GatewayError(422, "edit_refused", `the edited arguments do not fit the tool: ${detail?.message ?? "see its schema"}`, { pointer: `/arguments${detail?.pointer ?? ""}` });
}
