// An attempt to connect to a server: what others wait for, and what its failure says.

/** An attempt to connect, which others wait for. */
export class Attempt {
  end: () => void = () => undefined;
  readonly over = new Promise<void>((resolve) => {
    this.end = resolve;
  });
}

/** A failure in words that say what to look at. */
export function said(error: unknown): string {
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
  if (code === "ENOENT") return "there is no such program, or no such folder to start it in";
  if (code === "EACCES") return "it may not be started";
  return message.slice(0, 300);
}
