// The distributed engine over a real Restate server: the port's suite, erasure and retention, and who may call whom.
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { openEndpoint } from "../../../hosts/gateway/engine/restate/endpoint.ts";
import { RestateEngine, type RestateOptions, type RestateSettings } from "../../../hosts/gateway/engine/restate/restate.ts";
import { loadSdk } from "../../../hosts/gateway/engine/restate/sdk.ts";
import { namesOf, servicesOf } from "../../../hosts/gateway/engine/restate/services.ts";
import { retentionSuite } from "../operations/retention-suite.ts";
import { numbered } from "./numbered.ts";
import { freePorts, restateServer, type Server } from "./restate-server.ts";
import { engineSuite } from "./suite.ts";

let server: Server;
beforeAll(async () => {
  server = await restateServer();
  await server.start();
}, 60_000);
afterAll(() => server.dispose());
let made = 0;

engineSuite({
  name: "the distributed engine",
  fresh: async () => {
    const prefix = `suite${made++}`;
    const [port] = (await freePorts(1)) as [number];
    const all: RestateEngine[] = [];
    const open = () => {
      const engine = new RestateEngine({ ingress: server.ingress, admin: server.admin, prefix, listen: { host: "127.0.0.1", port }, advertise: null, identityKeys: [] });
      all.push(engine);
      return engine;
    };
    return {
      engine: open(),
      again: async () => open(),
      dispose: async () => {
        for (const engine of all) await engine.stop(0);
      },
    };
  },
});

retentionSuite({
  name: "the distributed engine",
  prepare: async (house) => {
    const prefix = `kept${made++}`;
    const [port] = (await freePorts(1)) as [number];
    house.makes = (clock) => new RestateEngine({ ingress: server.ingress, admin: server.admin, prefix, listen: { host: "127.0.0.1", port }, advertise: null, identityKeys: [] }, { clock });
  },
});

async function alone(over: Partial<RestateSettings> = {}, options: RestateOptions = {}): Promise<RestateEngine> {
  return new RestateEngine({ ingress: server.ingress, admin: server.admin, prefix: `alone${made++}`, listen: { host: "127.0.0.1", port: 0 }, advertise: null, identityKeys: [], ...over }, { patienceMs: 4_000, ...options });
}

const nothing = async (): Promise<void> => undefined;

it("an address at which Restate does not reach the gateway is refused at the start", async () => {
  const [closed] = await freePorts(1);
  const engine = await alone({ advertise: `http://127.0.0.1:${closed}` });
  await expect(engine.start(nothing, numbered)).rejects.toMatchObject({ code: "gateway_unreachable" });
});

it("a store of a later form is refused", async () => {
  const prefix = `newer${made++}`;
  const first = await alone({ prefix });
  await first.start(nothing, numbered);
  const later = await fetch(`${server.admin}/services/${prefix}-store/state`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ object_key: "all", new_state: { form: [...Buffer.from("99")] } }) });
  expect(later.ok).toBe(true);
  const next = await alone({ prefix });
  await expect.poll(() => next.start(nothing, numbered).then(() => next.stop(0).then(() => "started"), (error: { code: string }) => error.code), { timeout: 20_000 }).toBe("store_newer");
  await first.stop(0);
});

it("a newer program that took over keeps its place, and is told of where nobody of it answers; with its address taken out the older one starts", async () => {
  const prefix = `took-over${made++}`;
  const newer = await openEndpoint({ host: "127.0.0.1", port: 0 }, 99, createEndpointHandler({ services: servicesOf(await loadSdk(), namesOf(prefix), { seal: numbered, run: nothing }), logger: () => undefined }));
  const uri = `http://127.0.0.1:${newer.port}/steps-99`;
  const told = await fetch(`${server.admin}/deployments`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ uri }) });
  const { id } = (await told.json()) as { id: string };
  const beside = await alone({ prefix });
  await beside.start(nothing, numbered);
  expect(await beside.commit({ tenant: "t", changes: [{ key: "a", value: "1" }] })).toMatchObject({ ok: true });
  await beside.stop(0);
  await newer.close();
  const left = await alone({ prefix });
  await expect(left.start(nothing, numbered)).rejects.toMatchObject({ code: "store_newer", message: expect.stringContaining(`curl -X DELETE "${server.admin}/deployments/${id}?force=true"`) });
  expect((await fetch(`${server.admin}/deployments/${id}?force=true`, { method: "DELETE" })).ok).toBe(true);
  const back = await alone({ prefix });
  await back.start(nothing, numbered);
  expect(await back.get("t", "a")).toStrictEqual({ value: "1", version: 1 });
  await back.stop(0);
});

