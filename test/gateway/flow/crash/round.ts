// What a client and a person do in one round, and what they were told; done again from its start after a crash, as a client does that never heard back: every call has its Idempotency-Key.
import type { Outcome, Proposal } from "../../../../hosts/gateway/call/record.ts";
import type { Caller } from "../../../../hosts/gateway/gateway.ts";
import { proposal } from "../shop.ts";
import { type Lane, Refused } from "./lane.ts";
import type { Tool } from "./tool.ts";

/** A caller as the channel carries it: its grants are a list there. */
const caller = (name: string, may: readonly string[]): Caller => ({ name, tenant: "shop", agents: ["desk"], principal: null, approver: name, may: may as unknown as Caller["may"] });
const ANA = caller("ana", ["approve"]);
const AGENT = caller("agent-1", ["report", "receipt", "undo"]);

/** So often a call may be asked about, or its outcome settled, before something is wrong. */
const TURNS = 20;

/**
 * What a round is about: two writes of one turn, side by side, and their undoing; writes whose tools say what became of them, have a key, or may be sent
 * again; a call that a person edits, and one that the client makes itself.
 */
export interface Variant {
  readonly about: "a turn" | "tools" | "people";
  /** The second of two writes of one turn is denied. */
  readonly denies?: boolean;
  /** The turn has a name; else its calls are in hand together. */
  readonly named?: boolean;
}

export class Round {
  readonly session: string;
  readonly variant: Variant;
  readonly #lane: Lane;
  readonly #tool: Tool;
  readonly #url: string;
  /** Questions the client was told of, and the answers that the person was told are kept. */
  readonly asked = new Set<string>();
  readonly answered = new Map<string, "approve" | "deny" | "edit">();
  /** Results by call: a result that was told never changes. */
  readonly results = new Map<string, string>();
  /** Permits that the client was given for the call it makes itself, and whether it has made it. */
  permits = 0;
  made = false;
  reported = false;

  constructor(lane: Lane, tool: Tool, url: string, session: string, variant: Variant) {
    this.session = session;
    this.variant = variant;
    this.#lane = lane;
    this.#tool = tool;
    this.#url = url;
  }

  /** Everything, from the start. Fails with Killed where the gateway is killed meanwhile. */
  async run(): Promise<void> {
    await this.#end(await this.#call("get_order", "a"));
    if (this.variant.about === "a turn") await this.#turn();
    if (this.variant.about === "tools") for (const [tool, order] of [["transfer", "d"], ["pay", "e"], ["set_note", "f"]] as const) await this.#write(tool, order);
    if (this.variant.about === "people") {
      await this.#edit(await this.#call("charge_card", "g"));
      await this.#own("h");
    }
    await this.#undo();
  }

  async #turn(): Promise<void> {
    const turn = this.variant.named === true ? "t-1" : null;
    const [one, two] = await Promise.all([this.#call("charge_card", "b", { turn }), this.#call("charge_card", "c", { turn })]);
    await this.#decide(one, "approve");
    await this.#decide(two, this.variant.denies === true ? "deny" : "approve");
    await Promise.all([this.#end(one), this.#end(two)]);
  }

  async #write(tool: string, order: string): Promise<void> {
    const outcome = await this.#call(tool, order);
    await this.#decide(outcome, "approve");
    await this.#end(outcome);
  }

  order(name: string): string {
    return `${this.session}.${name}`;
  }

  #arguments(tool: string, name: string): string {
    const isPayment = tool === "charge_card" || tool === "transfer";
    return JSON.stringify({ ...(isPayment ? { amount: 40 } : {}), order_id: this.order(name) });
  }

  #call(tool: string, name: string, more: Partial<Proposal> = {}): Promise<Outcome> {
    return this.#lane.ask("call", proposal(tool, this.#arguments(tool, name), { session: this.session, idempotencyKey: `${this.session}-${name}`, ...more }));
  }

