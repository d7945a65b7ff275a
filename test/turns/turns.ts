// Reads turns of a policy through the core's own exports, and writes plans as short lines, so that tables of them can be read.
import { readFileSync } from "node:fs";

// JSON of any shape: a case looks inside plans.
export type Json = any;

interface Exports {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  register(start: number, length: number): number;
  read(policy: number, start: number, length: number): number;
  explainTurn(policy: number, start: number, length: number): number;
  result(): number;
  resultLength(): number;
}

export const DIST = process.env.CORE_WASM ?? new URL("../../dist/core.wasm", import.meta.url);

/** Turns of one policy, read as one agent in one language. */
export class Reader {
  readonly #core: Exports;
  readonly #policy: number;
  readonly #agent: string;

  constructor(
    policy: Json,
    readonly language = "en",
    module: WebAssembly.Module = new WebAssembly.Module(readFileSync(DIST)),
  ) {
    this.#core = new WebAssembly.Instance(module).exports as unknown as Exports;
    this.#agent = Object.keys(policy.agents)[0]!;
    const answer = this.#ask((start, length) => this.#core.register(start, length), { policy });
    if (answer.handle === undefined) throw new Error(JSON.stringify(answer));
    this.#policy = answer.handle;
  }

  read(turn: string): Json {
    return this.#ask((start, length) => this.#core.read(this.#policy, start, length), this.#request(turn));
  }

  explain(turn: string): Json {
    return this.#ask((start, length) => this.#core.explainTurn(this.#policy, start, length), this.#request(turn));
  }

  /** Bytes of memory that the core has. */
  get memory(): number {
    return this.#core.memory.buffer.byteLength;
  }

  #request(turn: string): Json {
    return { format: "qls-plan/1", session: "s", agent: this.#agent, turn, language: this.language, now: 1764445000 };
  }

  #ask(operation: (start: number, length: number) => number, value: Json): Json {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const start = this.#core.alloc(bytes.length);
    new Uint8Array(this.#core.memory.buffer).set(bytes, start);
    operation(start, bytes.length);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(this.#core.memory.buffer, this.#core.result(), this.#core.resultLength())));
  }
}

/** A plan as one line: the outcome, why, and each step with its arguments; `<` before an origin that is not typed, `!` before what is missing. */
export function short(plan: Json): string {
  const steps = plan.steps.map((step: Json) => {
    const values = Object.entries(step.arguments).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    const origins = Object.entries(step.origins).filter(([, origin]) => origin !== "typed").map(([name, origin]) => `${name}<${origin}`);
    const missing = step.missing.map((name: string) => `!${name}`);
    const after = step.after_step === undefined ? "" : ` after ${step.after_step}`;
    return `${step.tool}(${[...values, ...origins, ...missing].join(", ")})${step.decided_by === "tool: derived" ? " derived" : ""}${after}`;
  });
  return [plan.outcome, ...(plan.declined_because ? [`[${plan.declined_because}]`] : []), steps.join(" ")].filter((part) => part !== "").join(" ");
}
