// A gateway in a process of its own that kills itself at the step it was told: started and asked over the process's channel.
import type { Engine } from "../../../../hosts/gateway/engine/port.ts";
import { SqliteEngine } from "../../../../hosts/gateway/engine/sqlite.ts";
import type { Gateway } from "../../../../hosts/gateway/gateway.ts";
import { startGateway } from "../../../../hosts/gateway/start.ts";
import { McpUpstream } from "../../../../hosts/gateway/upstream/upstream.ts";
import { answerAll, asked, door, log } from "../../channel.ts";
import { settingsOf } from "./shop.ts";

/** Where the process is to end: at the nth time it comes to a step. */
export interface Plan {
  readonly step: string;
  readonly nth: number;
}

export type Asked =
  | { readonly id: number; readonly op: "start"; readonly folder: string; readonly url: string; readonly plan: Plan | null }
  | { readonly id: number; readonly op: "plan"; readonly plan: Plan | null }
  | { readonly id: number; readonly op: "steps" }
  | { readonly id: number; readonly op: "audit"; readonly args: readonly unknown[] }
  | { readonly id: number; readonly op: keyof Gateway; readonly args: readonly unknown[] };

let plan: Plan | null = null;
let steps: string[] = [];

/** Every step by its name; at the one that was told, the process is killed as it is. */
function reach(step: string): void {
  steps.push(step);
  if (plan?.step !== step || steps.filter((before) => before === step).length !== plan.nth) return;
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

// The steps around each commit of the store and each sending are told by what stands in front of them here; the product knows nothing of it.
const commit = SqliteEngine.prototype.commit;
SqliteEngine.prototype.commit = async function (this: SqliteEngine, asked: Parameters<Engine["commit"]>[0]) {
  const names = [...new Set((asked.audit ?? []).map(({ event }) => event))].join("+") || "records";
  reach(`before ${names}`);
  const committed = await commit.call(this, asked);
  reach(`after ${names}`);
  return committed;
};
const run = SqliteEngine.prototype.runAt;
SqliteEngine.prototype.runAt = async function (this: SqliteEngine, tenant: string, call: string, at: number) {
  reach(at === 0 ? "before run" : "before run later");
  await run.call(this, tenant, call, at);
};
const send = McpUpstream.prototype.send;
McpUpstream.prototype.send = async function (this: McpUpstream, ...args: Parameters<McpUpstream["send"]>) {
  reach("before send");
  const sent = await send.apply(this, args);
  reach("after send");
  return sent;
};

async function answer(message: Asked): Promise<unknown> {
  if (message.op === "start") {
    ({ plan } = message);
    const settings = settingsOf(message.folder, message.url);
    await startGateway({ settings: () => settings, doors: [door], log, version: "0", core: "core", crash: (point) => reach(`at ${point}`) });
    return null;
  }
  if (message.op === "plan") {
    ({ plan } = message);
    steps = [];
    return null;
  }
  if (message.op === "steps") return steps;
  return asked(message.op, message.args);
}

answerAll(answer);
