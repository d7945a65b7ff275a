// The step budget: work is counted, never timed, so that every runtime gives up at the same point.

let left: i64 = 0;

/** Begins a piece of work that may take `limit` steps. */
export function beginSteps(limit: i64): void {
  left = limit;
}

/** Takes `count` steps; false once the budget is passed. */
// @ts-ignore: decorator
@inline
export function spend(count: i64): bool {
  // Not read back: what was just stored takes an engine some cycles to load.
  const rest = left - count;
  left = rest;
  return rest >= 0;
}

/** Whether the budget was passed. */
export function exhausted(): bool {
  return left < 0;
}

/** How many steps are left; below 0 once the budget was passed. */
export function stepsLeft(): i64 {
  return left;
}
