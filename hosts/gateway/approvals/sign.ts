// Signed approvals (chapter 3): the gateway makes one for the approver it authenticated, by the tenant's key of use `approve`.
import { createHash, createHmac, createPrivateKey, createPublicKey, sign, timingSafeEqual, verify } from "node:crypto";
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

const TYPE = "qls-approval+jws";

/** The JWS in compact form. Fails with `approve_key_missing` where the key set (JSON text) has no private key of use `approve`. */
export function signedApproval({ answer, approver, at, exp, confirmation, question }: ApprovalToSign, keysText: string): string {
  const { keys } = JSON.parse(keysText) as { keys: readonly Key[] };
  // The last one that was added signs: those before it go on verifying until they are taken out.
  const key = keys.findLast(({ use, k, d }) => use === "approve" && (k ?? d) !== undefined);
  if (key === undefined) throw new GatewayError(503, "approve_key_missing", "the tenant's key set has no key of use `approve` that can sign: make one with `interlock keygen --use approve`");
  const payload = { answer, approver, at, exp, question: hash("qls-question/1\n", confirmation), shown: hash("qls-shown/1\n", canonicalJson(question)) };
  const text = `${base64url(canonicalJson({ alg: key.alg, kid: key.kid, typ: TYPE }))}.${base64url(canonicalJson(payload))}`;
  const signature =
    key.kty === "oct"
      ? createHmac("sha256", Buffer.from(key.k!, "base64url")).update(text).digest("base64url")
      : sign(null, Buffer.from(text), createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d: key.d!, x: key.x! }, format: "jwk" })).toString("base64url");
  return `${text}.${signature}`;
}

/** A signed approval that somebody brought, read. */
export interface BroughtApproval {
  readonly answer: "approve" | "deny";
  readonly approver: string;
  /** Seconds since 1970. */
  readonly at: number;
}

/** What a JWS says where it is a signed approval of this question, by a key of use `approve`; null where it is not. The core looks at it again when it covers a call. */
export function broughtApproval(jws: string, confirmation: string, keysText: string): BroughtApproval | null {
  const [head, body, signature, ...more] = jws.split(".");
  if (head === undefined || body === undefined || signature === undefined || more.length > 0) return null;
  const { keys } = JSON.parse(keysText) as { keys: readonly Key[] };
  const key = keys.find(({ use, kid, alg }) => use === "approve" && head === base64url(canonicalJson({ alg, kid, typ: TYPE })));
  if (key === undefined || !isSigned(`${head}.${body}`, Buffer.from(signature, "base64url"), key)) return null;
  try {
    const { answer, approver, at, question } = JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as Record<string, unknown>;
    if ((answer !== "approve" && answer !== "deny") || typeof approver !== "string" || typeof at !== "number") return null;
    return question === hash("qls-question/1\n", confirmation) ? { answer, approver, at } : null;
  } catch {
    return null;
  }
}

function isSigned(text: string, signature: Buffer, { kty, k, x }: Key): boolean {
  if (kty === "oct") {
    const mine = createHmac("sha256", Buffer.from(k ?? "", "base64url")).update(text).digest();
    return k !== undefined && mine.length === signature.length && timingSafeEqual(mine, signature);
  }
  return x !== undefined && verify(null, Buffer.from(text), createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }), signature);
}

function hash(label: string, text: string): string {
  return createHash("sha256").update(label).update(text).digest("base64url");
}

function base64url(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}
