// Uses the installed package once, in any runtime: a policy from its source, a call that is asked about and then allowed, its history verified.
import { Client, policyJudge } from "interlock";
import { register } from "interlock/register";

const SOURCE = `
tenant: shop
agents: { desk: { tools: [get_order, charge_card] } }
tools:
  - mcp: ./listing.json
  - name: charge_card
    parameters: { type: object, properties: { order_id: { type: string }, amount: { type: number } }, required: [order_id, amount] }
`;
const LISTING = JSON.stringify({
  tools: [{ name: "get_order", description: "Looks an order up", annotations: { readOnlyHint: true, openWorldHint: false }, inputSchema: { type: "object", properties: { order_id: { type: "string" } } } }],
});
const KEYS = {
  format: "qls-keys/1",
  active: "demo",
  keys: [{ kid: "demo", kty: "oct", alg: "HS256", k: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc" }],
  digest_key: "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk",
};

/** What the package answers, as one text that is the same everywhere. */
export async function use() {
  const registered = await register([{ path: "shop/policy.yaml", text: SOURCE }, { path: "shop/listing.json", text: LISTING }], policyJudge);
  const client = new Client({ policy: registered.policy, keys: KEYS });
  const session = client.session("desk", { session: "s-1" });
  session.read("charge order 4411 40.00");
  const call = { origins: { order_id: "typed", amount: "typed" }, now: 1764460000 };
  const asked = session.checkToolCall("charge_card", { order_id: "4411", amount: 40 }, call);
  const allowed = session.checkToolCall("charge_card", { order_id: "4411", amount: 40 }, { ...call, confirmation: asked.confirmation });
  const refused = session.checkToolCall("delete_order", { order_id: "4411" }, call);
  return JSON.stringify({
    id: registered.id,
    problems: registered.problems.map(({ code }) => code),
    decisions: [asked, allowed, refused].map(({ decision, reasons }) => [decision, ...reasons]),
    history: session.history.toDict(),
    valid: client.verify(session.history).valid,
  });
}
