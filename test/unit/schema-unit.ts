// Drives the built schema module: compiles a schema with its documents, and walks values.

import { readFileSync } from "node:fs";

/** A violation as the module prints it. */
export interface Found {
  pointer: string;
  rule: string;
  message: string;
}

/** What compiling found. */
export interface Findings {
  partial: string[];
  problems: { pointer: string; message: string }[];
}

type Call = (...values: (number | bigint | boolean)[]) => number;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of the built schema module. */
export const schemaBytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL("../../dist/unit/schema.wasm", import.meta.url)));

/** One instance of the schema module with one compiled schema at a time. Values are given as JSON texts, digits kept. */
export class SchemaUnit {
  readonly call: Record<string, Call>;
  private readonly memory: WebAssembly.Memory;

  /** @param module the schema module where it is not the built one as it is */
  constructor(module = new WebAssembly.Module(schemaBytes())) {
    const exports = new WebAssembly.Instance(module).exports;
    this.call = exports as unknown as Record<string, Call>;
    this.memory = exports.memory as WebAssembly.Memory;
  }

  private place(...texts: string[]): [number, number][] {
    const parts = texts.map((text) => encoder.encode(text));
    let at = this.call.input!(parts.reduce((sum, part) => sum + part.length + 8, 8));
    const view = new Uint8Array(this.memory.buffer);
    return parts.map((part) => {
      view.set(part, at);
      const placed: [number, number] = [at, part.length];
      at += (part.length + 8) & ~7;
      return placed;
    });
  }

  private out(): unknown {
    const bytes = new Uint8Array(this.memory.buffer, this.call.outStart!(), this.call.outLength!());
    return JSON.parse(decoder.decode(bytes));
  }

  /** Compiles a schema; throws where its text is no strict JSON. True: it is a valid schema. */
  compile(schema: string, options: { documents?: Record<string, string>; formats?: boolean; depth?: number } = {}): boolean {
    this.call.input!(8);
    this.call.beginSchema!();
    for (const [uri, text] of Object.entries(options.documents ?? {})) {
      const [name, body] = this.place(uri, text);
      if (this.call.addDocument!(...name!, ...body!) === 0) throw new Error(`not strict JSON: ${uri}`);
    }
    const [text] = this.place(schema);
    const result = this.call.compile!(...text!, options.formats ?? false, options.depth ?? 128);
    if (result === 0) throw new Error("the schema is not strict JSON");
    return result === 1;
  }

  findings(): Findings {
    this.call.findings!();
    return this.out() as Findings;
  }

  /** Reads the value that is checked next; false where it is no strict JSON. */
  read(value: string, depth = 512): boolean {
    const [text] = this.place(value);
    return Boolean(this.call.read!(...text!, depth));
  }

  check(value: string, steps = 1_000_000): boolean {
    if (!this.read(value)) throw new Error("the value is not strict JSON");
    return Boolean(this.call.check!(BigInt(steps)));
  }

  report(value: string, all = true, steps = 1_000_000): Found[] {
    if (!this.read(value)) throw new Error("the value is not strict JSON");
    const valid = Boolean(this.call.report!(all, BigInt(steps)));
    const found = this.out() as Found[];
    if (valid !== (found.length === 0)) throw new Error("the answer and the list disagree");
    return found;
  }

  undeclared(value: string, deep: boolean, steps = 1_000_000): Found[] {
    if (!this.read(value)) throw new Error("the value is not strict JSON");
    this.call.reportUndeclared!(deep, BigInt(steps));
    return this.out() as Found[];
  }

  /** How many steps the last walk took of a budget. */
  taken(steps: number): number {
    return Number(this.call.stepsTaken!(BigInt(steps)));
  }

  /** How many bytes of memory a walk of the value that was read takes; -1 where it does not fit. */
  memoryOf(steps: number): number {
    return this.call.memoryOf!(BigInt(steps));
  }

  declares(name: string): boolean {
    const [text] = this.place(name);
    return Boolean(this.call.declared!(...text!));
  }

  declaresResult(name: string): boolean {
    const [text] = this.place(name);
    return Boolean(this.call.declaredResult!(...text!));
  }
}
