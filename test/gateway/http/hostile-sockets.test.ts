// Clients that are slow, read nothing, or leave in the middle, over a real socket: each is left in the end, gives back what it held, and the gateway goes on.
import type { Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { Gateway } from "../../../hosts/gateway/gateway.ts";
import { code, Listening, parsed } from "./socket.ts";

let listening: Listening;
const open: Socket[] = [];
let count = 0;
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  // Everything was given back: as many requests as one may have are taken at once; and the socket answers, where the test's own short times let it.
  const three = () => Promise.all(Array.from({ length: 3 }, async () => (await listening.world.ask("POST", "/v1/call", call(), { by: "model" })).json.outcome));
  await expect.poll(three, { timeout: 10_000 }).toEqual(["result", "result", "result"]);
  await expect.poll(async () => (await listening.ask("GET /healthz", { by: null })).status).toBe(200);
  expect(listening.world.logged).toEqual([]);
  await listening.close();
});

const call = (tool = "get_order", args = '{"order_id":"1"}') => `{"session":"k-${++count}","tool":"${tool}","arguments":${args}}`;
async function connection(): Promise<{ socket: Socket; ended: Promise<string>; first: Promise<unknown> }> {
  const socket = await listening.open();
  open.push(socket);
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.on("end", () => socket.end());
  return { socket, first: new Promise((resolve) => socket.once("data", resolve)), ended: new Promise((resolve) => socket.once("close", () => resolve(Buffer.concat(parts).toString("latin1")))) };
}

it("headers that come a letter at a time, and none at all", async () => {
  listening = await Listening.open({ inFlight: 4 }, { headersMs: 150, requestMs: 300, everyMs: 30 });
  const slow = await connection();
  const silent = await connection();
  const letters = setInterval(() => slow.socket.write("a"), 20);
  slow.socket.write("GET /v1/healthz HTTP/1.1\r\nx-a: ");
  const [heard] = await Promise.all([slow.ended, silent.ended]);
  clearInterval(letters);
  expect(code(parsed(heard))).toBe("408 request_time");
});

it("bodies that never come whole, of those who are known and of those who are not", async () => {
  listening = await Listening.open({ inFlight: 4, bodyMs: 100 }, { everyMs: 30 });
  const starts = [...Array.from({ length: 3 }, () => "model"), ...Array.from({ length: 3 }, () => null)];
  const slow = await Promise.all(starts.map(async (by) => {
    const { socket, ended } = await connection();
    socket.write(listening.bytes("POST /v1/call", { by, headers: ["content-type: application/json", "content-length: 500"] }) + '{"session":"a",');
    return ended.then((text) => code(parsed(text)));
  }));
  expect(await Promise.all(slow)).toEqual([...Array.from({ length: 3 }, () => "408 body_time"), ...Array.from({ length: 3 }, () => "401 unauthorized")]);
  expect(listening.world.house.tools.sent).toEqual([]);
});

it("a connection that ends in the middle of a body", async () => {
  listening = await Listening.open({ inFlight: 4 }, { everyMs: 30 });
  const bytes = listening.bytes("POST /v1/call", { headers: ["content-type: application/json", "content-length: 500"] });
  for (let n = 0; n < 8; n++) {
    const { socket } = await connection();
    await new Promise((sent) => socket.write(`${bytes}{"session":"a","tool":"get_order"`, sent));
    socket.destroy();
  }
  const half = await listening.raw(`${bytes}{"session":"a"`, { halfClose: true });
  expect(half).not.toMatch(/^HTTP\/1\.1 2/);
  expect(listening.world.house.tools.sent).toEqual([]);
});

it("a half-closed connection whose call runs once, or never", async () => {
  listening = await Listening.open({ inFlight: 4 });
  const key = ["idempotency-key: half-closed-1"];
  const body = call();
  await listening.raw(listening.bytes("POST /v1/call", { body, headers: key }), { halfClose: true });
  expect(code(await listening.ask("POST /v1/call", { body, headers: key }))).toBe("200 result");
  expect(listening.world.house.tools.sent.splice(0)).toHaveLength(1);
});

it("a client that is gone while its call is made: the call ends, once, and is there to be looked at", async () => {
  listening = await Listening.open({ inFlight: 4 });
  let made: () => void = () => undefined;
  let started: () => void = () => undefined;
  const under = new Promise<void>((resolve) => (started = resolve));
  listening.world.house.tools.answer = async () => {
    started();
    await new Promise<void>((resolve) => (made = resolve));
    return {};
  };
  const { socket } = await connection();
  socket.write(listening.bytes("POST /v1/call", { body: call(), headers: ["idempotency-key: gone-00001"] }));
  await under;
  socket.destroy();
  made();
  listening.world.house.tools.answer = () => ({});
  const seen = await listening.ask("GET /v1/sessions/k-".concat(String(count), "/calls"));
  expect(code(await listening.ask(`GET /v1/calls/${seen.json.calls[0].call}?wait=20`))).toBe("200 result");
  expect(listening.world.house.tools.sent.splice(0)).toHaveLength(1);
});

