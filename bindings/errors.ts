// The one error the bindings throw: a stable code, a sentence that says what to do, and where.

/** A problem of a policy, as the core tells it: `pointer` is RFC 6901, into the policy. */
export interface PolicyProblem {
  code: string;
  message: string;
  pointer: string;
}

/** What an error may carry besides its code and message. */
export interface ErrorPlace {
  /** RFC 6901, into the document that was read. */
  pointer?: string | undefined;
  /** Bytes from the start of the text that was read. */
  offset?: number | undefined;
  /** Every problem of a policy, where the code is `policy_invalid`. */
  problems?: readonly PolicyProblem[] | undefined;
  cause?: unknown;
}

/**
 * An error of the core (chapter 1: `json_…`; chapter 2: `policy_invalid`; chapter 3: `history_invalid`, `outcome_…`, `keys_…`; chapter 4: `request_invalid`),
 * or of the binding itself: `core_trapped`, `core_version`, `json_value`, `handle_closed`, `check_truth_value`. An error is never a decision: nothing may run after one.
 */
export class InterlockError extends Error {
  override readonly name = "InterlockError";
  readonly code: string;
  readonly pointer: string | undefined;
  readonly offset: number | undefined;
  readonly problems: readonly PolicyProblem[] | undefined;

  constructor(code: string, message: string, place: ErrorPlace = {}) {
    super(message, place.cause === undefined ? undefined : { cause: place.cause });
    this.code = code;
    this.pointer = place.pointer;
    this.offset = place.offset;
    this.problems = place.problems;
  }
}

/** The error in a document that the core answered: `{"code","message","offset"?,"pointer"?,"problems"?}`. */
export function errorOf(document: string): InterlockError {
  const { code, message, ...place } = JSON.parse(document) as { code: string; message: string } & ErrorPlace;
  return new InterlockError(code, message, place);
}
