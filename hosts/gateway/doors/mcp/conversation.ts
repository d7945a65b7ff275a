// One client's connection: takes its tool calls, its cancellations and its answers to our questions past the protocol library.
import { randomUUID } from "node:crypto";
import type { Caller } from "../../gateway.ts";
import { callTool, type Line } from "./calls.ts";
import type { Asks } from "./elicit.ts";
import { errorMessage, type Incoming, INVALID_REQUEST, outgoing, resultMessage, RpcError } from "./message.ts";
import type { McpParts } from "./parts.ts";

/** Calls of one connection in hand at once. */
const IN_HAND = 256;
/** The ids of our own requests to clients begin so. */
const OURS = "interlock-";
/** How long a client may take to answer a question, in milliseconds. */
const ANSWER_MS = 10 * 60_000;

/** Sends the client a text about one request. */
export type Out = (text: string) => void;

export class Conversation {
  /** The name of the conversation's session. */
  readonly name: string;
  readonly #parts: McpParts;
  /** Who the client is now: other settings may have given its key other rights, agents or another person. */
  caller: Caller;
  readonly #inHand = new Map<string, AbortController>();
  readonly #asked = new Map<string, { resolve(value: unknown): void; reject(error: Error): void }>();
  #takes: { url: boolean; form: boolean; sampling: boolean } = { url: false, form: false, sampling: false };
  #initialized = false;
  #next = 0;
  #closed = false;

  constructor(parts: McpParts, caller: Caller, name: string = `mcp-${randomUUID()}`) {
    this.#parts = parts;
    this.caller = caller;
    this.name = name;
  }

  /** Calls in hand. */
  get busy(): boolean {
    return this.#inHand.size > 0;
  }

  /** Whether `initialize` was seen: then the connection speaks the older revisions. */
  get initialized(): boolean {
    return this.#initialized;
  }

  /** Looks at an `initialize` on its way to the library. */
  initialize(incoming: Incoming): void {
    const { capabilities } = (incoming.value["params"] ?? {}) as { capabilities?: { elicitation?: { url?: unknown; form?: unknown }; sampling?: unknown } };
    const elicitation = capabilities?.elicitation;
    const is = (value: unknown) => typeof value === "object" && value !== null;
    this.#takes = { url: is(elicitation?.url), form: is(elicitation) && (is(elicitation?.form) || elicitation?.url === undefined), sampling: is(capabilities?.sampling) };
    this.#initialized = true;
  }

  /** Makes a tool call and sends its answer, unless the client cancelled it. Never rejects. */
  async call(incoming: Incoming, era: Line["era"], out: Out, takesInput = false): Promise<void> {
    const id = incoming.id;
    if (id === null) return;
    if (this.#inHand.has(id)) return out(errorMessage(id, new RpcError(INVALID_REQUEST, "a request with this id is still in hand")));
    if (this.#inHand.size >= IN_HAND) return out(errorMessage(id, new RpcError(-32000, `${IN_HAND} calls are in hand: wait for one of them`)));
    const controller = new AbortController();
    this.#inHand.set(id, controller);
    const line: Line = {
      caller: this.caller,
      conversation: this.name,
      era,
      signal: controller.signal,
      notify: (text) => {
        if (!controller.signal.aborted) out(text);
      },
      asks: era === "legacy" ? this.#asks(out) : null,
      takesInput,
    };
    try {
      const result = await callTool(this.#parts, incoming.params, line);
      if (!controller.signal.aborted) out(resultMessage(id, era === "modern" ? stamped(result, this.#parts.version) : result));
    } catch (error) {
      if (!controller.signal.aborted) out(errorMessage(id, error));
    } finally {
      this.#inHand.delete(id);
    }
  }

  /** Takes a cancellation of a call in hand, or an answer to a question of ours. False: it is the library's. */
  takes(incoming: Incoming): boolean {
    if (incoming.method === "notifications/cancelled") {
      const { requestId } = (incoming.value["params"] ?? {}) as { requestId?: unknown };
      return this.cancel(JSON.stringify(requestId) ?? "");
    }
    const { id } = incoming.value;
    if (incoming.method !== null || typeof id !== "string" || !id.startsWith(OURS)) return false;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (incoming.value["error"] !== undefined) asked?.reject(new Error("the client refused"));
    else asked?.resolve(incoming.value["result"]);
    return true;
  }

  /** Cancels a call in hand by its id's text; false where there is none. */
  cancel(id: string): boolean {
    const controller = this.#inHand.get(id);
    controller?.abort();
    return controller !== undefined;
  }

  /** Ends the conversation: its calls are cancelled at their tools. */
  close(): void {
    this.#closed = true;
    for (const controller of this.#inHand.values()) controller.abort();
    for (const { reject } of this.#asked.values()) reject(new Error("the client is gone"));
    this.#asked.clear();
  }

  #asks(out: Out): Asks {
    return {
      ...this.#takes,
      ask: (method, params) =>
        new Promise((resolve, reject) => {
          if (this.#closed) return reject(new Error("the client is gone"));
          const id = `${OURS}${++this.#next}`;
          const late = setTimeout(() => this.#asked.delete(id) && reject(new Error("the client did not answer")), ANSWER_MS);
          late.unref?.();
          const over = <T>(settle: (value: T) => void) => (value: T) => (clearTimeout(late), settle(value));
          this.#asked.set(id, { resolve: over(resolve), reject: over(reject) });
          out(outgoing(method, params, id));
        }),
    };
  }
}

/** A result as 2026-07-28 wants it: with its type, and who answers. */
function stamped(result: string, version = "1"): string {
  const type = result.startsWith('{"resultType":') ? "" : '"resultType":"complete",';
  return `{${type}"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"interlock","version":${JSON.stringify(version)}}},${result.slice(1)}`;
}
