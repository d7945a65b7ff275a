// kill -9 of gateways and of the Restate server in the middle of calls, at seeded moments: nothing is sent twice, no question is lost, every call comes to an end, and the log verifies.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Line } from "../../../hosts/gateway/audit/chain.ts";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import type { Outcome } from "../../../hosts/gateway/call/record.ts";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { Random } from "../../model/random.ts";
import { KEYS, proposal } from "../flow/shop.ts";
import { Fleet, Killed, Refused, removeScript } from "./fleet/fleet.ts";
import { Tool } from "./fleet/tool.ts";
import { restateServer, type Server } from "./restate-server.ts";

/** The seed of every choice; CRASH_SEED replays another. */
const SEED = Number(process.env["CRASH_SEED"] ?? 20261130);
const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 24);
/** Calls in hand at once in a round. */
const CALLS = 6;
/** Errors that say that the store was not there for a moment: a client asks again. */
const AGAIN = new Set(["engine_unavailable", "session_busy"]);

const ANA = { name: "ana", tenant: "shop", agents: [], principal: null, approver: "ana", may: ["approve"] as unknown as Caller["may"] } satisfies Caller;

let server: Server;
let fleet: Fleet;
const tool = new Tool();
beforeAll(async () => {
  server = await restateServer();
  await server.start();
  fleet = await Fleet.of(2, server, await tool.open(), "crash");
}, 120_000);
afterAll(async () => {
  await fleet?.close();
  await tool.close();
  await server.dispose();
  await removeScript();
});

/** Asks until somebody answers, as a client does that never heard back: of whichever gateway is up. */
async function answered<T>(ask: (worker: number) => Promise<T>, first: number): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask((first + attempt) % 2);
    } catch (error) {
      if (!(error instanceof Killed) && !(error instanceof Refused && AGAIN.has(error.code))) throw error;
      await pause(50);
    }
  }
}

async function decided(approval: string, first: number): Promise<void> {
  try {
    await answered((worker) => fleet.worker(worker).ask("decide", ANA, approval, { answer: "approve" }), first);
  } catch (error) {
    // The answer was kept, and nobody was told.
    if (!(error instanceof Refused) || error.code !== "approval_closed") throw error;
  }
}

/** The call's end, asked until it is there. */
async function end(call: string, first: number): Promise<Outcome> {
  for (;;) {
    const outcome = await answered((worker) => fleet.worker(worker).ask("outcome", "shop", call, 0), first);
    if (outcome !== null && outcome.kind !== "pending") return outcome;
    if (outcome === null) throw new Error(`the call ${call} is lost`);
    await decided(outcome.approval, first);
  }
}

async function kill(victim: string): Promise<void> {
  const [what, number] = victim.split(" ");
  if (what === "server" || what === "both") await server.kill();
  if (what === "gateway" || what === "both") await fleet.worker(Number(number)).kill();
  if (what === "gateways") await Promise.all([fleet.worker(0).kill(), fleet.worker(1).kill()]);
}

async function restart(victim: string): Promise<void> {
  const [what, number] = victim.split(" ");
  if (what === "server" || what === "both") await server.start();
  if (what === "gateway" || what === "both") await fleet.start(Number(number));
  if (what === "gateways") await Promise.all([fleet.start(0), fleet.start(1)]);
}

it(`${ROUNDS} rounds of kill -9`, async () => {
  const random = new Random(SEED);
  const ends: Record<string, number> = {};
  tool.before = () => pause(random.below(80));
  for (let round = 0; round < ROUNDS; round++) {
    const victim = ["gateway 0", "gateway 1", "server", "both 0", "both 1", "gateways"][round % 6]!;
    const at = random.pick(["proposed", "decided", "sent"] as const);
    const after = random.below(at === "sent" ? 40 : 200);
    const what = `seed ${SEED}, round ${round}: ${victim} killed ${after} ms after the calls were ${at}`;
    const calls = Array.from({ length: CALLS }, (_, index) => ({ session: `s-${round}-${index % 4}`, order: `${round}.${index}`, tool: random.pick(["get_order", "charge_card", "charge_card", "set_note"]), first: random.below(2) }));
    const propose = (): Promise<Outcome>[] =>
      calls.map(({ session, order, tool: name, first }) => answered((worker) => fleet.worker(worker).ask("call", proposal(name, { order_id: order }, { session, idempotencyKey: order, turn: `t-${order}` })), first));
    const killed = async (): Promise<void> => {
      if (at === "sent") await sent;
      await pause(after);
      await kill(victim);
      await restart(victim);
    };
    if (process.env["CRASH_TELL"]) console.log(what);
    const nth = 1 + random.below(3);
    const sent = tool.next(nth);
    let asked: Outcome[];
    if (at === "proposed" || (at === "sent" && calls.filter(({ tool: name }) => name === "get_order").length >= nth)) [asked] = await Promise.all([Promise.all(propose()), killed()]);
    else {
      asked = await Promise.all(propose());
      await Promise.all([killed(), ...asked.map((outcome, index) => (outcome.kind === "pending" ? decided(outcome.approval, calls[index]!.first) : undefined))]);
    }
    for (const [index, outcome] of asked.entries()) {
      const { order, tool: name, first } = calls[index]!;
      // What the client was told that people are asked about is still asked, or was answered.
      if (outcome.kind === "pending") expect(await answered((worker) => fleet.worker(worker).ask("approval", "shop", outcome.approval), first), what).not.toBeNull();
      const ended = await end(outcome.call.id, first);
      ends[ended.kind] = (ends[ended.kind] ?? 0) + 1;
      expect(["result", "unknown"], `${what}: ${JSON.stringify(ended)}`).toContain(ended.kind);
      if (name === "charge_card") expect(tool.count(order), `${what}: ${order}`).toBeLessThanOrEqual(1);
      if (ended.kind === "result") expect(tool.count(order), `${what}: ${order}`).toBeGreaterThanOrEqual(1);
    }
  }
  const lines: string[] = [];
  for (;;) {
    const some = await fleet.worker(0).begin<string[]>("audit", lines.length, 10_000).answer;
    if (some.length === 0) break;
    lines.push(...some);
  }
  expect(await verifyAudit(lines, KEYS as never)).toMatchObject({ valid: true, problem: null });
  const intents = lines.map((line) => JSON.parse(line) as Line).filter((line) => "entry" in line && line.entry.event === "call.intent").length;
  expect(intents).toBeGreaterThanOrEqual(new Set(tool.arrived.map(({ order }) => order)).size);
  expect(ends["result"]).toBeGreaterThan(ROUNDS);
  if (process.env["CRASH_TELL"]) console.log(ends, tool.arrived.length, lines.length);
});
