// Several gateways on one Restate: who proposes, who answers and who makes a call may each be another, what one does the others leave alone, and an upgrade goes from one to the next.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { CallRecord, Outcome } from "../../../hosts/gateway/call/record.ts";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { proposal } from "../flow/shop.ts";
import { Fleet, removeScript } from "./fleet/fleet.ts";
import { Tool } from "./fleet/tool.ts";
import { restateServer, type Server } from "./restate-server.ts";

const ANA = { name: "ana", tenant: "shop", agents: [], principal: null, approver: "ana", may: ["approve"] as unknown as Caller["may"] } satisfies Caller;

let server: Server;
let tool: Tool;
let url: string;
let fleet: Fleet;
let made = 0;
beforeAll(async () => {
  server = await restateServer();
  await server.start();
  tool = new Tool();
  url = await tool.open();
}, 60_000);
afterEach(async () => {
  tool.before = async () => undefined;
  await fleet.close();
});
afterAll(async () => {
  await tool.close();
  await server.dispose();
  await removeScript();
});

async function started(tools: Parameters<typeof Fleet.of>[4] = {}): Promise<void> {
  fleet = await Fleet.of(2, server, url, `fleet${made++}`, tools);
}

/** A call that people are asked about. */
async function asked(worker: number, order: string, more: Parameters<typeof proposal>[2] = {}): Promise<Extract<Outcome, { kind: "pending" }>> {
  const outcome = await fleet.worker(worker).ask("call", proposal("charge_card", { order_id: order }, { session: `s-${order}`, ...more }));
  if (outcome.kind !== "pending") throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** The call's end. */
async function end(worker: number, call: string): Promise<Outcome> {
  for (;;) {
    const outcome = (await fleet.worker(worker).ask("outcome", "shop", call, 5_000))!;
    if (outcome.kind !== "pending") return outcome;
  }
}

async function record(worker: number, call: string): Promise<CallRecord> {
  return (await fleet.worker(worker).ask("record", "shop", call))!;
}

async function events(call: string): Promise<string[]> {
  const lines = await fleet.workers.find((worker) => worker !== null)!.begin<string[]>("audit", 0, 10_000).answer;
  return lines.map((line) => (JSON.parse(line) as { entry?: { event: string; call?: string } }).entry).filter((entry) => entry?.call === call).map((entry) => entry!.event);
}

/** Holds the tool's answers until the function it gives is called. */
function held(): () => void {
  let go = (): void => undefined;
  const wait = new Promise<void>((resolve) => {
    go = resolve;
  });
  tool.before = () => wait;
  return go;
}

it("a call is proposed at one gateway, answered at another, and made once", async () => {
  await started();
  expect(await fleet.worker(0).ask("call", proposal("get_order", { order_id: "r" }, { waitMs: 5_000 }))).toMatchObject({ kind: "result" });
  const { call, approval } = await asked(0, "w");
  await fleet.worker(1).ask("decide", ANA, approval, { answer: "approve" });
  expect(await end(0, call.id)).toMatchObject({ kind: "result" });
  expect(tool.count("w")).toBe(1);
  expect(fleet.workers.map((worker) => worker!.said).join("")).toBe("");
});

it("a gateway that starts leaves alone what another is making", async () => {
  await started();
  fleet.passedOver.add(1);
  const go = held();
  const sent = tool.next(1);
  const { call, approval } = await asked(0, "busy");
  await fleet.worker(0).ask("decide", ANA, approval, { answer: "approve" });
  await sent;
  await fleet.worker(1).kill();
  fleet.passedOver.clear();
  await fleet.start(1);
  expect((await record(1, call.id)).state).toBe("sending");
  go();
  expect(await end(1, call.id)).toMatchObject({ kind: "result" });
  expect(await events(call.id)).not.toContain("call.outcome_unknown");
  expect(tool.count("busy")).toBe(1);
});

it("an answer that comes after another gateway could not know it settles the call", async () => {
  await started();
  fleet.passedOver.add(1);
  const go = held();
  const sent = tool.next(1);
  const { call, approval } = await asked(0, "late");
  await fleet.worker(0).ask("decide", ANA, approval, { answer: "approve" });
  await sent;
  // Restate loses sight of the gateway that makes the call, and hands its run to the other.
  fleet.passedOver.clear();
  fleet.passedOver.add(0);
  await server.kill();
  await server.start();
  expect(await end(1, call.id)).toMatchObject({ kind: "unknown" });
  go();
  await expect.poll(async () => (await end(1, call.id)).kind, { timeout: 30_000 }).toBe("result");
  expect(tool.count("late")).toBe(1);
  const told = await events(call.id);
  expect(told.slice(told.indexOf("call.intent"))).toStrictEqual(["call.intent", "call.outcome_unknown", "call.confirmed"]);
  // The same call again is a new one: nothing is in doubt any more.
  expect((await asked(1, "late")).call.id).not.toBe(call.id);
});

it("a cancellation reaches the gateway that makes the call: another's, and its client's", async () => {
  await started();
  // Runs go to the second gateway; the client is at the first.
  fleet.passedOver.add(0);
  const go = held();
  const first = tool.next(1);
  const { call, approval } = await asked(0, "c-1");
  await fleet.worker(0).ask("decide", ANA, approval, { answer: "approve" });
  await first;
  await fleet.worker(0).ask("cancel", "shop", call.id, "agent-1");
  await expect.poll(() => tool.abandoned.map(({ order }) => order), { timeout: 20_000 }).toContain("c-1");
  await expect.poll(async () => (await record(0, call.id)).sent?.error?.code).toBe("tool_cancelled");
  const second = tool.next(1);
  const read = fleet.worker(0).begin<Outcome>("call", proposal("get_order", { order_id: "c-2" }, { session: "s-c-2", waitMs: 30_000 }));
  await second;
  await fleet.worker(0).begin("abort", read.id).answer;
  await expect.poll(() => tool.abandoned.map(({ order }) => order), { timeout: 20_000 }).toContain("c-2");
  await read.answer;
  go();
});

it("a tool's places count over all gateways, first come, first served", async () => {
  await started({ concurrency: 2 });
  tool.most = 0;
  // The first is answered once the second is there: both places are used at once.
  const both = tool.next(2);
  tool.before = () => both;
  const calls = await Promise.all(Array.from({ length: 14 }, (_, index) => fleet.worker(index % 2).ask("call", proposal("get_order", { order_id: `p-${index}` }, { session: `s-${index}`, waitMs: 60_000 }))));
  for (const [index, outcome] of calls.entries()) {
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: "result" });
    expect(tool.count(`p-${index}`)).toBe(1);
  }
  expect(tool.most).toBe(2);
  expect(fleet.workers.map((worker) => worker!.said).join("")).toBe("");
});

