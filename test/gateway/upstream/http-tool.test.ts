// HTTP tools: values that cannot leave their place, no way to another origin, and what each kind of answer means.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { HttpToolSettings } from "../../../hosts/gateway/config/settings.ts";
import { NotSendable, requestOf } from "../../../hosts/gateway/upstream/http-tool.ts";
import { createUpstream, type McpUpstream } from "../../../hosts/gateway/upstream/upstream.ts";
import { callRecord } from "../call.ts";
import { bodyOf, json, type Listening, listenRaw } from "./listening.ts";
import { send, tenant, TOOL } from "./tenant.ts";

const tool = (method: HttpToolSettings["method"], url: string, more: Partial<HttpToolSettings> = {}): HttpToolSettings => ({ method, url, headers: {}, idempotencyHeader: null, reconcile: null, ...more });
const url = (args: string, template = "https://api.example/users/{id}/files/{name}.txt?v=2", method: HttpToolSettings["method"] = "GET") => requestOf(tool(method, template), args).url.href;

it("a path argument stays in its segment, whatever is in it", () => {
  const base = "https://api.example/users/";
  expect(url('{"id":7,"name":"a"}')).toBe(`${base}7/files/a.txt?v=2`);
  expect(url('{"id":12345678901234567890,"name":true}')).toBe(`${base}12345678901234567890/files/true.txt?v=2`);
  expect(url('{"id":"../../admin","name":"a"}')).toBe(`${base}..%2F..%2Fadmin/files/a.txt?v=2`);
  expect(url('{"id":"a/b?x=1#y","name":"%2e%2e\\\\\\r\\nHost: evil"}')).toBe(`${base}a%2Fb%3Fx%3D1%23y/files/%252e%252e%5C%0D%0AHost%3A%20evil.txt?v=2`);
  expect(url('{"id":"@evil.example","name":"é\\u202e"}')).toBe(`${base}%40evil.example/files/%C3%A9%E2%80%AE.txt?v=2`);
  for (const id of ['".."', '"."', '""', "null", "{}", "[]"]) expect(() => url(`{"id":${id},"name":"a"}`), id).toThrow(NotSendable);
  expect(() => url('{"name":"a"}')).toThrow(NotSendable);
});

it("other arguments go to the query of GET and DELETE, and to the body of the rest, their digits untouched", () => {
  expect(url('{"a":[1,"x&y"],"b":"1=2","c":{"d":1.50},"id":"u"}', "https://api.example/{id}")).toBe("https://api.example/u?a=1&a=x%26y&b=1%3D2&c=%7B%22d%22%3A1.50%7D");
  const { body, url: to } = requestOf(tool("POST", "https://api.example/{id}"), '{"amount":1e+22,"id":"u","note":"\\u2028"}');
  expect([to.href, body]).toEqual(["https://api.example/u", '{"amount":1e+22,"note":"\\u2028"}']);
});

it("no argument reaches the host, the query's text, or a user's name", () => {
  for (const template of ["https://{id}.example/x", "https://api.example/x?q={id}", "https://api.example{id}", "ftp://api.example/{id}", "https://api.example/#{id}"]) {
    expect(() => url('{"id":"x"}', template), template).toThrow(NotSendable);
  }
  expect(() => url('{"id":"x"}', "https://user:word@api.example/{id}")).toThrow(NotSendable);
});

let listening: Listening;
let elsewhere: Listening;
let upstream: McpUpstream;
const seen: { url: string; method: string; headers: Record<string, unknown>; body: string }[] = [];
let reachedElsewhere = 0;

beforeAll(async () => {
  const gone = await listenRaw(() => undefined);
  await gone.close();
  elsewhere = await listenRaw((_, response) => {
    reachedElsewhere++;
    json(response, { elsewhere: true });
  });
  listening = await listenRaw(async (request, response) => {
    seen.push({ url: request.url!, method: request.method!, headers: request.headers, body: await bodyOf(request) });
    const path = request.url!.split("?")[0];
    if (path === "/ok") json(response, '{"order":12345678901234567890,"ok":true}');
    else if (path === "/text") response.writeHead(200, { "content-type": "text/plain" }).end('"not json"');
    else if (path === "/empty") response.writeHead(204).end();
    else if (path === "/huge") json(response, `"${"x".repeat(3_000_000)}"`);
    else if (path === "/latin") response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x22, 0xe9, 0x22]));
    else if (path === "/bad") json(response, { why: "no" }, 422);
    else if (path === "/broken") json(response, { why: "oops" }, 500);
    else if (path === "/away") response.writeHead(302, { location: `${elsewhere.url}/x` }).end();
    else if (path === "/moved") response.writeHead(302, { location: "/ok" }).end();
    else if (path === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (path === "/torn") request.socket.destroy();
    else if (path === "/half") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write('{"a":');
      setTimeout(() => request.socket.destroy(), 20);
    } else if (path === "/operations/op-ran") json(response, { done: true });
    else if (path === "/operations/op-lost") json(response, {}, 404);
    else if (path === "/operations/op-odd") json(response, {}, 500);
  });
  const to = (path: string) => `${listening.url}${path}`;
  upstream = createUpstream(
    tenant({}, {
      ok: tool("POST", to("/ok"), { headers: { authorization: "Bearer k" }, idempotencyHeader: "Idempotency-Key", reconcile: to("/operations/{key}") }),
      text: tool("GET", to("/text")), empty: tool("DELETE", to("/empty")), huge: tool("GET", to("/huge")), latin: tool("GET", to("/latin")), bad: tool("POST", to("/bad")), broken: tool("POST", to("/broken")),
      broken_get: tool("GET", to("/broken")), away: tool("GET", to("/away")), away_post: tool("POST", to("/away")), moved: tool("GET", to("/moved")), loop: tool("GET", to("/loop")), torn: tool("POST", to("/torn")),
      half: tool("POST", to("/half")), hang: tool("POST", to("/hang")), closed: tool("POST", `${gone.url}/x`), header: tool("POST", to("/ok"), { headers: { "x-a": "1\r\nx-b: 2" } }),
      stray: tool("POST", to("/ok"), { reconcile: `${elsewhere.url}/{key}` }),
    }),
  );
});
afterAll(async () => {
  await upstream.close();
  await listening.close();
  await elsewhere.close();
});

