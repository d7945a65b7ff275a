// The benchmark policy's rules a second and a third time: as plain functions, and as Cedar policies.

/** Rules by flow, in the policy's order. `on`: whether the flow is on a tool. */
export const RULES = [
  {
    flow: "everyone",
    on: () => true,
    rules: [
      { id: "office-hours", kind: "refuse_if", holds: (f) => f.facts.closed === true },
      { id: "known-person", kind: "allow_if", holds: (f) => f.principal.id !== undefined && f.principal.id !== "" },
      { id: "roles", kind: "allow_if", holds: (f) => f.principal.roles.includes("support") || f.principal.roles.includes("admin") },
      { id: "region", kind: "refuse_if", holds: (f) => f.resource.region !== f.principal.region && !f.principal.roles.includes("admin") },
      { id: "frozen", kind: "refuse_if", because: "The account is frozen.", holds: (f) => f.resource.status === "frozen" },
      { id: "not-night", kind: "refuse_if", holds: (f) => f.agent === "night" && f.tool.startsWith("change_") },
      { id: "too-many", kind: "refuse_if", holds: (f) => f.allowedWithin(f.tool, 60) > 100000 },
      { id: "not-much", kind: "refuse_if", holds: (f) => f.allowed("change_3") > 100000 || f.ran("change_3") > 100000 },
    ],
  },
  {
    flow: "amounts",
    on: () => true,
    rules: [
      { id: "cap", kind: "refuse_if", because: "Amounts over 500 go through finance.", holds: (f) => f.args.amount !== undefined && f.args.amount > 500 },
      { id: "limit", kind: "refuse_if", holds: (f) => f.args.limit !== undefined && f.args.limit > 400 },
      { id: "order-form", kind: "refuse_if", holds: (f) => !f.args.order_id.startsWith("A-") || f.args.order_id.length > 20 },
      { id: "large", kind: "ask_if", holds: (f) => f.args.amount !== undefined && f.args.amount > 200 && f.agent === "desk" },
    ],
  },
  {
    flow: "changes",
    on: (tool) => tool.startsWith("change_"),
    rules: [
      { id: "card", kind: "allow_if", holds: (f) => f.facts.card_on_file === true },
      { id: "own", kind: "refuse_if", holds: (f) => f.resource.owner === f.principal.id },
      { id: "currency", kind: "refuse_if", holds: (f) => f.args.currency !== undefined && f.args.currency === "BRL" && f.principal.region !== "br" },
    ],
  },
];

/** The rules that are on a tool, in order. */
export function rulesOf(tool) {
  return RULES.filter((flow) => flow.on(tool)).flatMap(({ flow, rules }) => rules.map((rule) => ({ ...rule, flow })));
}

/** One `forbid` a rule: Cedar names every policy that forbids, and the first in the rulebook's order is the reason. */
const CEDAR_WHEN = {
  "office-hours": "context.facts.closed",
  "known-person": "!(principal has id) || principal.id == \"\"",
  roles: "!principal.roles.containsAny([\"support\", \"admin\"])",
  region: "resource.region != principal.region && !principal.roles.contains(\"admin\")",
  frozen: "resource.status == \"frozen\"",
  "not-night": "context.agent == \"night\" && context.tool like \"change_*\"",
  "too-many": "context.recent > 100000",
  "not-much": "context.changes > 100000 || context.changed > 100000",
  cap: "context.args has amount && context.args.amount > 500",
  limit: "context.args has limit && context.args.limit > 400",
  "order-form": "!(context.args.order_id like \"A-*\")",
  card: "context.change && !context.facts.card_on_file",
  own: "context.change && resource.owner == principal.id",
  currency: "context.change && context.args has currency && context.args.currency == \"BRL\" && principal.region != \"br\"",
};

/**
 * Decides the rules with cedar-wasm, its policies parsed beforehand.
 * @param cedar the package's module
 * @returns a gate for the baseline
 */
export function cedarGate(cedar) {
  const staticPolicies = Object.fromEntries(Object.entries(CEDAR_WHEN).map(([id, when]) => [id, `forbid (principal, action, resource) when { ${when} };`]));
  staticPolicies.otherwise = "permit (principal, action, resource);";
  const parsed = cedar.preparsePolicySet("rules", { staticPolicies });
  if (parsed.type !== "success") throw new Error(JSON.stringify(parsed));
  return (tool, facts) => {
    const { order_id, amount, limit, currency } = facts.args;
    const args = { order_id };
    // Cedar's numbers are integers.
    if (amount !== undefined) args.amount = Math.ceil(amount);
    if (limit !== undefined) args.limit = limit;
    if (currency !== undefined) args.currency = currency;
    const answer = cedar.statefulIsAuthorized({
      principal: { type: "Person", id: facts.principal.id },
      action: { type: "Action", id: "call" },
      resource: { type: "Account", id: "it" },
      context: {
        args, agent: facts.agent, tool: facts.tool, change: tool.write, facts: facts.facts,
        recent: facts.allowedWithin(facts.tool, 60), changes: facts.allowed("change_3"), changed: facts.ran("change_3"),
      },
      preparsedPolicySetId: "rules",
      entities: [
        { uid: { type: "Person", id: facts.principal.id }, attrs: facts.principal, parents: [] },
        { uid: { type: "Account", id: "it" }, attrs: facts.resource, parents: [] },
      ],
    });
    if (answer.type !== "success") throw new Error(JSON.stringify(answer));
    if (answer.response.diagnostics.errors.length !== 0) throw new Error(JSON.stringify(answer.response.diagnostics.errors));
    if (answer.response.decision === "allow") return null;
    const named = new Set(answer.response.diagnostics.reason);
    return tool.rules.find((rule) => named.has(rule.id)) ?? null;
  };
}
