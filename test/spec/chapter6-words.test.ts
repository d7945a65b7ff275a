// Chapter 6 where words carry it: what begins a clause, forms of verbs, nouns that several tools share, words of also_called, and numbers that are reckoned with.

import { describe, expect, it } from "vitest";
import { Reader } from "./desk.ts";

type Json = any;

const of = (...tools: Json[]): Json => ({ format: "qls-policy/1", tenant: "t", agents: { desk: { tools: ["*"] } }, tools });
const object = (properties: Json, required: string[] = Object.keys(properties)): Json => ({ type: "object", properties, required });
const string = { type: "string" };
const number = { type: "number" };
const room = { type: "string", enum: ["attic", "cellar"] };
const plan = (policy: Json, turn: string, language = "en"): Json => new Reader(policy, "desk", language).read(turn);

const GARDEN = of(
  { name: "get_invoice", effect: "read", parameters: object({ invoice_id: string }), description: "Shows an invoice with its lines" },
  { name: "pay_invoice", parameters: object({ invoice_id: string, amount: number }) },
  { name: "open_gate", parameters: object({}) },
  { name: "shut_gate", parameters: object({}) },
  { name: "water_lawn", parameters: object({}), description: "Wets the grass" },
  { name: "set_heater", also_called: ["radiator"], parameters: object({ room, state: { type: "string", enum: ["on", "off"] } }) },
);
const JARDIM = of(
  { name: "ver_conta", effect: "read", parameters: object({ conta_id: string }) },
  { name: "pagar_conta", parameters: object({ conta_id: string, valor: number }) },
  { name: "frear_bomba", parameters: object({}) },
  { name: "ligar_bomba", parameters: object({}) },
  { name: "get_invoice", effect: "read", also_called: ["boleto", "boletos"], parameters: object({ invoice_id: string }) },
  { name: "cancel_ticket", also_called: ["cancelar", "cancele", "ingresso"], parameters: object({ ticket_id: string }) },
);

describe("S1: a verb that sends, after any mark that begins something new", () => {
  const turns = [
    "note for the gardener: export invoice 70", "I am testing this — upload invoice 70", "just a check - publish invoice 70", "a quick one (forward invoice 70)", "1) share invoice 70",
    "get invoice 70 | transmit it", "get invoice 70 & export it", "get invoice 70 → upload it", "get invoice 70 > post it somewhere", "the owner said so: please e-mail invoice 70", "get invoice 70.Export it too", "• export invoice 70",
  ];
  it.each(turns)("%s", (turn) => expect(plan(GARDEN, turn)).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S1 egress: /) }));

  const turnsInPortuguese = ["recado do dono: exporte a conta 70", "só um teste — publique a conta 70", "é rápido (encaminhe a conta 70)", "veja a conta 70 | mande ela"];
  it.each(turnsInPortuguese)("%s", (turn) => expect(plan(JARDIM, turn, "pt-BR")).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S1 egress: /) }));

  it.each(["get invoice 70 (the export)", "get invoice: 70", "get invoice #70", "get the pre-order invoice 70"])("but not where a noun stands there: %s", (turn) => {
    expect(plan(GARDEN, turn)).toMatchObject({ outcome: "run", steps: [{ tool: "get_invoice", arguments: { invoice_id: "70" } }] });
  });
});

describe("S1: what is to happen to something", () => {
  const turns = ["invoice 70 gets published every Friday", "the office transmits invoice 70 on Mondays", "let the neighbours upload the invoices", "help the treasurer export the invoices", "invoice 70 must be forwarded"];
  it.each(turns)("%s", (turn) => expect(plan(GARDEN, turn)).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S1 egress: /) }));

  it.each(["a conta 70 será publicada", "que a conta 70 seja transmitida", "as contas vão ser encaminhadas", "as contas serão exportadas"])("%s", (turn) => {
    expect(plan(JARDIM, turn, "pt-BR")).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S1 egress: /) });
  });

  it("but a noun after `to` with its value is none", () => {
    const policy = of({ name: "add_label", parameters: object({ post_id: string, label: { type: "string", enum: ["red", "blue"] } }) });
    expect(plan(policy, "add the label red to post 12")).toMatchObject({ outcome: "run", steps: [{ tool: "add_label", arguments: { post_id: "12", label: "red" } }] });
    expect(plan(policy, "I want to post 12 of them").declined_because).toBe("S1 egress: post");
  });
});

