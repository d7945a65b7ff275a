// Hooks before and after a call, as modules, commands and webhooks: in order, within their limits, and a failed one never lets a call through unless its settings say so.
import { createHmac } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HookSettings } from "../../../hosts/gateway/config/settings.ts";
import { createHooks } from "../../../hosts/gateway/hooks/hooks.ts";
import { verifies } from "../../../hosts/gateway/notify/webhook.ts";
import { callRecord } from "../call.ts";

const folder = mkdtempSync(join(tmpdir(), "hooks-"));
const module = (name: string, body: string): HookSettings["run"] => {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, body);
  return { kind: "module", path };
};
const command = (script: string): HookSettings["run"] => ({ kind: "command", command: process.execPath, args: ["-e", script] });
const answering = (answer: unknown): HookSettings["run"] => command(`process.stdout.write(${JSON.stringify(JSON.stringify(answer))})`);
const hook = (run: HookSettings["run"], over: Partial<HookSettings> = {}): HookSettings => ({
  name: "h",
  when: "pre",
  tools: ["*"],
  run,
  timeoutMs: 20_000,
  onFailure: "refuse",
  escalateOnly: false,
  trusted: false,
  ...over,
});
const made: ReturnType<typeof createHooks>[] = [];
const hooks = (...settings: HookSettings[]) => {
  const all = createHooks(() => settings, () => 1_764_445_000);
  made.push(all);
  return all;
};
afterAll(() => {
  for (const all of made) all.close();
  rmSync(folder, { recursive: true });
});

