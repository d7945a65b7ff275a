// The steps of Restate's handlers, held to what was written down for their version: a request that was begun is replayed by them, so that other steps need another version.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { Op } from "../../../hosts/gateway/engine/restate/ops.ts";
import type { Sdk } from "../../../hosts/gateway/engine/restate/sdk.ts";
import { namesOf, servicesOf, STEPS } from "../../../hosts/gateway/engine/restate/services.ts";
import { numbered } from "./numbered.ts";

type Handler = (ctx: unknown, input?: unknown) => Promise<unknown>;
interface Definition {
  readonly name: string;
  readonly handlers: Readonly<Record<string, Handler>>;
}

/** What of the SDK the definitions are made with: it gives back what it is given. */
const sdk = {
  object: (definition: Definition) => definition,
  handlers: { object: { exclusive: (_: unknown, handler: Handler) => handler } },
  RestatePromise: Promise,
} as unknown as Sdk;

/** The objects of one Restate, which write down each step that is journaled. */
class Journal {
  steps: string[] = [];
  readonly #cells = new Map<string, Map<string, unknown>>();
  readonly #objects = new Map<string, Definition>();

  constructor() {
    const made = servicesOf(sdk, namesOf("p"), { seal: numbered, run: async () => undefined }) as unknown as readonly Definition[];
    for (const one of made) this.#objects.set(one.name, one);
  }

  async ask(object: string, key: string, handler: string, input?: unknown): Promise<void> {
    const cells = this.#cells.get(`${object} ${key}`) ?? new Map<string, unknown>();
    this.#cells.set(`${object} ${key}`, cells);
    this.steps.push(`${object} ${key} ${handler}`);
    await this.#objects.get(object)!.handlers[handler]!(
      {
        key,
        get: async (name: string) => {
          this.steps.push(`  get ${name}`);
          return cells.get(name) ?? null;
        },
        set: (name: string, value: unknown) => {
          this.steps.push(`  set ${name}`);
          cells.set(name, value);
        },
        clear: (name: string) => {
          this.steps.push(`  clear ${name}`);
          cells.delete(name);
        },
        stateKeys: async () => {
          this.steps.push("  keys");
          return [...cells.keys()];
        },
        run: async (name: string, work: () => unknown) => {
          this.steps.push(`  run ${name}`);
          return work();
        },
        objectClient: ({ name }: { name: string }, of: string) => new Proxy({}, { get: (_, method: string) => async (given: unknown) => void this.steps.push(`  call ${name} ${of} ${method} ${JSON.stringify(given)}`) }),
      },
      input,
    );
  }

  /** The steps from here on, which are too many to be read, as their number and SHA-256. */
  async counted(work: () => Promise<void>): Promise<void> {
    const before = this.steps;
    this.steps = [];
    await work();
    before.push(`${this.steps.length} steps, ${createHash("sha256").update(this.steps.join("\n")).digest("hex")}`);
    this.steps = before;
  }
}

const entry = { event: "call.proposed", at: 1, actor: "a" } as const;
const commit = (changes: Extract<Op, { op: "commit" }>["changes"], lines = 0): Op => ({ op: "commit", changes, audit: lines === 0 ? null : Array.from({ length: lines }, () => entry) });

it("are those of their version: with other steps, count STEPS up (services.ts) and let this test write theirs down (vitest -u)", async () => {
  const journal = new Journal();
  await journal.ask("p-store", "all", "open");
  await journal.ask("p-store", "all", "open");
  await journal.ask("p-tenant", "shop", "apply", [commit([{ key: "a", expect: null, value: "1" }, { key: "b", value: "x".repeat(5_000) }], 2), { op: "get", key: "b" }, { op: "get", key: "none" }]);
  await journal.ask("p-tenant", "shop", "apply", [commit([{ key: "a", expect: 7, value: "2" }]), commit([{ key: "b", value: null }, { key: "c", value: "3" }], 20)]);
  await journal.ask("p-tenant", "shop", "apply", [commit([{ key: "b", value: "again" }, { key: "a", expect: 1 }])]);
  await journal.ask("p-tenant", "shop", "look", [{ op: "list", prefix: "", limit: 10, descending: false }, { op: "list", prefix: "a", limit: 1, descending: true, after: "b" }, { op: "audit", from: 15, limit: 5 }]);
  await journal.ask("p-call", "shop/call-1", "run");
  await journal.ask("p-store", "all", "add", "shop");
  await journal.ask("p-store", "all", "tenants");
  await journal.counted(async () => {
    for (let at = 0; at < 1_200; at += 60) await journal.ask("p-tenant", "shop", "apply", [commit(Array.from({ length: 60 }, (_, of) => ({ key: `k/${((at + of) * 7919) % 1_200}`, value: "v" })), 5)]);
    await journal.ask("p-tenant", "shop", "look", [{ op: "list", prefix: "k/", limit: 1_000, descending: true }]);
    for (let at = 0; at < 1_200; at += 60) await journal.ask("p-tenant", "shop", "apply", [commit(Array.from({ length: 60 }, (_, of) => ({ key: `k/${at + of}`, value: null })))]);
  });
  await expect(`${journal.steps.join("\n")}\n`).toMatchFileSnapshot(`steps-${STEPS}.txt`);
});