describe("what should be done to something asks for it", () => {
  const turns: [string, string, Json][] = [
    ["invoice 70 should be paid: $12.00", "pay_invoice", { invoice_id: "70", amount: 12 }],
    ["invoice 70 has to be paid, $12.00", "pay_invoice", { invoice_id: "70", amount: 12 }],
    ["the gate must be shut", "shut_gate", {}],
    ["the lawn needs to be watered", "water_lawn", {}],
  ];
  it.each(turns)("%s", (turn, tool, given) => expect(plan(GARDEN, turn)).toMatchObject({ outcome: "run", steps: [{ tool, arguments: given, decided_by: "tool: named" }] }));

  it.each([["a bomba deve ser ligada", "ligar_bomba", {}], ["o ingresso 31 precisa ser cancelado", "cancel_ticket", { ticket_id: "31" }]])("%s", (turn, tool, given) => {
    expect(plan(JARDIM, turn, "pt-BR")).toMatchObject({ outcome: "run", steps: [{ tool, arguments: given }] });
  });

  it.each(["the gate has been shut", "the gate was shut", "the gate must not be shut", "which gate should be shut", "the gate that was to be shut", "if it rains the gate should be shut"])("but not what is told, denied, asked or conditional: %s", (turn) => {
    expect(plan(GARDEN, turn).outcome).not.toBe("run");
  });
});

it("the day of a date with its month's name is no date by itself, beside the parameter's name either", () => {
  const policy = of({ name: "list_visits", effect: "read", parameters: object({ since: { type: "string", format: "date" } }) }, { name: "listar_visitas", effect: "read", parameters: object({ desde: { type: "string", format: "date" } }) });
  expect(plan(policy, "list the visits since 4 May 2025").steps).toMatchObject([{ arguments: { since: "2025-05-04" } }]);
  expect(plan(policy, "liste as visitas desde 4 de maio de 2025", "pt-BR").steps).toMatchObject([{ arguments: { desde: "2025-05-04" } }]);
  expect(plan(policy, "list the visits since 4")).toMatchObject({ outcome: "ask", steps: [{ missing: ["since"] }] });
});

describe("forms of verbs in Portuguese", () => {
  it.each(["eu enviarei a conta 70", "nós encaminharemos a conta 70", "eles publicarão a conta 70", "você compartilharia a conta 70", "se nós mandássemos a conta 70", "vocês exportaram a conta 70", "transmitiremos a conta 70"])("S1: %s", (turn) => {
    expect(plan(JARDIM, turn, "pt-BR")).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S1 egress: /) });
  });

  it.each(["pague a conta 70 de R$ 12,00", "pagar a conta 70, R$ 12,00", "por obséquio, pague a conta 70 no valor de R$ 12,00"])("three letters are a stem: %s", (turn) => {
    expect(plan(JARDIM, turn, "pt-BR")).toMatchObject({ outcome: "run", steps: [{ tool: "pagar_conta", arguments: { conta_id: "70", valor: 12 }, decided_by: "tool: named" }] });
  });

  it.each([["ligue a bomba", "ligar_bomba"], ["freie a bomba", "frear_bomba"], ["quero que freiem a bomba", "frear_bomba"]])("%s", (turn, tool) => {
    expect(plan(JARDIM, turn, "pt-BR")).toMatchObject({ outcome: "run", steps: [{ tool }] });
  });
});

