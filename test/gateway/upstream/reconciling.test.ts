// An MCP server that is asked what became of a call: by the read, the argument and the values that the settings name; anything else says nothing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ReconcileSettings } from "../../../hosts/gateway/config/settings.ts";
import { createUpstream, type McpUpstream } from "../../../hosts/gateway/upstream/upstream.ts";
import { callRecord } from "../call.ts";
import { script, send, tenant } from "./tenant.ts";

const folder = mkdtempSync(join(tmpdir(), "interlock-reconciling-"));
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let upstream: McpUpstream;
beforeAll(async () => {
  upstream = createUpstream(tenant({ ledger: script("ledger", at("../cli/ledger.mjs"), [], { LEDGER: join(folder, "ledger") }), other: script("other", at("hostile.mjs"), [], { HOSTILE_TOOLS: "echo,says_text,error" }, "other") }));
  expect((await upstream.listed("shop")).map(({ tool }) => tool).sort()).toEqual(["charge_card", "find_charge", "other.echo", "other.error", "other.says_text"]);
  expect(await send(upstream, "charge_card", '{"order_id":"4411"}')).toMatchObject({ status: "ran" });
});
afterAll(async () => {
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

const READ: ReconcileSettings = { tool: "find_charge", argument: "order_id", from: "order_id", member: "status", ran: ["succeeded"], failed: ["none"] };
const ask = (read: Partial<ReconcileSettings>, call: Partial<Parameters<typeof callRecord>[0]> = {}) => upstream.reconcile(callRecord({ tool: "charge_card", canonical: '{"order_id":"4411"}', operation: "op-1", ...call }), { ...READ, ...read });

it("says that a call ran, with what, or that it did not", async () => {
  expect(await ask({})).toMatchObject({ status: "ran", fields: '{"status":"succeeded","operation":"op-1"}' });
  expect(await ask({}, { canonical: '{"order_id":"other"}' })).toMatchObject({ status: "failed", error: { code: "tool_never_ran", message: expect.stringContaining('status: "none"') } });
  // By the operation's key, which no order has.
  expect(await ask({ from: null })).toMatchObject({ status: "failed" });
  expect(await ask({ member: "operation", ran: ["op-1"], failed: [null] }, { canonical: '{"order_id":"other"}' })).toMatchObject({ status: "failed" });
});

it.each<[string, Partial<ReconcileSettings>]>([
  ["a value that is in neither list", { ran: ["done"], failed: [] }],
  ["a member that is not there", { member: "state" }],
  ["an argument that the call does not have", { from: "key" }],
  ["an argument that the read does not take", { argument: "id" }],
  ["a read that nobody lists", { tool: "find_refund" }],
  ["a read of another server", { tool: "other.echo", member: "ok", ran: [true] }],
])("%s says nothing", async (_, read) => {
  expect(await ask(read)).toBeNull();
});

it("nothing is asked of a tool without a read, and an error says nothing", async () => {
  expect(await upstream.reconcile(callRecord({ tool: "charge_card", canonical: '{"order_id":"4411"}', operation: "op-1" }), null)).toBeNull();
  expect(await ask({ tool: "other.error" }, { tool: "other.echo" })).toBeNull();
});

it("a structured result may stand in the one text of a server that knows no other form", async () => {
  const read = { tool: "other.says_text", from: null, argument: "text", member: "found", ran: [true], failed: [false] };
  expect(await ask(read, { tool: "other.echo", operation: '{"found":true}' })).toMatchObject({ status: "ran" });
  expect(await ask(read, { tool: "other.echo", operation: '{"found":false}' })).toMatchObject({ status: "failed" });
  expect(await ask(read, { tool: "other.echo", operation: "true" })).toBeNull();
});
