// A call's record for tests of single rows and rooms, with what a test wants of it.
import type { CallRecord } from "../../hosts/gateway/call/record.ts";

/** A record of a call as a door makes it, before any row. */
export function callRecord(over: Partial<CallRecord> = {}): CallRecord {
  return {
    id: "01939f00-0000-7000-8000-000000000001",
    door: "http",
    tenant: "shop",
    caller: "desk-service",
    session: "s-1",
    agent: "desk",
    tool: "charge_card",
    arguments: '{"order_id":"4411","amount":40}',
    turn: null,
    idempotencyKey: null,
    waitMs: 0,
    purpose: "call",
    requestId: "r-1",
    createdAt: 1_764_445_000_000,
    state: "proposed",
    row: "",
    cohort: null,
    read: false,
    canonical: null,
    digest: null,
    decided: null,
    approval: null,
    listing: null,
    operation: null,
    sent: null,
    released: null,
    refusal: null,
    replaces: null,
    trace: [],
    ...over,
  };
}
