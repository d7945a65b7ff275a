// The MCP server that gateway.mjs calls directly and through a gateway: one read and one write that cost nothing, over streamable HTTP.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

function server() {
  const made = new McpServer({ name: "bench", version: "1" });
  const answer = ({ order }) => ({ content: [{ type: "text", text: `order ${order}` }] });
  made.registerTool("get_order", { description: "Gets an order.", inputSchema: z.object({ order: z.string() }), annotations: { readOnlyHint: true } }, answer);
  made.registerTool("mark_order", { description: "Marks an order as seen.", inputSchema: z.object({ order: z.string() }) }, answer);
  return made;
}

const handler = createMcpHandler(server, {});
const http = createServer(getRequestListener((request) => handler.fetch(request)));
http.listen(0, "127.0.0.1", () => console.log(http.address().port));
process.on("SIGTERM", () => process.exit(0));
