// Server-sent events and long polls: nothing is missed or told twice, each tenant hears its own, a right that is gone ends them, and whoever leaves leaves nothing behind.
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Gateway } from "../../../hosts/gateway/gateway.ts";
import { type Issuer, openIssuer } from "./issuer.ts";
import { Listening } from "./socket.ts";
import { caller, type Json, said, World } from "./world.ts";

interface Told {
  readonly id: number;
  readonly event: string;
  readonly of: string;
}

let world: World;
let issuer: Issuer;
/** How many readers of the log's events there are. */
let readers: number;
beforeEach(async () => {
  readers = 0;
  issuer = await openIssuer(1_764_500_000);
  world = await counted();
});
afterEach(async () => {
  await world.door.drain(2_000);
  await expect.poll(() => readers).toBe(0);
  await Promise.all([world.house.close(), issuer.close()]);
});

/** A world that counts who reads events. */
async function counted(more: Json = {}): Promise<World> {
  const opened = await World.open({
    heartbeatMs: 40,
    issuers: [issuer.settings],
    callers: [caller("person", null, { subject: { issuer: "login", subject: "u-1" }, may: ["read_approvals"] })],
    over: (gateway: Gateway) => ({
      ...gateway,
      async *events(...args: Parameters<Gateway["events"]>) {
        readers++;
        try {
          yield* gateway.events(...args);
        } finally {
          readers--;
        }
      },
    }),
    ...more,
  });
  return opened;
}

/** A stream of events, read as far as a test wants. */
async function stream(by: string, last?: string | number) {
  const left = new AbortController();
  const request = world.request("GET", "/v1/approvals/events", undefined, { by, headers: last === undefined ? {} : { "last-event-id": String(last) } });
  const response = await world.door.fetch(new Request(request, { signal: left.signal }));
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let alive = 0;
  const told: Told[] = [];
  const read = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    if (done) return false;
    rest += decoder.decode(value, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const found = /^id: (\d+)\nevent: (.+)\ndata: (.+)$/.exec(block);
      if (found === null) alive++;
      else {
        const data = JSON.parse(found[3]!) as Json;
        expect(data.event).toBe(found[2]);
        told.push({ id: Number(found[1]), event: found[2]!, of: data.id });
      }
    }
    return true;
  };
  return {
    response, told,
    alive: () => alive,
    /** Reads until there are so many events. */
    async until(many: number) {
      while (told.length < many) if (!(await read())) throw new Error("the stream ended");
    },
    /** Reads to the end. */
    async end() {
      while (await read());
    },
    leave: () => left.abort(),
    cancel: () => reader.cancel(),
    read,
  };
}

let count = 0;
const charge = async (by = "model") => (await world.call("charge_card", { order_id: String(++count), amount: 1 }, { session: `v-${count}` }, { by })).json as Json;
const deny = (id: string) => world.ask("POST", `/v1/approvals/${id}/deny`, '{"why":"no"}', { by: "ana" });

it("tells each event once, in the log's order, and goes on behind the last that was heard", async () => {
  const first = await stream("ana");
  expect(first.response.headers.get("content-type")).toBe("text/event-stream");
  const one = await charge();
  await first.until(1);
  expect(first.told[0]).toMatchObject({ event: "call.asked", of: one.approval });
  first.leave();
  // While nobody listens.
  await deny(one.approval);
  const two = await charge();
  const second = await stream("ana", first.told[0]!.id);
  await deny(two.approval);
  await second.until(3);
  expect(second.told.map(({ event, of }) => [event, of])).toEqual([["call.denied", one.approval], ["call.asked", two.approval], ["call.denied", two.approval]]);
  // Taken up anywhere, the rest is the same.
  for (let n = 0; n < second.told.length - 1; n++) {
    const again = await stream("ana", second.told[n]!.id);
    await again.until(second.told.length - 1 - n);
    expect(again.told).toEqual(second.told.slice(n + 1));
    await again.cancel();
  }
  const lines = (await world.ask("GET", "/v1/audit?limit=1000", undefined, { by: "keeper" })).json.lines as Json[];
  for (const { id, event } of second.told) expect(lines.find(({ seq }) => seq === id)?.entry.event).toBe(event);
  await second.cancel();
});

it("a last event that there is not, or that is no number: what happens from now on is told", async () => {
  const all = await Promise.all(["999999999999999", "-1", "x", "", "1e3", "__proto__"].map((last) => stream("ana", last)));
  const asked = await charge();
  for (const each of all) {
    await each.until(1);
    expect(each.told.at(-1)).toMatchObject({ event: "call.asked", of: asked.approval });
    each.leave();
  }
});

