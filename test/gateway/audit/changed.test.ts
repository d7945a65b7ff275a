// An exported log: every byte of every line counts, and what is cut off, forked, of another tenant, or signed by a key of another use is found offline.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../hosts/gateway/audit/canonical.ts";
import { createSealer, lineHash } from "../../../hosts/gateway/audit/chain.ts";
import type { AuditBody } from "../../../hosts/gateway/audit/entry.ts";
import { linesOfBytes } from "../../../hosts/gateway/audit/lines.ts";
import { sealed } from "../../../hosts/gateway/audit/values.ts";
import { type Known, verifyAudit } from "../../../hosts/gateway/audit/verify.ts";

const KEY = { kid: "gate", kty: "oct" as const, alg: "HS256", k: Buffer.alloc(32, 7).toString("base64url") };
const PEOPLE = { ...KEY, kid: "people", use: "approve" };
const keys = { keys: [KEY, PEOPLE] };
const seal = createSealer(
  () => KEY,
  () => ({ entries: 3, milliseconds: 3_600_000 }),
);
const values = [sealed("c-0", { note: "é\u2028 \"quoted\"", amount: 40.5 }), sealed("c-1", { note: "other" })];
const bodies: readonly AuditBody[] = [
  { event: "call.proposed", at: 1_764_445_000_000, actor: "desk-1", call: "c-0", session: "s\u2028é", arguments: { note: { shown: "d" } }, values: values[0]!.digest },
  { event: "call.decided", at: 1_764_445_000_001, actor: "gateway", decision: "confirm", reasons: ["a \\ b", "write"] },
  { event: "call.proposed", at: 1_764_445_000_002, actor: "desk-1", call: "c-1", values: values[1]!.digest },
  { event: "call.intent", at: 1_764_445_000_003, actor: "gateway", step: null },
];
const lines = (tenant = "shop", more: readonly AuditBody[] = []): string[] => {
  const all: string[] = [];
  for (const body of [...bodies, ...more]) all.push(...seal(tenant, all.at(-1) ?? null, [body]));
  return all;
};

async function bytes(text: Uint8Array, known: Known = {}): ReturnType<typeof verifyAudit> {
  // In parts that end anywhere, also in the middle of a letter.
  const parts = Array.from({ length: Math.ceil(text.length / 97) }, (_, index) => text.subarray(index * 97, (index + 1) * 97));
  return verifyAudit(linesOfBytes((async function* () { yield* parts; })()), keys, known);
}

describe("a log's bytes", () => {
  const log = lines();
  const whole = Buffer.from(`${log.join("\n")}\n`);
  const head = { seq: log.length - 1, hash: lineHash(log.at(-1)!) };

  it("verify as they are, with a line's letters of every kind", async () => {
    expect(await bytes(whole, { head, values: values.map(({ record }) => record) })).toMatchObject({ valid: true, entries: 4, checkpoints: 1, uncovered: 1, values: { bound: 2, absent: 0 } });
    expect(log.join("")).toContain("\u2028");
  });

  // Another letter, a letter less, a letter more, at every byte of the log.
  for (const [name, change] of [
    ["changed", (at: number) => Buffer.concat([whole.subarray(0, at), Buffer.from([whole[at]! ^ 1]), whole.subarray(at + 1)])],
    ["made another case or a control character", (at: number) => Buffer.concat([whole.subarray(0, at), Buffer.from([whole[at]! ^ 0x20]), whole.subarray(at + 1)])],
    ["removed", (at: number) => Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)])],
    ["doubled", (at: number) => Buffer.concat([whole.subarray(0, at + 1), whole.subarray(at)])],
    ["after a carriage return", (at: number) => Buffer.concat([whole.subarray(0, at), Buffer.from("\r"), whole.subarray(at)])],
  ] as const) {
    it(`each byte counts: ${name}`, async () => {
      const unseen: number[] = [];
      for (let at = 0; at < whole.length; at++) {
        const changed = change(at);
        // The last line's end is no part of the line.
        if (at === whole.length - 1 && name === "removed") continue;
        if (changed.equals(whole)) continue;
        if ((await bytes(changed, { head })).valid) unseen.push(at);
      }
      expect(unseen.map((at) => whole.subarray(Math.max(0, at - 20), at + 5).toString())).toEqual([]);
    });
  }

  it("each line counts: removed, doubled, moved, cut off behind", async () => {
    for (let at = 0; at < log.length; at++) {
      const without = log.filter((_, index) => index !== at);
      const moved = [...without.slice(0, (at + 1) % log.length), log[at]!, ...without.slice((at + 1) % log.length)];
      for (const changed of [without, [...log.slice(0, at + 1), ...log.slice(at)], moved, log.slice(0, at)]) {
        if (changed.join() === log.join()) continue;
        expect(await verifyAudit(changed, keys, { head }), `line ${at}`).toMatchObject({ valid: false });
      }
    }
  });
});

