// Who is let in: keys that were stolen, ran out or were taken back, tokens that are forged or made for somebody else. Every refusal is the same, and nothing ran.
import { createHash } from "node:crypto";
import { CompactEncrypt, exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AUDIENCE, type Issuer, ISSUER, openIssuer } from "./issuer.ts";
import { Listening } from "./socket.ts";
import { caller, said, World } from "./world.ts";

const NOW = 1_764_500_000;
let world: World;
let issuer: Issuer;
let refusal: string;
beforeAll(async () => {
  issuer = await openIssuer(NOW, { revoked: ["token-0", "key-0"] });
  world = await World.open({
    issuers: [issuer.settings],
    callers: [
      caller("bot", null, { agents: ["desk"], subject: { issuer: "login", subject: "u-1" } }),
      caller("late", null, { agents: ["desk"], subject: { issuer: "login", subject: "u-late" }, expires: NOW - 1 }),
      caller("soon", "ik_soon-aaaaaaaaaaaaaaaaaaaaaaaa", { agents: ["desk"], expires: NOW }),
      caller("still", "ik_still-aaaaaaaaaaaaaaaaaaaaaaaa", { agents: ["desk"], expires: NOW + 1 }),
    ],
  });
  refusal = (await world.ask("POST", "/v1/call", CALL, { by: null })).text;
});
afterAll(() => Promise.all([world.house.close(), issuer.close()]));
afterEach(async () => {
  expect(world.house.tools.sent.splice(0)).toEqual([]);
  expect(said(await world.ask("POST", "/v1/call", CALL, { by: await issuer.token("u-1") }))).toBe("200 result allow");
  world.house.tools.sent.length = 0;
});

const CALL = '{"session":"s","tool":"get_order","arguments":{"order_id":"1"}}';
async function refused(key: string, told = key): Promise<void> {
  const answer = await world.ask("POST", "/v1/call", CALL, { by: null, headers: { authorization: `Bearer ${key}` } });
  expect([said(answer), answer.text, answer.headers.get("www-authenticate")], told).toEqual(["401 unauthorized", refusal, "Bearer"]);
}

describe("keys", () => {
  it("one that ran out, to the second", async () => {
    await refused("ik_soon-aaaaaaaaaaaaaaaaaaaaaaaa");
    await refused(world.keys["expired"]!);
    expect(said(await world.ask("GET", "/v1/healthz", undefined, { by: "ik_still-aaaaaaaaaaaaaaaaaaaaaaaa" }))).toBe("200");
  });

  it("one that was taken back, or whose hash was stolen with the file", async () => {
    const { settings } = world;
    const key = world.keys["model"]!;
    world.settings = { ...settings, callers: settings.callers.filter(({ name }) => name !== "model") };
    await refused(key);
    world.settings = settings;
    expect(said(await world.ask("GET", "/v1/healthz", undefined, { by: "model" }))).toBe("200");
    await refused(createHash("sha256").update(key).digest("hex"));
    await refused(createHash("sha256").update(key).digest("base64url"));
  });

  it("nearly one", async () => {
    const key = world.keys["model"]!;
    for (const other of [key.slice(0, -1), `${key}a`, key.toUpperCase(), key.replace("ik_", ""), key.replace("ik_", "IK_"), `${key}=`, `${key} `.repeat(2), `${key}\t`, `${key},${key}`, encodeURIComponent(`${key}/`)]) if (other.trim() !== key) await refused(other);
    for (const name of ["", "x", "undefined", "null", "__proto__", "constructor", "toString".repeat(4), "a".repeat(22), "a".repeat(512), "a".repeat(513), "*".repeat(30)]) await refused(name);
  });
});

