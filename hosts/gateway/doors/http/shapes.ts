// What the API answers, as schemas: the OpenAPI document is made from these, and the tests hold every answer against it.
import { z } from "@hono/zod-openapi";

const time = z.int().openapi({ description: "milliseconds since 1970 by the gateway's clock" });
const record = z.looseObject({});

export const errorBody = z
  .strictObject({
    error: z.strictObject({
      code: z.string().openapi({ description: "stable; branch on it" }),
      message: z.string(),
      pointer: z.string().optional().openapi({ description: "JSON Pointer into the body; /?name for a parameter" }),
      offset: z.int().optional(),
      detail: z.unknown().optional(),
    }),
  })
  .openapi("Error");

const question = z
  .looseObject({
    tool: z.string(),
    title: z.string().nullable().optional(),
    target: z.unknown().optional(),
    arguments: z.array(z.looseObject({ name: z.string(), value: z.unknown(), origin: z.string(), typed: z.boolean() })),
    reasons: z.array(z.looseObject({ reason: z.string(), text: z.string() })),
    marks: z.array(z.looseObject({ label: z.string(), text: z.string() })),
    undo: z.looseObject({ tool: z.string() }).nullable(),
    text: z.string(),
  })
  .openapi("Question", { description: "chapter 4's question" });

/** Chapter 4's answer, the core's own canonical text. */
export const checkAnswer = z
  .looseObject({ decision: z.enum(["allow", "confirm", "refuse"]), reason: z.string(), reasons: z.array(z.string()), step: z.int().nullable(), link: z.string().nullable(), policy: z.string(), entry: record.nullable() })
  .openapi("CheckAnswer");

const traceItem = z.strictObject({
  row: z.string(),
  answer: z.enum(["passed", "refuse", "ask", "change", "stub", "withhold", "hold", "stop", "records"]),
  reason: z.string().optional(),
  detail: record.optional(),
  at: time,
});

/** A call as its caller sees it. */
export const callView = z
  .strictObject({
    call: z.string(),
    outcome: z.enum(["result", "refused", "pending", "unknown", "checked", "working"]),
    state: z.enum(["proposed", "asked", "admitted", "sending", "unknown", "done", "refused", "denied", "expired", "withdrawn"]),
    session: z.string(),
    agent: z.string().nullable(),
    tool: z.string(),
    caller: z.string(),
    createdAt: time,
    decision: z.enum(["allow", "confirm", "refuse"]).nullable(),
    reasons: z.array(z.string()),
    step: z.int().nullable(),
    policy: z.string().nullable(),
    approval: z.string().nullable(),
    failed: z.boolean().optional().openapi({ description: "of a result: the tool says that it failed" }),
    result: z.unknown().optional().openapi({ description: "of a result: what the tool gave" }),
    reason: z.string().optional(),
    message: z.string().optional(),
    detail: record.optional(),
    question: question.nullable().optional(),
    confirmation: z.string().optional().openapi({ description: "of a pending call, for callers granted `confirmation`" }),
    expiresAt: time.optional(),
    arguments: z.string().optional().openapi({ description: "the arguments' JSON text as it was proposed" }),
    trace: z.array(traceItem).optional(),
  })
  .openapi("CallView");

const given = z.strictObject({ approver: z.string(), answer: z.enum(["approve", "deny"]), why: z.string().nullable(), at: time, jws: z.string().optional() });

