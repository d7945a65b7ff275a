// Signed approvals against an independent implementation of JWS, byte by byte, and against the core, which alone decides what they cover.
import { createHash, generateKeyPairSync } from "node:crypto";
import { Client } from "interlock";
import { CompactSign, compactVerify, importJWK } from "jose";
import { describe, expect, it } from "vitest";
import { broughtApproval, signedApproval } from "../../../hosts/gateway/approvals/sign.ts";
import { forced } from "../../../hosts/gateway/policies/in-force.ts";
import { KEYS, POLICY } from "../flow/shop.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const ED = { ...(privateKey.export({ format: "jwk" }) as { kty: string; crv: string; d: string; x: string }), kid: "ed", alg: "EdDSA", use: "approve" };
const keySet = (approve: Record<string, unknown>) => ({ ...KEYS, keys: [KEYS.keys[0], approve] });
const SETS = [
  ["HS256", keySet(KEYS.keys[1]!), KEYS.keys[1]!],
  ["EdDSA", keySet(ED), ED],
] as const;

const publicOf = ({ d: _d, ...rest }: Record<string, unknown>) => rest;

const hash = (label: string, text: string): string => createHash("sha256").update(label + text).digest("base64url");
const CALL = { order_id: "4411", amount: 40 };
const NOW = 1_764_500_000;

/** A question by the core: its token and what is shown. */
function asked(keys: unknown): { client: Client; check: (more: Record<string, unknown>) => { decision: string; reason: string; detail?: unknown; entry: { approved_by?: string[] } | null }; confirmation: string; question: unknown; history: unknown } {
  const client = new Client({ policy: forced(POLICY as never), keys: keys as never, isolated: true });
  const empty = { format: "qls-history/1", session: "s", entries: [] };
  const run = (request: Record<string, unknown>) => JSON.parse(client.use((core, { policy, keys: loaded }) => core.run("check", [policy, loaded], JSON.stringify(request)))) as never;
  const base = { format: "qls-tool-check/1", session: "s", agent: "desk", tool: "charge_card", arguments: CALL };
  const headOf = (history: unknown) => (client.verify(history as never) as { head: unknown }).head;
  const first = run({ ...base, now: NOW, head: headOf(empty), history: empty }) as { confirmation: string; question: unknown; entry: unknown; decision: string };
  expect(first.decision).toBe("confirm");
  const history = { ...empty, entries: [first.entry] };
  return { client, confirmation: first.confirmation, question: first.question, history, check: (more) => run({ ...base, now: NOW + 5, head: headOf(history), history, ...more }) };
}

describe.each(SETS)("by a key of %s", (alg, keys, key) => {
  const toSign = { answer: "approve", approver: "ann", at: NOW + 1, exp: NOW + 3600 } as const;

  it("is byte for byte what another library signs, with the header and payload of chapter 3", async () => {
    const { confirmation, question } = asked(keys);
    const jws = signedApproval({ ...toSign, confirmation, question }, JSON.stringify(keys));
    const header = { alg, kid: key.kid, typ: "qls-approval+jws" };
    const { payload, protectedHeader } = await compactVerify(jws, await importJWK(publicOf(key) as never, alg));
    expect(protectedHeader).toStrictEqual(header);
    expect(Buffer.from(jws.split(".")[0]!, "base64url").toString()).toBe(`{"alg":"${alg}","kid":"${key.kid}","typ":"qls-approval+jws"}`);
    const said = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
    expect(Object.keys(said)).toStrictEqual(["answer", "approver", "at", "exp", "question", "shown"]);
    expect(said).toMatchObject({ ...toSign, question: hash("qls-question/1\n", confirmation) });
    // The core writes answers in canonical form, so what was shown is in its own text too.
    expect(said["shown"]).toBe(hash("qls-shown/1\n", JSON.stringify(question)));
    const theirs = await new CompactSign(payload).setProtectedHeader(header).sign(await importJWK(key as never, alg));
    expect(jws).toBe(theirs);
  });

  it("covers the call by the core, and nothing but that", () => {
    const { check, confirmation, question } = asked(keys);
    const sign = (more: Partial<Parameters<typeof signedApproval>[0]>) => signedApproval({ ...toSign, confirmation, question, ...more }, JSON.stringify(keys));
    const covered = check({ confirmation, approvals: [sign({})] });
    expect(covered).toMatchObject({ decision: "allow", reason: "confirmed", entry: { approved_by: ["ann"] } });
    expect(check({ confirmation, approvals: [sign({ answer: "deny" })] })).toMatchObject({ decision: "refuse", reason: "denied" });
    for (const wrong of [[], [sign({ confirmation: `${confirmation}x` })], [sign({ at: NOW + 6 })], [sign({ exp: NOW + 5 })]]) {
      expect(check({ confirmation, ...(wrong.length === 0 ? {} : { approvals: wrong }) })).toMatchObject({ decision: "confirm", detail: { confirmation: { ignored: "approvals" } } });
    }
    expect(check({ confirmation, approvals: [sign({})], arguments: { ...CALL, amount: 41 } })).toMatchObject({ decision: "confirm", detail: { confirmation: { ignored: "arguments" } } });
  });

  it("is read back only where header, signature and question are right", async () => {
    const { confirmation, question } = asked(keys);
    const text = JSON.stringify(keys);
    const jws = signedApproval({ ...toSign, confirmation, question }, text);
    expect(broughtApproval(jws, confirmation, text)).toStrictEqual({ answer: "approve", approver: "ann", at: NOW + 1 });
    const [head, body, signature] = jws.split(".") as [string, string, string];
    const sign = async (payload: unknown, header: object) => new CompactSign(new TextEncoder().encode(JSON.stringify(payload))).setProtectedHeader(header as never).sign(await importJWK(key as never, alg));
    const payload = JSON.parse(Buffer.from(body, "base64url").toString()) as object;
    const header = { alg, kid: key.kid, typ: "qls-approval+jws" };
    const wrong = [
      "",
      `${head}.${body}`,
      `${jws}.x`,
      `${head}.${body}.${signature.slice(0, -4)}AAAA`,
      `${head}.${Buffer.from(JSON.stringify({ ...payload, approver: "bob" })).toString("base64url")}.${signature}`,
      await sign(payload, { ...header, typ: "JWT" }),
      await sign(payload, { typ: header.typ, alg, kid: key.kid }),
      await sign(payload, { ...header, kid: "gate" }),
      await sign({ ...payload, answer: "maybe" }, header),
      await sign([], header),
    ];
    for (const one of wrong) expect(broughtApproval(one, confirmation, text), one).toBeNull();
    expect(broughtApproval(jws, `${confirmation}x`, text)).toBeNull();
    expect(broughtApproval(jws, confirmation, JSON.stringify({ ...keys, keys: keys.keys.map(({ use: _use, ...rest }: Record<string, unknown>) => rest) }))).toBeNull();
  });
});

it("fails where no key of the set signs approvals", () => {
  const toSign = { answer: "approve", approver: "ann", at: 1, exp: 2, confirmation: "x", question: {} } as const;
  for (const keys of [{ ...KEYS, keys: [KEYS.keys[0]] }, keySet(publicOf(ED))]) expect(() => signedApproval(toSign, JSON.stringify(keys))).toThrowError(expect.objectContaining({ code: "approve_key_missing" }));
});
