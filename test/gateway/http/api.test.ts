// The API over a whole gateway: what each caller may set and do, row by row; the way of calls and approvals; and every hostile request refused by its code.
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, describe, expect, it } from "vitest";
import { consoleFiles } from "../../../hosts/gateway/doors/http/console.ts";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import { KEYS, POLICY } from "../flow/shop.ts";
import { type Opened, opened } from "./open.ts";

const all: Opened[] = [];
const open = async (...more: Parameters<typeof opened>): Promise<Opened> => {
  const one = await opened(...more);
  all.push(one);
  return one;
};
afterEach(async () => {
  for (const { house } of all.splice(0)) await house.close();
});
const charge = (over: Record<string, unknown> = {}) => ({ session: "s", tool: "charge_card", arguments: { order_id: "4411", amount: 40 }, ...over });
const order = (over: Record<string, unknown> = {}) => ({ session: "s", tool: "get_order", arguments: { order_id: "4411" }, ...over });
const code = ({ json }: { json: any }) => json?.error?.code;

describe("who may set what (chapter 4)", () => {
  const values: Record<string, unknown> = {
    turns: ["charge order 4411 40"],
    origins: { order_id: "typed" },
    context: { card_on_file: true },
    resource: { owner: "u" },
    principal: { id: "u-1" },
    confirmation: "a.b.c",
    turn: "t-1",
  };
  for (const [name, value] of Object.entries(values)) {
    it(`${name}: granted to the host alone`, async () => {
      const { ask } = await open();
      const refused = await ask("bot", "POST", "/v1/check", order({ [name]: value }));
      expect([refused.status, code(refused), refused.json.error.pointer]).toStrictEqual([403, "member_not_granted", `/${name}`]);
      const taken = await ask("host", "POST", "/v1/check", order({ [name]: value }));
      expect(taken.status).toBe(200);
      expect(taken.json.decision).toBe("allow");
    });
  }
  it("undo: granted, and then the core judges it", async () => {
    const { ask } = await open();
    expect(code(await ask("bot", "POST", "/v1/check", charge({ undo: { step: 0 } })))).toBe("member_not_granted");
    expect((await ask("host", "POST", "/v1/check", charge({ undo: { step: 0 } }))).json.reason).toBe("compensation_mismatch");
  });
  it("now, at, head, sends, approvals: nobody, not even an administrator", async () => {
    const { ask, house } = await open();
    for (const name of ["now", "at", "head", "sends", "approvals"]) for (const who of ["bot", "host"]) expect(code(await ask(who, "POST", "/v1/check", order({ [name]: 1 }))), `${who} ${name}`).toBe("member_reserved");
    await ask("bot", "POST", "/v1/check", order());
    const { entries } = JSON.parse((await house.gateway.session("shop", "s"))!.history) as { entries: { at: number }[] };
    expect(entries.map(({ at }) => at)).toStrictEqual([Math.floor(house.now / 1000)]);
  });
  it("agent: the caller's own, the first unless named; principal of the caller's own is fixed", async () => {
    const { CALLERS } = await import("./open.ts");
    const { ask } = await open({}, { callers: CALLERS.map((caller) => (caller.name === "bot" ? { ...caller, agents: ["desk", "clerk"], principal: { id: "u-9" } } : caller)) });
    expect((await ask("bot", "POST", "/v1/check", order())).json.entry.agent).toBe("desk");
    expect((await ask("bot", "POST", "/v1/check", order({ session: "s2", agent: "clerk" }))).json.entry.agent).toBe("clerk");
    expect(code(await ask("bot", "POST", "/v1/check", order({ agent: "root" })))).toBe("agent_not_granted");
    expect(code(await ask("ann", "POST", "/v1/check", order()))).toBe("agent_not_granted");
    expect(code(await ask("bot", "POST", "/v1/check", order({ principal: { id: "u-1" } })))).toBe("member_not_granted");
    expect((await ask("bot", "POST", "/v1/check", order({ session: "s3" }))).json.entry.principal).not.toBeNull();
  });
  it("labels, the claim `model`, explain: anybody; they change nothing but labels added", async () => {
    const { ask } = await open();
    const answer = await ask("bot", "POST", "/v1/check", order({ labels: { call: ["untrusted:mail"] }, origins: { order_id: "model" }, explain: true }));
    expect(answer.json.entry).toMatchObject({ labels: ["untrusted:mail"], origins: { order_id: "model" } });
  });
});

