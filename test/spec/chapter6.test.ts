// Chapter 6, sentence by sentence: the request and the plan, clauses, tools, arguments, the four rules, and every worked case in both languages.

import { describe, expect, it } from "vitest";
import { calendar, DESK, Reader, STAFF } from "./desk.ts";
import { keySet, NOW, Session } from "./world.ts";

type Json = any;

const bare = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "");
/** A policy whose agent has these tools. */
const of = (...tools: Json[]): Json => ({ format: "qls-policy/1", tenant: "t", agents: { desk: { tools: ["*"] } }, tools });
const object = (properties: Json, required: string[] = []): Json => ({ type: "object", properties, required });
const string = { type: "string" };
const number = { type: "number" };
const plan = (policy: Json, turn: string, language = "en", agent = "desk"): Json => new Reader(policy, agent, language).read(turn);
const args = (policy: Json, turn: string, language = "en"): Json => plan(policy, turn, language).steps[0]?.arguments;

describe("worked cases", () => {
  type Row = [turn: string, outcome: string, because: string | undefined, more?: Json];
  const both: [string, Row[]][] = [
    [
      "en",
      [
        ["export order 4411", "declined", "S1 egress: export"],
        ["send the receipt for order 4411 to ana@example.com", "declined", "S2 destination: ana@example.com"],
        ["get order 4411, compute the total plus 10%, then charge it", "declined", "S3 write: charge_card writes what step 1 computed"],
        ["who is the customer of 4411", "run", undefined, { tool: "get_order", arguments: { order_id: "4411" }, origins: { order_id: "typed" }, decided_by: "tool: derived", missing: [] }],
        ["what is the newest support message", "run", undefined, { tool: "read_inbox", arguments: {}, origins: {}, decided_by: "tool: derived", missing: [] }],
      ],
    ],
    [
      "pt-BR",
      [
        ["exporte o pedido 4411", "declined", "S1 egress: export"],
        ["envie o recibo do pedido 4411 para ana@example.com", "declined", "S2 destination: ana@example.com"],
        ["busque o pedido 4411, calcule o total mais 10%, depois cobre", "declined", "S3 write: charge_card writes what step 1 computed"],
      ],
    ],
  ];
  for (const [language, rows] of both) {
    for (const [turn, outcome, because, step] of rows) {
      it(`${language}: ${turn}`, () => {
        const answer = plan(DESK, turn, language);
        expect(answer).toMatchObject({ format: "qls-plan/1", outcome, language });
        expect(answer.declined_because).toBe(because);
        if (step) expect(answer.steps).toEqual([step]);
      });
    }
  }

  it("the derived cases in Portuguese, where the descriptions are", () => {
    const tools = DESK.tools.map((tool: Json) => ({ ...tool }));
    tools[0].description = "Mostra um pedido: o cliente e o preço";
    tools[4] = { name: "read_inbox", effect: "read", reads_outside: true, description: "Lê a mensagem de suporte mais recente" };
    const reader = new Reader({ ...DESK, tools }, "desk", "pt-BR");
    for (const turn of ["quem é o cliente do 4411", "quem e o cliente do 4411"])
      expect(reader.read(turn)).toMatchObject({ outcome: "run", steps: [{ tool: "get_order", arguments: { order_id: "4411" }, decided_by: "tool: derived" }] });
    expect(reader.read("qual é a mensagem de suporte mais recente")).toMatchObject({ outcome: "run", steps: [{ tool: "read_inbox", decided_by: "tool: derived" }] });
  });

  it("S4: an average over data that another agent's tool names better", () => {
    expect(plan(STAFF, "what is the average salary on the payroll")).toMatchObject({ outcome: "declined", declined_because: "S4 scope: the data is not this agent's to read" });
    for (const turn of ["qual é a média salarial da folha de pagamento", "qual e a media dos salarios da folha de pagamento"])
      expect(plan(STAFF, turn, "pt-BR")).toMatchObject({ outcome: "declined", declined_because: "S4 scope: the data is not this agent's to read" });
    expect(plan(STAFF, "what is the average salary on the payroll", "en", "payroll").outcome).toBe("run");
  });

  const wanted: [string, string, string][] = [
    ["en", "list my events", "list my events and send them to bob@example.com"],
    ["pt-BR", "liste meus eventos", "liste meus eventos e envie para bob@example.com"],
    ["pt-BR", "liste os meus eventos", "liste os meus eventos e mande-os para bob@example.com"],
  ];
  const defaults = { defaults: { user_email: "ana@example.com" } };
  const subject = { subject_argument: "user_email" };
  for (const [language, list, send] of wanted) {
    it(`${language}: ${list}, three ways to give the account`, () => {
      const asks = plan(calendar(), list, language, "assistant");
      expect(asks).toMatchObject({ outcome: "ask", steps: [{ tool: "list_events", arguments: {}, missing: ["user_email"] }] });
      expect(asks.question).toContain("user_email");
      const given = plan(calendar({}, defaults), list, language, "assistant");
      expect(given).toMatchObject({ outcome: "run", steps: [{ arguments: { user_email: "ana@example.com" }, origins: { user_email: "context" } }] });
      expect(plan(calendar(subject, defaults), list, language, "assistant")).toMatchObject({ outcome: "run", steps: [{ arguments: { user_email: "ana@example.com" } }] });
    });
    it(`${language}: ${send}`, () => {
      for (const agent of [{}, defaults]) {
        expect(plan(calendar({}, agent), send, language, "assistant")).toMatchObject({ outcome: "declined", declined_because: "S1 egress: send" });
        expect(plan(calendar(subject, agent), send, language, "assistant")).toMatchObject({
          outcome: "declined",
          declined_because: "S1 egress: send; S2 destination: bob@example.com",
        });
      }
    });
  }

  it("what the check says of the account", () => {
    for (const [tool, decision] of [[{}, "refuse"], [subject, "allow"]] as const) {
      const policy = calendar(tool, defaults);
      const { steps } = new Reader(policy, "assistant").read("list my events");
      const session = new Session(policy, keySet());
      const answer = session.check(steps[0].tool, steps[0].arguments, { origins: steps[0].origins, turns: ["list my events"], now: NOW });
      expect(answer.decision).toBe(decision);
      if (decision === "refuse") {
        expect(answer.reason).toBe("undeclared_destination");
        expect(answer.detail.hint).toMatch(/sends_out.*subject_argument|subject_argument.*sends_out/);
      }
    }
  });
});

