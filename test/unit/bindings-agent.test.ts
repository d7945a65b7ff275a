// The agent without a model: what runs and what does not, whoever is asked and whatever the executor says; what the history says of it afterwards.
import { createHash, createHmac } from "node:crypto";
import { Agent, type AgentOptions, type Asked, Client, type Executed, InterlockError, rawJson } from "interlock";
import { describe, expect, it } from "vitest";
import { calendar, DESK, STAFF } from "../spec/desk.ts";
import { agent, code, keys, object, secret, string, yes } from "./bindings-agent.ts";

describe("what is not run is said in one sentence and as data", () => {
  const declined: [object, string, string, string][] = [
    [DESK, "desk", "export order 4411", "S1 egress: export"],
    [DESK, "desk", "send the receipt for order 4411 to ana@example.com", "S2 destination: ana@example.com"],
    [DESK, "desk", "get order 4411, compute the total plus 10%, then charge it", "S3 write: charge_card writes what step 1 computed"],
    [STAFF, "desk", "what is the average salary on the payroll", "S4 scope: the data is not this agent's to read"],
    [calendar(), "assistant", "list my events and send them to bob@example.com", "S1 egress: send"],
  ];
  it.each(declined)("%#: a declined turn", async (policy, name, turn, because) => {
    const { agent: made, ran } = agent(policy, name, yes);
    const sentence = `I can't do that: ${because}. (rule ${because})`;
    expect(await made.chat(turn)).toMatchObject({ outcome: "declined", text: sentence, refusal: { sentence, rule: because }, forModel: false, steps: [] });
    expect([ran, made.session.history.length, made.session.turns]).toEqual([[], 0, [turn]]);
  });

  it("two rules: the sentence has both, the data the first", async () => {
    const { agent: made, ran } = agent(calendar({ subject_argument: "user_email" }), "assistant", yes);
    const { text, refusal } = await made.chat("list my events and send them to bob@example.com");
    expect(text).toBe("I can't do that: S1 egress: send; S2 destination: bob@example.com. (rule S1 egress: send)");
    expect(refusal).toEqual({ sentence: text, rule: "S1 egress: send" });
    expect(ran).toEqual([]);
  });

  it("a declined turn never goes to a model, an unread one where the policy says so", async () => {
    const open = agent({ ...DESK, settings: { unread: "model" } }, "desk", yes);
    expect((await open.agent.chat("export order 4411")).forModel).toBe(false);
    expect(await open.agent.chat("colourless green ideas")).toMatchObject({ outcome: "unread", forModel: true, refusal: null });
    expect((await open.agent.chat("charge order 4411")).forModel).toBe(false);
    expect(await agent(DESK, "desk").agent.chat("colourless green ideas")).toMatchObject({ outcome: "unread", forModel: false, text: "I can't read that." });
    expect(open.ran).toEqual([]);
  });

  it("a question for what is missing", async () => {
    const { agent: made, ran } = agent(calendar(), "assistant");
    expect(await made.chat("list my events")).toMatchObject({ outcome: "ask", text: "For list_events, which user_email?", steps: [] });
    expect(ran).toEqual([]);
  });

  it.each(["exporte o pedido 4411", "envie o recibo do pedido 4411 para ana@example.com", "busque o pedido 4411, calcule o total mais 10%, depois cobre"])(
    "in Portuguese: %s",
    async (turn) => {
      const { agent: made, ran } = agent(DESK, "desk", yes);
      const { outcome, refusal, text } = await made.chat(turn, { language: "pt-BR" });
      expect([outcome, text, ran]).toEqual(["declined", `I can't do that: ${refusal!.rule}. (rule ${refusal!.rule})`, []]);
    },
  );

  it("a plan of more steps than are taken at once", async () => {
    const { agent: made, ran, outcomes } = agent(DESK, "desk", { maxSteps: 3 });
    expect(await code(made.chat("get order 4411; ".repeat(4)))).toBe("plan_steps/turn");
    expect(await code(agent(DESK, "desk").agent.chat("get order 4411; ".repeat(101)))).toBe("plan_steps/turn");
    expect([ran, outcomes()]).toEqual([[], []]);
    expect((await made.chat("get order 4411; ".repeat(3))).outcome).toBe("done");
  });

  it("the check's refusal, in its hint's words", async () => {
    const { agent: made, ran, outcomes } = agent(calendar({}, { defaults: { user_email: "ana@example.com" } }), "assistant");
    const reply = await made.chat("list my events");
    expect(reply).toMatchObject({ outcome: "stopped", steps: [{ status: "refused" }] });
    expect(reply.text).toMatch(/sends_out.*subject_argument/s);
    expect([ran, outcomes()]).toEqual([[], ["list_events refuse"]]);
    const subject = agent(calendar({ subject_argument: "user_email" }, { defaults: { user_email: "ana@example.com" } }), "assistant", {
      execute: () => ({ result: { events: ["09:00"] } }),
    });
    expect(await subject.agent.chat("list my events")).toMatchObject({ outcome: "done", text: '{"events":["09:00"]}' });
  });
});

