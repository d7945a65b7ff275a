// The door over standard input and output: the official client, and raw lines that no client of good faith sends.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { openStdio } from "../../../hosts/gateway/doors/mcp/stdio.ts";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { AGENT, type Choices, House } from "./house.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** A client's end of the lines. */
class Ends implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly lines: string[] = [];
  async start(): Promise<void> {
    let kept = "";
    this.output.setEncoding("utf8").on("data", (part: string) => {
      kept += part;
      for (let end = kept.indexOf("\n"); end >= 0; end = kept.indexOf("\n")) {
        this.lines.push(kept.slice(0, end));
        this.onmessage?.(JSON.parse(kept.slice(0, end)) as JSONRPCMessage);
        kept = kept.slice(end + 1);
      }
    });
  }
  async send(message: JSONRPCMessage): Promise<void> {
    this.input.write(`${JSON.stringify(message)}\n`);
  }
  async close(): Promise<void> {
    this.input.end();
    this.onclose?.();
  }
}

function house(choices: Choices = {}): House {
  const made = new House(choices);
  open.push(made);
  return made;
}

async function connected(made: House, era: "legacy" | "2026-07-28" = "legacy", capabilities = {}, caller: Caller = AGENT): Promise<{ client: Client; ends: Ends }> {
  const ends = new Ends();
  open.push(openStdio(made.parts, caller, ends.input, ends.output));
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: era } } });
  await client.connect(ends);
  open.push(client);
  return { client, ends };
}
const first = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

for (const era of ["legacy", "2026-07-28"] as const) {
  describe(`the official client, ${era}`, () => {
    it("sees what the agent may reach, in the policy's words, and calls it", async () => {
      const made = house();
      const { client } = await connected(made, era);
      expect(client.getNegotiatedProtocolVersion()).toBe(era === "legacy" ? "2025-11-25" : era);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(["list_directory", "read_text_file", "write_file"]);
      expect(tools.find(({ name }) => name === "read_text_file")).toMatchObject({ description: "reads a file (policy)", annotations: { readOnlyHint: true } });
      expect(client.getInstructions()).toBeUndefined();
      const result = await client.callTool({ name: "read_text_file", arguments: { path: join(made.folder, "a.txt") } });
      expect(first(result)).toBe("what is in it");
      expect(result.structuredContent).toEqual({ content: "what is in it" });
    });

    it("reads why a call was refused", async () => {
      const { client } = await connected(house(), era);
      const refused = await client.callTool({ name: "read_text_file", arguments: { path: "/secret" } });
      expect(refused.isError).toBe(true);
      expect(refused.structuredContent).toMatchObject({ decision: "refuse", reason: "no_secrets" });
      expect(JSON.stringify(refused)).toContain("Secrets are not read.");
      for (const name of ["move_file", "__proto__", "constructor", "no_such_tool", "READ_TEXT_FILE"]) {
        expect((await client.callTool({ name, arguments: {} })).structuredContent, name).toMatchObject({ decision: "refuse", reason: "unknown_tool" });
      }
      expect((await client.callTool({ name: "read_text_file", arguments: { path: 5 } })).structuredContent).toMatchObject({ decision: "refuse", reason: "argument_schema" });
    });

    it("a write waits for a person: the same call again learns the answer, and is made once", async () => {
      const made = house();
      const { client } = await connected(made, era);
      const write = () => client.callTool({ name: "write_file", arguments: { path: join(made.folder, "b.txt"), content: "written" } });
      const pending = await write();
      expect(pending.structuredContent).toMatchObject({ decision: "pending", retry: "same_arguments" });
      expect(pending.isError).toBe(true);
      expect((pending.structuredContent as { url: string }).url).toMatch(/^http:\/\/gate\.example\/#\/inbox\//);
      expect((await write()).structuredContent).toMatchObject({ decision: "pending", approval: (pending.structuredContent as { approval: string }).approval });
      await made.answer("approve");
      await expect.poll(async () => (await write()).isError ?? false).toBe(false);
      expect(readFileSync(join(made.folder, "b.txt"), "utf8")).toBe("written");
    });

    it("a denial says why, and is final", async () => {
      const made = house();
      const { client } = await connected(made, era);
      const write = () => client.callTool({ name: "write_file", arguments: { path: join(made.folder, "c.txt"), content: "x" } });
      await write();
      await made.answer("deny", "not on a Monday");
      for (let at = 0; at < 2; at++) expect(JSON.stringify((await write()).structuredContent)).toContain("not on a Monday");
      expect(() => readFileSync(join(made.folder, "c.txt"))).toThrow();
    });

    it("where the settings say wait, the answer comes by waiting, and progress keeps the request alive", async () => {
      const made = house({ answer: "wait" });
      const { client } = await connected(made, era);
      const writing = client.callTool({ name: "write_file", arguments: { path: join(made.folder, "d.txt"), content: "waited" } }, { onprogress: () => undefined, resetTimeoutOnProgress: true });
      await made.answer("approve");
      expect((await writing).isError ?? false).toBe(false);
      expect(readFileSync(join(made.folder, "d.txt"), "utf8")).toBe("waited");
    });
  });
}

it("a client of 2026-07-28 that opens addresses is asked for input: its answer decides nothing, the person's does", async () => {
  const made = house({ answer: "task" });
  const { client } = await connected(made, "2026-07-28", { elicitation: { url: {} } });
  const asked: unknown[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params);
    await made.answer("approve");
    return { action: "accept" as const };
  });
  const result = await client.callTool({ name: "write_file", arguments: { path: join(made.folder, "e.txt"), content: "input" } });
  expect(result.isError ?? false).toBe(false);
  expect(asked).toMatchObject([{ mode: "url", url: expect.stringContaining("http://gate.example/#/inbox/") }]);
  expect(readFileSync(join(made.folder, "e.txt"), "utf8")).toBe("input");

  client.setRequestHandler("elicitation/create", async () => ({ action: "accept" as const }));
  made.settings = { ...made.settings, tenants: { shop: { ...made.settings.tenants["shop"]!, approvals: { ...made.settings.tenants["shop"]!.approvals, waitSeconds: 0 } } } };
  const still = await client.callTool({ name: "write_file", arguments: { path: join(made.folder, "f.txt"), content: "input" } });
  expect(still.structuredContent).toMatchObject({ decision: "pending" });
  expect(() => readFileSync(join(made.folder, "f.txt"))).toThrow();
});

