// JSON-RPC messages as texts: what a client sent, read without losing a digit or a repeated member, and what it is answered.
import { rawMembers } from "interlock";

/** A protocol error: what it says goes to the client. Codes are JSON-RPC's and MCP's. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** Deepest nesting of messages that the protocol library reads. Arguments of a tool have the policy's own limit. */
const DEEPEST = 64;

/** A message from the client. */
export interface Incoming {
  readonly value: { readonly [member: string]: unknown };
  /** The id's text; null for a notification. */
  readonly id: string | null;
  /** Null for an answer. */
  readonly method: string | null;
  /** The text of `params`; null where there are none. */
  readonly params: string | null;
}

/**
 * Reads one message. Throws RpcError: −32700 where it is not JSON; −32600 where it is a batch, no object, has a member twice, or an id that is neither a text
 * nor a whole number.
 */
export function readIncoming(text: string): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RpcError(PARSE_ERROR, "this is not JSON");
  }
  if (Array.isArray(value)) throw new RpcError(INVALID_REQUEST, "batches are not taken: send one message at a time");
  const members = rawMembers(text);
  if (typeof value !== "object" || value === null || members === null) throw new RpcError(INVALID_REQUEST, "a message is an object");
  if (new Set(members.map(({ name }) => name)).size !== members.length) throw new RpcError(INVALID_REQUEST, "a member is there twice");
  const { jsonrpc, id, method } = value as { jsonrpc?: unknown; id?: unknown; method?: unknown };
  if (jsonrpc !== "2.0") throw new RpcError(INVALID_REQUEST, 'a message says "jsonrpc": "2.0"');
  if (id !== undefined && typeof id !== "string" && !Number.isSafeInteger(id)) throw new RpcError(INVALID_REQUEST, "an id is a text or a whole number");
  if (method !== undefined && typeof method !== "string") throw new RpcError(INVALID_REQUEST, "a method is a text");
  if (method !== "tools/call" && deeper(text, DEEPEST)) throw new RpcError(INVALID_REQUEST, `a message is nested ${DEEPEST} deep at most`);
  return {
    value: value as Incoming["value"],
    id: id === undefined ? null : JSON.stringify(id),
    method: method ?? null,
    params: members.find(({ name }) => name === "params")?.value.text ?? null,
  };
}

/** Whether brackets outside strings are nested deeper than `limit`. The text is JSON. */
function deeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        for (at++; text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++;
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > limit) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return false;
}

/** The text of an answer: `id` and `result` are JSON texts. */
export function resultMessage(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

/** The text of an error; what is no RpcError is told as an internal error without its words. */
export function errorMessage(id: string | null, error: unknown): string {
  const { code, message, data } = error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, "internal error");
  return `{"jsonrpc":"2.0","id":${id ?? "null"},"error":${JSON.stringify({ code, message, ...(data === undefined ? {} : { data }) })}}`;
}

/** The text of a notification or a request of ours; `params` is a JSON value. */
export function outgoing(method: string, params: unknown, id?: string): string {
  return JSON.stringify({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), method, params });
}
