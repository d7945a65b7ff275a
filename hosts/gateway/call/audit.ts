// What the audit log is told of a call: who proposed what, redacted by the gateway's settings, and what became of it.
import type { Entry } from "interlock";
import type { AuditBody, AuditEvent } from "../audit/entry.ts";
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
    ...(typeof principal === "string" ? { principal } : {}),
    tool: call.tool,
    ...(call.digest === null ? {} : { arguments_digest: call.digest }),
    ...(call.decided === null ? {} : { step: call.decided.step, link: call.decided.link, policy: call.decided.policy }),
    ...(call.listing === null ? {} : { listing: call.listing }),
    ...(call.approval === null ? {} : { approval: call.approval }),
    ...(call.operation === null ? {} : { idempotency_key: call.operation }),
    request_id: call.requestId,
    ...more,
  };
}

/** The arguments as the log may have them: of each declared one its value, or `{"redacted": digest}`. Undeclared names stay out: a name can be a value. */
export function redacted(world: World, call: CallRecord, entry: Pick<Entry, "arguments"> | null): unknown {
  if (entry === null) return undefined;
  const { redact } = world.tenant.audit;
  const rules = (Object.hasOwn(redact, call.tool) ? redact[call.tool] : redact["*"]) ?? ["*"];
  const values = call.canonical === null ? {} : (JSON.parse(call.canonical) as Record<string, unknown>);
  const shown: [string, unknown][] = [];
  for (const [name, digest] of Object.entries(entry.arguments)) {
    const hidden = rules.includes("*") || rules.includes(name) || !Object.hasOwn(values, name);
    shown.push([name, hidden ? { redacted: digest } : values[name]]);
  }
  return Object.fromEntries(shown);
}
