// Keys are rotated while calls wait for people: what the old ones signed goes on verifying as long as they stay in the set, and refuses once they are retired.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import { createAuthenticate } from "../../../hosts/gateway/callers/authenticate.ts";
import { newKey as newCallerKey } from "../../../hosts/shared/caller-keys.ts";
import { verifies } from "../../../hosts/gateway/notify/webhook.ts";
import { newKey, withKey } from "../../../hosts/cli/keys.ts";
import { APPROVER, KEYS, proposal } from "../flow/shop.ts";
import { House } from "../start/house.ts";

let house: House;
beforeEach(() => {
  house = new House();
});
afterEach(() => house.remove());

const SET = KEYS as unknown as Parameters<typeof withKey>[0];
const decide = (approval: string) => house.parts!.gateway.decide(APPROVER, approval, { answer: "approve" });
const write = async (name: string, session = "chat-1") => {
  const path = join(house.files, name);
  const asked = await house.parts!.gateway.call(proposal("write_file", { path, content: name }, { session }));
  if (asked.kind !== "pending") throw new Error(`nothing is asked: ${JSON.stringify(asked)}`);
  return { path, asked, end: () => house.parts!.gateway.outcome("shop", asked.call.id, 20_000) };
};
const rotate = async (set: unknown) => {
  house.keys(set);
  expect(await house.live!.reload()).toMatchObject({ outcome: "taken" });
};

it.each(["HS256", "EdDSA"] as const)("the tenant's signing key, to %s: a question asked before is answered after, the session goes on, its history and the log verify", async (alg) => {
  await house.make("audit: {checkpoint_entries: 1}\n");
  await house.start();
  const waiting = await write("a1.txt");
  const next = withKey(SET, newKey(alg, "sign", "next"));
  await rotate(next);
  await decide(waiting.asked.approval);
  expect((await waiting.end())?.kind).toBe("result");
  expect(readFileSync(waiting.path, "utf8")).toBe("a1.txt");
  const later = await write("b1.txt");
  await decide(later.asked.approval);
  expect((await later.end())?.kind).toBe("result");
  const { history } = (await house.parts!.gateway.session("shop", "chat-1"))!;
  const kids = (JSON.parse(history) as { entries: { token: string }[] }).entries.map(({ token }) => token.split(".")[0]);
  expect(new Set(kids)).toEqual(new Set(["gate", "next"]));
  expect(await verifyAudit(await house.audit(), next as never)).toMatchObject({ valid: true });
});

it("a retired signing key: what it asked is not made by its token, what it signed is decided in no more, and new sessions begin", async () => {
  await house.make();
  await house.start();
  const waiting = await write("a1.txt");
  await house.call("list_directory", { path: house.files });
  const next = withKey(SET, newKey("HS256", "sign", "next"));
  await rotate({ ...next, keys: next.keys.filter(({ kid }) => kid !== "gate") });
  await decide(waiting.asked.approval).catch(() => undefined);
  await expect(house.call("list_directory", { path: house.files })).rejects.toMatchObject({ code: "history_damaged" });
  expect(existsSync(waiting.path)).toBe(false);
  const other = await write("b1.txt", "chat-2");
  await decide(other.asked.approval);
  expect((await other.end())?.kind).toBe("result");
  // Whoever keeps the old set verifies all of the old log with it.
  const both = { keys: [...next.keys] };
  expect(await verifyAudit(await house.audit(), both as never)).toMatchObject({ valid: true });
  // Put back, the question that waited is answered.
  await rotate(next);
  expect((await house.call("list_directory", { path: house.files })).kind).toBe("result");
});

