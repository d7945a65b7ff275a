// An issuer of tokens (OpenID Connect) on this machine: its published keys, and tokens that are right until a test makes one that is not.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import type { IssuerSettings } from "../../../hosts/gateway/config/settings.ts";

export const ISSUER = "https://login.test";
export const AUDIENCE = "interlock";

type Key = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];

export interface Issuer {
  readonly settings: IssuerSettings;
  readonly privateKey: Key;
  /** The published key as JSON. */
  readonly published: object;
  /** How often its keys were asked for. */
  asked: number;
  /** Answers no more. */
  down: boolean;
  /** A token of a subject, for an hour from `now` (seconds). A test's claims and header members stand in the place of ours. */
  token(subject: string | undefined, claims?: JWTPayload, header?: Record<string, unknown>, key?: Key): Promise<string>;
  close(): Promise<void>;
}

/** Opens an issuer; `key` is what it publishes in the place of its own. */
export async function openIssuer(now: number, more: Partial<IssuerSettings> = {}, key?: object): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const published = { ...(await exportJWK(publicKey)), kid: "key-1", alg: "ES256", use: "sig" };
  const server = createServer((_, response) => {
    issuer.asked++;
    if (issuer.down) response.writeHead(500).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys: [key ?? published] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer: Issuer = {
    settings: { name: "login", issuer: ISSUER, jwks: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`, audience: AUDIENCE, algorithms: ["ES256"], subjectClaim: "sub", revoked: [], ...more },
    privateKey, published,
    asked: 0,
    down: false,
    token: (subject, claims = {}, header = {}, key = privateKey) =>
      new SignJWT({ iss: ISSUER, aud: AUDIENCE, iat: now, exp: now + 3600, jti: "token-1", ...(subject === undefined ? {} : { sub: subject }), ...claims }).setProtectedHeader({ alg: "ES256", kid: "key-1", ...header }).sign(key),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return issuer;
}
