// What a condition is evaluated against: the variables of chapter 2 and the counts over the verified history.

import { Value } from "../json/value";
import { Text } from "../memory/buffer";

/** The functions over the verified history (chapter 2). Names are UTF-8 texts of tools. */
export abstract class HistoryCounts {
  /** Entries of the tool that are allowed and whose outcome is `ran`. */
  abstract ran(start: usize, length: i32): i64;
  /** Entries of the tool that are allowed. */
  abstract allowed(start: usize, length: i32): i64;
  /** Those of them with `at >= now - seconds`. */
  abstract allowedWithin(start: usize, length: i32, seconds: i64): i64;
}

/**
 * The variables of one call. Whoever makes it sets the fields; nothing is converted before a condition asks for it.
 * A `Value` of 0 stands for an empty map.
 */
@final
export class Environment {
  /** `agent`: empty without one. */
  agent: Text;
  /** `args`: the call's arguments, an object. */
  args: Value = 0;
  /** `facts`: the request's `context`, an object; a fact that is not in it is false. */
  facts: Value = 0;
  /** `principal`: an object. */
  principal: Value = 0;
  /** `resource`: an object. */
  resource: Value = 0;
  /** `origins`: the claimed ones, an object of strings; the variable has every argument's name, `model` where none was claimed. */
  origins: Value = 0;
  /** `labels`: the call's marks. */
  labels: Array<Text>;
  /** `now`: seconds since 1970. */
  now: i64 = 0;
  /** `turn`: the last turn, empty without one. */
  turn: Text;

  constructor(
    /** `tool` */
    public tool: Text,
    public counts: HistoryCounts,
  ) {
    const none = new Text(0, 0);
    this.agent = none;
    this.turn = none;
    this.labels = new Array<Text>();
  }
}