it("a client that reads nothing of what is there for it", async () => {
  const file = { type: "text/plain", body: new Uint8Array(32 << 20), headers: {} };
  listening = await Listening.open({ inFlight: 4, console: new Map([["/long", file]]) }, { unreadMs: 200 });
  const left = Array.from({ length: 5 }, async () => {
    const { socket, ended } = await connection();
    socket.pause();
    socket.write(listening.bytes("GET /long"));
    // A client that does not read learns that it was left when it writes.
    const writes = setInterval(() => socket.write("\r\n"), 30);
    await ended;
    clearInterval(writes);
  });
  await Promise.all(left);
  // Whoever reads gets all of it, however long that takes.
  const { socket, ended } = await connection();
  socket.write(listening.bytes("GET /long"));
  const slow = setInterval(() => (socket.isPaused() ? socket.resume() : socket.pause()), 60);
  expect(parsed(await ended).text.length).toBe(32 << 20);
  clearInterval(slow);
});

it("streams that nobody reads, more of them than one caller may hold: others are let in", async () => {
  listening = await Listening.open({ inFlight: 4 });
  const heard: Promise<unknown>[] = [];
  for (let n = 0; n < 3; n++) {
    const { socket, first } = await connection();
    socket.write(listening.bytes("GET /v1/approvals/events", { by: "ana" }));
    heard.push(first);
  }
  await Promise.all(heard);
  // A fourth of the same tenant has no place; another tenant has, and neither waits nor work are kept out.
  expect(code(await listening.ask("GET /v1/approvals/events", { by: "reader" }))).toBe("503 busy");
  const theirs = await connection();
  theirs.socket.write(listening.bytes("GET /v1/approvals/events", { by: "elsewhere" }));
  expect(parsed(String(await theirs.first)).status).toBe(200);
  for (const path of ["/v1/approvals?wait=1", "/v1/approvals"]) expect(code(await listening.ask(`GET ${path}`, { by: "reader" }))).toBe("200");
  // Waits are counted in the same way, among themselves.
  const waits = Array.from({ length: 3 }, () => listening.ask("GET /v1/approvals?wait=60", { by: "reader" }));
  await expect.poll(async () => code(await listening.ask("GET /v1/approvals?wait=0", { by: "ana" })), { timeout: 20_000 }).toBe("503 busy");
  expect(code(await listening.ask("GET /v1/approvals?wait=0", { by: "elsewhere" }))).toBe("200");
  await listening.world.house.call("charge_card", { order_id: "1", amount: 1 }, { session: "ends-the-waits" });
  expect((await Promise.all(waits)).map(code)).toEqual(["200", "200", "200"]);
});

it("an answer that breaks off in the middle is no whole one, says nothing of why, and is told to the operator", async () => {
  const over = (gateway: Gateway): Gateway => ({
    ...gateway,
    audit: async (tenant, from, limit) => {
      if (from >= 20_000) throw new Error("a disk of the test's own");
      return Array.from({ length: limit }, (_, line) => `{"tenant":"${tenant}","seq":${from + line}}`);
    },
  });
  listening = await Listening.open({ inFlight: 4, over });
  const text = await listening.raw(listening.bytes("GET /v1/audit/export", { by: "keeper" }));
  expect(text).toContain('"seq":499}');
  expect(text).not.toMatch(/0\r\n\r\n$/);
  expect(text).not.toContain("of the test's own");
  expect(listening.world.logged.splice(0).map((problem) => problem.code)).toEqual(["internal"]);
  // One that nobody reads to its end holds its place until its client is gone, and no longer.
  for (let n = 0; n < 8; n++) {
    const { socket, first } = await connection();
    socket.write(listening.bytes("GET /v1/audit/export", { by: "keeper" }));
    await first;
    socket.destroy();
  }
  await expect.poll(async () => (await listening.ask("GET /healthz", { by: null })).status).toBe(200);
  listening.world.logged.length = 0;
});

it("a gateway that stops lets what is in hand end, and ends streams and waits", async () => {
  listening = await Listening.open({ inFlight: 8 });
  const stream = await connection();
  stream.socket.write(listening.bytes("GET /v1/approvals/events", { by: "ana" }));
  await stream.first;
  const wait = listening.ask("GET /v1/approvals?wait=300", { by: "reader" });
  let made: () => void = () => undefined;
  const under = new Promise<void>((started) => {
    listening.world.house.tools.answer = async () => {
      started();
      await new Promise<void>((resolve) => (made = resolve));
      return {};
    };
  });
  const inHand = listening.ask("POST /v1/call", { body: call() });
  await under;
  const stopped = listening.serving.stop(20_000);
  expect(await stream.ended).toContain("0\r\n\r\n");
  expect(code(await wait)).toBe("200");
  made();
  expect(code(await inHand)).toBe("200 result");
  await stopped;
  listening.world.house.tools.sent.length = 0;
  const before = listening;
  listening = await Listening.open({ inFlight: 4 });
  await before.close();
});
