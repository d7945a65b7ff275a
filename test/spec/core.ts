// A driver of requests for the specification's suites: their parsed answers, or the `ok` or the `error` that a case expects.

import { Core } from "../setup/core.ts";

// JSON of any shape: a case looks inside answers whose shape is what it tests.
export type Json = any;

/** Requests in, parsed answers out. */
export class Driver extends Core {
  /** The parsed answer line to one request. */
  send(request: Json): Json {
    return JSON.parse(this.line(JSON.stringify({ id: 1, ...request })));
  }

  /** The `ok` of the answer; an error is thrown with its code and its pointer. */
  ok(request: Json): Json {
    const answer = this.send(request);
    if (!("ok" in answer)) throw new Error(JSON.stringify(answer.error));
    return answer.ok;
  }

  /** The `error` of the answer; anything else is thrown. */
  error(request: Json): Json {
    const answer = this.send(request);
    if (!("error" in answer)) throw new Error(`not an error: ${JSON.stringify(answer.ok)}`);
    return answer.error;
  }
}