describe("a call", () => {
  it("runs, and its arguments reach the core and the tool digit for digit", async () => {
    const { ask, house } = await open();
    const answer = await ask("bot", "POST", "/v1/call", '{"session":"s","tool":"get_order","arguments":{ "order_id": "44\\u0031\\u0031" }}');
    expect(answer.json).toMatchObject({ outcome: "result", failed: false, result: { made: "get_order" } });
    expect(house.tools.sent[0]!.arguments).toBe('{"order_id":"4411"}');
    for (const [args, reason] of [
      ['{"order_id":"1","order_id":"2"}', "json_duplicate_key"],
      ['{"order_id":"\\ud800"}', "json_lone_surrogate"],
    ]) {
      const refused = await ask("bot", "POST", "/v1/call", `{"session":"s","tool":"get_order","arguments":${args}}`);
      expect(refused.status, reason).toBe(400);
      expect(code(refused), reason).toMatch(/^json_/);
    }
    expect(house.tools.sent).toHaveLength(1);
  });

  it("asks people; they answer over the API; the call's end is waited for", async () => {
    const { ask, house } = await open();
    const pending = await ask("bot", "POST", "/v1/call", charge());
    expect([pending.status, pending.json.outcome]).toStrictEqual([202, "pending"]);
    const { approval, call } = pending.json;
    expect(code(await ask("bot", "POST", `/v1/approvals/${approval}/approve`, {}))).toBe("not_granted");
    expect(code(await ask("looker", "POST", `/v1/approvals/${approval}/approve`, {}))).toBe("not_granted");
    expect(code(await ask("other", "POST", `/v1/approvals/${approval}/approve`, {}))).toBe("approval_not_found");
    expect((await ask("looker", "GET", "/v1/approvals?state=open")).json.approvals.map(({ id }: { id: string }) => id)).toStrictEqual([approval]);
    const waiting = ask("bot", "GET", `/v1/calls/${call}/outcome?wait_ms=20000`);
    expect((await ask("ann", "POST", `/v1/approvals/${approval}/approve`, { why: "fine" })).json.state).toBe("approved");
    expect((await waiting).json).toMatchObject({ outcome: "result", call });
    expect(house.tools.sent).toHaveLength(1);
    expect(code(await ask("bob", "POST", `/v1/approvals/${approval}/deny`, { why: "late" }))).toBe("approval_closed");
  });

  it("is denied with words, edited, expired", async () => {
    const { ask, house } = await open();
    const asked = async (amount: number) => (await ask("bot", "POST", "/v1/call", charge({ arguments: { order_id: "1", amount } }))).json.approval as string;
    const first = await asked(1);
    expect(code(await ask("ann", "POST", `/v1/approvals/${first}/deny`, {}))).toBe("request_invalid");
    await ask("ann", "POST", `/v1/approvals/${first}/deny`, { why: "no" });
    expect((await ask("bot", "POST", "/v1/call", charge({ arguments: { order_id: "1", amount: 1 } }))).json).toMatchObject({ outcome: "refused", reason: "denied" });
    const edited = await ask("ann", "POST", `/v1/approvals/${await asked(2)}/edit`, '{"arguments":{"order_id":"1","amount":2.50}}');
    expect(edited.json.approval.state).toBe("edited");
    await expect.poll(() => house.tools.sent.map((sent) => sent.arguments)).toStrictEqual(['{"amount":2.5,"order_id":"1"}']);
    expect((await ask("ann", "POST", `/v1/approvals/${await asked(3)}/expire`)).json.state).toBe("expired");
  });

  it("gives the first result for the same Idempotency-Key, and refuses another body with it", async () => {
    const { ask, house } = await open();
    const headers = { "idempotency-key": "key-00000001" };
    const first = await ask("bot", "POST", "/v1/call", order(), headers);
    expect((await ask("bot", "POST", "/v1/call", order(), headers)).text).toBe(first.text);
    expect(house.tools.sent).toHaveLength(1);
    const other = await ask("bot", "POST", "/v1/call", order({ arguments: { order_id: "2" } }), headers);
    expect([other.status, code(other)]).toStrictEqual([422, "idempotency_key_reused"]);
    expect(code(await ask("bot", "POST", "/v1/call", order(), { "idempotency-key": "short" }))).toBe("idempotency_key");
  });

  it("at_most 1 admits exactly one of a hundred at once", async () => {
    const { ask, house } = await open({}, { limits: { inFlight: 200 } });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => ask("bot", "POST", "/v1/call", { session: "s", tool: "get_coupon", arguments: { order_id: String(index) } })));
    expect(answers.filter(({ json }) => json.outcome === "result")).toHaveLength(1);
    expect(answers.filter(({ json }) => json.reason === "order_rule")).toHaveLength(99);
    expect(house.tools.sent).toHaveLength(1);
  });

  it("refuses a history that was cut off, is another branch, or runs ahead", async () => {
    const { ask } = await open();
    const first = await ask("host", "POST", "/v1/check", order());
    const second = await ask("host", "POST", "/v1/check", order());
    const history = (entries: unknown[]) => ({ format: "qls-history/1", session: "s", entries });
    const [one, two] = [first.json.entry, second.json.entry];
    const detail = async (entries: unknown[]) => (await ask("host", "POST", "/v1/check", order({ history: history(entries) }))).json;
    expect(await detail([one])).toMatchObject({ reason: "history_invalid", detail: { head: "behind" } });
    expect(await detail([])).toMatchObject({ reason: "history_invalid", detail: { head: "behind" } });
    expect((await detail([one, { ...two, at: two.at + 1 }])).reason).toBe("history_invalid");
    expect((await detail([one, two])).decision).toBe("allow");
  });

  it("is reported by whoever made it, and its receipt admits it once", async () => {
    const { ask } = await open();
    const checked = await ask("host", "POST", "/v1/check", charge({ origins: { order_id: "context", amount: "context" } }));
    expect(checked.json.decision).toBe("confirm");
    const read = await ask("host", "POST", "/v1/check", order({ session: "s9" }));
    const receipt = { session: "s9", tool: "get_order", arguments: { order_id: "4411" } };
    expect((await ask("host", "POST", "/v1/receipt", receipt)).json).toMatchObject({ decision: "allow" });
    expect(code(await ask("bot", "POST", "/v1/receipt", receipt))).toBe("not_granted");
    const reported = await ask("host", "POST", "/v1/report", { session: "s9", step: read.json.step, status: "ran", result: { total: 40 } });
    expect(reported.json.entries[0].outcome).toMatchObject({ status: "ran" });
    expect(code(await ask("host", "POST", "/v1/report", { session: "s9", step: read.json.step, status: "ran" }))).toBe("outcome_already_reported");
  });
});

