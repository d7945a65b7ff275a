// Who calls: a key that the settings know by its hash, or an issuer's token whose subject they name. Everybody else is nobody.
import type { CallerSettings, Settings } from "../config/settings.ts";
import { type Caller, GatewayError } from "../gateway.ts";
import { Issuers } from "./issuers.ts";
import { keyHash, sameHash } from "./keys.ts";

export interface Authenticator {
  /** The caller of a request, by its Authorization header. Fails with `unauthorized` (401), `issuer_unavailable` (503). */
  (authorization: string | null): Promise<Caller>;
}

/** @param settings asked at each request, so that a revoked key is refused from the next one on. @param clock seconds since 1970 */
export function createAuthenticator(settings: () => Settings, clock: () => number): Authenticator {
  const issuers = new Issuers();
  return async (authorization) => {
    const [, token] = /^Bearer ([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(authorization ?? "") ?? [];
    if (token === undefined) throw unauthorized("a key is wanted: Authorization: Bearer …");
    const { callers, issuers: known } = settings();
    const now = clock();
    const hash = keyHash(token);
    // Every caller's hash is looked at, whether or not one was found.
    let found: CallerSettings | null = null;
    for (const caller of callers) if (caller.sha256 !== null && sameHash(caller.sha256, hash)) found = caller;
    if (found === null && token.includes(".")) {
      const subject = await issuers.subject(token, known, now);
      if (subject !== null) found = callers.find((caller) => caller.subject?.issuer === subject.issuer && caller.subject.subject === subject.subject) ?? null;
    }
    if (found === null) throw unauthorized("this key is not known here");
    if (found.expires !== null && found.expires <= now) throw unauthorized("this caller's key has expired");
    return asCaller(found);
  };
}

/** A caller as the doors and the flow know it. */
export function asCaller({ name, tenant, agents, principal, approver, may }: CallerSettings): Caller {
  // An administrator of a tenant may do what is done from outside of a call; it speaks for no person and no host, so that it says nothing of calls.
  const all = may.includes("admin") ? [...may, "report", "receipt", "approve", "read_approvals", "policy", "kill", "audit", "sessions", "metrics"] : may;
  return { name, tenant, agents, principal, approver, may: new Set(all) };
}

function unauthorized(message: string): GatewayError {
  return new GatewayError(401, "unauthorized", message);
}
