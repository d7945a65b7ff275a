// Chapter 7's table: every row in its order, where it belongs, and whether it is built. The walk goes by this list alone.

import { preCallHooks } from "../rows/gate/12-pre-call-hooks.ts";
import { thePolicysDecision } from "../rows/gate/13-the-policys-decision.ts";
import { thePerson } from "../rows/gate/17-the-person.ts";
import { theApprovalsBinding } from "../rows/gate/18-the-approvals-binding.ts";
import { longWaitReCheck } from "../rows/gate/19-long-wait-re-check.ts";
import { finalCheck } from "../rows/gate/20-final-check.ts";
import { theTurnsBarrier } from "../rows/gate/21-the-turns-barrier.ts";
import { theTurn } from "../rows/before/03-the-turn.ts";
import { approvedArguments } from "../rows/making/22-approved-arguments.ts";
import { originReceipt } from "../rows/making/24-origin-receipt.ts";
import { noAuditEntryNoCall } from "../rows/edge/32-no-audit-entry-no-call.ts";
import { theBinding } from "../rows/node/34-the-binding.ts";
import { theTool } from "../rows/node/36-the-tool.ts";
import { approvedSnapshot } from "../rows/node/37-approved-snapshot.ts";
import { killSwitches } from "../rows/node/38-kill-switches.ts";
import { killSwitchesAgain } from "../rows/node/41-kill-switches-again.ts";
import { whileItRuns } from "../rows/node/42-while-it-runs.ts";
import { postCallHooks } from "../rows/after/46-post-call-hooks.ts";
import { unknownOutcome } from "../rows/after/43-unknown-outcome.ts";
import type { RowFunction } from "./answer.ts";
import type { World } from "./world.ts";

export type Section = "before the gate" | "the gate" | "making the call" | "at the edge" | "on the node" | "after the call" | "a harness's own tools";

export interface Row {
  /** As the table numbers it: `3`, `H2a`, `pin`. */
  readonly row: string;
  readonly title: string;
  readonly section: Section;
  /** `true`; the row in whose function it is decided; or false: calls pass it as if it were not there. */
  readonly built: boolean | string;
  /** The row's function, where the walk takes calls through it. A harness's rows are built in their doors. */
  readonly run?: RowFunction<World>;
}

const row = (row: string, title: string, section: Section, built: boolean | string | RowFunction<World> = false): Row =>
  typeof built === "function" ? { row, title, section, built: true, run: built } : { row, title, section, built };

/** Every row, in order. */
export const ROWS: readonly Row[] = [
  row("1", "tools withdrawn", "before the gate"),
  row("2", "budget argument", "before the gate"),
  row("3", "the turn", "before the gate", theTurn),
  row("4", "loop detection", "before the gate"),
  row("5", "shadow rules", "before the gate"),
  row("6", "flow tools", "the gate"),
  row("7", "quarantine", "the gate"),
  row("8", "grants", "the gate"),
  row("9", "routine's tools", "the gate"),
  row("10", "plain refusal", "the gate"),
  row("11", "shadow stubs", "the gate"),
  row("12", "pre-call hooks", "the gate", preCallHooks),
  row("13", "the policy's decision", "the gate", thePolicysDecision),
  row("14", "taint and labels", "the gate", "13"),
  row("15", "argument origins, sequences", "the gate", "13"),
  row("16", "change approval", "the gate"),
  row("17", "the person", "the gate", thePerson),
  row("18", "the approval's binding", "the gate", theApprovalsBinding),
  row("19", "long-wait re-check", "the gate", longWaitReCheck),
  row("20", "final check", "the gate", finalCheck),
  row("21", "the turn's barrier", "the gate", theTurnsBarrier),
  row("22", "approved arguments", "making the call", approvedArguments),
  row("23", "a flow tool's child", "making the call"),
  row("24", "origin receipt", "making the call", originReceipt),
  row("25", "shape", "at the edge"),
  row("26", "a hook's call", "at the edge"),
  row("27", "sandbox and quarantine", "at the edge"),
  row("28", "conditions and refusing floors", "at the edge"),
  row("29", "duties", "at the edge"),
  row("30", "grant and envelope", "at the edge"),
  row("31", "tree sequences and origins", "at the edge"),
  row("32", "no audit entry, no call", "at the edge", noAuditEntryNoCall),
  row("33", "revoked authority", "at the edge"),
  row("34", "the binding", "on the node", theBinding),
  row("35", "drain", "on the node"),
  row("36", "the tool", "on the node", theTool),
  row("37", "approved snapshot", "on the node", approvedSnapshot),
  row("38", "kill switches", "on the node", killSwitches),
  row("39", "secret scan", "on the node"),
  row("40", "quarantine, secrets, grants", "on the node"),
  row("41", "kill switches again", "on the node", killSwitchesAgain),
  row("42", "while it runs", "on the node", whileItRuns),
  row("43", "unknown outcome", "after the call", unknownOutcome),
  row("44", "labels and clearance", "after the call"),
  row("45", "origin index", "after the call"),
  row("46", "post-call hooks", "after the call", postCallHooks),
  row("47", "offload", "after the call"),
  row("H1", "runtime's own requests", "a harness's own tools", true),
  row("H1a", "MCP resources", "a harness's own tools", true),
  row("H2", "default-deny", "a harness's own tools", true),
  row("H2a", "the MCP name", "a harness's own tools", true),
  row("H2b", "node's check", "a harness's own tools"),
  row("H3", "secret scan", "a harness's own tools"),
  row("H4", "the ask list", "a harness's own tools"),
  row("H5", "withdrawn, loops", "a harness's own tools"),
  row("H6", "routine, shadow", "a harness's own tools"),
  row("H7", "pre-call hooks", "a harness's own tools"),
  row("H7a", "command rules", "a harness's own tools"),
  row("H8", "the person", "a harness's own tools"),
  row("pin", "the server pin", "a harness's own tools", true),
];

/** A row that the walk takes calls through. */
export type BuiltRow = Row & { readonly run: RowFunction<World> };

export const BUILT: readonly BuiltRow[] = ROWS.filter((listed): listed is BuiltRow => listed.run !== undefined);
