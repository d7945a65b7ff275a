// Reports outcomes into a session's history (chapter 3): of calls the gateway made, and of steps whose permit was not used.
import { InterlockError } from "interlock";
import type { World } from "../call/world.ts";
import type { Kept } from "./sessions.ts";

/** What a report says; `fields` is the result's JSON text. */
export interface Told {
  readonly status: "ran" | "failed" | "outcome_unknown" | "compensated";
  readonly fields?: string | undefined;
  readonly externalId?: string | undefined;
}

/** The report's document. */
export function toldText(step: number, { status, fields, externalId }: Told, nowSeconds: number): string {
  const id = externalId === undefined ? "" : `,"external_id":${JSON.stringify(externalId)}`;
  return `{"step":${step},"status":"${status}","at":${nowSeconds}${id}${fields === undefined ? "" : `,"result":${fields}`}}`;
}

/** Reports a step in its session's turn. A result that cannot be reported is left out; a step that has an outcome already keeps it. */
export function reportStep(world: World, kept: Kept, step: number, told: Told): void {
  const now = Math.floor(world.now() / 1000);
  try {
    world.shared.sessions.report(kept, step, toldText(step, told, now), world.unit);
  } catch (error) {
    if (!(error instanceof InterlockError)) throw error;
    if (error.code.startsWith("outcome_")) return;
    if (told.fields === undefined && told.externalId === undefined) throw error;
    world.shared.sessions.report(kept, step, toldText(step, { status: told.status }, now), world.unit);
  }
}