it("a call is one request; its key goes in the header that the settings name", async () => {
  const sent = await send(upstream, "ok", '{"amount":40}');
  expect(sent).toMatchObject({ status: "ran", result: '{"status":200,"body":{"order":12345678901234567890,"ok":true}}', fields: '{"order":12345678901234567890,"ok":true}' });
  expect(seen.at(-1)).toMatchObject({ method: "POST", body: '{"amount":40}', headers: { "idempotency-key": "op-1", authorization: "Bearer k", "content-type": "application/json" } });
  await send(upstream, "ok", "{}", { operation: "a key\nwith: lines" });
  expect(seen.at(-1)!.headers["idempotency-key"]).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await send(upstream, "text", '{"q":"a b"}')).toMatchObject({ status: "ran", result: '{"status":200,"body":"\\"not json\\""}' });
  expect(seen.at(-1)!.url).toBe("/text?q=a+b");
  expect(await send(upstream, "empty", "{}")).toMatchObject({ status: "ran", result: '{"status":204,"body":""}' });
});

it("what did not run failed; what may have run is unknown", async () => {
  const status = async (name: string, more: Parameters<typeof send>[3] = {}) => {
    const { status: said, error } = await send(upstream, name, "{}", more);
    return [said, error?.code];
  };
  expect(await status("bad")).toEqual(["failed", "tool_error"]);
  expect(await status("broken")).toEqual(["outcome_unknown", "tool_error"]);
  expect(await status("broken_get")).toEqual(["failed", "tool_error"]);
  expect(await status("closed")).toEqual(["failed", "tool_unreachable"]);
  expect(await status("torn")).toEqual(["outcome_unknown", "tool_unreachable"]);
  expect(await status("half")).toEqual(["outcome_unknown", "tool_unreachable"]);
  expect(await status("huge")).toEqual(["outcome_unknown", "result_too_large"]);
  expect(await status("latin")).toEqual(["outcome_unknown", "result_malformed"]);
  expect(await status("hang", { settings: { ...TOOL, timeoutMs: 100 } })).toEqual(["outcome_unknown", "tool_timeout"]);
  expect(await status("header")).toEqual(["failed", "arguments_unsendable"]);
});

it("no redirect leads to another origin, and a write's is not followed", async () => {
  expect(await send(upstream, "moved", "{}")).toMatchObject({ status: "ran" });
  expect(await send(upstream, "away", "{}")).toMatchObject({ status: "failed", error: { code: "redirected" } });
  expect(await send(upstream, "loop", "{}")).toMatchObject({ status: "failed", error: { code: "redirected" } });
  expect(await send(upstream, "away_post", "{}")).toMatchObject({ status: "outcome_unknown", error: { code: "redirected" } });
  expect(reachedElsewhere).toBe(0);
});

it("an operation is asked for by its key", async () => {
  const ask = (operation: string, name = "ok") => upstream.reconcile(callRecord({ tool: name, operation }), null);
  expect(await ask("op-ran")).toMatchObject({ status: "ran", fields: '{"done":true}' });
  expect(await ask("op-lost")).toMatchObject({ status: "failed", error: { code: "tool_never_ran" } });
  expect(await ask("op-odd")).toBeNull();
  expect(await ask("op-ran", "text")).toBeNull();
  expect(await ask("op-ran", "stray")).toBeNull();
  expect(reachedElsewhere).toBe(0);
});

it("its listing is where it sends, without the headers' secrets", async () => {
  const listed = await upstream.tool("shop", "ok");
  expect(listed).toMatchObject({ tool: "ok", server: "http", listing: `{"description":"POST ${listening.url}/ok","name":"ok"}` });
  expect(JSON.stringify(await upstream.listed("shop"))).not.toContain("Bearer");
});