describe("request and plan", () => {
  const reader = new Reader(DESK, "desk");

  it("the language is the request's, else the setting's", () => {
    expect(reader.read("get order 4411").language).toBe("en");
    expect(reader.read("busque o pedido 4411", { language: "pt-BR" })).toMatchObject({ language: "pt-BR", outcome: "run" });
    const portuguese = new Reader({ ...DESK, settings: { language: "pt-BR" } }, "desk");
    expect(portuguese.read("busque o pedido 4411")).toMatchObject({ language: "pt-BR", outcome: "run", steps: [{ tool: "get_order", decided_by: "tool: also_called" }] });
    expect(portuguese.read("get order 4411", { language: "en" })).toMatchObject({ language: "en", outcome: "run", steps: [{ tool: "get_order", decided_by: "tool: named" }] });
  });

  it("never guessed: a turn of the other language is not read by its verbs", () => {
    expect(reader.read("exporte os dados").declined_because).toBeUndefined();
    expect(reader.read("exporte os dados").outcome).toBe("unread");
  });

  it("a plan holds its members and no other", () => {
    expect(reader.read("get order 4411")).toEqual({
      format: "qls-plan/1",
      language: "en",
      outcome: "run",
      steps: [{ tool: "get_order", arguments: { order_id: "4411" }, origins: { order_id: "typed" }, decided_by: "tool: named", missing: [] }],
    });
  });

  it("a declined plan is one sentence, with the first rule", () => {
    const answer = plan(calendar({ subject_argument: "user_email" }), "list my events and send them to bob@example.com", "en", "assistant");
    expect(answer.sentence).toBe("I can't do that: S1 egress: send; S2 destination: bob@example.com. (rule S1 egress: send)");
    expect(reader.read("export order 4411").sentence).toBe("I can't do that: S1 egress: export. (rule S1 egress: export)");
  });

  it("a turn the grammar does not reach is unread", () => {
    for (const turn of ["", "   ", "colourless green ideas sleep furiously", "12", "get"]) expect(reader.read(turn).outcome, turn).toBe("unread");
  });

  it("what is no request is an error with its pointer", () => {
    const good = reader.request("get order 4411");
    const cases: [Json, string][] = [
      [{ ...good, format: "qls-plan/2" }, "/format"],
      [{ ...good, session: 1 }, "/session"],
      [{ ...good, turn: undefined }, "/turn"],
      [{ ...good, turn: null }, "/turn"],
      [{ ...good, turns: ["a", 1] }, "/turns/1"],
      [{ ...good, language: "pt" }, "/language"],
      [{ ...good, now: 1.5 }, "/now"],
      [{ ...good, now: undefined }, "/now"],
      [{ ...good, agent: "nobody" }, "/agent"],
      [{ ...good, also: 1 }, "/also"],
    ];
    for (const [request, pointer] of cases) expect(reader.error(request), pointer).toMatchObject({ code: "request_invalid", pointer });
    expect(reader.error([])).toMatchObject({ code: "request_invalid" });
    expect(reader.driver.error({ op: "read", policy: "none", request: good }).code).toBe("name_unknown");
  });

  it("nothing but the turn and the policy is read", () => {
    const alone = reader.read("get order 4411");
    expect(reader.read("get order 4411", { turns: ["export everything to x@y.org"], history: { format: "qls-history/1", session: "other", entries: [] }, now: 1 })).toEqual(alone);
  });
});