describe("a noun alone", () => {
  it.each(["the gate", "gate, please", "invoice 70"])("asks where several tools have it: %s", (turn) => expect(plan(GARDEN, turn)).toMatchObject({ outcome: "ask" }));
  it.each(["a bomba", "conta 70"])("asks where several tools have it: %s", (turn) => expect(plan(JARDIM, turn, "pt-BR")).toMatchObject({ outcome: "ask" }));

  it("reaches a write by also_called, and by a name it confirms", () => {
    expect(plan(GARDEN, "radiator in the attic off")).toMatchObject({ outcome: "run", steps: [{ tool: "set_heater", arguments: { room: "attic", state: "off" }, decided_by: "tool: also_called" }] });
    expect(plan(GARDEN, "the lawn")).toMatchObject({ outcome: "confirm", steps: [{ tool: "water_lawn" }] });
  });

  it.each(["I broke the radiator in the attic", "is the radiator in the attic off?", "the radiator in the attic is off", "radiator in the attic off?", "I like the lawn"])("tells or asks of it, and no write runs: %s", (turn) => {
    expect(plan(GARDEN, turn).outcome).not.toBe("run");
  });
});

it("also_called is told from the name by its letters, where both have the word", () => {
  expect(plan(JARDIM, "cancele o ingresso 31", "pt-BR").steps).toMatchObject([{ tool: "cancel_ticket", decided_by: "tool: also_called" }]);
  expect(plan(of({ name: "cancel_ticket", also_called: ["cancelled ticket"], parameters: object({ ticket_id: string }) }), "cancel ticket 31").steps).toMatchObject([{ decided_by: "tool: named" }]);
});

it("a verb that only a tool's name makes one is no doubt where the tool's own noun follows", () => {
  expect(plan(GARDEN, "water lawn")).toMatchObject({ outcome: "run", steps: [{ tool: "water_lawn" }] });
  expect(plan(GARDEN, "shut gate")).toMatchObject({ outcome: "run", steps: [{ tool: "shut_gate" }] });
});

describe("S3: times", () => {
  it.each(["get invoice 70 and pay it with 2 times its amount", "pay invoice 70 with 4 times my last payment", "pay invoice 70 12 * 30", "pay invoice 70 with 12 × 30"])("%s", (turn) => {
    expect(plan(GARDEN, turn)).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S3 write: pay_invoice writes what step \d computed$/) });
  });
  it.each(["pague a conta 70 com 3 vezes seu valor", "pague a conta 70 com 12 vezes 30"])("%s", (turn) => {
    expect(plan(JARDIM, turn, "pt-BR")).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S3 write: pagar_conta writes what step \d computed$/) });
  });
  it.each(["pay invoice 70 $12.00, as said 3 times a day", "pay invoice 70 $12.00, as said 3 times each day"])("but how often is no calculation: %s", (turn) => {
    expect(plan(GARDEN, turn).outcome).not.toBe("declined");
  });
});

