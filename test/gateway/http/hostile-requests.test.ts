// Requests of hostile clients over a real socket: bodies, headers and targets that are wrong or say two things. Each gets a coded answer, no tool sees a call, and the gateway goes on.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { code, Listening } from "./socket.ts";

let listening: Listening;
let sessions = 0;
beforeAll(async () => {
  listening = await Listening.open({ inFlight: 4, bodyBytes: 65_536 });
});
afterAll(() => listening.close());
afterEach(async () => {
  expect(listening.world.house.tools.sent.splice(0)).toEqual([]);
  expect(code(await listening.ask("POST /v1/call", { body: call() }))).toBe("200 result");
  expect(listening.world.house.tools.sent.splice(0)).toHaveLength(1);
  expect(listening.world.logged).toEqual([]);
});

const call = (args = '{"order_id":"1"}', more = "") => `{"session":"s-${++sessions}","tool":"get_order","arguments":${args}${more}}`;
const post = (body: string, headers: readonly string[] = [], path = "/v1/call") => listening.ask(`POST ${path}`, { body, headers });

describe("bodies", () => {
  it.each([
    ["no JSON", "{", "400 json_syntax"],
    ["no object", "[]", "400 request_invalid"],
    ["a text", '"x"', "400 request_invalid"],
    ["two values", `${'{"session":"a"}'} {}`, "400 json_syntax"],
    ["a comment", '{"session":"a"/**/}', "400 json_syntax"],
    ["a trailing comma", '{"session":"a",}', "400 json_syntax"],
    ["NaN", '{"session":"a","tool":"get_order","arguments":{"order_id":NaN}}', "400 json_syntax"],
    ["a byte order mark", `\ufeff{"session":"a","tool":"get_order","arguments":{}}`, "400 json_encoding"],
    ["a member twice", '{"session":"a","tool":"get_order","tool":"charge_card","arguments":{"order_id":"1"}}', "400 json_duplicate"],
    ["a member twice, the second time escaped", '{"session":"a","tool":"get_order","to\\u006fl":"charge_card","arguments":{"order_id":"1"}}', "400 json_duplicate"],
    ["an argument twice", '{"session":"a","tool":"get_order","arguments":{"order_id":"1","order_id":"2"}}', "400 json_duplicate"],
    ["half of a surrogate pair", '{"session":"a","tool":"get_order","arguments":{"order_id":"\\ud800"}}', "400 json_surrogate"],
    ["a number that loses digits", '{"session":"a","tool":"get_order","arguments":{"order_id":"1"},"undo":{"step":9007199254740993}}', "400 json_number"],
    ["a wrong type", '{"session":"a","tool":["get_order"],"arguments":{"order_id":"1"}}', "400 request_invalid"],
    ["null for an object", '{"session":"a","tool":"get_order","arguments":null}', "400 request_invalid"],
    ["a member that there is not", '{"session":"a","tool":"get_order","arguments":{"order_id":"1"},"decision":"allow"}', "400 request_invalid"],
  ])("%s", async (_, body, told) => {
    expect(code(await post(body))).toBe(told);
    expect(code(await post(body, [], "/v1/check"))).toBe(told);
  });

  it("bytes that are no UTF-8", async () => {
    const whole = (bytes: number[]) => {
      const body = Buffer.concat([Buffer.from('{"session":"a","tool":"get_order","arguments":{"order_id":"'), Buffer.from(bytes), Buffer.from('"}}')]);
      return Buffer.concat([Buffer.from(listening.bytes("POST /v1/call", { headers: ["content-type: application/json", `content-length: ${body.length}`] })), body]);
    };
    for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) expect(await listening.raw(whole(bytes)), String(bytes)).toContain('"code":"json_encoding"');
  });

  it("too long, by what it says and by what comes, whole and in chunks", async () => {
    const long = `{"session":"${"a".repeat(70_000)}"}`;
    expect(code(await post(long))).toBe("413 body_size");
    expect(code(await listening.ask("POST /v1/call", { body: "{}", headers: ["content-length: 99999999999"] }))).toBe("413 body_size");
    const chunked = ["content-type: application/json", "transfer-encoding: chunked"];
    const bytes = listening.bytes("POST /v1/call", { headers: chunked });
    expect(await listening.raw(`${bytes}${`2000\r\n${"a".repeat(0x2000)}\r\n`.repeat(9)}0\r\n\r\n`)).toContain('"code":"body_size"');
    expect(await listening.raw(`${bytes}4\r\n{"se\r\n1\r\n}\r\n0\r\n\r\n`)).toContain('"code":"json_syntax"');
    expect(await listening.raw(`${bytes}zz\r\n{}\r\n0\r\n\r\n`)).toContain('"code":"http_invalid"');
    expect(await listening.raw(`${bytes}2;${"x".repeat(40_000)}\r\n{}\r\n0\r\n\r\n`)).toMatch(/"code":"(?:body_size|http_invalid)"/);
  });

  it("as deep as it may be long, and deep where only the check looks", async () => {
    const deep = `${"[".repeat(32_000)}${"]".repeat(32_000)}`;
    expect(code(await post(deep))).toBe("400 json_depth");
    expect(code(await post(`{"session":${deep}}`))).toMatch(/^400 json_depth/);
    expect(code(await post(call(`{"order_id":${deep}}`)))).toMatch(/^(?:400 json_depth|200 refused)$/);
    expect(code(await post(call('{"order_id":"1"}', `,"history":${deep}`)))).toMatch(/^(?:400 \w+|200 refused)$/);
    const many = `{${Array.from({ length: 5_000 }, (_, n) => `"a${n}":1`).join(",")}}`;
    expect(code(await post(call(many)))).toBe("200 refused");
    expect(code(await post(many))).toBe("400 request_invalid");
  });

  it.each([["text/plain"], ["text/json"], ["application/x-www-form-urlencoded"], ["multipart/form-data; boundary=x"], ["application/jsonp"], ["application/json; charset=utf-7"], ["application/json; charset=utf-16"], ["application/json, text/plain"], [""], ["application/merge-patch+json"]])("the content type %s", async (type) => {
    expect(code(await post(call(), [`content-type: ${type}`]))).toBe("415 content_type");
    expect(code(await post(call(), [`content-type: ${type}`], "/mcp"))).toMatch(/^4(?:06|15)/);
  });

  it("compressed", async () => {
    for (const encoding of ["gzip", "deflate", "br", "identity, gzip", "chunked"]) expect(code(await post(call(), [`content-encoding: ${encoding}`])), encoding).toBe("415 content_type");
  });
});

