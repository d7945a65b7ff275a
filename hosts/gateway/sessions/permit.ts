// Asks the core whether a call's entry is still the permit for exactly this call (chapter 3, Receipts).
import type { Head, Receipt } from "interlock";
import type { PolicyInForce } from "../call/parts.ts";
import type { CallRecord } from "../call/record.ts";
import type { World } from "../call/world.ts";
import { refusedRequest } from "./request.ts";
import { historyText } from "./sessions.ts";

/** The receipt for the call's step, on its canonical arguments, under the policy in force. */
export async function permit(call: CallRecord, world: World): Promise<Receipt> {
  if (call.decided === null || call.decided.step === null || call.canonical === null) return { format: "qls-tool-receipt/1", decision: "refuse", reason: "receipt_missing" };
  const kept = await world.session(call);
  return receiptOf(
    {
      session: call.session,
      history: historyText(call.session, kept.entries, kept.reports),
      tool: call.tool,
      arguments: call.canonical,
      now: Math.floor(world.now() / 1000),
      agent: call.agent ?? undefined,
      principal: call.principal === undefined ? undefined : JSON.stringify(call.principal),
      step: call.decided.step,
      head: kept.head,
      sends: undefined,
    },
    world.policy,
  ).receipt;
}

/** What a receipt is asked about; `history`, `arguments` and `principal` are JSON texts. */
export interface ReceiptQuestion {
  readonly session: string;
  readonly history: string;
  readonly tool: string;
  readonly arguments: string;
  readonly now: number;
  readonly agent: string | undefined;
  readonly principal: string | undefined;
  readonly step: number | undefined;
  readonly head: Head;
  readonly sends: number | undefined;
}

export function receiptOf(question: ReceiptQuestion, { client }: PolicyInForce): { readonly text: string; readonly receipt: Receipt } {
  const { history, arguments: args, principal, ...plain } = question;
  const text = `${JSON.stringify(plain).slice(0, -1)}${principal === undefined ? "" : `,"principal":${principal}`},"arguments":${args},"history":${history}}`;
  try {
    const answer = client.use((core, { policy, keys }) => core.run("receipt", [policy, keys], text));
    return { text: answer, receipt: JSON.parse(answer) as Receipt };
  } catch (error) {
    return refusedRequest(error);
  }
}
