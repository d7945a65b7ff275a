// The idempotency key of a tool that takes one, where the model left it out: set before the check, so that what was checked is what is sent.
import { createHash } from "node:crypto";
import { rawMembers } from "interlock";
import { operationKey } from "../../call/keys.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { turnFor } from "../../pace.ts";
import { canonicalText } from "../../sessions/request.ts";

/** Equal calls are told apart by how many came before: `next` is the number of the next one, `unknown` that of one whose outcome is unknown, which an equal call repeats. */
interface Numbered {
  readonly next: number;
  readonly unknown?: number;
}

/**
 * Fills the key in, with origin `computed`. It is of the session, agent, tool, other arguments and number; of the caller's Idempotency-Key where there is one.
 * So a retry of a call that people are asked about is that very call, and one of a call whose outcome is unknown has its key.
 */
export async function fillKey(call: CallRecord, world: World): Promise<void> {
  const name = world.tool(call.tool)?.idempotency_key;
  if (name === undefined) return;
  await turnFor(call.arguments.length);
  const members = rawMembers(call.arguments);
  if (members === null || members.some((member) => member.name === name)) return;
  const numbered = call.idempotencyKey === null ? await read(call, baseOf(call.arguments, name, world), world) : null;
  const key = keyOf(call, baseOf(call.arguments, name, world), numbered?.unknown ?? numbered?.next ?? 0);
  const open = call.arguments.trimEnd().slice(0, -1);
  Object.assign(call, { arguments: `${open}${members.length === 0 ? "" : ","}${JSON.stringify(name)}:"${key}"}`, origins: Object.fromEntries([...Object.entries(call.origins ?? {}), [name, "computed"]]) });
}

/** Puts into the unit that the call's number is used, where its key was filled in: at the intent, and again where its outcome is unknown or was settled. */
export async function numberUsed(call: CallRecord, world: World, as: "sent" | "unknown" | "settled"): Promise<void> {
  const name = world.tool(call.tool)?.idempotency_key;
  if (name === undefined || call.canonical === null || call.idempotencyKey !== null || call.origins?.[name] !== "computed") return;
  const base = baseOf(call.canonical, name, world);
  const { next, unknown, version } = await read(call, base, world);
  const key = operationKey(call.session, call.agent, call.tool, base);
  const used = rawMembers(call.canonical)?.find((member) => member.name === name)?.value.text;
  const isMine = (number: number | undefined): boolean => number !== undefined && used === JSON.stringify(keyOf(call, base, number));
  const keep = (numbered: Numbered): void => world.unit.put(key, JSON.stringify(numbered), version);
  if (as === "sent" && isMine(next)) keep({ next: next + 1, ...(unknown === undefined ? {} : { unknown }) });
  else if (as === "unknown" && isMine(next - 1)) keep({ next, unknown: next - 1 });
  else if (as !== "unknown" && isMine(unknown)) keep({ next });
}

async function read(call: CallRecord, base: string, world: World): Promise<Numbered & { readonly version: number | null }> {
  const stored = await world.parts.engine.get(call.tenant, operationKey(call.session, call.agent, call.tool, base));
  return stored === null ? { next: 0, version: null } : { ...(JSON.parse(stored.value) as Numbered), version: stored.version };
}

/** The other arguments, by the digest of their canonical text. */
function baseOf(args: string, name: string, world: World): string {
  const others = (rawMembers(args) ?? []).filter((member) => member.name !== name).map((member) => `${JSON.stringify(member.name)}:${member.value.text}`);
  return createHash("sha256").update(canonicalText(`{${others.join(",")}}`, world.policy)).digest("base64url");
}

function keyOf({ tenant, session, agent, tool, caller, idempotencyKey }: CallRecord, base: string, number: number): string {
  const bound = idempotencyKey === null ? [tenant, session, agent, tool, base, number] : [tenant, caller, idempotencyKey];
  return createHash("sha256").update(`interlock-key/1\n${JSON.stringify(bound)}`).digest("base64url");
}
