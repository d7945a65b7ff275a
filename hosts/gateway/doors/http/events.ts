// Waiting over HTTP: long polls that look again when something happened, and server-sent events that can be taken up where they broke off.
import type { Asked } from "./parts.ts";

/** How often a long poll looks although nothing was told, in milliseconds: what it waits for may expire, which nobody tells. */
const LOOK_MS = 1_000;
/** How often a stream that says nothing shows that it is alive, in milliseconds. */
const ALIVE_MS = 15_000;

/** Looks until there is news or the time is over; ends early where the client is gone or the gateway stops. */
export async function happened<Seen extends { readonly news: boolean }>({ request, parts, caller, stopping }: Asked, waitMs: number, look: () => Promise<Seen>): Promise<Seen> {
  let seen = await look();
  if (waitMs === 0 || seen.news) return seen;
  const over = AbortSignal.any([request.signal, stopping, AbortSignal.timeout(waitMs)]);
  const events = parts.gateway.events(caller.tenant, over)[Symbol.asyncIterator]();
  let next = events.next();
  while (!seen.news && !over.aborted) {
    const ended = await Promise.race([next.then(({ done }) => done === true), pause(LOOK_MS, over).then(() => null)]);
    if (ended === false) next = events.next();
    seen = await look();
    if (ended === true) break;
  }
  void events.return?.();
  return seen;
}

/**
 * A stream of a tenant's events whose name `shown` takes. Each has its audit line's number as id: a client that comes again with Last-Event-ID misses none.
 */
export function eventStream({ request, parts, caller, stopping }: Asked, shown: RegExp): Response {
  const last = /^\d{1,15}$/.exec(request.headers.get("last-event-id") ?? "")?.[0];
  const ended = new AbortController();
  const over = AbortSignal.any([request.signal, stopping, ended.signal]);
  const events = parts.gateway.events(caller.tenant, over, last === undefined ? undefined : Number(last))[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<{ readonly event: string; readonly id: string; readonly seq: number }>> | null = null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode("retry: 2000\n: open\n\n")),
    async pull(controller) {
      for (;;) {
        next ??= events.next();
        const told = await Promise.race([next, pause(parts.heartbeatMs ?? ALIVE_MS, over).then(() => null)]);
        if (over.aborted || told?.done === true) return controller.close();
        if (told === null) return controller.enqueue(encoder.encode(": alive\n\n"));
        next = null;
        const { event, id, seq } = told.value;
        if (shown.test(event)) return controller.enqueue(encoder.encode(`id: ${seq}\nevent: ${event}\ndata: ${JSON.stringify({ event, id })}\n\n`));
      }
    },
    cancel: () => ended.abort(),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store, no-transform", "x-accel-buffering": "no" } });
}

/** Waits, at most until the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
