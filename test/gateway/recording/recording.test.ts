// Recorded calls: a line for each that ended, arguments only where the settings say so; decided again they come out the same under the same policy, and another policy's differences are told.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "interlock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Settings } from "../../../hosts/gateway/config/settings.ts";
import { recordingOver } from "../../../hosts/gateway/recording/recording.ts";
import { readRecording, replay } from "../../../hosts/gateway/recording/replay.ts";
import { interlock } from "../cli/terminal.ts";
import { MemoryEngine } from "../flow/memory-engine.ts";
import { KEYS, POLICY, Shop } from "../flow/shop.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "interlock-recording-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The memory's engine with a recording around its commits. */
class Recorded extends MemoryEngine {
  readonly recording: ReturnType<typeof recordingOver>;
  constructor(settings: () => Settings, failures: unknown[]) {
    super();
    const plain = Object.create(this, { commit: { value: super.commit.bind(this) } }) as MemoryEngine;
    this.recording = recordingOver(plain, settings, (_, error) => failures.push(error));
  }
  override commit(...[commit]: Parameters<MemoryEngine["commit"]>): ReturnType<MemoryEngine["commit"]> {
    return this.recording.commit(commit);
  }
}

/** A shop whose store is recorded; its calls: a read, a write that a person approves, one they deny, a refused one. */
async function recorded(name: string, recording: { arguments: boolean; results: boolean }, mode: "enforce" | "observe" = "enforce", more: (shop: Shop) => Promise<unknown> = async () => undefined) {
  const file = join(folder, name);
  const failures: unknown[] = [];
  const engine = new Recorded(() => ({ tenants: { shop: { recording: { file, ...recording } } } }) as unknown as Settings, failures);
  const shop = new Shop({ engine, mode });
  await shop.call("get_order", { order_id: "4411" });
  const charged = await shop.call("charge_card", { order_id: "4411", amount: 40 });
  if (mode === "enforce") await shop.decide(charged);
  const again = await shop.call("charge_card", { order_id: "4411", amount: 60 });
  if (mode === "enforce") await shop.decide(again, "deny", "not twice");
  await shop.call("get_order", { order_id: "4411", note: "hidden" });
  await more(shop);
  await engine.recording.recorded();
  expect(failures).toEqual([]);
  return { file, calls: readRecording(readFileSync(file, "utf8")) };
}

const client = (change: (policy: typeof POLICY) => unknown = (policy) => policy) => new Client({ policy: change(structuredClone(POLICY)) as Record<string, unknown>, keys: KEYS });

describe("a recording", () => {
  it("has a line for each call that ended, with the policy's decision and what became of it", async () => {
    const { calls, file } = await recorded("whole.jsonl", { arguments: true, results: true });
    expect(calls.map(({ tool, decision, status }) => [tool, decision, status])).toEqual([
      ["get_order", "allow", "ran"],
      ["charge_card", "confirm", "ran"],
      ["charge_card", "confirm", null],
      ["get_order", "refuse", null],
    ]);
    expect(calls[0]!.request!.arguments).toBe('{"order_id":"4411"}');
    expect(calls[0]!.result).toBe('{"total":40}');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("holds no argument and no result unless the settings say so", async () => {
    const { calls, file } = await recorded("bare.jsonl", { arguments: false, results: false });
    expect(calls).toHaveLength(4);
    expect(readFileSync(file, "utf8")).not.toMatch(/4411|hidden|total/);
    expect(replay(calls, client())).toEqual({ calls: 4, changed: [], undecided: 4, before: 0 });
  });

  it("of observe mode has what would have been decided, of calls that all ran", async () => {
    const { calls } = await recorded("observed.jsonl", { arguments: true, results: true }, "observe");
    expect(calls.map(({ tool, decision, status }) => [tool, decision, status])).toEqual([
      ["get_order", "allow", "ran"],
      ["charge_card", "confirm", "ran"],
      ["charge_card", "confirm", "ran"],
      ["get_order", "refuse", "ran"],
    ]);
  });

  it("is off unless a file is named", async () => {
    const memory = new MemoryEngine();
    const engine = recordingOver(memory, () => ({ tenants: { shop: { recording: null } } }) as unknown as Settings, () => undefined);
    await engine.commit({ tenant: "shop", changes: [{ key: "call/1", value: "{" }] });
    expect(existsSync(join(folder, "off.jsonl"))).toBe(false);
  });
});

describe("a replay", () => {
  it("comes out the same under the same policy", async () => {
    const { calls } = await recorded("same.jsonl", { arguments: true, results: true });
    expect(replay(calls, client())).toEqual({ calls: 4, changed: [], undecided: 0, before: 0 });
  });

  it("leaves out what no policy decided: the retry of a call that a person denied is refused by that no, under any policy", async () => {
    const { calls, file } = await recorded("denied.jsonl", { arguments: true, results: true }, "enforce", (shop) => shop.call("charge_card", { order_id: "4411", amount: 60 }));
    expect(calls.at(-1)).toMatchObject({ decision: "refuse", reasons: ["denied"], policy: null });
    expect(replay(calls, client())).toEqual({ calls: 5, changed: [], undecided: 0, before: 1 });
    const same = join(folder, "denied.json");
    writeFileSync(same, JSON.stringify(POLICY));
    expect(await interlock(["replay", file, "--policy", same])).toMatchObject({ exit: 0, out: expect.stringMatching(/^5 calls, 0 decided another way, 1 refused before/) });
    // A harness's tool that the policy did not list is the policy's matter.
    const unlisted = { ...calls[0]!, decision: "refuse" as const, reasons: ["unknown_tool"], policy: null };
    expect(replay([unlisted], client())).toMatchObject({ before: 0, changed: [{ now: { decision: "allow" } }] });
  });

  it("tells which decisions another policy changes", async () => {
    const { calls } = await recorded("other.jsonl", { arguments: true, results: true });
    const stricter = client((policy) => ({ ...policy, tools: policy.tools.map((tool) => (tool.name === "charge_card" ? { ...tool, at_most: 1 } : tool)) }));
    const { changed } = replay(calls, stricter);
    expect(changed.map(({ tool, was, now }) => [tool, was.decision, now.decision])).toEqual([["charge_card", "confirm", "refuse"]]);
    expect(changed[0]!.now.reasons).toEqual(["order_rule"]);
  });

  it("of a line that is none says which", () => {
    expect(() => readRecording('{"format":"other"}\n')).toThrow(/line 1 .*interlock-recording\/1/);
    expect(() => readRecording("{\n{}\n")).toThrow(/line 1/);
    expect(readRecording('{"for')).toEqual([]);
  });

  it("is a command that ends with 2 where a decision changes, and with 0 where none does", async () => {
    const { file } = await recorded("command.jsonl", { arguments: true, results: true });
    const same = join(folder, "same.json");
    const other = join(folder, "other.json");
    writeFileSync(same, JSON.stringify(POLICY));
    writeFileSync(other, JSON.stringify({ ...POLICY, agents: { desk: { tools: ["charge_card"] } } }));
    expect(await interlock(["replay", file, "--policy", same])).toMatchObject({ exit: 0, out: "4 calls, 0 decided another way.\n" });
    const changed = await interlock(["replay", file, "--policy", other, "--format", "json"]);
    expect(changed.exit).toBe(2);
    expect((JSON.parse(changed.out) as { changed: { now: { reasons: string[] } }[] }).changed.map(({ now }) => now.reasons)).toEqual([["unknown_tool"]]);
    expect(await interlock(["replay", join(folder, "none.jsonl"), "--policy", same])).toMatchObject({ exit: 1 });
  });
});
