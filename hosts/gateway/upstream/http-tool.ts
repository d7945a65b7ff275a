// A tool that is one HTTP request: made from the settings' template and the canonical arguments, to the configured origin only.
import { createHash } from "node:crypto";
import { rawMembers } from "interlock";
import type { Sent } from "../call/record.ts";
import type { HttpToolSettings } from "../config/settings.ts";
import { bodyText } from "./bounded.ts";
import { canonical } from "./canonical.ts";
import { elementsOf } from "./elements.ts";
import { type Asked, fetchOnce, type Reply, TURNED_AWAY, unanswered } from "./fetching.ts";
import type { Sending } from "./port.ts";
import { failureOf } from "./result.ts";
import { NoAnswer } from "./wire.ts";

type Came = Omit<Sent, "startedAt" | "endedAt">;

/** How often a redirect of a read is followed, within the origin. */
const REDIRECTS = 3;
/** Bytes of a reconciliation's answer. */
const RECONCILE_BYTES = 1024 * 1024;
const RECONCILE_MS = 15_000;

/** A template that cannot be filled, or arguments that cannot fill it: nothing was sent. */
export class NotSendable extends Error {
  readonly code = "arguments_unsendable";
}

/**
 * The listing of an HTTP tool, from its settings: what a person approves is where it sends and how. Headers are left out, since they hold secrets.
 * Canonical JSON text.
 */
export function httpListing(tool: string, settings: HttpToolSettings): string {
  return canonical(JSON.stringify({ name: tool, description: `${settings.method} ${settings.url}` }));
}

/** What a call is sent with besides its arguments. */
interface With {
  readonly operation: string;
  /** The most bytes of its result. */
  readonly limit: number;
  /** Headers of the trace; those of the settings go before them. */
  readonly trace: NonNullable<Sending["trace"]>;
  readonly signal: AbortSignal;
}

/** Makes the call. Never throws. */
export async function sendHttp(settings: HttpToolSettings, args: string, { operation, limit, trace, signal }: With): Promise<Came> {
  try {
    const { url, body } = requestOf(settings, args);
    const headers = headersOf(settings);
    if (body !== null) headers.set("content-type", "application/json");
    if (settings.idempotencyHeader !== null) headers.set(settings.idempotencyHeader, headerKey(operation));
    for (const [name, value] of Object.entries(trace)) if (!headers.has(name)) headers.set(name, value);
    const response = await follow(url, { method: settings.method, headers, body, signal });
    return await cameOf(response, settings.method, limit, signal);
  } catch (error) {
    if (error instanceof NotSendable) return { status: "failed", error: { code: error.code, message: error.message } };
    return failureOf(error);
  }
}

/** Asks the tool whether an operation ran: 2xx says that it did, and with what; 404 and 410 that it did not. Anything else says nothing: null. */
export async function reconcileHttp(settings: HttpToolSettings, operation: string): Promise<Came | null> {
  if (settings.reconcile === null) return null;
  try {
    const url = fill(settings.reconcile, new Map([["key", headerKey(operation)]])).url;
    if (url.origin !== new URL(settings.url.replace(/\{[^{}]*\}/g, "x")).origin) return null;
    const signal = AbortSignal.timeout(RECONCILE_MS);
    const response = await fetchOnce(url, { method: "GET", headers: headersOf(settings), signal });
    if (response.status === 404 || response.status === 410) {
      response.cancel();
      return { status: "failed", error: { code: "tool_never_ran", message: "the tool knows of no such operation" } };
    }
    if (!response.ok) {
      response.cancel();
      return null;
    }
    return await resultOf(response, RECONCILE_BYTES, signal);
  } catch {
    return null;
  }
}

/** The request for arguments (canonical JSON text): path arguments in their segments, the others in the query (GET, DELETE) or as JSON body. Throws NotSendable. */
export function requestOf(settings: HttpToolSettings, args: string): { url: URL; body: string | null } {
  const members = rawMembers(args);
  if (members === null) throw new NotSendable("arguments are an object");
  const values = new Map(members.map(({ name, value }) => [name, value.text]));
  const { url, used } = fill(settings.url, values);
  const rest = members.filter(({ name }) => !used.has(name));
  if (settings.method !== "GET" && settings.method !== "DELETE") return { url, body: `{${rest.map(({ name, value }) => `${JSON.stringify(name)}:${value.text}`).join(",")}}` };
  const fixed = new Set([...url.searchParams.keys()].map((name) => name.toLowerCase()));
  for (const { name, value } of rest) {
    if (fixed.has(name.toLowerCase())) throw new NotSendable(`the tool's address says ${name} itself: no argument may say it too`);
    for (const each of value.text.startsWith("[") ? (elementsOf(value.text) ?? []) : [value.text]) url.searchParams.append(name, plain(each));
  }
  return { url, body: null };
}

