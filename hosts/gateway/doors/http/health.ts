// Whether the gateway is well, its metrics, and the API's own document.
import { z } from "@hono/zod-openapi";
import { Failure } from "../../../shared/web/failure.ts";
import { apiDocument } from "./document.ts";
import { type Api, json } from "./routing.ts";
import { health, ready } from "./shapes.ts";

const tag = "operations";

export function mountHealth(api: Api): void {
  api.mount({
    method: "get", path: "/healthz", id: "ready", tag, open: "nobody", summary: "Whether the gateway is ready; says nothing more to those it does not know",
    answers: { 200: { what: "It is", shape: ready } }, failures: { 503: "not ready" },
    answer: async ({ parts, stopping }) => {
      const isReady = !stopping.aborted && (await parts.gateway.health()).ready;
      if (isReady) return json({ ready: true });
      throw new Failure(503, stopping.aborted ? "stopping" : "not_ready", stopping.aborted ? "the gateway stops" : "the gateway is not ready", { headers: { "retry-after": "1" } });
    },
  });
  api.mount({
    method: "get", path: "/v1/healthz", id: "health", tag, summary: "What runs: the caller's tenant, its policy, mode and servers",
    answers: { 200: { what: "What runs", shape: health } },
    answer: async ({ parts, caller }) => {
      const { tenants, ...rest } = await parts.gateway.health();
      return json({ ...rest, tenants: Object.fromEntries(Object.entries(tenants).filter(([tenant]) => tenant === caller.tenant)) });
    },
  });
  api.mount({
    method: "get", path: "/v1/metrics", id: "metrics", tag, may: ["metrics"], summary: "Metrics of the caller's tenant as Prometheus text",
    answers: { 200: { what: "The metrics", shape: z.string(), type: "text/plain" } }, failures: { 501: "metrics_missing" },
    answer: async ({ parts, caller }) => {
      if (parts.metrics === undefined) throw new Failure(501, "metrics_missing", "this gateway keeps no metrics");
      return new Response(await parts.metrics(caller.tenant), { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" } });
    },
  });
  api.mount({
    method: "get", path: "/v1/openapi.json", id: "openapi", tag, open: "nobody", summary: "This document",
    answers: { 200: { what: "OpenAPI 3.1", shape: z.looseObject({ openapi: z.string() }) } },
    answer: async ({ parts }) => json(apiDocument(api, parts.settings().publicUrl)),
  });
}
