// An inn with its animals and pumps, in both languages: tools whose verbs and nouns no word list has, so that kinds are held of any trade.
import type { Json } from "./turns.ts";

const object = (properties: Record<string, string>): Json => ({ type: "object", properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])), required: Object.keys(properties) });

/** Policies by their names. */
export const TRADES: Record<string, Json> = {
  inn: {
    format: "qls-policy/1",
    tenant: "inn",
    agents: { front: { tools: ["get_booking", "bill_guest", "upgrade_room", "mute_intercom", "groom_horse", "get_meter", "list_parcels", "feed_animal", "set_pump", "notify_guest", "hire_van"] }, back: { tools: ["get_wages", "list_donations"] } },
    tools: [
      { name: "get_booking", effect: "read", description: "One stay with its dates", parameters: object({ booking_id: "string" }) },
      { name: "bill_guest", description: "Puts a cost on a stay", parameters: object({ booking_id: "string", amount: "number" }) },
      { name: "upgrade_room", description: "Gives a better place", parameters: object({ room_id: "string" }) },
      { name: "mute_intercom", description: "Silence at the entrance", parameters: object({}) },
      { name: "groom_horse", description: "Brushing", parameters: object({ horse_id: "string" }) },
      { name: "get_meter", effect: "read", description: "Electricity used", parameters: object({ meter_id: "string" }) },
      { name: "list_parcels", effect: "read", description: "What came in", parameters: object({}) },
      { name: "feed_animal", description: "Puts out grain", parameters: object({ animal_id: "string", kilos: "number" }) },
      { name: "set_pump", description: "Water flow", parameters: object({ litres: "number" }) },
      { name: "notify_guest", sends_out: true, description: "Tells the visitor", parameters: object({ booking_id: "string" }) },
      { name: "hire_van", description: "Transport", parameters: object({ van_id: "string", hours: "number" }) },
      { name: "get_wages", effect: "read", description: "Pay", parameters: object({}) },
      { name: "list_donations", effect: "read", description: "Gifts", parameters: object({}) },
    ],
  },
  pousada: {
    format: "qls-policy/1",
    tenant: "pousada",
    settings: { language: "pt-BR" },
    agents: { front: { tools: ["ver_reserva", "lancar_diaria", "trocar_quarto", "silenciar_interfone", "escovar_cavalo", "ver_medidor", "listar_encomendas", "alimentar_animal", "regular_bomba", "avisar_hospede"] }, back: { tools: ["ver_ordenados", "listar_doacoes"] } },
    tools: [
      { name: "ver_reserva", effect: "read", description: "Uma estadia", parameters: object({ reserva_id: "string" }) },
      { name: "lancar_diaria", description: "Custo de uma estadia", parameters: object({ reserva_id: "string", valor: "number" }) },
      { name: "trocar_quarto", description: "Outro lugar", parameters: object({ quarto_id: "string" }) },
      { name: "silenciar_interfone", description: "Silêncio", parameters: object({}) },
      { name: "escovar_cavalo", description: "Limpeza", parameters: object({ cavalo_id: "string" }) },
      { name: "ver_medidor", effect: "read", description: "Luz gasta", parameters: object({ medidor_id: "string" }) },
      { name: "listar_encomendas", effect: "read", description: "O que chegou", parameters: object({}) },
      { name: "alimentar_animal", description: "Grão", parameters: object({ animal_id: "string", quilos: "number" }) },
      { name: "regular_bomba", description: "Vazão", parameters: object({ litros: "number" }) },
      { name: "avisar_hospede", sends_out: true, description: "Conta ao visitante", parameters: object({ reserva_id: "string" }) },
      { name: "ver_ordenados", effect: "read", description: "Paga", parameters: object({}) },
      { name: "listar_doacoes", effect: "read", description: "Presentes", parameters: object({}) },
    ],
  },
};
