// The names of records in the engine: one scheme for everything that is kept of a tenant.
import { createHash } from "node:crypto";
import { VALUES } from "../audit/values.ts";

/** A name as part of a key: as it is where it is short and printable, else its SHA-256. Told apart by `~`, which encodeURIComponent leaves alone and is written out here. */
export function part(name: string | null): string {
  if (name === null) return "~";
  if (name.isWellFormed()) {
    const encoded = encodeURIComponent(name).replaceAll("~", "%7E");
    if (encoded.length <= 90 && encoded !== "") return encoded;
  }
  return `~${createHash("sha256").update(JSON.stringify(name)).digest("hex")}`;
}

export const headKey = (session: string): string => `session/${part(session)}/head`;
export const entryPrefix = (session: string): string => `session/${part(session)}/entry/`;
export const entryKey = (session: string, step: number): string => `${entryPrefix(session)}${String(step).padStart(10, "0")}`;
export const callKey = (id: string): string => `call/${id}`;
export const openKey = (id: string): string => `open/${id}`;
export const onceKey = (once: string): string => `once/${once}`;
export const turnPrefix = (session: string, cohort: string): string => `turn/${part(session)}/${part(cohort)}/`;
export const turnKey = (session: string, cohort: string, call: string): string => `${turnPrefix(session, cohort)}${call}`;
export const callsPrefix = (session: string): string => `calls-of/${part(session)}/`;
export const callOfKey = (session: string, call: string): string => `${callsPrefix(session)}${call}`;
export const undoPrefix = "undo/";
export const undoKey = (id: string): string => `${undoPrefix}${id}`;
export const attachedPrefix = (approval: string): string => `attached/${approval}/`;
export const valuesPrefix = (session: string): string => `${VALUES}${part(session)}/`;
export const valuesKey = (session: string, call: string): string => `${valuesPrefix(session)}${call}`;
export const idempotencyKey = (caller: string, key: string): string => `call-by-key/${part(caller)}/${part(key)}`;
/** The keys that retries brought for a session's calls, besides those that the calls came with. */
export const keyedPrefix = (session: string): string => `keyed/${part(session)}/`;
export const keyedKey = (session: string, caller: string, key: string): string => `${keyedPrefix(session)}${part(caller)}/${part(key)}`;
export const unknownKey = (session: string, agent: string | null, tool: string, digest: string): string => `unknown/${part(session)}/${part(agent)}/${part(tool)}/${digest}`;
export const operationKey = (session: string, agent: string | null, tool: string, base: string): string => `operation/${part(session)}/${part(agent)}/${part(tool)}/${base}`;
export const cancelKey = (id: string): string => `cancel/${id}`;
export const placePrefix = (tool: string): string => `place/${part(tool)}/`;
export const placeKey = (tool: string, place: number): string => `${placePrefix(tool)}${place}`;
export const queuePrefix = (tool: string): string => `queue/${part(tool)}/`;
export const queueKey = (tool: string, call: string): string => `${queuePrefix(tool)}${call}`;
