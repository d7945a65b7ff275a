// Asks a web host as its callers do, and carries a session's history as they carry it.
import { lineDriver } from "interlock";
import { expect } from "vitest";
import * as formulas from "../spec/formulas.ts";
import type { Host } from "./hosts.ts";
import { keys, policy, TENANT, TOKENS } from "./shop.ts";

export type Json = any;

export interface Said {
  status: number;
  headers: Headers;
  text: string;
  json: Json;
}

export interface Asked {
  token?: string | null;
  key?: string;
  type?: string;
  method?: string;
}

/** Sends a body as it is. */
export async function send(
  host: Host,
  path: string,
  body: BodyInit | null,
  { token = TOKENS.service, key, type = "application/json", method = "POST" }: Asked = {},
): Promise<Said> {
  const headers: Record<string, string> = body === null ? {} : { "content-type": type };
  if (token !== null) headers["authorization"] = `Bearer ${token}`;
  if (key !== undefined) headers["idempotency-key"] = key;
  const response = await fetch(host.url + path, { method, headers, body, ...(body instanceof ReadableStream ? { duplex: "half" } : {}) } as RequestInit);
  const text = await response.text();
  let json: Json = null;
  try {
    json = JSON.parse(text);
  } catch {
    // Not every answer is JSON; a test that expects it says so.
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** `refuse history_invalid behind`, `403 member_reserved /now`. */
export function said({ status, json }: Said): string {
  if (status !== 200) return [status, json.error.code, json.error.pointer].filter((part) => part !== undefined).join(" ");
  return [json.decision, ...(json.reasons ?? [json.reason]), json.detail?.head].filter((part) => part !== undefined).join(" ");
}

const driver = lineDriver();
driver.answer(JSON.stringify({ id: 0, op: "register", name: "p", policy }));
driver.answer(JSON.stringify({ id: 0, op: "keys", name: "k", keys }));

/** What the Node driver answers to a line of these members, the request's text as it stands. */
export function nodeAnswers(members: string): Json {
  return driver.answer(`{"id":0,${members}}`);
}

/** One session as its callers carry it. */
export class Carried {
  history: Json;
  readonly host: Host;
  readonly session: string;

  constructor(host: Host, session: string) {
    this.host = host;
    this.session = session;
    this.history = { format: "qls-history/1", session, entries: [] };
  }

  /** The request's text; `args` is JSON text. */
  request(tool: string, args: string, more: Json = {}): string {
    const { history = this.history, ...rest } = more;
    return `{"format":"qls-tool-check/1","session":${JSON.stringify(this.session)},"tool":"${tool}","arguments":${args},${JSON.stringify({ agent: "desk", ...rest, history }).slice(1)}`;
  }

  /** Asks without taking the answer up. */
  peek(tool: string, args: string, more: Json = {}, asked: Asked = {}): Promise<Said> {
    return send(this.host, "/v1/check", this.request(tool, args, more), asked);
  }

  /** Asks, holds the answer against the Node driver's byte for byte, and takes the entry into the history. */
  async check(tool: string, args: string, more: Json = {}, asked: Asked = {}): Promise<Said> {
    const text = this.request(tool, args, more);
    const answer = await send(this.host, "/v1/check", text, asked);
    expect(answer.status, answer.text).toBe(200);
    const { entry } = answer.json;
    const head = formulas.headOf(this.history, TENANT);
    const host = `,"now":${entry?.at ?? 0},"head":${JSON.stringify(head)}}`;
    expect(answer.text).toBe(nodeAnswers(`"op":"check","policy":"p","keys":"k","request":${text.slice(0, -1)}${host}`).slice('{"id":0,"ok":'.length, -1));
    if (entry !== null) {
      const { reports: _, ...rest } = this.history;
      this.history = { ...rest, entries: [...this.history.entries, entry] };
    }
    return answer;
  }

  /** Reports, and takes the history that comes back. */
  async report(step: number, status: string, more: Json = {}): Promise<Said> {
    const answer = await send(this.host, "/v1/report", JSON.stringify({ session: this.session, history: this.history, step, status, ...more }));
    if (answer.status === 200) this.history = answer.json;
    return answer;
  }

  receipt(tool: string, args: string, more: Json = {}, asked: Asked = {}): Promise<Said> {
    const members = JSON.stringify({ agent: "desk", ...more }).slice(1);
    return send(
      this.host,
      "/v1/receipt",
      `{"session":${JSON.stringify(this.session)},"history":${JSON.stringify(this.history)},"tool":"${tool}","arguments":${args},${members}`,
      asked,
    );
  }
}