describe("clauses", () => {
  const shop = of(
    { name: "get_order", effect: "read", parameters: object({ order_id: string }, ["order_id"]), also_called: ["pedido"] },
    { name: "cancel_order", parameters: object({ order_id: string }, ["order_id"]), also_called: ["cancelar pedido"] },
    { name: "add_note", parameters: object({ order_id: string, text: string }, ["order_id", "text"]), also_called: ["anotar"] },
  );
  const tools = (turn: string, language = "en"): string[] => plan(shop, turn, language).steps.map((step: Json) => step.tool);

  it("split at sentence ends, semicolons and connectives", () => {
    for (const between of [". ", "; ", " and ", " then ", " and then ", ", ", ", then ", "! ", "\n"])
      expect(tools(`get order 1${between}cancel order 2`), between).toEqual(["get_order", "cancel_order"]);
    for (const between of [" e ", " depois ", " então ", " entao ", " em seguida ", ", ", "; ", ". "])
      expect(tools(`busque o pedido 1${between}cancele o pedido 2`, "pt-BR"), between).toEqual(["get_order", "cancel_order"]);
  });

  it("never inside quotes or a value", () => {
    expect(plan(shop, 'add note "call back; then cancel order 2. And get order 3" to order 1')).toMatchObject({
      steps: [{ tool: "add_note", arguments: { order_id: "1", text: "call back; then cancel order 2. And get order 3" } }],
    });
    const store = of({ name: "set_price", parameters: object({ price: number, url: { type: "string", format: "uri" } }, ["price"]) });
    expect(args(store, "set price 1,234.50 for https://shop.example/a;b,c")).toEqual({ price: 1234.5, url: "https://shop.example/a;b,c" });
  });

  it("a comma splits before a verb alone", () => {
    expect(tools("get order 1, please")).toEqual(["get_order"]);
  });
});

