// A tenant's object without a server: seeded operations in groups beside an engine in memory, replayed from a journal, and answers that stay within their size.
import { describe, expect, it } from "vitest";
import { Random } from "../../model/random.ts";
import { apply, type Seal } from "../../../hosts/gateway/engine/restate/apply.ts";
import type { State } from "../../../hosts/gateway/engine/restate/cells.ts";
import { sealed } from "../../../hosts/gateway/engine/restate/lines.ts";
import { ANSWER_SIZE, type Done, type Op } from "../../../hosts/gateway/engine/restate/ops.ts";
import { Requests } from "../../../hosts/gateway/engine/restate/requests.ts";
import { MemoryEngine } from "../flow/memory-engine.ts";
import { numbered } from "./numbered.ts";

const seal: Seal = async (last, commits) => ({ lines: sealed(numbered, "t", last, commits) });
const body = (at: number) => ({ event: "call.proposed", at, actor: "a" }) as const;

/** An object's cells, and what a request reads of them: in a replay it has to read the same, in the same order. */
class Cells implements State {
  readonly cells = new Map<string, string>();
  reads: string[] = [];
  writes: [string, unknown][] = [];

  async read(names: readonly string[]): Promise<readonly unknown[]> {
    this.reads.push(...names);
    return names.map((name) => (this.cells.has(name) ? JSON.parse(this.cells.get(name)!) : null));
  }

  write(name: string, value: unknown): void {
    this.writes.push([name, value]);
  }

  /** What a request wrote is there from now on. */
  keep(): void {
    for (const [name, value] of this.writes.splice(0)) {
      if (value === null) this.cells.delete(name);
      else this.cells.set(name, JSON.stringify(value));
    }
    this.reads = [];
  }
}

