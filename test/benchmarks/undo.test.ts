// What the policies say undoes a write is accepted as its undo, once, and bound to that very write.

import type { Session, ToolCheck } from "interlock";
import { expect, it } from "vitest";
import { describeShared } from "../vectors/shared";
import { SUITES, tasks } from "./agentdojo";
import { openDesk } from "./gateway";
import { openWorld } from "./world";

interface Declared {
  name: string;
  parameters: { properties: Record<string, unknown>; required?: string[] };
  undo?: { tool: string; bind: Record<string, string> };
}

/** Checks a call of the person's task and lets a person say yes. */
function approved(session: Session, tool: string, args: Record<string, unknown>, options: Parameters<Session["checkToolCall"]>[2]): ToolCheck {
  const asked = session.checkToolCall(tool, args, options);
  return asked.decision === "confirm" ? session.checkToolCall(tool, args, { ...options, confirmation: asked.confirmation }) : asked;
}

describeShared("undos of the benchmarks' writes", () => {
  it.each(SUITES)("%s", async (suite) => {
    const desk = await openDesk(suite);
    const tools = new Map((JSON.parse(desk.client.compiled) as { tools: Declared[] }).tools.map((tool) => [tool.name, tool]));
    const undone = new Set<string>();
    for (const task of tasks(suite, "user")) {
      for (const call of task.calls) {
        const { undo } = tools.get(call.tool)!;
        if (undo === undefined) continue;
        const world = openWorld(suite, null);
        const session = desk.client.session("assistant", { principal: world.principal, turns: [task.text] });
        const { resource } = world;
        const check = approved(session, call.tool, call.arguments, { resource });
        expect(check.decision, `${suite} ${call.id}`).toBe("allow");
        const result = { ...world.answer(call.tool, call.arguments) };
        session.ran(check, "ran", { result });
        // Compensation code brings bound values from the step, and the rest from the host's own records.
        const bound = Object.entries(undo.bind).map(([name, from]) => {
          const field = from.slice(from.indexOf(".") + 1);
          return from.startsWith("result.") ? ([name, result[field], `result:${check.step}.${field}`] as const) : ([name, call.arguments[field], "context"] as const);
        });
        const rest = (tools.get(undo.tool)!.parameters.required ?? []).filter((name) => !(name in undo.bind)).map((name) => [name, "2024-05-18 09:00", "context"] as const);
        const values = [...bound, ...rest];
        const args = Object.fromEntries(values.map(([name, value]) => [name, value]));
        const options = { resource, undo: check.step!, origins: Object.fromEntries(values.map(([name, , origin]) => [name, origin])) };
        const other = bound.map(([name]) => name)[0];
        if (other !== undefined) {
          const wrong = session.checkToolCall(undo.tool, { ...args, [other]: typeof args[other] === "number" ? 99 : "other" }, options);
          expect([wrong.reason, wrong.detail], "another thing").toEqual(["compensation_mismatch", { step: check.step, mismatch: `bind:${other}` }]);
        }
        const first = session.checkToolCall(undo.tool, args, options);
        expect([first.decision, first.reason], `${suite} ${call.id} undone by ${undo.tool}: ${JSON.stringify(first.detail)}`).toEqual(["allow", "compensation"]);
        session.ran(first);
        expect(session.checkToolCall(undo.tool, args, options).reason, "a second time").toBe("compensation_spent");
        expect(session.checkToolCall(undo.tool, args, { resource, origins: options.origins }).decision, "the same call that is no undo").not.toBe("allow");
        undone.add(call.tool);
        session.close();
      }
    }
    const declared = [...tools.values()].filter(({ undo }) => undo !== undefined).map(({ name }) => name);
    expect([...undone].sort(), "every undo of the policy is tried").toEqual(declared.sort());
    desk.client.close();
  });
});
