// Who a request is from: the caller of its key or of its issuer's token, as the settings in force know it.
import { createHash } from "node:crypto";
import { bearerOf, fromHex, holderOfHash, unauthorized } from "../../shared/web/callers.ts";
import type { CallerSettings, Grant, Settings } from "../config/settings.ts";
import type { Caller } from "../gateway.ts";
import { type TokenOptions, Tokens } from "./tokens.ts";

/** The caller of a request. Fails with `unauthorized` (401), whatever was wrong, and `issuer_unavailable` (503). */
export type Authenticate = (request: Request) => Promise<Caller>;

interface Holder {
  readonly hash: Uint8Array;
  readonly caller: CallerSettings;
}

interface Known {
  readonly settings: Settings;
  readonly holders: readonly Holder[];
  readonly subjects: ReadonlyMap<string, CallerSettings>;
}

/**
 * Makes the function that authenticates.
 * @param settings the settings in force; asked at every request, so that a caller taken out of the file is out with the reload
 */
export function createAuthenticate(settings: () => Pick<Settings, "callers" | "issuers" | "limits">, options: TokenOptions = {}): Authenticate {
  // Who waits for an issuer holds a place: an eighth of them at most.
  const tokens = new Tokens(options, () => Math.max(1, Math.floor(settings().limits.inFlight / 8)));
  let known: Known | null = null;
  return async (request) => {
    const now = settings() as Settings;
    if (known?.settings !== now) known = knownOf(now);
    const token = bearerOf(request);
    if (token === null) throw unauthorized();
    // Node's own hash: the web's goes to another thread and back, which takes forty times as long for a token.
    const caller = holderOfHash(createHash("sha256").update(token).digest(), known.holders)?.caller ?? (Tokens.isOne(token) ? await ofToken(token, known, tokens) : undefined);
    if (caller === undefined || hasExpired(caller, options.clock?.() ?? Date.now())) throw unauthorized();
    return callerOf(caller);
  };
}

/** What an administrator of a tenant may do: everything that is done from outside of a call. It speaks for no person and no host, so that it sets no member of a call. */
const ADMIN: readonly Grant[] = ["report", "receipt", "approve", "read_approvals", "policy", "kill", "audit", "sessions", "metrics"];

/** A caller of the settings as doors and the flow know it. */
export function callerOf({ name, tenant, agents, principal, approver, may, agentVersion = null }: CallerSettings): Caller {
  return { name, tenant, agents, principal, approver, may: new Set(may.includes("admin") ? [...may, ...ADMIN] : may), ...(agentVersion === null ? {} : { agentVersion }) };
}

async function ofToken(token: string, { settings, subjects }: Known, tokens: Tokens): Promise<CallerSettings | undefined> {
  const { issuer, subject } = await tokens.subject(token, settings.issuers);
  return subjects.get(JSON.stringify([issuer, subject]));
}

function knownOf(settings: Settings): Known {
  const holders = settings.callers.flatMap((caller) => (caller.sha256 === null ? [] : [{ hash: fromHex(caller.sha256), caller }]));
  const subjects = settings.callers.flatMap((caller) => (caller.subject === null ? [] : [[JSON.stringify([caller.subject.issuer, caller.subject.subject]), caller] as const]));
  return { settings, holders, subjects: new Map(subjects) };
}

function hasExpired({ expires }: CallerSettings, now: number): boolean {
  return expires !== null && now >= expires * 1000;
}