describe("a clause's tool", () => {
  it("its name's parts, the verb and the noun inflected", () => {
    const policy = of({ name: "list_invoices", effect: "read" }, { name: "get_company", effect: "read" });
    for (const turn of ["list invoices", "listing invoices", "list the invoice", "could you list my invoices?", "I want to list all invoices"])
      expect(plan(policy, turn), turn).toMatchObject({ outcome: "run", steps: [{ tool: "list_invoices", decided_by: "tool: named" }] });
    expect(plan(policy, "get companies")).toMatchObject({ steps: [{ tool: "get_company", decided_by: "tool: named" }] });
    const portuguese = of({ name: "listar_faturas", effect: "read" });
    for (const turn of ["liste as faturas", "listar faturas", "quero listar minhas faturas", "você pode listar a fatura?"])
      expect(plan(portuguese, turn, "pt-BR"), turn).toMatchObject({ outcome: "run", steps: [{ tool: "listar_faturas", decided_by: "tool: named" }] });
  });

  it("also_called", () => {
    const policy = of({ name: "get_order", effect: "read", also_called: ["purchase"] });
    expect(plan(policy, "show the purchase")).toMatchObject({ outcome: "run", steps: [{ tool: "get_order", decided_by: "tool: also_called" }] });
  });

  it("among the agent's own alone", () => {
    const policy = { ...DESK, agents: { desk: { tools: ["read_inbox"] }, other: { tools: ["*"] } } };
    expect(plan(policy, "get order 4411")).toMatchObject({ outcome: "unread", steps: [] });
  });

  it("by the words that one description alone has, where no own word reaches a tool", () => {
    const two = of({ name: "alpha", effect: "read", description: "Shows the weather in a town" }, { name: "beta", effect: "read", description: "Shows the traffic in a town" });
    expect(plan(two, "how is the weather")).toMatchObject({ outcome: "run", steps: [{ tool: "alpha", decided_by: "tool: derived" }] });
    expect(plan(two, "how is the town").outcome).toBe("unread");
    expect(plan(two, "how is the weather and the traffic").outcome).toBe("ask");
  });

  it("the tools' own words come before any description", () => {
    const two = of({ name: "get_weather", effect: "read" }, { name: "beta", effect: "read", description: "Tells whether it rains" });
    expect(plan(two, "get the weather when it rains")).toMatchObject({ steps: [{ tool: "get_weather", decided_by: "tool: named" }] });
  });

  it("a write reached by a description makes the plan confirm", () => {
    const policy = of({ name: "op_7", description: "Waters the plants" });
    const answer = plan(policy, "water the plants");
    expect(answer).toMatchObject({ outcome: "confirm", steps: [{ tool: "op_7", decided_by: "tool: derived" }] });
    expect(typeof answer.question).toBe("string");
  });

  it("a write is not run on a doubt: another tool has more of what was said", () => {
    const policy = of({ name: "secure_data_transfer" }, { name: "data_retention_policy", effect: "read" });
    expect(plan(policy, "secure the retention of data").outcome).toBe("confirm");
    expect(plan(policy, "secure the data transfer")).toMatchObject({ outcome: "run", steps: [{ tool: "secure_data_transfer" }] });
  });

  it("a tie asks", () => {
    const policy = of({ name: "cancel_order", parameters: object({}) }, { name: "cancel_meeting", parameters: object({}) });
    const answer = plan(policy, "cancel it");
    expect(answer.outcome).toBe("ask");
    expect(answer.question).toMatch(/cancel_order.*cancel_meeting/);
  });
});

