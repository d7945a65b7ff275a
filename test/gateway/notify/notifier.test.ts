// Notifications of new questions: signed, to every webhook, until it has taken them; also after a restart, and once it was told never again.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ApprovalRecord } from "../../../hosts/gateway/approvals/record.ts";
import type { Engine } from "../../../hosts/gateway/engine/port.ts";
import { createNotifier } from "../../../hosts/gateway/notify/notifier.ts";
import { verifies } from "../../../hosts/gateway/notify/webhook.ts";

const secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQ";
const NOW = 1_764_445_000;
let server: Server;
let url: string;
let status: number;
const seen: { path: string; body: string; signed: boolean }[] = [];
const records = new Map<string, string>();
/** What a notifier uses of an engine, over a map that outlives it. */
const engine = {
  get: async (_: string, key: string) => (records.has(key) ? { value: records.get(key)!, version: 1 } : null),
  commit: async ({ changes }: { changes: { key: string; value: string }[] }) => {
    for (const { key, value } of changes) records.set(key, value);
    return { ok: true, versions: {}, audit: [] };
  },
  list: async (_: string, prefix: string, page: { after?: string; limit?: number } = {}) =>
    [...records].filter(([key]) => key.startsWith(prefix) && key > (page.after ?? "")).sort().slice(0, page.limit).map(([key, value]) => ({ key, value, version: 1 })),
} as unknown as Engine;
const failures: unknown[] = [];
const start = (pauses?: number[]) =>
  createNotifier({ engine, webhooks: () => [{ url: `${url}a`, secret }, { url: `${url}b`, secret }], publicUrl: () => "https://gate.example", clock: () => NOW * 1000 + 999, failed: (_t, _a, error) => failures.push(error) }, pauses);
const approval = (id: string, over: Partial<ApprovalRecord> = {}) =>
  ({ id, tenant: "shop", call: "c", session: "s", agent: "desk", tool: "charge_card", state: "open", askedAt: 1, expiresAt: 2, question: { arguments: [{ name: "card", value: "4111" }] }, ...over }) as ApprovalRecord;

beforeEach(async () => {
  records.clear();
  seen.length = failures.length = 0;
  status = 204;
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString("utf8");
    });
    request.on("end", () => {
      const header = (name: string) => String(request.headers[name]);
      seen.push({ path: request.url!, body, signed: verifies({ id: header("webhook-id"), timestamp: header("webhook-timestamp"), signature: header("webhook-signature") }, body, secret, NOW) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => server.close());

it("tells every webhook, signed, where to answer, and no value", async () => {
  const notifier = start();
  notifier.opened(approval("a-1"));
  notifier.opened(approval("a-1"));
  await expect.poll(() => records.size).toBe(2);
  expect(seen.map(({ path }) => path).sort()).toStrictEqual(["/a", "/b"]);
  expect(seen.every(({ signed }) => signed)).toBe(true);
  expect(JSON.parse(seen[0]!.body)).toStrictEqual({ type: "approval.opened", approval: "a-1", tenant: "shop", session: "s", agent: "desk", tool: "charge_card", asked_at: 1, expires_at: 2, url: "https://gate.example/#/inbox/a-1" });
  notifier.close();
});

it("tries again until it is taken, and says each failure", async () => {
  status = 500;
  const notifier = start([0, ...Array<number>(200).fill(5)]);
  notifier.opened(approval("a-1"));
  await expect.poll(() => failures.length).toBeGreaterThan(3);
  status = 200;
  await expect.poll(() => records.size).toBe(2);
  notifier.close();
});

it("tells after a restart what was not told, of open questions alone", async () => {
  for (let index = 0; index < 250; index++) records.set(`approval/a-${String(index).padStart(4, "0")}`, JSON.stringify(approval(`a-${String(index).padStart(4, "0")}`, { state: index < 248 ? "approved" : "open" })));
  records.set("notified/a-0249/0", "1");
  const notifier = start();
  await notifier.resume("shop");
  await expect.poll(() => seen.length).toBe(3);
  await expect.poll(() => [...records.keys()].filter((key) => key.startsWith("notified/")).length).toBe(4);
  expect(seen.map(({ path, body }) => `${path} ${(JSON.parse(body) as { approval: string }).approval}`).sort()).toStrictEqual(["/a a-0248", "/b a-0248", "/b a-0249"]);
  notifier.close();
});
