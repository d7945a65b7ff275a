// A gateway in a process of its own, started and asked over the process's channel.
import type { Gateway } from "../../../../hosts/gateway/gateway.ts";
import { type Started, startGateway } from "../../../../hosts/gateway/start.ts";
import type { ToolSettings } from "../../../../hosts/gateway/config/settings.ts";
import { answerAll, asked, door, log } from "../../channel.ts";
import { type EngineSettings, settingsOf } from "./shop.ts";

export interface Begin {
  readonly folder: string;
  readonly url: string;
  readonly engine: EngineSettings;
  readonly tools?: Partial<ToolSettings>;
}

export type Asked = { readonly id: number; readonly op: "start"; readonly args: readonly [Begin] } | { readonly id: number; readonly op: "stop" | "audit" | "abort" | keyof Gateway; readonly args: readonly unknown[] };

let started: Started | null = null;
const waiting = new Map<number, AbortController>();

async function answer(message: Asked): Promise<unknown> {
  if (message.op === "start") {
    const [{ folder, url, engine, tools }] = message.args;
    const settings = settingsOf(folder, url, engine, tools);
    started = await startGateway({ settings: () => settings, doors: [door], log, version: "0", core: "core" });
    return null;
  }
  if (message.op === "stop") return started?.stop(...(message.args as [number]));
  if (message.op === "abort") return waiting.get(message.args[0] as number)?.abort();
  if (message.op !== "call") return asked(message.op, message.args);
  const abort = new AbortController();
  waiting.set(message.id, abort);
  return asked(message.op, message.args, abort.signal);
}

answerAll(answer);
