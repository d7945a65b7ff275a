// An issuer that hangs: few requests wait for its keys and the others are told at once, its older keys are used on, and nobody else is kept out.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { KeyTimes } from "../../../hosts/gateway/callers/issuer-keys.ts";
import { createAuthenticate } from "../../../hosts/gateway/callers/authenticate.ts";
import { type Issuer, openIssuer } from "./issuer.ts";
import { caller, said, World } from "./world.ts";

const NOW = 1_764_500_000;
let issuer: Issuer;
let server: Server;
let world: World;
/** Questions that the issuer has not answered. */
const hanging: ServerResponse[] = [];
let hangs = true;
let asked = 0;
/** The clock of the keys' age, in milliseconds. */
let now = 0;

beforeEach(async () => {
  issuer = await openIssuer(NOW);
  server = createServer((_, response) => {
    asked++;
    if (hangs) hanging.push(response);
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  [hangs, asked, now] = [true, 0, 0];
  hanging.splice(0);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await Promise.all([issuer.close(), world.house.close()]);
});

function answer(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys: [issuer.published] }));
}

async function open(times: Partial<KeyTimes> = {}): Promise<void> {
  const settings = { ...issuer.settings, jwks: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys` };
  const authenticate = createAuthenticate(() => world.settings, { clock: () => world.house.now, monotonic: () => now, times: { timeoutMs: 60_000, patienceMs: 0, ...times } });
  world = await World.open({ inFlight: 16, issuers: [settings], callers: [caller("bot", null, { agents: ["desk"], subject: { issuer: "login", subject: "u-1" } })], authenticate });
}
const CALL = '{"session":"s","tool":"get_order","arguments":{"order_id":"1"}}';
const comes = async (claims?: object, header?: Record<string, unknown>) => said(await world.ask("POST", "/v1/check", CALL, { by: await issuer.token("u-1", claims as never, header) }));

it("an eighth of the places wait, the others are told at once, and callers with keys are served", async () => {
  await open();
  const done: string[] = [];
  const all = Array.from({ length: 14 }, () => comes().then((text) => (done.push(text), text)));
  await expect.poll(() => done.length).toBe(12);
  await expect.poll(() => asked).toBe(1);
  expect(new Set(done)).toEqual(new Set(["503 issuer_unavailable"]));
  for (let n = 0; n < 3; n++) expect(said(await world.ask("POST", "/v1/check", CALL, { by: "model" }))).toBe("200 allow allow");
  expect(said(await world.ask("GET", "/healthz", undefined, { by: null }))).toBe("200");
  expect(done).toHaveLength(12);
  hanging.forEach(answer);
  expect((await Promise.all(all)).filter((text) => text === "200 allow allow")).toHaveLength(2);
  expect([await comes(), asked]).toEqual(["200 allow allow", 1]);
});

it("an issuer that takes too long is given up, and left alone for as long as it took", async () => {
  await open({ timeoutMs: 100 });
  expect(await comes()).toBe("503 issuer_unavailable");
  await expect.poll(() => hanging[0]!.closed).toBe(true);
  await world.house.close();
  await open();
  asked = 0;
  const first = comes();
  await expect.poll(() => asked).toBe(1);
  now += 5_000;
  hanging[1]!.destroy();
  expect(await first).toBe("503 issuer_unavailable");
  for (let n = 0; n < 5; n++) expect(await comes()).toBe("503 issuer_unavailable");
  expect(asked).toBe(1);
  hangs = false;
  now += 5_000;
  expect([await comes(), asked]).toEqual(["200 allow allow", 2]);
});

it("keys that are there are used on while it hangs, up to their end; keys that came meanwhile are asked for once", async () => {
  await open();
  hangs = false;
  expect([await comes(), asked]).toEqual(["200 allow allow", 1]);
  hangs = true;
  now = 299_999;
  expect([await comes(), asked]).toEqual(["200 allow allow", 1]);
  now = 300_000;
  for (let n = 0; n < 5; n++) expect(await comes()).toBe("200 allow allow");
  expect(await Promise.all(Array.from({ length: 12 }, () => comes()))).toEqual(Array.from({ length: 12 }, () => "200 allow allow"));
  expect(asked).toBe(2);
  // An unknown key id waits for the same answer, within the same bound.
  const done: string[] = [];
  const unknown = Array.from({ length: 6 }, (_, n) => comes({}, { kid: `new-${n}` }).then((text) => done.push(text)));
  await expect.poll(() => done.length).toBe(4);
  expect([new Set(done), asked]).toEqual([new Set(["503 issuer_unavailable"]), 2]);
  hanging.forEach(answer);
  await Promise.all(unknown);
  expect(done.slice(4)).toEqual(["401 unauthorized", "401 unauthorized"]);
  now += 3_600_000;
  const late = comes();
  await expect.poll(() => asked).toBe(3);
  hanging.at(-1)!.destroy();
  expect(await late).toBe("503 issuer_unavailable");
});

it("an answer without end is no answer", async () => {
  await open();
  const endless = comes();
  await expect.poll(() => hanging.length).toBe(1);
  hanging[0]!.writeHead(200, { "content-type": "application/json" });
  hanging[0]!.write(`{"keys":[${" ".repeat(2 << 20)}`);
  expect(await endless).toBe("503 issuer_unavailable");
});
