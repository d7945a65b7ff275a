// An MCP server over stdio that has what the protocol's conformance suite asks a server for: tools, prompts and resources by the suite's names.
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const server = new McpServer({ name: "everything", version: "1" }, { capabilities: { logging: {} }, instructions: "instructions of the server behind" });
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const WAV = Buffer.concat([Buffer.from("RIFF"), Buffer.from([36, 0, 0, 0]), Buffer.from("WAVEfmt "), Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 64, 31, 0, 0, 64, 31, 0, 0, 1, 0, 8, 0]), Buffer.from("data"), Buffer.alloc(4)]).toString("base64");
const text = (said) => ({ type: "text", text: said });
const image = { type: "image", data: PNG, mimeType: "image/png" };
const tool = (name, make, inputSchema = z.object({})) => server.registerTool(name, { description: `the suite's ${name}`, inputSchema }, make);

tool("test_simple_text", () => ({ content: [text("This is a simple text response for testing.")] }));
tool("test_image_content", () => ({ content: [image] }));
tool("test_audio_content", () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }));
tool("test_embedded_resource", () => ({ content: [{ type: "resource", resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." } }] }));
tool("test_multiple_content_types", () => ({ content: [text("Multiple content types test:"), image, { type: "resource", resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text: '{"test":"data","value":123}' } }] }));
tool("test_error_handling", () => ({ content: [text("This tool intentionally returns an error for testing")], isError: true }));
tool("test_tool_with_progress", async (_, { mcpReq }) => {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { content: [text("done")] };
});
tool("test_tool_with_logging", async (_, { mcpReq }) => {
  await mcpReq.notify({ method: "notifications/message", params: { level: "info", data: "Tool execution started" } });
  return { content: [text("logged")] };
});
tool(
  "test_sampling",
  async ({ prompt }, { mcpReq }) => {
    try {
      const said = await mcpReq.requestSampling({ messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 });
      return { content: [text(`LLM response: ${said.content.text}`)] };
    } catch (error) {
      return { content: [text(`refused: ${error.message}`)], isError: true };
    }
  },
  z.object({ prompt: z.string() }),
);
tool("json_schema_2020_12_tool", () => ({ content: [text("a tool")] }));
tool("test_reconnection", () => ({ content: [text("reconnected")] }));

server.registerPrompt("test_simple_prompt", { description: "simple" }, () => ({ messages: [{ role: "user", content: text("This is a simple prompt for testing.") }] }));
server.registerPrompt("test_prompt_with_arguments", { description: "with arguments", argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) }, ({ arg1, arg2 }) => ({
  messages: [{ role: "user", content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) }],
}));
server.registerPrompt("test_prompt_with_embedded_resource", { description: "with a resource", argsSchema: z.object({ resourceUri: z.string() }) }, ({ resourceUri }) => ({
  messages: [{ role: "user", content: { type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." } } }, { role: "user", content: text("Please process the embedded resource above.") }],
}));
server.registerPrompt("test_prompt_with_image", { description: "with an image" }, () => ({ messages: [{ role: "user", content: image }, { role: "user", content: text("Please analyze the image above.") }] }));

server.registerResource("text", "test://static-text", { mimeType: "text/plain" }, () => ({ contents: [{ uri: "test://static-text", mimeType: "text/plain", text: "This is the content of the static text resource." }] }));
server.registerResource("binary", "test://static-binary", { mimeType: "image/png" }, () => ({ contents: [{ uri: "test://static-binary", mimeType: "image/png", blob: PNG }] }));
server.registerResource("template", new ResourceTemplate("test://template/{id}/data", { list: undefined }), { mimeType: "application/json" }, (uri, { id }) => ({
  contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
}));

await server.connect(new StdioServerTransport());