it("a stream at /mcp ends with its caller's key", async () => {
  const listening = await Listening.open({ heartbeatMs: 30 });
  const { world: other } = listening;
  const at = `http://127.0.0.1:${listening.port}/mcp`;
  const headers: Record<string, string> = { authorization: `Bearer ${other.keys["model"]}`, "content-type": "application/json", accept: "application/json, text/event-stream" };
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } } };
  const opened = await fetch(at, { method: "POST", headers, body: JSON.stringify(hello) });
  expect([opened.status, (await opened.text()).includes("protocolVersion")]).toEqual([200, true]);
  const stream = await fetch(at, { headers: { ...headers, "mcp-session-id": opened.headers.get("mcp-session-id")! } });
  expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  let ended = false;
  const read = stream.text().then(() => (ended = true));
  // It stands while the key does: other requests of the same caller are answered meanwhile.
  for (let n = 0; n < 5; n++) expect((await listening.ask("GET /v1/healthz")).status).toBe(200);
  expect(ended).toBe(false);
  other.settings = { ...other.settings, callers: other.settings.callers.filter(({ name }) => name !== "model") };
  await read;
  await listening.close();
});

describe("tokens", () => {
  it.each<[string, Parameters<Issuer["token"]>]>([
    ["that ran out", ["u-1", { exp: NOW - 31 }]],
    ["that is not valid yet", ["u-1", { nbf: NOW + 31 }]],
    ["that never runs out", ["u-1", { exp: undefined as never }]],
    ["whose end is no number", ["u-1", { exp: "9999999999" as never }]],
    ["made for somebody else", ["u-1", { aud: "another" }]],
    ["made for nobody", ["u-1", { aud: undefined as never }]],
    ["made for several others", ["u-1", { aud: ["another", "interlock2"] }]],
    ["of another issuer", ["u-1", { iss: "https://evil.test" }]],
    ["of an issuer that is spelt otherwise", ["u-1", { iss: `${ISSUER}/` }]],
    ["of no issuer", ["u-1", { iss: undefined as never }]],
    ["of nobody", [undefined]],
    ["of an empty name", [""]],
    ["of a caller that there is not", ["u-2"]],
    ["of JavaScript's own names", ["__proto__"]],
    ["of a list", [undefined, { sub: ["u-1"] as never }]],
    ["of an object", [undefined, { sub: { toString: "u-1" } as never }]],
    ["of a caller whose time is over", ["u-late"]],
    ["that was revoked", ["u-1", { jti: "token-0" }]],
    ["of a key that was revoked", ["u-1", {}, { kid: "key-0" }]],
    ["of a key that there is not", ["u-1", {}, { kid: "../key-1" }]],
    ["with a header that has to be understood", ["u-1", {}, { crit: ["tenant"], tenant: "shop" }]],
  ])("%s", async (_, made) => {
    // The library that signs would not sign these itself.
    const [subject, claims, header] = made;
    await refused(header?.["crit"] === undefined ? await issuer.token(subject, claims, header) : await withCrit());
  });

  async function withCrit(): Promise<string> {
    return new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: "u-1", exp: NOW + 60 }).setProtectedHeader({ alg: "ES256", kid: "key-1", crit: ["tenant"], tenant: "shop" }).sign(issuer.privateKey, { crit: { tenant: true } });
  }

  it("signed by nobody, by somebody else, or with what is public", async () => {
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: "u-1", exp: NOW + 60 };
    await refused(new UnsecuredJWT(claims).encode(), "alg none");
    const good = await issuer.token("u-1");
    const [header, payload, signature] = good.split(".") as [string, string, string];
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const forged of [`${none}.${payload}.`, `${none}.${payload}.${signature}`, `${header}.${payload}.`, `${header}.${payload}`, `${header}.${payload}.${signature.slice(0, -4)}AAAA`, `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: "u-2" })).toString("base64url")}.${signature}`, `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`]) await refused(forged);
    const other = await generateKeyPair("ES256", { extractable: true });
    await refused(await issuer.token("u-1", {}, {}, other.privateKey), "another key under the same id");
    const jwk = await exportJWK(other.publicKey);
    await refused(await issuer.token("u-1", {}, { jwk }, other.privateKey), "a key that came along");
    await refused(await issuer.token("u-1", {}, { jku: "http://127.0.0.1:1/keys", x5u: "http://127.0.0.1:1/x" }, other.privateKey), "a key from another place");
    // The published key, taken for a shared secret.
    for (const secret of [JSON.stringify(issuer.published), (issuer.published as { x: string }).x]) {
      const key = await importJWK({ kty: "oct", k: Buffer.from(secret).toString("base64url").padEnd(43, "A") }, "HS256");
      await refused(await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "key-1" }).sign(key), "HS256 with the public key");
    }
    const rsa = await generateKeyPair("RS256");
    await refused(await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "key-1" }).sign(rsa.privateKey), "an algorithm that is not on the list");
    await refused(await new CompactEncrypt(Buffer.from(JSON.stringify(claims))).setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(Buffer.alloc(32)), "encrypted");
    for (const text of ["a.b.c.aaaaaaaaaaaaaaaaaaaa", "..aaaaaaaaaaaaaaaaaaaaaa", `${header}.${payload}.${signature}.`, `${"a".repeat(9000)}.b.c`, `${header}.bm90IGpzb24tYXQtYWxs.${signature}`, `${header}.W10.${signature}`]) await refused(text);
  });

  it("within the difference that two clocks may have, in time and with the right of the file alone", async () => {
    expect(said(await world.ask("GET", "/v1/healthz", undefined, { by: await issuer.token("u-1", { exp: NOW - 29, nbf: NOW + 29 }) }))).toBe("200");
    const greedy = await issuer.token("u-1", { may: ["approve", "admin"], tenant: "other", scope: "admin", roles: ["admin"], agents: ["clerk"] });
    expect(said(await world.ask("GET", "/v1/approvals", undefined, { by: greedy }))).toBe("403 not_granted");
    expect(Object.keys((await world.ask("GET", "/v1/healthz", undefined, { by: greedy })).json.tenants)).toEqual(["shop"]);
    expect(said(await world.ask("POST", "/v1/call", CALL.replace('"tool"', '"agent":"clerk","tool"'), { by: greedy }))).toBe("403 member_not_granted /agent");
  });

  it("as long as issuers make them: with RSA, and with claims of all kinds", async () => {
    const { publicKey, privateKey } = await generateKeyPair("RS256", { modulusLength: 4096, extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: "rsa", alg: "RS256" };
    const long = await openIssuer(NOW, { name: "long", issuer: "https://long.test", algorithms: ["RS256"] }, jwk);
    const other = await World.open({ issuers: [long.settings], callers: [caller("bot", null, { agents: ["desk"], subject: { issuer: "long", subject: "u-1" } })] });
    const claims = { iss: "https://long.test", aud: ["account", AUDIENCE], sub: "u-1", exp: NOW + 60, realm_access: { roles: Array.from({ length: 120 }, (_, n) => `role-of-a-company-${n}`) } };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "rsa" }).sign(privateKey);
    expect(token.length).toBeGreaterThan(4_000);
    expect(said(await other.ask("POST", "/v1/call", CALL, { by: token }))).toBe("200 result allow");
    await Promise.all([other.house.close(), long.close()]);
  });

  it("lets nobody in while the issuer cannot be asked, and asks it no more for each made-up key id", async () => {
    const asked = issuer.asked;
    for (let n = 0; n < 20; n++) await refused(await issuer.token("u-1", {}, { kid: `made-up-${n}` }));
    expect(issuer.asked - asked).toBeLessThanOrEqual(1);
    const lost = await openIssuer(NOW);
    lost.down = true;
    const other = await World.open({ issuers: [lost.settings], callers: [caller("bot", null, { agents: ["desk"], subject: { issuer: "login", subject: "u-1" } })] });
    expect(said(await other.ask("POST", "/v1/call", CALL, { by: await lost.token("u-1") }))).toBe("503 issuer_unavailable");
    expect(other.house.tools.sent).toEqual([]);
    lost.down = false;
    expect(said(await other.ask("POST", "/v1/call", CALL, { by: await lost.token("u-1") }))).toBe("200 result allow");
    await Promise.all([other.house.close(), lost.close()]);
  });
});
