// Tells when a server goes down, and when it is up again: once each, whatever it lists in between.
import type { McpUpstream } from "./upstream.ts";

/** Calls `tell` at each change; `why` says what is wrong with a server that is down. Answers with what ends it. */
export function tellStates(upstream: Pick<McpUpstream, "onChanged" | "states">, tell: (change: { readonly tenant: string; readonly server: string; readonly up: boolean; readonly why: string }) => void): () => void {
  const known = new Map<string, boolean>();
  return upstream.onChanged((tenant, server) => {
    const state = upstream.states(tenant)[server];
    const [, word, why = ""] = /^(up|down|connecting again): ([\s\S]*)$/.exec(state ?? "") ?? [];
    if (word === undefined) return;
    const up = word === "up";
    const key = JSON.stringify([tenant, server]);
    if (known.get(key) === up) return;
    known.set(key, up);
    tell({ tenant, server, up, why });
  });
}