it("the key that signs approvals: the one added last signs, and an answer of the old one counts until that is retired", async () => {
  await house.make();
  writeFileSync(join(house.folder, "policy.yaml"), "tenant: shop\nagents: {desk: {tools: ['*']}}\ntools:\n  - mcp: ./files.json\nsettings: {approval: {count: 2}}\n");
  await house.start();
  const second = { ...APPROVER, name: "ben", approver: "ben" };
  const kidOf = (jws: string) => (JSON.parse(Buffer.from(jws.split(".")[0]!, "base64url").toString()) as { kid: string }).kid;
  const kept = await write("a1.txt");
  const lost = await write("b1.txt", "chat-2");
  for (const { asked } of [kept, lost]) await decide(asked.approval);
  const next = withKey(SET, newKey("EdDSA", "approve", "people-2"));
  await rotate(next);
  const answered = await house.parts!.gateway.decide(second, kept.asked.approval, { answer: "approve" });
  expect(answered.answers.map(({ jws }) => kidOf(jws))).toEqual(["people", "people-2"]);
  expect((await kept.end())?.kind).toBe("result");
  await rotate({ ...next, keys: next.keys.filter(({ kid }) => kid !== "people") });
  await house.parts!.gateway.decide(second, lost.asked.approval, { answer: "approve" });
  await house.parts!.engine.changed("shop", `call/${lost.asked.call.id}`, 1, 2_000);
  expect((await house.parts!.gateway.outcome("shop", lost.asked.call.id, 0))?.kind).not.toBe("result");
  expect(existsSync(lost.path)).toBe(false);
});

it("a caller's key: the new one is let in with the reload, the old one is not any more, and its questions stay its own", async () => {
  const [old, next] = [newCallerKey(), newCallerKey()];
  const callers = (sha256: string, more = "") => `callers:\n  agent: {sha256: "${sha256}", agents: [desk]}\n${more}`;
  await house.make(callers(old.sha256));
  await house.start();
  const authenticate = createAuthenticate(() => house.live!.current());
  const comes = (key: string) => authenticate(new Request("http://gate.test/", { headers: { authorization: `Bearer ${key}` } })).then(({ name }) => name, ({ code }: { code: string }) => code);
  expect([await comes(old.key), await comes(next.key)]).toEqual(["agent", "unauthorized"]);
  // While clients change over, both: the old one as a caller of another name that ends at a time.
  house.config(callers(next.sha256, `  agent-before: {sha256: "${old.sha256}", agents: [desk], expires: "2020-01-01T00:00:00Z"}\n`));
  expect(await house.live!.reload()).toMatchObject({ outcome: "taken" });
  expect([await comes(old.key), await comes(next.key)]).toEqual(["unauthorized", "agent"]);
  house.config(callers(next.sha256, `  agent-before: {sha256: "${old.sha256}", agents: [desk], expires: "2999-01-01T00:00:00Z"}\n`));
  await house.live!.reload();
  expect([await comes(old.key), await comes(next.key)]).toEqual(["agent-before", "agent"]);
});

it("a webhook's secret: while receivers change over, what is sent is signed by both", async () => {
  const secrets = { old: Buffer.alloc(32, 1).toString("base64url"), next: Buffer.alloc(32, 2).toString("base64url") };
  const got: { old: boolean; next: boolean }[] = [];
  let told = (): void => undefined;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString();
    });
    request.on("end", () => {
      const header = (name: string) => String(request.headers[name]);
      const by = (secret: string) => verifies({ id: header("webhook-id"), timestamp: header("webhook-timestamp"), signature: header("webhook-signature") }, body, secret, Math.floor(Date.now() / 1000));
      got.push({ old: by(secrets.old), next: by(secrets.next) });
      response.writeHead(204).end();
      told();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(house.folder, name), secret);
  const notify = (members: string) => `approvals: {answer: retry, notify: [{url: "${url}", ${members}}]}\n`;
  const asked = async (name: string) => {
    const arrived = new Promise<void>((arrives) => {
      told = arrives;
    });
    await write(name);
    await arrived;
  };
  try {
    await house.make(notify("secret: {file: old}"));
    await house.start();
    await asked("a1.txt");
    for (const members of ["secret: {file: next}, previous_secret: {file: old}", "secret: {file: next}"]) {
      house.config(notify(members));
      expect(await house.live!.reload()).toMatchObject({ outcome: "taken" });
      await asked(`${got.length}.txt`);
    }
    expect(got).toEqual([{ old: true, next: false }, { old: true, next: true }, { old: false, next: true }]);
  } finally {
    server.close();
  }
});
