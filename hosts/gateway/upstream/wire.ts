// The wire to one MCP server: the protocol library's transport, and beside it requests whose texts go out and come back as they are.
import type { Transport } from "@modelcontextprotocol/client";
import { rawMembers } from "interlock";
import { Malformed } from "./bounded.ts";
import { ENDS } from "./lines.ts";

/** A request sent past the library. `params` is the members of its `params` as JSON text without braces, `_meta` left out. */
export interface Asking {
  readonly method: "tools/call" | "tools/list";
  /** What the request is about, for the headers of newer revisions: the tool's own name. */
  readonly name: string | null;
  readonly params: string;
  /** The members of `_meta` as JSON text without braces; may be empty. */
  readonly meta: string;
  /** Headers of newer revisions that repeat arguments. */
  readonly headers: Readonly<Record<string, string>>;
  /** The longest answer in bytes. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly progress: ((progress: number, total?: number, message?: string) => void) | null;
}

/** An answer: the texts of its `result` or `error`. */
export type Answered = { readonly result: string } | { readonly error: { readonly code: number; readonly message: string } };

/** Why there is no answer. `out` says whether bytes of the request may have reached the server: then nobody knows what became of it. */
export class NoAnswer extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly out: boolean,
  ) {
    super(message);
  }
}

export interface Wire extends Transport {
  /** Sends a request and waits for its answer. Rejects with NoAnswer, or with TooLarge and Malformed, whose request was answered. */
  ask(asking: Asking): Promise<Answered>;
  /** Called once when the wire is gone. */
  ongone?: (() => void) | undefined;
}

/** Our own ids begin here, so that they are never the library's, which counts from 0. */
export const FIRST_ID = 1_000_000_000;

/** What newer revisions want in every request's `_meta`; empty for the older ones. Members as JSON text without braces. */
export function envelope(version: string | undefined, client: { name: string; version: string }): string {
  if (version === undefined || version < "2026-07-28") return "";
  return [
    `"io.modelcontextprotocol/protocolVersion":${JSON.stringify(version)}`,
    `"io.modelcontextprotocol/clientInfo":${JSON.stringify(client)}`,
    '"io.modelcontextprotocol/clientCapabilities":{}',
  ].join(",");
}

/** The text of a request. */
export function requestText(id: number, asking: Asking, base: string): string {
  const meta = [base, asking.meta, asking.progress === null ? "" : `"progressToken":${id}`].filter((part) => part !== "").join(",");
  const params = [asking.params, meta === "" ? "" : `"_meta":{${meta}}`].filter((part) => part !== "").join(",");
  return `{"jsonrpc":"2.0","id":${id},"method":"${asking.method}","params":{${params}}}`;
}

/** A message as it was read: the parsed value, and its text. */
export interface Read {
  readonly value: { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown; readonly error?: unknown };
  readonly text: string;
}

/** Reads a message. Throws Malformed where it is no JSON object; a batch is none. */
export function readMessage(text: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Malformed("a message is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Malformed("a message is no object");
  return { value, text };
}

/** The id of an answer by the two ends of its text, where it stands first or last; null where neither says one. */
export function idAtEnds(head: string, tail: string): number | null {
  const id = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/.exec(head)?.[1] ?? /,\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)?.[1];
  return id === undefined ? null : Number(id);
}

/** The ids that a text answers which is no message: of a batch each, of an object whose text is broken its own. */
export function answeredBy(text: string): readonly number[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const id = idAtEnds(text.slice(0, ENDS), text.slice(-ENDS));
    return id === null ? [] : [id];
  }
  return ([value].flat() as ({ id?: unknown; method?: unknown } | null)[]).flatMap((each) => (typeof each?.id === "number" && each.method === undefined ? [each.id] : []));
}

/** The answer in a message that has our id. Throws Malformed where a member is there twice, or neither or both of result and error. */
export function answerOf({ value, text }: Read): Answered {
  const members = rawMembers(text) ?? [];
  const result = members.filter(({ name }) => name === "result");
  const error = members.filter(({ name }) => name === "error");
  if (new Set(members.map(({ name }) => name)).size !== members.length || result.length + error.length !== 1) throw new Malformed("an answer has one result or one error");
  if (result.length === 1) return { result: result[0]!.value.text };
  const { code, message } = (typeof value.error === "object" && value.error !== null ? value.error : {}) as { code?: unknown; message?: unknown };
  return { error: { code: typeof code === "number" ? code : -32603, message: typeof message === "string" ? message.slice(0, 2000) : "the server says no more" } };
}

/** Tells a progress notification to the request that it names. */
export function progressOf(read: Read, byToken: (token: unknown) => Asking["progress"] | undefined): boolean {
  if (read.value.method !== "notifications/progress") return false;
  const params = (read.value.params ?? {}) as { progressToken?: unknown; progress?: unknown; total?: unknown; message?: unknown };
  const tell = byToken(params.progressToken);
  if (tell === undefined) return false;
  if (tell !== null && typeof params.progress === "number") {
    tell(params.progress, typeof params.total === "number" ? params.total : undefined, typeof params.message === "string" ? params.message.slice(0, 1000) : undefined);
  }
  return true;
}
