// The sessions that a hook keeps without a gateway: one that is used is kept with its order rules, one that was not for too long is forgotten, and what comes in it after all is asked about.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { policyJudge } from "interlock";
import { register } from "interlock/register";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claudeCode } from "../../../hosts/gateway/doors/hook/claude-code.ts";
import { openLocal } from "../../../hosts/gateway/doors/hook/local.ts";
import { openDatabase } from "../../../hosts/gateway/engine/driver.ts";
import { KEYS } from "../flow/shop.ts";

const POLICY = `tenant: local
agents: {coder: {tools: ["*"]}}
settings: {undeclared_arguments: schema}
tools:
  - {name: ops.check, effect: read, sends_out: true, parameters: {type: object}}
  - {name: ops.once, effect: read, sends_out: true, at_most: 1, parameters: {type: object}}
`;
const DAY = 86_400;
let folder: string;
let now: number;
let uses = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "interlock-kept-"));
  now = 1_764_445_000;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One call of a session, from the question to its outcome; what the hook answered. */
async function call(session: string, tool: string): Promise<string> {
  const { text, documents } = await register([{ path: "policy.yaml", text: POLICY }], policyJudge);
  const hook = await openLocal({ policy: JSON.parse(text) as Record<string, unknown>, documents, keys: JSON.stringify(KEYS), agent: "coder", servers: [], folder, keepDays: 30, clock: () => now });
  try {
    const event = (name: string) => JSON.stringify({ session_id: session, hook_event_name: name, tool_name: `mcp__ops__${tool}`, tool_input: {}, tool_use_id: `use-${uses}`, tool_response: {} });
    uses++;
    const answered = await claudeCode(event("PreToolUse"), hook);
    if (answered.decision === "allow") expect(await claudeCode(event("PostToolUse"), hook)).toEqual({ decision: null });
    return `${answered.decision} ${"reason" in answered ? answered.reason : ""}`;
  } finally {
    hook.close();
  }
}

async function count(session: string): Promise<number> {
  const database = await openDatabase(join(folder, "sessions.db"));
  const { n } = database.prepare("SELECT (SELECT count(*) FROM entry WHERE session = ?) + (SELECT count(*) FROM call WHERE session = ?) AS n").get(session, session) as { n: number | bigint };
  database.close();
  return Number(n);
}

it("forgets at another's use what was not used for longer than the setting says; what comes in it after all asks", async () => {
  expect(await call("old", "once")).toMatch(/^allow/);
  now += 20 * DAY;
  expect(await call("between", "once")).toMatch(/^allow/);
  now += 11 * DAY;
  expect(await count("old")).toBeGreaterThan(0);
  expect(await call("new", "check")).toMatch(/^allow/);
  expect(await count("old")).toBe(0);
  expect(await count("between")).toBeGreaterThan(0);
  // Its at_most is not known any more: a person looks, in this session alone.
  expect(await call("old", "once")).toMatch(/^ask .*history does not have/s);
  expect(await call("between", "once")).toMatch(/^deny .*order_rule/s);
  expect(await call("new", "once")).toMatch(/^allow/);
});

it("never forgets the one that is in use, however long ago it was used last", async () => {
  expect(await call("mine", "once")).toMatch(/^allow/);
  now += 365 * DAY;
  expect(await call("mine", "once")).toMatch(/^deny .*order_rule/s);
  now += 29 * DAY;
  expect(await call("other", "check")).toMatch(/^allow/);
  expect(await call("mine", "once")).toMatch(/^deny .*order_rule/s);
});

it("takes over a file of the version before, whose sessions count as used then", async () => {
  expect(await call("mine", "once")).toMatch(/^allow/);
  const database = await openDatabase(join(folder, "sessions.db"));
  database.exec("DROP INDEX session_of_use; ALTER TABLE session DROP COLUMN used; PRAGMA user_version = 1");
  database.close();
  now += 365 * DAY;
  expect(await call("other", "check")).toMatch(/^allow/);
  expect(await call("mine", "once")).toMatch(/^deny .*order_rule/s);
  now += 31 * DAY;
  expect(await call("third", "check")).toMatch(/^allow/);
  expect(await count("mine")).toBe(0);
});