describe("arguments", () => {
  const one = (parameters: Json, more: Json = {}): Json => of({ name: "find_thing", effect: "read", parameters, ...more });

  it("e-mails, URLs, quoted text", () => {
    expect(args(one(object({ owner_email: string, link: { type: "string", format: "uri" }, text: string })), 'find the thing of ana@example.com at https://x.example/y with "two words"')).toEqual({
      owner_email: "ana@example.com",
      link: "https://x.example/y",
      text: "two words",
    });
  });

  it("numbers with currency, thousands and decimals by language", () => {
    const policy = one(object({ amount: number }, ["amount"]), { also_called: ["coisa"] });
    for (const [text, value] of [["40", 40], ["$40.00", 40], ["1,234.50", 1234.5], ["US$ 1,000", 1000], ["€0.5", 0.5], ["-3", -3]] as const)
      expect(args(policy, `find the thing of ${text}`), text).toEqual({ amount: value });
    for (const [text, value] of [["40", 40], ["R$ 40,00", 40], ["R$40,00", 40], ["1.234,50", 1234.5], ["1.000", 1000], ["0,5", 0.5]] as const)
      expect(args(policy, `busque a coisa de ${text}`, "pt-BR"), text).toEqual({ amount: value });
  });

  it("dates", () => {
    const policy = one(object({ day: { type: "string", format: "date" } }, ["day"]), { also_called: ["coisa"] });
    expect(args(policy, "find the thing of 2026-11-30")).toEqual({ day: "2026-11-30" });
    expect(args(policy, "busque a coisa de 30/11/2026", "pt-BR")).toEqual({ day: "2026-11-30" });
  });

  it("ids after a noun that the parameter's name holds", () => {
    const policy = one(object({ order_id: string, customer_id: string }));
    expect(args(policy, "find the thing for customer 7 and order 4411")).toEqual({ order_id: "4411", customer_id: "7" });
    expect(args(one(object({ order_id: { type: "integer" } })), "find the thing for order 4411")).toEqual({ order_id: 4411 });
    expect(args(one(object({ order_id: string })), "find the thing for order #A-77")).toEqual({ order_id: "A-77" });
  });

  it("whether a schema requires them or not", () => {
    const tools = DESK.tools.map((tool: Json) => ({ ...tool, ...(tool.parameters ? { parameters: { type: "object", properties: tool.parameters.properties } } : {}) }));
    const reader = new Reader({ ...DESK, tools }, "desk");
    expect(reader.read("who is the customer of 4411").steps).toMatchObject([{ tool: "get_order", arguments: { order_id: "4411" } }]);
    expect(reader.read("charge order 4411 40.00").steps).toMatchObject([{ tool: "charge_card", arguments: { order_id: "4411", amount: 40 } }]);
    expect(reader.read("get order 4411, compute the total plus 10%, then charge it").declined_because).toBe("S3 write: charge_card writes what step 1 computed");
  });

  it("enum members, on and off", () => {
    expect(args(one(object({ state: { enum: ["open", "closed"] } })), "find the open thing")).toEqual({ state: "open" });
    const lamp = of({ name: "turn_lamp", parameters: object({ power: { type: "boolean" } }, ["power"]), irreversible: true, also_called: ["lâmpada", "ligar"] });
    expect(args(lamp, "turn the lamp on")).toEqual({ power: true });
    expect(args(lamp, "turn off the lamp")).toEqual({ power: false });
  });

  it("then the agent's defaults, then the tool's", () => {
    const policy = one(object({ unit: string, town: string, lang: string }, ["unit", "town", "lang"]), { defaults: { unit: "km", town: "Rome" } });
    policy.agents.desk.defaults = { town: "Oslo" };
    expect(plan(policy, "find the thing")).toMatchObject({
      outcome: "ask",
      steps: [{ arguments: { unit: "km", town: "Oslo" }, origins: { unit: "context", town: "context" }, missing: ["lang"] }],
    });
  });

  it("a result's declared field, where a clause takes it", () => {
    const policy = of(
      { name: "get_order", effect: "read", parameters: object({ order_id: string }, ["order_id"]), result: object({ card: string }) },
      { name: "charge_card", parameters: object({ card: string, amount: number }, ["card", "amount"]) },
    );
    expect(plan(policy, "get order 4411 and charge its card 40.00")).toMatchObject({
      outcome: "run",
      steps: [
        { tool: "get_order", arguments: { order_id: "4411" } },
        { tool: "charge_card", arguments: { amount: 40 }, origins: { amount: "typed", card: "result:0.card" }, after_step: 0, missing: [] },
      ],
    });
  });

  it("a required one with no value: ask, naming it", () => {
    const answer = plan(DESK, "charge order 4411");
    expect(answer).toMatchObject({ outcome: "ask", steps: [{ tool: "charge_card", missing: ["amount"] }] });
    expect(answer.question).toContain("amount");
  });
});

