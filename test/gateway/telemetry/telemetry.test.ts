// Traces, metrics and logs of calls: by the conventions' names, to a collector over OTLP, as Prometheus text; and never an argument's value unless the settings say so.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SpanKind } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import * as conventions from "@opentelemetry/semantic-conventions";
import * as incubating from "@opentelemetry/semantic-conventions/incubating";
import { expect, it } from "vitest";
import type { CallRecord, Outcome, Proposal } from "../../../hosts/gateway/call/record.ts";
import { type Gateway, GatewayError } from "../../../hosts/gateway/gateway.ts";
import { createLog } from "../../../hosts/gateway/telemetry/log.ts";
import { ATTRIBUTE, METRIC } from "../../../hosts/gateway/telemetry/names.ts";
import { createTelemetry } from "../../../hosts/gateway/telemetry/telemetry.ts";
import type { Upstream } from "../../../hosts/gateway/upstream/port.ts";
import { callRecord } from "../call.ts";

const SECRET = "4111-1111-1111-1111";
const done = (): CallRecord =>
  callRecord({
    arguments: JSON.stringify({ card: SECRET }),
    canonical: JSON.stringify({ card: SECRET }),
    state: "done",
    decided: { decision: "allow", reason: "allow", reasons: ["allow"], step: 0, link: "l", policy: "p-1" },
    sent: { status: "ran", result: JSON.stringify({ card: SECRET }), startedAt: 1_764_445_000_010, endedAt: 1_764_445_000_260 },
    trace: [{ row: "13", answer: "passed", at: 1_764_445_000_001 }],
  });
/** What of a tool answers with what the record says. */
const tools = { send: async ({ sent }: CallRecord) => sent! } as unknown as Upstream;
/** A gateway whose calls end as the proposal's tool says; what is made is sent by the tools. */
const gatewayOver = (upstream: Upstream) => {
  const send = async (call: CallRecord): Promise<CallRecord> => ({ ...call, sent: await upstream.send(call, {} as never) });
  return {
  call: async (proposal: Proposal): Promise<Outcome> => {
    if (proposal.tool === "broken") throw new GatewayError(503, "engine_unavailable", "the store is gone");
    if (proposal.tool === "refused") {
      const call = callRecord({ state: "refused", decided: { ...done().decided!, decision: "refuse", reason: "argument_origin: card" }, refusal: { row: "13", reason: `argument_origin: ${SECRET}`, message: SECRET } });
      return { kind: "refused", call, reason: "argument_origin", message: "no" };
    }
    const { traceparent } = proposal;
    const call = { ...done(), ...(traceparent === undefined ? {} : { traceparent }) };
    if (proposal.tool === "unknown") return { kind: "unknown", call: await send({ ...call, sent: { ...done().sent!, status: "outcome_unknown", error: { code: "tool_timeout", message: SECRET } } }), message: "?" };
    return { kind: "result", call: await send(call), result: JSON.stringify({ card: SECRET }), failed: false };
  },
  kills: async (tenant: string) => [{ id: tenant }],
  } as unknown as Gateway;
};
const proposal = (tool: string, over: Partial<Proposal> = {}): Proposal => ({ ...callRecord({ tool }), ...over });