describe("the tenant", () => {
  it("is its callers' alone: nothing of another's is there", async () => {
    const { ask } = await open();
    const pending = (await ask("bot", "POST", "/v1/call", charge())).json;
    for (const path of [`/v1/approvals/${pending.approval}`, `/v1/calls/${pending.call}`, `/v1/calls/${pending.call}/outcome`, "/v1/sessions/s"]) expect((await ask("other", "GET", path)).status, path).toBe(404);
    expect((await ask("other", "GET", "/v1/approvals")).json.approvals).toStrictEqual([]);
    expect((await ask("other", "GET", "/v1/audit")).json.lines).toStrictEqual([]);
    expect((await ask("other", "GET", "/v1/kill")).json.kills).toStrictEqual([]);
    // A caller that is granted nothing sees its own calls and no others'.
    expect((await ask("bot", "GET", `/v1/calls/${pending.call}`)).json.state).toBe("asked");
    expect((await ask("host", "GET", `/v1/calls/${pending.call}`)).status).toBe(404);
  });

  it("has a policy, switches, sessions and a log that verifies", async () => {
    const { ask } = await open();
    const before = (await ask("root", "GET", "/v1/policy")).json;
    const source = JSON.stringify({ ...POLICY, settings: { receipt_ttl: 100 } });
    expect((await ask("root", "POST", "/v1/policy/diff", { source })).json.diff.length).toBe(1);
    const { id } = (await ask("root", "POST", "/v1/policy", { source })).json;
    expect((await ask("root", "GET", "/v1/policy")).json).toMatchObject({ id, policy: { settings: { receipt_ttl: 100 } } });
    expect((await ask("root", "POST", "/v1/policy/rollback", { id: before.id })).json.id).toBe(before.id);
    const wrong = await ask("root", "POST", "/v1/policy", { source: "tenant: [" });
    expect([wrong.status, code(wrong), wrong.json.error.detail.problems.length > 0]).toStrictEqual([422, "policy_invalid", true]);
    const kill = (await ask("root", "POST", "/v1/kill", { tool: "get_order", why: "leak" })).json;
    expect((await ask("bot", "POST", "/v1/check", order())).json).toMatchObject({ decision: "refuse", reason: "kill_switch" });
    expect((await ask("root", "DELETE", `/v1/kill/${kill.id}`)).json.lifted).toBe(kill.id);
    await ask("bot", "POST", "/v1/call", order());
    const exported = await ask("root", "GET", "/v1/audit/export");
    const lines = exported.text.trimEnd().split("\n");
    expect(await verifyAudit(lines, KEYS as never)).toMatchObject({ valid: true });
    expect((await ask("root", "GET", "/v1/audit?from=2&limit=3")).json).toMatchObject({ next: 5, lines: [{ seq: 2 }, { seq: 3 }, { seq: 4 }] });
    expect((await ask("root", "GET", "/v1/audit/verify")).json).toMatchObject({ valid: true });
    expect((await ask("looker", "GET", "/v1/sessions/s")).json.history.entries.length).toBeGreaterThan(0);
    expect((await ask("root", "DELETE", "/v1/sessions/s")).status).toBe(200);
    expect((await ask("looker", "GET", "/v1/sessions/s")).status).toBe(404);
    expect((await ask("root", "GET", "/v1/audit/verify")).json).toMatchObject({ valid: true });
  });

  it("every operation wants its right", async () => {
    const { ask } = await open();
    const operations: [string, string, unknown?][] = [
      ["GET", "/v1/approvals"], ["GET", "/v1/approvals/events"], ["GET", "/v1/approvals/x"], ["POST", "/v1/approvals/x/approve", {}], ["POST", "/v1/approvals/x/deny", { why: "x" }], ["POST", "/v1/approvals/x/edit", { arguments: {} }], ["POST", "/v1/approvals/x/expire"],
      ["GET", "/v1/listings"], ["POST", "/v1/listings/x/approve", { digest: "x" }], ["GET", "/v1/policy"], ["POST", "/v1/policy", { source: "" }], ["POST", "/v1/policy/diff", { source: "" }], ["POST", "/v1/policy/rollback", { id: "x" }],
      ["GET", "/v1/kill"], ["POST", "/v1/kill", { all: true, why: "x" }], ["DELETE", "/v1/kill/x"], ["GET", "/v1/audit"], ["GET", "/v1/audit/export"], ["GET", "/v1/audit/verify"], ["GET", "/v1/sessions/s"], ["DELETE", "/v1/sessions/s"], ["POST", "/v1/sessions/s/undo", { steps: "all" }],
      ["GET", "/v1/calls"], ["POST", "/v1/calls/x/settle", { status: "ran", why: "x" }], ["POST", "/v1/report", {}], ["POST", "/v1/receipt", {}], ["POST", "/v1/read", { turn: "x" }], ["GET", "/v1/metrics"],
    ];
    for (const [method, path, body] of operations) {
      expect(code(await ask("bot", method, path, body)), `${method} ${path}`).toBe("not_granted");
      expect((await ask(null, method, path, body)).status, `${method} ${path}`).toBe(401);
    }
  });
});

