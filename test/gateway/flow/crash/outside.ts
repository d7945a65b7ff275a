// What has to be true of a gateway's store and its tools after a crash, seen from outside: nothing ran twice or without an entry, nothing anybody was told is lost, histories and the log verify.
import { Client, type Head, rawJson } from "interlock";
import { expect } from "vitest";
import type { CallRecord } from "../../../../hosts/gateway/call/record.ts";
import { verifyAudit } from "../../../../hosts/gateway/audit/verify.ts";
import { KEYS } from "../shop.ts";
import type { Lane } from "./lane.ts";
import type { Round } from "./round.ts";
import { POLICY, SAFE_AGAIN } from "./shop.ts";
import type { Tool } from "./tool.ts";

interface Entry {
  readonly step: number;
  readonly tool: string;
  readonly decision: string;
  readonly undoes?: number;
  readonly outcome?: { readonly status: string };
  readonly reports?: Readonly<Record<string, { readonly status: string }>>;
}

interface History {
  readonly entries: readonly Entry[];
  readonly reports?: Readonly<Record<string, { readonly status: string }>>;
}

interface LogEntry {
  readonly event: string;
  readonly call?: string;
  readonly session?: string;
}

export class Outside {
  readonly #lane: Lane;
  readonly #tool: Tool;
  readonly #core = new Client({ policy: POLICY, keys: KEYS, isolated: true });
  /** The log as far as it was read: whatever follows has to follow it. */
  #head: { readonly seq: number; readonly hash: string } | undefined;
  #entries: LogEntry[] = [];

  constructor(lane: Lane, tool: Tool) {
    this.#lane = lane;
    this.#tool = tool;
  }

