// MCP servers over stdio behind the gateway: an honest one, and one that breaks the protocol in every way it can.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical, listingOf } from "../../../hosts/gateway/upstream/canonical.ts";
import { StdioWire } from "../../../hosts/gateway/upstream/stdio.ts";
import { createUpstream, type McpUpstream } from "../../../hosts/gateway/upstream/upstream.ts";
import { script, send, tenant, TOOL } from "./tenant.ts";

const FILES = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const HOSTILE = fileURLToPath(new URL("hostile.mjs", import.meta.url));
const TOOLS = [
  "echo", "digits", "wrong_id", "stolen_id", "duplicate", "two_results", "both", "batch", "huge", "huge_id_first", "endless", "bad_utf8", "cut_short", "no_json", "junk", "deep", "deep_notification",
  "no_object", "no_parts", "is_error", "error", "hang", "exit", "asks", "progress", "was_cancelled", "change", "flood",
];
const SOON = { ...TOOL, timeoutMs: 400 };
const text = (result: string | undefined) => (JSON.parse(result ?? "{}") as { content: { text: string }[] }).content?.[0]?.text;

describe("the filesystem server", () => {
  const folder = mkdtempSync(join(tmpdir(), "interlock-files-"));
  writeFileSync(join(folder, "a.txt"), "what is in it");
  const upstream = createUpstream(tenant({ files: script("files", FILES, [folder]) }));
  afterAll(() => upstream.close());

  it("lists its tools with the digest of each listing", async () => {
    const listed = await upstream.listed("shop");
    expect(listed.map(({ tool }) => tool)).toContain("read_text_file");
    for (const { name, listing, digest } of listed) {
      expect(canonical(listing)).toBe(listing);
      expect(Object.keys(JSON.parse(listing)).every((member) => ["name", "title", "description", "inputSchema", "outputSchema", "annotations"].includes(member))).toBe(true);
      expect(listingOf(listing).digest, name).toBe(digest);
    }
    expect(await upstream.tool("shop", "no_such_tool")).toBeNull();
    expect(await upstream.listed("another")).toEqual([]);
  });

  it("makes calls, and gives a result's fields", async () => {
    const sent = await send(upstream, "read_text_file", JSON.stringify({ path: join(folder, "a.txt") }));
    expect(sent.status).toBe("ran");
    expect(text(sent.result)).toBe("what is in it");
    expect(JSON.parse(sent.fields!)).toEqual({ content: "what is in it" });
    await send(upstream, "write_file", JSON.stringify({ content: "written", path: join(folder, "b.txt") }));
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("written");
  });

  it("a tool that says it failed has failed; so has one that another listing was decided for", async () => {
    const sent = await send(upstream, "read_text_file", JSON.stringify({ path: join(folder, "missing.txt") }));
    expect(sent).toMatchObject({ status: "failed", error: { code: "tool_error" } });
    expect(await send(upstream, "write_file", JSON.stringify({ content: "x", path: join(folder, "c.txt") }), { listing: "another" })).toMatchObject({ status: "failed", error: { code: "listing_changed" } });
    expect(() => readFileSync(join(folder, "c.txt"))).toThrow();
  });
});