describe("a hostile request", () => {
  it("without a key, with a wrong one, an expired one, or one in another place is nobody's", async () => {
    const { ask, door } = await open();
    for (const authorization of ["", "Bearer", "Bearer ", "Basic aWs6", "Bearer ik_wrong", "bearer ik_the-key-of-late", `Bearer ${"x".repeat(9000)}`, "Bearer a b", "ik_the-key-of-root"]) {
      const answer = await ask(null, "GET", "/v1/policy", undefined, { authorization });
      expect([answer.status, code(answer)], authorization.slice(0, 40)).toStrictEqual([401, "unauthorized"]);
    }
    expect((await door.fetch(new Request("http://127.0.0.1:8484/v1/policy?key=ik_the-key-of-root"))).status).toBe(401);
  });

  it("to another name, or from another page, is turned away", async () => {
    const { ask } = await open();
    const from = async (headers: Record<string, string>) => (await ask("bot", "POST", "/v1/check", order({ session: Math.random().toString() }), headers)).status;
    expect(await from({ host: "evil.example" })).toBe(421);
    expect(await from({ host: "127.0.0.1.evil.example" })).toBe(421);
    expect(await from({ host: "gate.example" })).toBe(200);
    expect(await from({ host: "inside.example:99" })).toBe(200);
    expect(await from({ origin: "https://evil.example" })).toBe(403);
    expect(await from({ origin: "null" })).toBe(403);
    expect(await from({ origin: "https://pages.example" })).toBe(200);
    expect(await from({ origin: "http://127.0.0.1:8484" })).toBe(200);
  });

  it("by a strange path, method or type gets its code, and nothing is decided", async () => {
    const { ask, house } = await open({ console: () => null });
    for (const path of ["/v1/check/", "/V1/check", "/v1//check", "/v1/approvals/..%2fpolicy", "/v1/sessions/a%2fb", "/v1/%00", "/v2/check", "/.env", "/v1", "/v1/calls/a/b/c"]) expect((await ask("root", "GET", path)).status, path).toBe(404);
    for (const method of ["PUT", "PATCH", "OPTIONS", "HEAD"]) expect((await ask("bot", method, "/v1/check", method === "HEAD" || method === "OPTIONS" ? undefined : order())).status, method).toBe(405);
    expect((await ask("bot", "GET", "/v1/check")).headers.get("allow")).toBe("POST");
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", ""]) expect((await ask("bot", "POST", "/v1/check", order(), { "content-type": type })).status, type).toBe(415);
    expect((await ask("bot", "POST", "/v1/check", order(), { "content-encoding": "gzip" })).status).toBe(415);
    for (const id of ["__proto__", "constructor", "toString", "%F0%9F%98%80"]) {
      expect((await ask("looker", "GET", `/v1/sessions/${id}`)).status, id).toBe(404);
      expect((await ask("root", "GET", `/v1/approvals/${id}`)).status, id).toBe(404);
      expect((await ask("root", "DELETE", `/v1/kill/${id}`)).status, id).toBe(404);
    }
    expect(await house.gateway.session("shop", "s")).toBeNull();
  });

  it("with a body that is too long, too deep, no object, or has a member twice or unknown is refused", async () => {
    const { ask, house } = await open();
    expect(code(await ask("bot", "POST", "/v1/check", order({ session: "x".repeat(200_000) })))).toBe("body_size");
    const deep = `{"session":"s","tool":"get_order","arguments":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`;
    expect((await ask("bot", "POST", "/v1/check", deep)).status).toBe(400);
    for (const body of ["", "null", "[]", "{", '{"session":"s"', "1", '"x"', '{"session":"s","tool":"get_order","arguments":{},"tool":"charge_card"}', '{"session":"s","tool":"get_order","arguments":[]}', '{"session":1,"tool":"get_order","arguments":{}}', '{"session":"","tool":"get_order","arguments":{}}', '{"tool":"get_order","arguments":{}}', '{"session":"s","tool":"get_order","arguments":{},"__proto__":{}}', '{"session":"s","tool":"get_order","arguments":{},"admin":true}', '{"session":"s","tool":"get_order","arguments":{}} {}'])
      expect((await ask("bot", "POST", "/v1/check", body)).status, body).toBe(400);
    expect(code(await ask("bot", "POST", "/v1/check", order({ labels: { call: ["NOT A LABEL"] } })))).toBe("request_invalid");
    expect(await house.gateway.session("shop", "s")).toBeNull();
  });

  it("more than may be in hand waits for its turn elsewhere", async () => {
    const { ask, house, door } = await open({}, { limits: { inFlight: 2 } });
    const releases: (() => void)[] = [];
    house.tools.answer = () => new Promise((done) => releases.push(() => done({})));
    const running = [ask("bot", "POST", "/v1/call", order()), ask("bot", "POST", "/v1/call", order({ session: "s2" }))];
    await expect.poll(() => house.tools.sent.length).toBe(2);
    expect(door.inHand()).toBe(2);
    const third = await ask("bot", "POST", "/v1/check", order({ session: "s3" }));
    expect([third.status, code(third), third.headers.get("retry-after")]).toStrictEqual([503, "busy", "1"]);
    for (const release of releases) release();
    for (const answer of running) expect((await answer).json.outcome).toBe("result");
    expect((await ask("bot", "POST", "/v1/check", order({ session: "s3" }))).status).toBe(200);
  });
});

