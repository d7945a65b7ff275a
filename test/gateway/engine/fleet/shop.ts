// The shop that the fleet's gateways stand in front of: its policy, its tools over HTTP, and the gateways' settings.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings, ToolSettings } from "../../../../hosts/gateway/config/settings.ts";
import { KEYS, tenantOf } from "../../flow/shop.ts";

const order = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };

export const POLICY = {
  format: "qls-policy/1",
  tenant: "shop",
  agents: { desk: { tools: ["*"] } },
  tools: [
    { name: "get_order", effect: "read", parameters: order },
    // A write that asks, and is sent once.
    { name: "charge_card", parameters: order, undo: { tool: "refund_card", bind: { order_id: "arguments.order_id" } } },
    { name: "refund_card", parameters: order, irreversible: true },
    // A write that asks, and may be sent again.
    { name: "set_note", parameters: order, idempotent: true, irreversible: true },
  ],
  settings: { head: "required", confirmation_point: "turn", approval: { mode: "signed", count: 1, deciders: [] } },
};

export function writeShop(folder: string): void {
  writeFileSync(join(folder, "policy.yaml"), JSON.stringify(POLICY));
  writeFileSync(join(folder, "keys.json"), JSON.stringify(KEYS));
}

export type EngineSettings = Extract<Settings["engine"], { kind: "restate" }>;

/** The settings of a gateway whose tools are at `url`. */
export function settingsOf(folder: string, url: string, engine: EngineSettings, tools: Partial<ToolSettings> = {}): Settings {
  const base = tenantOf({});
  const shop = {
    ...base,
    toolDefaults: { ...base.toolDefaults, timeoutMs: 20_000, ...tools },
    policy: join(folder, "policy.yaml"),
    keys: join(folder, "keys.json"),
    servers: {},
    http: Object.fromEntries(POLICY.tools.map(({ name }) => [name, { method: "POST", url: `${url}/${name}`, headers: {}, idempotencyHeader: "Idempotency-Key", reconcile: null }])),
    tools: {},
    retention: { resultsSeconds: null, sessionsSeconds: null },
    passOn: { instructions: false, prompts: false, resources: false, sampling: false },
    agentOfStdio: null,
  };
  return { engine, tenants: { shop }, callers: [], issuers: [], telemetry: { otlp: null, argumentValues: false, logLevel: "error" }, publicUrl: "http://gate.test" } as unknown as Settings;
}
