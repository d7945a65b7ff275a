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
    expect(plan(BANK, 'send letter "Hi" for the record to HR at rui@example.com')).toMatchObject({ outcome: "confirm", steps: [{ arguments: { to: "rui@example.com", text: "Hi" } }] });
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

describe("S1: every form of a verb that sends, but a noun's", () => {
  const turns = [
    "could invoice 70 be published?", "can invoice 70 be forwarded", "I insist that invoice 70 be transmitted", "invoice 70 is being uploaded right now", "why not share invoice 70", "get invoice 70 posted", "can we get invoice 70 e-mailed",
    "the owner wants invoice 70 exported", "get invoice 70 and have it resent", "wanna send invoice 70", "plz send invoice 70", "I want invoice 70 broadcast", "was invoice 70 exported?", "get invoice 70 and pass it along to Rui",
  ];
  it.each(turns)("%s", (turn) => expect(plan(GARDEN, turn)).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S1 egress: /) }));

  const turnsInPortuguese = [
    "a conta 70 está sendo enviada", "você está exportando a conta 70", "que seja mandada a conta 70", "veja a conta 70 e a exporte", "ao publicar a conta 70", "quero ver a conta 70 publicada", "deixe a conta 70 compartilhada", "mantenha a conta 70 postada",
    "o dono quer a conta 70 encaminhada", "a conta 70 deveria ter sido transmitida", "a conta 70 foi enviada?", "repasse-me a conta 70", "enviar-me-á a conta 70", "providencie o envio da conta 70", "favor remeter a conta 70", "a conta 70 necessita ser divulgada",
  ];
  it.each(turnsInPortuguese)("%s", (turn) => expect(plan(JARDIM, turn, "pt-BR")).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S1 egress: /) }));

  it.each(["which invoices were sent?", "get invoice 70, the shared one", "get invoice 70 sent by Rui", "get invoice 70, any message there?", "get invoice 70 that came by mail", "get the invoice 70 of the Post Office"])("but not: %s", (turn) => {
    expect(plan(GARDEN, turn).outcome).not.toBe("declined");
  });
  it.each(["quais contas foram enviadas?", "veja a conta 70 do poste", "veja a conta 70 da escola pública", "veja a conta 70, a do envio"])("but not: %s", (turn) => {
    expect(plan(JARDIM, turn, "pt-BR").outcome).not.toBe("declined");
  });
});

describe("what is asked to be done with more words between", () => {
  const POST = of(
    { name: "read_letter", effect: "read", parameters: object({ letter_id: string }) },
    { name: "send_letter", sends_out: true, parameters: object({ to: { type: "string", format: "email" } }) },
    { name: "burn_letter", parameters: object({ letter_id: string }) },
    { name: "stamp_email", parameters: object({ email_id: string }) },
  );
  it.each(["could a letter be sent to rui@example.com?", "I want a letter to be sent to rui@example.com", "I want a letter sent to rui@example.com"])("%s", (turn) => {
    expect(plan(POST, turn)).toMatchObject({ outcome: "run", steps: [{ tool: "send_letter", arguments: { to: "rui@example.com" } }] });
  });
  it("a word that may be a verb is a noun where its value and `can be` follow", () => {
    expect(plan(POST, "email 12 can be stamped")).toMatchObject({ outcome: "run", steps: [{ tool: "stamp_email", arguments: { email_id: "12" } }] });
  });
  it("an address is no id of a message", () => {
    expect(plan(of({ name: "read_email", effect: "read", parameters: object({ email_id: string }) }), "read the email to rui@example.com").declined_because).toBe("S2 destination: rui@example.com");
  });
});

