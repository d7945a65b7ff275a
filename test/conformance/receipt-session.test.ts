// A receipt asked on an open session is the receipt of the same history carried along: the official receipts, and each with a head, byte for byte.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Core } from "../setup/core.ts";
import { describeShared, shared } from "../vectors/shared.ts";

interface Line {
  readonly id: unknown;
  readonly op: string;
  readonly name?: string;
  readonly policy?: unknown;
  readonly keys?: unknown;
  readonly documents?: unknown;
  readonly session?: string;
  readonly history?: unknown;
}

const json = (value: unknown): string => JSON.stringify(value);

describeShared("receipts on a session", () => {
  for (const name of ["seed-transcripts", "random"]) {
    it(name, () => {
      const core = new Core();
      const policies = new Map<unknown, number>();
      const sets = new Map<unknown, number>();
      const ok = (operation: string, handles: number[], value: unknown): { handle: number; head: { step: number; link: string; state: string } } => {
        const { status, text } = core.run(operation, handles, json(value));
        expect(status, text).toBe(0);
        return JSON.parse(text) as ReturnType<typeof ok>;
      };
      let compared = 0;
      let refused = 0;
      for (const text of readFileSync(shared(`vectors/check/${name}.ndjson`), "utf8").trim().split("\n")) {
        const line = JSON.parse(text) as Line;
        if (line.op === "register") policies.set(line.name, ok("register", [], { policy: line.policy, documents: line.documents }).handle);
        if (line.op === "keys") sets.set(line.name, ok("keys", [], line.keys).handle);
        if (line.op !== "receipt") continue;
        const { id: _id, op: _op, policy, keys, ...asked } = line;
        const handles = [policies.get(policy)!, sets.get(keys)!];
        if (handles[1] === undefined) continue;
        const opened = core.run("open", handles, json({ session: asked.session, history: asked.history }));
        if (opened.status !== 0) {
          refused++;
          expect(JSON.parse(core.run("receipt", handles, json(asked)).text)).toMatchObject({ decision: "refuse", reason: "history_invalid" });
          continue;
        }
        const { handle, head } = JSON.parse(opened.text) as ReturnType<typeof ok>;
        for (const more of [{}, { head }, { head: { ...head, step: head.step + 1 } }, { head: { ...head, state: head.link } }, { sends: 1 }, { step: 0 }, { step: 9 }, { arguments: { other: 1 } }, { step: "0" }, { now: null }]) {
          const { session: _session, history: _history, ...rest } = { ...asked, ...more };
          const there = core.run("receiptSession", [handle], json(rest));
          expect(there).toEqual(core.run("receipt", handles, json({ ...asked, ...more })));
          compared++;
        }
        core.call["close"]!(handle);
      }
      console.log(`${name}: ${compared} receipts alike, ${refused} histories that do not verify`);
      expect(compared).toBeGreaterThan(20);
    });
  }

  it("of a handle that is not there", () => {
    expect(new Core().run("receiptSession", [7], "{}").status).not.toBe(0);
  });
});
