// Tokens of OpenID Connect issuers: verified by the issuer's published keys; an issuer that cannot be asked lets nobody in.
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import type { IssuerSettings } from "../config/settings.ts";
import { GatewayError } from "../gateway.ts";

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** Seconds that clocks may differ by. */
const SKEW = 30;

export class Issuers {
  readonly #keys = new Map<string, Keys>();

  /**
   * The subject that a token names, and its issuer's name in the settings; null where no issuer's token this is.
   * Fails with `unauthorized` (401) and `issuer_unavailable` (503: its keys cannot be had).
   */
  async subject(token: string, issuers: readonly IssuerSettings[], now: number): Promise<{ readonly issuer: string; readonly subject: string } | null> {
    const claimed = claims(token)?.iss;
    const issuer = issuers.find((one) => one.issuer === claimed);
    if (issuer === undefined) return null;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#keysOf(issuer), {
        issuer: issuer.issuer,
        audience: issuer.audience,
        algorithms: [...issuer.algorithms],
        clockTolerance: SKEW,
        currentDate: new Date(now * 1000),
        requiredClaims: ["exp"],
      });
      if ([payload.jti, protectedHeader.kid].some((id) => id !== undefined && issuer.revoked.includes(id))) throw refused("the token was revoked");
      const subject = payload[issuer.subjectClaim];
      if (typeof subject !== "string" || subject === "") throw refused(`the token has no claim ${issuer.subjectClaim}`);
      return { issuer: issuer.name, subject };
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      if (error instanceof errors.JWKSNoMatchingKey) throw refused("the token is signed by a key that the issuer does not publish");
      if (error instanceof errors.JWTExpired) throw refused("the token has expired");
      if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error instanceof TypeError || isTransport(error)) {
        throw new GatewayError(503, "issuer_unavailable", "the issuer's keys cannot be had, so that its token cannot be checked: try again later", { cause: error });
      }
      if (error instanceof errors.JOSEError) throw refused("the token does not verify");
      throw new GatewayError(503, "issuer_unavailable", "the token cannot be checked now: try again later", { cause: error });
    }
  }

  #keysOf({ jwks }: IssuerSettings): Keys {
    const keys = this.#keys.get(jwks) ?? createRemoteJWKSet(new URL(jwks), { cooldownDuration: 10_000, cacheMaxAge: 300_000, timeoutDuration: 5000 });
    this.#keys.set(jwks, keys);
    return keys;
  }
}

/** What a token claims of itself, unverified: only to know whose keys to ask. */
function claims(token: string): JWTPayload | null {
  const [, payload, , more] = token.split(".");
  if (payload === undefined || more !== undefined) return null;
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as JWTPayload;
  } catch {
    return null;
  }
}

function refused(message: string): GatewayError {
  return new GatewayError(401, "unauthorized", message);
}

/** The library's own error for an issuer that answers with a status but 200. */
function isTransport(error: unknown): boolean {
  return error instanceof errors.JOSEError && error.code === "ERR_JOSE_GENERIC";
}