export const approvalView = z
  .strictObject({
    id: z.string(),
    tenant: z.string(),
    call: z.string(),
    session: z.string(),
    agent: z.string().nullable(),
    tool: z.string(),
    caller: z.string(),
    principal: z.string().nullable(),
    digest: z.string(),
    question: question.nullable(),
    confirmation: z.string().optional().openapi({ description: "for callers granted `confirmation`" }),
    marks: z.array(z.strictObject({ label: z.string(), text: z.string(), step: z.int().nullable() })),
    snapshot: z.string().nullable(),
    listing: z.string().nullable(),
    policy: z.string(),
    mode: z.enum(["token", "signed"]).optional().openapi({ description: "how the policy wants it answered" }),
    note: z.string().nullable().optional().openapi({ description: "what a person is told beside the question" }),
    count: z.int(),
    deciders: z.array(z.string()),
    askedAt: time,
    expiresAt: time,
    state: z.enum(["open", "approved", "denied", "expired", "edited", "spent", "withdrawn"]),
    answers: z.array(given),
    editedInto: z.string().nullable().openapi({ description: "the call that an edit made" }),
    edit: z.strictObject({ by: z.string(), approver: z.string(), principal: z.string().nullable(), arguments: z.string().openapi({ description: "canonical JSON text" }) }).optional().openapi({ description: "who edited, and the arguments as edited" }),
    decidedAt: time.nullable(),
    stopped: z.strictObject({ kill: z.string(), why: z.string(), by: z.string(), at: time }).optional().openapi({ description: "of an open question: the kill switch that stops its call now" }),
  })
  .openapi("Approval");

export const listingView = z
  .strictObject({
    tenant: z.string(),
    tool: z.string(),
    server: z.string(),
    approved: z.strictObject({ digest: z.string(), listing: z.string(), by: z.string(), at: time }).nullable(),
    pending: z.strictObject({ digest: z.string(), listing: z.string(), seenAt: time }).nullable(),
    changes: z
      .array(z.strictObject({ pointer: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
      .optional()
      .openapi({ description: "what differs between the two, as JSON texts; every member where nothing was approved before" }),
  })
  .openapi("Listing");

export const killView = z
  .strictObject({ id: z.string(), tool: z.string().optional(), agent: z.string().optional(), session: z.string().optional(), all: z.literal(true).optional(), why: z.string(), by: z.string(), at: time })
  .openapi("Kill");

export const history = z.looseObject({ format: z.literal("qls-history/1"), session: z.string(), entries: z.array(record) }).openapi("History", { description: "chapter 3's history" });
export const head = z.looseObject({ step: z.int(), link: z.string(), state: z.string() }).openapi("Head");
export const receiptAnswer = z.looseObject({ format: z.literal("qls-tool-receipt/1"), decision: z.enum(["allow", "refuse"]), reason: z.string() }).openapi("Receipt");
export const plan = z.looseObject({}).openapi("Plan", { description: "chapter 6's plan of a turn" });

export const policyView = z
  .strictObject({ id: z.string(), source: z.string(), text: z.string().openapi({ description: "the compiled policy, JSON text" }), versions: z.array(z.strictObject({ id: z.string(), at: time, by: z.string() })) })
  .openapi("Policy");
export const policyChange = z.strictObject({ id: z.string(), diff: z.unknown() }).openapi("PolicyChange");

export const auditLine = z.looseObject({ tenant: z.string(), seq: z.int(), prev: z.string(), at: time }).openapi("AuditLine");
export const auditPage = z.strictObject({ lines: z.array(auditLine), next: z.int().openapi({ description: "the sequence number to go on from" }), end: z.boolean().openapi({ description: "whether this is all there is now" }) }).openapi("AuditPage");
export const auditVerified = z
  .strictObject({
    valid: z.boolean(),
    tenant: z.string().nullable(),
    entries: z.int(),
    checkpoints: z.int(),
    covered: z.int().nullable(),
    uncovered: z.int(),
    head: z.strictObject({ seq: z.int(), hash: z.string() }).nullable(),
    values: z.strictObject({ bound: z.int().openapi({ description: "records of shown values that an entry binds" }), absent: z.int().openapi({ description: "entries whose record is erased" }) }),
    problem: z.strictObject({ code: z.string(), line: z.int(), seq: z.int().nullable(), message: z.string() }).nullable(),
  })
  .openapi("AuditVerified");

export const ready = z.strictObject({ ready: z.boolean() }).openapi("Ready");
export const health = z
  .strictObject({
    ready: z.boolean(),
    core: z.string(),
    engine: z.string(),
    tenants: z.record(z.string(), z.strictObject({ policy: z.string(), mode: z.string(), servers: z.record(z.string(), z.string()) })),
  })
  .openapi("Health");

export const toolView = z
  .strictObject({ tool: z.string(), title: z.string().nullable(), description: z.string(), parameters: z.unknown(), result: z.unknown(), annotations: record })
  .openapi("Tool");
