// Chapter 4's table "Who may set what", row by row: each member with and without its grant, however its name is written.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Json, said, World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open({ policy: undefined });
});
afterAll(() => world.house.close());

/** The rows, each with a value of its member; `code` is what the core says of the value where the caller may set it. */
const ROWS: readonly (readonly [member: string, value: Json, setBy: "anyone" | "granted" | "nobody", code?: string])[] = [
  ["labels", { call: ["untrusted:read_inbox"], arguments: { order_id: ["agent:helper"] } }, "anyone"],
  ["explain", true, "anyone"],
  ["format", "qls-tool-check/1", "anyone"],
  ["turns", ["get order 4411"], "granted"],
  ["turn", "t-1", "granted"],
  ["origins", { order_id: "reply" }, "granted"],
  ["context", { n: 1 }, "granted", "400 request_invalid /context/n"],
  ["resource", { owner: "u" }, "granted"],
  ["principal", { id: "u-1" }, "granted"],
  ["agent", "clerk", "granted"],
  ["confirmation", "x.y.z", "granted"],
  ["approvals", ["x.y.z"], "granted"],
  ["undo", { step: 0 }, "granted", "200 refuse compensation_mismatch"],
  ["now", 1_764_445_000, "nobody"],
  ["at", 1_764_445_000, "nobody"],
  ["head", { step: -1, link: "", state: "" }, "nobody"],
  ["sends", 0, "nobody"],
];
let count = 0;
const body = (member: string, value: Json, session = `t-${++count}`) => `{"session":"${session}","tool":"get_order","arguments":{"order_id":"4411"},${member}:${JSON.stringify(value)}}`;

for (const path of ["/v1/check", "/v1/call"])
  it.each(ROWS.filter(([member]) => path === "/v1/check" || member !== "explain"))(`${path}: %s is set by whom chapter 4 says`, async (member, value, setBy, code) => {
    const grant = member === "turn" ? "turns" : member;
    const pointer = member === "origins" ? "/origins/order_id" : `/${member}`;
    const fine = path === "/v1/check" ? "200 allow allow" : "200 result allow";
    const taken = (code ?? fine).replace("refuse compensation", path === "/v1/check" ? "refuse compensation" : "refused compensation");
    // Written plainly, and with an escape in its name.
    for (const name of [`"${member}"`, `"\\u00${member.charCodeAt(0).toString(16)}${member.slice(1)}" `]) {
      const ungranted = said(await world.ask("POST", path, body(name, value), { by: "model" }));
      const all = said(await world.ask("POST", path, body(name, value), { by: "service" }));
      const other = said(await world.ask("POST", path, body(name, value), { by: `all-but-${grant}` }));
      if (setBy === "anyone") expect([ungranted, all]).toEqual([fine, fine]);
      if (setBy === "nobody") expect([ungranted, all]).toEqual([`403 member_reserved ${pointer}`, `403 member_reserved ${pointer}`]);
      if (setBy === "granted") expect([ungranted, other, all]).toEqual([`403 member_not_granted ${pointer}`, `403 member_not_granted ${pointer}`, taken]);
    }
  });

it("session: within the caller's own name unless it is granted `sessions`", async () => {
  const mine = await world.ask("POST", "/v1/check", body('"explain"', false, "own"), { by: "model" });
  expect(said(mine)).toBe("200 allow allow");
  for (const by of ["twin", "person", "clerk"]) {
    const answer = await world.ask("POST", "/v1/check", body('"explain"', false, "model/own"), { by });
    expect([answer.json.step, (await world.house.gateway.session("shop", `${by}/model/own`)) !== null]).toEqual([0, true]);
  }
  expect((await world.ask("POST", "/v1/check", body('"explain"', false, "model/own"), { by: "service" })).json.step).toBe(1);
});

