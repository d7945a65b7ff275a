// The exit codes, and the error that ends a command with a sentence instead of a stack.

/** What the process ends with. */
export const EXIT = {
  /** Allowed, valid, or simply done. */
  ok: 0,
  /** The tool itself failed: a wrong flag, a file that cannot be read, a server that does not start. */
  failed: 1,
  /** Refused, not valid, or not as expected. */
  refused: 2,
  /** A person has to answer first. */
  person: 3,
  /** Left by Ctrl-C, with everything put away. */
  interrupted: 130,
} as const;

export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** A failure that people can mend: `code` is stable, the message says what is wrong, `hint` what to do. Ends with exit code 1. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** The exit code of a decision. */
export function exitOf(decision: string): Exit {
  return decision === 'allow' ? EXIT.ok : decision === 'confirm' ? EXIT.person : EXIT.refused;
}
