// Signed approvals (chapter 3): the gateway makes one for the approver it authenticated, by the tenant's key of use `approve`.
import { createHash, createHmac, createPrivateKey, sign } from "node:crypto";
import { canonicalJson } from "../audit/canonical.ts";
import { GatewayError } from "../gateway.ts";

/** A key of the key set (chapter 1, Keys). */
interface Key {
  readonly kid: string;
  readonly kty: "oct" | "OKP";
  readonly alg: string;
  readonly use?: string;
  readonly k?: string;
  readonly d?: string;
  readonly x?: string;
}

export interface ApprovalToSign {
  readonly answer: "approve" | "deny";
  readonly approver: string;
  /** Seconds since 1970. */
  readonly at: number;
  readonly exp: number;
  /** The question's token, and the question as it was shown. */
  readonly confirmation: string;
  readonly question: unknown;
}

/** The JWS in compact form. Fails with `approve_key_missing` where the key set (JSON text) has no private key of use `approve`. */
export function signedApproval({ answer, approver, at, exp, confirmation, question }: ApprovalToSign, keysText: string): string {
  const { keys } = JSON.parse(keysText) as { keys: readonly Key[] };
  const key = keys.find(({ use, k, d }) => use === "approve" && (k ?? d) !== undefined);
  if (key === undefined) throw new GatewayError(503, "approve_key_missing", "the tenant's key set has no key of use `approve` that can sign: make one with `interlock keygen --use approve`");
  const payload = { answer, approver, at, exp, question: hash("qls-question/1\n", confirmation), shown: hash("qls-shown/1\n", canonicalJson(question)) };
  const text = `${base64url(canonicalJson({ alg: key.alg, kid: key.kid, typ: "qls-approval+jws" }))}.${base64url(canonicalJson(payload))}`;
  const signature =
    key.kty === "oct"
      ? createHmac("sha256", Buffer.from(key.k!, "base64url")).update(text).digest("base64url")
      : sign(null, Buffer.from(text), createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d: key.d!, x: key.x! }, format: "jwk" })).toString("base64url");
  return `${text}.${signature}`;
}

function hash(label: string, text: string): string {
  return createHash("sha256").update(label).update(text).digest("base64url");
}

function base64url(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}
