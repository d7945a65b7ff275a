// MCP servers over streamable HTTP behind the gateway: the official server in both eras, and raw ones that lose and twist their answers.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import type { ServerSettings } from "../../../hosts/gateway/config/settings.ts";
import { events as readEvents } from "../../../hosts/gateway/upstream/bounded.ts";
import { paramHeaders } from "../../../hosts/gateway/upstream/param-headers.ts";
import { createUpstream, type McpUpstream } from "../../../hosts/gateway/upstream/upstream.ts";
import { bodyOf, json, type Listening, listenRaw, listenWeb } from "./listening.ts";
import { send, tenant, TOOL } from "./tenant.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

it("a line that comes in many small parts, also with its end in two, is one line, at the cost of its length", async () => {
  const line = "x".repeat(1 << 20);
  const bytes = Buffer.from(`id: 1\r\ndata: ${line}\r\n\r\n`);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 16) controller.enqueue(bytes.subarray(at, at + 16));
      controller.close();
    },
  });
  const found = [];
  for await (const event of readEvents(body, () => 1 << 21)) found.push(event);
  expect(found).toEqual([{ id: "1", event: "message", data: line, retry: null }]);
});

const at = (listening: Listening, headers: Record<string, string> = {}): ServerSettings => ({ kind: "http", name: "web", prefix: null, url: `${listening.url}/mcp`, headers });
function behind(listening: Listening, headers: Record<string, string> = {}): McpUpstream {
  const upstream = createUpstream(tenant({ web: at(listening, headers) }));
  open.push(listening, upstream);
  return upstream;
}

function official(): McpServer {
  const server = new McpServer({ name: "web", version: "1" });
  server.registerTool("add", { description: "adds", inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) }, ({ a, b }) => ({ content: [], structuredContent: { sum: a + b } }));
  server.registerTool("slow", { description: "tells how far it is", inputSchema: z.object({}) }, async (_, ctx) => {
    const token = ctx.mcpReq._meta?.progressToken;
    if (token !== undefined) await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, progress: 1, total: 2 } });
    return { content: [{ type: "text", text: "slow" }] };
  });
  return server;
}

for (const [era, version] of [["legacy", "2025-11-25"], ["modern", "2026-07-28"]] as const) {
  it(`the official server, ${version}`, async () => {
    const handler = createMcpHandler(official, era === "modern" ? { legacy: "reject" } : {});
    const versions = new Set<string | null>();
    const listening = await listenWeb(async (request) => {
      if (request.headers.get("x-key") !== "k") return new Response(null, { status: 401 });
      const text = await request.clone().text();
      if (era === "legacy" && text.includes("server/discover")) return Response.json({ jsonrpc: "2.0", id: (JSON.parse(text) as { id: number }).id, error: { code: -32601, message: "no" } });
      if (text.includes('"tools/call"')) versions.add(request.headers.get("mcp-protocol-version"));
      return handler.fetch(request);
    });
    const upstream = behind(listening, { "x-key": "k" });
    expect((await upstream.listed("shop")).map(({ tool }) => tool), upstream.states("shop")["web"]).toEqual(["add", "slow"]);
    expect(await send(upstream, "add", '{"a":1,"b":2}')).toMatchObject({ status: "ran", fields: '{"sum":3}' });
    expect(await send(upstream, "add", '{"a":"x","b":2}')).toMatchObject({ status: "failed" });
    const told: unknown[] = [];
    expect(await send(upstream, "slow", "{}", { progress: (...progress) => told.push(progress) })).toMatchObject({ status: "ran" });
    expect(told).toEqual([[1, 2, undefined]]);
    expect([...versions]).toEqual([version]);
  });
}