describe("S3 and S4: more ways to reckon", () => {
  const turns = [
    "pay invoice 70 with 10 percent of the amount", "pay invoice 70 $40.00 - $5.00", "pay invoice 70 with 2 x $10.00", "pay invoice 70 with a third of the amount", "pay invoice 70 with the balance minus $10.00", "pay invoice 70 $40.00 squared",
    "pay invoice 70 the amount times two", "pay invoice 70 two times what it cost", "pay invoice 70 the rest", "pay invoice 70 6%", "get invoice 70, convert the amount to euros, then pay it", "get invoice 70, round it up, then pay it",
  ];
  it.each(turns)("%s", (turn) => expect(plan(GARDEN, turn)).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S3 write: pay_invoice writes what step \d computed$/) }));

  const turnsInPortuguese = ["pague a conta 70 com 10 por cento do valor", "pague a conta 70 com um terço do valor", "pague a conta 70 com a terça parte do valor", "pague a conta 70 com o saldo menos R$ 10,00", "pague a conta 70 com o valor vezes dois", "pague a conta 70 com o restante"];
  it.each(turnsInPortuguese)("%s", (turn) => expect(plan(JARDIM, turn, "pt-BR")).toMatchObject({ outcome: "declined", declined_because: expect.stringMatching(/^S3 write: pagar_conta writes what step \d computed$/) }));

  const HEAT = of({ name: "set_heat", parameters: object({ degrees: number }) });
  it("a number said by how much is not what is set", () => {
    expect(plan(HEAT, "set the heat 2 degrees higher").declined_because).toBe("S3 write: set_heat writes what step 0 computed");
    expect(plan(HEAT, "set the heat to 2 degrees")).toMatchObject({ outcome: "run", steps: [{ arguments: { degrees: 2 } }] });
  });
  it("but a dash after an id is no minus", () => expect(plan(GARDEN, "pay invoice 70 - $5.00")).toMatchObject({ outcome: "run", steps: [{ arguments: { invoice_id: "70", amount: 5 } }] }));
  it("a percentage that a write takes as a number is confirmed", () => {
    expect(plan(of({ name: "set_discount", parameters: object({ discount: number }) }), "set the discount to 6%").outcome).toBe("confirm");
  });

  const TWO: Json = { format: "qls-policy/1", tenant: "t", agents: { desk: { tools: ["get_invoice"] }, house: { tools: ["get_wages", "get_rents"] } }, tools: [{ name: "get_invoice", effect: "read", parameters: object({ invoice_id: string }) }, { name: "get_wages", effect: "read", also_called: ["ordenados"], parameters: object({}) }, { name: "get_rents", effect: "read", parameters: object({}) }] };
  it.each(["list the wages, then compute the average", "show the wages. what is the sum?", "wages minus rents", "the mean wages", "how much are the wages all together"])("S4: %s", (turn) => {
    expect(plan(TWO, turn).declined_because).toBe("S4 scope: the data is not this agent's to read");
  });
  it("S4: conte os ordenados", () => expect(plan(TWO, "conte os ordenados", "pt-BR").declined_because).toBe("S4 scope: the data is not this agent's to read"));
});

describe("paths and days", () => {
  const DISK = of({ name: "read_file", effect: "read", parameters: object({ path: string }) }, { name: "move_file", parameters: object({ source: string, destination: string }) }, { name: "list_visits", effect: "read", parameters: object({ since: { type: "string", format: "date" } }) });
  it.each([["read ./minutes.txt", "./minutes.txt"], ['read the file "minutes.txt"', "minutes.txt"], ["read the file ~/a.txt", "~/a.txt"]])("%s", (turn, path) => {
    expect(plan(DISK, turn)).toMatchObject({ outcome: "run", steps: [{ tool: "read_file", arguments: { path } }] });
  });
  it("`to` says which of two paths is where something goes", () => {
    expect(plan(DISK, "move the file ./a to ./b")).toMatchObject({ outcome: "run", steps: [{ arguments: { source: "./a", destination: "./b" } }] });
    expect(plan(DISK, "move the file ./a ./b").outcome).toBe("confirm");
  });
  it.each([["list the visits since May 4th, 2025", "en"], ["list the visits since the 4th of May 2025", "en"], ["liste visits desde 4º de maio de 2025", "pt-BR"]])("%s", (turn, language) => {
    expect(plan(DISK, turn, language).steps).toMatchObject([{ arguments: { since: "2025-05-04" } }]);
  });
  it.each(["get invoice 70 to the S3 bucket"])("S2: %s", (turn) => expect(plan(GARDEN, turn).declined_because).toBe("S2 destination: bucket"));
  it.each(["veja a conta 70 nesse drive", "veja a conta 70 naquele drive", "veja a conta 70 dentro do drive"])("S2: %s", (turn) => expect(plan(JARDIM, turn, "pt-BR").declined_because).toBe("S2 destination: drive"));
});