it("is for those who may read questions, of their own tenant", async () => {
  for (const by of ["model", "service", "nobody", "person-without-a-key"]) expect((await world.door.fetch(world.request("GET", "/v1/approvals/events", undefined, { by }))).status, by).toBe(by.startsWith("person") ? 401 : 403);
  const theirs = await stream("elsewhere");
  const ours = await Promise.all(["ana", "reader", "keeper", "root"].map((by) => stream(by)));
  const asked = await charge();
  for (const each of ours) await each.until(1);
  const other = await charge("elsewhere");
  await theirs.until(1);
  expect(theirs.told.map(({ of }) => of)).toEqual([other.approval]);
  expect(ours.map(({ told }) => told.map(({ of }) => of))).toEqual([[asked.approval], [asked.approval], [asked.approval], [asked.approval]]);
  for (const each of [theirs, ...ours]) each.leave();
});

it("ends where the key is taken back, the right is, or the token runs out; and says meanwhile that it is alive", async () => {
  const token = await issuer.token("u-1", { exp: 1_764_500_600 });
  const [ana, reader, person] = [await stream("ana"), await stream("reader"), await stream(token)];
  for (const each of [ana, reader, person]) while (each.alive() < 3) await each.read();
  const { settings } = world;
  world.settings = { ...settings, callers: settings.callers.flatMap((each) => (each.name === "ana" ? [] : [each.name === "reader" ? { ...each, may: [] } : each])) };
  await Promise.all([ana.end(), reader.end()]);
  world.house.now += 3_600_000;
  await person.end();
  expect([ana.told, reader.told, person.told]).toEqual([[], [], []]);
});

it("a wait ends when something happens, and answers nothing to whoever lost the right meanwhile", async () => {
  const empty = await world.ask("GET", "/v1/approvals?state=open", undefined, { by: "ana" });
  const waits = [
    world.ask("GET", "/v1/approvals?state=open&wait=300", undefined, { by: "reader" }),
    world.ask("GET", "/v1/approvals?state=open&wait=300", undefined, { by: "ana", headers: { "if-none-match": empty.headers.get("etag")! } }),
  ];
  await expect.poll(() => readers).toBe(2);
  const asked = await charge();
  for (const { status, json } of await Promise.all(waits)) expect([status, json.approvals.map(({ id }: Json) => id)]).toEqual([200, [asked.approval]]);
  expect(readers).toBe(0);
  const open = world.ask("GET", `/v1/approvals/${asked.approval}?wait=300`, undefined, { by: "reader" });
  await expect.poll(() => readers).toBe(1);
  const { settings } = world;
  world.settings = { ...settings, callers: settings.callers.filter(({ name }) => name !== "reader") };
  await deny(asked.approval);
  expect(said(await open)).toBe("401 unauthorized");
  world.settings = settings;
  expect(said(await world.ask("GET", `/v1/approvals/${asked.approval}?wait=300`, undefined, { by: "reader" }))).toBe("200");
  expect(said(await world.ask("GET", "/v1/approvals?state=open&wait=1", undefined, { by: "ana", headers: { "if-none-match": empty.headers.get("etag")! } }))).toBe("304");
});

it("a thousand who come and go leave nothing behind", async () => {
  await world.house.close();
  const listening = await Listening.over(await counted({ inFlight: 64 }));
  world = listening.world;
  for (let round = 0; round < 25; round++) {
    await Promise.all(Array.from({ length: 40 }, async (_, n) => {
      const socket = await listening.open();
      const path = n % 4 === 0 ? "/v1/approvals?state=open&wait=300" : "/v1/approvals/events";
      const first = new Promise((resolve) => socket.once("data", resolve));
      socket.write(listening.bytes(`GET ${path}`, { by: "ana", headers: n % 3 === 0 ? ["last-event-id: 0"] : [] }));
      if (n % 4 !== 0) await first;
      if (n % 2 === 0) socket.destroy();
      else socket.end();
      await new Promise((resolve) => socket.once("close", resolve).resume());
    }));
    await expect.poll(() => readers, { timeout: 20_000 }).toBe(0);
  }
  // Every place is free.
  const all = await Promise.all(Array.from({ length: 40 }, () => listening.ask("GET /v1/approvals?wait=0", { by: "ana" })));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  expect(world.logged).toEqual([]);
  await listening.stop();
});
