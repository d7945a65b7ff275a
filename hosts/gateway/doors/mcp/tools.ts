// The protocol's other requests: a fresh server of the library for each connection, which lists the tools that the agent may reach.
import { Server, ProtocolError, ProtocolErrorCode, type ServerCapabilities, type Tool } from "@modelcontextprotocol/server";
import type { Caller, Offered } from "../../gateway.ts";
import { GatewayError } from "../../gateway.ts";
import { agentOf, PREFIX } from "./meta.ts";
import type { McpParts } from "./parts.ts";
import { passOn } from "./passed-on.ts";

/** A new server for one connection or request of a caller, who is asked for at each request; servers are never used twice. Its `tools/call` answers only where the door did not take the request. */
export function serverFor(parts: McpParts, caller: () => Caller): Server {
  const { tenant } = caller();
  const { passOn: passes } = parts.settings().tenants[tenant] ?? { passOn: { instructions: false, prompts: false, resources: false, sampling: false } };
  const clients = parts.upstream?.clients(tenant) ?? new Map();
  const instructions = passes.instructions ? [...clients.values()].flatMap((client) => client.getInstructions() ?? []).join("\n\n") : "";
  const capabilities: ServerCapabilities = { tools: { listChanged: true }, ...(passes.prompts ? { prompts: {} } : {}), ...(passes.resources ? { resources: {} } : {}) };
  const server = new Server({ name: "interlock", version: parts.version ?? "1" }, { capabilities, ...(instructions === "" ? {} : { instructions }) });
  server.setRequestHandler("tools/list", async ({ params }) => ({ tools: await listed(parts, tenant, agentOf(params?._meta?.[`${PREFIX}agent`], caller())) }));
  server.setRequestHandler("tools/call", () => {
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "initialize the connection before calling a tool");
  });
  if (parts.upstream !== undefined) passOn(server, passes, parts.upstream, tenant);
  return server;
}

async function listed(parts: McpParts, tenant: string, agent: string | null): Promise<Tool[]> {
  try {
    const offered = await parts.gateway.offered(tenant, agent);
    return offered.map(toolOf);
  } catch (error) {
    if (error instanceof GatewayError) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `${error.code}: ${error.message}`);
    throw new ProtocolError(ProtocolErrorCode.InternalError, "internal error");
  }
}

/** A tool as clients read it: words and schema are the policy's. No output schema is listed, since a call may also end in a refusal or a redacted result. */
function toolOf({ tool, title, description, parameters, annotations }: Offered): Tool {
  const schema = typeof parameters === "object" && parameters !== null && !Array.isArray(parameters) ? (parameters as Record<string, unknown>) : {};
  return { name: tool, ...(title === null ? {} : { title }), description, inputSchema: { ...schema, type: "object" }, annotations: { ...annotations } };
}
