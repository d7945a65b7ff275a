// A gateway in a process of its own, started and asked over the process's channel.
import type { Caller, Gateway } from "../../../../hosts/gateway/gateway.ts";
import { type Door, type DoorParts, type Started, startGateway } from "../../../../hosts/gateway/start.ts";
import type { ToolSettings } from "../../../../hosts/gateway/config/settings.ts";
import { type EngineSettings, settingsOf } from "./shop.ts";

export interface Begin {
  readonly folder: string;
  readonly url: string;
  readonly engine: EngineSettings;
  readonly tools?: Partial<ToolSettings>;
}

export type Asked = { readonly id: number; readonly op: "start"; readonly args: readonly [Begin] } | { readonly id: number; readonly op: "stop" | "audit" | "abort" | keyof Gateway; readonly args: readonly unknown[] };

let parts: DoorParts | null = null;
let started: Started | null = null;
const waiting = new Map<number, AbortController>();
const door: Door = {
  name: "channel",
  open: async (given) => {
    parts = given;
    return { where: "the process's channel", close: async () => undefined };
  },
};

/** A caller's set of grants comes over the channel as a list. */
function whole(arg: unknown): unknown {
  const { may } = (arg ?? {}) as { may?: unknown };
  return Array.isArray(may) ? ({ ...(arg as object), may: new Set(may) } as unknown as Caller) : arg;
}

async function answer(asked: Asked): Promise<unknown> {
  if (asked.op === "start") {
    const [{ folder, url, engine, tools }] = asked.args;
    const settings = settingsOf(folder, url, engine, tools);
    started = await startGateway({ settings: () => settings, doors: [door], log: (level, event, more) => void (level === "error" && process.stderr.write(`${event} ${JSON.stringify(more)}\n`)), version: "0", core: "core" });
    return null;
  }
  if (asked.op === "stop") return started?.stop(...(asked.args as [number]));
  if (asked.op === "abort") return waiting.get(asked.args[0] as number)?.abort();
  if (parts === null) throw new Error("start first");
  if (asked.op === "audit") return parts.engine.audit("shop", ...(asked.args as [number, number]));
  const args = asked.args.map(whole);
  if (asked.op === "call") {
    const abort = new AbortController();
    waiting.set(asked.id, abort);
    args.push(abort.signal);
  }
  return (parts.gateway[asked.op] as (...given: readonly unknown[]) => Promise<unknown>)(...args);
}

process.on("message", (asked: Asked) => {
  answer(asked).then(
    (ok) => process.send!({ id: asked.id, ok: ok ?? null }),
    (error: Error & { code?: string }) => process.send!({ id: asked.id, error: { code: error.code ?? "internal", message: error.stack ?? error.message } }),
  );
});
process.on("disconnect", () => process.exit(0));
process.send!({ id: 0, ok: "loaded" });
