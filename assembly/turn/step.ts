// A step of a plan: a tool, and where each of its arguments comes from.

import { Text } from "../memory/buffer";
import { Value } from "../json/value";
import { By } from "./reach";
import { Clause } from "./clauses";
import { Parameter } from "./parameters";
import { ToolWords } from "./vocabulary";

export const enum Source {
  /** The turn holds it. */
  Typed,
  /** A default. */
  Context,
  /** A field of an earlier step's result: not known yet. */
  Result,
}

export const enum Holds {
  Text,
  Number,
  Boolean,
  /** A JSON value of the policy. */
  Value,
  /** A list of texts. */
  List,
  /** A field of a result. */
  Field,
}

/** An argument of a step. */
@final
export class Bound {
  text: Text | null = null;
  number: f64 = 0;
  yes: bool = false;
  value: Value = 0;
  list: Array<Text> = [];
  /** Of a field: the step. */
  step: i32 = 0;
  constructor(
    public parameter: Parameter,
    public source: Source,
    public holds: Holds,
  ) {}
}

@final
export class Step {
  /** By the order of the tool's parameters; null where nothing was found. */
  bound: StaticArray<Bound | null>;
  /** The step it comes after, or -1. */
  after: i32 = -1;
  /** It rests on something that was not said plainly: the plan confirms. */
  doubt: bool = false;
  constructor(
    public words: ToolWords,
    public by: By,
    public clause: Clause,
    /** Its place in the plan. */
    public index: i32,
  ) {
    this.bound = new StaticArray<Bound | null>(words.parameters.length);
  }

  /** Whether a required argument has no value. */
  get lacks(): bool {
    const parameters = this.words.parameters;
    for (let i = 0; i < parameters.length; i++) if (parameters[i].required && this.bound[i] === null) return true;
    return false;
  }
}
