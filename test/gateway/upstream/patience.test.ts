// Servers that keep others waiting, or tell things without end: nobody else is held up by them.
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { requestOf } from "../../../hosts/gateway/upstream/http-tool.ts";
import { createUpstream, type McpUpstream } from "../../../hosts/gateway/upstream/upstream.ts";
import { script, send, tenant } from "./tenant.ts";

const HOSTILE = fileURLToPath(new URL("hostile.mjs", import.meta.url));
const text = (result: string | undefined) => (JSON.parse(result ?? "{}") as { content: { text: string }[] }).content?.[0]?.text;
let upstream: McpUpstream;

/** Starts a server with these hostile tools, and beside it an honest one. */
async function start(tools: readonly string[], stderr?: (text: string) => void): Promise<void> {
  const servers = { bad: script("bad", HOSTILE, [], { HOSTILE_TOOLS: tools.join(",") }), good: script("good", HOSTILE, [], { HOSTILE_TOOLS: "echo,is_error" }) };
  upstream = createUpstream(tenant(servers), stderr === undefined ? {} : { stderr: (_tenant, _server, said) => stderr(said) });
  expect((await upstream.listed("shop")).length).toBe(tools.length + 2);
}

afterEach(async () => {
  vi.useRealTimers();
  await upstream.close();
});

/** Lets the listings grow old. */
function later(): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: now + 61_000 });
}

it("a server that no longer answers when asked for its list keeps the one it had, and holds up a listing of all once", async () => {
  await start(["list_silently"]);
  await send(upstream, "list_silently", "{}");
  later();
  expect((await upstream.listed("shop")).map(({ tool }) => tool).sort()).toEqual(["echo", "is_error", "list_silently"]);
  // The question is still out: from here on nobody waits for it.
  for (let again = 0; again < 10; again++) expect(await upstream.listed("shop")).toHaveLength(3);
  expect((await send(upstream, "echo", "{}")).status).toBe("ran");
}, 20_000);

it("a list that does not end is cut off, and says so", async () => {
  await start(["list_endlessly", "how_many_listings"]);
  await send(upstream, "list_endlessly", "{}");
  later();
  expect((await upstream.listed("shop")).map(({ tool }) => tool).sort()).toEqual(["echo", "is_error"]);
  expect(upstream.states("shop")["bad"]).toContain("its listing does not end");
});

it("a server that says without end that its tools changed is asked once a second, and its last list is the one that is known", async () => {
  await start(["changes_flood", "how_many_listings"]);
  const asked = Number(text((await send(upstream, "changes_flood", "{}")).result));
  expect(asked).toBeLessThanOrEqual(4);
  await vi.waitFor(async () => expect((await upstream.tool("shop", "changes_flood"))!.listing).toContain('"changed 19"'), { timeout: 5000 });
});

it("progress without end fills nobody's queue, and never goes back", async () => {
  await start(["progress_flood"]);
  const told: number[] = [];
  expect((await send(upstream, "progress_flood", "{}", { progress: (progress) => told.push(progress) })).status).toBe("ran");
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThan(500);
  expect(told).toEqual([...told].sort((a, b) => a - b));
});

it("a task that goes on, and a proxy that lost its server, leave the outcome unknown", async () => {
  await start(["task", "closed_behind"]);
  expect(await send(upstream, "task", "{}")).toMatchObject({ status: "outcome_unknown", error: { code: "result_malformed" } });
  expect(await send(upstream, "closed_behind", "{}")).toMatchObject({ status: "outcome_unknown", error: { code: "tool_unreachable" } });
});

it("a server that ends while something it started holds its output open is gone, and what it started is ended", async () => {
  let child = 0;
  await start(["leaves_a_child"], (said) => (child = Number(/child (\d+)/.exec(said)?.[1] ?? child)));
  expect(await send(upstream, "leaves_a_child", "{}")).toMatchObject({ status: "outcome_unknown", error: { code: "tool_unreachable" } });
  await vi.waitFor(() => expect(() => process.kill(child, 0)).toThrow(), { timeout: 5000 });
});

it("an argument does not say again what an HTTP tool's address says", () => {
  const settings = { method: "GET" as const, url: "https://api.example/v1/find?tenant=shop", headers: {}, idempotencyHeader: null, reconcile: null };
  expect(requestOf(settings, '{"q":"x"}').url.href).toBe("https://api.example/v1/find?tenant=shop&q=x");
  for (const name of ["tenant", "TENANT"]) expect(() => requestOf(settings, `{"${name}":"other"}`)).toThrow("no argument may say it too");
});
