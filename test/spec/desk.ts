// The desk of chapter 6's worked cases, its words in Portuguese beside, and how a case reads a turn through the `read` operation.

import { Driver, type Json } from "./core.ts";

const order = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
const payment = { type: "object", properties: { order_id: { type: "string" }, amount: { type: "number" } }, required: ["order_id", "amount"] };

/** `get_order(order_id)`, `charge_card(order_id, amount)`, `refund_card`, `send_receipt(order_id)`, `read_inbox()`. */
export const DESK: Json = {
  format: "qls-policy/1",
  tenant: "shop",
  agents: { desk: { tools: ["get_order", "charge_card", "refund_card", "send_receipt", "read_inbox"] } },
  tools: [
    { name: "get_order", effect: "read", description: "Look up one order: its customer and what it comes to", parameters: order, also_called: ["pedido"] },
    { name: "charge_card", description: "Charge the card on file", parameters: payment, also_called: ["cobrar"], undo: { tool: "refund_card" } },
    { name: "refund_card", description: "Give money back to the card on file", parameters: payment, also_called: ["reembolsar", "estornar"], irreversible: true },
    { name: "send_receipt", description: "Send the receipt", parameters: order, sends_out: true, irreversible: true, also_called: ["recibo", "enviar recibo"] },
    { name: "read_inbox", effect: "read", reads_outside: true, description: "Read the newest support message", also_called: ["caixa de entrada", "mensagem de suporte"] },
  ],
};

const salaries = { type: "object", properties: {} };
/** Two agents: the desk has no salaries, the payroll does. */
export const STAFF: Json = {
  format: "qls-policy/1",
  tenant: "staff",
  agents: { desk: { tools: ["get_shift"] }, payroll: { tools: ["get_salaries"] } },
  tools: [
    { name: "get_shift", effect: "read", description: "Show a person's shift this week", parameters: { type: "object", properties: { person: { type: "string" } }, required: ["person"] } },
    { name: "get_salaries", effect: "read", description: "List every salary on the payroll", parameters: salaries, also_called: ["salário", "folha de pagamento"] },
  ],
};

/** An assistant with `list_events(user_email)`; members of its tool and its agent as given. */
export function calendar(tool: Json = {}, agent: Json = {}): Json {
  return {
    format: "qls-policy/1",
    tenant: "home",
    agents: { assistant: { tools: ["list_events"], ...agent } },
    tools: [
      {
        name: "list_events",
        effect: "read",
        description: "List the events of an account",
        parameters: { type: "object", properties: { user_email: { type: "string" } }, required: ["user_email"] },
        also_called: ["eventos", "listar eventos"],
        ...tool,
      },
    ],
  };
}

/** Reads turns of one policy as one agent. */
export class Reader {
  readonly driver = new Driver();

  constructor(
    policy: Json,
    readonly agent: string,
    readonly language?: string,
  ) {
    this.driver.ok({ op: "register", name: "p", policy });
  }

  request(turn: string, more: Json = {}): Json {
    return { format: "qls-plan/1", session: "chat-1", agent: this.agent, turn, ...(this.language ? { language: this.language } : {}), now: 1764445000, ...more };
  }

  read(turn: string, more: Json = {}): Json {
    return this.driver.ok({ op: "read", policy: "p", request: this.request(turn, more) });
  }

  error(request: Json): Json {
    return this.driver.error({ op: "read", policy: "p", request });
  }
}