describe("what was kept elsewhere", () => {
  const log = lines("shop", [bodies[1]!, bodies[3]!]);
  const signatures = log.flatMap((line) => (JSON.parse(line) as { checkpoint?: string }).checkpoint ?? []);

  it("a signed checkpoint shows that the log was cut off before it", async () => {
    expect(signatures).toHaveLength(2);
    for (const checkpoint of signatures) expect(await verifyAudit(log, keys, { checkpoint })).toMatchObject({ valid: true });
    const cut = log.slice(0, log.findIndex((line) => line.includes(signatures[1]!)));
    // What is left is a log that verifies by itself.
    expect(await verifyAudit(cut, keys)).toMatchObject({ valid: true });
    expect(await verifyAudit(cut, keys, { checkpoint: signatures[1]! })).toMatchObject({ valid: false, problem: { code: "audit_end" } });
  });

  it("a fork is told by a head or a checkpoint of the other branch", async () => {
    const fork = lines("shop", [bodies[2]!, bodies[3]!]);
    expect(await verifyAudit(fork, keys)).toMatchObject({ valid: true });
    expect(await verifyAudit(fork, keys, { head: { seq: log.length - 1, hash: lineHash(log.at(-1)!) } })).toMatchObject({ problem: { code: "audit_end" } });
    expect(await verifyAudit(fork, keys, { checkpoint: signatures[1]! })).toMatchObject({ problem: { code: "audit_end" } });
    expect(await verifyAudit(fork, keys, { checkpoint: signatures[0]! })).toMatchObject({ valid: true });
  });

  it("a line of another tenant's log is told, wherever it stands, and so is the whole of it by a head", async () => {
    const other = lines("other", [bodies[1]!, bodies[3]!]);
    for (let at = 0; at < log.length; at++) {
      expect(await verifyAudit(log.map((line, index) => (index === at ? other[at]! : line)), keys)).toMatchObject({ valid: false });
    }
    expect(await verifyAudit(other, keys, { head: { seq: log.length - 1, hash: lineHash(log.at(-1)!) } })).toMatchObject({ valid: false });
  });

  it("a checkpoint that an approver's key signed counts for nothing", async () => {
    const forged = createSealer(
      () => PEOPLE,
      () => ({ entries: 1, milliseconds: 1 }),
    )("shop", log.at(-1)!, [bodies[0]!]);
    expect(await verifyAudit([...log, ...forged], keys)).toMatchObject({ valid: false, problem: { code: "audit_key" } });
  });
});

describe("shown values", () => {
  const log = lines();
  const records = values.map(({ record }) => record);

  it("are bound by their entries; each may be erased, and none may be changed", async () => {
    expect(await verifyAudit(log, keys, { values: records })).toMatchObject({ valid: true, values: { bound: 2, absent: 0 } });
    expect(await verifyAudit(log, keys, { values: records.slice(1) })).toMatchObject({ valid: true, values: { bound: 1, absent: 1 } });
    expect(await verifyAudit(log, keys, { values: [] })).toMatchObject({ valid: true, values: { bound: 0, absent: 2 } });
    for (const changed of [records[0]!.replace("40.5", "41.5"), records[0]!.replace("c-0", "c-1"), `${records[0]} `]) {
      expect(await verifyAudit(log, keys, { values: [records[1]!, changed] })).toMatchObject({ valid: false, problem: { code: "audit_values", line: 2 } });
    }
  });

  it("cannot be tried out once the salt is gone: the digest of the value alone is not the entry's", () => {
    const one = sealed("c-0", { pin: "1234" });
    const two = sealed("c-0", { pin: "1234" });
    expect(one.digest).not.toBe(two.digest);
    expect((JSON.parse(one.record) as { salt: string }).salt).toHaveLength(43);
    expect(sealed("c-0", { pin: "1234" }, (JSON.parse(one.record) as { salt: string }).salt).digest).toBe(one.digest);
    expect(one.record).toBe(canonicalJson(JSON.parse(one.record)));
  });
});

