// A shop for the tests of the web hosts: its policy, keys and callers.
import { createHash } from "node:crypto";

const order = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
const payment = { type: "object", properties: { order_id: { type: "string" }, amount: { type: "number" } }, required: ["order_id"] };

export const TENANT = "shop";
export const policy = {
  format: "qls-policy/1",
  tenant: TENANT,
  agents: { desk: { tools: ["*"] }, billing: { tools: ["get_order", "refund_card"] } },
  tools: [
    { name: "get_order", effect: "read", parameters: order, result: { type: "object", properties: { total: { type: "number" } } } },
    { name: "pick_up", effect: "read", at_most: 1 },
    { name: "ship", effect: "read", after: ["get_order"] },
    { name: "charge_card", parameters: payment, undo: { tool: "refund_card", bind: { order_id: "arguments.order_id" } } },
    { name: "refund_card", parameters: payment },
  ],
  rulebook: { facts: ["card_on_file"], flows: [{ name: "charges", on: ["charge_card"], rules: [{ id: "needs-card", allow_if: "$card_on_file" }] }] },
};

export const keys = {
  format: "qls-keys/1",
  active: "demo",
  keys: [{ kid: "demo", kty: "oct", alg: "HS256", k: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc" }],
  digest_key: "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk",
};

/** Bearer tokens by what their callers are. */
export const TOKENS = {
  /** The shop's own service, trusted with everything that can be granted. */
  service: "service-0123456789abcdefghijklmnop",
  /** What runs the model, in the same realm: it says what the model says, and nothing else. */
  model: "model-0123456789abcdefghijklmnopqr",
  /** The same with another realm. */
  stranger: "stranger-0123456789abcdefghijklmno",
  /** Held by the agent `desk` for one person. */
  desk: "desk-0123456789abcdefghijklmnopqrs",
};

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

export const callers = [
  {
    name: "service",
    sha256: hashOf(TOKENS.service),
    realm: "shop",
    may: ["turns", "origins", "context", "resource", "agent", "principal", "confirmation", "approvals", "undo", "report", "receipt", "conform"],
  },
  { name: "model", sha256: hashOf(TOKENS.model), realm: "shop" },
  { name: "stranger", sha256: hashOf(TOKENS.stranger), may: ["agent"] },
  { name: "desk", sha256: hashOf(TOKENS.desk), realm: "shop", agent: "desk", principal: { id: "u-1" } },
];

/** The bindings of a host that is set up. */
export const bindings: Record<string, string> = {
  INTERLOCK_POLICY: JSON.stringify(policy),
  INTERLOCK_KEYS: JSON.stringify(keys),
  INTERLOCK_CALLERS: JSON.stringify(callers),
  INTERLOCK_CONFORM: "on",
};