describe("a hostile server", () => {
  let upstream: McpUpstream;
  beforeAll(async () => {
    upstream = createUpstream(tenant({ bad: script("bad", HOSTILE, [], { HOSTILE_TOOLS: TOOLS.join(",") }) }));
    expect((await upstream.listed("shop")).length, upstream.states("shop")["bad"]).toBe(TOOLS.length);
  });
  afterAll(() => upstream.close());

  it("is sent the canonical text itself, and no member of ours but the operation", async () => {
    const args = '{"a":1e+22,"b":"\\u2028","z":{"10":1,"2":2,"__proto__":3}}';
    const raw = text((await send(upstream, "echo", args)).result)!;
    expect(raw).toContain(`"arguments":${args},`);
    expect(JSON.parse(raw).params._meta).toEqual({ "io.interlock/operation": "op-1" });
  });

  it("keeps every digit of a result", async () => {
    const sent = await send(upstream, "digits", "{}");
    expect(sent).toMatchObject({ status: "ran", fields: '{"id":12345678901234567890,"x":1.10}' });
    expect(sent.result).toBe('{"content":[],"structuredContent":{"id":12345678901234567890,"x":1.10}}');
  });

  it("answers with other ids are dropped, and so is a second answer", async () => {
    expect(text((await send(upstream, "wrong_id", "{}")).result)).toBe("own");
    expect(text((await send(upstream, "duplicate", "{}")).result)).toBe("first");
    expect(text((await send(upstream, "junk", "{}")).result)).toBe("after junk");
    expect(text((await send(upstream, "flood", "{}")).result)).toBe("flooded");
    expect(text((await send(upstream, "deep_notification", "{}")).result)).toBe("alive");
  });

  it("an answer nobody can be sure of leaves the outcome unknown", async () => {
    // Nothing is waited for that cannot come any more: the time limit of these calls is ten seconds, and none is "tool_timeout".
    for (const tool of ["two_results", "both", "no_object", "no_parts", "batch", "bad_utf8", "cut_short", "no_json"]) {
      expect(await send(upstream, tool, "{}"), tool).toMatchObject({ status: "outcome_unknown", error: { code: "result_malformed" } });
    }
    expect(await send(upstream, "stolen_id", "{}", { settings: SOON })).toMatchObject({ status: "outcome_unknown", error: { code: "tool_timeout" } });
  });

  it("a result over the limit is never held, whichever end its id stands at", async () => {
    for (const tool of ["huge", "huge_id_first"]) {
      const sent = await send(upstream, tool, "{}");
      expect(sent, tool).toMatchObject({ status: "outcome_unknown", error: { code: "result_too_large" } });
      expect(sent.result).toBeUndefined();
    }
    expect(await send(upstream, "digits", "{}", { settings: { ...TOOL, resultBytes: 16 } })).toMatchObject({ status: "outcome_unknown", error: { code: "result_too_large" } });
  });

  it("a result nested without end does no harm", async () => {
    const sent = await send(upstream, "deep", "{}");
    expect(sent.status).toBe("ran");
  });

  it("an error before the tool ran, and a tool's own failure, are failures", async () => {
    expect(await send(upstream, "error", "{}")).toMatchObject({ status: "failed", error: { code: "tool_refused" } });
    const failed = await send(upstream, "is_error", "{}");
    expect(failed).toMatchObject({ status: "failed", error: { code: "tool_error" } });
    expect(JSON.parse(failed.result!)).toEqual({ content: [{ type: "text", text: "it went wrong" }], isError: true });
  });

  it("its own requests are refused", async () => {
    expect(text((await send(upstream, "asks", "{}")).result)).toBe("ask-0:-32601 ask-1:-32601 ask-2:-32601");
  });

  it("a time limit and a cancellation reach it, and leave the outcome unknown; before anything was sent nothing ran", async () => {
    expect(await send(upstream, "hang", "{}", { settings: SOON })).toMatchObject({ status: "outcome_unknown", error: { code: "tool_timeout" } });
    expect(text((await send(upstream, "was_cancelled", "{}")).result)).toBe("the tool did not answer within 400 ms");
    const stop = new AbortController();
    const sending = send(upstream, "hang", "{}", { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect(await sending).toMatchObject({ status: "outcome_unknown", error: { code: "tool_cancelled" } });
    expect(text((await send(upstream, "was_cancelled", "{}")).result)).toBe("it was cancelled while the tool ran");
    expect(await send(upstream, "hang", "{}", { signal: AbortSignal.abort() })).toMatchObject({ status: "failed", error: { code: "tool_cancelled" } });
  });

  it("progress reaches the call that it names, and no other", async () => {
    const told: unknown[] = [];
    await send(upstream, "progress", "{}", { progress: (...progress) => told.push(progress) });
    expect(told).toEqual([[1, 2, "half"]]);
  });

  it("a changed listing is told, and has another digest", async () => {
    const before = await upstream.tool("shop", "echo");
    const changed = new Promise<string>((resolve) => upstream.onChanged((tenantName, server) => resolve(`${tenantName}/${server}`)));
    await send(upstream, "change", "{}");
    expect(await changed).toBe("shop/bad");
    const after = await upstream.tool("shop", "echo");
    expect(after!.digest).not.toBe(before!.digest);
    expect(after!.listing).toContain("ignore what you were told");
    expect(await send(upstream, "echo", "{}", { listing: before!.digest })).toMatchObject({ status: "failed", error: { code: "listing_changed" } });
  });

  it("what it writes without end is passed over, and it goes on being served or is started again", async () => {
    expect(await send(upstream, "endless", "{}", { settings: SOON })).toMatchObject({ status: "outcome_unknown" });
  });

  it("one that ends during a call leaves the outcome unknown, and is started again", async () => {
    expect(await send(upstream, "exit", "{}")).toMatchObject({ status: "outcome_unknown", error: { code: "tool_unreachable" } });
    expect(await send(upstream, "echo", "{}")).toMatchObject({ status: "failed", error: { code: "tool_unreachable" } });
    expect((await upstream.listed("shop")).length).toBe(TOOLS.length);
    expect((await send(upstream, "echo", "{}")).status).toBe("ran");
  });
});

it("a server whose first answer cannot be read is down at once, and says why", async () => {
  const upstream = createUpstream(tenant({ garbled: script("garbled", HOSTILE, [], { HOSTILE_GREETING: "garbled" }) }));
  try {
    expect(await upstream.listed("shop")).toEqual([]);
    expect(upstream.states("shop")["garbled"]).toContain("cannot be read");
  } finally {
    await upstream.close();
  }
});

it("a wire that was closed starts nothing and takes nothing: nobody waits for what cannot come", async () => {
  const settings = script("late", HOSTILE) as Extract<ReturnType<typeof script>, { kind: "stdio" }>;
  const never = new StdioWire(settings, { name: "test", version: "1" }, () => undefined);
  await never.close();
  await expect(never.start()).rejects.toMatchObject({ code: "tool_unreachable", out: false });
  expect(never.pid).toBeUndefined();
  const wire = new StdioWire(settings, { name: "test", version: "1" }, () => undefined);
  await wire.start();
  await wire.close();
  await expect(wire.send({ jsonrpc: "2.0", id: 0, method: "initialize" })).rejects.toMatchObject({ code: "tool_unreachable", out: false });
});

it("a program that is not there is a server that is down, and says why", async () => {
  const upstream = createUpstream(tenant({ none: { kind: "stdio", name: "none", prefix: null, command: "no-such-program-interlock", args: [], env: {}, cwd: null } }));
  try {
    expect(await upstream.listed("shop")).toEqual([]);
    expect(upstream.states("shop")["none"]).toContain("there is no such program");
  } finally {
    await upstream.close();
  }
});

it("a started server gets the settings' environment, and not the gateway's own", async () => {
  process.env["INTERLOCK_SECRET_OF_TESTS"] = "secret";
  const source = `require("fs").writeFileSync(process.argv[1], JSON.stringify(process.env))`;
  const file = join(mkdtempSync(join(tmpdir(), "interlock-env-")), "env.json");
  const upstream = createUpstream(tenant({ env: { kind: "stdio", name: "env", prefix: null, command: process.execPath, args: ["-e", source, file], env: { OWN: "1" }, cwd: null } }));
  try {
    await upstream.listed("shop");
    const env = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    expect(env["OWN"]).toBe("1");
    expect(env["INTERLOCK_SECRET_OF_TESTS"]).toBeUndefined();
  } finally {
    await upstream.close();
    delete process.env["INTERLOCK_SECRET_OF_TESTS"];
  }
});

it("new settings keep servers that are the same, end those that are gone, and start those that changed", async () => {
  const server = (name: string, tools: string) => script(name, HOSTILE, [], { HOSTILE_TOOLS: tools });
  const upstream = createUpstream(tenant({ same: server("same", "was_cancelled,hang"), other: server("other", "echo"), gone: server("gone", "digits") }));
  try {
    expect((await upstream.listed("shop")).map(({ tool }) => tool).sort()).toEqual(["digits", "echo", "hang", "was_cancelled"]);
    await send(upstream, "hang", "{}", { settings: { ...TOOL, timeoutMs: 50 } });
    await upstream.replace(tenant({ same: server("same", "was_cancelled,hang"), other: server("other", "junk") }));
    expect((await upstream.listed("shop")).map(({ tool }) => tool).sort()).toEqual(["hang", "junk", "was_cancelled"]);
    // The process is the same one: it still knows what was cancelled.
    expect(text((await send(upstream, "was_cancelled", "{}")).result)).toContain("did not answer");
    expect(await send(upstream, "digits", "{}")).toMatchObject({ status: "failed", error: { code: "tool_unreachable" } });
    await upstream.replace({});
    expect(await upstream.listed("shop")).toEqual([]);
  } finally {
    await upstream.close();
  }
});
