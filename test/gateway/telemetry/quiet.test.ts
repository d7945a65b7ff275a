// A whole gateway is searched for a secret argument: every line of its log at the finest level, everything it sends to a collector, and its metrics; and a collector that hangs or is gone holds up no call.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Gateway } from "../../../hosts/gateway/gateway.ts";
import { createTelemetry } from "../../../hosts/gateway/telemetry/telemetry.ts";
import { callRecord } from "../call.ts";
import { APPROVER } from "../flow/shop.ts";
import { House } from "../start/house.ts";

const SECRET = "s3cr3t-4111-1111";
let got: string[];
let collector: Server;
/** How many deliveries are answered; the rest hang. */
let answers: boolean;

beforeEach(async () => {
  got = [];
  answers = true;
  collector = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      got.push(Buffer.concat(parts).toString("latin1"));
      if (answers) response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((listening) => collector.listen(0, "127.0.0.1", listening));
});
afterEach(() => {
  collector.closeAllConnections();
  collector.close();
});

const otlp = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

/** Calls of every kind of end, each with the secret in what the model wrote. */
async function every(house: House): Promise<readonly string[]> {
  const path = join(house.files, SECRET);
  const kinds: string[] = [];
  const end = async (call: Promise<{ kind: string }>): Promise<void> => void kinds.push(await call.then(({ kind }) => kind, ({ code }: { code: string }) => code));
  await end(house.call("write_file", { path: join(house.files, "a.txt"), content: 7, [SECRET]: SECRET }));
  await end(house.call("read_text_file", { path }));
  await end(house.call(SECRET, { path }));
  await end(house.call("list_directory", `{"path":"${path}","path":"${path}"}`));
  await end(house.call("search_files", { path: house.files, pattern: SECRET }));
  const denied = await house.call("write_file", { path, content: SECRET });
  kinds.push(denied.kind);
  await house.parts!.gateway.decide(APPROVER, (denied as { approval: string }).approval, { answer: "deny", why: "no" });
  const made = await house.call("write_file", { path: `${path}.txt`, content: SECRET });
  kinds.push(made.kind);
  await house.parts!.gateway.decide(APPROVER, (made as { approval: string }).approval, { answer: "approve" });
  kinds.push((await house.parts!.gateway.outcome("shop", made.call.id, 20_000))!.kind);
  return kinds;
}

it("nothing of what a model wrote is in the log, in traces or in metrics", async () => {
  const house = new House();
  try {
    await house.make(`telemetry: {otlp: "${otlp()}", log_level: debug}\n`);
    await house.start();
    expect(await every(house)).toEqual(["refused", "result", "refused", "json_duplicate", "result", "pending", "pending", "result"]);
    const metrics = await house.parts!.telemetry.prometheus("shop");
    await house.stop();
    const sent = got.join("\n");
    // All of it was there to be searched.
    expect(sent).toContain("execute_tool read_text_file");
    expect(metrics).toContain("interlock_refusals_total");
    expect(house.lines.length).toBeGreaterThan(10);
    for (const text of [sent, metrics, JSON.stringify(house.lines)]) expect(text).not.toContain(SECRET);
  } finally {
    await house.remove();
  }
});

it("where the settings let values be told, spans have them, and nothing else", async () => {
  const house = new House();
  try {
    await house.make(`telemetry: {otlp: "${otlp()}", argument_values: true}\n`);
    await house.start();
    await every(house);
    const metrics = await house.parts!.telemetry.prometheus("shop");
    await house.stop();
    expect(got.join("\n")).toContain(SECRET);
    expect(metrics).not.toContain(SECRET);
  } finally {
    await house.remove();
  }
});

it.each(["hangs", "is gone"])("a collector that %s holds up neither calls nor the stop", async (how) => {
  answers = false;
  const url = otlp();
  if (how === "is gone") {
    collector.closeAllConnections();
    collector.close();
  }
  const gateway = { call: async () => ({ kind: "result", call: callRecord({ state: "done" }), result: "{}", failed: false }) } as unknown as Gateway;
  const telemetry = createTelemetry({ otlp: url, argumentValues: false }, { version: "0.0.0", deliveryMs: 50 });
  const over = telemetry.over(gateway);
  // More than any queue of spans holds.
  for (let index = 0; index < 5_000; index++) expect((await over.call(callRecord())).kind).toBe("result");
  expect(await telemetry.prometheus("shop")).toContain("interlock_calls_total");
  await telemetry.close();
});
