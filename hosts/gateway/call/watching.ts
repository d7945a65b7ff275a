// What is seen of a gateway from outside: events of approvals and calls as they happen, the list of calls, and whether it is ready.
import { lengthOf } from "../audit/length.ts";
import type { Gateway } from "../gateway.ts";
import { callKey, callsPrefix } from "./keys.ts";
import type { Parts } from "./parts.ts";
import type { CallRecord } from "./record.ts";

type Filter = Parameters<Gateway["calls"]>[1];
type Health = Awaited<ReturnType<Gateway["health"]>>;

/** The log is looked at this often for what happened; what is told is in the log already. */
const EVERY_MS = 250;

export class Watching {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Events from now on, or after an audit line, in the order of the audit log. Ends when the signal aborts. */
  async *events(tenant: string, signal: AbortSignal, after?: number): AsyncIterable<{ readonly event: string; readonly id: string; readonly seq: number }> {
    const { engine } = this.#parts;
    // A line that there is not: from a store that was put back since, or made up. What happens from now on is not to be missed.
    let next = after === undefined ? await lengthOf(engine, tenant) : Math.min(after + 1, await lengthOf(engine, tenant));
    while (!signal.aborted) {
      const lines = await engine.audit(tenant, next, 100);
      const first = next;
      next += lines.length;
      for (const [index, line] of lines.entries()) {
        const { event, id } = eventOf(line);
        if (event !== null) yield { event, id, seq: first + index };
      }
      if (lines.length < 100) await pause(EVERY_MS, signal);
    }
  }

  async record(tenant: string, call: string): Promise<CallRecord | null> {
    const stored = await this.#parts.engine.get(tenant, `call/${call}`);
    return stored === null ? null : (JSON.parse(stored.value) as CallRecord);
  }

  /** Calls of a tenant by id, the newest first; `after` is the last id of the page before. */
  async calls(tenant: string, { session, state, after, limit = 100 }: Filter): Promise<readonly CallRecord[]> {
    const found: CallRecord[] = [];
    if (session !== undefined) return this.#callsOf(tenant, session, state, after, limit);
    for (let from = after === undefined ? undefined : `call/${after}`; found.length < limit; ) {
      const page = await this.#parts.engine.list(tenant, "call/", from === undefined ? { descending: true, limit: 200 } : { descending: true, limit: 200, after: from });
      for (const { value } of page) {
        const call = JSON.parse(value) as CallRecord;
        if (state === undefined || call.state === state) found.push(call);
      }
      from = page.at(-1)?.key;
      if (page.length < 200) break;
    }
    return found.slice(0, limit);
  }

  async #callsOf(tenant: string, session: string, state: string | undefined, after: string | undefined, limit: number): Promise<readonly CallRecord[]> {
    const found: CallRecord[] = [];
    const prefix = callsPrefix(session);
    for (let from = after === undefined ? undefined : `${prefix}${after}`; found.length < limit; ) {
      const page = await this.#parts.engine.list(tenant, prefix, from === undefined ? { descending: true, limit: 200 } : { descending: true, limit: 200, after: from });
      for (const { key } of page) {
        const stored = await this.#parts.engine.get(tenant, callKey(key.slice(prefix.length)));
        const call = stored === null ? null : (JSON.parse(stored.value) as CallRecord);
        if (call !== null && (state === undefined || call.state === state)) found.push(call);
      }
      from = page.at(-1)?.key;
      if (page.length < 200) break;
    }
    return found.slice(0, limit);
  }

  /** Ready: every tenant's policy is loaded. A server that is down is told, and does not make the gateway unready. */
  async health(): Promise<Health> {
    const { core, engine, policies, settings, upstream } = this.#parts;
    let ready = true;
    const tenants: [string, Health["tenants"][string]][] = [];
    for (const [name, { mode, servers }] of Object.entries(settings().tenants)) {
      const up = new Set((await upstream.listed(name)).map(({ server }) => server));
      const policy = await policies.current(name).then(
        ({ id }) => id,
        () => null,
      );
      ready &&= policy !== null;
      tenants.push([name, { policy: policy ?? "", mode, servers: Object.fromEntries(Object.keys(servers).map((server) => [server, up.has(server) ? "up" : "down"])) }]);
    }
    return { ready, core, engine: engine.name, tenants: Object.fromEntries(tenants) };
  }
}

function eventOf(line: string): { event: string | null; id: string } {
  const parsed = JSON.parse(line) as Record<string, unknown>;
  const body = (parsed["entry"] ?? parsed["body"] ?? parsed) as { event?: unknown; approval?: unknown; call?: unknown };
  if (typeof body.event !== "string") return { event: null, id: "" };
  const ofApproval = ["call.asked", "call.approved", "call.denied", "call.expired", "call.edited"].includes(body.event);
  const id = ofApproval ? (body.approval ?? body.call) : (body.call ?? body.approval);
  return { event: body.event, id: typeof id === "string" ? id : "" };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
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
