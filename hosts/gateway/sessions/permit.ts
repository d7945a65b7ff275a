// Asks the core whether a call's entry is still the permit for exactly this call (chapter 3, Receipts).
import type { Head, Receipt } from "interlock";
import { headKey } from "../call/keys.ts";
import type { PolicyInForce } from "../call/parts.ts";
import type { CallRecord } from "../call/record.ts";
import type { World } from "../call/world.ts";
import { turnFor } from "../pace.ts";
import { refusedRequest } from "./request.ts";
import { historyText, type Kept } from "./sessions.ts";

/** The receipt for the call's step, on its canonical arguments, under the policy in force. */
export async function permit(call: CallRecord, world: World): Promise<Receipt> {
  if (call.decided === null || call.decided.step === null || call.canonical === null) return { format: "qls-tool-receipt/1", decision: "refuse", reason: "receipt_missing" };
  const kept = await world.session(call);
  // Another gateway may move the session until this is kept: then the core is asked again.
  if (world.isShared && !world.unit.has(headKey(call.session))) world.unit.add({ key: headKey(call.session), expect: kept.version });
  await turnFor(call.canonical.length);
  const question: ReceiptQuestion = {
    tool: call.tool,
    arguments: call.canonical,
    now: Math.floor(world.now() / 1000),
    agent: call.agent ?? undefined,
    principal: call.principal === undefined ? undefined : JSON.stringify(call.principal),
    step: call.decided.step,
    head: kept.head,
    sends: undefined,
  };
  return (kept.isBehind ? receiptOf(call.session, historyText(call.session, kept.entries, kept.reports), question, world.policy) : receiptOn(kept, question)).receipt;
}

/** What a receipt is asked about; `arguments` and `principal` are JSON texts. */
export interface ReceiptQuestion {
  readonly tool: string;
  readonly arguments: string;
  readonly now: number;
  readonly agent: string | undefined;
  readonly principal: string | undefined;
  readonly step: number | undefined;
  readonly head: Head;
  readonly sends: number | undefined;
}

export interface ReceiptAnswer {
  readonly text: string;
  readonly receipt: Receipt;
}

/** Asks on the session as it is opened: at the same cost however long its history is. */
export function receiptOn({ opened }: Kept, question: ReceiptQuestion): ReceiptAnswer {
  return answered(() => opened.receipt(`${questionText(question)}}`));
}

/** Asks on a history that was carried (JSON text). */
export function receiptOf(session: string, history: string, question: ReceiptQuestion, { client }: PolicyInForce): ReceiptAnswer {
  const text = `${questionText(question)},"session":${JSON.stringify(session)},"history":${history}}`;
  return answered(() => client.use((core, { policy, keys }) => core.run("receipt", [policy, keys], text)));
}

/** The question's members, without the closing brace. */
function questionText({ arguments: args, principal, ...plain }: ReceiptQuestion): string {
  return `${JSON.stringify(plain).slice(0, -1)}${principal === undefined ? "" : `,"principal":${principal}`},"arguments":${args}`;
}

function answered(ask: () => string): ReceiptAnswer {
  try {
    const text = ask();
    return { text, receipt: JSON.parse(text) as Receipt };
  } catch (error) {
    return refusedRequest(error);
  }
}
