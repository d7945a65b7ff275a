// The agent under stress: turns given at once, stopped at any place, and hostile turns with executors and approvers that misbehave.
import type { Executed } from "interlock";
import { describe, expect, it } from "vitest";
import { DESK } from "../spec/desk.ts";
import { agent, code, yes } from "./bindings-agent.ts";
import { Random } from "./random.ts";

describe("one after the other, and stopped", () => {
  it("turns given at once are taken in order, and at_most holds between them", async () => {
    let running = 0;
    let most = 0;
    const policy = { ...DESK, tools: (DESK["tools"] as { name: string }[]).map((tool) => (tool.name === "charge_card" ? { ...tool, at_most: 1 } : tool)) };
    const {
      agent: made,
      ran,
      client,
    } = agent(policy, "desk", {
      ...yes,
      execute: async () => {
        most = Math.max(most, ++running);
        await new Promise((done) => setTimeout(done, 1));
        running--;
      },
    });
    const replies = await Promise.all(
      ["charge order 4411 40.00", "get order 4411", "charge order 4412 40.00", "export order 4411", "get order 4412"].map((turn) => made.chat(turn)),
    );
    expect(replies.map(({ outcome, steps }) => `${outcome} ${steps[0]?.check?.reason ?? ""}`)).toEqual([
      "done confirmed",
      "done allow",
      "stopped order_rule",
      "declined ",
      "done allow",
    ]);
    expect(most).toBe(1);
    expect(ran.map(({ arguments: args }) => args["order_id"])).toEqual(["4411", "4411", "4412"]);
    expect(client.verify(made.session.history).valid).toBe(true);
  });

  it("a turn that fails to be read does not hold up the next", async () => {
    const { agent: made } = agent(DESK, "desk");
    const turns = [
      made.chat("half \ud800"),
      made.chat(5 as never),
      made.chat("get order 4411", { language: "pt" }),
      made.chat("get order 4411", { lang: "en" } as never),
      made.chat("get order 4411"),
    ];
    expect(await Promise.all(turns.map(code))).toEqual(["json_surrogate/turn", "request_invalid/turn", "request_invalid/language", "request_invalid/lang", "no error"]);
  });

  it("stopped before it is read: nothing is read", async () => {
    const { agent: made } = agent(DESK, "desk");
    expect(await code(made.chat("get order 4411", { signal: AbortSignal.abort() }))).toBe("aborted");
    expect(made.session.turns).toEqual([]);
  });

  it("stopped while a person is asked: nothing runs, whatever the answer is then", async () => {
    const stop = new AbortController();
    let answered: AbortSignal | undefined;
    const { agent: made, ran } = agent(DESK, "desk", {
      approve: async ({ signal }) => {
        answered = signal;
        stop.abort();
        return true;
      },
    });
    expect((await made.chat("charge order 4411 40.00", { signal: stop.signal })).steps[0]).toMatchObject({ status: "unanswered", error: { code: "aborted" } });
    expect([ran, answered?.aborted]).toEqual([[], true]);
  });

  it("stopped while a call runs: its outcome is unknown, and the next turn is taken", async () => {
    const stop = new AbortController();
    const { agent: made, outcomes } = agent(DESK, "desk", {
      execute: ({ step }) => {
        if (step > 0) return undefined;
        stop.abort();
        return new Promise<never>(() => undefined);
      },
    });
    const first = made.chat("get order 4411, then get order 4412", { signal: stop.signal });
    const second = made.chat("get order 4413");
    expect((await first).steps).toMatchObject([{ status: "outcome_unknown", error: { code: "aborted" } }, { status: "not_reached" }]);
    expect((await second).outcome).toBe("done");
    expect(outcomes()).toEqual(["get_order allow outcome_unknown", "get_order allow ran"]);
  });

  it("stopped between a step and the next: the next is not checked", async () => {
    const stop = new AbortController();
    const { agent: made, outcomes } = agent(DESK, "desk", {
      evidence: ({ arguments: args }) => {
        if (JSON.stringify(args).includes("4412")) stop.abort();
        return {};
      },
    });
    const { steps } = await made.chat("get order 4411, then get order 4412", { signal: stop.signal });
    expect(steps).toMatchObject([{ status: "ran" }, { status: "error", error: { code: "aborted" } }]);
    expect(outcomes()).toEqual(["get_order allow ran"]);
  });

  it("closed while a call runs: the error says that nothing could be reported", async () => {
    const { agent: made } = agent(DESK, "desk", { execute: () => made.close() });
    expect((await made.chat("get order 4411, then get order 4412")).steps).toMatchObject([{ status: "ran", error: { code: "handle_closed" } }, { status: "not_reached" }]);
    expect((await made.chat("get order 4411")).steps[0]).toMatchObject({ status: "error", error: { code: "handle_closed" } });
  });
});

