// Passes a server's sampling request on to the client whose call it belongs to, where the settings say so.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import type { Relays } from "./relay.ts";

/** Answers a server's `sampling/createMessage`. `inHand` are the requests of the calls that the server is making now. */
export type Sampling = (inHand: readonly string[], params: unknown) => Promise<unknown>;

/** Passes on where the server makes exactly one call whose client takes such questions: with several nobody knows whose it is, and it is refused. */
export function samplingTo(relays: Relays): Sampling {
  return async (inHand, params) => {
    const ask = inHand.length === 1 ? (relays.get(inHand[0]!)?.ask ?? null) : null;
    if (ask === null) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "sampling is refused: it belongs to no one call whose client answers it");
    return ask("sampling/createMessage", params);
  };
}
