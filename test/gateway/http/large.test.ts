// Large bodies and policies: while they are worked on, probes and short calls are answered, and a policy that would never be judged is given up.
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { Judging } from "../../../hosts/gateway/policies/judging.ts";
import { POLICY } from "../flow/shop.ts";
import { Listening } from "./socket.ts";
import { said, World } from "./world.ts";

const MOST = 1 << 20;
let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

/** A policy of many tools, of some 300 kB. */
function large(): string {
  const tool = (at: number) => ({ name: `tool_${at}`, description: "does one of many things", parameters: { type: "object", properties: { order_id: { type: "string" }, amount: { type: "number" } } } });
  const each = JSON.stringify(tool(1000)).length + 2;
  return JSON.stringify({ ...POLICY, tools: [...POLICY.tools, ...Array.from({ length: Math.floor(300_000 / each) }, (_, at) => tool(at))] });
}

/** A connection that has sent all of a request but its last byte. */
async function nearly(bytes: string, port: number): Promise<{ readonly socket: Socket; readonly answered: Promise<string> }> {
  const socket = connect({ port, host: "127.0.0.1" });
  let text = "";
  const answered = new Promise<string>((resolve) => {
    socket.on("data", (part: Buffer) => {
      text += part.toString("latin1");
    });
    socket.on("close", () => resolve(text));
  });
  await new Promise<void>((sent) => socket.write(bytes.slice(0, -1), () => sent()));
  return { socket, answered };
}

it("probes and short calls are answered between the steps of large bodies", async () => {
  const listening = await Listening.open({ inFlight: 64, bodyBytes: MOST });
  close = () => listening.close();
  await listening.ask("POST /v1/check", { body: '{"session":"s","tool":"get_order","arguments":{"order_id":"1"}}' });
  const members = Array.from({ length: 60_000 }, (_, at) => `"k${at}":1`).join(",");
  const order: string[] = [];
  const bodies = await Promise.all(
    Array.from({ length: 6 }, (_, at) => nearly(listening.bytes("POST /v1/check", { body: `{"session":"large-${at}","tool":"get_order","arguments":{"order_id":"1",${members}}}` }), listening.port)),
  );
  const all = bodies.map(({ socket, answered }, at) => {
    socket.write("}");
    return answered.then((text) => {
      order.push("large");
      expect(text, String(at)).toContain('"argument_schema"');
    });
  });
  const probe = listening.ask("GET /healthz", { by: null }).then(({ status }) => order.push(`probe ${status}`));
  const short = listening.ask("POST /v1/check", { body: '{"session":"s","tool":"get_order","arguments":{"order_id":"2"}}' }).then(({ json }) => order.push(`short ${json.decision}`));
  await Promise.all([...all, probe, short]);
  expect(order.indexOf("probe 200")).toBeLessThan(2);
  expect(order.at(-1)).toBe("large");
  expect(order).toContain("short allow");
});

it("calls go on while policies are judged, one at a time; the last that is taken is in force", async () => {
  const world = await World.open({ bodyBytes: MOST });
  close = () => world.house.close();
  const asking = { by: "keeper", type: "application/json" };
  let over = 0;
  const judged = ["/v1/policy?dry_run=true", "/v1/policy"].map((path) => world.ask("POST", path, large(), asking).finally(() => over++));
  const wrong = world.ask("POST", "/v1/policy", "tenant: [", { ...asking, type: "application/yaml" });
  let calls = 0;
  while (over < 2) {
    expect(said(await world.call("get_order", { order_id: "1" }, {}, { path: "/v1/check" }))).toBe("200 allow allow");
    calls++;
  }
  expect(calls).toBeGreaterThan(10);
  const [dry, taken] = await Promise.all(judged);
  expect([dry!.status, taken!.status, dry!.json.id]).toEqual([200, 200, taken!.json.id]);
  expect(said(await wrong)).toBe("422 policy_invalid");
  expect((await world.ask("GET", "/v1/policy", undefined, asking)).json.id).toBe(taken!.json.id);
});

it("a policy that takes too long, or too much memory, is given up", async () => {
  for (const most of [{ milliseconds: 1, megabytes: 1024 }, { milliseconds: 60_000, megabytes: 4 }]) {
    const judging = await Judging.start(most);
    await expect(judging.register("policy.yaml", large())).rejects.toMatchObject({ code: "policy_unjudged", status: 422 });
    await expect(judging.register("policy.yaml", "tenant: shop")).rejects.toMatchObject({ code: "policy_unjudged" });
    judging.close();
  }
  const next = await Judging.start();
  expect((await next.register("policy.yaml", JSON.stringify(POLICY))).problems.filter(({ severity }) => severity === "error")).toEqual([]);
  next.close();
});
