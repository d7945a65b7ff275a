// A long history that looks right in every entry until its tokens are checked.

const DIGEST = "A".repeat(43);

/** A line that verifies a history of `size` well-formed entries, whose tokens sign nothing. */
export function repeatedHistory(size: number): string {
  const entries = Array.from({ length: size }, (_, step) => ({
    agent: "desk", arguments: {}, at: 1, decision: "allow", digest: DIGEST, evidence: DIGEST, labels: [], origins: {}, policy: DIGEST, principal: null,
    reason: "allow", reasons: ["allow"], step, token: `a.${DIGEST}`, tool: "any",
  }));
  return JSON.stringify({ id: 1, op: "verify", policy: "p", keys: "k", session: "s", history: { format: "qls-history/1", session: "s", entries } });
}
