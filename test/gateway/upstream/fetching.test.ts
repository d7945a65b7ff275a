// One request to a tool's server: what comes compressed, connections that are used again and those that are not, and failures that say whether anything went out.
import { createServer } from "node:http";
import { connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bodyText } from "../../../hosts/gateway/upstream/bounded.ts";
import { fetchOnce } from "../../../hosts/gateway/upstream/fetching.ts";
import { NoAnswer } from "../../../hosts/gateway/upstream/wire.ts";
import { type Listening, listenRaw } from "./listening.ts";

const TEXT = '{"order":"seven","of":"é"}';
const ENCODED: Readonly<Record<string, Buffer>> = { gzip: gzipSync(TEXT), br: brotliCompressSync(TEXT), deflate: deflateSync(TEXT), identity: Buffer.from(TEXT) };
let listening: Listening;
const ports: (number | undefined)[] = [];

beforeAll(async () => {
  listening = await listenRaw((request, response) => {
    const [, path, name] = request.url!.split("/");
    ports.push(request.socket.remotePort);
    if (path === "encoded") response.writeHead(200, { "content-encoding": name! }).end(ENCODED[name!]);
    else if (path === "torn") response.writeHead(200, { "content-length": 100 }).write("half", () => response.destroy());
    else if (path === "gone") response.destroy();
    else if (path === "late") response.writeHead(200).write("[");
    else response.writeHead(200, name === undefined ? {} : { "keep-alive": `timeout=${name}` }).end(TEXT);
  });
});
afterAll(() => listening.close());

const never = new AbortController().signal;
const get = (path: string, signal = never) => fetchOnce(new URL(path, listening.url), { method: "GET", headers: new Headers({ accept: "application/json" }), signal });
const read = async (path: string): Promise<string> => bodyText((await get(path)).body, 1000);
const failure = async (asked: Promise<unknown>): Promise<unknown> => asked.then(
  () => "an answer",
  (error: unknown) => (error instanceof NoAnswer ? [error.code, error.out] : (error as Error).name),
);

it("an answer is read in every encoding that was offered", async () => {
  for (const encoding of Object.keys(ENCODED)) expect(await read(`/encoded/${encoding}`), encoding).toBe(TEXT);
});

it("a connection is used again, unless its server soon ends it", async () => {
  ports.length = 0;
  for (let i = 0; i < 3; i++) await read("/plain");
  expect(new Set(ports).size).toBe(1);
  ports.length = 0;
  for (let i = 0; i < 3; i++) await read("/plain/1");
  expect(ports[1]).not.toBe(ports[2]);
});

it("what could not be reached was not sent; what was torn may have been", async () => {
  const gone = await listenRaw(() => undefined);
  await gone.close();
  expect(await failure(fetchOnce(new URL(gone.url), { method: "POST", headers: new Headers(), body: "{}", signal: never }))).toEqual(["tool_unreachable", false]);
  expect(await failure(fetchOnce(new URL("http://no-such-host.invalid/"), { method: "GET", headers: new Headers(), signal: never }))).toEqual(["tool_unreachable", false]);
  expect(await failure(get("/gone"))).toEqual(["tool_unreachable", true]);
  expect(await failure(read("/torn"))).not.toBe("an answer");
  // A server that does not speak TLS: the connection is there, and no byte of the request went out by it.
  const plain = createServer();
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const { port } = plain.address() as { port: number };
  expect(await failure(fetchOnce(new URL(`https://127.0.0.1:${port}/`), { method: "POST", headers: new Headers(), body: "{}", signal: never }))).toEqual(["tool_unreachable", false]);
  plain.close();
  await new Promise((resolve) => connect(port, "127.0.0.1").once("error", resolve));
});

it("it ends where it is cancelled: before it is sent, and while the answer comes", async () => {
  expect(await failure(get("/plain", AbortSignal.abort()))).toEqual(["tool_cancelled", false]);
  const stop = new AbortController();
  const reply = await get("/late", stop.signal);
  const text = bodyText(reply.body, 1000);
  stop.abort();
  expect(await failure(text)).not.toBe("an answer");
});
