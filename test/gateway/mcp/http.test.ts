// The door over streamable HTTP: the official client in both eras, and requests that no client of good faith sends.
import { readFileSync } from "node:fs";
import { request as nodeRequest } from "node:http";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HttpDoor, openHttp } from "../../../hosts/gateway/doors/mcp/http.ts";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { listenWeb } from "../upstream/listening.ts";
import { AGENT, type Choices, House } from "./house.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** Callers by their key, as the authentication before the door knows them. */
const CALLERS: Record<string, Caller> = { a: AGENT, b: { ...AGENT, name: "agent-2" } };

async function opened(choices: Choices = {}): Promise<{ made: House; door: HttpDoor; url: string }> {
  const made = new House(choices);
  const door = openHttp(made.parts);
  const listening = await listenWeb((request) => {
    const caller = CALLERS[request.headers.get("authorization")?.slice(7) ?? ""];
    return caller === undefined ? new Response(null, { status: 401 }) : door.fetch(request, caller);
  });
  open.push(made, door, listening);
  return { made, door, url: `${listening.url}/mcp` };
}

async function connected(url: string, era: "legacy" | "2026-07-28", capabilities = {}): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: "Bearer a" } } });
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: era } } });
  await client.connect(transport);
  open.push(client);
  return { client, transport };
}
const first = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

for (const era of ["legacy", "2026-07-28"] as const) {
  describe(`the official client, ${era}`, () => {
    it("lists, calls, is refused, and is told of a pending question", async () => {
      const { made, url } = await opened();
      const { client } = await connected(url, era);
      expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(["list_directory", "read_text_file", "write_file"]);
      expect(first(await client.callTool({ name: "read_text_file", arguments: { path: join(made.folder, "a.txt") } }))).toBe("what is in it");
      expect((await client.callTool({ name: "read_text_file", arguments: { path: "/secret" } })).structuredContent).toMatchObject({ decision: "refuse", reason: "no_secrets" });
      const write = () => client.callTool({ name: "write_file", arguments: { path: join(made.folder, "b.txt"), content: "written" } });
      expect((await write()).structuredContent).toMatchObject({ decision: "pending" });
      await made.answer("approve");
      await expect.poll(async () => (await write()).isError ?? false).toBe(false);
      expect(readFileSync(join(made.folder, "b.txt"), "utf8")).toBe("written");
    });

    it("waits for a person on a stream that says how it goes", async () => {
      const { made, url } = await opened({ answer: "wait" });
      const { client } = await connected(url, era);
      const writing = client.callTool({ name: "write_file", arguments: { path: join(made.folder, "c.txt"), content: "waited" } }, { onprogress: () => undefined });
      await made.answer("approve");
      expect((await writing).isError ?? false).toBe(false);
      expect(readFileSync(join(made.folder, "c.txt"), "utf8")).toBe("waited");
    });
  });
}

