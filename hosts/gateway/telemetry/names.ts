// The names of spans, attributes and metrics: OpenTelemetry's conventions for generative AI and MCP (semantic-conventions-genai 0.1), and what is ours under `interlock.`.

export const ATTRIBUTE = {
  operation: "gen_ai.operation.name",
  tool: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  callId: "gen_ai.tool.call.id",
  agent: "gen_ai.agent.name",
  agentVersion: "gen_ai.agent.version",
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

/** The MCP method of a tool's call, and the operation that the conventions call it. */
export const CALL = "tools/call";
export const OPERATION = "execute_tool";

export const METRIC = {
  /** Seconds from the door to the end it answered, by any door. */
  duration: "interlock.call.duration",
  /** The same of calls that came by MCP, as the conventions name it. */
  mcp: "mcp.server.operation.duration",
  /** Seconds that a tool took, from the first byte out to its answer. */
  tool: "gen_ai.execute_tool.duration",
  decisions: "interlock.decisions",
  refusals: "interlock.refusals",
  ends: "interlock.calls",
  inHand: "interlock.calls.in_hand",
} as const;