describe("a person is asked", () => {
  it("yes: what was shown and checked is what runs, once", async () => {
    const asked: Asked[] = [];
    const { agent: made, ran, outcomes, client } = agent(DESK, "desk", { approve: (question) => asked.push(question) === 1 });
    const reply = await made.chat("charge order 4411 40.00");
    expect(reply).toMatchObject({ outcome: "done", text: "charge_card ran.", steps: [{ status: "ran" }] });
    expect(asked.map(({ tool, doubt, at, question }) => ({ tool, doubt, at, shown: question?.arguments.map(({ name, value, typed }) => [name, value, typed]) }))).toEqual([
      {
        tool: "charge_card",
        doubt: undefined,
        at: 0,
        shown: [
          ["amount", 40, true],
          ["order_id", "4411", true],
        ],
      },
    ]);
    expect(ran.map(({ tool, argumentsText, step }) => [tool, argumentsText, step])).toEqual([["charge_card", '{"amount":40,"order_id":"4411"}', 1]]);
    expect(outcomes()).toEqual(["charge_card confirm", "charge_card allow ran"]);
    expect(client.verify(made.session.history).valid).toBe(true);
  });

  const silent: [string, Partial<AgentOptions>, string][] = [
    ["a no", { approve: () => false }, "denied"],
    ["nobody to ask", {}, "unanswered"],
    ["nothing", { approve: () => undefined }, "unanswered"],
    ["a text", { approve: (() => "yes") as never }, "unanswered"],
    ["a number", { approve: (() => 1) as never }, "unanswered"],
    ["approvals where none are signed", { approve: () => ({ approvals: ["x"] }) }, "unanswered"],
    ["an object", { approve: (() => ({ approved: true })) as never }, "unanswered"],
    ["a later text", { approve: (async () => "true") as never }, "unanswered"],
    ["no answer in time", { approve: () => new Promise(() => undefined), answerWithin: 0.001 }, "unanswered"],
  ];
  it.each(silent)("%s: nothing runs", async (_, options, status) => {
    const { agent: made, ran, outcomes } = agent(DESK, "desk", options);
    const reply = await made.chat("charge order 4411 40.00, then refund order 4411 40.00");
    expect(reply.outcome).toBe("stopped");
    expect(reply.steps.map((step) => step.status)).toEqual([status, "not_reached"]);
    expect([ran, outcomes()]).toEqual([[], ["charge_card confirm"]]);
  });

  it("an approver that throws, at once or later: nothing runs, and the error says which", async () => {
    for (const approve of [
      () => {
        throw new Error("down");
      },
      () => Promise.reject(new Error("down")),
    ]) {
      const { agent: made, ran } = agent(DESK, "desk", { approve });
      const { steps } = await made.chat("charge order 4411 40.00");
      expect(steps[0]).toMatchObject({ status: "unanswered", error: { code: "approver_failed", cause: { message: "down" } } });
      expect(ran).toEqual([]);
    }
  });

  it("an answer that comes too late covers nothing", async () => {
    let now = 1764445000;
    const late = agent(
      { ...DESK, settings: { confirmation_ttl: 60 } },
      "desk",
      {
        approve: () => {
          now += 61;
          return true;
        },
      },
      () => now,
    );
    const { steps } = await late.agent.chat("charge order 4411 40.00");
    expect(steps[0]).toMatchObject({ status: "unanswered", text: "charge_card did not run: the answer does not cover the call (expired)." });
    expect(late.ran).toEqual([]);
  });

  it("a call checked past the agent while a person is asked takes the cover away", async () => {
    const { agent: made, ran } = agent(DESK, "desk", {
      approve: () => {
        made.session.checkToolCall("get_order", { order_id: "1" });
        return true;
      },
    });
    expect((await made.chat("charge order 4411 40.00")).steps[0]).toMatchObject({ status: "unanswered", text: expect.stringContaining("(point)") as string });
    expect(ran).toEqual([]);
  });

  const garden = {
    format: "qls-policy/1",
    tenant: "garden",
    agents: { desk: { tools: ["*"] } },
    tools: [
      { name: "get_weather", effect: "read" },
      { name: "op_7", description: "Waters the plants", irreversible: true },
    ],
  };
  it("a write that only its description reaches: the doubt is asked with the call, once", async () => {
    const asked: Asked[] = [];
    const { agent: made, ran } = agent(garden, "desk", { approve: (question) => asked.push(question) > 0 });
    const { plan, outcome } = await made.chat("water the plants");
    expect([plan.outcome, plan.steps.map(({ decided_by }) => decided_by)]).toEqual(["confirm", ["tool: derived"]]);
    expect(asked.map(({ doubt, question }) => [doubt, question?.tool])).toEqual([[plan.question, "op_7"]]);
    expect([outcome, ran.length]).toEqual(["done", 1]);
  });

  it("where a read comes first, the doubt is asked before it runs, and a no leaves no trace of a call", async () => {
    const asked: string[] = [];
    const answers: (boolean | undefined)[] = [false, undefined, true, false, true, true];
    const {
      agent: made,
      ran,
      outcomes,
    } = agent(garden, "desk", {
      approve: ({ doubt, question }) => {
        asked.push(`${doubt === undefined ? "" : "doubt "}${question?.tool ?? "alone"}`);
        return answers.shift();
      },
    });
    const turn = "get the weather, then water the plants";
    for (const status of ["denied", "unanswered"]) {
      const reply = await made.chat(turn);
      expect([reply.plan.outcome, reply.steps.map((step) => step.status)]).toEqual(["confirm", [status, "not_reached"]]);
    }
    expect([ran, outcomes()]).toEqual([[], []]);
    expect((await made.chat(turn)).steps.map(({ status }) => status)).toEqual(["ran", "denied"]);
    expect((await made.chat(turn)).outcome).toBe("done");
    expect(asked).toEqual(["doubt alone", "doubt alone", "doubt alone", "op_7", "doubt alone", "op_7"]);
    expect(ran.map(({ tool }) => tool)).toEqual(["get_weather", "get_weather", "op_7"]);
  });

  it("signed approvals go to the check, and a signed no is a refusal", async () => {
    const policy = { ...DESK, settings: { approval: { mode: "signed", count: 1, deciders: ["boss"] } } };
    const sign = (answer: string) => (asked: Asked) => {
      const digest = (label: string, text: string) => createHash("sha256").update(`${label}\n${text}`).digest("base64url");
      const payload = { answer, approver: "boss", at: 1764445000, exp: 1764445600, question: digest("qls-question/1", asked.confirmation!), shown: digest("qls-shown/1", "{}") };
      const text = [{ alg: "HS256", kid: "boss", typ: "qls-approval+jws" }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
      return { approvals: [`${text}.${createHmac("sha256", Buffer.from(secret, "base64url")).update(text).digest("base64url")}`] };
    };
    const approved = agent(policy, "desk", { approve: sign("approve") });
    expect((await approved.agent.chat("charge order 4411 40.00")).outcome).toBe("done");
    expect(approved.ran.length).toBe(1);
    const denied = agent(policy, "desk", { approve: sign("deny") });
    expect((await denied.agent.chat("charge order 4411 40.00")).steps[0]).toMatchObject({ status: "refused", check: { reason: "denied" } });
    const unsigned = agent(policy, "desk", yes);
    expect((await unsigned.agent.chat("charge order 4411 40.00")).steps[0]).toMatchObject({ status: "unanswered", text: expect.stringContaining("(approvals)") as string });
    expect([...denied.ran, ...unsigned.ran]).toEqual([]);
  });
});

describe("what became of a call is reported", () => {
  it("an executor that throws: nobody knows, and nothing after it runs", async () => {
    for (const execute of [
      () => {
        throw new Error("socket");
      },
      async () => Promise.reject(new Error("socket")),
    ]) {
      const { agent: made, ran, outcomes } = agent(DESK, "desk", { ...yes, execute });
      const reply = await made.chat("charge order 4411 40.00, then refund order 4411 40.00");
      expect(reply.steps).toMatchObject([{ status: "outcome_unknown", error: { code: "executor_failed", cause: { message: "socket" } } }, { status: "not_reached" }]);
      expect(reply.text).toBe("Whether charge_card ran is not known.");
      expect([ran.length, outcomes()]).toEqual([1, ["charge_card confirm", "charge_card allow outcome_unknown"]]);
    }
  });

  const ends: [string, unknown, string, string][] = [
    ["a failure", { status: "failed", text: "card declined" }, "failed", "card declined"],
    ["what it does not know", { status: "outcome_unknown" }, "outcome_unknown", "Whether charge_card ran is not known."],
    ["a bare result", { total: 40 }, "outcome_unknown", "Whether charge_card ran is not known."],
    ["another status", { status: "compensated" }, "outcome_unknown", "Whether charge_card ran is not known."],
    ["a text that is none", { text: 5 }, "outcome_unknown", "Whether charge_card ran is not known."],
    ["an id that is none", { externalId: 5 }, "outcome_unknown", "Whether charge_card ran is not known."],
    ["null", null, "outcome_unknown", "Whether charge_card ran is not known."],
    ["a text", "done", "outcome_unknown", "Whether charge_card ran is not known."],
  ];
  it.each(ends)("%s", async (_, said, status, text) => {
    const { agent: made, outcomes } = agent(DESK, "desk", { ...yes, execute: () => said as Executed });
    const reply = await made.chat("charge order 4411 40.00, then refund order 4411 40.00");
    expect([reply.outcome, reply.text, reply.steps.map((step) => step.status)]).toEqual(["stopped", text, [status, "not_reached"]]);
    expect(outcomes()).toEqual(["charge_card confirm", `charge_card allow ${status}`]);
  });

  it("a result that cannot be reported: it ran, the history says so, and nothing after it runs", async () => {
    const throwing = {
      get total(): number {
        throw new Error("getter");
      },
    };
    for (const [result, expected] of [
      [{ total: 40n }, { code: "json_value", pointer: "/result/total" }],
      [throwing, { code: "request_invalid", cause: { message: "getter" } }],
      [rawJson('{"a":1,"a":2}'), { code: "json_duplicate" }],
      [rawJson('{"a":'), { code: "json_syntax" }],
    ] as const) {
      const { agent: made, outcomes } = agent(DESK, "desk", { ...yes, execute: () => ({ result }) });
      const reply = await made.chat("get order 4411, then refund order 4411 40.00");
      expect(reply).toMatchObject({ outcome: "stopped", steps: [{ status: "ran", error: expected }, { status: "not_reached" }] });
      expect(outcomes()).toEqual(["get_order allow ran"]);
    }
  });

  it("a result is read once: what is reported is what later steps take", async () => {
    let read = 0;
    const result = {
      get fee(): number {
        return ++read;
      },
    };
    const { agent: made, ran } = agent(cards, "desk", { ...yes, execute: ({ tool }) => (tool === "get_order" ? { result } : undefined) });
    const { outcome, steps } = await made.chat("get order 4411 and charge its fee");
    expect([outcome, steps[1]!.check!.reason, ran[1]!.arguments]).toEqual(["done", "confirmed", { fee: read }]);
    expect(steps[0]!.text).toBe(`{"fee":${read}}`);
  });

  const cards = {
    ...DESK,
    agents: { desk: { tools: ["*"] } },
    tools: [
      { name: "get_order", effect: "read", parameters: object({ order_id: string }), result: object({ fee: { type: "number" } }) },
      { name: "charge_card", parameters: object({ fee: { type: "number" } }), irreversible: true },
    ],
  };
  it("a later step takes an earlier result's field, by its place in the history and with its digits", async () => {
    const { agent: made, ran } = agent(cards, "desk", { ...yes, execute: ({ tool }) => (tool === "get_order" ? { result: rawJson('{"fee": 900719925474099.10}') } : undefined) });
    await made.call("get_order", { order_id: "1" });
    const reply = await made.chat("get order 4411 and charge its fee");
    expect(reply.outcome).toBe("done");
    const entry = made.session.history.entry(reply.steps[1]!.check!.step!)!;
    expect([entry.origins, entry.reasons]).toEqual([{ fee: "result:1.fee" }, ["confirmed"]]);
    expect(ran.at(-1)!.argumentsText).toBe('{"fee":900719925474099.1}');
  });

  it("a field that did not come, or that would lose digits: nothing runs", async () => {
    for (const [result, status] of [
      [{ fees: 1 }, "missing"],
      [undefined, "missing"],
      [rawJson('{"fee":9007199254740993}'), "refused"],
      [rawJson("[1]"), "missing"],
      [null as never, "missing"],
      [[7] as never, "missing"],
    ] as const) {
      const { agent: made, ran } = agent(cards, "desk", { ...yes, execute: () => ({ result }) });
      expect((await made.chat("get order 4411 and charge its fee")).steps[1]!.status).toBe(status);
      expect(ran.map(({ tool }) => tool)).toEqual(["get_order"]);
    }
  });

  it("an argument of any name", async () => {
    const parameters = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["__proto__"]}') as object;
    const { agent: made, ran } = agent(
      { ...cards, tools: [{ name: "get_thing", effect: "read", parameters, defaults: JSON.parse('{"__proto__":"p","constructor":"c"}') as object }] },
      "desk",
    );
    expect((await made.chat("get the thing")).outcome).toBe("done");
    expect(ran.map(({ argumentsText }) => argumentsText)).toEqual(['{"__proto__":"p","constructor":"c"}']);
  });
});