describe("a pre-call hook", () => {
  it("sees the canonical arguments and who calls, and no other member", async () => {
    const echo = command(`let t="";process.stdin.on("data",(d)=>t+=d).on("end",()=>process.stdout.write(JSON.stringify({answer:"deny",message:t})))`);
    const { message } = await hooks(hook(echo)).pre(callRecord({ arguments: '{"order_id":"4411","amount":4.0e1}', principal: { id: "u-1" }, labels: { call: ["untrusted:mail"] } }));
    expect(JSON.parse(message!)).toStrictEqual({
      format: "qls-hook/1",
      when: "pre",
      hook: "h",
      call: callRecord().id,
      session: "s-1",
      agent: "desk",
      tool: "charge_card",
      principal: { id: "u-1" },
      labels: { call: ["untrusted:mail"] },
      arguments: { amount: 40, order_id: "4411" },
    });
  });

  it("is asked only about its tools, and in order; the first that denies ends it", async () => {
    const all = hooks(hook(answering({ answer: "deny" }), { name: "other", tools: ["refund_card"] }), hook(answering({ answer: "escalate", message: "look" }), { name: "first" }), hook(answering({ answer: "deny", message: "no" }), { name: "second" }), hook(command("process.exit(1)"), { name: "third" }));
    expect(await all.pre(callRecord())).toStrictEqual({ answer: "deny", hook: "second", message: "no", arguments: callRecord().arguments, changed: {} });
    expect(await all.pre(callRecord({ tool: "refund_card" }))).toMatchObject({ answer: "deny", hook: "other" });
  });

  it("changes arguments one after the other; an untrusted hand stays on what it touched", async () => {
    const add = (name: string, over: Partial<HookSettings>, body: string) => hook(module(name, `export default ({ arguments: a }) => ({ answer: "modify", arguments: (${body})(a) });`), { name, ...over });
    const all = hooks(add("cap", {}, "(a) => ({ ...a, amount: 30 })"), add("round", { trusted: true }, "(a) => ({ ...a, amount: 35, note: 'x' })"), hook(answering({ answer: "escalate" }), { name: "eyes" }));
    expect(await all.pre(callRecord())).toStrictEqual({
      answer: "escalate",
      hook: "eyes",
      message: null,
      arguments: '{"amount":35,"note":"x","order_id":"4411"}',
      changed: { amount: { hook: "round", trusted: false }, note: { hook: "round", trusted: true } },
    });
  });

  it("leaves the arguments' own text where nothing was changed", async () => {
    const same = hook(module("same", `export default ({ arguments: a }) => ({ answer: "modify", arguments: a });`));
    expect(await hooks(same).pre(callRecord({ arguments: '{ "amount": 4.0e1, "order_id": "4411" }' }))).toStrictEqual({ answer: "allow", hook: null, message: null, arguments: '{ "amount": 4.0e1, "order_id": "4411" }', changed: {} });
  });

  it("is not asked about arguments that the core does not read", async () => {
    for (const text of ['{"a":1,"a":2}', "{", '{"n":12345678901234567890}']) {
      expect(await hooks(hook(answering({ answer: "deny" }))).pre(callRecord({ arguments: text }))).toStrictEqual({ answer: "allow", hook: null, message: null, arguments: text, changed: {} });
    }
  });

  const failures: [string, HookSettings["run"]][] = [
    ["exits with an error", command(`console.error("broken"); process.exit(3)`)],
    ["is not there", { kind: "command", command: join(folder, "missing"), args: [] }],
    ["answers nothing", command("")],
    ["answers half of it", command(`process.stdout.write('{"answer":"allow"')`)],
    ["answers no answer of its kind", answering({ answer: "release" })],
    ["answers a member that there is not", answering({ answer: "allow", allow: true })],
    ["answers twice", command(`process.stdout.write('{"answer":"deny","answer":"allow"}')`)],
    ["brings arguments without modify", answering({ answer: "allow", arguments: {} })],
    ["modifies without arguments", answering({ answer: "modify" })],
    ["modifies to a list", answering({ answer: "modify", arguments: [] })],
    ["modifies to what is no strict JSON", command(`process.stdout.write('{"answer":"modify","arguments":{"a":1,"a":2}}')`)],
    ["answers a prototype's name", command(`process.stdout.write('{"answer":"constructor"}')`)],
    ["throws", module("throws", `export default () => { throw new Error("broken"); };`)],
    ["exports nothing", module("nothing", "export const hook = 1;")],
    ["is no module", module("broken", "export default (")],
    ["answers what JSON has not", module("undefined", "export default () => undefined;")],
    ["ends its thread", module("exits", "export default () => process.exit(0);")],
  ];
  for (const [what, run] of failures) {
    it(`refuses where it ${what}; asks or goes on only where the settings say so`, async () => {
      expect(await hooks(hook(run)).pre(callRecord())).toMatchObject({ answer: "deny", hook: "h", failed: true, changed: {} });
      const asked = await hooks(hook(run, { onFailure: "ask" })).pre(callRecord());
      // Arguments that are no strict JSON are refused whatever the settings say: there is nothing left to go on with.
      if (what !== "modifies to what is no strict JSON") {
        expect(asked).toMatchObject({ answer: "escalate", hook: "h", changed: {} });
        expect(await hooks(hook(run, { onFailure: "allow" })).pre(callRecord())).toMatchObject({ answer: "allow", changed: {} });
      } else expect(asked).toMatchObject({ answer: "deny" });
    });
  }

  it("is ended at its time limit, with what it started, and the next question is answered", async () => {
    const pid = join(folder, "pid");
    const sleepy = command(`const c=require("child_process").spawn(process.execPath,["-e","setTimeout(()=>{},60000)"],{stdio:"ignore"});require("fs").writeFileSync(${JSON.stringify(pid)},String(c.pid));setTimeout(()=>{},60000)`);
    expect(await hooks(hook(sleepy, { timeoutMs: 1500 })).pre(callRecord())).toMatchObject({ answer: "deny", failed: true, message: expect.stringContaining("1500 ms") });
    const spinning = hooks(hook(module("spin", `export default ({ tool }) => { if (tool === "charge_card") for (;;); return { answer: "allow" }; };`), { timeoutMs: 1500 }));
    expect(await spinning.pre(callRecord())).toMatchObject({ answer: "deny", failed: true });
    expect(await spinning.pre(callRecord({ tool: "refund_card" }))).toMatchObject({ answer: "allow" });
    // Ended, or ended and not yet waited for by whoever inherited it.
    const state = (id: string) => (existsSync(`/proc/${id}/stat`) ? readFileSync(`/proc/${id}/stat`, "utf8").split(" ")[2] : "gone");
    await expect.poll(() => state(readFileSync(pid, "utf8"))).toMatch(/^(?:Z|gone)$/);
  });

  it("may only escalate where the settings say so", async () => {
    for (const answer of [{ answer: "deny" }, { answer: "modify", arguments: {} }]) {
      expect(await hooks(hook(answering(answer), { escalateOnly: true })).pre(callRecord())).toMatchObject({ answer: "deny", failed: true });
    }
    expect(await hooks(hook(answering({ answer: "escalate" }), { escalateOnly: true })).pre(callRecord())).toMatchObject({ answer: "escalate" });
  });

  it("sees none of the gateway's environment", async () => {
    process.env["GATEWAY_SECRET_FOR_TEST"] = "hush";
    const looks = command(`process.stdout.write(JSON.stringify({answer:"deny",message:String(process.env.GATEWAY_SECRET_FOR_TEST)}))`);
    const thread = module("env", `export default () => ({ answer: "deny", message: String(process.env.GATEWAY_SECRET_FOR_TEST) });`);
    expect((await hooks(hook(looks)).pre(callRecord())).message).toBe("undefined");
    expect((await hooks(hook(thread)).pre(callRecord())).message).toBe("undefined");
    delete process.env["GATEWAY_SECRET_FOR_TEST"];
  });
});