/** The headers that the settings give. Throws NotSendable where one is no header: a value cannot end its line. */
function headersOf(settings: HttpToolSettings): Headers {
  try {
    return new Headers({ accept: "application/json", ...settings.headers });
  } catch {
    throw new NotSendable("one of the tool's headers in the settings is no HTTP header");
  }
}

/** Fills a template's path. A value is one segment, or part of one, whatever is in it. */
function fill(template: string, values: ReadonlyMap<string, string>): { url: URL; used: Set<string> } {
  const parts = /^(https?:\/\/[^/?#{}]+)(\/[^?#]*)?(\?[^#{}]*)?$/.exec(template);
  if (parts === null) throw new NotSendable("the tool's address has arguments outside its path");
  const used = new Set<string>();
  const segments = (parts[2] ?? "/").split("/").map((segment) => {
    if (!segment.includes("{")) return segment;
    const filled = segment.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const value = values.get(name);
      if (value === undefined || /^[[{n]/.test(value)) throw new NotSendable(`the argument ${name} belongs in the tool's address: a text, a number or a truth value`);
      used.add(name);
      return encodeURIComponent(plain(value)).replace(/[!'()*]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`);
    });
    if (filled === "" || filled === "." || filled === "..") throw new NotSendable(`the tool's address would have the segment "${filled}": give an argument that names something`);
    return filled;
  });
  const url = new URL(`${parts[1]}${segments.join("/")}${parts[3] ?? ""}`);
  if (url.username !== "" || url.password !== "") throw new NotSendable("the tool's address holds a user's name: use a header");
  return { url, used };
}

/** A JSON value as plain text: a string's characters, anything else as it stands. */
function plain(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** A key as a header may carry it. */
function headerKey(operation: string): string {
  return /^[\x21-\x7e]{1,255}$/.test(operation) ? operation : createHash("sha256").update(operation).digest("base64url");
}

/** Sends; a read's redirect is followed within the origin, any other is the answer. */
async function follow(url: URL, init: Asked): Promise<Reply> {
  let at = url;
  for (let hop = 0; ; hop++) {
    const response = await fetchOnce(at, init);
    const to = response.headers.get("location");
    if (init.method !== "GET" || response.status < 300 || response.status > 399 || to === null || hop === REDIRECTS) return response;
    response.cancel();
    const next = new URL(to, at);
    if (next.origin !== url.origin) throw new NoAnswer("redirected", `it leads to ${next.origin}, where the tool's settings do not`, false);
    at = next;
  }
}

async function cameOf(response: Reply, method: string, limit: number, signal: AbortSignal): Promise<Came> {
  if (response.ok) return resultOf(response, limit, signal);
  if (response.status >= 300 && response.status < 400) {
    response.cancel();
    return { status: method === "GET" ? "failed" : "outcome_unknown", error: { code: "redirected", message: `the tool answered with the redirect ${response.status}, which is not followed` } };
  }
  const came = await resultOf(response, limit, signal);
  if (came.status === "outcome_unknown" && method !== "GET") return came;
  const turnedAway = method === "GET" || TURNED_AWAY.has(response.status) || response.status === 409 || response.status === 451;
  return { ...came, status: turnedAway ? "failed" : "outcome_unknown", error: { code: "tool_error", message: `the tool answered with status ${response.status}` } };
}

/** The result of a response: `{"status","body"}`, the body as JSON where it is JSON, else as a string. */
async function resultOf(response: Reply, limit: number, signal: AbortSignal): Promise<Came> {
  let text: string;
  try {
    text = await bodyText(response.body, limit);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "result_too_large" || error.code === "result_malformed")) return failureOf(error);
    return failureOf(unanswered(error, signal));
  }
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const json = type === "application/json" || type.endsWith("+json") ? jsonText(text) : null;
  const body = json ?? JSON.stringify(text);
  return { status: "ran", result: `{"status":${response.status},"body":${body}}`, ...(json?.startsWith("{") === true ? { fields: json } : {}) };
}

function jsonText(text: string): string | null {
  try {
    JSON.parse(text);
    return text.trim();
  } catch {
    return null;
  }
}
