// The API's document: valid OpenAPI 3.1 by somebody else's validator, and every operation and status of it is what the gateway answers, no more and no less.
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DOCUMENT, type Found, OPERATIONS, SEEN } from "./contract.ts";
import { ask, DRIVES, drive } from "./drives.ts";
import { type Asking, type Json, said, World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open({ bodyMs: 30 });
  drive(world);
});
afterAll(() => world.house.close());

it("is valid OpenAPI 3.1, and what is served is what the code has", async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(DOCUMENT) as never)).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
  expect((await ask("GET", "/v1/openapi.json", undefined, { by: null })).json).toEqual(DOCUMENT);
  expect((await new Validator().validate({ ...structuredClone(DOCUMENT), paths: { "/x": { get: { responses: { 200: {} } } } } } as never)).valid).toBe(false);
});

it("names every operation once, and every parameter that its path has", () => {
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  for (const { path, operation } of OPERATIONS) {
    const given = ((operation as Json).parameters ?? []).filter((each: Json) => each.in === "path").map((each: Json) => each.name);
    expect(given, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  }
});

it("has an operation for each that is driven here, and each that it has is driven here", () => {
  expect(Object.keys(DRIVES).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
});

it.each(OPERATIONS.map((each) => [each.id, each] as const))("%s answers as documented, where it does what it is for and where it does not", async (id) => {
  for (const [answer, status] of await DRIVES[id]!()) expect(answer.status, `${said(answer)} ${answer.text.slice(0, 300)}`).toBe(status);
});

/** A request of an operation whose answer is decided before what it asks for is looked at. */
function plain({ method, path, operation }: Found): [method: string, path: string, body: string | undefined, type: string] {
  const type = Object.keys(operation.requestBody?.content ?? { "application/json": {} })[0]!;
  return [method, path.replaceAll(/\{\w+\}/g, "x"), operation.requestBody === undefined ? undefined : "{}", type];
}

it.each(OPERATIONS.map((each) => [each.id, each] as const))("%s fails as every operation does", async (id, found) => {
  const [method, path, body, type] = plain(found);
  const send = (asking: Asking, at = path, sent: BodyInit | undefined = body) => world.ask(method, at, sent, { by: "root", type, ...asking });
  expect(said(await send({}, `${path}?constructor=x`))).toBe("400 request_invalid /?constructor");
  expect(said(await send({ headers: { origin: "https://evil.test" } }))).toBe("403 origin_unknown");
  if (path !== "/healthz") expect(said(await send({ headers: { host: "evil.test" } }))).toBe("421 host_unknown");
  if ((found.operation as Json).security.length > 0) expect(said(await send({ by: null }))).toBe("401 unauthorized");
  if (body !== undefined) {
    const never = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
    expect(said(await send({}, path, never))).toBe("408 body_time");
    expect(said(await send({}, path, " ".repeat(65_537)))).toBe("413 body_size");
    expect(said(await send({ type: "text/plain" }))).toBe("415 content_type");
    expect(said(await send({ headers: { "content-encoding": "gzip" } }))).toBe("415 content_type");
  }
  const { settings } = world;
  world.settings = new Proxy(settings, { get: () => { throw new Error("the test's own"); } });
  const broken = await send({});
  world.settings = settings;
  expect([said(broken), id !== "" && world.logged.at(-1)!.code]).toEqual(["500 internal", "internal"]);
  expect(broken.text).not.toContain("the test's own");
});

it("every operation says that the gateway stops, or that it has too much in hand", async () => {
  const full = await World.open({ inFlight: 0 });
  const ends = await World.open();
  await ends.door.drain(0);
  for (const found of OPERATIONS) {
    const [method, path, body, type] = plain(found);
    if (path !== "/healthz") expect(said(await full.ask(method, path, body, { by: "root", type })), found.id).toBe("503 busy");
    expect(said(await ends.ask(method, path, body, { by: "root", type })), found.id).toBe("503 stopping");
  }
  await Promise.all([full.house.close(), ends.house.close()]);
});

it("every status that is documented was answered here, and no other", () => {
  const documented = OPERATIONS.flatMap(({ id, operation }) => Object.keys(operation.responses).map((status) => `${id} ${status}`));
  expect([...SEEN].sort()).toEqual(documented.sort());
});