it("an older client that opens addresses is told where to answer", async () => {
  const made = house({ answer: "wait" });
  const { client } = await connected(made, "legacy", { elicitation: { url: {} } });
  const told: unknown[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    told.push(params);
    return { action: "accept" as const };
  });
  const writing = client.callTool({ name: "write_file", arguments: { path: join(made.folder, "g.txt"), content: "x" } });
  await expect.poll(() => told.length).toBe(1);
  expect(told[0]).toMatchObject({ mode: "url", url: expect.stringContaining("/#/inbox/") });
  expect(() => readFileSync(join(made.folder, "g.txt"))).toThrow();
  await made.answer("approve");
  expect((await writing).isError ?? false).toBe(false);
});

describe("raw lines", () => {
  async function raw(made: House = house(), caller: Caller = AGENT): Promise<{ ends: Ends; send: (line: string | Buffer) => void; answer: (id: unknown) => Promise<Record<string, any>> }> {
    const { ends } = await connected(made, "legacy", {}, caller);
    const answer = async (id: unknown) => {
      const found = () => ends.lines.map((line) => JSON.parse(line) as Record<string, any>).filter((message) => message["id"] === id && message["method"] === undefined);
      await expect.poll(() => found().length, { timeout: 5000 }).toBeGreaterThan(0);
      return found().at(-1)!;
    };
    return { ends, send: (line) => ends.input.write(Buffer.concat([Buffer.from(line), Buffer.from("\n")])), answer };
  }
  const call = (id: number, args: string, more = "", name = "list_directory") => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}${more}}}`;

  it("the check reads the arguments' own text: a member that is there twice, a number that is not exact, are refused", async () => {
    const made = house();
    const { send, answer } = await raw(made);
    send(call(101, `{"path":${JSON.stringify(made.folder)},"path":"/secret"}`));
    expect((await answer(101)).result).toMatchObject({ isError: true });
    send(call(102, `{"path":${JSON.stringify(made.folder)},"n":12345678901234567890123}`));
    expect((await answer(102)).result).toMatchObject({ isError: true });
    send(call(103, `{"path":${JSON.stringify(made.folder)}}`));
    expect((await answer(103)).result.isError).toBeUndefined();
    send(call(104, "[]"));
    expect((await answer(104)).error.code).toBe(-32602);
    send(call(105, `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`));
    expect((await answer(105)).result).toMatchObject({ isError: true });
  });

  it("what is no message is answered with an error, and the door stays open", async () => {
    const made = house();
    const { send, answer, ends } = await raw(made);
    const bad: [string | Buffer, number][] = [
      ["{", -32700], ["nonsense", -32700], [Buffer.from([0x7b, 0xff, 0x7d]), -32700], ["[]", -32600], [`[${call(1, "{}")}]`, -32600], ["null", -32600], ['"x"', -32600], ["{}", -32600],
      ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600], ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600], ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600], ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
      [`{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(5000)}${"]".repeat(5000)}}`, -32600], [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${"x".repeat(1_100_000)}"}}`, -32600],
    ];
    for (const [line, code] of bad) {
      const before = ends.lines.length;
      send(line);
      await expect.poll(() => ends.lines.length, { timeout: 5000 }).toBe(before + 1);
      expect(JSON.parse(ends.lines.at(-1)!), String(line).slice(0, 60)).toMatchObject({ id: null, error: { code } });
    }
    send('{"jsonrpc":"2.0","id":200,"method":"tools/call","params":{"name":"list_directory","name":"write_file","arguments":{}}}');
    expect((await answer(200)).error.code).toBe(-32600);
    for (const [id, params] of [[201, "[]"], [202, "{}"], [203, '{"name":5}'], [204, '{"name":"list_directory","_meta":[]}'], [205, '{"name":"list_directory","_meta":{"progressToken":{}}}']] as const) {
      send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`);
      expect((await answer(id)).error.code, params).toBe(-32602);
    }
    send('{"jsonrpc":"2.0","id":"x\\"y","method":"ping"}');
    expect((await answer('x"y')).result).toEqual({});
    send('{"jsonrpc":"2.0","id":300,"method":"resources/list"}');
    expect((await answer(300)).error.code).toBe(-32601);
    send('{"jsonrpc":"2.0","id":301,"method":"prompts/list"}');
    expect((await answer(301)).error.code).toBe(-32601);
  });

  it("_meta of a caller that is not trusted changes nothing but labels added", async () => {
    const made = house();
    const { send, answer } = await raw(made);
    const meta = { "io.interlock/origins": { path: "turn:0" }, "io.interlock/turns": ["list it"], "io.interlock/turn": "t-1", "io.interlock/idempotency-key": "k", "io.interlock/context": { a: 1 }, "io.interlock/principal": { id: "root" }, "io.interlock/agent": "boss", "io.interlock/labels": { call: ["seen"] } };
    send(call(1, `{"path":${JSON.stringify(made.folder)}}`, `,"_meta":${JSON.stringify(meta)}`));
    await answer(1);
    const [record] = await made.gateway.calls("shop", {});
    expect(record).toMatchObject({ agent: "desk", turn: null, idempotencyKey: null, labels: { call: ["seen"] } });
    for (const member of ["origins", "turns", "context", "principal", "resource"]) expect(record, member).not.toHaveProperty(member);
  });

  it("_meta of a caller that is granted a member is believed for that member, and has to be well formed", async () => {
    const made = house();
    const { send, answer } = await raw(made, { ...AGENT, may: new Set(["turns", "origins"]) });
    const meta = { "io.interlock/origins": { path: "model" }, "io.interlock/turns": ["list it"], "io.interlock/turn": "t-1", "io.interlock/idempotency-key": "k", "io.interlock/context": { a: 1 }, "io.interlock/session": "chat-7" };
    send(call(1, `{"path":${JSON.stringify(made.folder)}}`, `,"_meta":${JSON.stringify(meta)}`));
    await answer(1);
    const [record] = await made.gateway.calls("shop", {});
    expect(record).toMatchObject({ session: "agent-1/chat-7", turn: "t-1", turns: ["list it"], origins: { path: "model" }, idempotencyKey: "k" });
    expect(record).not.toHaveProperty("context");
    for (const [id, wrong] of [[2, '"io.interlock/turns":"x"'], [3, '"io.interlock/origins":{"a":1}'], [4, '"io.interlock/turns":[],"io.interlock/turns":[]'], [5, '"io.interlock/labels":{"x":[]}'], [6, '"io.interlock/session":""']] as const) {
      send(call(id, "{}", `,"_meta":{${wrong}}`));
      expect((await answer(id)).error.code, wrong).toBe(-32602);
    }
  });

  it("at most is counted in the connection's session, and parallel calls are serialised", async () => {
    const made = house();
    const { send, answer } = await raw(made);
    for (let id = 1; id <= 8; id++) send(call(id, `{"path":${JSON.stringify(made.folder)}}`));
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(answer));
    expect(answers.filter(({ result }) => result.isError !== true)).toHaveLength(3);
    expect(answers.filter(({ result }) => result.structuredContent?.reason === "order_rule" || result.structuredContent?.decision === "refuse")).toHaveLength(5);
  });
});