it("a gateway that starts at another address is told of what was begun elsewhere and has not ended, and that ends there", async () => {
  const prefix = `elsewhere${made++}`;
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const ran: string[] = [];
  const first = await alone({ prefix });
  await first.start(async (_, call) => {
    ran.push(`first ${call}`);
    await held;
  }, numbered);
  await first.run("t", "long");
  await expect.poll(() => ran).toStrictEqual(["first long"]);
  const told: number[] = [];
  const second = await alone({ prefix }, { begunElsewhere: (count) => told.push(count) });
  await second.start(async (_, call) => void ran.push(`second ${call}`), numbered);
  expect(told).toStrictEqual([1]);
  await second.run("t", "next");
  await expect.poll(() => ran).toStrictEqual(["first long", "second next"]);
  end();
  await first.stop(2_000);
  await second.stop(0);
});

it("where the server's key is given, what it did not sign is refused", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const signing = await restateServer({ RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: pemFile(privateKey.export({ type: "pkcs8", format: "pem" }) as string) });
  try {
    await signing.start();
    const identityKeys = [`publickeyv1_${base58(Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url"))}`];
    const engine = await alone({ ingress: signing.ingress, admin: signing.admin, identityKeys });
    await engine.start(nothing, numbered);
    expect(await engine.commit({ tenant: "t", changes: [{ key: "a", value: "1" }] })).toMatchObject({ ok: true });
    await engine.stop(0);
    const other = await alone({ identityKeys });
    await expect(other.start(nothing, numbered)).rejects.toMatchObject({ code: "gateway_unreachable" });
  } finally {
    await signing.dispose();
  }
});

/** Bitcoin's base 58, as Restate writes its keys. */
function base58(bytes: Buffer): string {
  const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  let text = "";
  for (let number = BigInt(`0x${bytes.toString("hex")}`); number > 0n; number /= 58n) text = letters[Number(number % 58n)]! + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

function pemFile(pem: string): string {
  const folder = mkdtempSync(join(tmpdir(), "identity-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "key.pem");
  writeFileSync(file, pem);
  return file;
}

it("a value that is not there any more ends its request alone, and attempts come again without an end", async () => {
  const prefix = `damaged${made++}`;
  const engine = await alone({ prefix });
  await engine.start(nothing, numbered);
  await engine.commit({ tenant: "t", changes: [{ key: "long", value: "x".repeat(10_000) }, { key: "short", value: "1" }] });
  const kept = { service: `${prefix}-tenant`, cells: { "r/long": { version: 1, size: 10_000 }, "r/short": { version: 1, text: "1" }, listed: true } };
  const cells = Object.fromEntries(Object.entries(kept.cells).map(([name, value]) => [name, [...Buffer.from(JSON.stringify(value))]]));
  expect((await fetch(`${server.admin}/services/${kept.service}/state`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ object_key: "t", new_state: cells }) })).ok).toBe(true);
  await expect.poll(() => engine.get("t", "long").then(() => "there", (error: { code: string }) => error.code), { timeout: 20_000 }).toBe("store_corrupt");
  expect(await engine.get("t", "short")).toStrictEqual({ value: "1", version: 1 });
  const told = (await (await fetch(`${server.admin}/services/${kept.service}`)).json()) as { retry_policy: { max_attempts: number } };
  expect(told.retry_policy.max_attempts).toBeGreaterThan(1_000_000);
  await engine.stop(0);
});
