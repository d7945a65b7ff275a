// The settings of the web hosts: every problem told at once, and nothing half understood.
import { lineDriver } from "interlock";
import { expect, it } from "vitest";
import { authenticate, readCallers } from "../../hosts/shared/web/callers.ts";
import { readSettings } from "../../hosts/shared/web/settings.ts";
import { bindings, callers, TOKENS } from "./shop.ts";

const problems = (change: Record<string, unknown>): string[] => readSettings({ ...bindings, ...change }).problems.map(({ binding, code }) => `${binding} ${code}`);

it("are whole, or tell every problem", () => {
  expect(problems({})).toEqual([]);
  expect(readSettings(bindings).settings).toMatchObject({ conform: true, maxBody: 1 << 20 });
  expect(readSettings({ ...bindings, INTERLOCK_CONFORM: undefined, INTERLOCK_MAX_BODY: "4096" }).settings).toMatchObject({ conform: false, maxBody: 4096 });
  expect(readSettings({}).problems.map(({ binding, code }) => `${binding} ${code}`)).toEqual(["INTERLOCK_POLICY missing", "INTERLOCK_KEYS missing", "INTERLOCK_CALLERS missing"]);
  expect(problems({ INTERLOCK_POLICY: { format: "qls-policy/1" }, INTERLOCK_CONFORM: "true", INTERLOCK_MAX_BODY: "1k" })).toEqual([
    "INTERLOCK_POLICY not_text",
    "INTERLOCK_CONFORM unknown_value",
    "INTERLOCK_MAX_BODY out_of_range",
  ]);
});

it.each([
  ["INTERLOCK_POLICY", "tenant: shop\n", "policy_invalid"],
  ["INTERLOCK_POLICY", '{"format":"qls-policy/1"}', "policy_invalid"],
  ["INTERLOCK_POLICY", '{"format":"qls-policy/1","a":01}', "line_invalid"],
  ["INTERLOCK_POLICY", `${bindings["INTERLOCK_POLICY"]},"op":"close"`, "policy_invalid"],
  ["INTERLOCK_KEYS", "{}", "keys_invalid"],
  ["INTERLOCK_KEYS", "secret", "keys_invalid"],
  ["INTERLOCK_KEYS", `${bindings["INTERLOCK_KEYS"]},"name":"other"`, "keys_invalid"],
  ["INTERLOCK_KEYS", '{"format":"qls-keys/1","keys":[],"preview":true,"digests":"plain"}', "keys_preview"],
  ["INTERLOCK_CALLERS", "[]", "callers_invalid"],
])("%s: %s is %s", (name, text, code) => {
  expect(problems({ [name]: text })).toEqual([`${name} ${code}`]);
});

it.each([
  ["no JSON", "x"],
  ["no list", "{}"],
  ["a token in the clear", '[{"name":"a","token":"b"}]'],
  ["a short hash", '[{"name":"a","sha256":"00"}]'],
  ["a hash in capitals", JSON.stringify([{ ...callers[0], sha256: callers[0]!.sha256.toUpperCase() }])],
  ["a grant that there is not", JSON.stringify([{ ...callers[0], may: ["now"] }])],
  ["all grants by a star", JSON.stringify([{ ...callers[0], may: ["*"] }])],
  ["two of one name", JSON.stringify([callers[0], { ...callers[1], name: callers[0]!.name }])],
  ["two with one token", JSON.stringify([callers[0], { ...callers[1], sha256: callers[0]!.sha256 }])],
  ["an agent, and the right to say another", JSON.stringify([{ ...callers[3], may: ["agent"] }])],
  ["a principal that is a name", JSON.stringify([{ ...callers[3], principal: "u-1" }])],
  ["a realm with a control character", JSON.stringify([{ ...callers[0], realm: "a\u0000b" }])],
  ["a realm with half of a surrogate pair", JSON.stringify([{ ...callers[0], realm: "a\ud83d" }])],
])("a list of callers with %s is refused", (_, text) => {
  expect(() => readCallers(text)).toThrow();
});

it("a policy file with its remote schemas is loaded as the policy and the schemas", () => {
  const uri = "https://schemas.test/order";
  const policy = JSON.parse(bindings["INTERLOCK_POLICY"]!);
  policy.tools[0].parameters = { $ref: uri };
  const documents = { [uri]: { type: "object", properties: { order_id: { type: "string" } } } };
  const { settings } = readSettings({ ...bindings, INTERLOCK_POLICY: JSON.stringify({ ...policy, documents }) });
  const call = JSON.stringify({ format: "qls-tool-check/1", session: "s", agent: "desk", tool: "get_order", arguments: { order_id: 5 }, now: 1764445000 });
  const line = { id: 0, op: "register", name: "p", policy, documents };
  expect(settings!.core.policy).toBe(JSON.parse(lineDriver().answer(JSON.stringify(line))).ok.policy);
  expect(JSON.parse(settings!.core.check(call))).toMatchObject({ reason: "argument_schema", pointer: "/order_id" });
});

it("finds the caller of a token, and nobody for any other", async () => {
  const list = readCallers(bindings["INTERLOCK_CALLERS"]!);
  const request = (authorization: string) => new Request("http://host.test/", { headers: { authorization } });
  for (const [name, token] of Object.entries(TOKENS)) expect((await authenticate(request(`Bearer ${token}`), list)).name).toBe(name);
  for (const wrong of ["", "Bearer", "Bearer ", `Bearer ${TOKENS.model} `.repeat(2), `Basic ${TOKENS.model}`, `Bearer ${callers[0]!.sha256}`])
    await expect(authenticate(request(wrong), list)).rejects.toMatchObject({ status: 401, code: "unauthorized" });
});
