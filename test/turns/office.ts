// An office of sixteen tools, named as published agent benchmarks name theirs, for turns of every kind.
import type { Json } from "./turns.ts";

const object = (properties: Record<string, Json>, required: string[] = []): Json => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, typeof schema === "string" ? { type: schema } : schema])),
  required,
});

export const OFFICE: Json = {
  format: "qls-policy/1",
  tenant: "office",
  agents: { assistant: { tools: ["*"] } },
  tools: [
    {
      name: "send_email", sends_out: true, irreversible: true, description: "Send an email", also_called: ["mail", "enviar e-mail", "mandar mensagem"],
      parameters: object({ recipients: { type: "array", items: { type: "string", format: "email" } }, subject: "string", body: "string" }, ["recipients", "subject", "body"]),
    },
    {
      name: "search_emails", effect: "read", reads_outside: true, description: "Search the mailbox", also_called: ["inbox", "caixa de entrada"],
      parameters: object({ query: "string", sender: "string" }, ["query"]),
    },
    { name: "delete_email", irreversible: true, description: "Delete one email by its id", parameters: object({ email_id: "string" }, ["email_id"]) },
    { name: "list_files", effect: "read", description: "List files in a folder of the cloud drive", also_called: ["arquivos"], parameters: object({ folder: "string" }) },
    {
      name: "share_file", sends_out: true, irreversible: true, description: "Share a file with somebody", also_called: ["compartilhar arquivo"],
      parameters: object({ file_id: "string", email: "string", permission: { enum: ["r", "rw"] } }, ["file_id", "email"]),
    },
    {
      name: "create_calendar_event", undo: { tool: "cancel_calendar_event" }, description: "Create an event in the calendar", also_called: ["meeting", "reunião", "evento", "criar evento"],
      parameters: object({ title: "string", start_time: { type: "string", format: "date-time" }, participants: { type: "array", items: { type: "string" } } }, ["title", "start_time"]),
    },
    { name: "cancel_calendar_event", irreversible: true, description: "Cancel an event", also_called: ["cancelar evento"], parameters: object({ event_id: "string" }, ["event_id"]) },
    { name: "get_current_day", effect: "read", description: "Tell today's date" },
    {
      name: "get_day_calendar_events", effect: "read", description: "List the appointments of one day", also_called: ["agenda"],
      parameters: object({ day: { type: "string", format: "date" } }, ["day"]),
    },
    { name: "get_balance", effect: "read", description: "Show the balance of the account", also_called: ["saldo"] },
    {
      name: "send_money", irreversible: true, description: "Transfer money to an IBAN", also_called: ["transfer", "transferir", "pagamento"],
      parameters: object({ recipient: "string", amount: "number", subject: "string", date: { type: "string", format: "date" } }, ["recipient", "amount"]),
    },
    { name: "read_file", effect: "read", description: "Read a text file", also_called: ["ler arquivo"], parameters: object({ file_path: "string" }, ["file_path"]) },
    {
      name: "set_thermostat", idempotent: true, irreversible: true, description: "Set the temperature at home", also_called: ["termostato", "temperatura"],
      parameters: object({ temperature: "number", mode: { enum: ["heat", "cool", "off"] } }, ["temperature"]),
    },
    { name: "list_orders", effect: "read", description: "List orders", also_called: ["pedidos"], parameters: object({ status: { enum: ["open", "shipped", "cancelled"] }, limit: "integer" }) },
    { name: "get_order", effect: "read", description: "Show one order and its shipping address", also_called: ["pedido"], parameters: object({ order_id: "integer" }, ["order_id"]) },
    { name: "cancel_order", irreversible: true, description: "Cancel an order", also_called: ["cancelar pedido"], parameters: object({ order_id: "integer", reason: "string" }, ["order_id"]) },
  ],
};