it("calls of one turn at two gateways wait for each other's answers", async () => {
  await started();
  const [one, two] = await Promise.all([asked(0, "t-1", { session: "turn", turn: "t" }), asked(1, "t-2", { session: "turn", turn: "t" })]);
  await fleet.worker(1).ask("decide", ANA, one.approval, { answer: "approve" });
  await fleet.worker(0).ask("decide", ANA, two.approval, { answer: "deny" });
  expect(await end(0, two.call.id)).toMatchObject({ kind: "refused", reason: "denied" });
  expect(await end(1, one.call.id)).toMatchObject({ kind: "refused", reason: "turn_denied" });
  expect(tool.count("t-1") + tool.count("t-2")).toBe(0);
});

it("a session goes on at whichever gateway it comes to", async () => {
  await started();
  for (let index = 0; index < 8; index++) {
    const outcome = await fleet.worker(index % 2).ask("call", proposal("get_order", { order_id: `h-${index}` }, { session: "here and there", waitMs: 30_000 }));
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: "result" });
  }
  const both = await Promise.all([0, 1, 0, 1].map((worker, index) => fleet.worker(worker).ask("call", proposal("get_order", { order_id: `b-${index}` }, { session: "here and there", waitMs: 30_000 }))));
  expect(both.map(({ kind }) => kind)).toStrictEqual(["result", "result", "result", "result"]);
  const { history } = (await fleet.worker(0).ask("session", "shop", "here and there"))!;
  expect((JSON.parse(history) as { entries: { outcome?: { status: string } }[] }).entries).toHaveLength(12);
});

