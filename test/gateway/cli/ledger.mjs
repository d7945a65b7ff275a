// An MCP server with a ledger in a file: `charge_card` adds an order to it, `find_charge` says whether it has one. What LEDGER_KILLS says of an order kills the process that started this one: `before` it is written, or `after`.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const file = process.env.LEDGER;
const kills = JSON.parse(process.env.LEDGER_KILLS ?? "{}");
const orders = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)) : []);
const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
const die = () => {
  process.kill(process.ppid, "SIGKILL");
  process.exit(1);
};
const order = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"], additionalProperties: false };
const tools = [
  { name: "charge_card", inputSchema: order },
  { name: "find_charge", inputSchema: order, annotations: { readOnlyHint: true } },
];

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "ledger", version: "1" } });
  else if (method === "tools/list") answer(id, { tools });
  else if (method === "tools/call") {
    const { order_id } = params.arguments;
    const found = orders().find((each) => each.order_id === order_id);
    if (params.name === "find_charge") return answer(id, { content: [], structuredContent: { status: found === undefined ? "none" : "succeeded", operation: found?.operation ?? null } });
    if (kills[order_id] === "before") die();
    appendFileSync(file, `${JSON.stringify({ order_id, operation: params._meta["io.interlock/operation"] })}\n`);
    if (kills[order_id] === "after") die();
    answer(id, { content: [], structuredContent: { charged: order_id } });
  } else if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } })}\n`);
});