describe("undo", () => {
  const policy = {
    ...DESK,
    agents: { desk: { tools: ["*"] } },
    tools: [
      {
        name: "charge_card",
        parameters: object({ order_id: string, amount: { type: "number" } }),
        result: object({ charge: string }),
        undo: { tool: "void_charge", bind: { order_id: "arguments.order_id", charge: "result.charge" } },
      },
      { name: "void_charge", parameters: object({ order_id: string, charge: string }), irreversible: true },
    ],
  };
  it("by the declared compensation, bound to its step, made once", async () => {
    const { agent: made, ran, outcomes, client } = agent(policy, "desk", { ...yes, execute: ({ tool }) => (tool === "charge_card" ? { result: { charge: "ch_1" } } : {}) });
    const step = (await made.chat("charge card for order 4411 40.00")).steps[0]!.check!.step!;
    expect(await made.undo(step)).toMatchObject({ tool: "void_charge", status: "ran", check: { reason: "compensation" } });
    expect(ran.map(({ tool, arguments: args }) => [tool, args])).toEqual([
      ["charge_card", { amount: 40, order_id: "4411" }],
      ["void_charge", { charge: "ch_1", order_id: "4411" }],
    ]);
    expect(await made.undo(step)).toMatchObject({ status: "refused", check: { reason: "compensation_spent" } });
    expect(outcomes()).toEqual(["charge_card confirm", "charge_card allow ran", "void_charge allow ran", "void_charge refuse"]);
    expect([ran.length, client.verify(made.session.history).valid]).toEqual([2, true]);
  });

  it("what did not run, has no undo, or was run by another agent object has none here", async () => {
    const { agent: made, ran, client } = agent(policy, "desk", { ...yes, execute: ({ tool }) => ({ status: tool === "charge_card" ? "failed" : "ran" }) });
    await made.chat("charge card for order 4411 40.00");
    for (const step of [0, 1, 2, -1, 0.5]) expect(await code(made.undo(step))).toBe("compensation_unknown");
    const later = new Agent(client, "desk", { ...yes, execute: () => undefined, history: made.session.history });
    expect(await code(later.undo(1))).toBe("compensation_unknown");
    expect(ran.length).toBe(1);
  });

  it("of a result that lacks the bound field: the check says which, and nothing runs", async () => {
    const { agent: made, ran } = agent(policy, "desk", yes);
    const step = (await made.chat("charge card for order 4411 40.00")).steps[0]!.check!.step!;
    expect(await made.undo(step)).toMatchObject({ status: "refused", check: { reason: "argument_schema" } });
    expect(ran.length).toBe(1);
  });

  it("an undo whose outcome is unknown is not made again", async () => {
    const { agent: made, ran } = agent(policy, "desk", {
      ...yes,
      execute: ({ tool }) => {
        if (tool === "void_charge") throw new Error("socket");
        return { result: { charge: "ch_1" } };
      },
    });
    const step = (await made.chat("charge card for order 4411 40.00")).steps[0]!.check!.step!;
    expect((await made.undo(step)).status).toBe("outcome_unknown");
    expect(await made.undo(step)).toMatchObject({ status: "refused", check: { reason: "compensation_spent" } });
    expect(ran.length).toBe(2);
  });
});

