// The boundary of the web hosts in each real runtime: who may set which member, who is let in, and what bodies are refused.
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeRuntime } from "../runtime/runtimes.ts";
import { Carried, type Json, nodeAnswers, said, send } from "./asking.ts";
import { type Host, HOSTS } from "./hosts.ts";
import { bindings, TOKENS } from "./shop.ts";

/** The rows of chapter 4's table, each with a value of its member. */
const TABLE: readonly (readonly [member: string, value: Json, setBy: "anyone" | "granted" | "host"])[] = [
  ["labels", { call: ["untrusted:read_inbox"] }, "anyone"],
  ["explain", true, "anyone"],
  ["history", { format: "qls-history/1", session: "t", entries: [] }, "anyone"],
  ["turns", ["4411"], "granted"],
  ["origins", { order_id: "typed" }, "granted"],
  ["context", { card_on_file: true }, "granted"],
  ["resource", {}, "granted"],
  ["agent", "desk", "granted"],
  ["principal", { id: "u-1" }, "granted"],
  ["confirmation", "x.y.z", "granted"],
  ["approvals", ["x.y.z"], "granted"],
  ["undo", { step: 0 }, "granted"],
  ["now", 1764445000, "host"],
  ["head", { step: -1, link: "", state: "" }, "host"],
  ["at", 1764445000, "host"],
  ["sends", 0, "host"],
];

/** Sends bytes as they are over a connection of their own; the first line of what comes back. */
function raw(host: Host, text: string | Uint8Array): Promise<string> {
  const { port } = new URL(host.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.end(text));
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}

