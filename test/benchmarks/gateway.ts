// An honest gateway before a suite's tools: it knows where values came from, asks the check in both ways of carrying history, runs what is allowed and reports it.

import { Client, type History, type Session, type ToolCheck } from "interlock";
import { expect } from "vitest";
import { json } from "../model/json";
import { provedTyped } from "../model/typed";
import { keys, NOW } from "../unit/bindings-shop";
import { type PolicyName, registered } from "./policy";
import type { World } from "./world";

/** One decision. */
export interface Judged {
  effect: "read" | "write";
  decision: "allow" | "confirm" | "refuse";
  reasons: readonly string[];
  /** The question says more than that this is a write. */
  warned: boolean;
  answer: Record<string, unknown> | null;
}

/** A policy loaded, with what each tool does to the world. */
export interface Desk {
  client: Client;
  effects: Map<string, "read" | "write">;
}

/** Registers a policy of this folder, its text changed where a test wants another one, and loads it. Throws where it has errors. */
export async function openDesk(name: PolicyName, change?: (text: string) => string): Promise<Desk> {
  const policy = await registered(name, change);
  const client = new Client({ policy, keys, clock: () => NOW });
  const { tools } = JSON.parse(client.compiled) as { tools: { name: string; effect: "read" | "write" }[] };
  return { client, effects: new Map(tools.map(({ name, effect }) => [name, effect])) };
}

/**
 * Where a gateway knows that each argument came from. It cannot know which calls an attacker wants, so all calls are treated alike: `typed` where the
 * person's words hold the value (by the naive model of chapter 4's evidence), `result:STEP.FIELD` where an earlier result has it as a field, and else `model`.
 */
export function originsOf(args: Record<string, unknown>, turns: string[], results: Results): Record<string, string> {
  const origin = (name: string, value: unknown): string => {
    if (provedTyped([{ name, value: json(value) }], turns, "en").has(name)) return "typed";
    return results.get(JSON.stringify(value)) ?? "model";
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, origin(name, value)]));
}

/** The fields of earlier results: each one's JSON text, with the origin of the latest result that has it. */
type Results = ReadonlyMap<string, string>;

/** One conversation, carried by a session handle and beside it as a history that each request brings: both must answer the same bytes. */
export class Gateway {
  readonly #desk: Desk;
  readonly #world: World;
  readonly #turns: string[];
  readonly #session: Session;
  readonly #results: Map<string, string>;
  #history: History | undefined;

  constructor(desk: Desk, world: World, turns: string[], before?: { history: History | undefined; results: Results }) {
    this.#desk = desk;
    this.#world = world;
    this.#turns = turns;
    this.#history = before?.history;
    this.#results = new Map(before?.results);
    this.#session = desk.client.session("assistant", { session: "task", turns, principal: world.principal, ...(before?.history && { history: before.history }) });
  }

  /** The same conversation at this point, to go on in another way. */
  fork(): Gateway {
    return new Gateway(this.#desk, this.#world, this.#turns, { history: this.#history, results: this.#results });
  }

  /** Checks a call, and runs it where it is allowed. With `approve` a person says yes to what is asked: the decision told is the one before that. */
  call(tool: string, args: Record<string, unknown>, approve: boolean): Judged {
    const check = this.#check(tool, args, undefined);
    const { decision, reasons } = check;
    let answer = decision === "allow" ? this.#run(tool, check) : null;
    if (decision === "confirm" && approve) {
      const approved = this.#check(tool, args, check.confirmation);
      expect([approved.decision, approved.reason], `${tool} with a person's yes`).toEqual(["allow", "confirmed"]);
      answer = this.#run(tool, approved);
    }
    const effect = this.#desk.effects.get(tool) ?? "write";
    return { effect, decision, reasons, warned: decision === "confirm" && reasons.some((reason) => reason !== "write"), answer };
  }

  close(): void {
    this.#session.close();
  }

  #check(tool: string, args: Record<string, unknown>, confirmation: string | null | undefined): ToolCheck {
    const { resource, principal } = this.#world;
    const options = { origins: originsOf(args, this.#turns, this.#results), resource, confirmation };
    const check = this.#session.checkToolCall(tool, args, options);
    const stateless = this.#desk.client.checkToolCall(tool, args, { ...options, agent: "assistant", session: "task", turns: this.#turns, principal, history: this.#history });
    expect(stateless.text, "with the history in the request").toBe(check.text);
    this.#history = stateless.history;
    return check;
  }

  /** Runs what was checked, and reports it. */
  #run(tool: string, check: ToolCheck): Record<string, unknown> {
    const result = this.#world.answer(tool, check.arguments!);
    for (const [field, value] of Object.entries(result)) this.#results.set(JSON.stringify(value), `result:${check.step}.${field}`);
    this.#session.ran(check, "ran", { result });
    this.#history = this.#desk.client.report(this.#history!, check, "ran", { result });
    expect(this.#history.text, "the two histories").toBe(this.#session.history.text);
    return result;
  }
}
