// The audit log over HTTP: queried, exported line by line, verified; each caller its own tenant's.
import { z } from "@hono/zod-openapi";
import { Failure, jsonResponse } from "../../../shared/web/failure.ts";
import { verifyAudit } from "../../audit/verify.ts";
import type { Gateway } from "../../gateway.ts";
import { type Api, json } from "./routing.ts";
import { auditPage, auditVerified } from "./shapes.ts";

/** A key set as the log is verified with it. */
export type AuditKeys = Parameters<typeof verifyAudit>[1];

/** Lines that are read at once. */
const PAGE = 500;
/** Lines that one query looks at, at most: the next one goes on. */
const LOOKED_AT = 10_000;
const tag = "audit";
const number = z.string().regex(/^\d{1,15}$/, "a number").optional().openapi({ type: "integer", minimum: 0 });
const text = z.string().max(300).optional();

export function mountAudit(api: Api): void {
  api.mount({
    method: "get", path: "/v1/audit", id: "getAudit", tag, may: ["audit"], summary: "Lines of the log, from `from` on; filtered by what an entry says",
    query: { from: number, limit: number, event: text, call: text, session: text, tool: text, actor: text },
    answers: { 200: { what: "The lines", shape: auditPage } },
    answer: async (asked, { query: { from, limit, ...wanted } }) => {
      const many = Math.min(Math.max(Number(limit ?? 100), 1), 1000);
      const filter = Object.entries(wanted).filter(([, value]) => value !== undefined);
      const found: string[] = [];
      let next = Number(from ?? 0);
      for (let looked = 0; ; ) {
        const page = await asked.parts.gateway.audit(asked.caller.tenant, next, PAGE);
        for (const line of page) {
          if (found.length === many || looked === LOOKED_AT) return pageOf(found, next, false);
          if (filter.length === 0 || fits(line, filter)) found.push(line);
          next++;
          looked++;
        }
        if (page.length < PAGE) return pageOf(found, next, true);
      }
    },
  });
  api.mount({
    method: "get", path: "/v1/audit/export", id: "exportAudit", tag, may: ["audit"], waits: true, summary: "The log as it stands now, a JSON line each; `interlock audit verify` verifies it offline", query: { from: number },
    answers: { 200: { what: "The lines", shape: z.string(), type: "application/jsonl" } },
    answer: async (asked, { query }) => streamed(linesOf(asked.parts.gateway, asked.caller.tenant, Number(query.from ?? 0))),
  });
  api.mount({
    method: "get", path: "/v1/audit/values", id: "exportAuditValues", tag, may: ["audit"], waits: true, summary: "The argument values that the settings show, a record each, bound by the log's entries until they are erased",
    answers: { 200: { what: "The records", shape: z.string(), type: "application/jsonl" } },
    answer: async (asked) => streamed(valuesOf(asked.parts.gateway, asked.caller.tenant)),
  });
  api.mount({
    method: "get", path: "/v1/audit/verify", id: "verifyAudit", tag, may: ["audit"], waits: true, summary: "Whether the log is whole and unchanged, from its start",
    answers: { 200: { what: "What was found", shape: auditVerified } }, failures: { 501: "audit_keys_missing" },
    answer: async (asked) => {
      const { auditKeys, gateway } = asked.parts;
      if (auditKeys === undefined) throw new Failure(501, "audit_keys_missing", "this gateway verifies no log: export it, and verify it offline");
      const keys = await auditKeys(asked.caller.tenant);
      const { tenant } = asked.caller;
      return json(await verifyAudit(each(linesOf(gateway, tenant, 0)), keys, { values: each(valuesOf(gateway, tenant)) }));
    },
  });
}

function pageOf(lines: readonly string[], next: number, end: boolean): Response {
  return jsonResponse(200, `{"lines":[${lines.join(",")}],"next":${next},"end":${end}}`);
}

function fits(line: string, wanted: readonly (readonly [string, unknown])[]): boolean {
  const { entry } = JSON.parse(line) as { entry?: Record<string, unknown> };
  return entry !== undefined && wanted.every(([name, value]) => Object.hasOwn(entry, name) && entry[name] === value);
}

/** Pages of lines up to the log's end. */
async function* linesOf(gateway: Pick<Gateway, "audit">, tenant: string, from: number): AsyncGenerator<readonly string[], void, undefined> {
  for (let next = from; ; ) {
    const page = await gateway.audit(tenant, next, PAGE);
    if (page.length > 0) yield page;
    next += page.length;
    if (page.length < PAGE) return;
  }
}

/** Pages of the records of shown values. */
async function* valuesOf(gateway: Pick<Gateway, "auditValues">, tenant: string): AsyncGenerator<readonly string[], void, undefined> {
  for (let after: string | undefined; ; ) {
    const page = await gateway.auditValues(tenant, after, PAGE);
    if (page.length > 0) yield page.map(({ value }) => value);
    after = page.at(-1)?.key;
    if (page.length < PAGE) return;
  }
}

/** Pages of lines as a body that is made while it is read. */
function streamed(lines: AsyncGenerator<readonly string[], void, undefined>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value.map((line) => `${line}\n`).join("")));
    },
    cancel: () => void lines.return(undefined),
  });
  return new Response(body, { headers: { "content-type": "application/jsonl", "cache-control": "no-store" } });
}

async function* each(pages: AsyncIterable<readonly string[]>): AsyncGenerator<string, void, undefined> {
  for await (const page of pages) yield* page;
}