  /** What holds at any time after a restart. */
  async holds({ session, asked, answered, results }: Round, what: string): Promise<void> {
    await this.#history(session, what);
    await this.#log(what);
    this.#sends(what);
    const open = new Set((await this.#lane.ask("approvals", "shop", { state: "open", limit: 1000 })).map(({ id }) => id));
    for (const id of asked) {
      const approval = await this.#lane.ask("approval", "shop", id);
      expect(approval, `${what}: a question is lost`).not.toBeNull();
      expect(approval!.state === "open", `${what}: what is open is listed`).toBe(open.has(id));
      const answer = answered.get(id);
      if (answer === "deny") expect(approval!.state, what).toBe("denied");
      else if (answer !== undefined) expect([answer === "edit" ? "edited" : "approved", "spent"], `${what}: an answer is lost`).toContain(approval!.state);
    }
    for (const call of await this.#calls(session)) {
      if (call.state === "asked") expect(call.approval === null ? null : await this.#lane.ask("approval", "shop", call.approval), `${what}: a call waits for nothing`).not.toBeNull();
      if (results.has(call.id)) expect(call.released, `${what}: a result is lost`).toBe(results.get(call.id));
    }
  }

  /** What holds besides once everything of a round has ended. */
  async ended(round: Round, what: string): Promise<void> {
    const { session } = round;
    const history = (await this.#history(session, what))!;
    const calls = await this.#calls(session);
    expect(calls.filter(({ state }) => !["done", "refused", "denied", "withdrawn"].includes(state)).map(({ tool, state }) => `${tool} ${state}`), what).toEqual([]);
    const bySteps = new Map(calls.filter(({ decided }) => decided?.decision === "allow").map((call) => [call.decided!.step, call]));
    for (const { step, tool, decision } of history.entries) {
      if (decision !== "allow") continue;
      const status = outcomeOf(step, history);
      const call = bySteps.get(step);
      // A permit that another decision about the same call replaced was given back.
      const ran = call !== undefined && (call.purpose === "check" ? round.made : this.#tool.ran(call));
      expect(status, `${what}: the outcome of step ${step}, ${tool}`).toBe(ran ? "ran" : "failed");
    }
    for (const call of calls.filter(({ purpose }) => purpose === "call")) {
      const events = this.#entries.filter((entry) => entry.call === call.id).map(({ event }) => event);
      const intents = events.filter((event) => event === "call.intent").length;
      if (!SAFE_AGAIN.has(call.tool)) expect(intents, `${what}: one intent at most`).toBeLessThanOrEqual(1);
      if (call.sent !== null) expect([intents > 0, events.some((event) => ["call.confirmed", "call.failed", "call.settled"].includes(event))], `${what}: ${call.tool} ${events.join()}`).toEqual([true, true]);
    }
    const charged = new Map(calls.filter(({ tool, decided }) => tool === "charge_card" && decided?.decision === "allow").map(({ arguments: args, decided }) => [(JSON.parse(args) as { order_id: string }).order_id, decided!.step!]));
    const undone = this.#tool.arrived.filter(({ tool, order }) => tool === "refund_card" && charged.has(order)).map(({ order }) => charged.get(order)!);
    expect(undone, `${what}: the last is undone first`).toEqual([...undone].sort((one, other) => other - one));
    expect(round.permits, `${what}: a receipt admits one call`).toBeLessThanOrEqual(1);
    if (round.variant.denies && round.variant.named) expect(this.#tool.count("charge_card", round.order("b")), `${what}: a turn with a denial`).toBe(0);
    for (const name of round.variant.about === "tools" ? ["a", "e", "f"] : ["a"]) expect(this.#tool.arrived.some(({ order }) => order === round.order(name)), `${what}: ${name} was made`).toBe(true);
  }

  /** What reached the tools: whatever may not be sent again came once, and the log had the intent by then. */
  #sends(what: string): void {
    const seen = new Map<string, string | null>();
    for (const { tool, order, key, intended, operation } of this.#tool.arrived) {
      expect(intended, `${what}: ${tool} ${order} was sent with no entry of the log on disk`).toBe(true);
      const name = `${tool} ${order}`;
      if (seen.has(name) && !SAFE_AGAIN.has(tool)) expect.fail(`${what}: ${name} was sent twice (${operation})`);
      if (seen.has(name) && tool === "pay") expect(key, `${what}: ${name} has one key`).toBe(seen.get(name));
      seen.set(name, key);
    }
  }

  async #calls(session: string): Promise<readonly CallRecord[]> {
    return this.#lane.ask("calls", "shop", { session, limit: 1000 });
  }

  async #history(session: string, what: string): Promise<History | null> {
    const kept = await this.#lane.ask("session", "shop", session);
    if (kept === null) return null;
    expect(this.#core.verify(rawJson(kept.history), { session, head: kept.head as Head }), `${what}: the history of ${session}`).toMatchObject({ valid: true });
    return JSON.parse(kept.history) as History;
  }

  async #log(what: string): Promise<void> {
    const lines = await this.#lane.audit((this.#head?.seq ?? -1) + 1);
    if (lines.length === 0) return;
    const verified = await verifyAudit(lines, KEYS as never, this.#head === undefined ? {} : { from: this.#head });
    expect(verified.problem, `${what}: the log`).toBeNull();
    this.#head = verified.head!;
    for (const line of lines) {
      const { entry } = JSON.parse(line) as { entry?: LogEntry };
      if (entry !== undefined) this.#entries.push(entry);
    }
  }

  /** The whole log from its start, and every session's history under a look that knows nothing of before. */
  async whole(): Promise<void> {
    const lines: string[] = [];
    for (let page = await this.#lane.audit(0); page.length > 0; page = await this.#lane.audit(lines.length)) lines.push(...page);
    expect((await verifyAudit(lines, KEYS as never, { head: this.#head! })).problem).toBeNull();
  }

  /** Forgets what is over, so that a look at it costs the same in every round. */
  forget(): void {
    this.#entries = [];
    this.#tool.arrived.length = 0;
  }
}

/** The outcome of a step: its entry's, else what a later entry's reports say of it, else the pending reports (chapter 3). */
function outcomeOf(step: number, { entries, reports }: History): string | undefined {
  const entry = entries.find((each) => each.step === step);
  return (entry?.outcome ?? entries.find((each) => each.reports?.[String(step)] !== undefined)?.reports?.[String(step)] ?? reports?.[String(step)])?.status;
}
