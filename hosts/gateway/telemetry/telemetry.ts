// Traces and metrics of calls by OpenTelemetry: one span a call, one inside it for the tool, an event a row; sent by OTLP where the settings name a place, and always readable as Prometheus text.
import { type Attributes, type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AggregationType, MeterProvider, MetricReader, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { CallRecord, Outcome, Proposal } from "../call/record.ts";
import type { Gateway } from "../gateway.ts";
import { ATTRIBUTE, METRIC } from "./names.ts";

/** Seconds; the buckets that the conventions advise for operations. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Collects when asked to. */
class Asked extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

export interface Telemetry {
  /** The same gateway, with every call traced and counted. */
  over(gateway: Gateway): Gateway;
  /** The metrics as Prometheus text (version 0.0.4). */
  prometheus(): Promise<string>;
  /** Sends what is left, within its own time limits. */
  close(): Promise<void>;
}

/**
 * @param settings `otlp`: the collector's base address (`http://127.0.0.1:4318`), null for none; `argumentValues`: whether spans may hold arguments and results
 * @param more `version` of the package, and for tests another exporter of spans
 */
export function createTelemetry(settings: { readonly otlp: string | null; readonly argumentValues: boolean }, more: { readonly version: string; readonly spans?: SpanExporter }): Telemetry {
  const resource = resourceFromAttributes({ "service.name": "interlock-gateway", "service.version": more.version });
  const base = settings.otlp?.replace(/\/$/, "");
  const exporter = more.spans ?? (base === undefined ? null : new OTLPTraceExporter({ url: `${base}/v1/traces` }));
  const tracing = exporter === null ? null : new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  const reader = new Asked();
  const buckets = { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries: BUCKETS } } as const;
  const metering = new MeterProvider({
    resource,
    readers: [reader, ...(base === undefined ? [] : [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics` }) })])],
    views: [
      { instrumentName: METRIC.duration, aggregation: buckets },
      { instrumentName: METRIC.tool, aggregation: buckets },
    ],
  });
  const tracer = tracing?.getTracer("interlock", more.version) ?? null;
  const meters = instruments(metering.getMeter("interlock", more.version));
  const propagator = new W3CTraceContextPropagator();
  const parent = (traceparent: string | undefined): Context =>
    traceparent === undefined ? ROOT_CONTEXT : propagator.extract(ROOT_CONTEXT, { traceparent }, { get: (carrier, key) => (carrier as Record<string, string>)[key], keys: Object.keys });

  const call = async (gateway: Gateway, proposal: Proposal, signal: AbortSignal | undefined): Promise<Outcome> => {
    const begun = performance.now();
    const span = tracer?.startSpan(`execute_tool ${proposal.tool}`, { kind: SpanKind.SERVER, attributes: proposed(proposal) }, parent(proposal.traceparent));
    meters.inHand.add(1, { [ATTRIBUTE.tenant]: proposal.tenant });
    let kind = "error";
    try {
      const outcome = await gateway.call(proposal, signal);
      ({ kind } = outcome);
      if (span !== undefined) tell(span, outcome, settings.argumentValues, (name, at, until, attributes) => tracer?.startSpan(name, { kind: SpanKind.CLIENT, startTime: at, attributes }, trace.setSpan(ROOT_CONTEXT, span)).end(until));
      count(outcome);
      return outcome;
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      span?.setAttribute(ATTRIBUTE.error, typeof code === "string" ? code : "internal");
      span?.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      const told = { [ATTRIBUTE.tenant]: proposal.tenant, [ATTRIBUTE.door]: proposal.door, [ATTRIBUTE.outcome]: kind };
      meters.inHand.add(-1, { [ATTRIBUTE.tenant]: proposal.tenant });
      meters.duration.record((performance.now() - begun) / 1000, { ...told, [ATTRIBUTE.method]: "tools/call" });
      meters.ends.add(1, told);
      span?.end();
    }
  };
  const count = ({ call }: Outcome): void => {
    const { tenant, decided, refusal, sent } = call;
    if (decided !== null) meters.decisions.add(1, { [ATTRIBUTE.tenant]: tenant, [ATTRIBUTE.decision]: decided.decision });
    if (refusal !== null) meters.refusals.add(1, { [ATTRIBUTE.tenant]: tenant, [ATTRIBUTE.row]: refusal.row, [ATTRIBUTE.reason]: reasonName(refusal.reason) });
    if (sent !== null) meters.tool.record((sent.endedAt - sent.startedAt) / 1000, { [ATTRIBUTE.tenant]: tenant, [ATTRIBUTE.operation]: "execute_tool", ...(sent.error === undefined ? {} : { [ATTRIBUTE.error]: sent.error.code }) });
  };
  return {
    over: (gateway) =>
      new Proxy(gateway, {
        get(target, name) {
          if (name === "call") return (proposal: Proposal, signal?: AbortSignal) => call(target, proposal, signal);
          const member = Reflect.get(target, name) as unknown;
          return typeof member === "function" ? member.bind(target) : member;
        },
      }),
    prometheus: async () => new PrometheusSerializer(undefined, false, undefined, false, true).serialize((await reader.collect()).resourceMetrics),
    close: async () => {
      await Promise.allSettled([tracing?.shutdown(), metering.shutdown()]);
    },
  };
}

function instruments(meter: ReturnType<MeterProvider["getMeter"]>) {
  return {
    duration: meter.createHistogram(METRIC.duration, { unit: "s", description: "From the door to the end it answered" }),
    tool: meter.createHistogram(METRIC.tool, { unit: "s", description: "What a tool took" }),
    decisions: meter.createCounter(METRIC.decisions, { description: "Answers of the check" }),
    refusals: meter.createCounter(METRIC.refusals, { description: "Refusals by row and reason" }),
    ends: meter.createCounter(METRIC.ends, { description: "Calls by their end" }),
    inHand: meter.createUpDownCounter(METRIC.inHand, { description: "Calls in hand" }),
  };
}

function proposed({ tenant, caller, door, session, agent, tool, requestId }: Proposal): Attributes {
  return {
    [ATTRIBUTE.operation]: "execute_tool",
    [ATTRIBUTE.tool]: tool,
    [ATTRIBUTE.toolType]: "function",
    [ATTRIBUTE.conversation]: session,
    [ATTRIBUTE.tenant]: tenant,
    [ATTRIBUTE.caller]: caller,
    [ATTRIBUTE.door]: door,
    [ATTRIBUTE.request]: requestId,
    ...(door === "mcp" ? { [ATTRIBUTE.method]: "tools/call" } : {}),
    ...(agent === null ? {} : { [ATTRIBUTE.agent]: agent }),
  };
}

function tell(span: Span, outcome: Outcome, values: boolean, child: (name: string, at: number, until: number, attributes: Attributes) => void): void {
  const { call }: { call: CallRecord } = outcome;
  span.setAttribute(ATTRIBUTE.callId, call.id);
  span.setAttribute(ATTRIBUTE.outcome, outcome.kind);
  if (call.decided !== null) {
    span.setAttribute(ATTRIBUTE.decision, call.decided.decision);
    span.setAttribute(ATTRIBUTE.policy, call.decided.policy);
  }
  for (const { row, answer, reason, at } of call.trace) span.addEvent(`row ${row}`, { [ATTRIBUTE.row]: row, "interlock.answer": answer, ...(reason === undefined ? {} : { [ATTRIBUTE.reason]: reasonName(reason) }) }, at);
  if (call.refusal !== null) {
    span.setAttribute(ATTRIBUTE.reason, reasonName(call.refusal.reason));
    span.setAttribute(ATTRIBUTE.row, call.refusal.row);
  }
  if (values && call.canonical !== null) span.setAttribute(ATTRIBUTE.arguments, call.canonical);
  if (values && outcome.kind === "result") span.setAttribute(ATTRIBUTE.result, outcome.result);
  if (call.sent !== null) child(`tools/call ${call.tool}`, call.sent.startedAt, call.sent.endedAt, { [ATTRIBUTE.method]: "tools/call", [ATTRIBUTE.tool]: call.tool, ...(call.sent.error === undefined ? {} : { [ATTRIBUTE.error]: call.sent.error.code }) });
  const failed = outcome.kind === "unknown" || (outcome.kind === "result" && outcome.failed);
  if (failed) {
    span.setAttribute(ATTRIBUTE.error, call.sent?.error?.code ?? "tool_error");
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}

/** `argument_origin: amount` names an argument; telemetry keeps the kind. */
function reasonName(reason: string): string {
  return reason.split(":")[0]!;
}