describe("a post-call hook", () => {
  const post = (run: HookSettings["run"], over: Partial<HookSettings> = {}) => hook(run, { when: "post", ...over });
  const result = '{"content":[{"type":"text","text":"secret 12345678901234567890"}]}';
  it("redacts one after the other, or withholds", async () => {
    const redact = post(module("redact", `export default ({ result }) => ({ answer: "redact", result: { content: [...result.content, "more"] } });`));
    const both = await hooks(redact, redact).post(callRecord(), '{"content":[]}');
    expect(both).toStrictEqual({ answer: "release", hook: null, message: null, result: '{"content":["more","more"]}' });
    expect(await hooks(redact, post(answering({ answer: "withhold", message: "private" }), { name: "w" })).post(callRecord(), result)).toStrictEqual({ answer: "withhold", hook: "w", message: "private", result: null });
    expect((await hooks(post(answering({ answer: "release" }))).post(callRecord(), result)).result).toBe(result);
  });
  it("withholds where it fails, unless the settings let the result through", async () => {
    for (const run of [command("process.exit(1)"), answering({ answer: "allow" }), answering({ answer: "redact" }), answering({ answer: "redact", result: "text" }), command(`process.stdout.write('{"answer":"redact","result":{"a":1,"a":2}}')`)]) {
      expect(await hooks(post(run)).post(callRecord(), result)).toMatchObject({ answer: "withhold", result: null });
      expect(await hooks(post(run, { onFailure: "ask" })).post(callRecord(), result)).toMatchObject({ answer: "withhold", result: null });
      expect(await hooks(post(run, { onFailure: "allow" })).post(callRecord(), result)).toMatchObject({ answer: "release", result });
    }
  });
});

describe("a webhook", () => {
  const secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQ";
  let server: Server;
  let url: string;
  let answer: (path: string) => { status: number; body?: string; headers?: Record<string, string>; hang?: boolean };
  const seen: { headers: Record<string, string | string[] | undefined>; body: string }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => {
        body += part.toString("utf8");
      });
      request.on("end", () => {
        seen.push({ headers: request.headers, body });
        const { status, body: text = "", headers = {}, hang } = answer(request.url!);
        if (!hang) response.writeHead(status, headers).end(text);
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const web = (over: Partial<HookSettings> = {}) => hooks(hook({ kind: "webhook", url, secret }, over));

  it("is signed so that its receiver can tell", async () => {
    answer = () => ({ status: 200, body: '{"answer":"allow"}' });
    expect(await web().pre(callRecord())).toMatchObject({ answer: "allow" });
    const { headers, body } = seen.at(-1)!;
    const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => String(headers[name])) as [string, string, string];
    expect(signature).toBe(`v1,${createHmac("sha256", Buffer.from(secret, "base64url")).update(`${id}.${timestamp}.${body}`).digest("base64")}`);
    expect(timestamp).toBe("1764445000");
    const told = { id, timestamp, signature: `v1,AAAA ${signature}` };
    expect(verifies(told, body, secret, 1_764_445_299)).toBe(true);
    expect(verifies(told, body, secret, 1_764_445_301)).toBe(false);
    expect(verifies(told, `${body} `, secret, 1_764_445_000)).toBe(false);
    expect(verifies({ ...told, timestamp: "1764445001" }, body, secret, 1_764_445_000)).toBe(false);
  });

  it("fails by any other status, by a redirection, and at its limits", async () => {
    for (const bad of [{ status: 201, body: '{"answer":"allow"}' }, { status: 500 }, { status: 302, headers: { location: `${url}other` } }, { status: 200, body: " ".repeat(9_000_000) }, { status: 200, hang: true }]) {
      answer = (path) => (path === "/other" ? { status: 200, body: '{"answer":"allow"}' } : bad);
      expect(await web({ timeoutMs: 1500 }).pre(callRecord())).toMatchObject({ answer: "deny", failed: true });
    }
  });
});
