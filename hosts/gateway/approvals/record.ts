// The record of an approval: a question that was asked, bound to what it was asked about, and the people's answers.

export type ApprovalState = "open" | "approved" | "denied" | "expired" | "edited" | "spent" | "withdrawn";

/** One person's answer. `jws` is the signed approval of chapter 3 that the gateway made for the approver it authenticated. */
export interface GivenAnswer {
  readonly approver: string;
  readonly answer: "approve" | "deny";
  readonly why: string | null;
  readonly at: number;
  readonly jws: string;
  /** The caller's name, and the names that its person has besides: one person answers once. */
  readonly names?: readonly string[];
}

export interface ApprovalRecord {
  /** UUIDv7. */
  readonly id: string;
  readonly tenant: string;
  readonly call: string;
  readonly session: string;
  readonly agent: string | null;
  readonly tool: string;
  /** Who proposed the call, by caller's name and principal's id: may not approve it. */
  readonly caller: string;
  readonly principal: string | null;
  /** The names that the proposing caller's person has besides. */
  readonly person?: readonly string[];
  /** The argument digest of the call, by which a retry finds the question. */
  readonly digest: string;
  /** The core's question (chapter 4) and its token (chapter 3). */
  readonly question: unknown;
  readonly confirmation: string;
  /** Where each mark came from, as a sentence. */
  readonly marks: readonly { readonly label: string; readonly text: string; readonly step: number | null }[];
  /** The tool's compiled snapshot, its listing, and the policy's id when asked. */
  readonly snapshot: string | null;
  readonly listing: string | null;
  readonly policy: string;
  /** The policy's approval.mode when asked: of `signed`, each answer is a signed approval. */
  readonly mode?: "token" | "signed";
  /** What a person is told beside the question: why it is asked again, or which hook wants it asked; null where there is nothing to add. */
  readonly note?: string | null;
  /** How many different approvers are wanted, and who may be one; empty for anybody granted `approve`. */
  readonly count: number;
  readonly deciders: readonly string[];
  readonly askedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  state: ApprovalState;
  answers: GivenAnswer[];
  /** The call that an edit makes. */
  editedInto: string | null;
  /** Whose edit it was, and the arguments as they edited them (canonical JSON text). */
  edit?: { readonly by: string; readonly approver: string; readonly principal: string | null; readonly arguments: string };
  decidedAt: number | null;
  /** The kill switch that stops the call of an open question now, where one does. Made when it is read. */
  readonly stopped?: { readonly kill: string; readonly why: string; readonly by: string; readonly at: number };
}

/** A member of a listing that differs: JSON texts, null where it is not there. */
export interface ListingChange {
  /** A JSON Pointer into the listing. */
  readonly pointer: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a held listing asks a person: the old listing and the new one, as JSON texts. */
export interface ListingRecord {
  readonly tenant: string;
  readonly tool: string;
  readonly server: string;
  readonly approved: { readonly digest: string; readonly listing: string; readonly by: string; readonly at: number } | null;
  readonly pending: { readonly digest: string; readonly listing: string; readonly seenAt: number } | null;
  /** What differs between the two, where a person is asked; every member where nothing was approved before. Made when it is read. */
  readonly changes?: readonly ListingChange[];
}
