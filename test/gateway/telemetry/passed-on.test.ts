// The trace goes on to tools: the gateway's own span in `_meta` of MCP servers and in the headers of HTTP tools, in the client's trace; its tracestate only where the caller is trusted with free text, its baggage never.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { SpanKind } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Outcome, Proposal } from "../../../hosts/gateway/call/record.ts";
import type { Grant } from "../../../hosts/gateway/config/settings.ts";
import { readMeta } from "../../../hosts/gateway/doors/mcp/meta.ts";
import { traceOf } from "../../../hosts/gateway/doors/trace.ts";
import type { Gateway } from "../../../hosts/gateway/gateway.ts";
import { createTelemetry, type Telemetry } from "../../../hosts/gateway/telemetry/telemetry.ts";
import { createUpstream, type McpUpstream } from "../../../hosts/gateway/upstream/upstream.ts";
import { callRecord } from "../call.ts";
import { AGENT } from "../mcp/house.ts";
import { script, tenant, TOOL } from "../upstream/tenant.ts";

/** The example of W3C's recommendation. */
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CLIENT = `00-${TRACE}-00f067aa0ba902b7-01`;
let upstream: McpUpstream;
let web: ReturnType<typeof createServer>;
let headers: IncomingHttpHeaders[];

beforeEach(async () => {
  headers = [];
  web = createServer((request, response) => {
    headers.push(request.headers);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((listening) => web.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
  const http = { method: "POST", url, headers: {}, idempotencyHeader: null, reconcile: null } as const;
  upstream = createUpstream(tenant({ echo: script("echo", fileURLToPath(new URL("../upstream/hostile.mjs", import.meta.url))) }, { post: http, fixed: { ...http, headers: { traceparent: CLIENT } } }));
  await upstream.listed("shop");
});
afterEach(async () => {
  await upstream.close();
  web.closeAllConnections();
  web.close();
});

/** A gateway that makes every call at once; the `_meta` that the MCP server was given. */
async function calls(telemetry: Telemetry, tool: string, given: Partial<Proposal>): Promise<Record<string, string>> {
  const tools = telemetry.overTools(upstream);
  const gateway = {
    call: async (proposal: Proposal): Promise<Outcome> => {
      const call = callRecord({ ...proposal, canonical: "{}" });
      const sent = await tools.send(call, { settings: TOOL, signal: new AbortController().signal, operation: "op-1" });
      return { kind: "result", call: { ...call, sent }, result: sent.result!, failed: false };
    },
  } as unknown as Gateway;
  const { result } = (await telemetry.over(gateway).call({ ...callRecord({ tool }), ...given })) as { result: string };
  if (tool !== "echo") return {};
  const { content } = JSON.parse(result) as { content: { text: string }[] };
  return (JSON.parse(content[0]!.text) as { params: { _meta: Record<string, string> } }).params._meta;
}

function traced(): { telemetry: Telemetry; spans: ReadableSpan[] } {
  const spans: ReadableSpan[] = [];
  const exporter = { export: (more: ReadableSpan[], told: (result: { code: number }) => void) => (spans.push(...more), told({ code: 0 })), shutdown: async () => {} };
  return { spans, telemetry: createTelemetry({ otlp: null, argumentValues: false }, { version: "1", spans: exporter, overHttp: (_, tool) => tool !== "echo" }) };
}
const contextOf = (span: ReadableSpan): string => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`;

it("an MCP server is given the context of the span that times it, inside the call's own, inside the client's trace", async () => {
  const { telemetry, spans } = traced();
  const meta = await calls(telemetry, "echo", { door: "mcp", traceparent: CLIENT, tracestate: "congo=t61rcWkgMzE" });
  await telemetry.close();
  const inner = spans.find(({ kind }) => kind === SpanKind.CLIENT)!;
  const outer = spans.find(({ kind }) => kind === SpanKind.SERVER)!;
  expect(meta).toEqual({ "io.interlock/operation": "op-1", traceparent: contextOf(inner), tracestate: "congo=t61rcWkgMzE" });
  expect(inner.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
  expect(inner.spanContext().traceId).toBe(TRACE);
  expect(outer.parentSpanContext?.spanId).toBe("00f067aa0ba902b7");
});

it("an HTTP tool is given it in its headers, unless its settings say them", async () => {
  const { telemetry, spans } = traced();
  await calls(telemetry, "post", {});
  await calls(telemetry, "fixed", {});
  await telemetry.close();
  const inner = spans.find(({ kind, name }) => kind === SpanKind.CLIENT && name.endsWith("post"))!;
  expect(headers.map(({ traceparent, tracestate }) => [traceparent, tracestate])).toEqual([[contextOf(inner), undefined], [CLIENT, undefined]]);
});

it("without a collector the client's context goes on as it is; where it is none, or no context, nothing does", async () => {
  const telemetry = createTelemetry({ otlp: null, argumentValues: false }, { version: "1" });
  expect(await calls(telemetry, "echo", { traceparent: CLIENT })).toEqual({ "io.interlock/operation": "op-1", traceparent: CLIENT });
  for (const traceparent of [undefined, `00-${"0".repeat(32)}-00f067aa0ba902b7-01`, "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]) {
    expect(await calls(telemetry, "echo", traceparent === undefined ? {} : { traceparent }), traceparent).toEqual({ "io.interlock/operation": "op-1" });
  }
  await telemetry.close();
});

it("doors take a client's traceparent, its tracestate of callers granted context, and its baggage of nobody", () => {
  const may = (...grants: Grant[]) => ({ may: new Set(grants) });
  expect(traceOf(CLIENT, "a=b", may())).toEqual({ traceparent: CLIENT });
  expect(traceOf(CLIENT, "a=b", may("context"))).toEqual({ traceparent: CLIENT, tracestate: "a=b" });
  for (const wrong of ["", "a\nb", "a".repeat(513), 7, null]) expect(traceOf(CLIENT, wrong, may("context")), String(wrong)).toEqual({ traceparent: CLIENT });
  for (const wrong of [CLIENT.toUpperCase(), `${CLIENT} `, `${CLIENT}-more`, 7, null, undefined]) expect(traceOf(wrong, "a=b", may("context")), String(wrong)).toEqual({});
  const meta = JSON.stringify({ traceparent: CLIENT, tracestate: "a=b", baggage: "user=ana" });
  const trusted = readMeta(meta, { ...AGENT, may: new Set(["context"]) });
  expect(trusted).toMatchObject({ traceparent: CLIENT, tracestate: "a=b" });
  expect(JSON.stringify(trusted)).not.toContain("ana");
  expect(readMeta(meta, AGENT)).not.toHaveProperty("tracestate");
});
