// What the peer's start is measured with: cedar-wasm parses the same fifteen rules and decides once; no schema, no history, no signature.
import { call } from "start-fixture";
import { cedarGate, rulesOf } from "./rules.mjs";

/** Parses and decides; the decision. `lap` is told after each step. */
export function start(cedar, lap = () => undefined) {
  const gate = cedarGate(cedar);
  lap("the policies parsed");
  const none = () => 0;
  const { agent, principal, resource, context } = call.options;
  const facts = { tool: call.tool, agent, args: call.arguments, principal, resource, facts: { closed: false, card_on_file: true, ...context }, allowedWithin: none, allowed: none, ran: none };
  const decide = () => gate({ write: false, rules: rulesOf(call.tool) }, facts);
  const refusal = decide();
  lap("the first decision");
  decide();
  lap("the second");
  return refusal === null ? "allow" : "refuse";
}
