// The HTTP door as a gateway's start opens it: TLS from the settings' files, renewed without a stop; everything on one port; a start that cannot be says one coded thing.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Agent, request } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keyHash } from "../../../hosts/shared/caller-keys.ts";
import { httpDoor } from "../../../hosts/gateway/doors/http/open.ts";
import { KEYS } from "../flow/shop.ts";
import { House } from "../start/house.ts";

const KEY = "ik_open-aaaaaaaaaaaaaaaaaaaaaaaa";
const pem = (name: string) => fileURLToPath(new URL(`tls/self-signed-${name}.pem`, import.meta.url));
const CALLERS = `callers: {root: {sha256: "${keyHash(KEY)}", agents: [desk], may: [admin]}}\n`;
const LISTEN = `listen: {port: 0, tls: {cert: cert.pem, key: key.pem}}\n`;

/** A gateway with a policy and no server behind it: what is looked at here is its door. */
class Plain extends House {
  override async make(more = ""): Promise<void> {
    writeFileSync(join(this.folder, "policy.yaml"), "tenant: shop\nagents: {desk: {tools: ['*']}}\ntools:\n  - {name: look, effect: read, parameters: {type: object, properties: {}}}\n");
    this.keys(KEYS);
    this.config(more);
  }
  override config(more = ""): void {
    writeFileSync(join(this.folder, "gateway.yaml"), `tenant: shop\n${more}`);
  }
}

let house: House;
beforeEach(async () => {
  house = new Plain();
  await house.make(LISTEN + CALLERS);
  certificate("first");
});
afterEach(() => house.remove());

function certificate(cert: string, key = cert): void {
  copyFileSync(pem(`${cert}.cert`), join(house.folder, "cert.pem"));
  copyFileSync(pem(`${key}.key`), join(house.folder, "key.pem"));
}
async function start(folder: string | null = null): Promise<URL> {
  const started = await house.start([httpDoor({ console: folder, graceMs: 2_000 })]);
  return new URL(started.doors.find(({ name }) => name === "http")!.where);
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The name in the certificate that the server showed. */
  readonly shown: string;
}
function ask(url: URL, path: string, { ca = "first", agent, method = "GET", body, ...headers }: { ca?: string; agent?: Agent; method?: string; body?: string; [header: string]: unknown } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(new URL(path, url), { method, servername: "localhost", ca: readFileSync(pem(`${ca}.cert`)), agent: agent ?? new Agent(), headers: { authorization: `Bearer ${KEY}`, ...(headers as Record<string, string>) } }, (response) => {
      const shown = (response.socket as TLSSocket).getPeerCertificate().subject.CN;
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part)).on("end", () => resolve({ status: response.statusCode!, text, headers: response.headers, shown: String(shown) }));
    });
    asking.on("error", reject).end(body);
  });
}

it("serves the API, MCP, the metrics and the console on one port, over TLS", async () => {
  const files = join(house.folder, "console");
  mkdirSync(join(files, "assets"), { recursive: true });
  writeFileSync(join(files, "index.html"), "<!doctype html><title>inbox</title>");
  writeFileSync(join(files, "assets", "page-ABCDEFGH.js"), "1;");
  const url = await start(files);
  expect(url.protocol).toBe("https:");
  expect(await ask(url, "/healthz")).toMatchObject({ status: 200, text: '{"ready":true}', shown: "interlock test certificate, first" });
  expect(JSON.parse((await ask(url, "/v1/healthz")).text)).toMatchObject({ engine: "embedded", tenants: { shop: { mode: "enforce", servers: {} } } });
  expect(JSON.parse((await ask(url, "/v1/audit/verify")).text)).toMatchObject({ valid: true, tenant: "shop" });
  expect((await ask(url, "/v1/metrics")).text).toContain("# TYPE");
  expect((await ask(url, "/v1/policy")).text).toContain("look");
  expect(await ask(url, "/")).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8", "x-frame-options": "DENY" } });
  expect((await ask(url, "/assets/page-ABCDEFGH.js")).headers["cache-control"]).toContain("immutable");
  for (const path of ["/assets/../gateway.yaml", "/gateway.yaml", "/keys.json", "/assets/", "/index.html.map"]) expect((await ask(url, path)).status, path).toBe(404);
  expect((await ask(url, "/", { method: "POST" })).status).toBe(405);
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } } };
  const mcp = (headers: Record<string, string>) => ask(url, "/mcp", { method: "POST", body: JSON.stringify(hello), "content-type": "application/json", accept: "application/json, text/event-stream", ...headers });
  expect((await mcp({})).headers["mcp-session-id"]).toBeTruthy();
  expect(await mcp({ authorization: "Bearer ik_nobody-aaaaaaaaaaaaaaaaaaaaaa" })).toMatchObject({ status: 401 });
  expect(await mcp({ host: "evil.test" })).toMatchObject({ status: 421 });
});

