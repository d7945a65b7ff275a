// Waiting over HTTP: long polls that look again when something happened, and server-sent events that can be taken up where they broke off.
import { ending } from "../../ending.ts";
import type { Asked } from "./parts.ts";

/** How often a long poll looks although nothing was told, in milliseconds: what it waits for may expire, which nobody tells. */
const LOOK_MS = 1_000;
/** How often a stream that says nothing shows that it is alive, in milliseconds. */
export const ALIVE_MS = 15_000;

/**
 * Looks until there is news or the time is over; ends early where the client is gone or the gateway stops.
 * Fails as the request would now, where its caller has lost its right meanwhile.
 */
export async function happened<Seen extends { readonly news: boolean }>(asked: Asked, waitMs: number, look: () => Promise<Seen>): Promise<Seen> {
  const { request, parts, caller, stopping } = asked;
  let seen = await look();
  if (waitMs === 0 || seen.news) return seen;
  const over = ending([request.signal, stopping], waitMs);
  const events = parts.gateway.events(caller.tenant, over.signal)[Symbol.asyncIterator]();
  try {
    let next = events.next();
    while (!seen.news && !over.signal.aborted) {
      const told = await within(LOOK_MS, next);
      if (told?.done === true) break;
      if (told !== null) next = events.next();
      seen = await look();
    }
  } finally {
    over.end();
    void events.return?.();
  }
  await asked.stands();
  return seen;
}

/**
 * A stream of a tenant's events whose name `shown` takes. Each has its audit line's number as id: a client that comes again with Last-Event-ID misses none.
 * It ends where its caller has lost its right: that is looked at with each event, and as often as the stream shows that it is alive.
 */
export function eventStream(asked: Asked, shown: RegExp): Response {
  const { request, parts, caller, stopping } = asked;
  const last = /^\d{1,15}$/.exec(request.headers.get("last-event-id") ?? "")?.[0];
  const over = ending([request.signal, stopping]);
  const events = parts.gateway.events(caller.tenant, over.signal, last === undefined ? undefined : Number(last))[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let alive: ReturnType<typeof setInterval> | undefined;
  const stands = (): Promise<boolean> => asked.stands().then(() => true, () => false);
  let isLeft = false;
  const end = (): void => {
    clearInterval(alive);
    over.end();
    void events.return?.();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode("retry: 2000\n: open\n\n"));
      const beat = async (): Promise<void> => {
        if (!(await stands())) return end();
        // A client that reads nothing is told nothing more.
        if (!over.signal.aborted && (controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": alive\n\n"));
      };
      alive = setInterval(() => void beat(), parts.heartbeatMs ?? ALIVE_MS);
      over.signal.addEventListener("abort", () => clearInterval(alive), { once: true });
    },
    async pull(controller) {
      for (;;) {
        const { done, value } = await events.next();
        if (done === true || over.signal.aborted || !(await stands())) {
          end();
          if (!isLeft) controller.close();
          return;
        }
        if (isLeft) return;
        if (shown.test(value.event)) return controller.enqueue(encoder.encode(`id: ${value.seq}\nevent: ${value.event}\ndata: ${JSON.stringify({ event: value.event, id: value.id })}\n\n`));
      }
    },
    cancel() {
      isLeft = true;
      end();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store, no-transform", "x-accel-buffering": "no" } });
}

/** What a promise gives within a time; null where it has not by then. */
async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
