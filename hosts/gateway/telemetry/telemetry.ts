// Traces and metrics of calls by OpenTelemetry: one span a call, one inside it for the tool, an event a row; sent by OTLP where the settings name a place, and always readable as Prometheus text.
import { type Attributes, type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AggregationType, MeterProvider, MetricReader, PeriodicExportingMetricReader, type ResourceMetrics } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { CallRecord, Outcome, Proposal, Sent } from "../call/record.ts";
import type { Gateway } from "../gateway.ts";
import type { Sending, Upstream } from "../upstream/port.ts";
import { errorOf, failureOf, isKnown, proposed, reasonName, tell } from "./attributes.ts";
import { ATTRIBUTE, CALL, METRIC, OPERATION } from "./names.ts";

/** Seconds; the buckets that the conventions advise for operations of MCP, with finer ones below: a check takes less than a millisecond. */
const BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
/** How long a collector may take for one delivery, and how long a stop waits for the last ones, in milliseconds. */
const DELIVERY_MS = 5_000;

/** A trace's context by W3C, as headers and `_meta` carry it. */
type Carried = Pick<Proposal, "traceparent" | "tracestate">;

/** Collects when asked to. */
class Asked extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

export interface Telemetry {
  /** The same gateway, with every call traced and counted. */
  over(gateway: Gateway): Gateway;
  /** The same tools, with every sending traced and timed, the trace's context passed on with it. */
  overTools<Tools extends Upstream>(upstream: Tools): Tools;
  /** A tenant's metrics, and none of another's, as Prometheus text (version 0.0.4). */
  prometheus(tenant: string): Promise<string>;
  /** Sends what is left, within its own time limits. */
  close(): Promise<void>;
}

/**
 * @param settings `otlp`: the collector's base address (`http://127.0.0.1:4318`), null for none; `argumentValues`: whether spans may hold arguments and results
 * @param more `version` of the package, `overHttp`: whether a tool is reached by plain HTTP and not by MCP, and for tests another exporter of spans and other limits
 */
