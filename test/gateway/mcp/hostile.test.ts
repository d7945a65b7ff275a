// Clients that try to bring the door down: every shape of message at every method, nesting without end, and answers that nobody reads.
import { PassThrough, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openHttp } from "../../../hosts/gateway/doors/mcp/http.ts";
import { openStdio } from "../../../hosts/gateway/doors/mcp/stdio.ts";
import { AGENT, House } from "./house.ts";

const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}';
const HELLO = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';
const lists = (deep: number) => "[".repeat(deep) + "]".repeat(deep);
const objects = (deep: number) => '{"a":'.repeat(deep) + "1" + "}".repeat(deep);
const METHODS = [
  "tools/call", "initialize", "notifications/cancelled", "notifications/initialized", "notifications/progress", "tools/list", "server/discover", "subscriptions/listen", "ping",
  "completion/complete", "logging/setLevel", "tasks/get", "prompts/get", "resources/read", "sampling/createMessage", "__proto__", "constructor", "",
];
const VALUES = ["null", "5", '"x"', "[]", "{}", "true", lists(60), '{"__proto__":{"x":1}}', "1e999", "-0", '"\\ud800"'];

/** Every value in every place of every method, then nesting without end, then what is no message at all. */
function* messages(): Generator<string> {
  for (const method of METHODS) {
    for (const value of VALUES) {
      for (const id of ['"id":1,', '"id":"a",', ""]) {
        const start = `{"jsonrpc":"2.0",${id}"method":"${method}","params":`;
        yield `${start}${value}}`;
        yield `${start}{"name":"read_text_file","arguments":${value},${META}}}`;
        yield `${start}{"name":${value},"_meta":${value},"arguments":{"path":${value}}}}`;
        yield `${start}{"name":"x","capabilities":${value},"protocolVersion":${value},"clientInfo":${value},"requestId":${value}}}`;
      }
    }
  }
  for (const deep of [100, 5000, 100_000]) {
    for (const value of [lists(deep), objects(deep)]) {
      for (const method of ["tools/call", "initialize", "x"]) {
        const start = `{"jsonrpc":"2.0","id":7,"method":"${method}","params":`;
        yield `${start}${value}}`;
        yield `${start}{"name":"read_text_file","arguments":{"path":${value}}}}`;
        yield `${start}{"name":"read_text_file","arguments":{"path":${value}},${META}}}`;
        yield `${start}{"name":"read_text_file","arguments":{},"_meta":{"io.interlock/labels":{"call":${value}},"io.modelcontextprotocol/protocolVersion":${value}}}}`;
      }
      yield `{"jsonrpc":"2.0","id":8,"result":${value}}`;
    }
  }
  yield* ["", "\r", "null", "[]", "{}", '"x"', "{", "\ufeff{}", "\0", '{"jsonrpc":"2.0","id":"interlock-1","result":null}', '{"jsonrpc":"2.0","id":"interlock-1","error":5}'];
}

/** What would have ended the gateway's process. */
const fatal: unknown[] = [];
const seen = (error: unknown) => void fatal.push(error);
let house: House;

beforeEach(() => {
  fatal.length = 0;
  process.on("uncaughtException", seen).on("unhandledRejection", seen);
  house = new House();
});
afterEach(async () => {
  process.off("uncaughtException", seen).off("unhandledRejection", seen);
  await house.close();
  expect(fatal).toEqual([]);
});

it.each(["older", "newer"])("over standard input and output (%s era), every answer is a message and none is a failure of our own; then it still serves", async (era) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const door = openStdio(house.parts, AGENT, input, output);
  let came = "";
  output.on("data", (part: Buffer) => (came += part.toString("utf8")));
  if (era === "older") input.write(`${HELLO}\n`);
  for (const message of messages()) {
    input.write(`${message}\n`);
    await turn();
  }
  input.write(era === "older" ? '{"jsonrpc":"2.0","id":"last","method":"tools/list"}\n' : `{"jsonrpc":"2.0","id":"last","method":"tools/list","params":{${META}}}\n`);
  await vi.waitFor(() => expect(came).toContain('"id":"last"'), { timeout: 20_000 });
  const answers = came.trimEnd().split("\n").map((line) => JSON.parse(line) as { id?: unknown; result?: { tools?: unknown[] }; error?: { message: string } });
  expect(answers.length).toBeGreaterThan(500);
  expect(answers.filter(({ error }) => error?.message === "internal error")).toEqual([]);
  expect(came).not.toContain("the gateway failed");
  expect(answers.find(({ id }) => id === "last")?.result?.tools).toHaveLength(3);
  await door.close();
}, 60_000);

it("over HTTP, in and out of a session, no answer is a failure of our own; then it still serves", async () => {
  const door = openHttp(house.parts);
  const post = async (body: string, headers: Record<string, string>): Promise<{ status: number; text: string; session: string | null }> => {
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", host: "gate.example", ...headers };
    const response = await door.fetch(new Request("http://gate.example/mcp", { method: "POST", headers: all, body }), AGENT);
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const text = streams ? "" : await response.text();
    if (streams) await response.body?.cancel();
    return { status: response.status, text, session: response.headers.get("mcp-session-id") };
  };
  const { session } = await post(HELLO, {});
  const own = { "mcp-session-id": session! };
  for (const message of messages()) {
    const kinds: Record<string, string>[] = message.includes('"initialize"') ? [{}] : [own, { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "read_text_file" }];
    for (const headers of kinds) {
      const { status, text } = await post(message, headers);
      expect(status, message.slice(0, 200)).toBeLessThan(500);
      expect(text, message.slice(0, 200)).not.toMatch(/internal error|the gateway failed/);
    }
  }
  const found = await post('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"list_directory","arguments":{"path":"secret"}}}', own);
  expect(found.text).toContain("Secrets are not read.");
  await door.close();
}, 60_000);

it("a client that reads nothing is not read either, until it does", async () => {
  const input = new PassThrough();
  let read: () => void = () => undefined;
  let came = 0;
  let stuck = true;
  const output = new Writable({
    highWaterMark: 1024,
    write(part: Buffer, _encoding, done) {
      came += part.length;
      if (stuck) read = done;
      else done();
    },
  });
  const door = openStdio(house.parts, AGENT, input, output);
  input.write(`${HELLO}\n`);
  const asked = `{"jsonrpc":"2.0","id":"${"y".repeat(20_000)}","method":"nope"}\n`;
  let sent = 0;
  for (; sent < 3000; sent++) {
    input.write(asked);
    await turn();
  }
  expect(output.writableLength).toBeLessThan(6_000_000);
  stuck = false;
  read();
  await vi.waitFor(() => expect(came).toBeGreaterThan(sent * 20_000), { timeout: 20_000 });
  await door.close();
}, 60_000);
