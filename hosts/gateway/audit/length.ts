// How many lines a tenant's log has: what an engine can be asked is a line by its number.
import type { Engine } from "../engine/port.ts";

/** How many lines a tenant's log has: found by doubling, then halving. */
export async function lengthOf(engine: Pick<Engine, "audit">, tenant: string): Promise<number> {
  const has = async (line: number): Promise<boolean> => (await engine.audit(tenant, line, 1)).length > 0;
  let high = 1;
  while (await has(high - 1)) high *= 2;
  let low = Math.floor(high / 2);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await has(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