for (const kind of HOSTS) {
  describeRuntime(`the boundary under ${kind.runtime.name}`, [kind.runtime], () => {
    let host: Host;
    beforeAll(async () => {
      host = await kind.start({ ...bindings, INTERLOCK_MAX_BODY: "65536" });
    });
    afterAll(() => host?.stop());
    const ORDER = '{"order_id":"4411"}';
    const request = (session: string, more: Json = {}) => JSON.stringify({ format: "qls-tool-check/1", session, tool: "get_order", arguments: { order_id: "1" }, ...more });

    it.each(TABLE)("%s is set by whom chapter 4 says", async (member, value, setBy) => {
      const body = request("t", { [member]: value });
      const byModel = said(await send(host, "/v1/check", body, { token: TOKENS.model }));
      const byService = said(await send(host, "/v1/check", body));
      const pointer = member === "origins" ? "/origins/order_id" : `/${member}`;
      if (setBy === "anyone") expect([byModel, byService].join()).not.toMatch(/member_/);
      else expect(byModel).toBe(setBy === "host" ? `403 member_reserved ${pointer}` : `403 member_not_granted ${pointer}`);
      if (setBy === "granted") expect(byService).not.toMatch(/member_|^[45]/);
      if (setBy === "host") expect(byService).toBe(`403 member_reserved ${pointer}`);
      // However the name is written.
      const escaped = body.replace(`"${member}":`, `"\\u00${member.charCodeAt(0).toString(16)}${member.slice(1)}" :`);
      expect(escaped).not.toBe(body);
      if (setBy !== "anyone") expect(said(await send(host, "/v1/check", escaped, { token: TOKENS.model }))).toBe(byModel);
    });

    it("takes the claim that only lowers trust, and a caller's own agent", async () => {
      expect(said(await send(host, "/v1/check", request("l", { origins: { order_id: "model" } }), { token: TOKENS.desk }))).toBe("allow allow");
      expect(said(await send(host, "/v1/check", request("m", { agent: "desk" }), { token: TOKENS.desk }))).toBe("allow allow");
      expect(said(await send(host, "/v1/check", request("n", { agent: "billing" }), { token: TOKENS.desk }))).toBe("403 member_not_granted /agent");
      const answer = await send(host, "/v1/check", request("o"), { token: TOKENS.desk });
      expect([answer.json.entry.agent, typeof answer.json.entry.principal]).toEqual(["desk", "string"]);
      expect(said(await send(host, "/v1/check", request("p", { principal: { id: "u-1" } }), { token: TOKENS.desk }))).toBe("403 member_not_granted /principal");
    });

    it("reports, admits and conforms only for callers that may", async () => {
      for (const [path, type] of [
        ["/v1/report", "application/json"],
        ["/v1/receipt", "application/json"],
        ["/conform", "application/x-ndjson"],
      ] as const)
        expect(said(await send(host, path, "{}", { token: TOKENS.model, type }))).toBe("403 not_granted");
      expect(said(await send(host, "/v1/report", '{"session":"s","at":1}'))).toBe("403 member_reserved /at");
      expect(said(await send(host, "/v1/report", '{"session":"s","policy":"p"}'))).toBe("400 request_invalid /policy");
      expect(said(await send(host, "/v1/receipt", '{"session":"s","sends":0}'))).toBe("403 member_reserved /sends");
      expect(said(await send(host, "/v1/receipt", '{"session":"s","op":"check"}'))).toBe("400 request_invalid /op");
      for (const path of ["/v1/report", "/v1/receipt"]) {
        expect(said(await send(host, path, '{"session":5}'))).toBe("400 request_invalid /session");
        expect((await send(host, path, "[]")).status).toBe(400);
        expect(said(await send(host, path, '{"session":"s","history":{"a":01}}'))).toMatch(/^400 json_/);
        expect(said(await send(host, path, '{"session":"s","session":"s"}'))).toMatch(/^400 json_duplicate/);
      }
    });

    it("lets in nobody without a known token, and looks at nothing before", async () => {
      for (const token of [null, "", "short", TOKENS.service.slice(1), `${TOKENS.service}x`, TOKENS.service.toUpperCase(), "a".repeat(4000)]) {
        const answer = await send(host, "/v1/check", "not even JSON", { token });
        expect([said(answer), answer.headers.get("www-authenticate")]).toEqual(["401 unauthorized", "Bearer"]);
        expect(said(await send(host, "/conform", "x", { token, type: "application/x-ndjson" }))).toBe("401 unauthorized");
      }
      const basic = await fetch(`${host.url}/v1/check`, { method: "POST", headers: { authorization: `Basic ${TOKENS.service}` }, body: "{}" });
      expect(basic.status).toBe(401);
    });

    it("answers other methods and paths with coded errors, and no other page", async () => {
      for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
        const answer = await send(host, "/v1/check", null, { method });
        expect([said(answer), answer.headers.get("allow")]).toEqual(["405 method", "POST"]);
        expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
      expect(said(await send(host, "/healthz", "{}"))).toBe("405 method");
      for (const path of ["/", "/v1", "/v1/check/", "/v1/Check", "/__proto__", "/constructor", "//v1/check"]) expect(said(await send(host, path, "{}"))).toBe("404 not_found");
    });

    it("refuses bodies of other types, too long ones, and what is no strict JSON", async () => {
      const check = (body: BodyInit | null, more: Json = {}) => send(host, "/v1/check", body, more).then(said);
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "application/jsonp"])
        expect(await check("{}", { type })).toBe("415 content_type");
      expect(await check(request("type"), { type: "Application/JSON; charset=UTF-8" })).not.toMatch(/^415/);
      const zipped = await fetch(`${host.url}/v1/check`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKENS.service}`, "content-type": "application/json", "content-encoding": "gzip" },
        body: "{}",
      });
      expect(zipped.status).toBe(415);
      expect(await check("x".repeat(65537))).toBe("413 body_size");
      // Chunked: nobody said how long it would be.
      let sent = 0;
      const chunks = new ReadableStream({
        async pull(controller) {
          await new Promise((passed) => setTimeout(passed, 1));
          if (sent++ < 64) controller.enqueue(new Uint8Array(4096).fill(0x20));
          else controller.close();
        },
      });
      expect(await check(chunks).catch(() => "413 body_size")).toBe("413 body_size");
      const halves = new ReadableStream({
        start(controller) {
          const bytes = new TextEncoder().encode(request("é", { agent: "desk" }));
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
      expect(await check(halves)).toBe("allow allow");
      expect(await check(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d))).toMatch(/^400 json_encoding/);
      expect(await check(Uint8Array.from([0xef, 0xbb, 0xbf, ...new TextEncoder().encode("{}")]))).toMatch(/^400 json_encoding/);
      for (const body of ["", " ", "{", "{}}", "null", "[]", '"x"', "{'a':1}", '{"a":1,}', '{"session":"s"} x', "\u0000", "NaN"])
        expect(await check(body)).toMatch(/^400 (?:json_|request_invalid|body_missing)/);
      // What is no object is refused as a whole: nothing of it becomes a member of what the core is asked.
      for (const path of ["/v1/report", "/v1/receipt"]) {
        for (const body of ["[1]", "1", '"x"', "null"]) expect(said(await send(host, path, body))).toBe("400 request_invalid ");
        for (const body of ["", "{", '1,"op":"keys"', '1,"session":"s","step":0,"status":"ran","at":1', '{"session":"s"}{}', "\ufeff{}"])
          expect(said(await send(host, path, body))).toMatch(/^400 json_(?:syntax|encoding) $/);
      }
      expect(await check('{"session":"s","session":"s"}')).toMatch(/^400 json_duplicate/);
      expect(await check(request("d").replace('"tool"', '"agent":"desk","agent":"desk","tool"'), { token: TOKENS.desk })).toMatch(/^400 json_duplicate/);
      expect(await check(request("a").replace('"order_id"', '"a":1,"a":2,"order_id"'))).toMatch(/^400 json_duplicate/);
      expect(await check(request("o").replace('"tool"', '"origins":{"order_id":"typed","order_id":"model"},"tool"'), { token: TOKENS.desk })).toMatch(/^400 json_duplicate/);
      expect(await check(request("q").replace('"tool"', '"origins":{"__proto__":"typed"},"tool"'), { token: TOKENS.desk })).toBe("403 member_not_granted /origins/__proto__");
      expect(await check(request("r").replace('"tool"', `"origins":${"[".repeat(20000)}${"]".repeat(20000)},"tool"`), { token: TOKENS.desk })).toMatch(/^400 /);
      expect(await check(`${request("b").slice(0, -1)},"x":1}`)).toBe("400 request_invalid /x");
      expect(await check(request("c").replace('"c"', "17"))).toBe("400 request_invalid /session");
      expect(await check(request("e").replace('"qls-tool-check/1"', '"qls-tool-check/2"'))).toBe("400 request_invalid /format");
      expect(await check(`${'{"session":"f","arguments":'}${"[".repeat(20000)}${"]".repeat(20000)}}`)).toMatch(/^400 json_depth/);
      // The place of what is wrong is counted in the body, although the host adds members to it.
      for (const body of ['{"session":"g","arguments":{"a":01}}', '{"session":"g","arguments":{"é":"\\ud800"}}  ']) {
        const { error } = (await send(host, "/v1/check", body)).json;
        expect(error).toEqual(JSON.parse(nodeAnswers(`"op":"check","policy":"p","keys":"k","base64":"${Buffer.from(body).toString("base64")}"`)).error);
      }
      for (const key of ["short", "x".repeat(129)]) expect(await check(request("k"), { key })).toBe("400 idempotency_key");
    });

    it("answers a request without an address as the client's fault", async () => {
      const of = (text: string) => raw(host, text).then((answer) => /^HTTP\/1\.[01] (\d)/.exec(answer)?.[1]);
      expect(await of("GET /healthz HTTP/1.1\r\nhost: a b/c\r\nconnection: close\r\n\r\n")).toBe("4");
      // Without a Host the runtime may know an address of its own, or none.
      expect(await of("GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/[24]/);
    });

    it("does not fall over connections that end in the middle", async () => {
      const head = `POST /v1/check HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKENS.service}\r\ncontent-type: application/json\r\n`;
      await raw(host, `${head}content-length: 500\r\n\r\n{"session"`).catch(() => "");
      await raw(host, `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"ses`).catch(() => "");
      await raw(host, `${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`).catch(() => "");
      expect(said(await new Carried(host, "after").check("get_order", ORDER))).toBe("allow allow");
    });
  });

  describeRuntime(`${kind.runtime.name}: a host that is not set up`, [kind.runtime], () => {
    it.each([
      ["without callers", { INTERLOCK_CALLERS: undefined }, true, "INTERLOCK_CALLERS"],
      ["with callers that are half understood", { INTERLOCK_CALLERS: '[{"name":"a","token":"b"}]' }, true, "INTERLOCK_CALLERS"],
      ["without a policy", { INTERLOCK_POLICY: undefined }, true, "INTERLOCK_POLICY"],
      ["with keys that sign nothing", { INTERLOCK_KEYS: '{"format":"qls-keys/1","keys":[],"preview":true,"digests":"plain"}' }, true, "INTERLOCK_KEYS"],
      ["without a place for heads", {}, false, "heads"],
    ])("serves nothing %s, and says what is missing", async (_, change, heads, missing) => {
      const given: Record<string, string> = {};
      for (const [name, text] of Object.entries({ ...bindings, ...change })) if (text !== undefined) given[name] = text;
      const host = await kind.start(given, { heads });
      try {
        const health = await send(host, "/healthz", null, { method: "GET", token: null });
        expect([health.status, health.json.ready]).toEqual([503, false]);
        expect(health.json.problems.map(({ binding }: Json) => (heads ? binding : binding.replace(/INTERLOCK_(?:SESSIONS|HEADS)/, "heads")))).toEqual([missing]);
        for (const path of ["/v1/check", "/v1/report", "/v1/receipt"]) expect(said(await send(host, path, "{}"))).toBe("503 not_configured");
      } finally {
        await host.stop();
      }
    });
  });
}