it("speaks TLS 1.2 and later, and no HTTP without it", async () => {
  const { port } = await start();
  const tls = (version: "TLSv1.1" | "TLSv1.2" | "TLSv1.3") =>
    new Promise<string | null>((resolve) => {
      const socket = connectTls({ port: Number(port), host: "127.0.0.1", ca: readFileSync(pem("first.cert")), minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" }, () => resolve(socket.getProtocol()));
      socket.on("error", () => resolve("refused")).on("secureConnect", () => socket.destroy());
    });
  expect([await tls("TLSv1.1"), await tls("TLSv1.2"), await tls("TLSv1.3")]).toEqual(["refused", "TLSv1.2", "TLSv1.3"]);
  const plain = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(Number(port), "127.0.0.1", () => socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"));
    socket.on("data", (part) => (text += String(part))).on("error", () => undefined).on("close", () => resolve(text));
  });
  expect(plain).not.toContain("ready");
});

it("a renewed certificate is taken without a stop: new connections see it, open ones go on", async () => {
  const url = await start();
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await ask(url, "/healthz", { agent: kept })).shown).toContain("first");
  certificate("second");
  expect(await house.live!.reload()).toMatchObject({ outcome: "taken" });
  expect((await ask(url, "/healthz", { ca: "second" })).shown).toContain("second");
  await expect(ask(url, "/healthz", { ca: "first" })).rejects.toThrow(/certificate/);
  expect((await ask(url, "/healthz", { agent: kept })).shown).toContain("first");
  kept.destroy();
});

it("is renewed where the files change, with nobody asking", async () => {
  const url = await start();
  certificate("second");
  await expect.poll(() => house.reloads.map(({ outcome }) => outcome), { timeout: 20_000 }).toContain("taken");
  expect((await ask(url, "/healthz", { ca: "second" })).shown).toContain("second");
});

it.each<[string, () => void]>([
  ["the key of another certificate", () => certificate("second", "first")],
  ["no certificate", () => writeFileSync(join(house.folder, "cert.pem"), "none")],
  ["no key", () => writeFileSync(join(house.folder, "key.pem"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")],
])("%s leaves all as it was, and a policy that changed beside it too", async (_, change) => {
  const url = await start();
  const before = (await ask(url, "/v1/policy")).text;
  change();
  writeFileSync(join(house.folder, "policy.yaml"), `${readFileSync(join(house.folder, "policy.yaml"), "utf8")}settings: {receipt_ttl: 100}\n`);
  const reload = await house.live!.reload();
  expect(reload).toMatchObject({ outcome: "left", why: expect.stringContaining("TLS files cannot be used") });
  expect((await ask(url, "/healthz")).shown).toContain("first");
  expect((await ask(url, "/v1/policy")).text).toBe(before);
  certificate("second");
  expect(await house.live!.reload()).toMatchObject({ outcome: "taken" });
  expect((await ask(url, "/v1/policy", { ca: "second" })).text).not.toBe(before);
});

it("a start that cannot be says why, and leaves nothing open", async () => {
  certificate("first", "second");
  await expect(start()).rejects.toMatchObject({ code: "tls_invalid" });
  certificate("first");
  await expect(start(join(house.folder, "nothing"))).rejects.toMatchObject({ code: "console_missing" });
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  house.config(LISTEN.replace("port: 0", `port: ${port}`) + CALLERS);
  await expect(start()).rejects.toMatchObject({ code: "port_in_use", message: expect.stringContaining(String(port)) });
  await new Promise((resolve) => taken.close(resolve));
  house.config(LISTEN.replace("port: 0", 'port: 0, host: "203.0.113.7"') + CALLERS);
  await expect(start()).rejects.toMatchObject({ code: "listen_failed" });
  house.config(LISTEN + CALLERS);
  const url = await start();
  expect((await ask(url, "/healthz")).status).toBe(200);
  await house.stop();
  await expect(ask(url, "/healthz")).rejects.toThrow(/ECONNREFUSED/);
});