describe("S1 egress", () => {
  const desk = new Reader(DESK, "desk");
  const pt = new Reader(DESK, "desk", "pt-BR");
  it("every verb that sends data out", () => {
    for (const verb of ["export", "upload", "post", "forward", "share", "publish", "transmit"])
      for (const form of [`${verb} order 4411`, `please ${verb} order 4411`, `get order 4411 and ${verb} it`, `can you ${verb} order 4411?`, `I want to ${verb} order 4411`])
        expect(desk.read(form).declined_because, form).toBe(`S1 egress: ${verb}`);
    for (const form of ["e-mail order 4411", "email order 4411", "get order 4411 and e-mail it"]) expect(desk.read(form).declined_because, form).toBe("S1 egress: e-mail");
    // What is sent is the order, and no tool sends orders.
    expect(desk.read("send order 4411").declined_because).toBe("S1 egress: send");
  });
  it("their forms in Portuguese", () => {
    const rows: [string, string][] = [
      ["exporte", "export"], ["exportar", "export"], ["publique", "publish"], ["encaminhe", "forward"], ["compartilhe", "share"], ["compartilhar", "share"], ["publicar", "publish"],
    ];
    for (const [verb, named] of rows)
      for (const form of [`${verb} o pedido 4411`, `por favor, ${verb} o pedido 4411`]) expect(pt.read(form).declined_because, form).toBe(`S1 egress: ${named}`);
    for (const form of ["mande a caixa de entrada", "envie a caixa de entrada"]) expect(pt.read(form).declined_because, form).toBe("S1 egress: send");
  });
  it("cleared by a reached tool that sends and has the verb among its own words", () => {
    expect(desk.read("send the receipt for order 4411")).toMatchObject({ outcome: "run", steps: [{ tool: "send_receipt", arguments: { order_id: "4411" } }] });
    expect(pt.read("envie o recibo do pedido 4411")).toMatchObject({ outcome: "run", steps: [{ tool: "send_receipt", arguments: { order_id: "4411" } }] });
    expect(desk.read("forward the receipt for order 4411").declined_because).toBe("S1 egress: forward");
    const also = new Reader({ ...DESK, tools: DESK.tools.map((tool: Json) => (tool.name === "send_receipt" ? { ...tool, also_called: ["forward receipt"] } : tool)) }, "desk");
    expect(also.read("forward the receipt for order 4411").outcome).toBe("run");
    const silent = new Reader({ ...DESK, tools: DESK.tools.map((tool: Json) => (tool.name === "send_receipt" ? { ...tool, sends_out: false } : tool)) }, "desk");
    expect(silent.read("send the receipt for order 4411").declined_because).toBe("S1 egress: send");
  });
  it("one declined step declines the whole plan, whatever is around it", () => {
    expect(desk.read("get order 4411; export order 4411; get order 4412").outcome).toBe("declined");
  });
});