describe("a tenant's object", () => {
  it.each([1, 2, 3])("does what an engine in memory does, and the same when it is replayed (seed %i)", async (seed) => {
    const random = new Random(seed);
    const memory = new MemoryEngine();
    const cells = new Cells();
    const names = Array.from({ length: 700 }, (_, index) => `${["a/", "a/b/", "b/", "c"][index % 4]}${random.below(100_000)}`);
    const op = (): Op => {
      if (random.chance(0.1)) return { op: "get", key: random.pick(names) };
      if (random.chance(0.1)) return { op: "audit", from: random.below(60), limit: random.below(50) };
      if (random.chance(0.15)) return { op: "list", prefix: random.pick(["", "a/", "a/b/", "b/", "x"]), limit: random.below(200), descending: random.chance(0.5), ...(random.chance(0.5) ? { after: random.pick(names) } : {}) };
      const removes = random.chance(0.35);
      const changes = Array.from({ length: 1 + random.below(8) }, () => {
        const key = random.pick(names);
        const value = removes || random.chance(0.2) ? null : "x".repeat(random.chance(0.1) ? 3_000 : 5) + random.below(1000);
        return { key, value, ...(random.chance(0.1) ? { expect: random.chance(0.5) ? null : 1 } : {}) };
      });
      return { op: "commit", changes, audit: Array.from({ length: random.below(4) }, (_, at) => body(at)) };
    };
    for (let round = 0; round < 250; round++) {
      const ops = Array.from({ length: 1 + random.below(8) }, op);
      const { done } = await apply(cells, ops, seal);
      const { reads, writes } = cells;
      cells.reads = [];
      cells.writes = [];
      expect((await apply(cells, ops, seal)).done).toStrictEqual(done);
      expect([cells.reads, cells.writes]).toStrictEqual([reads, writes]);
      cells.keep();
      const wanted: Done[] = [];
      for (const one of ops) {
        if (one.op === "get") wanted.push({ got: await memory.get("t", one.key) });
        else if (one.op === "list") wanted.push({ listed: await memory.list("t", one.prefix, one), more: false });
        else if (one.op === "commit") wanted.push({ committed: await memory.commit({ tenant: "t", changes: kept(one.changes, await there(memory)), audit: one.audit! }) });
        else wanted.push({ later: true });
      }
      const chain = await memory.audit("t", 0, 100_000);
      for (const [at, one] of ops.entries()) {
        if (one.op !== "audit") expect(done[at], `${round} ${at} ${JSON.stringify(one)}`).toStrictEqual(wanted[at]);
        else expect((done[at] as Extract<Done, { lines: unknown }>).lines.map((line) => JSON.parse(line).entry)).toStrictEqual(chain.slice(one.from, one.from + one.limit).map((line) => JSON.parse(line)));
      }
    }
    expect((await memory.list("t", "")).length).toBeGreaterThan(150);
  });

  it("leaves no page of keys behind that is empty", async () => {
    const cells = new Cells();
    const keys = Array.from({ length: 2_000 }, (_, index) => `open/${String((index * 7919) % 2_000).padStart(6, "0")}`);
    const change = async (value: string | null) => {
      for (const key of keys) {
        await apply(cells, [{ op: "commit", changes: [{ key, value }], audit: null }], seal);
        cells.keep();
      }
    };
    await change("1");
    const pages = () => [...cells.cells.keys()].filter((name) => /^i\/\d+$/.test(name)).length;
    expect(pages()).toBeGreaterThan(30);
    await change(null);
    expect(pages()).toBe(1);
    await change("1");
    const { done } = await apply(cells, [{ op: "list", prefix: "open/", limit: 1000, descending: true }], seal);
    expect((done[0] as Extract<Done, { listed: unknown }>).listed.map(({ key }) => key)).toStrictEqual([...keys].sort().reverse().slice(0, 1000));
  });

  it("stops an answer before it grows too large, and what is left is asked for again", async () => {
    const cells = new Cells();
    const large = "x".repeat(1_500_000);
    for (let index = 0; index < 6; index++) {
      await apply(cells, [{ op: "commit", changes: [{ key: `v/${index}`, value: large }], audit: Array.from({ length: 5 }, () => ({ ...body(1), detail: { text: "y".repeat(300_000) } })) }], seal);
      cells.keep();
    }
    const sizes: number[] = [];
    const requests = new Requests(async (_, ops) => {
      const { done } = await apply(cells, ops, seal);
      cells.keep();
      sizes.push(JSON.stringify(done).length);
      return done;
    });
    const got = await Promise.all(Array.from({ length: 6 }, (_, index) => requests.ask("t", { op: "get", key: `v/${index}` }, 100)));
    expect(got.every((one) => "got" in one && one.got?.value === large)).toBe(true);
    const [refused, listed, lines] = await Promise.all([
      requests.ask("t", { op: "commit", changes: [{ key: "v/0", expect: 9 }], audit: null }, 100),
      requests.ask("t", { op: "list", prefix: "v/", limit: 10, descending: false }, 100),
      requests.ask("t", { op: "audit", from: 0, limit: 100 }, 100),
    ]);
    expect(refused).toMatchObject({ committed: { ok: false, stored: { value: large } } });
    expect(listed).toMatchObject({ more: true });
    expect(lines).toMatchObject({ more: true });
    expect(Math.max(...sizes)).toBeLessThan(ANSWER_SIZE + 1_000_000);
    expect(sizes.length).toBeGreaterThan(3);
  });
});

async function there(memory: MemoryEngine): Promise<Set<string>> {
  return new Set((await memory.list("t", "", { limit: 1_000_000 })).map(({ key }) => key));
}

/** The engine in memory counts a deletion of what is not there as a change: the port does not. */
function kept<C extends { readonly key: string; readonly value?: string | null }>(changes: readonly C[], keys: Set<string>): C[] {
  return changes.map((change) => {
    if (change.value === null && !keys.has(change.key)) {
      const { value: _, ...rest } = change;
      return rest as C;
    }
    if (change.value === null) keys.delete(change.key);
    else if (change.value !== undefined) keys.add(change.key);
    return change;
  });
}
