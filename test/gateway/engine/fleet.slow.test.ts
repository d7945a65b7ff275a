// Several gateways on one Restate.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Outcome } from "../../../hosts/gateway/call/record.ts";
import { proposal } from "../flow/shop.ts";
import { Fleet } from "./fleet/fleet.ts";
import { Tool } from "./fleet/tool.ts";
import { restateServer, type Server } from "./restate-server.ts";

let server: Server;
let tool: Tool;
let url: string;
let fleet: Fleet | null = null;
let made = 0;
beforeAll(async () => {
  server = await restateServer();
  await server.start();
  tool = new Tool();
  url = await tool.open();
}, 60_000);
afterEach(async () => {
  await fleet?.close();
  fleet = null;
});
afterAll(async () => {
  await tool.close();
  await server.dispose();
});

it("calls are proposed at one gateway, answered at another, and made once", async () => {
  fleet = await Fleet.of(2, server, url, `fleet${made++}`);
  const [one, other] = [fleet.worker(0), fleet.worker(1)];
  console.time("read");
  const read = await one.ask("call", proposal("get_order", { order_id: "r" }, { waitMs: 5_000 }));
  console.timeEnd("read");
  expect(read).toMatchObject({ kind: "result" });
  console.time("ask");
  const asked = (await one.ask("call", proposal("charge_card", { order_id: "w" }))) as Extract<Outcome, { kind: "pending" }>;
  console.timeEnd("ask");
  expect(asked.kind).toBe("pending");
  const ana = { name: "ana", tenant: "shop", agents: [], principal: null, approver: "ana", may: ["approve"] as unknown as Set<"approve"> };
  console.time("decide");
  await other.ask("decide", ana, asked.approval, { answer: "approve" });
  console.timeEnd("decide");
  expect(await one.ask("outcome", "shop", asked.call.id, 20_000)).toMatchObject({ kind: "result" });
  expect(tool.count("w")).toBe(1);
  expect(one.said + other.said).toBe("");
});
