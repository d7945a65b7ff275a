// What the inbox asks the gateway it was served by: approvals, listings and calls, with the person's own key; and its events, as they come.

/** An approval as the gateway tells it: its record. */
export interface Approval {
  id: string; call: string; session: string; agent: string | null; tool: string; caller: string; principal: string | null;
  question: Question; marks: readonly { label: string; text: string; step: number | null }[];
  count: number; deciders: readonly string[]; askedAt: number; expiresAt: number; decidedAt: number | null;
  state: 'open' | 'approved' | 'denied' | 'expired' | 'edited' | 'spent' | 'withdrawn';
  answers: readonly { approver: string; answer: 'approve' | 'deny'; why: string | null; at: number }[];
  editedInto: string | null;
  /** The kill switch that stops the call of an open question now. */
  stopped?: { kill: string; why: string; by: string; at: number };
}

/** The question of chapter 4. */
export interface Question {
  tool: string; title: string; target?: string;
  arguments: readonly { name: string; value: unknown; origin: string; typed: boolean }[];
  reasons: readonly { reason: string; text: string }[]; undo: { tool: string } | null; text: string;
}

export interface Listing {
  tool: string; server: string;
  approved: { digest: string; listing: string; by: string; at: number } | null;
  pending: { digest: string; listing: string; seenAt: number } | null;
  /** What differs, by JSON pointer, as JSON texts. */
  changes?: readonly { pointer: string; before: string | null; after: string | null }[];
}

export interface Health { tenants?: Record<string, { mode: string }> }

/** What the gateway refused, or that it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The gateway's operations for one key. */
export class Api {
  readonly #key: string;
  constructor(key: string) {
    this.#key = key;
  }

  approvals = (state?: string) => this.#ask<{ approvals: Approval[] }>('GET', `/v1/approvals?limit=200${state === undefined ? '' : `&state=${state}`}`).then(({ approvals }) => approvals);
  approve = (id: string) => this.#ask<Approval>('POST', `/v1/approvals/${encodeURIComponent(id)}/approve`, '{}');
  deny = (id: string, why: string) => this.#ask<Approval>('POST', `/v1/approvals/${encodeURIComponent(id)}/deny`, JSON.stringify({ why }));
  /** `edited` is JSON text: its digits reach the gateway as they were written. */
  edit = (id: string, edited: string) => this.#ask<unknown>('POST', `/v1/approvals/${encodeURIComponent(id)}/edit`, `{"arguments":${edited}}`);
  listings = () => this.#ask<{ listings: Listing[] }>('GET', '/v1/listings').then(({ listings }) => listings);
  approveListing = (tool: string, digest: string) => this.#ask<Listing>('POST', `/v1/listings/${encodeURIComponent(tool)}/approve`, JSON.stringify({ digest }));
  /** The arguments' JSON text of a call, as it was proposed. */
  argumentsOf = (call: string) => this.#ask<{ arguments: string }>('GET', `/v1/calls/${encodeURIComponent(call)}`).then((record) => record.arguments);
  health = () => this.#ask<Health>('GET', '/v1/healthz');

  /** Calls `told` at every event until the signal aborts. Ends when the stream does. */
  async events(told: () => void, signal: AbortSignal): Promise<void> {
    const response = await fetch('/v1/approvals/events', { headers: { authorization: `Bearer ${this.#key}`, accept: 'text/event-stream' }, signal });
    if (!response.ok || response.body === null) throw new ApiError(response.status, 'events', 'the gateway tells no events');
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (value.includes('data:')) told();
    }
  }

  async #ask<T>(method: string, path: string, body?: string): Promise<T> {
    let response: Response;
    try {
      response = await fetch(path, { method, headers: { authorization: `Bearer ${this.#key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }, ...(body === undefined ? {} : { body }) });
    } catch {
      throw new ApiError(0, 'unreachable', 'The gateway cannot be reached. What is shown may be out of date.');
    }
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as T;
    throw failure(response.status, text);
  }
}

function failure(status: number, text: string): ApiError {
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    return new ApiError(status, error.code, error.message);
  } catch {
    return new ApiError(status, 'failed', `The gateway answered with status ${status}.`);
  }
}
