// A gateway's answers for the inbox alone: the built console, and approvals over real questions of the core, with events; no rows, no store.
import { listingChanges } from "../../hosts/gateway/listings/diff.ts";
import { createReadStream, existsSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client, rawJson } from "interlock";
import { ROOT } from "../../bindings/build/core.mjs";
import type { Approval, Listing } from "../../hosts/console/inbox/api.ts";

const TYPES: Record<string, string> = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css", txt: "text/plain" };
export const KEY = "ik_the-key-of-ann";

const payment = { type: "object", properties: { order_id: { type: "string" }, amount: { type: "number" }, note: { type: "string" } } };
const client = new Client({
  policy: {
    format: "qls-policy/1",
    tenant: "shop",
    agents: { desk: { tools: ["charge_card", "refund_card", "wire"] } },
    tools: [
      { name: "charge_card", parameters: payment, undo: { tool: "refund_card", bind: { order_id: "arguments.order_id" } } },
      { name: "refund_card", parameters: payment },
      { name: "wire", parameters: payment, irreversible: true },
    ],
  },
  keys: { format: "qls-keys/1", active: "k", keys: [{ kid: "k", kty: "oct", alg: "HS256", k: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc" }], digest_key: "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk" },
  clock: () => 1_764_445_000,
});

export class FakeGateway {
  readonly approvals: Approval[] = [];
  readonly listings: Listing[] = [];
  readonly texts = new Map<string, string>();
  /** What was asked of it besides reading, as `METHOD PATH BODY`. */
  readonly asked: string[] = [];
  mode = "enforce";
  /** The next act is refused with this. */
  refuse: { status: number; code: string; message: string } | null = null;
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, "127.0.0.1", listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** A question as the core asks it. */
  ask(id: string, tool: string, text: string, over: Partial<Approval> = {}, labels: string[] = []): Approval {
    const check = client.checkToolCall(tool, rawJson(text), { session: `s-${id}`, agent: "desk", origins: { order_id: "typed" }, turns: ["charge order 4411"], labels: { call: labels } });
    const approval: Approval = {
      id,
      call: `call-${id}`,
      session: `s-${id}`,
      agent: "desk",
      tool,
      caller: "shop-bot",
      principal: "u-1",
      question: check.question as unknown as Approval["question"],
      marks: labels.map((label) => ({ label, text: `The agent read something from outside before (${label}).`, step: 0 })),
      count: 1,
      deciders: [],
      askedAt: 1_764_445_000_000,
      expiresAt: 1_764_531_400_000,
      decidedAt: null,
      state: "open",
      answers: [],
      editedInto: null,
      ...over,
    };
    this.texts.set(approval.call, text);
    this.approvals.push(approval);
    this.tell();
    return approval;
  }

  tell(): void {
    for (const stream of this.#streams) stream.write("event: approval\ndata: {}\n\n");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, "http://x");
    if (!url.pathname.startsWith("/v1/")) return file(url.pathname, response);
    let body = "";
    for await (const part of request) body += String(part);
    if (request.headers.authorization !== `Bearer ${KEY}`) return json(response, 401, { error: { code: "unauthorized", message: "This key is not known here." } });
    const path = url.pathname.slice(4).split("/").map(decodeURIComponent);
    if (path[0] === "healthz") return json(response, 200, { tenants: { shop: { mode: this.mode } } });
    if (request.method === "GET" && path[0] === "approvals" && path[1] === "events") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": hello\n\n");
      this.#streams.add(response);
      response.on("close", () => this.#streams.delete(response));
      return;
    }
    if (request.method === "GET" && path[0] === "approvals") return json(response, 200, { approvals: this.approvals });
    if (request.method === "GET" && path[0] === "listings") return json(response, 200, { listings: this.listings.map((listing) => (listing.pending === null ? listing : { ...listing, changes: listingChanges(listing.approved?.listing ?? null, listing.pending.listing) })) });
    if (request.method === "GET" && path[0] === "calls") return json(response, 200, { arguments: this.texts.get(path[1]!) });
    this.asked.push(`${request.method} ${url.pathname} ${body}`);
    if (this.refuse !== null) {
      const { status, ...error } = this.refuse;
      this.refuse = null;
      return json(response, status, { error });
    }
    if (path[0] === "listings") {
      const listing = this.listings.find(({ tool }) => tool === path[1])!;
      listing.approved = { ...listing.pending!, by: "ann", at: 0 };
      listing.pending = null;
      return json(response, 200, listing);
    }
    const approval = this.approvals.find(({ id }) => id === path[1])!;
    const { why = null } = JSON.parse(body) as { why?: string };
    approval.state = path[2] === "deny" ? "denied" : path[2] === "edit" ? "edited" : "approved";
    approval.decidedAt = 1_764_445_060_000;
    approval.answers = [{ approver: "ann", answer: path[2] === "deny" ? "deny" : "approve", why, at: 1_764_445_060_000 }];
    return json(response, 200, approval);
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function file(path: string, response: ServerResponse): void {
  const found = join(ROOT, "dist/console", path === "/" ? "index.html" : path);
  if (!existsSync(found)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": TYPES[found.split(".").at(-1)!] ?? "application/octet-stream" });
  createReadStream(found).pipe(response);
}
