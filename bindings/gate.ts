// Chapter 7's pure rows, asked of the core: the same answer in the gateway, in a coding agent's hook and wherever else a row is needed.
import { sharedCore } from "./codec.ts";

/** A function that an agent is offered: the policy's tool, and the MCP server and function it is; without both, a tool of the harness's own. */
export interface OfferedFunction {
  readonly tool: string;
  readonly server?: string;
  readonly function?: string;
}

/** What stood when people were asked, or stands now. Digests and ids as the check answers them; null where there is none. */
export interface Bound {
  readonly digest: string | null;
  readonly listing: string | null;
  readonly policy: string | null;
}

/** What each row is asked about. Digests and ids are texts of chapter 1, or null where there is none. */
export interface RowFacts {
  /** The approval's binding: as it was approved, and as it is now. */
  readonly "18": { readonly approved: Bound; readonly now: Bound };
  /** Approved arguments: the digest of what is to be sent, of what was decided, and of what people approved (null where nobody was asked). */
  readonly "22": { readonly digest: string | null; readonly decided: string | null; readonly approved: string | null };
  /** The binding: the id of the policy that the call was decided under, and of the one in force. */
  readonly "34": { readonly decided: string | null; readonly policy: string | null };
  /** The approved snapshot: the digests of the listing that was approved, of the one that the server gives, and of the one when the call was decided. */
  readonly "37": { readonly approved: string | null; readonly listed: string | null; readonly decided: string | null };
  /** The runtime's own requests: the name as the harness has it. */
  readonly H1: { readonly name: string };
  /** MCP resources. */
  readonly H1a: { readonly name: string };
  /** Default-deny. */
  readonly H2: { readonly name: string; readonly offered: readonly OfferedFunction[] };
  /** The MCP name. */
  readonly H2a: { readonly name: string; readonly offered: readonly OfferedFunction[] };
}

/** `passed` (of H2 and H2a with the policy's tool, where the name is theirs), `refuse`, or `ask_again` (row 18), with the row's reason. */
export type RowAnswer = { readonly answer: "passed"; readonly tool?: string } | { readonly answer: "refuse" | "ask_again"; readonly reason: string };

/**
 * Asks a pure row of the pipeline (chapter 7).
 * @throws InterlockError `request_invalid` with the pointer of a fact that is missing or of a wrong type, `json_surrogate`, `core_trapped`: nothing was decided
 */
export function gateRow<Row extends keyof RowFacts>(row: Row, facts: RowFacts[Row]): RowAnswer {
  return JSON.parse(sharedCore().run("gate", [], JSON.stringify({ ...facts, row }))) as RowAnswer;
}
