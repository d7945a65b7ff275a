// A chain that numbers its lines, so that a gap, a repetition or another order shows.
import type { Sealer } from "../../../hosts/gateway/engine/port.ts";

export const numbered: Sealer = (tenant, previous, bodies) => {
  const last = previous === null ? -1 : (JSON.parse(previous) as { seq: number }).seq;
  return bodies.map((entry, index) => JSON.stringify({ seq: last + 1 + index, tenant, entry }));
};