it("tells approvals' events as they happen", async () => {
  const { ask, door } = await open();
  const ending = new AbortController();
  const response = await door.fetch(new Request("http://127.0.0.1:8484/v1/approvals/events", { headers: { authorization: "Bearer ik_the-key-of-ann" }, signal: ending.signal }));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toContain("retry:");
  const pending = (await ask("bot", "POST", "/v1/call", charge())).json;
  let seen = "";
  while (!seen.includes(pending.approval)) seen += (await reader.read()).value;
  expect(seen).toMatch(/event: \S+\ndata: \{"id":/);
  ending.abort();
});

it("waits for a question by long poll", async () => {
  const { ask } = await open();
  const waiting = ask("ann", "GET", "/v1/approvals?state=open&wait_ms=20000");
  await new Promise((done) => setTimeout(done, 50));
  const pending = (await ask("bot", "POST", "/v1/call", charge())).json;
  expect((await waiting).json.approvals.map(({ id }: { id: string }) => id)).toStrictEqual([pending.approval]);
  expect((await ask("ann", "GET", "/v1/approvals?state=denied&wait_ms=50")).json.approvals).toStrictEqual([]);
});

it("has an OpenAPI document that its answers fit, and that names every path", async () => {
  const { ask } = await open();
  const { json: document } = await ask(null, "GET", "/v1/openapi.json");
  expect(document.openapi).toBe("3.1.0");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "api");
  const fits = (path: string, method: string, answer: { status: number; json: any }) => {
    const { responses } = document.paths[path][method];
    const which = responses[answer.status] === undefined ? "default" : String(answer.status);
    const pointer = ["paths", path, method, "responses", which, "content", "application/json", "schema"].map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
    const validate = ajv.compile({ $ref: `api#/${pointer.replaceAll("{", "%7B").replaceAll("}", "%7D")}` });
    expect(validate(answer.json), `${method} ${path} ${JSON.stringify(validate.errors)} ${JSON.stringify(answer.json).slice(0, 300)}`).toBe(true);
  };
  const pending = await ask("bot", "POST", "/v1/call", charge());
  fits("/v1/call", "post", pending);
  fits("/v1/call", "post", await ask("bot", "POST", "/v1/call", order()));
  fits("/v1/call", "post", await ask("bot", "POST", "/v1/call", order({ tool: "nope" })));
  fits("/v1/check", "post", await ask("bot", "POST", "/v1/check", order()));
  fits("/v1/check", "post", await ask("bot", "POST", "/v1/check", "{"));
  fits("/v1/approvals", "get", await ask("ann", "GET", "/v1/approvals"));
  fits("/v1/approvals/{id}", "get", await ask("ann", "GET", `/v1/approvals/${pending.json.approval}`));
  fits("/v1/approvals/{id}/approve", "post", await ask("ann", "POST", `/v1/approvals/${pending.json.approval}/approve`, {}));
  fits("/v1/approvals/{id}/deny", "post", await ask("ann", "POST", `/v1/approvals/${pending.json.approval}/deny`, { why: "x" }));
  fits("/v1/calls/{id}", "get", await ask("bot", "GET", `/v1/calls/${pending.json.call}`));
  fits("/v1/calls", "get", await ask("root", "GET", "/v1/calls"));
  fits("/v1/policy", "get", await ask("root", "GET", "/v1/policy"));
  fits("/v1/kill", "post", await ask("root", "POST", "/v1/kill", { tool: "x", why: "y" }));
  fits("/v1/kill", "get", await ask("root", "GET", "/v1/kill"));
  fits("/v1/listings", "get", await ask("ann", "GET", "/v1/listings"));
  fits("/v1/audit", "get", await ask("root", "GET", "/v1/audit"));
  fits("/v1/audit/verify", "get", await ask("root", "GET", "/v1/audit/verify"));
  fits("/v1/sessions/{id}", "get", await ask("root", "GET", "/v1/sessions/s"));
  fits("/v1/healthz", "get", await ask(null, "GET", "/v1/healthz"));
  // Every path of the document is served (a key is asked for, or it answers), and no other path is.
  for (const [path, methods] of Object.entries(document.paths as Record<string, object>)) for (const method of Object.keys(methods).filter((name) => name !== "parameters")) expect((await ask(null, method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x"))).status, `${method} ${path}`).toBe(/healthz|openapi/.test(path) ? 200 : 401);
});

it("serves the console's files with their types and policy, and nothing beside them", async () => {
  const { ask } = await open({ console: consoleFiles(new URL("../../../dist/console/", import.meta.url).pathname) });
  const page = await ask(null, "GET", "/");
  expect([page.status, page.headers.get("content-type")]).toStrictEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers.get("content-security-policy")).toMatch(/connect-src 'self'.*frame-ancestors 'none'/);
  const [, script] = /src="\.(\/assets\/[^"]+)"/.exec(page.text)!;
  expect((await ask(null, "GET", script!)).headers.get("cache-control")).toContain("immutable");
  expect((await ask(null, "POST", "/", "{}")).status).toBe(405);
  for (const path of ["/../package.json", "/assets/", "/index.html/x", "/console"]) expect((await ask(null, "GET", path)).status, path).toBe(404);
});