async function traced(values: boolean) {
  const finished: ReadableSpan[] = [];
  const spans: SpanExporter = {
    export: (more, told) => {
      finished.push(...more);
      told({ code: 0 });
    },
    shutdown: async () => {},
  };
  const telemetry = createTelemetry({ otlp: null, argumentValues: values }, { version: "1.2.3", spans });
  const over = telemetry.over(gatewayOver(telemetry.overTools(tools)));
  expect(await over.kills("shop")).toStrictEqual([{ id: "shop" }]);
  await over.call(proposal("charge_card", { door: "mcp", agentVersion: "desk 3.1", traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" }));
  await over.call(proposal("refused"));
  await over.call(proposal("unknown"));
  await expect(over.call(proposal("broken"))).rejects.toMatchObject({ code: "engine_unavailable" });
  const text = await telemetry.prometheus("shop");
  await telemetry.close();
  return { spans: finished.map((span) => ({ name: span.name, kind: span.kind, attributes: span.attributes, events: span.events, status: span.status, parent: span.parentSpanContext, own: span.spanContext() })), text };
}

/** Moved to the conventions of generative AI alone, which no package for JavaScript holds yet: execute-tool.md there. */
const ELSEWHERE = new Set(["gen_ai.execute_tool.duration"]);

it("every name that is not ours is one of the conventions'", () => {
  const known = new Set([conventions, incubating].flatMap((names) => Object.values(names as Record<string, unknown>)));
  const names = [...Object.values(ATTRIBUTE), ...Object.values(METRIC)].filter((name) => !name.startsWith("interlock."));
  expect(names.filter((name) => !known.has(name) && !ELSEWHERE.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(12);
});

const kindOf = (attributes: Readonly<Record<string, unknown>>): unknown => (attributes["error.type"] === "engine_unavailable" ? "error" : null);

it("traces a call by the conventions, continues the client's trace, and puts the tool's time inside", async () => {
  const { spans } = await traced(false);
  const call = spans.find(({ name, kind }) => name === "tools/call charge_card" && kind === SpanKind.SERVER)!;
  expect(call.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "charge_card",
    "gen_ai.agent.name": "desk",
    "gen_ai.agent.version": "desk 3.1",
    "gen_ai.conversation.id": "s-1",
    "mcp.method.name": "tools/call",
    "interlock.decision": "allow",
    "interlock.outcome": "result",
  });
  expect(call.own.traceId).toBe("0af7651916cd43dd8448eb211c80319c");
  expect(call.parent?.spanId).toBe("b7ad6b7169203331");
  expect(call.events.map(({ name }) => name)).toStrictEqual(["row 13"]);
  const tool = spans.find(({ name, parent }) => name === "tools/call charge_card" && parent?.spanId === call.own.spanId)!;
  expect(tool).toMatchObject({ kind: SpanKind.CLIENT, attributes: { "mcp.method.name": "tools/call", "gen_ai.tool.name": "charge_card" } });
  expect(spans.find(({ name, attributes }) => name === "execute_tool charge_card" && attributes["interlock.outcome"] === "unknown")).toMatchObject({ attributes: { "error.type": "tool_timeout" }, status: { code: 2 } });
  expect(spans.find(({ name, attributes }) => name === "execute_tool" && kindOf(attributes) === "error")).toMatchObject({ kind: SpanKind.INTERNAL, attributes: { "error.type": "engine_unavailable" }, status: { code: 2 } });
  expect(spans.find(({ attributes }) => attributes["interlock.outcome"] === "refused")).toMatchObject({ attributes: { "interlock.reason": "argument_origin", "interlock.row": "13" }, status: { code: 0 } });
});

it("holds no argument's value, and none of the results, unless the settings let it", async () => {
  const quiet = await traced(false);
  expect(JSON.stringify(quiet)).not.toContain(SECRET);
  const open = await traced(true);
  expect(open.spans.find(({ name, kind }) => name === "tools/call charge_card" && kind === SpanKind.SERVER)!.attributes).toMatchObject({ "gen_ai.tool.call.arguments": JSON.stringify({ card: SECRET }), "gen_ai.tool.call.result": JSON.stringify({ card: SECRET }) });
  expect(open.text).not.toContain(SECRET);
});

it("counts what happened, readable as Prometheus text", async () => {
  const { text } = await traced(false);
  const value = (line: RegExp) => Number(line.exec(text)?.[1]);
  expect(value(/^interlock_decisions_total\{[^}]*interlock_decision="allow"[^}]*\} (\d+)/m)).toBe(2);
  expect(value(/^interlock_decisions_total\{[^}]*interlock_decision="refuse"[^}]*\} (\d+)/m)).toBe(1);
  expect(value(/^interlock_refusals_total\{[^}]*interlock_row="13"[^}]*\} (\d+)/m)).toBe(1);
  expect(value(/^interlock_calls_in_hand\{[^}]*\} (-?\d+)/m)).toBe(0);
  expect(value(/^interlock_call_duration_count\{[^}]*interlock_outcome="error"[^}]*\} (\d+)/m)).toBe(1);
  expect(value(/^mcp_server_operation_duration_count\{[^}]*gen_ai_tool_name="charge_card"[^}]*\} (\d+)/m)).toBe(1);
  expect(value(/^gen_ai_execute_tool_duration_bucket\{[^}]*le="0.5"[^}]*\} (\d+)/m)).toBe(1);
});

it("shows a tenant its own metrics, and nothing of another's", async () => {
  const telemetry = createTelemetry({ otlp: null, argumentValues: false }, { version: "1.2.3" });
  const over = telemetry.over(gatewayOver(telemetry.overTools({ send: async ({ sent }: CallRecord) => sent! } as unknown as Upstream)));
  await over.call(proposal("charge_card", { tenant: "shop", door: "mcp" }));
  await over.call(proposal("refused", { tenant: "bank" }));
  const [shop, bank, none] = await Promise.all(["shop", "bank", "nobody"].map((tenant) => telemetry.prometheus(tenant)));
  await telemetry.close();
  expect(shop).toContain('interlock_tenant="shop"');
  expect(shop).toContain("charge_card");
  expect(shop).not.toContain("bank");
  expect(bank).toMatch(/interlock_calls_total\{interlock_tenant="bank",[^}]*\} 1\n/);
  expect(none).not.toContain("interlock_calls");
  for (const text of [bank, none]) expect(text).not.toMatch(/"shop"|charge_card/);
});

it("sends traces and metrics to a collector over OTLP", async () => {
  const got: { path: string; body: string }[] = [];
  const collector = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString("utf8");
    });
    request.on("end", () => {
      got.push({ path: request.url!, body });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((listening) => collector.listen(0, "127.0.0.1", listening));
  const telemetry = createTelemetry({ otlp: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`, argumentValues: false }, { version: "1.2.3" });
  await telemetry.over(gatewayOver(telemetry.overTools(tools))).call(proposal("charge_card"));
  await telemetry.close();
  collector.close();
  expect(got.find(({ path }) => path === "/v1/traces")?.body).toContain("execute_tool charge_card");
  expect(got.find(({ path }) => path === "/v1/metrics")?.body).toContain("interlock.decisions");
  expect(JSON.stringify(got)).not.toContain(SECRET);
});

it("logs one JSON object a line, from the level that is wanted now, with bounded fields", () => {
  const lines: string[] = [];
  let least: "info" | "error" = "info";
  const log = createLog((line) => lines.push(line), () => least, () => 1_764_445_000_123);
  log("debug", "hidden");
  log("info", "started", { port: 8484, host: "a\nb\u0000", none: null, absent: undefined, event: "forged", long: "x".repeat(600) });
  least = "error";
  log("warn", "hidden");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toBe(`${JSON.stringify({ time: "2025-11-29T19:36:40.123Z", level: "info", event: "started", port: 8484, host: "a\nb\u0000", none: null, long: "x".repeat(500) })}\n`);
  expect(lines[0]!.trimEnd()).not.toContain("\n");
});