export function createTelemetry(settings: { readonly otlp: string | null; readonly argumentValues: boolean }, more: { readonly version: string; readonly overHttp?: (tenant: string, tool: string) => boolean; readonly spans?: SpanExporter; readonly deliveryMs?: number }): Telemetry {
  const deliveryMs = more.deliveryMs ?? DELIVERY_MS;
  const resource = resourceFromAttributes({ "service.name": "interlock-gateway", "service.version": more.version });
  const base = settings.otlp?.replace(/\/$/, "");
  const exporter = more.spans ?? (base === undefined ? null : new OTLPTraceExporter({ url: `${base}/v1/traces`, timeoutMillis: deliveryMs }));
  const tracing = exporter === null ? null : new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: deliveryMs })] });
  const reader = new Asked();
  const buckets = { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries: BUCKETS } } as const;
  const metering = new MeterProvider({
    resource,
    readers: [reader, ...(base === undefined ? [] : [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics`, timeoutMillis: deliveryMs }), exportIntervalMillis: 60_000, exportTimeoutMillis: deliveryMs })])],
    views: [METRIC.duration, METRIC.mcp, METRIC.tool].map((instrumentName) => ({ instrumentName, aggregation: buckets })),
  });
  const tracer = tracing?.getTracer("interlock", more.version) ?? null;
  const meters = instruments(metering.getMeter("interlock", more.version));
  const propagator = new W3CTraceContextPropagator();
  const parent = ({ traceparent, tracestate }: Carried): Context => propagator.extract(ROOT_CONTEXT, { traceparent, tracestate }, { get: (carrier, key) => (carrier as Record<string, string | undefined>)[key], keys: Object.keys });
  const carried = (context: Context): Carried => {
    const found: Record<string, string> = {};
    propagator.inject(context, found, { set: (carrier, key, value) => void ((carrier as Record<string, string>)[key] = value) });
    return found;
  };

  const call = async (gateway: Gateway, proposal: Proposal, signal: AbortSignal | undefined): Promise<Outcome> => {
    const begun = performance.now();
    const byMcp = proposal.door === "mcp";
    const operation = byMcp ? CALL : OPERATION;
    const span = tracer?.startSpan(operation, { kind: byMcp ? SpanKind.SERVER : SpanKind.INTERNAL, attributes: proposed(proposal) }, parent(proposal));
    // What the call's record carries on, also over a restart, is this span.
    const own = span === undefined ? proposal : { ...proposal, ...carried(trace.setSpan(ROOT_CONTEXT, span)) };
    meters.inHand.add(1, { [ATTRIBUTE.tenant]: proposal.tenant });
    let kind = "error";
    let failure: Attributes = {};
    let tool: Attributes = {};
    try {
      const outcome = await gateway.call(own, signal);
      ({ kind } = outcome);
      failure = failureOf(outcome);
      // A name that reaches no tool is whatever a model wrote: it is no name to count by, and may be a value.
      if (isKnown(outcome.call)) tool = { [ATTRIBUTE.tool]: outcome.call.tool };
      if (span !== undefined) {
        if (isKnown(outcome.call)) span.updateName(`${operation} ${outcome.call.tool}`).setAttributes(tool);
        tell(span, outcome, settings.argumentValues);
      }
      count(outcome);
      return outcome;
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      failure = { [ATTRIBUTE.error]: typeof code === "string" ? code : "internal" };
      throw error;
    } finally {
      const seconds = (performance.now() - begun) / 1000;
      const told = { [ATTRIBUTE.tenant]: proposal.tenant, [ATTRIBUTE.door]: proposal.door, [ATTRIBUTE.outcome]: kind };
      meters.inHand.add(-1, { [ATTRIBUTE.tenant]: proposal.tenant });
      meters.duration.record(seconds, told);
      if (byMcp) meters.mcp.record(seconds, { [ATTRIBUTE.tenant]: proposal.tenant, [ATTRIBUTE.method]: CALL, [ATTRIBUTE.operation]: OPERATION, ...tool, ...failure });
      meters.ends.add(1, told);
      span?.setAttributes(failure);
      if (ATTRIBUTE.error in failure) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    }
  };
  const timed = ({ tenant, tool }: CallRecord, sent: Sent, failure: Attributes): Sent => {
    meters.tool.record((sent.endedAt - sent.startedAt) / 1000, { [ATTRIBUTE.tenant]: tenant, [ATTRIBUTE.operation]: OPERATION, [ATTRIBUTE.tool]: tool, ...failure });
    return sent;
  };
  /** The tool's own time, as the client of its server sees it; its span's context goes with the request. Without a span of ours what was given goes on. */
  const send = async (upstream: Upstream, record: CallRecord, sending: Sending): Promise<Sent> => {
    const { tenant, tool } = record;
    const plain = more.overHttp?.(tenant, tool) === true;
    const attributes = { [ATTRIBUTE.operation]: OPERATION, ...(plain ? {} : { [ATTRIBUTE.method]: CALL }), [ATTRIBUTE.tool]: tool };
    // Where nothing is traced there is nothing to read and write again.
    if (tracer === null && record.traceparent === undefined) {
      const sent = await upstream.send(record, sending);
      return timed(record, sent, errorOf(sent));
    }
    const from = parent(record);
    const span = tracer?.startSpan(`${plain ? OPERATION : CALL} ${tool}`, { kind: SpanKind.CLIENT, attributes }, from);
    const sent = await upstream.send(record, { ...sending, trace: carried(span === undefined ? from : trace.setSpan(from, span)) });
    const failure = errorOf(sent);
    span?.setAttributes(failure);
    if (ATTRIBUTE.error in failure) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    return timed(record, sent, failure);
  };
  const count = ({ call }: Outcome): void => {
    const { tenant, decided, refusal } = call;
    if (decided !== null) meters.decisions.add(1, { [ATTRIBUTE.tenant]: tenant, [ATTRIBUTE.decision]: decided.decision });
    if (refusal !== null) meters.refusals.add(1, { [ATTRIBUTE.tenant]: tenant, [ATTRIBUTE.row]: refusal.row, [ATTRIBUTE.reason]: reasonName(refusal.reason) });
  };
  return {
    over: (gateway) => instead(gateway, "call", (proposal: Proposal, signal?: AbortSignal) => call(gateway, proposal, signal)),
    overTools: (upstream) => instead(upstream, "send", (record: CallRecord, sending: Sending) => send(upstream, record, sending)),
    prometheus: async (tenant) => new PrometheusSerializer(undefined, false, undefined, false, true).serialize(ofTenant((await reader.collect()).resourceMetrics, tenant)),
    close: async () => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const enough = new Promise<void>((ended) => {
        timer = setTimeout(ended, deliveryMs);
      });
      await Promise.race([Promise.allSettled([tracing?.shutdown(), metering.shutdown()]), enough]);
      clearTimeout(timer);
    },
  };
}

/** What was measured of one tenant: every measurement names its own. */
function ofTenant({ scopeMetrics, ...of }: ResourceMetrics, tenant: string): ResourceMetrics {
  const own = <Measured extends { dataPoints: { attributes: Attributes }[] }>(measured: Measured): Measured => ({ ...measured, dataPoints: measured.dataPoints.filter(({ attributes }) => attributes[ATTRIBUTE.tenant] === tenant) });
  return { ...of, scopeMetrics: scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(own).filter(({ dataPoints }) => dataPoints.length > 0) })) };
}

/** The same object with one function in the place of its own. */
function instead<Whole extends object, Name extends keyof Whole>(whole: Whole, member: Name, by: Whole[Name]): Whole {
  // Each function is bound once, not each time that it is looked up.
  const bound = new WeakMap<object, unknown>();
  return new Proxy(whole, {
    get(target, name) {
      if (name === member) return by;
      const own = Reflect.get(target, name) as unknown;
      if (typeof own !== "function") return own;
      if (!bound.has(own)) bound.set(own, own.bind(target));
      return bound.get(own);
    },
  });
}

function instruments(meter: ReturnType<MeterProvider["getMeter"]>) {
  return {
    duration: meter.createHistogram(METRIC.duration, { unit: "s", description: "From the door to the end it answered" }),
    mcp: meter.createHistogram(METRIC.mcp, { unit: "s", description: "Calls by MCP, from the request to its result" }),
    tool: meter.createHistogram(METRIC.tool, { unit: "s", description: "What a tool took" }),
    decisions: meter.createCounter(METRIC.decisions, { description: "Answers of the check" }),
    refusals: meter.createCounter(METRIC.refusals, { description: "Refusals by row and reason" }),
    ends: meter.createCounter(METRIC.ends, { description: "Calls by their end" }),
    inHand: meter.createUpDownCounter(METRIC.inHand, { description: "Calls in hand" }),
  };
}