describe("headers and targets", () => {
  it.each([
    ["two content lengths", ["content-length: 2", "content-length: 3"]],
    ["a content length twice", ["content-length: 2", "content-length: 2"]],
    ["a content length and chunks", ["content-length: 4", "transfer-encoding: chunked"]],
    ["chunks and a content length", ["transfer-encoding: chunked", "content-length: 4"]],
    ["two transfer encodings", ["transfer-encoding: chunked", "transfer-encoding: identity"]],
    ["a transfer encoding that ends in something else", ["transfer-encoding: chunked, identity"]],
    ["a transfer encoding that is spelt otherwise", ["transfer-encoding: xchunked"]],
    ["a content length that is signed", ["content-length: +2"]],
    ["a content length in hexadecimal", ["content-length: 0x2"]],
    ["a space before the colon", ["content-length : 2"]],
    ["a header that goes on in the next line", ["x-a: b", " content-length: 2"]],
    ["a bare line feed", ["x-a: b\ncontent-length: 2"]],
    ["a zero byte", ["x-a: b\0c"]],
    ["a line without a colon", ["x-a"]],
  ])("%s", async (_, headers) => {
    const text = await listening.raw(listening.bytes("POST /v1/call", { headers: ["content-type: application/json", ...headers], body: "" }) + "{}");
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(text.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1);
    expect(text).toMatch(/"code":"(?:http_invalid|json_|request_invalid|content_type)/);
  });

  it("a second request that hides in a body is a body", async () => {
    const inner = listening.bytes("POST /v1/call", { body: call() });
    const text = await listening.raw(listening.bytes("POST /v1/call", { body: inner, headers: ["connection: keep-alive"] }) + listening.bytes("GET /healthz"));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 200"]);
  });

  it("headers that are longer than any", async () => {
    expect(await listening.raw(listening.bytes("GET /v1/healthz", { headers: [`x-a: ${"a".repeat(20_000)}`] }))).toMatch(/^HTTP\/1\.1 431 [\s\S]*"code":"headers_size"/);
    expect(await listening.raw(listening.bytes(`GET /v1/${"a".repeat(20_000)}`))).toMatch(/^HTTP\/1\.1 431 [\s\S]*"code":"headers_size"/);
  });

  // One answer for the API, for MCP, and for the console's place.
  it.each(["/v1/healthz", "/v1/openapi.json", "/mcp", "/", "/v1/nothing"])("another Host, two of them, none, or another page at %s", async (path) => {
    for (const headers of [["host: evil.test"], ["host: gate.test.evil.test"], ["host: evil.test:80"], ["host: gate.test", "host: evil.test"], ["host: evil.test", "host: gate.test"], ["host: gate.test", "host: gate.test"], ["host: evil.test", "x-forwarded-host: gate.test"], ["host: evil.test", "forwarded: host=gate.test"], ["host: localhost.evil.test"], ["host: localhost."]])
      expect(code(await listening.ask(`GET ${path}`, { headers })), headers.join()).toBe("421 host_unknown");
    for (const host of ["", "gate.test@evil.test", "gate.test/", "gate.test#", "a b", "[::1", "127.1", "0x7f.0.0.1"]) expect(code(await listening.ask(`GET ${path}`, { headers: [`host: ${host}`] })), host).toMatch(/^(?:400 request_invalid|421 host_unknown)$/);
    expect(await listening.raw(`GET ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`)).toContain('"code":"request_invalid"');
    expect(await listening.raw(`GET ${path} HTTP/1.0\r\n\r\n`)).toContain('"code":"request_invalid"');
    for (const origin of ["https://evil.test", "null", "http://gate.test.evil.test", "http://gate.test:81", "https://gate.test", "file://", "http://GATE.TEST"]) expect(code(await listening.ask(`GET ${path}`, { headers: [`origin: ${origin}`] })), origin).toBe("403 origin_unknown");
    for (const host of ["localhost:8484", "127.0.0.1", "[::1]:8484", "gate.internal", "GATE.TEST", "gate.test:9999"]) expect((await listening.ask(`GET ${path}`, { headers: [`host: ${host}`] })).status, host).not.toBe(421);
    for (const origin of ["http://gate.test", "https://desk.test"]) expect((await listening.ask(`GET ${path}`, { headers: [`origin: ${origin}`] })).status, origin).not.toBe(403);
  });

  it("a target that is a whole address is taken where it names the host that was asked", async () => {
    expect(code(await listening.ask("GET http://gate.test/v1/healthz"))).toBe("200");
    for (const target of ["http://evil.test/v1/healthz", "http://gate.test@evil.test/v1/healthz", "https://evil.test/mcp"]) expect(code(await listening.ask(`GET ${target}`)), target).toBe("421 host_unknown");
    expect(code(await listening.ask("GET http://evil.test/v1/healthz", { headers: ["origin: http://evil.test"] }))).toBe("421 host_unknown");
    for (const target of ["ftp://gate.test/v1/healthz", "gate.test/v1/healthz", "*", "?", "http://"]) expect((await listening.ask(`GET ${target}`)).status, target).toBeGreaterThanOrEqual(400);
    expect(await listening.raw(listening.bytes("CONNECT gate.test:443"))).not.toMatch(/^HTTP\/1\.1 2/);
  });

  it("two keys, a key in another place, and headers that say who somebody is", async () => {
    const key = listening.world.keys["model"]!;
    for (const headers of [
      [`authorization: Bearer ${key}`, `authorization: Bearer ${listening.world.keys["keeper"]}`], [`authorization: Bearer ${key}`, `authorization: Bearer ${key}`], [`authorization: Basic ${key}`], [`authorization: ${key}`],
      [`authorization: Bearer ${key} x`], [`authorization: Bearer "${key}"`], [`x-api-key: ${key}`, "authorization: x"], [`cookie: key=${key}`, "authorization: x"], [`proxy-authorization: Bearer ${key}`, "authorization: x"],
      ["x-forwarded-user: keeper", "authorization: x"], ["x-remote-user: keeper", "authorization: x"], ["x-forwarded-for: 127.0.0.1", "authorization: x"],
    ]) {
      expect(code(await listening.ask("POST /v1/call", { headers, body: call() })), headers.join()).toBe("401 unauthorized");
      expect(code(await listening.ask("POST /mcp", { headers: [...headers, "accept: */*"], body: "{}" })), headers.join()).toBe("401 unauthorized");
    }
    expect(code(await listening.ask(`GET /v1/healthz?key=${key}`, { by: null }))).toBe("401 unauthorized");
    expect(code(await listening.ask("GET /v1/policy", { headers: ["x-tenant: shop", "x-grants: policy", "x-original-url: /healthz", "x-rewrite-url: /healthz"] }))).toBe("403 not_granted");
  });

  it("another method than the one that is meant", async () => {
    const override = ["x-http-method-override: DELETE", "x-http-method: DELETE", "x-method-override: DELETE"];
    expect(code(await listening.ask("GET /v1/sessions/x", { headers: override, by: "keeper" }))).toBe("404 session_not_found");
    for (const method of ["PUT", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "HEAD", "PURGE"]) expect((await listening.ask(`${method} /v1/call`)).status, method).toBe(405);
    expect((await listening.raw(listening.bytes("post /v1/call", { body: call() }))).slice(9, 12)).toMatch(/^4/);
    expect(await listening.raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).toMatch(/^HTTP\/1\.1 4/);
    expect(code(await listening.ask("GET /v1/healthz", { headers: ["upgrade: h2c", "connection: upgrade, close"] }))).toBe("200");
  });

  it.each([
    "/v1/x/../policy", "/v1/./policy", "/v1/%2e%2e/v1/policy", "/v1/%2E/policy", "/v1/..%2fpolicy", "/v1\\policy", "/v1/policy/", "/v1//policy", "//v1/policy", "/v1/policy;x=1", "/v1/policy%00", "/v1/policy%20", "/v1/%70olicy%2f", "/V1/policy", "/v1/Policy",
    "/v1/policy%2e", "/v1/policy%", "/v1/%c0%ae%c0%ae/policy", "/v1/polic\u0443", "/v1/policy.json", "/v1/ｐolicy", "/healthz/../v1/policy", "/mcp/../v1/policy", "/v1/openapi.json/../policy", "/v1/%2570olicy", "/v1/%70olicy", "/v1/%50olicy", "/console/../v1/policy", "http://gate.test/v1/../v1/policy",
  ])("%s is no other spelling of a path that there is", async (path) => {
    const text = await listening.raw(Buffer.from(listening.bytes(`GET ${path}`, { by: "keeper" }), "utf8"));
    expect(text).toMatch(/^HTTP\/1\.1 (?:404|400) /);
    expect(text).not.toContain("qls-policy");
  });
});
