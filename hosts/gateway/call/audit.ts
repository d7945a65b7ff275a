// What the audit log is told of a call: who proposed what, redacted by the gateway's settings, and what became of it.
import type { Entry } from "interlock";
import type { AuditBody, AuditEvent } from "../audit/entry.ts";
import { canonicalText } from "../sessions/request.ts";
import { sealed } from "../audit/values.ts";
import { valuesKey } from "./keys.ts";
import type { CallRecord } from "./record.ts";
import type { World } from "./world.ts";

/** An entry of the log about a call, now. */
export function auditBody(world: World, call: CallRecord, event: AuditEvent, more: Partial<AuditBody> = {}): AuditBody {
  const principal = call.principal?.["id"];
  return {
    event,
    at: world.now(),
    actor: call.caller,
    call: call.id,
    session: call.session,
    agent: call.agent,
    ...(call.agentVersion === undefined ? {} : { agent_version: call.agentVersion }),
    ...(typeof principal === "string" ? { principal } : {}),
    tool: call.tool,
    ...(call.digest === null ? {} : { arguments_digest: call.digest }),
    ...(call.decided === null ? {} : { step: call.decided.step, link: call.decided.link, policy: call.decided.policy }),
    ...(call.listing === null ? {} : { listing: call.listing }),
    ...(call.approval === null ? {} : { approval: call.approval }),
    ...(call.operation === null ? {} : { idempotency_key: call.operation }),
    ...(call.replaces === null ? {} : { replaces: call.replaces }),
    request_id: call.requestId,
    ...more,
  };
}

/**
 * The arguments as the log may have them: of each declared one its keyed digest. Those that the settings show have their values in a record beside the log, which
 * erasing the session takes away. Undeclared names stay out: a name can be a value.
 */
export function proposedArguments(world: World, call: CallRecord, entry: Pick<Entry, "arguments"> | null): Pick<AuditBody, "arguments" | "values"> {
  if (entry === null) return {};
  const { redact } = world.tenant.audit;
  const rules = (Object.hasOwn(redact, call.tool) ? redact[call.tool] : redact["*"]) ?? ["*"];
  const hides = (name: string): boolean => rules.includes("*") || rules.includes(name);
  // Of a call that is not allowed yet the canonical arguments are not kept.
  const values = Object.keys(entry.arguments).every(hides) ? {} : (JSON.parse(call.canonical ?? canonicalText(call.arguments, world.policy)) as Record<string, unknown>);
  const told: [string, unknown][] = [];
  const shown: [string, unknown][] = [];
  for (const [name, digest] of Object.entries(entry.arguments)) {
    const hidden = hides(name) || !Object.hasOwn(values, name);
    told.push([name, hidden ? { redacted: digest } : { shown: digest }]);
    if (!hidden) shown.push([name, values[name]]);
  }
  if (shown.length === 0) return { arguments: Object.fromEntries(told) };
  const { record, digest } = sealed(call.id, Object.fromEntries(shown));
  world.unit.put(valuesKey(call.session, call.id), record);
  return { arguments: Object.fromEntries(told), values: digest };
}
