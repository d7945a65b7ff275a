// An agent for its tests: a policy, keys that everybody knows, what it ran, and what its history says.
import { Agent, type AgentOptions, type AllowedCall, Client, InterlockError } from "interlock";

export const secret = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc";
export const keys = {
  format: "qls-keys/1",
  active: "k",
  keys: [
    { kid: "k", kty: "oct", alg: "HS256", k: secret },
    { kid: "boss", use: "approve", kty: "oct", alg: "HS256", k: secret },
  ],
  digest_key: "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk",
};
export const object = (properties: object, required: string[] = Object.keys(properties)) => ({ type: "object", properties, required });
export const string = { type: "string" };

/** An agent over a policy, and what it ran. */
export function agent(policy: object, name: string | undefined, options: Partial<AgentOptions> = {}, clock = () => 1764445000) {
  const client = new Client({ policy: { ...policy }, keys, clock });
  const ran: AllowedCall[] = [];
  const execute = options.execute ?? (() => undefined);
  const made = new Agent(client, name, {
    ...options,
    execute: (call) => {
      ran.push(call);
      return execute(call);
    },
  });
  const outcomes = () => made.session.history.entries.map(({ tool, decision, outcome }) => `${tool} ${decision}${outcome ? ` ${outcome.status}` : ""}`);
  return { client, agent: made, ran, outcomes };
}
export const yes = { approve: () => true };
export const code = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: unknown) => (error instanceof InterlockError ? `${error.code}${error.pointer ?? ""}` : error),
  );