describe("raw requests", () => {
  let made: House;
  let url: string;
  let session: string;
  const HEADERS = { authorization: "Bearer a", "content-type": "application/json", accept: "application/json, text/event-stream" };
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) => fetch(url, { method: "POST", headers: { ...HEADERS, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25", ...headers }, body: body as BodyInit });
  const call = (id: number | string, name: string, args: unknown, meta?: object) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) } });
  const initialize = (headers: Record<string, string> = {}, capabilities = {}) =>
    fetch(url, { method: "POST", headers: { ...HEADERS, ...headers }, body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "raw", version: "1" } } }) });
  beforeEach(async () => {
    ({ made, url } = await opened({ answer: "wait" }));
    const answer = await initialize();
    session = answer.headers.get("mcp-session-id")!;
    await answer.text();
    expect((await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).status).toBe(202);
  });

  /** The events of a stream, read until `enough`. */
  async function readEvents(response: Response, enough: (events: { id: string; data: string }[]) => boolean): Promise<{ id: string; data: string }[]> {
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const found: { id: string; data: string }[] = [];
    let kept = "";
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    while (!enough(found)) {
      const { value, done } = await reader.read();
      if (done) break;
      kept += value;
      for (let end = kept.indexOf("\n\n"); end >= 0; end = kept.indexOf("\n\n")) {
        const lines = kept.slice(0, end).split("\n");
        found.push({ id: lines.find((line) => line.startsWith("id: "))?.slice(4) ?? "", data: lines.find((line) => line.startsWith("data: "))?.slice(6) ?? "" });
        kept = kept.slice(end + 2);
      }
    }
    await reader.cancel();
    return found;
  }

  it("a call that ends at once is answered as JSON; one that waits, as a stream that can be taken up again by another connection", async () => {
    const quick = await post(call(1, "read_text_file", { path: join(made.folder, "a.txt") }));
    expect(quick.status).toBe(200);
    expect(JSON.stringify(quick.headers.get("content-type") === "application/json" ? await quick.json() : await readEvents(quick, (events) => events.length > 1))).toContain("what is in it");

    const torn = await post(call("w-1", "write_file", { path: join(made.folder, "d.txt"), content: "resumed" }));
    const [opening] = await readEvents(torn, (events) => events.length > 0);
    expect(opening!.id).toMatch(/^call-\d+-0$/);
    await made.answer("approve");
    await expect.poll(() => readFileSync(join(made.folder, "d.txt"), "utf8")).toBe("resumed");
    const again = (id: string, key = "a") => fetch(url, { headers: { ...HEADERS, authorization: `Bearer ${key}`, "mcp-session-id": session, "last-event-id": id } });
    for (let at = 0; at < 2; at++) {
      const [answer] = await readEvents(await again(opening!.id), (events) => events.length > 0);
      expect(JSON.parse(answer!.data)).toMatchObject({ id: "w-1", result: { content: expect.anything() } });
      expect(await readEvents(await again(answer!.id), () => false)).toEqual([]);
    }
    for (const id of ["call-999-0", "call-x", "call-1", "call--1-0"]) expect((await again(id)).status, id).toBe(404);
    expect((await again(opening!.id, "b")).status).toBe(404);
  });

  it("a session acts by the rights that its caller has now, and not by those it was opened with", async () => {
    const listed = async () => {
      const answer = await post('{"jsonrpc":"2.0","id":7,"method":"tools/list"}');
      return await answer.text();
    };
    expect(await listed()).toContain("read_text_file");
    const before = CALLERS["a"]!;
    CALLERS["a"] = { ...before, agents: ["nobody"] };
    try {
      const read = await post(call(8, "read_text_file", { path: join(made.folder, "a.txt") }));
      expect(await read.text()).not.toContain("what is in it");
      expect(await listed()).not.toContain("read_text_file");
    } finally {
      CALLERS["a"] = before;
    }
    expect(await (await post(call(9, "read_text_file", { path: join(made.folder, "a.txt") }))).text()).toContain("what is in it");
  });

  it("a caller that acts for no agent proposes nothing, also where the policy has only one", async () => {
    CALLERS["none"] = { ...AGENT, name: "none", agents: [], may: new Set(["approve", "audit", "agent"]) };
    const authorization = "Bearer none";
    expect([(await initialize({ authorization })).status, (await post(call(1, "read_text_file", { path: join(made.folder, "a.txt") }), { authorization })).status]).toEqual([403, 403]);
    const claim = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" }, "io.modelcontextprotocol/clientCapabilities": {} };
    const newer = await fetch(url, { method: "POST", headers: { ...HEADERS, authorization, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "read_text_file" }, body: call(2, "read_text_file", { path: join(made.folder, "a.txt") }, claim) });
    expect([newer.status, await newer.text()]).toEqual([403, expect.stringContaining("agent_not_granted")]);
  });

  it("a session is its caller's: to another it is not there; DELETE ends it", async () => {
    for (const [method, headers] of [["POST", HEADERS], ["GET", HEADERS], ["DELETE", HEADERS]] as const) {
      const stolen = await fetch(url, { method, headers: { ...headers, authorization: "Bearer b", "mcp-session-id": session }, ...(method === "POST" ? { body: call(1, "read_text_file", { path: "x" }) } : {}) });
      expect(stolen.status, method).toBe(404);
    }
    expect((await post('{"jsonrpc":"2.0","id":2,"method":"ping"}')).status).toBe(200);
    expect((await post('{"jsonrpc":"2.0","id":2,"method":"ping"}', { "mcp-session-id": "nobody" })).status).toBe(404);
    const none = await fetch(url, { method: "POST", headers: HEADERS, body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' });
    expect(none.status).toBe(400);
    expect((await fetch(url, { method: "DELETE", headers: { ...HEADERS, "mcp-session-id": session } })).status).toBe(200);
    expect((await post('{"jsonrpc":"2.0","id":3,"method":"ping"}')).status).toBe(404);
    expect((await made.gateway.calls("shop", {})).length).toBe(0);
  });

  it("headers that are not right are answered by their status, and nothing runs", async () => {
    const body = call(1, "read_text_file", { path: join(made.folder, "a.txt") });
    const cases: [Record<string, string>, number][] = [
      [{ "content-type": "text/plain" }, 415], [{ "content-type": "application/x-www-form-urlencoded" }, 415], [{ "content-type": "application/jsonx" }, 415], [{ accept: "application/json" }, 406], [{ accept: "text/html" }, 406],
      [{ origin: "https://evil.example" }, 403], [{ origin: "null" }, 403], [{ origin: "http://gate.example.evil.example" }, 403], [{ "mcp-protocol-version": "1999-01-01" }, 400],
    ];
    for (const [headers, status] of cases) expect((await post(body, headers)).status, JSON.stringify(headers)).toBe(status);
    expect((await fetch(url, { method: "PUT", headers: HEADERS, body })).status).toBe(405);
    expect((await made.gateway.calls("shop", {})).length).toBe(0);
    expect((await post(body, { origin: "https://app.example", "content-type": "application/json; charset=utf-8" })).status).toBe(200);
  });

  it("a request under another host's name is refused (DNS rebinding)", async () => {
    const { hostname, port } = new URL(url);
    const statusFor = (host: string) =>
      new Promise<number>((resolve, reject) => {
        const sent = nodeRequest({ hostname, port, path: "/mcp", method: "GET", headers: { ...HEADERS, host, "mcp-session-id": "x" } }, (response) => {
          response.resume();
          resolve(response.statusCode!);
        });
        sent.on("error", reject).end();
      });
    expect(await statusFor("evil.example")).toBe(421);
    expect(await statusFor(`localhost.evil.example:${port}`)).toBe(421);
    expect(await statusFor("gate.example")).toBe(404);
    expect(await statusFor(`localhost:${port}`)).toBe(404);
  });

  it("bodies that are no message are refused, and nothing runs", async () => {
    const cases: [string | Uint8Array, number, number][] = [
      ["{", 400, -32700], [new Uint8Array([0x7b, 0xff]), 400, -32700], ["", 400, -32700], [`[${call(1, "read_text_file", {})}]`, 400, -32600], ["[]", 400, -32600], ["7", 400, -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}', 400, -32600], [`{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400, -32600],
      [`{"x":"${"x".repeat(1_100_000)}"}`, 413, -32000],
    ];
    for (const [body, status, code] of cases) {
      const answer = await post(body);
      expect([answer.status, ((await answer.json()) as { error: { code: number } }).error.code], String(body).slice(0, 50)).toEqual([status, code]);
    }
    const endless = await fetch(url, { method: "POST", headers: { ...HEADERS, "mcp-session-id": session }, body: new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }), duplex: "half" } as RequestInit).catch(() => null);
    expect(endless === null || endless.status === 413).toBe(true);
    expect((await made.gateway.calls("shop", {})).length).toBe(0);
    expect((await post('{"jsonrpc":"2.0","id":9,"method":"ping"}')).status).toBe(200);
  });

  it("an older client is told where a person answers on the call's own stream, and what it says decides nothing", async () => {
    const opening = await initialize({}, { elicitation: { url: {} } });
    session = opening.headers.get("mcp-session-id")!;
    await opening.text();
    const stream = await post(call(1, "write_file", { path: join(made.folder, "e.txt"), content: "x" }));
    const events = await readEvents(stream, (found) => found.some(({ data }) => data.includes("elicitation/create")));
    const asked = JSON.parse(events.find(({ data }) => data.includes("elicitation/create"))!.data) as { id: string; params: { mode: string; url: string } };
    expect(asked.params).toMatchObject({ mode: "url", url: expect.stringContaining("http://gate.example/#/inbox/") });
    expect((await post(JSON.stringify({ jsonrpc: "2.0", id: asked.id, result: { action: "accept", content: { approve: true } } }))).status).toBe(202);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(() => readFileSync(join(made.folder, "e.txt"))).toThrow();
  });

  it("under 2026-07-28 headers and body have to agree", async () => {
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}, "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" } };
    const modern = (headers: Record<string, string>, body = call(1, "read_text_file", { path: join(made.folder, "a.txt") }, meta)) => fetch(url, { method: "POST", headers: { ...HEADERS, ...headers }, body });
    const right = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "read_text_file" };
    const answer = (await (await modern(right)).text()).replace(/^event: message\ndata: /, "");
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": { name: "interlock" } } } });
    for (const wrong of [{ ...right, "mcp-name": "write_file" }, { ...right, "mcp-method": "tools/list" }, { ...right, "mcp-protocol-version": "2025-11-25" }, { "mcp-protocol-version": "2026-07-28" }]) {
      const refused = await modern(wrong);
      expect(refused.status, JSON.stringify(wrong)).toBe(400);
      await refused.text();
    }
    const other = { ...meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    expect((await modern({ ...right, "mcp-protocol-version": "2099-01-01" }, call(1, "read_text_file", {}, other))).status).toBe(400);
    expect((await made.gateway.calls("shop", {})).length).toBe(1);
  });
});

it("a change of the tools is told to the tenant's clients", async () => {
  const { made, url } = await opened();
  const listeners = new Set<(tenant: string) => void>();
  const door = openHttp({ ...made.parts, onToolsChanged: (listener) => (listeners.add(listener), () => listeners.delete(listener)) });
  open.push(door);
  const listening = await listenWeb((request) => door.fetch(request, AGENT));
  open.push(listening);
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  let changed = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => void changed++);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${listening.url}/mcp`)));
  open.push(client);
  await client.listTools();
  await expect.poll(() => {
    for (const listener of listeners) listener("another");
    return changed;
  }).toBe(0);
  await expect.poll(() => {
    for (const listener of listeners) listener("shop");
    return changed;
  }).toBeGreaterThan(0);
  expect(url).toContain("/mcp");
});
