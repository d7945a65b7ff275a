// Makes what the decision benchmark asks about: a policy, a key set, signed histories and requests, the same in every run.

import { createHmac, createSecretKey } from "node:crypto";

/** The secrets of the benchmark's key set, base64url. */
const SIGNING_SECRET = Buffer.alloc(32, 7).toString("base64url");
const DIGEST_SECRET = Buffer.alloc(32, 9).toString("base64url");

export const TENANT = "acme";
export const SESSION = "chat-17";
export const KEYS = {
  format: "qls-keys/1",
  active: "k-2026",
  keys: [{ kid: "k-2026", kty: "oct", alg: "HS256", k: SIGNING_SECRET }],
  digest_key: DIGEST_SECRET,
};

const AGENTS = ["desk", "billing", "shipping", "research", "night"];

function readTool(name) {
  return {
    name,
    effect: "read",
    description: `Finds what ${name} knows of an order or a customer`,
    parameters: {
      type: "object",
      properties: {
        order_id: { type: "string", minLength: 1, maxLength: 40 },
        query: { type: "string", maxLength: 400 },
        fields: { type: "array", items: { type: "string", maxLength: 60 }, maxItems: 50 },
        limit: { type: "integer", minimum: 1, maximum: 500 },
        include_closed: { type: "boolean" },
        note: { type: "string" },
        rows: { type: "array", items: { type: "object", properties: { id: { type: "integer" }, text: { type: "string" }, price: { type: "number", minimum: 0 } }, required: ["id"] } },
      },
      required: ["order_id"],
      additionalProperties: false,
    },
    result: { type: "object", properties: { order_id: { type: "string" }, total: { type: "number" }, email: { type: "string" } } },
  };
}

function writeTool(name, undo) {
  return {
    name,
    description: `Changes an order through ${name}`,
    parameters: {
      type: "object",
      properties: {
        order_id: { type: "string", minLength: 1, maxLength: 40 },
        amount: { type: "number", exclusiveMinimum: 0, maximum: 100000 },
        currency: { enum: ["EUR", "USD", "BRL"] },
        note: { type: "string", maxLength: 2000 },
      },
      required: ["order_id"],
      additionalProperties: false,
    },
    result: { type: "object", properties: { id: { type: "string" } } },
    ...(undo ? { undo: { tool: undo, bind: { order_id: "arguments.order_id" } } } : {}),
  };
}

/** A policy of `count` tools (three quarters reads), 5 agents and 15 rules, 12 of them on every tool. */
export function makePolicy(count) {
  const tools = [];
  for (let i = 0; i < count; i++) tools.push(i % 4 === 3 ? writeTool(`change_${i}`, i === 3 ? "change_7" : undefined) : readTool(`find_${i}`));
  tools[0].after = [];
  tools[4].after = ["find_0"];
  tools[4].not_after = ["change_7"];
  tools[4].at_most = 100000;
  return {
    format: "qls-policy/1",
    tenant: TENANT,
    agents: Object.fromEntries(AGENTS.map((name, i) => [name, { privilege: i === 4 ? "low" : "normal", tools: ["*"] }])),
    tools,
    rulebook: {
      flows: [
        {
          name: "everyone",
          on: ["*"],
          rules: [
            { id: "office-hours", refuse_if: "$closed" },
            { id: "known-person", allow_if: "has(principal.id) && principal.id != ''" },
            { id: "roles", allow_if: "principal.roles.exists(r, r == 'support' || r == 'admin')" },
            { id: "region", refuse_if: "resource.region != principal.region && !('admin' in principal.roles)" },
            { id: "frozen", refuse_if: "resource.status == 'frozen'", because: "The account is frozen." },
            { id: "not-night", refuse_if: "agent == 'night' && tool.startsWith('change_')" },
            { id: "too-many", refuse_if: "allowed_within(tool, 60) > 100000" },
            { id: "not-much", refuse_if: "allowed('change_3') > 100000 || ran('change_3') > 100000" },
          ],
        },
        {
          name: "amounts",
          on: tools.map((tool) => tool.name),
          rules: [
            { id: "cap", refuse_if: "has(args.amount) && args.amount > 500.0", because: "Amounts over 500 go through finance." },
            { id: "limit", refuse_if: "has(args.limit) && args.limit > 400.0" },
            { id: "order-form", refuse_if: "!args.order_id.startsWith('A-') || size(args.order_id) > 20" },
            { id: "large", ask_if: "has(args.amount) && args.amount > 200.0 && agent == 'desk'", question: "An amount this large needs a second look." },
          ],
        },
        {
          name: "changes",
          on: tools.filter((tool) => tool.name.startsWith("change_")).map((tool) => tool.name),
          rules: [
            { id: "card", allow_if: "$card_on_file" },
            { id: "own", refuse_if: "resource.owner == principal.id" },
            { id: "currency", refuse_if: "has(args.currency) && args.currency == 'BRL' && principal.region != 'br'" },
          ],
        },
      ],
    },
    settings: {},
  };
}

