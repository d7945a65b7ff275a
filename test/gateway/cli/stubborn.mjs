// An MCP server that does not end: it heeds neither the end of its input nor SIGTERM or SIGINT, and starts another process that does the same. Its tool `pids` tells both.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const deaf = "for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => undefined); setInterval(() => undefined, 1000);";
const child = spawn(process.execPath, ["-e", `${deaf} process.stderr.write('deaf\\n');`], { stdio: ["ignore", "ignore", "pipe"] });
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => undefined);
setInterval(() => undefined, 1000);
const ready = new Promise((resolve) => child.stderr.once("data", resolve));

const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "stubborn", version: "1" } });
  else if (method === "tools/list") answer(id, { tools: [{ name: "pids", inputSchema: { type: "object" } }] });
  else if (method === "tools/call") void ready.then(() => answer(id, { content: [{ type: "text", text: `${process.pid} ${child.pid}` }] }));
  else if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } })}\n`);
});
