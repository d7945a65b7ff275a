// A log that nothing is appended to is signed by itself, and what was signed is told, so that it can be kept elsewhere.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSealer } from "../../../hosts/gateway/audit/chain.ts";
import { type Checkpoints, keepSigned } from "../../../hosts/gateway/audit/checkpoints.ts";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import { SqliteEngine } from "../../../hosts/gateway/engine/sqlite.ts";

const KEY = { kid: "k", kty: "oct" as const, alg: "HS256", k: Buffer.alloc(32, 7).toString("base64url") };
let folder: string;
let engine: SqliteEngine;
let checkpoints: Checkpoints | null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "interlock-signed-"));
  engine = new SqliteEngine(folder);
  await engine.open(createSealer(() => KEY, () => ({ entries: 1000, milliseconds: 3_600_000 })));
  checkpoints = null;
});
afterEach(async () => {
  checkpoints?.close();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
});

const append = (tenant = "shop") => engine.commit({ tenant, changes: [], audit: [{ event: "call.proposed", at: 1_764_445_000_000, actor: "a" }] });

it("the end of an idle log comes under a signature, once, without anything appended", async () => {
  await append();
  const heads: { seq: number; hash: string }[] = [];
  const first = new Promise<void>((signed) => {
    checkpoints = keepSigned({
      engine,
      every: () => ({ shop: 1 }),
      signed: (_tenant, head) => {
        heads.push(head);
        signed();
      },
      failed: (_tenant, error) => heads.push(error as never),
    });
  });
  await first;
  await checkpoints!.now();
  const lines = await engine.audit("shop", 0, 100);
  expect(lines).toHaveLength(2);
  const verified = await verifyAudit(lines, { keys: [KEY] }, { head: heads[0]! });
  expect(verified).toMatchObject({ valid: true, checkpoints: 1, uncovered: 0 });
  expect(heads).toEqual([verified.head]);
});

it("each tenant's log is signed, what is new is signed again, and a failure of one stops no other", async () => {
  await append("shop");
  await append("other");
  const told: string[] = [];
  checkpoints = keepSigned({
    engine: { audit: engine.audit.bind(engine), commit: async (commit) => (commit.tenant === "gone" ? Promise.reject(new Error("down")) : engine.commit(commit)) },
    every: () => ({ gone: 3_600_000, shop: 3_600_000, other: 3_600_000 }),
    signed: (tenant, { seq }) => told.push(`${tenant} ${seq}`),
    failed: (tenant) => told.push(`${tenant} failed`),
  });
  await checkpoints.now();
  await append("shop");
  await checkpoints.now();
  expect(told).toEqual(["gone failed", "shop 1", "other 1", "gone failed", "shop 3"]);
});
