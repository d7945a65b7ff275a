// The network between gateway and Restate is cut in the middle of calls, and the server held as it is: whoever asks is told by a code, nothing is made twice or without its entry, and work goes on afterwards.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import { RestateEngine } from "../../../hosts/gateway/engine/restate/restate.ts";
import { KEYS } from "../flow/shop.ts";
import { House, person } from "../people/house.ts";
import { freePorts, restateServer, type Server } from "./restate-server.ts";
import { Wire } from "./wire.ts";

/** Milliseconds in which Restate has to answer here. */
const PATIENCE = 2_500;
const ann = person("ann");

let server: Server;
let house: House;
const ingress = new Wire();
const back = new Wire();
/** Calls that reached the tool, by their ids. */
let arrived: string[] = [];
let made = 0;

beforeAll(async () => {
  server = await restateServer();
  await server.start();
  ingress.to = Number(new URL(server.ingress).port);
  const [toServer, toGateway] = [await ingress.open(), await back.open()];
  const [port] = (await freePorts(1)) as [number];
  back.to = port;
  house = await House.open(undefined, {
    prepare: (of) => {
      of.makes = (clock) => new RestateEngine({ ingress: toServer, admin: server.admin, prefix: "cut", listen: { host: "127.0.0.1", port }, advertise: toGateway, identityKeys: [] }, { clock, patienceMs: PATIENCE });
    },
  });
}, 120_000);
afterEach(() => {
  house.tools.answer = () => ({});
});
afterAll(async () => {
  await house.close();
  await Promise.all([ingress.close(), back.close()]);
  await server.dispose();
});

/** What stops the traffic, and what lets it go on. */
const CUTS = [
  { what: "both ways, and the connections are lost", cut: () => [ingress, back].forEach((wire) => void wire.cut()), mend: () => [ingress, back].forEach((wire) => void wire.join(true)) },
  { what: "only from the gateway to the server", cut: () => ingress.cut(), mend: () => ingress.join(false) },
  { what: "only from the server to the gateway", cut: () => back.cut(), mend: () => back.join(true) },
  { what: "by a server that is held", cut: () => server.hold(), mend: () => server.release() },
];

/** Asks until somebody answers, as a client does: only an engine that is not there is no answer. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if ((error as { code?: string }).code !== "engine_unavailable" && (error as { code?: string }).code !== "session_busy") throw error;
    }
  }
}

/** The answer that was not heard may have been kept. */
const decided = (approval: string): Promise<unknown> =>
  answered(() => house.gateway.decide(ann, approval, { answer: "approve" })).catch((error: { code?: string }) => {
    if (error.code !== "approval_closed" && error.code !== "already_answered") throw error;
  });

describe.each(CUTS)("cut $what", ({ cut, mend }) => {
  it("while a call waits for people, while one is made, and while one is proposed", async () => {
    const name = `c${made++}`;
    arrived = [];
    let go = (): void => undefined;
    const wait = new Promise<void>((resolve) => {
      go = resolve;
    });
    let reached = (): void => undefined;
    const sent = new Promise<void>((resolve) => {
      reached = resolve;
    });
    house.tools.answer = async (call) => {
      arrived.push(call.id);
      reached();
      await wait;
      return {};
    };
    const args = { order_id: name, amount: 1 };
    const propose = (which: string) => house.asked("charge_card", args, { session: `${name}-${which}`, idempotencyKey: `${name}-${which}` });
    const waiting = await answered(() => propose("waits"));
    const making = await answered(() => propose("made"));
    await decided(making.approval.id);
    await sent;
    cut();
    // The tool's answer comes and cannot be kept; whoever asks is told that nobody is there.
    go();
    const refused = await Promise.all([propose("new"), house.gateway.decide(ann, waiting.approval.id, { answer: "approve" }), house.gateway.outcome("shop", making.outcome.call.id, 0), house.engine.get("shop", "none")].map((ask) => ask.then(() => "answered", (error: { code?: string }) => error.code)));
    expect(refused).toStrictEqual(Array(4).fill("engine_unavailable"));
    mend();
    await decided(waiting.approval.id);
    const proposed = await answered(() => propose("new"));
    await decided(proposed.approval.id);
    for (const { outcome } of [waiting, making, proposed]) {
      const end = await answered(() => house.end(outcome));
      // What the tool said while nothing could be kept is known, or a person is asked.
      expect(["result", "unknown"], JSON.stringify(end)).toContain(end.kind);
      if (outcome !== making.outcome) expect(end.kind).toBe("result");
    }
    expect([...arrived].sort()).toStrictEqual([waiting, making, proposed].map(({ outcome }) => outcome.call.id).sort());
    // Nothing is left of it: the next call is made as if nothing had been.
    const after = await answered(() => house.call("get_order", { order_id: name }, { session: `${name}-after`, idempotencyKey: `${name}-after`, waitMs: 20_000 }));
    expect(after).toMatchObject({ kind: "result" });
    const intents = (await answered(() => house.log())).filter(({ event }) => event === "call.intent").map(({ call }) => call);
    for (const call of arrived) expect(intents.filter((intent) => intent === call)).toHaveLength(1);
    expect(await verifyAudit(await answered(() => house.engine.audit("shop", 0, 10_000)), KEYS as never)).toMatchObject({ valid: true });
  });
});

it("connections that break again and again between a commit and its answer: each commit is done once, and answered", async () => {
  for (let number = 0; number < 80; number++) {
    const committed = house.engine.commit({ tenant: "other", changes: [{ key: `n/${number}`, expect: null, value: "1" }, { key: "count", expect: number === 0 ? null : number, value: String(number) }], audit: [{ event: "call.proposed", at: 1, actor: "a" }] });
    await pause(number % 10);
    ingress.join(true);
    expect(await committed).toMatchObject({ ok: true });
  }
  const lines = await house.engine.audit("other", 0, 1_000);
  expect(lines.filter((line) => "entry" in (JSON.parse(line) as object))).toHaveLength(80);
});
