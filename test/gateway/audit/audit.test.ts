// The audit log: what is written verifies, by a second verifier too; whatever is changed, removed, added or moved is found; and checkpoints are JWS that another library reads.
import { createHash, generateKeyPairSync } from "node:crypto";
import { compactVerify, importJWK } from "jose";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../hosts/gateway/audit/canonical.ts";
import { createSealer, type SigningKey, signingKey } from "../../../hosts/gateway/audit/chain.ts";
import type { AuditBody } from "../../../hosts/gateway/audit/entry.ts";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";

const oct: SigningKey = { kid: "k-1", kty: "oct", alg: "HS256", k: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc" };
const okp = (() => {
  const { d, x } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  return { kid: "k-2", kty: "OKP" as const, crv: "Ed25519", alg: "EdDSA", d: d!, x: x! };
})();
const open: SigningKey = { kid: "k-2", kty: "OKP", alg: "EdDSA", x: okp.x };
const body = (index: number): AuditBody => ({ event: index % 3 === 0 ? "call.proposed" : "call.intent", at: 1_764_445_000_000 + index * 1000, actor: `caller-${index % 4}`, call: `c-${index}`, arguments: { amount: { redacted: "d" }, note: "é\u2028" } });

/** A log of so many entries, in commits of one to three. */
function log(count: number, key: SigningKey = oct, tenant = "shop", every = { entries: 10, milliseconds: 3_600_000 }): string[] {
  const seal = createSealer(() => key, () => every);
  const lines: string[] = [];
  for (let index = 0; index < count; ) {
    const bodies = Array.from({ length: Math.min(1 + (index % 3), count - index) }, (_, more) => body(index + more));
    lines.push(...seal(tenant, lines.at(-1) ?? null, bodies));
    index += bodies.length;
  }
  return lines;
}

/** A verifier from the README's formula alone: the hashes and numbers; signatures are jose's to judge. */
function second(lines: readonly string[], tenant: string): boolean {
  let before = tenant;
  return lines.every((line, index) => {
    const { prev, seq, tenant: told } = JSON.parse(line) as { prev: string; seq: number; tenant: string };
    const right = prev === createHash("sha256").update(`interlock-audit/1\n${before}`).digest("base64url") && seq === index && told === tenant;
    before = line;
    return right;
  });
}

describe("a log", () => {
  it("verifies as it was written, with either kind of key, and by the formula", async () => {
    for (const [key, known] of [
      [oct, oct],
      [okp, open],
    ] as const) {
      const lines = log(57, key);
      const verified = await verifyAudit(lines, { keys: [known] });
      expect(verified).toMatchObject({ valid: true, tenant: "shop", entries: 57, problem: null });
      expect(verified.checkpoints).toBeGreaterThanOrEqual(5);
      expect(verified.uncovered).toBe(verified.head!.seq - verified.covered!);
      expect(verified.uncovered).toBeLessThan(10);
      expect(second(lines, "shop")).toBe(true);
    }
  });

  it("has checkpoints that another JOSE library verifies, over everything before", async () => {
    const lines = log(25, okp);
    const key = await importJWK({ ...okp, d: undefined } as never, "EdDSA");
    for (const [index, line] of lines.entries()) {
      const { checkpoint } = JSON.parse(line) as { checkpoint?: string };
      if (checkpoint === undefined) continue;
      const { payload, protectedHeader } = await compactVerify(checkpoint, key);
      expect(protectedHeader).toStrictEqual({ alg: "EdDSA", kid: "k-2", typ: "interlock-checkpoint+jws" });
      const told = JSON.parse(new TextDecoder().decode(payload)) as { prev: string; seq: number; tenant: string };
      expect(told).toMatchObject({ tenant: "shop", seq: index, prev: createHash("sha256").update(`interlock-audit/1\n${lines[index - 1]}`).digest("base64url") });
    }
  });

  it("is signed after an interval by the entries' own times, and when nothing is appended", async () => {
    const seal = createSealer(() => oct, () => ({ entries: 1000, milliseconds: 5000 }));
    const lines: string[] = [];
    for (let index = 0; index < 12; index++) lines.push(...seal("shop", lines.at(-1) ?? null, [body(index)]));
    const signed = lines.flatMap((line, index) => (line.includes('"checkpoint"') ? [index] : []));
    expect(signed).toStrictEqual([6, 12]);
    const more = seal("shop", lines.at(-1)!, [body(12)]);
    expect(seal("shop", more.at(-1)!, [])).toHaveLength(1);
    expect(seal("shop", seal("shop", more.at(-1)!, [])[0]!, [])).toHaveLength(0);
    expect(seal("empty", null, [])).toHaveLength(0);
  });

  it("goes on under a new key after a rotation", async () => {
    const lines = log(12, oct);
    const seal = createSealer(() => okp, () => ({ entries: 1, milliseconds: 1 }));
    lines.push(...seal("shop", lines.at(-1)!, [body(12)]));
    expect(await verifyAudit(lines, { keys: [oct, open] })).toMatchObject({ valid: true, uncovered: 0 });
    expect(await verifyAudit(lines, { keys: [oct] })).toMatchObject({ valid: false, problem: { code: "audit_key" } });
    expect(await verifyAudit(lines, { keys: [oct, { ...open, kty: "oct", k: open.x! }] })).toMatchObject({ valid: false, problem: { code: "audit_signature" } });
  });

  it("verifies in parts, each from the head before it", async () => {
    const lines = log(40);
    const first = await verifyAudit(lines.slice(0, 20), { keys: [oct] });
    expect(await verifyAudit(lines.slice(20), { keys: [oct] }, { from: first.head! })).toMatchObject({ valid: true });
    expect(await verifyAudit(lines.slice(21), { keys: [oct] }, { from: first.head! })).toMatchObject({ valid: false, problem: { code: "audit_seq", line: 1 } });
    expect(await verifyAudit(lines.slice(1), { keys: [oct] })).toMatchObject({ valid: false, problem: { code: "audit_start", line: 1 } });
  });

  it("shows by a head that was kept that its end was cut off or written anew", async () => {
    const lines = log(40);
    const head = (await verifyAudit(lines, { keys: [oct] })).head!;
    expect(await verifyAudit(lines, { keys: [oct] }, { head })).toMatchObject({ valid: true });
    expect(await verifyAudit(lines.slice(0, -1), { keys: [oct] }, { head })).toMatchObject({ valid: false, problem: { code: "audit_end" } });
    expect(await verifyAudit([], { keys: [oct] }, { head })).toMatchObject({ valid: false, problem: { code: "audit_end" } });
    expect(await verifyAudit([], { keys: [oct] })).toMatchObject({ valid: true, head: null });
  });

  it("holds no thousand random changes unseen", async () => {
    const lines = log(60);
    let state = 12345;
    const random = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const covered = (await verifyAudit(lines, { keys: [oct] })).covered!;
    for (let round = 0; round < 1000; round++) {
      const changed = [...lines];
      const at = random(covered);
      const kind = random(6);
      if (kind === 0) changed.splice(at, 1);
      else if (kind === 1) changed.splice(at, 0, lines[random(lines.length)]!);
      else if (kind === 2) [changed[at], changed[at + 1]] = [changed[at + 1]!, changed[at]!];
      else {
        const line = lines[at]!;
        const place = random(line.length);
        const letter = String.fromCharCode(33 + random(90));
        changed[at] = kind === 3 ? line.slice(0, place) + letter + line.slice(place + 1) : kind === 4 ? line.slice(0, place) + line.slice(place + 1) : `${line.slice(0, place)} ${line.slice(place)}`;
      }
      if (changed.join("\n") === lines.join("\n")) continue;
      expect((await verifyAudit(changed, { keys: [oct] })).valid, `round ${round}`).toBe(false);
    }
  });

  it("is not forged by whoever can hash but not sign", async () => {
    const lines = log(30);
    // Everything from one entry on is written anew, its hashes made to fit; checkpoints are kept, or left out.
    const forge = (keep: boolean): string[] => {
      const forged = lines.slice(0, 5);
      for (const line of lines.slice(5)) {
        const value = JSON.parse(line) as Record<string, unknown>;
        if (value["checkpoint"] !== undefined && !keep) continue;
        const before = forged.at(-1)!;
        const entry = value["entry"] as Record<string, unknown> | undefined;
        forged.push(canonicalJson({ ...value, ...(entry === undefined ? {} : { entry: { ...entry, actor: "nobody" } }), prev: createHash("sha256").update(`interlock-audit/1\n${before}`).digest("base64url"), seq: (JSON.parse(before) as { seq: number }).seq + 1 }));
      }
      return forged;
    };
    expect(await verifyAudit(forge(true), { keys: [oct] })).toMatchObject({ valid: false, problem: { code: "audit_signature" } });
    // Without checkpoints nothing but a kept head shows it, and the answer says that no signature covers it.
    expect(await verifyAudit(forge(false), { keys: [oct] })).toMatchObject({ covered: null, uncovered: 30 });
  });

  it("refuses a line of another tenant, no JSON, and two texts of one value", async () => {
    const lines = log(8);
    expect(await verifyAudit(lines.map((line) => line.replace('"tenant":"shop"', '"tenant":"shqp"')), { keys: [oct] })).toMatchObject({ valid: false });
    expect(await verifyAudit([lines[0]!, log(8, oct, "other")[1]!], { keys: [oct] })).toMatchObject({ problem: { code: "audit_tenant" } });
    expect(await verifyAudit(["{"], { keys: [oct] })).toMatchObject({ problem: { code: "audit_json" } });
    expect(await verifyAudit(["null"], { keys: [oct] })).toMatchObject({ problem: { code: "audit_form" } });
    expect(await verifyAudit([`${lines[0]} `], { keys: [oct] })).toMatchObject({ problem: { code: "audit_form" } });
  });
});

it("signs by the active key alone", () => {
  expect(signingKey({ active: "k-1", keys: [open, oct] })).toBe(oct);
  expect(() => signingKey({ active: "k-2", keys: [open, oct] })).toThrow("cannot sign");
  expect(() => signingKey({ active: null, keys: [oct] })).toThrow("cannot sign");
});

it("writes canonical JSON, and nothing that JSON has not", () => {
  expect(canonicalJson({ b: [1e21, 0.1, -0], a: undefined, "\u20ac": null, "\r": true, "1": "\u2028" })).toBe('{"\\r":true,"1":"\u2028","b":[1e+21,0.1,0],"€":null}');
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, "\ud800", { a: () => 1 }, [undefined]]) expect(() => canonicalJson(value)).toThrow(TypeError);
});
