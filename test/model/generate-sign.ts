// Signatures the generator makes: Ed25519 pairs, approvals of every kind, tokens turned bad.
import { APPROVAL } from "./confirmation.ts";
import { b64u, H } from "./digests.ts";
import { publicOf, signEd25519 } from "./ed25519.ts";
import { json } from "./json.ts";
import { signJws } from "./jws.ts";
import type { MadeKeys } from "./generate-policy.ts";
import type { Random } from "./random.ts";

export function sign(r: Random): { message: Buffer; signature: Buffer; public: Buffer } {
  const secret = r.bytes(32);
  const message = r.bytes(r.below(40));
  return { message, signature: Buffer.from(signEd25519(message, secret)), public: publicOf(secret) };
}

/** Approvals for a confirmation: enough of them, too few, denials, and each way of not counting. */
export function makeApprovals(r: Random, made: MadeKeys, confirmation: string, now: number): string[] {
  if (made.approvers.length === 0) return [];
  const one = (more: object = {}): string => {
    const key = r.pick(made.approvers);
    const payload = json({
      answer: "approve", approver: r.pick(["ana", "bo"]), at: now - r.below(5), exp: now + 60, question: b64u(H("qls-question/1\n", confirmation)),
      shown: b64u(H("qls-shown/1\n", "{}")), ...more,
    });
    return signJws({ kid: key.kid, alg: key.alg, use: "approve", secret: key.secret, public: key.public }, APPROVAL, payload);
  };
  return r.weighted<() => string[]>([
    [8, () => [one({ approver: "ana" }), one({ approver: "bo" })]],
    [2, () => [one()]],
    [2, () => [one({ approver: "ana" }), one({ answer: "deny", approver: "bo" })]],
    [1, () => []],
    [1, () => [one({ approver: "u-1" }), one({ approver: "carla" })]],
    [1, () => [one({ exp: now - 1 }), one({ at: now + 100 }), one({ question: b64u(H("x")) })]],
    [1, () => [`${one().slice(0, -3)}AAA`, "x.y.z", "", one({ extra: 1 })]],
    [1, () => [one({ answer: "deny", approver: "u-1" }), one({ approver: "ana" }), one({ approver: "bo" }), one({ approver: "ana" })]],
  ])();
}

/** A confirmation with something about its form or signature wrong. */
export function spoilToken(r: Random, token: string): string {
  const at = r.below(token.length);
  return r.pick([`${token}A`, token.slice(0, -1), token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1), "", "a.b", `${token}.x`, token.replace(".", "..")]);
}