/** A raw server of the older era; `call` answers the calls of its one tool, `t`. */
async function raw(call: (id: number, response: import("node:http").ServerResponse, body: string) => void, more: (request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => boolean = () => false) {
  const heard: string[] = [];
  let sessions = 0;
  const listening = await listenRaw(async (request, response) => {
    const body = await bodyOf(request);
    if (more(request, response)) return;
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    heard.push(method);
    if (method === "initialize") json(response, { jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "raw", version: "1" } } }, 200, { "mcp-session-id": `s-${++sessions}` });
    else if (id === undefined) response.writeHead(202).end();
    else if (method === "tools/list") json(response, { jsonrpc: "2.0", id, result: { tools: [{ name: "t", inputSchema: { type: "object" } }] } });
    else if (method === "tools/call") call(id, response, body);
    else json(response, { jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
  });
  const upstream = behind(listening);
  expect((await upstream.listed("shop")).length, upstream.states("shop")["web"]).toBe(1);
  return { upstream, heard, sessions: () => sessions };
}
const events = (response: import("node:http").ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const event = (value: unknown, id?: string) => `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`;
const answer = (id: number, text: string) => ({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
const said = (sent: { result?: string }) => (JSON.parse(sent.result ?? '{"content":[]}') as { content: { text: string }[] }).content[0]?.text;

it("a stream's other answers are dropped, its questions refused, and the answer to the call is taken", async () => {
  const { upstream } = await raw((id, response) => {
    events(response).end(`:hello\r\n\r\n${event(answer(id + 1, "another's"))}event: other\ndata: {}\n\n${event({ jsonrpc: "2.0", id: 5, method: "sampling/createMessage", params: {} })}data: junk\n\n${event(answer(id, "own"))}${event(answer(id, "late"))}`);
  });
  expect(said(await send(upstream, "t", "{}"))).toBe("own");
});

it("a stream that ends early is taken up again from its last event", async () => {
  let waiting = 0;
  const { upstream } = await raw(
    (id, response) => {
      waiting = id;
      events(response).end(`retry: 10\nid: e1\ndata:\n\n`);
    },
    (request, response) => {
      if (request.method !== "GET" || request.headers["last-event-id"] === undefined) return false;
      if (request.headers["last-event-id"] === "e1") events(response).end(`retry: 10\nid: e2\ndata:\n\n`);
      else events(response).end(event(answer(waiting, `after ${request.headers["last-event-id"]}`), "e3"));
      return true;
    },
  );
  expect(said(await send(upstream, "t", "{}"))).toBe("after e2");
});

it("a stream that ends without an answer or an event's id leaves the outcome unknown", async () => {
  const { upstream } = await raw((_, response) => events(response).end(": nothing\n\n"));
  expect(await send(upstream, "t", "{}")).toMatchObject({ status: "outcome_unknown", error: { code: "tool_unreachable" } });
});

it("what is too long is not held, what is no answer is not taken", async () => {
  let how = 0;
  const ways: ((id: number, response: import("node:http").ServerResponse) => void)[] = [
    (id, response) => json(response, answer(id, "x".repeat(2_000_000))),
    (_, response) => events(response).write(`data: ${"x".repeat(2_000_000)}`),
    (_, response) => events(response).write("data: x\n".repeat(300_000)),
    (id, response) => json(response, [answer(id, "batch")]),
    (id, response) => json(response, answer(id + 1, "another's")),
    (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x7b, 0xff])),
    // From here on the response is left open: what can be told from is there.
    (_, response) => response.writeHead(200, { "content-type": "application/json" }).write(Buffer.from([0x7b, 0xff, 0x20])),
    (_, response) => events(response).write(Buffer.from([...Buffer.from("data: "), 0xff, 10])),
    (id, response) => events(response).write(event([answer(id, "batch")])),
    (id, response) => events(response).write(`data: {"jsonrpc":"2.0","id":${id},"result":{"content":[\n\n`),
    (_, response) => events(response).write('data: {"result":{"content":[NaN]}}\n\n'),
    (_, response) => response.writeHead(500).end(),
    (_, response) => response.writeHead(307, { location: "http://127.0.0.1:9/" }).end(),
    (_, response) => void response.socket!.destroy(),
  ];
  const { upstream } = await raw((id, response) => ways[how]!(id, response));
  const codes: unknown[] = [];
  for (how = 0; how < ways.length; how++) {
    const { status, error } = await send(upstream, "t", "{}");
    expect(status, String(how)).toBe("outcome_unknown");
    codes.push(error!.code);
  }
  expect(codes).toEqual(["result_too_large", "result_too_large", "result_too_large", ...Array<string>(9).fill("result_malformed"), "tool_unreachable", "redirected", "tool_unreachable"]);
});

it("a request that was turned away did not run; a session that is gone is made anew and the call sent once more", async () => {
  const { upstream, sessions } = await raw((id, response, body) => {
    const session = response.req.headers["mcp-session-id"];
    if (body.includes('"refuse"')) response.writeHead(403).end();
    else if (session === "s-1") response.writeHead(404).end();
    else json(response, answer(id, String(session)));
  });
  expect(said(await send(upstream, "t", "{}"))).toBe("s-2");
  expect(sessions()).toBe(2);
  expect(await send(upstream, "t", '{"a":"refuse"}')).toMatchObject({ status: "failed", error: { code: "tool_unreachable" } });
});

it("a time limit is told to the server", async () => {
  const { upstream, heard } = await raw(() => undefined);
  expect(await send(upstream, "t", "{}", { settings: { ...TOOL, timeoutMs: 100 } })).toMatchObject({ status: "outcome_unknown", error: { code: "tool_timeout" } });
  await expect.poll(() => heard.at(-1)).toBe("notifications/cancelled");
});

it("a server that is not there failed, and nothing was sent", async () => {
  const upstream = createUpstream(tenant({ web: { kind: "http", name: "web", prefix: null, url: "http://127.0.0.1:9/mcp", headers: {} } }));
  open.push(upstream);
  expect(await upstream.listed("shop")).toEqual([]);
  expect(await send(upstream, "t", "{}")).toMatchObject({ status: "failed", error: { code: "tool_unreachable" } });
});

it("headers that repeat arguments hold only what a header may", () => {
  const schema = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" }, deep: { properties: { n: { type: "integer", "x-mcp-header": "N" } } }, bad: { type: "string", "x-mcp-header": "a b" } } };
  expect(paramHeaders(schema, { region: "eu", deep: { n: 3 }, bad: "x" })).toEqual({ "mcp-param-region": "eu", "mcp-param-n": "3" });
  expect(paramHeaders(schema, { region: "a\r\nx: y", deep: { n: 2 ** 60 } })).toEqual({ "mcp-param-region": `=?base64?${Buffer.from("a\r\nx: y").toString("base64")}?=` });
  expect(paramHeaders(schema, { region: " é ", deep: null })).toEqual({ "mcp-param-region": `=?base64?${Buffer.from(" é ").toString("base64")}?=` });
});
