// Which functions a policy's agent is offered, and of which MCP server each is.
import type { OfferedFunction } from "./harness-call.ts";

/**
 * A tool named `SERVER.FUNCTION` is that server's function. One without a dot is a function of each server in `servers` (the names that the harness knows
 * servers by), and a tool of the harness's own where there are none.
 */
export function offeredFunctions(tools: readonly string[], servers: readonly string[], ownTools: ReadonlySet<string>): OfferedFunction[] {
  return tools.flatMap((tool): OfferedFunction[] => {
    const dot = tool.indexOf(".");
    if (dot > 0 && dot < tool.length - 1) return [{ tool, mcp: { server: tool.slice(0, dot), name: tool.slice(dot + 1) } }];
    if (ownTools.has(tool) || servers.length === 0) return [{ tool, mcp: null }];
    return servers.map((server) => ({ tool, mcp: { server, name: tool } }));
  });
}