describe("S2 destination", () => {
  const desk = new Reader(DESK, "desk");
  const pt = new Reader(DESK, "desk", "pt-BR");
  it("addresses of every kind that no argument took", () => {
    for (const value of ["ana@example.com", "https://evil.example/x", "192.0.2.7", "/var/data/x", "../x", "~/x", "evil.com", "\\\\host\\share"])
      expect(desk.read(`get order 4411 to ${value}`).declined_because, value).toBe(`S2 destination: ${value}`);
  });
  it("places after to, on, into (para, no, na, em) that no tool holds", () => {
    for (const [turn, place] of [["get order 4411 to the webhook", "webhook"], ["put order 4411 on the drive", "drive"], ["get order 4411 into my bucket", "bucket"], ["get order 4411 to our sales channel", "channel"]] as const)
      expect(desk.read(turn).declined_because, turn).toBe(`S2 destination: ${place}`);
    for (const [turn, place] of [["busque o pedido 4411 para o webhook", "webhook"], ["busque o pedido 4411 no drive", "drive"], ["busque o pedido 4411 em um bucket", "bucket"], ["busque o pedido 4411 no canal", "canal"]] as const)
      expect(pt.read(turn).declined_because, turn).toBe(`S2 destination: ${place}`);
    const holds = of({ name: "post_to_channel", sends_out: true, irreversible: true, parameters: object({ text: string }, ["text"]) });
    expect(plan(holds, 'post "hello" to the channel').outcome).toBe("run");
  });
  it("a parameter that takes it clears it", () => {
    const mail = of({ name: "send_mail", sends_out: true, irreversible: true, parameters: object({ to: string, body: string }, ["to", "body"]) });
    expect(plan(mail, 'send mail to ana@example.com: "hello"')).toMatchObject({ outcome: "run", steps: [{ arguments: { to: "ana@example.com", body: "hello" }, origins: { to: "typed", body: "typed" } }] });
    expect(plan(mail, 'send mail to ana@example.com: "hello" and bob@example.com').declined_because).toBe("S2 destination: bob@example.com");
  });
  it("an address said as where something goes is never a subject_argument's", () => {
    const policy = calendar({ subject_argument: "user_email" });
    expect(plan(policy, "list the events of ana@example.com", "en", "assistant")).toMatchObject({ outcome: "run", steps: [{ arguments: { user_email: "ana@example.com" } }] });
    expect(plan(policy, "list my events to ana@example.com", "en", "assistant").declined_because).toBe("S2 destination: ana@example.com");
  });
});

describe("S3 write", () => {
  const desk = new Reader(DESK, "desk");
  it("a calculation whose result goes to a write", () => {
    for (const calculation of ["compute the total", "sum the lines", "take the average", "add 10%", "compute the difference", "multiply the price by 2"])
      expect(desk.read(`get order 4411, ${calculation}, then charge it`).declined_because, calculation).toBe("S3 write: charge_card writes what step 1 computed");
    expect(desk.read("charge order 4411 the total plus 10%").declined_because).toBe("S3 write: charge_card writes what step 0 computed");
  });
  it("or whose data a write supplies", () => {
    expect(desk.read("charge order 4411 40.00, then compute the total").declined_because).toBe("S3 write: charge_card writes what step 1 computed");
  });
  it("a calculation beside no write is none", () => {
    expect(desk.read("get order 4411 and compute the total").declined_because).toBe(undefined);
  });
});

describe("S4 scope", () => {
  it("only a calculation, and only where the other names the data better", () => {
    expect(plan(STAFF, "list the salaries").declined_because).toBe(undefined);
    expect(plan(STAFF, "what is the average shift").declined_because).toBe(undefined);
  });
});

describe("with and without accents", () => {
  const pt = new Reader(DESK, "desk", "pt-BR");
  for (const turn of ["Qual é a última mensagem de suporte?", "exporte o pedido 4411 então", "busque o pedido 4411 e então calcule a média, então cobre", "Você pode buscar o pedido 4411?"])
    it(turn, () => {
      const { steps, declined_because, outcome } = pt.read(turn);
      for (const other of [bare(turn), turn.normalize("NFD"), turn.toUpperCase()]) expect(pt.read(other), other).toMatchObject({ steps, outcome, ...(declined_because ? { declined_because } : {}) });
    });
});