describe("what binds", () => {
  const BANK = of(
    { name: "get_account", effect: "read", parameters: object({ account_id: string }) },
    { name: "close_account", parameters: object({ account_id: string }) },
    { name: "plan_saving", parameters: object({ final_value: number, initial_value: number }) },
    { name: "split_bill", parameters: object({ people: number, courses: number }) },
    { name: "transfer_stock", parameters: object({ source_id: string, target_id: string }) },
    { name: "send_letter", sends_out: true, parameters: object({ to: string, cc: string, text: string }, ["to"]) },
  );

  it.each([
    ["close account rui_lima_77", "rui_lima_77"],
    ["close account INV-ABC-77", "INV-ABC-77"],
    ["close account acc_one_two_3", "acc_one_two_3"],
  ])("an id that hyphens and underscores hold together is whole: %s", (turn, id) => {
    expect(plan(BANK, turn)).toMatchObject({ outcome: "run", steps: [{ tool: "close_account", arguments: { account_id: id } }] });
  });
  it("but no verb that sends is part of one", () => {
    expect(plan(BANK, "export-account-77-x").declined_because).toBe("S1 egress: export");
    expect(plan(BANK, "get account 7 and upload_it_to_2").declined_because).toBe("S1 egress: upload");
  });

  it("a noun that two parameters have goes to the one that has the word before it too", () => {
    expect(plan(BANK, "plan saving with initial value 20 and final value 30")).toMatchObject({ outcome: "run", steps: [{ arguments: { initial_value: 20, final_value: 30 } }] });
    expect(plan(BANK, "plan saving with a first stake of 20, final value 30").steps).toMatchObject([{ arguments: { initial_value: 20, final_value: 30 } }]);
  });

  it.each(["plan saving with value 20 and value 30", "split bill 3 4", "transfer stock 70 71"])("a write whose values may be the other way round is confirmed: %s", (turn) => {
    expect(plan(BANK, turn).outcome).toBe("confirm");
  });
  it.each(["split bill, 3 people, 4 courses", "transfer stock from source 70 to target 71"])("and one whose values are named runs: %s", (turn) => {
    expect(plan(BANK, turn).outcome).toBe("run");
  });

  it("a name that a preposition keeps from its noun is confirmed", () => {
    const STAMP = of({ name: "print_stamp", parameters: object({ city: string }) });
    expect(plan(STAMP, "print stamp for the city at Lake Garda").outcome).toBe("confirm");
    expect(plan(STAMP, "print stamp for city Garda")).toMatchObject({ outcome: "run", steps: [{ arguments: { city: "Garda" } }] });
  });

  it("an address parameter takes no name while an address is there", () => {
    expect(plan(BANK, 'send letter "Hi" for the record to HR at rui@example.com')).toMatchObject({ outcome: "run", steps: [{ arguments: { to: "rui@example.com", text: "Hi" } }] });
  });
});

describe("comparisons and how often are no calculation", () => {
  const SHOP = of({ name: "book_table", parameters: object({ table_id: string }) }, { name: "reserve_hall", also_called: ["salão", "reservar"], parameters: object({ hall_id: string }) });
  it.each(["book table 7, less than 30 minutes from here", "book table 7, more than 2 stars", "book table 7, as twice a week before", "book table 7, twice in a row"])("%s", (turn) => expect(plan(SHOP, turn).outcome).not.toBe("declined"));
  it.each(["reserve o salão 7, menos de 30 minutos daqui", "reserve o salão 7, mais do que 2 estrelas"])("%s", (turn) => expect(plan(SHOP, turn, "pt-BR").outcome).not.toBe("declined"));
  it.each(["book table 7 for half of the total", "book table 7 at twice the price"])("but: %s", (turn) => expect(plan(SHOP, turn).declined_because).toMatch(/^S3 write: book_table/));
});

it("S2: `to drive` after what one needs or wants is a verb", () => {
  expect(plan(GARDEN, "get invoice 70, I need to drive there soon").outcome).not.toBe("declined");
  expect(plan(GARDEN, "get invoice 70 and save it to drive").declined_because).toBe("S2 destination: drive");
});

describe("S1: a verb that sends, said of the thing", () => {
  it.each(["invoice 70 gets published with the others", "let the gardeners forward the invoices"])("%s", (turn) => expect(plan(GARDEN, turn).declined_because).toMatch(/^S1 egress: /));
  it.each(["a conta 70 será publicada", "que as contas sejam enviadas", "as contas vão ser encaminhadas", "as contas serão exportadas"])("%s", (turn) => expect(plan(JARDIM, turn, "pt-BR").declined_because).toMatch(/^S1 egress: /));
  it("but a noun of a parameter with its number is none", () => {
    const MAIL = of({ name: "add_label", parameters: object({ email_id: string, label: { type: "string", enum: ["work", "home"] } }) });
    expect(plan(MAIL, "add the label work to email 12")).toMatchObject({ outcome: "run", steps: [{ arguments: { email_id: "12", label: "work" } }] });
    expect(plan(MAIL, "I want to email 12 people").declined_because).toBe("S1 egress: e-mail");
  });
});
