// A small signed session to tamper with: a policy, a key set, and a history with outcomes, a late report taken up, one pending, and its head.

import type { Core } from "../setup/core.ts";

export const NOW = 1764445000;

const POLICY = {
  format: "qls-policy/1", tenant: "acme", agents: { desk: { tools: ["*"] } },
  tools: [
    { name: "get_order", effect: "read", parameters: { type: "object", properties: { order_id: { type: "string" } } }, result: { type: "object", properties: { total: { type: "number" } } } },
    { name: "read_inbox", effect: "read", reads_outside: true },
    { name: "refund_card", parameters: { type: "object", properties: { order_id: { type: "string" } } } },
    {
      name: "charge_card", parameters: { type: "object", properties: { order_id: { type: "string" }, amount: { type: "number" } } }, at_most: 2, not_after: ["read_inbox"],
      undo: { tool: "refund_card", bind: { order_id: "arguments.order_id" } },
    },
  ],
};

const KEYS = {
  hmac: { format: "qls-keys/1", active: "h", keys: [{ kid: "h", kty: "oct", alg: "HS256", k: "q".repeat(42) + "g" }], digest_key: "A".repeat(43) },
  // RFC 8032 section 7.1, the first test's pair.
  ed25519: {
    format: "qls-keys/1", active: "e", digests: "plain",
    keys: [{ kid: "e", kty: "OKP", crv: "Ed25519", alg: "EdDSA", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A" }],
  },
};

export type KeyKind = keyof typeof KEYS;

export interface Signed {
  policy: number;
  keys: number;
  /** The history's canonical text, and its head's. */
  history: string;
  head: string;
}

/** Makes the session on a core. */
export function signedSession(core: Core, kind: KeyKind): Signed {
  const must = (name: string, handles: number[], document: unknown): string => {
    const { status, text } = core.run(name, handles, typeof document === "string" ? document : JSON.stringify(document));
    if (status !== 0) throw new Error(`${name}: ${text}`);
    return text;
  };
  const policy = (JSON.parse(must("register", [], { policy: POLICY })) as { handle: number }).handle;
  const keys = (JSON.parse(must("keys", [], KEYS[kind])) as { handle: number }).handle;
  let history = '{"entries":[],"format":"qls-history/1","session":"s"}';
  const check = (tool: string, args: object, more: object = {}): string | null | undefined => {
    const request = { format: "qls-tool-check/1", session: "s", tool, arguments: args, principal: { id: "u-1" }, now: NOW, history: JSON.parse(history) as object, ...more };
    const answer = JSON.parse(must("check", [policy, keys], request)) as { decision: string; entry: object; confirmation?: string };
    const { reports: _, ...kept } = JSON.parse(history) as { entries: object[]; reports?: object };
    history = JSON.stringify({ ...kept, entries: [...kept.entries, answer.entry] });
    return answer.confirmation;
  };
  const report = (step: number, more: object) => {
    history = must("report", [policy, keys], { session: "s", history: JSON.parse(history) as object, step, status: "ran", ...more });
  };
  const order = { order_id: "4411" };
  check("get_order", order, { origins: { order_id: "typed" }, turns: ["order 4411"] });
  report(0, { result: { total: 40 }, at: NOW });
  const confirmation = check("charge_card", { ...order, amount: 40 }, { origins: { order_id: "typed", amount: "result:0.total" }, turns: ["charge 4411"] });
  check("charge_card", { ...order, amount: 40 }, { origins: { order_id: "typed", amount: "result:0.total" }, turns: ["charge 4411"], confirmation });
  check("no_such_tool", {});
  report(2, { external_id: "ch-9" });
  check("read_inbox", {});
  check("get_order", order, { labels: { call: ["pii"] } });
  report(4, { status: "outcome_unknown" });
  report(5, { result: { total: 41 } });
  const verified = must("verify", [policy, keys], { session: "s", history: JSON.parse(history) as object });
  return { policy, keys, history, head: JSON.stringify((JSON.parse(verified) as { head: object }).head) };
}