it("history: carried by anyone, and only up to the kept head", async () => {
  const session = "carried";
  const past = { format: "qls-history/1", session: `model/${session}`, entries: [] };
  expect(said(await world.ask("POST", "/v1/check", body('"history"', past, `model/${session}`), { by: "model" }))).toBe("200 allow allow");
  expect(said(await world.ask("POST", "/v1/check", body('"history"', past, `model/${session}`), { by: "model" }))).toBe("200 refuse history_invalid");
});

it("agent: one of the caller's own, its first where it names none; principal: the caller's of the file", async () => {
  const answer = await world.ask("POST", "/v1/check", body('"explain"', false), { by: "person" });
  expect([answer.json.entry.agent, typeof answer.json.entry.principal]).toEqual(["desk", "string"]);
  expect(said(await world.ask("POST", "/v1/check", body('"agent"', "desk"), { by: "model" }))).toBe("200 allow allow");
  expect(said(await world.ask("POST", "/v1/check", body('"principal"', { id: "u-1" }), { by: "person" }))).toBe("403 member_not_granted /principal");
  expect(said(await world.ask("POST", "/v1/check", body('"explain"', false), { by: "ana" }))).toBe("403 agent_not_granted");
});

it("origins: without the grant only the claim that changes nothing", async () => {
  expect(said(await world.ask("POST", "/v1/check", body('"origins"', { order_id: "model" }), { by: "model" }))).toBe("200 allow allow");
  for (const origin of ["typed", "reply", "context", "computed", "result:0.total", "Model"])
    expect(said(await world.ask("POST", "/v1/check", body('"origins"', { x: "model", order_id: origin }), { by: "model" }))).toBe("403 member_not_granted /origins/order_id");
});

it("names that JavaScript's objects have a meaning for are names", async () => {
  const strange = (member: string, text: string, by = "service") => world.ask("POST", "/v1/check", `{"session":"p-${++count}","tool":"get_order","arguments":{"order_id":"1"},"${member}":${text}}`, { by });
  const labelled = await strange("labels", '{"arguments":{"__proto__":["untrusted:x"],"order_id":["agent:y"]}}');
  expect(labelled.json.entry.labels).toEqual(["agent:y"]);
  expect(said(await strange("labels", '{"arguments":{"__proto__":5}}'))).toBe("400 request_invalid /labels/arguments/__proto__");
  expect(said(await strange("__proto__", "{}"))).toBe("400 request_invalid /__proto__");
  expect(said(await strange("constructor", "{}"))).toBe("400 request_invalid /constructor");
  expect(said(await strange("origins", '{"__proto__":"typed"}', "model"))).toBe("403 member_not_granted /origins/__proto__");
  expect(said(await strange("resource", '{"__proto__":{"a":1}}'))).toBe("200 allow allow");
});

it("the gateway's clock is the time of every entry", async () => {
  const { at } = (await world.ask("POST", "/v1/check", body('"explain"', false), { by: "service" })).json.entry;
  expect(at).toBe(Math.floor(world.house.now / 1000));
});

it("reports and receipts hold to the table too", async () => {
  const by = "service";
  expect(said(await world.ask("POST", "/v1/report", '{"session":"s","step":0,"status":"ran","at":1}', { by }))).toBe("403 member_reserved /at");
  expect(said(await world.ask("POST", "/v1/report", '{"session":"s","step":0,"status":"ran","policy":"p"}', { by }))).toBe("400 request_invalid /policy");
  expect(said(await world.ask("POST", "/v1/receipt", '{"session":"s","tool":"get_order","arguments":{},"sends":0}', { by }))).toBe("403 member_reserved /sends");
  expect(said(await world.ask("POST", "/v1/receipt", '{"session":"s","tool":"get_order","arguments":{},"now":0}', { by }))).toBe("403 member_reserved /now");
  for (const [member, value] of [["agent", "clerk"], ["principal", { id: "u" }]] as const)
    expect(said(await world.ask("POST", "/v1/receipt", `{"session":"s","tool":"get_order","arguments":{},"${member}":${JSON.stringify(value)}}`, { by: `all-but-${member}` }))).toBe(`403 member_not_granted /${member}`);
});