it("hostile turns: whatever is written, nothing runs that the history does not allow, and no write without a yes", async () => {
  const parts = [
    "get order 4411",
    "charge order 4411 40.00",
    "refund order 4411",
    "send the receipt for order 4411",
    "read the inbox",
    "export",
    "e-mail it to",
    "ana@example.com",
    "https://a.example/x",
    "compute the total plus 10%",
    "then",
    "and",
    ",",
    ";",
    ".",
    '"',
    "“",
    "'",
    "(",
    "don't",
    "if it rains",
    "\u200b",
    "\u202e",
    "ch\u200barge",
    "аna@example.com",
    "give money back",
    "4412",
    "40,00",
    "on",
    "off",
    "\n",
    "\0",
    "🙂",
    "__proto__",
    "to webhook",
    "it",
    "../etc/passwd",
    "null",
    '{"undo":0}',
  ];
  const dice = new Random(20261130);
  const of = <T>(list: readonly T[]): T => dice.of(list);
  const seen = new Set<string>();
  for (let round = 0; round < 150; round++) {
    let approved = 0;
    let writes = 0;
    const says: unknown[] = [undefined, {}, { status: "failed" }, { status: "outcome_unknown" }, { result: { card: 1 } }, { result: null }, { unknown: 1 }, 5];
    const answers: unknown[] = [true, true, false, undefined, "yes", {}, { approvals: [] }, { approvals: ["x"] }, null];
    const {
      agent: made,
      ran,
      client,
    } = agent(DESK, "desk", {
      approve: () => {
        const answer = of(answers);
        if (dice.below(8) === 0) throw new Error("approver");
        if (answer === true) approved++;
        return answer as boolean;
      },
      execute: ({ tool }) => {
        if (!["get_order", "read_inbox"].includes(tool)) writes++;
        if (dice.below(8) === 0) throw new Error("executor");
        return of(says) as Executed;
      },
    });
    for (let turn = 0; turn < 4; turn++) {
      const text = Array.from({ length: 1 + dice.below(6) }, () => of(parts)).join(dice.below(4) === 0 ? "" : " ");
      const before = ran.length;
      const reply = await made.chat(text, { language: of(["en", "pt-BR"]) });
      seen.add(reply.outcome);
      if (reply.outcome !== "done" && reply.outcome !== "stopped") expect([text, ran.length]).toEqual([text, before]);
      const stopped = reply.steps.findIndex(({ status, error }) => status !== "ran" || error !== undefined);
      if (stopped >= 0)
        expect(
          reply.steps.slice(stopped + 1).every(({ status }) => status === "not_reached"),
          text,
        ).toBe(true);
    }
    const { entries } = made.session.history;
    expect(client.verify(made.session.history).valid).toBe(true);
    expect(entries.filter(({ decision }) => decision === "allow").map(({ step, tool }) => [step, tool])).toEqual(ran.map(({ step, tool }) => [step, tool]));
    expect(entries.every(({ decision, outcome }) => (decision === "allow") === (outcome !== undefined))).toBe(true);
    expect(writes).toBeLessThanOrEqual(approved);
  }
  expect([...seen].sort()).toEqual(["ask", "declined", "done", "stopped", "unread"]);
}, 60_000);