describe("what the host knows", () => {
  const policy = { ...DESK, rulebook: { facts: ["card_on_file"], flows: [{ name: "charges", on: ["charge_card"], rules: [{ id: "needs-card", allow_if: "$card_on_file" }] }] } };
  it("is looked up before every check, so again after the answer", async () => {
    let card = true;
    const { agent: made, ran } = agent(policy, "desk", {
      evidence: async () => ({ context: { card_on_file: card } }),
      approve: () => {
        card = false;
        return true;
      },
    });
    expect((await made.chat("charge order 4411 40.00")).steps[0]).toMatchObject({ status: "refused", check: { reason: "needs-card" } });
    expect(ran).toEqual([]);
    const open = agent(policy, "desk", { ...yes, evidence: () => ({ context: { card_on_file: true } }) });
    expect((await open.agent.chat("charge order 4411 40.00")).outcome).toBe("done");
  });

  it("where it cannot be looked up, or is none of these, nothing is checked and nothing runs", async () => {
    const failing: [AgentOptions["evidence"], string][] = [
      [() => Promise.reject(new Error("db")), "evidence_failed"],
      [(() => ({ undo: 0 })) as never, "request_invalid"],
      [(() => ({ confirmation: "x" })) as never, "request_invalid"],
      [() => ({ context: { card_on_file: 1n } }), "json_value"],
      [() => ({ context: { card_on_file: "yes" } }), "request_invalid"],
      [
        () => ({
          get context(): never {
            throw new Error("getter");
          },
        }),
        "request_invalid",
      ],
    ];
    for (const [evidence, expected] of failing) {
      const { agent: made, ran, outcomes } = agent(policy, "desk", { ...yes, evidence });
      expect((await made.chat("charge order 4411 40.00")).steps[0]).toMatchObject({ status: "error", error: { code: expected } });
      expect([ran, outcomes()]).toEqual([[], []]);
    }
  });
});

