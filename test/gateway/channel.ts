// A gateway in a process of its own, from its side: the door that opens onto the process's channel, and the answers to what is asked over it.
import type { Caller, Gateway } from "../../hosts/gateway/gateway.ts";
import type { Door, DoorParts } from "../../hosts/gateway/start.ts";
import type { Log } from "../../hosts/gateway/telemetry/log.ts";

let parts: DoorParts | null = null;

/** The one door of the process's gateway. */
export const door: Door = {
  name: "channel",
  open: async (given) => {
    parts = given;
    return { where: "the process's channel", close: async () => undefined };
  },
};

/** Errors alone, on standard error. */
export const log: Log = (level, event, more) => void (level === "error" && process.stderr.write(`${event} ${JSON.stringify(more)}\n`));

/** A caller's set of grants comes over the channel as a list. */
function whole(arg: unknown): unknown {
  const { may } = (arg ?? {}) as { may?: unknown };
  return Array.isArray(may) ? ({ ...(arg as object), may: new Set(may) } as unknown as Caller) : arg;
}

/** Asks the gateway that was started: one of its own functions, or `audit` for lines of the shop's log. */
export async function asked(op: "audit" | keyof Gateway, args: readonly unknown[], ...more: readonly unknown[]): Promise<unknown> {
  if (parts === null) throw new Error("start first");
  if (op === "audit") return parts.engine.audit("shop", ...(args as [number, number]));
  return (parts.gateway[op] as (...given: readonly unknown[]) => Promise<unknown>)(...args.map(whole), ...more);
}

/** Answers each message of the channel from now on. */
export function answerAll<Message extends { readonly id: number }>(answer: (message: Message) => Promise<unknown>): void {
  process.on("message", (message: Message) => {
    answer(message).then(
      (ok) => process.send!({ id: message.id, ok: ok ?? null }),
      (error: Error & { code?: string; detail?: unknown }) => process.send!({ id: message.id, error: { code: error.code ?? "internal", message: error.stack ?? error.message, detail: error.detail } }),
    );
  });
  process.on("disconnect", () => process.exit(0));
  process.send!({ id: 0, ok: "loaded" });
}
