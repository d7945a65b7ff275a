// The names of spans, attributes and metrics: OpenTelemetry's conventions for generative AI and MCP, as of 2026-11, and what is ours under `interlock.`.

export const ATTRIBUTE = {
  operation: "gen_ai.operation.name",
  tool: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  callId: "gen_ai.tool.call.id",
  agent: "gen_ai.agent.name",
  conversation: "gen_ai.conversation.id",
  arguments: "gen_ai.tool.call.arguments",
  result: "gen_ai.tool.call.result",
  method: "mcp.method.name",
  error: "error.type",
  tenant: "interlock.tenant",
  caller: "interlock.caller",
  door: "interlock.door",
  decision: "interlock.decision",
  reason: "interlock.reason",
  row: "interlock.row",
  outcome: "interlock.outcome",
  policy: "interlock.policy",
  request: "interlock.request_id",
} as const;

export const METRIC = {
  /** Seconds from the door to the end it answered. */
  duration: "mcp.server.operation.duration",
  /** Seconds that a tool took, from the first byte out to its answer. */
  tool: "gen_ai.client.operation.duration",
  decisions: "interlock.decisions",
  refusals: "interlock.refusals",
  ends: "interlock.calls",
  inHand: "interlock.calls.in_hand",
} as const;
