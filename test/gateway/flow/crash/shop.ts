// The shop that the crash tests' gateways stand in front of: its tools over HTTP, its policy, its keys, and its settings.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HttpToolSettings, Settings } from "../../../../hosts/gateway/config/settings.ts";
import { KEYS, tenantOf } from "../shop.ts";

const text = { type: "string" };
const order = { type: "object", properties: { order_id: text }, required: ["order_id"] };
const payment = { type: "object", properties: { order_id: text, amount: { type: "number" } }, required: ["order_id", "amount"] };
const total = { type: "object", properties: { total: { type: "number" } } };

export const POLICY = {
  format: "qls-policy/1",
  tenant: "shop",
  agents: { desk: { tools: ["*"] } },
  tools: [
    { name: "get_order", effect: "read", parameters: order, result: total },
    { name: "charge_card", parameters: payment, undo: { tool: "refund_card", bind: { order_id: "arguments.order_id", amount: "arguments.amount" } } },
    { name: "refund_card", parameters: payment },
    { name: "transfer", parameters: payment },
    { name: "set_note", parameters: order, idempotent: true },
    { name: "pay", parameters: { type: "object", properties: { order_id: text, key: text }, required: ["order_id"] }, idempotency_key: "key" },
  ],
  settings: { head: "required", confirmation_point: "turn", approval: { mode: "signed", count: 1, deciders: [] } },
};

/** Tools that may be sent again because the second time changes nothing. */
export const SAFE_AGAIN: ReadonlySet<string> = new Set(["get_order", "set_note", "pay"]);

/** Writes the policy's file and the keys into a folder, once. */
export function writeShop(folder: string): void {
  writeFileSync(join(folder, "policy.yaml"), JSON.stringify(POLICY));
  writeFileSync(join(folder, "keys.json"), JSON.stringify(KEYS));
}

/** The settings of a gateway over the folder's store whose tools are at `url`. */
export function settingsOf(folder: string, url: string): Settings {
  const to = (tool: string, more: Partial<HttpToolSettings> = {}): [string, HttpToolSettings] => [
    tool,
    { method: tool === "get_order" ? "GET" : "POST", url: `${url}/${tool}`, headers: {}, idempotencyHeader: "Idempotency-Key", reconcile: null, ...more },
  ];
  const shop = {
    ...tenantOf({}),
    policy: join(folder, "policy.yaml"),
    keys: join(folder, "keys.json"),
    servers: {},
    http: Object.fromEntries([...POLICY.tools.map(({ name }) => to(name)), to("transfer", { reconcile: `${url}/operations/{key}` })]),
    tools: {},
    // Nothing here is about a slow tool: a machine that is busy is no reason for an outcome that nobody knows.
    toolDefaults: { timeoutMs: 120_000, resultBytes: 1_000, concurrency: 8, onUnknown: "ask" },
    audit: { redact: { "*": ["*"] }, checkpointSeconds: 3600, checkpointEntries: 20 },
    retention: { resultsSeconds: null, sessionsSeconds: null },
    passOn: { instructions: false, prompts: false, resources: false, sampling: false },
    agentOfStdio: null,
  };
  return { engine: { kind: "embedded", folder: join(folder, "data") }, tenants: { shop }, callers: [], issuers: [], telemetry: { otlp: null, argumentValues: false, logLevel: "error" }, publicUrl: "http://gate.test" } as unknown as Settings;
}
