// Tokens of issuers (OpenID Connect, OAuth 2): verified by jose with the issuer's published keys, and led back to one caller of the gateway's file.
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { Failure } from "../../shared/web/failure.ts";
import { unauthorized } from "../../shared/web/callers.ts";
import type { IssuerSettings } from "../config/settings.ts";
import { IssuerKeys, type KeyTimes, TIMES } from "./issuer-keys.ts";

/** How long issuer and gateway may differ about the time, in seconds. */
export const SKEW = 30;
/** The longest token that is looked at, in characters. */
const LONGEST = 8192;

export interface TokenOptions {
  /** The gateway's clock, in milliseconds. */
  readonly clock?: () => number;
  /** For how long keys are believed and issuers waited for. */
  readonly times?: Partial<KeyTimes>;
  /** A clock that only goes forward, in milliseconds, for the age of keys. */
  readonly monotonic?: () => number;
}

/** Whom a token is of: an issuer's name in the settings, and the subject. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

/** Verifies tokens. Keys are fetched when they are first needed, and kept while the issuer's address stays the same. */
export class Tokens {
  readonly #options: TokenOptions;
  readonly #mostWaiting: () => number;
  readonly #keys = new Map<string, IssuerKeys>();

  /** @param mostWaiting how many requests may wait for one issuer at the same time */
  constructor(options: TokenOptions, mostWaiting: () => number) {
    this.#options = options;
    this.#mostWaiting = mostWaiting;
  }

  /** Whether a bearer token has the form of a JWS. */
  static isOne(token: string): boolean {
    return token.split(".").length === 3;
  }

  /**
   * Whom a token is of.
   * Fails with `unauthorized`, whatever is wrong with the token; with `issuer_unavailable` (503) where the issuer's keys cannot be had: it lets nobody in.
   */
  async subject(token: string, issuers: readonly IssuerSettings[]): Promise<Subject> {
    const issuer = issuerOf(token, issuers);
    const now = this.#options.clock?.() ?? Date.now();
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, this.#keysOf(issuer).of, {
        issuer: issuer.issuer,
        audience: issuer.audience,
        algorithms: [...issuer.algorithms],
        clockTolerance: SKEW,
        currentDate: new Date(now),
        requiredClaims: ["exp", issuer.subjectClaim],
      }));
    } catch (error) {
      throw isTokensFault(error) ? unauthorized(error) : unavailable(error);
    }
    const subject = payload[issuer.subjectClaim];
    const { kid } = decodeProtectedHeader(token);
    const revoked = new Set(issuer.revoked);
    if (typeof subject !== "string" || subject === "" || (payload.jti !== undefined && revoked.has(payload.jti)) || (kid !== undefined && revoked.has(kid))) throw unauthorized();
    return { issuer: issuer.name, subject };
  }

  #keysOf({ jwks }: IssuerSettings): IssuerKeys {
    let keys = this.#keys.get(jwks);
    if (keys === undefined) {
      const { times = {}, monotonic = () => performance.now() } = this.#options;
      keys = new IssuerKeys(jwks, { ...TIMES, ...times }, this.#mostWaiting, monotonic);
      this.#keys.set(jwks, keys);
    }
    return keys;
  }
}

/** The issuer that a token says it is of: nothing is believed of it yet. */
function issuerOf(token: string, issuers: readonly IssuerSettings[]): IssuerSettings {
  try {
    const { iss } = token.length > LONGEST ? {} : decodeJwt(token);
    const found = issuers.find(({ issuer }) => issuer === iss);
    if (found !== undefined) return found;
  } catch (error) {
    throw unauthorized(error);
  }
  throw unauthorized();
}

/** Whether the token is at fault, and not the way to the issuer's keys. */
function isTokensFault(error: unknown): boolean {
  return (
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}

function unavailable(cause: unknown): Failure {
  return new Failure(503, "issuer_unavailable", "the issuer's keys cannot be had, so nobody is let in by its tokens: try again", { headers: { "retry-after": "5" }, cause });
}
