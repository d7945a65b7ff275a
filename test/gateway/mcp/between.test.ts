// What goes on between a client and a server behind the door while a call runs: progress, cancellation, and what is passed on only where the settings say so.
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { openHttp } from "../../../hosts/gateway/doors/mcp/http.ts";
import { wrap, wrappedSettings } from "../../../hosts/gateway/doors/mcp/wrap.ts";
import { listenWeb } from "../upstream/listening.ts";
import { script } from "../upstream/tenant.ts";
import { AGENT, type Choices, House } from "./house.ts";

const HOSTILE = fileURLToPath(new URL("../upstream/hostile.mjs", import.meta.url));
const EVERYTHING = fileURLToPath(new URL("everything.mjs", import.meta.url));
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const reads = (...names: string[]) => names.map((name) => ({ name, description: name, effect: "read", parameters: { type: "object", properties: { prompt: { type: "string" } } } }));
const first = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

async function connected(choices: Choices, era: "legacy" | "2026-07-28", capabilities = {}): Promise<{ client: Client; made: House }> {
  const made = new House({ bare: true, ...choices });
  const door = openHttp(made.parts);
  const listening = await listenWeb((request) => door.fetch(request, AGENT));
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: era } } });
  open.push(made, door, listening, client);
  await made.upstream.listed("shop");
  if ("sampling" in capabilities) client.setRequestHandler("sampling/createMessage", () => ({ model: "m", role: "assistant" as const, content: { type: "text" as const, text: "sampled" } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(`${listening.url}/mcp`)));
  return { client, made };
}

for (const era of ["legacy", "2026-07-28"] as const) {
  describe(era, () => {
    const names = ["hang", "was_cancelled", "progress", "digits", "echo"];
    const hostile = { servers: { bad: script("bad", HOSTILE, [], { HOSTILE_TOOLS: names.join(",") }) }, tools: reads(...names) };

    it("a tool's progress reaches the client that asked for it, under its own token", async () => {
      const { client } = await connected(hostile, era);
      const told: unknown[] = [];
      await client.callTool({ name: "progress", arguments: {} }, { onprogress: (progress) => told.push(progress) });
      expect(told).toMatchObject([{ progress: 1, total: 2, message: "half" }]);
    });

    it("a client's cancellation reaches the tool", async () => {
      const { client } = await connected(hostile, era);
      const stop = new AbortController();
      const hanging = client.callTool({ name: "hang", arguments: {} }, { signal: stop.signal });
      setTimeout(() => stop.abort(), 300);
      await expect(hanging).rejects.toThrow();
      await expect.poll(async () => first(await client.callTool({ name: "was_cancelled", arguments: {} })), { timeout: 5000 }).toMatch(/cancelled/);
    });

    it("what servers say of themselves is not passed on, unless the settings say so", async () => {
      const everything = { servers: { everything: script("everything", EVERYTHING) }, tools: reads("test_simple_text", "test_sampling") };
      const { client } = await connected(everything, era);
      expect(client.getInstructions()).toBeUndefined();
      expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
      const told = await connected({ ...everything, passOn: { instructions: true, prompts: true, resources: true } }, era);
      expect(told.client.getInstructions()).toBe("instructions of the server behind");
      expect((await told.client.listPrompts()).prompts.map(({ name }) => name)).toContain("test_simple_prompt");
      expect((await told.client.readResource({ uri: "test://static-text" })).contents).toMatchObject([{ text: "This is the content of the static text resource." }]);
      expect((await told.client.readResource({ uri: "test://template/7/data" })).contents).toMatchObject([{ uri: "test://template/7/data" }]);
      await expect(told.client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow();
    });
  });
}

it("an older client that samples is asked by a server only where the settings pass it on", async () => {
  const everything = { servers: { everything: script("everything", EVERYTHING) }, tools: reads("test_sampling") };
  const refused = await connected(everything, "legacy", { sampling: {} });
  expect(first(await refused.client.callTool({ name: "test_sampling", arguments: { prompt: "x" } }))).toMatch(/^refused/);
  const passed = await connected({ ...everything, passOn: { sampling: true } }, "legacy", { sampling: {} });
  const said = first(await passed.client.callTool({ name: "test_sampling", arguments: { prompt: "x" } }));
  expect(said).toBe("LLM response: sampled");
});

it("wrap puts one command behind the check, with its standard input and output towards the client", async () => {
  const base = new House({ bare: true, tools: reads("echo") });
  open.push(base);
  const input = new PassThrough();
  const output = new PassThrough();
  const command = [process.execPath, HOSTILE];
  expect(wrappedSettings(base.settings, command).tenants["shop"]!.servers).toMatchObject({ wrapped: { kind: "stdio", command: process.execPath, args: [HOSTILE] } });
  let closed = 0;
  const wrapped = wrap(
    {
      settings: base.settings,
      input,
      output,
      start: async (settings, upstream) => {
        const inner = new House({ bare: true, tools: reads("echo"), settings, upstream });
        return { gateway: inner.gateway, onToolsChanged: (listener) => upstream.onChanged(listener), close: async () => void closed++ };
      },
    },
    command,
  );
  const lines: string[] = [];
  output.setEncoding("utf8").on("data", (part: string) => lines.push(...part.split("\n").filter((line) => line !== "")));
  const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } } });
  await expect.poll(() => lines.length).toBe(1);
  say({ method: "notifications/initialized" });
  say({ id: 2, method: "tools/call", params: { name: "echo", arguments: {} } });
  const answered = () => lines.map((line) => JSON.parse(line) as { id?: unknown }).filter(({ id }) => id === 2);
  await expect.poll(() => answered().length, { timeout: 10_000 }).toBe(1);
  expect(answered()[0]).toMatchObject({ id: 2, result: { structuredContent: { ok: true } } });
  input.end();
  await wrapped;
  expect(closed).toBe(1);
});
