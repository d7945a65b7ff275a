// What a start is measured with: the package loads a policy of 50 tools and decides once. starts.mjs puts the fixture in.
import { Client, lineDriver } from "interlock";
import { call, keys, policy } from "start-fixture";

/** Loads and decides; the decision. `lap` is told after each step. */
export function start(lap) {
  // Where the steps are told apart, an instance of its own: the module is compiled for it.
  if (lap !== undefined) lineDriver();
  lap?.("compiled and instantiated");
  const client = new Client({ policy, keys });
  lap?.("the policy loaded");
  const { decision } = client.checkToolCall(call.tool, call.arguments, call.options);
  lap?.("the first decision");
  client.checkToolCall(call.tool, call.arguments, call.options);
  lap?.("the second");
  return decision;
}
