// Fills what a clause leaves out: from earlier steps it speaks of, and from defaults (chapter 6, From words to steps, 3).

import { OBJECT, Value, count, first, get, isKind, member, next, stringLength, stringStart } from "../json/value";
import { Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { NameTable } from "../memory/names";
import { spend } from "../memory/steps";
import { Policy } from "../policy/policy";
import { ANAPHOR, DETERMINER } from "./classes";
import { Parameter } from "./parameters";
import { Bound, Holds, Source, Step } from "./step";
import { Kind, Token } from "./token";

/** What earlier steps have to offer, by name. */
@final
export class Earlier {
  private names: NameTable = new NameTable();
  private bound: Array<Bound | null> = [];
  private fields: NameTable = new NameTable();
  private givers: Array<i32> = [];
  /** By tool: its last step, or -1. */
  private last: StaticArray<i32>;

  constructor(
    private policy: Policy,
    private defaults: Value,
    private tokens: Array<Token>,
  ) {
    this.last = new StaticArray<i32>(policy.tools.length);
    for (let i = 0; i < this.last.length; i++) this.last[i] = -1;
  }

  /** Fills the parameters of the next step that have no value, and takes what it offers itself. */
  fill(step: Step): void {
    const parameters = step.words.parameters;
    const speaks = this.speaksOf(step);
    for (let p = 0; p < parameters.length; p++) {
      spend(1);
      if (step.bound[p] !== null) continue;
      const parameter = parameters[p];
      let bound: Bound | null = null;
      if (speaks || this.saysName(step, parameter)) {
        bound = this.fieldOf(step, parameter);
        if (bound === null && speaks) bound = this.typed(parameter);
      }
      if (bound === null) bound = this.byDefault(step, parameter);
      if (bound === null && parameter.required) {
        bound = this.typed(parameter);
        if (bound === null) bound = this.bindOf(step, parameter);
      }
      step.bound[p] = bound;
      if (bound !== null && bound.holds == Holds.Field) step.after = max(step.after, bound.step);
    }
    this.offer(step);
  }

  /** Whether a clause speaks of what came before: it, its, the result. */
  private speaksOf(step: Step): bool {
    const clause = step.clause;
    for (let i = clause.from; i < clause.to; i++) {
      spend(1);
      const token = this.tokens[i];
      if (token.kind == Kind.Word && (token.classes & ANAPHOR) != 0) return true;
    }
    return false;
  }

  /** Whether a clause says a word of a parameter's name after a determiner: `charge the card`. */
  private saysName(step: Step, parameter: Parameter): bool {
    const clause = step.clause;
    for (let i = clause.from + 1; i < clause.to; i++) {
      spend(1);
      const token = this.tokens[i];
      if (token.kind != Kind.Word || token.stem < 0 || this.tokens[i - 1].kind != Kind.Word || (this.tokens[i - 1].classes & DETERMINER) == 0) continue;
      if (parameter.words.includes(token.stem)) return true;
    }
    return false;
  }

  /** What an earlier clause typed for a parameter of this name. */
  private typed(parameter: Parameter): Bound | null {
    const index = this.names.find(parameter.name.start, parameter.name.length);
    if (index < 0) return null;
    const known = this.bound[index]!;
    const bound = new Bound(parameter, known.source, known.holds);
    bound.text = known.text;
    bound.number = known.number;
    bound.yes = known.yes;
    bound.value = known.value;
    bound.list = known.list;
    bound.step = known.step;
    return bound;
  }

  /** A field of an earlier result: the one an order rule binds, else the last of this name. */
  private fieldOf(step: Step, parameter: Parameter): Bound | null {
    const ruled = this.bindOf(step, parameter);
    if (ruled !== null) return ruled;
    const index = this.fields.find(parameter.name.start, parameter.name.length);
    if (index < 0) return null;
    return field(parameter, this.givers[index], parameter.name);
  }

  /** What an order rule `after: {tool, bind}` says the argument comes from. */
  private bindOf(step: Step, parameter: Parameter): Bound | null {
    const rules = step.words.tool.after;
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i];
      for (let k = 0; k < rule.arguments.length; k++) {
        const name = rule.arguments[k];
        if (!equalBytes(name.start, name.length, parameter.name.start, parameter.name.length)) continue;
        const tool = this.policy.tool(rule.tool);
        if (tool !== null && this.last[tool.index] >= 0) return field(parameter, this.last[tool.index], rule.fields[k]);
      }
    }
    return null;
  }

  /** The agent's default for a parameter, else the tool's. */
  private byDefault(step: Step, parameter: Parameter): Bound | null {
    const name = parameter.name;
    let value = defaultIn(this.defaults, name);
    if (value == 0) value = defaultIn(get(step.words.tool.source, "defaults"), name);
    if (value == 0) return null;
    const bound = new Bound(parameter, Source.Context, Holds.Value);
    bound.value = value;
    return bound;
  }

  /** Takes what a step was given by the person, and the fields it returns. */
  private offer(step: Step): void {
    for (let p = 0; p < step.bound.length; p++) {
      const bound = step.bound[p];
      if (bound === null || bound.source != Source.Typed) continue;
      const name = bound.parameter.name;
      const index = this.names.add(name.start, name.length);
      if (index == this.bound.length) this.bound.push(bound);
      else this.bound[index] = bound;
    }
    this.last[step.words.tool.index] = step.index;
    const properties = get(get(step.words.tool.source, "result"), "properties");
    if (!isKind(properties, OBJECT) || count(properties) == 0) return;
    const end = next(properties);
    for (let name = first(properties); name < end; name = next(next(name))) {
      const index = this.fields.add(stringStart(name), stringLength(name));
      if (index == this.givers.length) this.givers.push(step.index);
      else this.givers[index] = step.index;
    }
  }
}

function field(parameter: Parameter, step: i32, name: Text): Bound {
  const bound = new Bound(parameter, Source.Result, Holds.Field);
  bound.step = step;
  bound.text = name;
  return bound;
}

function defaultIn(defaults: Value, name: Text): Value {
  return isKind(defaults, OBJECT) && count(defaults) != 0 ? member(defaults, name.start, name.length) : 0;
}