describe("how it is made", () => {
  it("options that there are not, and keys that sign nothing, are errors", () => {
    const client = new Client({ policy: DESK, keys });
    const made = (options: unknown, with_ = client) => {
      try {
        new Agent(with_, "desk", options as AgentOptions);
        return "made";
      } catch (error) {
        return error instanceof InterlockError ? `${error.code}${error.pointer ?? ""}` : error;
      }
    };
    expect(made(undefined)).toBe("request_invalid/execute");
    expect(made({ execute: "rm" })).toBe("request_invalid/execute");
    expect(made({ execute: () => undefined, aprove: () => true })).toBe("request_invalid/aprove");
    expect(made({ execute: () => undefined, approve: true })).toBe("request_invalid/approve");
    const { active: _, ...unsigned } = keys;
    expect(made({ execute: () => undefined }, new Client({ policy: DESK, keys: unsigned }))).toBe("keys_cannot_sign");
    expect(made({ execute: () => undefined }, new Client({ policy: DESK, keys: { ...unsigned, preview: true } }))).toBe("keys_cannot_sign");
    expect(made({ execute: () => undefined })).toBe("made");
  });

  it("a session whose policy requires a head goes on, and a history given goes on too", async () => {
    const policy = { ...DESK, settings: { head: "required" } };
    const { agent: made, client } = agent(policy, "desk", yes);
    expect((await made.chat("get order 4411, then charge order 4411 40.00")).outcome).toBe("done");
    const later = new Agent(client, "desk", { ...yes, execute: () => undefined, history: made.session.history });
    expect((await later.chat("get order 4411")).outcome).toBe("done");
    expect(later.session.history.length).toBe(4);
  });

  it("one call that something else proposes is checked, asked about and run as a plan's steps are", async () => {
    const asked: Asked[] = [];
    const { agent: made, ran } = agent(DESK, "desk", { approve: (question) => asked.push(question) > 0 });
    const reply = await made.call("charge_card", rawJson('{"order_id":"4411","amount":40.00}'));
    expect([reply.status, ran[0]!.argumentsText]).toEqual(["ran", '{"amount":40,"order_id":"4411"}']);
    expect(asked[0]!.question!.reasons.map(({ reason }) => reason)).toEqual(["argument_origin: amount", "argument_origin: order_id"]);
    expect(await code(made.call("charge_card", {}, { undo: 0 } as never))).toBe("request_invalid/undo");
    expect((await made.call("delete_order", {})).status).toBe("refused");
  });
});
