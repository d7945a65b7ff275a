// The shapes of requests and answers, as the OpenAPI document tells them. Bodies are read as raw text, so that no digit is lost; these say what the reading takes.
import { z } from "@hono/zod-openapi";

const text = z.string();
const object = z.record(z.string(), z.unknown());
const time = z.number().int().describe("milliseconds since 1970");

export const ErrorAnswer = z
  .object({ error: z.object({ code: text, message: text, pointer: text.optional(), offset: z.number().int().optional(), detail: object.optional() }) })
  .openapi("Error");

export const CallBody = z
  .object({
    format: z.literal("qls-tool-check/1").optional(),
    session: text,
    tool: text,
    arguments: object.describe("read digit for digit; a repeated member is refused"),
    agent: text.optional(),
    labels: object.optional(),
    history: object.optional().describe("a carried history; it has to end at the kept head. The gateway's own where it is left out"),
    explain: z.boolean().optional(),
    wait_ms: z.number().int().optional().describe("how long to wait for a person, at most 300000"),
    turn: text.optional(),
    turns: z.array(text).optional(),
    origins: z.record(z.string(), text).optional(),
    context: object.optional(),
    resource: object.optional(),
    principal: object.optional(),
    confirmation: text.optional(),
    undo: z.object({ step: z.number().int() }).optional(),
  })
  .openapi("Call");

export const CheckAnswer = object.openapi("CheckAnswer", { description: "the answer of chapter 4, canonical; or a refusal of another row: decision, reason, message, detail, call" });

export const CallAnswer = z
  .object({
    call: text,
    outcome: z.enum(["result", "refused", "pending", "unknown", "running"]),
    failed: z.boolean().optional(),
    result: z.unknown().optional(),
    reason: text.optional(),
    message: text.optional(),
    detail: object.optional(),
    approval: text.optional(),
    question: z.unknown().optional(),
    expires_at: time.optional(),
  })
  .openapi("CallAnswer");

export const CallRecordAnswer = z.looseObject({ id: text, state: text, tool: text, session: text, arguments: text, trace: z.array(object) }).openapi("CallRecord");
export const Approval = z
  .looseObject({ id: text, call: text, session: text, tool: text, state: text, question: z.unknown(), askedAt: time, expiresAt: time, answers: z.array(object) })
  .openapi("Approval");
export const Listing = z.looseObject({ tool: text, server: text }).openapi("Listing");
export const Kill = z.object({ id: text, tool: text.optional(), agent: text.optional(), session: text.optional(), all: z.literal(true).optional(), why: text, by: text, at: time }).openapi("Kill");
export const History = z.object({ history: object, head: z.unknown() }).openapi("Session");
export const Policy = z.object({ id: text, source: text, policy: object, versions: z.array(z.object({ id: text, at: time, by: text })) }).openapi("Policy");
export const Registered = z.object({ id: text, diff: z.array(z.unknown()).optional() }).openapi("Registered");
export const Health = z.looseObject({ ready: z.boolean(), core: text, engine: text, tenants: z.record(z.string(), z.looseObject({ policy: text, mode: text })) }).openapi("Health");
export const AuditPage = z.object({ lines: z.array(z.unknown()), next: z.number().int().nullable() }).openapi("AuditPage");
export const AuditVerified = z.looseObject({ valid: z.boolean() }).openapi("AuditVerified");
export const Anything = object;
export { z };
