// Chapter 7's table: every row in its order, where it belongs, and whether it is built. The walk goes by this list alone.

export type Section = "before the gate" | "the gate" | "making the call" | "at the edge" | "on the node" | "after the call" | "a harness's own tools";

export interface Row {
  /** As the table numbers it: `3`, `H2a`, `pin`. */
  readonly row: string;
  readonly title: string;
  readonly section: Section;
  /** `true`; the row in whose function it is decided; or false: calls pass it as if it were not there. */
  readonly built: boolean | string;
}

const row = (row: string, title: string, section: Section, built: boolean | string = false): Row => ({ row, title, section, built });

/** Every row, in order. */
export const ROWS: readonly Row[] = [
  row("1", "tools withdrawn", "before the gate"),
  row("2", "budget argument", "before the gate"),
  row("3", "the turn", "before the gate", true),
  row("4", "loop detection", "before the gate"),
  row("5", "shadow rules", "before the gate"),
  row("6", "flow tools", "the gate"),
  row("7", "quarantine", "the gate"),
  row("8", "grants", "the gate"),
  row("9", "routine's tools", "the gate"),
  row("10", "plain refusal", "the gate"),
  row("11", "shadow stubs", "the gate"),
  row("12", "pre-call hooks", "the gate", true),
  row("13", "the policy's decision", "the gate", true),
  row("14", "taint and labels", "the gate", "13"),
  row("15", "argument origins, sequences", "the gate", "13"),
  row("16", "change approval", "the gate"),
  row("17", "the person", "the gate", true),
  row("18", "the approval's binding", "the gate", true),
  row("19", "long-wait re-check", "the gate", true),
  row("20", "final check", "the gate", true),
  row("21", "the turn's barrier", "the gate", true),
  row("22", "approved arguments", "making the call", true),
  row("23", "a flow tool's child", "making the call"),
  row("24", "origin receipt", "making the call", true),
  row("25", "shape", "at the edge"),
  row("26", "a hook's call", "at the edge"),
  row("27", "sandbox and quarantine", "at the edge"),
  row("28", "conditions and refusing floors", "at the edge"),
  row("29", "duties", "at the edge"),
  row("30", "grant and envelope", "at the edge"),
  row("31", "tree sequences and origins", "at the edge"),
  row("32", "no audit entry, no call", "at the edge", true),
  row("33", "revoked authority", "at the edge"),
  row("34", "the binding", "on the node", true),
  row("35", "drain", "on the node"),
  row("36", "the tool", "on the node", true),
  row("37", "approved snapshot", "on the node", true),
  row("38", "kill switches", "on the node", true),
  row("39", "secret scan", "on the node"),
  row("40", "quarantine, secrets, grants", "on the node"),
  row("41", "kill switches again", "on the node", true),
  row("42", "while it runs", "on the node", true),
  row("43", "unknown outcome", "after the call", true),
  row("44", "labels and clearance", "after the call"),
  row("45", "origin index", "after the call"),
  row("46", "post-call hooks", "after the call", true),
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
