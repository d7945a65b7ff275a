// Who may answer: the same person by any spelling is the same person.
import { expect, it } from "vitest";
import { mayAnswer, principalName, requireEligible, sameName } from "../../../hosts/gateway/approvals/eligible.ts";
import type { ApprovalRecord } from "../../../hosts/gateway/approvals/record.ts";
import { person } from "../people/house.ts";

it.each([
  ["ann", "Ann"], ["ann", "ANN"], ["ann", " ann "], ["ann lee", "ann\u00a0 lee"], ["ann", "a\u200bnn"], ["ann", "ann\ufeff"], ["ann", "a\u00adnn"], ["ann", "\u202eann"], ["ann", "ａｎｎ"],
  ["zo\u00eb", "zoe\u0308"], ["ZOË", "zoë"], ["strasse", "straße"], ["maße", "MASSE"], ["file", "ﬁle"], ["inci", "İNCİ"], ["inci", "ıncı"], ["σοφος", "ΣΟΦΟΣ"], ["ann", "ann\u034f"], ["k", "K"],
])("%j and %j are one name", (one, other) => expect(sameName(one, other)).toBe(true));

it.each([["ann", "anne"], ["ann", "аnn"], ["zoë", "zoe"], ["ann", "bob"], ["ann1", "ann2"], ["a nn", "ann"]])("%j and %j are two names", (one, other) => expect(sameName(one, other)).toBe(false));

const asked = (more: Partial<ApprovalRecord> = {}) => ({ caller: "agent-1", principal: "u-1", deciders: [], answers: [], ...more }) as unknown as ApprovalRecord;
const answer = (approver: string) => ({ approver, answer: "approve" as const, why: null, at: 0, jws: "" });

it.each<[string, Parameters<typeof requireEligible>, string | null]>([
  ["somebody else", [person("ann"), asked()], null],
  ["the caller's name", [person("Agent-1"), asked()], "own_request"],
  ["the caller's name as an approver's id", [person("x", { approver: "AGENT-1" }), asked()], "own_request"],
  ["the principal's id as a name", [person("u-1"), asked()], "own_request"],
  ["the principal's id as a principal's", [person("x", { principal: { id: "U-1" } }), asked()], "own_request"],
  ["a principal whose id is a number", [person("x", { principal: { id: 7 } }), asked({ principal: "7" })], "own_request"],
  ["without the right", [person("ann", { may: new Set(["kill"]) }), asked()], "not_granted"],
  ["not on the list", [person("ann"), asked({ deciders: ["bob"] })], "not_a_decider"],
  ["on the list by another spelling, which the core would not count", [person("Bob"), asked({ deciders: ["bob"] })], "not_a_decider"],
  ["a second time", [person("ann"), asked({ answers: [answer("ann")] })], "already_answered"],
  ["a second time, spelt otherwise", [person("x", { approver: "ANN" }), asked({ answers: [answer("ann")] })], "already_answered"],
])("%s", (_, [caller, approval], code) => {
  if (code === null) expect(() => requireEligible(caller, approval)).not.toThrow();
  else expect(() => requireEligible(caller, approval)).toThrowError(expect.objectContaining({ code }));
});

it("of answers that somebody brought, the same holds", () => {
  expect(["ann", "AGENT-1", "u-1", "Bob", "cyd"].filter((name) => mayAnswer(name, asked({ answers: [answer("bob")] })))).toStrictEqual(["ann", "cyd"]);
  expect(mayAnswer("ann", asked({ deciders: ["bob"] }))).toBe(false);
});

it("a principal's id may be any JSON", () => {
  expect([{ id: "u" }, { id: 7 }, { id: ["a"] }, { id: null }, {}, null, undefined].map(principalName)).toStrictEqual(["u", "7", '["a"]', null, null, null, null]);
});