it("a person edits and undoes at another gateway than the one that asked and made the call", async () => {
  await started();
  const { approval } = await asked(0, "before", { session: "edits" });
  const edited = await fleet.worker(1).ask("edit", ANA, approval, JSON.stringify({ order_id: "after" }), "another order");
  expect(await fleet.worker(0).ask("edits", "shop", edited.editedInto!, 20_000)).toBeNull();
  expect(await end(0, edited.editedInto!)).toMatchObject({ kind: "result" });
  expect([tool.count("before"), tool.count("after")]).toStrictEqual([0, 1]);
  const UNDOES = { ...ANA, name: "agent-1", agents: ["desk"], may: ["undo"] as unknown as Caller["may"] };
  expect(await fleet.worker(1).ask("undo", UNDOES, "edits", "all")).toMatchObject([{ kind: "result", call: { tool: "refund_card" } }]);
  expect(tool.arrived.filter(({ order }) => order === "after").map((each) => each.tool)).toStrictEqual(["charge_card", "refund_card"]);
});

it("a program whose steps are others takes over what is new, what was begun ends at the old one, and an old one that starts again takes nothing back", async () => {
  await started({ timeoutMs: 300_000 });
  const go = held();
  const sent = tool.next(1);
  const { call, approval } = await asked(0, "first");
  fleet.passedOver.add(1);
  await fleet.worker(0).ask("decide", ANA, approval, { answer: "approve" });
  await sent;
  fleet.passedOver.clear();
  await fleet.worker(1).begin("stop", 5_000).answer;
  await fleet.worker(1).kill();
  await fleet.start(1, "next");
  const [old, next] = (await deployments()).sort((one, other) => (one.path < other.path ? -1 : 1));
  expect([old!.path, next!.path]).toStrictEqual(["/steps-1", "/steps-2"]);
  // Restate sends the run once more, from its journal: only the program that began it can go on with it.
  await server.kill();
  await server.start();
  await expect.poll(() => begun(old!.id)).toBeGreaterThan(0);
  // What is new is done by the new program, whoever asks.
  const other = await asked(0, "second");
  await fleet.worker(0).ask("decide", ANA, other.approval, { answer: "deny" });
  expect(await end(1, other.call.id)).toMatchObject({ kind: "refused", reason: "denied" });
  go();
  expect(await end(1, call.id)).toMatchObject({ kind: "result" });
  expect(tool.count("first")).toBe(1);
  expect((await events(call.id)).filter((event) => event === "call.intent")).toHaveLength(1);
  await expect.poll(() => begun(old!.id)).toBe(0);
  await fleet.worker(0).kill();
  await fleet.start(0);
  expect(await fleet.worker(0).ask("call", proposal("get_order", { order_id: "third" }, { session: "s-third", waitMs: 30_000 }))).toMatchObject({ kind: "result" });
  await fleet.worker(0).kill();
  await fleet.start(0, "next");
  await guided(/^curl .* DELETE .*$/m, old!.id);
  expect((await deployments()).map(({ path }) => path)).toStrictEqual(["/steps-2"]);
  // With the old one gone for good, everything goes on.
  expect(await fleet.worker(0).ask("call", proposal("get_order", { order_id: "fourth" }, { session: "s-third", waitMs: 30_000 }))).toMatchObject({ kind: "result" });
  expect(tool.arrived.filter(({ order }) => ["first", "third", "fourth"].includes(order)).map(({ order }) => order)).toStrictEqual(["first", "third", "fourth"]);
});

/** The addresses at which this fleet is registered. */
async function deployments(): Promise<{ readonly id: string; readonly path: string }[]> {
  const told = (await (await fetch(`${server.admin}/deployments`)).json()) as { deployments: { id: string; uri: string; services: { name: string }[] }[] };
  return told.deployments.filter(({ services }) => services.some(({ name }) => name === `fleet${made - 1}-tenant`)).map(({ id, uri }) => ({ id, path: new URL(uri).pathname }));
}

/** How many requests were begun at an address and have not ended, by the guide's command. */
async function begun(deployment: string): Promise<number> {
  const { rows } = JSON.parse(await guided(/^curl .*\/query .*$/m)) as { rows?: { id: string; begun: number }[] };
  // A server that has only begun does not know.
  return rows === undefined ? Number.NaN : (rows.find(({ id }) => id === deployment)?.begun ?? 0);
}

/** Runs a command of the guide over this server. */
async function guided(command: RegExp, id = ""): Promise<string> {
  const [line] = command.exec(readFileSync(new URL("../../../hosts/gateway/operations/GUIDE.md", import.meta.url), "utf8"))!;
  return (await promisify(execFile)("bash", ["-euc", line.replace("http://127.0.0.1:9070", server.admin).replace("dp_ID", id)])).stdout;
}
