// Every reason is a sentence: the core's own where it has one, and what the reason means elsewhere; each step of the trace says what it saw.
import { lineDriver } from "interlock";
import { expect, it } from "vitest";
import type { Answer } from "../../hosts/console/decide/answer.ts";
import { factsOf } from "../../hosts/console/decide/facts.ts";
import { announcement, sayings } from "../../hosts/console/decide/sentences.ts";
import { shownSteps } from "../../hosts/console/decide/trace.ts";

type Detail = NonNullable<Answer["detail"]>;
const answer = (decision: Answer["decision"], reason: string, detail?: Detail): Answer => ({ decision, reason, reasons: [reason], entry: null, step: null, link: null, policy: "p", ...(detail ? { detail } : {}) });

it.each<[Answer["decision"], string, Detail | undefined, RegExp]>([
  ["allow", "allow", undefined, /^Nothing holds it back\.$/],
  ["refuse", "unknown_tool", undefined, /^The tool is not in the catalogue/],
  ["refuse", "agent_required", { agents: ["a", "b"] }, /: a, b\.$/],
  ["refuse", "licence_lapsed", undefined, /lapsed/],
  ["refuse", "history_invalid", undefined, /not one that these keys signed/],
  ["refuse", "history_invalid", { limit: 10 }, /longer than 10 entries/],
  ["refuse", "argument_schema", { rule: "required", pointer: "", message: "lacks a required member: id" }, /^The argument object does not fit .* \(required\): it lacks a required member: id\.$/],
  ["refuse", "argument_schema", { rule: "pattern", pointer: "/a~1b", message: "does not match" }, /^The argument a\/b /],
  ["refuse", "undeclared_destination", { destinations: ["x.example"] }, /x\.example\.$/],
  ["refuse", "order_rule", { rule: "after get_order" }, /^get_order has to have run before it \(after get_order\)\.$/],
  ["refuse", "order_rule", { rule: "after get_order", bind: "id" }, /^The argument id must come from the reported result of get_order/],
  ["refuse", "order_rule", { rule: "not_after untrusted" }, /something from outside was read/],
  ["refuse", "order_rule", { rule: "at_most 1", restarted: true }, /used up .* restarted/],
  ["refuse", "compensation_mismatch", { step: 1, mismatch: "agent" }, /step 1 declares \(agent\)\.$/],
  ["refuse", "compensation_spent", { step: 1 }, /^Step 1 is undone already/],
  ["refuse", "tainted_call", { labels: ["untrusted:x"] }, /untrusted:x\.$/],
  ["refuse", "denied", undefined, /said no\.$/],
  ["refuse", "needs-card", { flow: "f", rule: "needs-card", because: "There is no card." }, /^There is no card\.$/],
  ["refuse", "needs-card", { flow: "f", rule: "needs-card" }, /^The rule needs-card of the flow f refuses it\.$/],
  ["refuse", "needs-card", { flow: "f", rule: "needs-card", error: true }, /could not be worked out/],
])("%s %s %j", (decision, reason, detail, said) => {
  const [one] = sayings(answer(decision, reason, detail));
  expect(one!.text).toMatch(said);
  expect(one!.text).toMatch(/^\S.*\.$/);
  expect(announcement(answer(decision, reason, detail))).toContain(one!.text);
});

it("twelve steps, each of those taken with what it saw, the others not reached", () => {
  const policy = {
    format: "qls-policy/1", tenant: "t", agents: { a: { tools: ["*"] } },
    tools: [{ name: "x", parameters: { type: "object", properties: { n: { type: "number" } } }, at_most: 1, undo: { tool: "x", bind: { n: "arguments.n" } } }],
    rulebook: { flows: [{ name: "f", on: ["*"], rules: [{ id: "r", ask_if: "true", question: "Sure?" }] }] },
  };
  const driver = lineDriver();
  driver.answer('{"id":0,"op":"keys","name":"k","keys":{"format":"qls-keys/1","preview":true,"keys":[],"digests":"plain"}}');
  driver.answer(JSON.stringify({ id: 0, op: "register", name: "p", policy }));
  const request = { format: "qls-tool-check/1", session: "s", tool: "x", arguments: { n: 1 }, now: 1, explain: true };
  const { ok } = JSON.parse(driver.answer(JSON.stringify({ id: 1, op: "check", policy: "p", keys: "k", request }))) as { ok: Answer };
  const steps = shownSteps(ok, { format: "qls-history/1", session: "s", entries: [] }, factsOf(policy));
  expect(steps.map(({ order, result }) => [order, result])).toEqual([...(ok.trace ?? []).map(({ order, result }) => [order, result]), [11, "unreached"], [12, "unreached"]]);
  expect(steps.slice(0, 10).every(({ saw }) => saw.length > 0 && saw.every((each) => each !== ""))).toBe(true);
  expect(steps[4]!.saw).toEqual(["the tool’s rules: at_most 1"]);
  expect(steps[6]!.saw).toEqual(["a rule asks; rules on this tool: r"]);
  expect(steps[9]!.saw).toEqual(ok.reasons);
  expect(sayings(ok).map(({ text }) => text)).toEqual(ok.question!.reasons.map(({ text }) => text));
});
