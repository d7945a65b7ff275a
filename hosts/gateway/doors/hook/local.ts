// A hook's decisions without a gateway: the policy's file, keys, and a signed history kept for each session of the harness, so that order rules hold across its calls.
import { createHash } from "node:crypto";
import { Client, InterlockError, rawJson } from "interlock";
import type { CallRecord, Outcome } from "../../call/record.ts";
import { offeredFunctions } from "../../rows/harness/offered.ts";
import { type HookParts, OWN_TOOLS } from "./claude-code.ts";
import { hookError, type HookInput } from "./input.ts";
import { KeptSessions, type Turn } from "./kept.ts";

export interface LocalOptions {
  /** The compiled policy's members, and the schema documents beside them. */
  readonly policy: Readonly<Record<string, unknown>>;
  readonly documents: Readonly<Record<string, unknown>>;
  /** The key set's text. */
  readonly keys: string;
  readonly agent: string;
  /** The names that the harness knows those MCP servers by whose tools the policy names without a server. */
  readonly servers: readonly string[];
  /** Where the sessions are kept. */
  readonly folder: string;
  /** Days after its last use in which a session is kept. */
  readonly keepDays: number;
  /** Seconds since 1970; the system's clock unless given. */
  readonly clock?: () => number;
}

interface Members {
  readonly tenant: string;
  readonly agents: Readonly<Record<string, { readonly tools: readonly string[] }>>;
  readonly tools: readonly { readonly name: string }[];
  readonly settings: { readonly approval: { readonly mode: string } };
}

/** The door's parts over a policy's file. Throws InterlockError `policy_invalid`, `keys_invalid`; fails as the sessions' file does. */
export async function openLocal({ policy, documents, keys, agent, servers, folder, keepDays, clock }: LocalOptions): Promise<HookParts & { close(): void }> {
  const client = new Client({ policy: forced(policy), documents, keys, ...(clock === undefined ? {} : { clock }) });
  const { tenant, agents, tools, settings } = JSON.parse(client.compiled) as Members;
  const signed = settings.approval.mode === "signed";
  const reached = agents[agent]?.tools ?? [];
  const names = tools.map(({ name }) => name).filter((name) => reached.includes("*") || reached.includes(name));
  const sessions = await KeptSessions.open(folder, { clock: clock ?? (() => Date.now() / 1000), seconds: keepDays * 86_400 });
  return {
    tenant,
    caller: "hook",
    agent,
    harnessAsks: true,
    requestId: () => "",
    offered: async () => offeredFunctions(names, servers, OWN_TOOLS),
    check: async ({ session, tool, arguments: args }, use) =>
      sessions.turn(session, (turn) => {
        const check = client.checkToolCall(tool, rawJson(args), { session, agent, history: turn.history });
        // A history that does not verify starts no other one here: what somebody changed stays, and the session is over.
        if (check.entry === null || check.reason === "history_invalid" || check.entry["restarted"] === true) throw hookError("history_invalid", `the history of this session in ${folder} does not verify, or is full: start a new session`);
        if (check.decision === "confirm" && signed) throw hookError("approvals_signed", "this policy's approvals are signed by people whom a gateway knows: use `interlock hook claude-code --gateway URL`");
        turn.keep(check.history);
        if (check.decision !== "refuse") turn.open({ step: check.entry.step, use, tool, input: digest(args), confirmation: check.decision === "confirm" ? (check.confirmation ?? "") : null });
        return { kind: "checked", call: null as unknown as CallRecord, answer: check.decision === "allow" && turn.incomplete ? ASKED : check.text } satisfies Outcome;
      }),
    ran: async (input, tool) => sessions.turn(input.session, (turn) => takeIn(client, agent, input, tool, turn)),
    close: () => sessions.close(),
  };
}

/** What a session answers whose history lacks a call that ran: order rules cannot be held by it. */
const ASKED = JSON.stringify({ decision: "confirm", reason: "history_incomplete", reasons: ["history_incomplete"], question: { text: "A call of this session ran that its history does not have, so that its order rules cannot be held: a person looks at each call. A new session starts afresh." } });

/** The policy as a hook holds to it: the history is this file's own, questions of one turn are answered in any order, and as late as a person answers the harness. */
function forced(policy: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const settings = (policy["settings"] ?? {}) as Record<string, unknown>;
  return { ...policy, settings: { ...settings, head: "optional", confirmation_point: "turn", confirmation_ttl: 365 * 86_400 } };
}

/** Takes an outcome into the history. A call that a person was asked about ran because they said yes: the history has that first. */
function takeIn(client: Client, agent: string, { session, toolInput, use, failed }: HookInput, tool: string, turn: Turn): void {
  const open = turn.opened({ use, tool, input: digest(toolInput) });
  if (open === null) {
    turn.markIncomplete();
    return;
  }
  let { history } = turn;
  let { step } = open;
  if (open.confirmation !== null) {
    const said = approved(client, agent, session, tool, toolInput, open.confirmation, turn);
    if (said === null) {
      turn.markIncomplete();
      return;
    }
    history = said.history;
    step = said.step;
  }
  turn.keep(client.report(history, step, failed ? "outcome_unknown" : "ran"));
  turn.close(open.step);
}

/** The entry of a person's yes; null where the token does not cover the call that ran. */
function approved(client: Client, agent: string, session: string, tool: string, args: string, confirmation: string, { history }: Turn) {
  try {
    const check = client.checkToolCall(tool, rawJson(args), { session, agent, history, confirmation });
    return check.decision === "allow" && check.entry !== null ? { history: check.history, step: check.entry.step } : null;
  } catch (error) {
    if (error instanceof InterlockError) return null;
    throw error;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
