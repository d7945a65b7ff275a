// A shop for the tests of the bindings: what the seeds' two worked examples call, and keys that everybody knows.

const order = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
const payment = { type: "object", properties: { order_id: { type: "string" }, amount: { type: "number" } }, required: ["order_id", "amount"] };

export const policy = {
  format: "qls-policy/1",
  tenant: "shop",
  agents: { desk: { tools: ["get_order", "charge_card", "read_inbox"] }, billing: { tools: ["get_order", "refund_card"] } },
  tools: [
    { name: "get_order", effect: "read", parameters: order, result: { type: "object", properties: { total: { type: "number" } } } },
    {
      name: "charge_card",
      parameters: payment,
      result: { type: "object", properties: { charge_id: { type: "string" } } },
      undo: { tool: "refund_card", bind: { order_id: "arguments.order_id" } },
    },
    { name: "refund_card", parameters: { ...payment, required: ["order_id"] } },
    { name: "read_inbox", effect: "read", reads_outside: true },
  ],
  rulebook: { facts: ["card_on_file"], flows: [{ name: "charges", on: ["charge_card"], rules: [{ id: "needs-card", allow_if: "$card_on_file" }] }] },
};

export const keys = {
  format: "qls-keys/1",
  active: "demo",
  keys: [{ kid: "demo", kty: "oct", alg: "HS256", k: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc" }],
  digest_key: "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk",
};

/** A clock that stands still until it is told. */
export const NOW = 1764445000;