  async #decide(outcome: Outcome, answer: "approve" | "deny"): Promise<void> {
    if (outcome.kind !== "pending") return;
    const approval = outcome.call.approval ?? outcome.approval;
    this.asked.add(approval);
    await this.#answer(approval, answer);
  }

  async #answer(approval: string, answer: "approve" | "deny"): Promise<void> {
    try {
      await this.#lane.ask("decide", ANA, approval, { answer });
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "approval_closed") throw error;
    }
    this.answered.set(approval, answer);
  }

  /** Waits for a call's end: what people are asked is approved, what nobody knows is settled by what the tool knows. */
  async #end(first: Outcome): Promise<Outcome> {
    let outcome = first;
    if (outcome.kind === "pending") outcome = (await this.#lane.ask("outcome", "shop", outcome.call.id, 0))!;
    for (let turn = 0; turn < TURNS; turn++) {
      if (outcome.kind === "pending") await this.#decide(outcome, "approve");
      else if (outcome.kind === "unknown" && outcome.call.state === "unknown") await this.#settle(outcome);
      else {
        if (outcome.kind === "result") this.#told(outcome.call.id, outcome.result);
        return outcome;
      }
      outcome = (await this.#lane.ask("outcome", "shop", outcome.call.id, 10_000))!;
    }
    throw new Error(`the call does not end: ${JSON.stringify(outcome)}`);
  }

  #told(call: string, result: string): void {
    const before = this.results.get(call);
    if (before !== undefined && before !== result) throw new Error(`the result of ${call} was ${before}, and is now ${result}`);
    this.results.set(call, result);
  }

  async #settle({ call }: Outcome): Promise<void> {
    try {
      await this.#lane.ask("settle", ANA, call.id, this.#tool.ran(call) ? "ran" : "failed", "the tool says so");
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "call_not_unknown") throw error;
    }
  }

  /** A person approves with another amount. */
  async #edit(outcome: Outcome): Promise<void> {
    const id = outcome.call.approval;
    if (id === null) throw new Error(`a write asks: ${JSON.stringify(outcome)}`);
    this.asked.add(id);
    try {
      await this.#lane.ask("edit", ANA, id, JSON.stringify({ amount: 4, order_id: this.order("g") }), "less");
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "approval_closed") throw error;
    }
    this.answered.set(id, "edit");
    const { editedInto } = (await this.#lane.ask("approval", "shop", id))!;
    for (let turn = 0; turn < 1000; turn++) {
      const into = await this.#lane.ask("outcome", "shop", editedInto!, 0);
      if (into === null) await new Promise((next) => setTimeout(next, 10));
      else return void (await this.#end(into));
    }
    throw new Error("the edit's call is never made");
  }

  /** A call that the client makes itself: checked, approved, checked again, admitted by its receipt, made, reported. */
  async #own(name: string): Promise<void> {
    const args = this.#arguments("charge_card", name);
    const check = (key: string): Promise<Outcome> => this.#call("charge_card", name, { purpose: "check", idempotencyKey: `${this.session}-${name}-${key}` });
    const asked = await check("1");
    this.asked.add(asked.call.approval!);
    await this.#answer(asked.call.approval!, "approve");
    const read = (outcome: Outcome) => JSON.parse(outcome.kind === "checked" ? outcome.answer : "{}") as { decision?: string; step?: number };
    // Asked again after a kill, the first check may have the answer already.
    const checked = read(asked).decision === "allow" ? asked : await check("2");
    const { decision, step } = read(checked);
    if (decision !== "allow" || step === undefined) throw new Error(`what was approved is allowed: ${JSON.stringify(checked)}`);
    const receipt = JSON.parse(await this.#lane.ask("receipt", AGENT, { session: this.session, tool: "charge_card", arguments: args, agent: "desk", step })) as { decision: string };
    if (receipt.decision === "allow") {
      this.permits++;
      this.made = true;
      await fetch(`${this.#url}/charge_card`, { method: "POST", body: args });
    }
    try {
      await this.#lane.ask("report", AGENT, { session: this.session, step, status: this.made ? "ran" : "failed" });
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "outcome_already_reported") throw error;
    }
    this.reported = true;
  }

  /** Undoes what ran, until nothing is left. */
  async #undo(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) {
      const outcomes = await this.#lane.ask("undo", AGENT, this.session, "all");
      if (outcomes.length === 0) return;
      for (const outcome of outcomes) await this.#end(outcome);
    }
    throw new Error("what is undone is undone for good");
  }
}