/** The members of every request that do not change. */
function base(tool, now) {
  return {
    agent: "desk",
    context: { card_on_file: true, closed: false },
    format: "qls-tool-check/1",
    now,
    principal: { id: "u-1", region: "eu", roles: ["support"] },
    resource: { owner: "u-2", region: "eu", status: "active" },
    session: SESSION,
    tool,
    turns: ["please look at order A-4411 and show me 25 lines of it", "and then charge 40.00 for A-4411"],
  };
}

/** Rows of free text that make the canonical arguments about `bytes` long. */
function rows(bytes) {
  const text = "an ordinary line of an order with a few words in it";
  const made = [];
  for (let size = 0; size < bytes; size += 96) made.push({ id: made.length + 1, price: made.length / 4, text });
  return made;
}

/** The request that is measured: an allowed read. `bytes`: about how long its arguments are. */
export function readRequest(now, bytes = 0) {
  const args = { fields: ["total", "email", "status"], include_closed: true, limit: 25, note: "shown to the person who asked", order_id: "A-4411", query: "last order of the customer" };
  if (bytes > 300) args.rows = rows(bytes - 200);
  return { ...base("find_4", now), arguments: args, origins: { limit: "typed", order_id: "typed" } };
}

/** One that a rule refuses, and one that a person is asked about. */
export function refusedRequest(now) {
  return { ...base("change_3", now), arguments: { amount: 900, currency: "EUR", order_id: "A-4411" }, origins: { order_id: "typed" } };
}
export function askedRequest(now) {
  return { ...base("change_3", now), arguments: { amount: 40, currency: "EUR", note: "agreed by phone", order_id: "A-4411" }, origins: { amount: "typed", order_id: "typed" } };
}

/** What the session did: two reads, a question, its confirmed change, another read; outcomes reported as they come. */
const CYCLE = [readStep("find_0"), readStep("find_1"), readStep("find_2"), readStep("find_8"), askedRequest, confirmedStep];

function readStep(tool) {
  return (now) => ({ ...base(tool, now), arguments: { order_id: "A-4411" }, origins: { order_id: "typed" } });
}

function confirmedStep(now, confirmation) {
  return { ...askedRequest(now), confirmation };
}

const digestKey = createHmac("sha256", Buffer.from(DIGEST_SECRET, "base64url")).update(`qls-digest-key/1\n{"session":"${SESSION}","tenant":"${TENANT}"}`).digest();
const digestSecret = createSecretKey(digestKey);
const digest = (text) => createHmac("sha256", digestSecret).update(`qls-argument/1\n${text}`).digest("base64url");

/** The outcomes reported: each tool's result, once. */
const READ_OUTCOME = (at) => ({ at, result: { order_id: digest('"A-4411"') }, status: "ran" });
const WRITE_OUTCOME = (at) => ({ at, external_id: digest('"ch-9"'), result: { id: digest('"ch-9"') }, status: "ran" });

/**
 * Grows a session to the longest of `lengths` and cuts it at each.
 * @param core an instance with a policy and keys
 * @returns histories by length, each canonical text
 */
export function makeHistories(core, lengths) {
  const session = core.open({ session: SESSION });
  const entries = [];
  const made = new Map();
  const longest = Math.max(...lengths);
  let confirmation;
  for (let step = 0; step < longest; step++) {
    const now = 1764445000 + step;
    const answer = JSON.parse(core.checkSession(session, JSON.stringify(CYCLE[step % CYCLE.length](now, confirmation))));
    if (answer.entry === null || answer.decision === "refuse") throw new Error(`step ${step}: ${JSON.stringify(answer).slice(0, 500)}`);
    confirmation = answer.confirmation;
    const entry = answer.entry;
    // The last entry of a cut history has no outcome yet; in a longer one it has.
    if (lengths.includes(step + 1)) made.set(step + 1, `{"entries":[${[...entries, JSON.stringify(entry)].join(",")}],"format":"qls-history/1","session":"${SESSION}"}`);
    if (answer.decision === "allow") {
      const write = entry.tool.startsWith("change_");
      const outcome = write ? WRITE_OUTCOME(now) : READ_OUTCOME(now);
      core.reportSession(session, JSON.stringify(write ? { at: now, external_id: "ch-9", result: { id: "ch-9" }, status: "ran", step } :
        { at: now, result: { order_id: "A-4411" }, status: "ran", step }));
      entry.outcome = outcome;
    }
    entries.push(JSON.stringify(Object.fromEntries(Object.keys(entry).sort().map((name) => [name, entry[name]]))));
  }
  core.close(session);
  return made;
}

/** A request's text with a history put in, members in canonical order. */
export function withHistory(request, history) {
  const texts = Object.fromEntries(Object.entries(request).map(([name, value]) => [name, JSON.stringify(value)]));
  if (history !== undefined) texts.history = history;
  return `{${Object.keys(texts).sort().map((name) => `"${name}":${texts[name]}`).join(",")}}`;
}
