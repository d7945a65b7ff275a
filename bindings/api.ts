// The whole public surface of the package.
export { Agent, type AgentOptions, type AllowedCall, type Approval, type Asked, type ChatOptions, type Evidence, type Executed } from "./agent.ts";
export { Client, type ClientOptions, type Receipt, type ReceiptOptions, type RegisteredPolicy, type Verified } from "./client.ts";
export { type LineDriver, lineDriver } from "./driver.ts";
export { type ErrorPlace, InterlockError, type PolicyProblem } from "./errors.ts";
export { type Bound, gateRow, type OfferedFunction, type RowAnswer, type RowFacts } from "./gate.ts";
export { type Entry, History, type HistoryDict, type Outcome } from "./history.ts";
export { type JsonObject, type JsonValue, RawJson, type RawMember, rawJson, rawMembers } from "./json.ts";
export { type PolicyJudge, policyJudge } from "./judge.ts";
export { type Plan, type PlanOutcome, type PlanStep, type ReadOptions, type Refusal, refusalOf, type TurnExplanation } from "./plan.ts";
export type { Reply, ReplyOutcome, StepReply, StepStatus } from "./reply.ts";
export type { Arguments, CallOptions, CheckOptions, Head, ReportOptions, Status } from "./request.ts";
export { Session, type SessionCallOptions, type SessionOptions } from "./session.ts";
export type { Answered, Decision, NoTruthValue, Question, ToolCheck, TraceItem } from "./tool-check.ts";
