// What a web host answers where it does not answer a decision: a status and a coded error in JSON.

/** Where and why, besides the code and the message. */
export interface FailureMore {
  pointer?: string | undefined;
  offset?: number | undefined;
  detail?: unknown;
  headers?: Readonly<Record<string, string>> | undefined;
  /** For the operator's log, not for the answer. */
  cause?: unknown;
}

/** A request that gets no decision. Nothing was decided, and nothing may run. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly status: number;
  readonly code: string;
  readonly more: FailureMore;

  constructor(status: number, code: string, message: string, more: FailureMore = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

/** Headers of every answer: it is for its caller alone, and no page may read it (there is no CORS header anywhere). */
const PRIVATE = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

const texts = new WeakMap<Response, string>();

/** A JSON answer; `text` goes out as it stands. */
export function jsonResponse(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  const response = new Response(text, { status, headers: { "content-type": "application/json", ...PRIVATE, ...headers } });
  texts.set(response, text);
  return response;
}

/** The text of a JSON answer, for a server that can send it past the answer's stream; null of any other answer, and of one that was read. */
export function sendable(response: Response): string | null {
  return response.bodyUsed ? null : (texts.get(response) ?? null);
}

/** The answer to a failure: `{"error":{"code","message","pointer"?,"offset"?,"detail"?}}`. */
export function failureResponse({ status, code, message, more: { headers, cause: _, ...place } }: Failure): Response {
  return jsonResponse(status, JSON.stringify({ error: { code, message, ...place } }), headers);
}
