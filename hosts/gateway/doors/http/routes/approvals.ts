// Approvals and held listings: what people are asked, and their answers; by polling, by waiting, and as a stream of events.
import { GatewayError } from "../../../gateway.ts";
import { type Asked, bodyText, isText, membersOf, needed, queryNumber, requireGrant, valueOf } from "../context.ts";
import { type App, route } from "../router.ts";
import { outcomeAnswer } from "./calls.ts";
import * as schema from "../schemas.ts";

/** Between two signs of life on a stream of events, in milliseconds. */
const ALIVE = 15_000;

export function approvals(app: App): void {
  route(app, { method: "get", path: "/v1/approvals", summary: "Questions to people, the newest first", tag: "approvals", answer: schema.z.object({ approvals: schema.z.array(schema.Approval) }), query: { state: "open, approved, denied, expired, edited, spent or withdrawn", after: "behind this id", limit: "at most so many", wait_ms: "wait for one where there is none, at most 60000" } }, async (asked) => {
    sees(asked);
    const { searchParams } = asked.url;
    const [state, after] = [searchParams.get("state"), searchParams.get("after")];
    const filter = { ...(state === null ? {} : { state }), ...(after === null ? {} : { after }), limit: queryNumber(asked.url, "limit", 1000, 100) };
    const list = () => asked.parts.gateway.approvals(asked.caller.tenant, filter);
    const wait = queryNumber(asked.url, "wait_ms", 60_000, 0);
    let found = await list();
    if (found.length > 0 || wait === 0) return { approvals: found };
    const ending = AbortSignal.any([asked.request.signal, AbortSignal.timeout(wait)]);
    for await (const _ of asked.parts.gateway.events(asked.caller.tenant, ending)) {
      found = await list();
      if (found.length > 0) break;
    }
    return { approvals: found };
  });
  route(app, { method: "get", path: "/v1/approvals/events", summary: "Events of approvals and calls, as they happen (server-sent events)", tag: "approvals", answer: { type: "text/event-stream" } }, async (asked) => {
    sees(asked);
    return events(asked);
  });
  route(app, { method: "get", path: "/v1/approvals/{id}", summary: "A question", tag: "approvals", answer: schema.Approval }, async (asked, { id }) => {
    sees(asked);
    return found(asked, id!);
  });
  route(app, { method: "post", path: "/v1/approvals/{id}/approve", summary: "Say yes", tag: "approvals", body: schema.z.object({ why: schema.z.string().optional() }), answer: schema.Approval }, async (asked, { id }) => {
    requireGrant(asked, "approve");
    const why = valueOf(membersOf(await bodyText(asked), ["why"]), "why", "a text", isText);
    return asked.parts.gateway.decide(asked.caller, id!, { answer: "approve", ...(why === undefined ? {} : { why }) });
  });
  route(app, { method: "post", path: "/v1/approvals/{id}/deny", summary: "Say no, and why; the model is told", tag: "approvals", body: schema.z.object({ why: schema.z.string() }), answer: schema.Approval }, async (asked, { id }) => {
    requireGrant(asked, "approve");
    const why = needed(valueOf(membersOf(await bodyText(asked), ["why"]), "why", "a text", isText), "why");
    if (why.trim() === "") throw new GatewayError(400, "request_invalid", "say why: the model is told", { pointer: "/why" });
    return asked.parts.gateway.decide(asked.caller, id!, { answer: "deny", why });
  });
  route(app, { method: "post", path: "/v1/approvals/{id}/edit", summary: "Say yes to the call with other arguments: a new call, checked from the start", tag: "approvals", body: schema.z.object({ arguments: schema.Anything, why: schema.z.string().optional() }), answer: schema.z.object({ approval: schema.Approval, outcome: schema.CallAnswer }) }, async (asked, { id }) => {
    requireGrant(asked, "approve");
    const members = membersOf(await bodyText(asked), ["arguments", "why"]);
    const { approval, outcome } = await asked.parts.gateway.edit(asked.caller, id!, needed(members.get("arguments"), "arguments"), valueOf(members, "why", "a text", isText) ?? null);
    return new Response(`{"approval":${JSON.stringify(approval)},"outcome":${await outcomeAnswer(outcome).text()}}`, { headers: { "content-type": "application/json" } });
  });
  route(app, { method: "post", path: "/v1/approvals/{id}/expire", summary: "End a question unanswered", tag: "approvals", answer: schema.Approval }, async (asked, { id }) => {
    requireGrant(asked, "approve");
    return asked.parts.gateway.expire(asked.caller, id!);
  });
  route(app, { method: "get", path: "/v1/listings", summary: "The tools' listings: approved, and held until a person has seen the change", tag: "approvals", answer: schema.z.object({ listings: schema.z.array(schema.Listing) }) }, async (asked) => {
    sees(asked);
    return { listings: await asked.parts.gateway.listings(asked.caller.tenant) };
  });
  route(app, { method: "post", path: "/v1/listings/{tool}/approve", summary: "Approve exactly the listing with this digest", tag: "approvals", body: schema.z.object({ digest: schema.z.string() }), answer: schema.Listing }, async (asked, { tool }) => {
    requireGrant(asked, "approve", "policy");
    const digest = needed(valueOf(membersOf(await bodyText(asked), ["digest"]), "digest", "a text", isText), "digest");
    return asked.parts.gateway.approveListing(asked.caller, tool!, digest);
  });
}

function sees(asked: Asked): void {
  requireGrant(asked, "approve", "read_approvals");
}

async function found({ parts, caller }: Asked, id: string) {
  const approval = await parts.gateway.approval(caller.tenant, id);
  if (approval === null) throw new GatewayError(404, "approval_not_found", "there is no such approval");
  return approval;
}

/** A stream that only says what changed; whoever hears it asks. One that was away asks too: no event is kept for it. */
function events({ parts, caller, request }: Asked): Response {
  const encoder = new TextEncoder();
  const ending = new AbortController();
  request.signal.addEventListener("abort", () => ending.abort(), { once: true });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const write = (text: string): void => {
        try {
          controller.enqueue(encoder.encode(text));
        } catch {
          ending.abort();
        }
      };
      write("retry: 2000\n\n");
      const alive = setInterval(() => write(": alive\n\n"), ALIVE);
      void (async () => {
        try {
          for await (const { event, id } of parts.gateway.events(caller.tenant, ending.signal)) write(`event: ${event}\ndata: ${JSON.stringify({ id })}\n\n`);
        } catch {
          // The stream ends; its reader comes again.
        } finally {
          clearInterval(alive);
          try {
            controller.close();
          } catch {
            // Its reader went first.
          }
        }
      })();
    },
    cancel: () => ending.abort(),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" } });
}
