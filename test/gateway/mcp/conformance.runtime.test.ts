// The protocol's conformance suite and the inspector's command line, both official, against the door.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HttpDoor, openHttp } from "../../../hosts/gateway/doors/mcp/http.ts";
import { describeRuntime, node24 } from "../../runtime/runtimes.ts";
import { CLI } from "../cli/process.ts";
import { type Listening, listenWeb } from "../upstream/listening.ts";
import { script } from "../upstream/tenant.ts";
import { AGENT, House } from "./house.ts";

const RUNTIME = fileURLToPath(new URL("../../runtime/node_modules/", import.meta.url));
const EVERYTHING = fileURLToPath(new URL("everything.mjs", import.meta.url));

/** Scenarios of the suite that do not apply to this door, each with why. A scenario of neither list fails the test, so that new ones are looked at. */
const NOT_APPLYING: Record<string, string> = {
  "logging-set-level": "servers' log messages are not passed on, so there is no level to set",
  "tools-call-with-logging": "servers' log messages are not passed on",
  "completion-complete": "completion of prompts' arguments is not passed on",
  "tools-call-elicitation": "an upstream server's elicitation is always refused: only the gateway asks, and people answer in the inbox",
  "elicitation-sep1034-defaults": "an upstream server's elicitation is always refused",
  "elicitation-sep1330-enums": "an upstream server's elicitation is always refused",
  "resources-subscribe": "subscriptions to resources are not passed on",
  "resources-unsubscribe": "subscriptions to resources are not passed on",
};

function run(program: string, args: string[]): Promise<{ code: number | null; out: string }> {
  return new Promise((resolve) => {
    const child = spawn(node24.file!, [join(RUNTIME, ".bin", program), ...args], { stdio: ["ignore", "pipe", "pipe"], cwd: mkdtempSync(join(tmpdir(), "interlock-conformance-")), env: { ...process.env, NO_COLOR: "1" } });
    let out = "";
    child.stdout.on("data", (part: Buffer) => (out += part));
    child.stderr.on("data", (part: Buffer) => (out += part));
    child.on("close", (code) => resolve({ code, out }));
  });
}

describeRuntime("official programs", [node24], () => {
  let made: House;
  let listening: Listening;
  let door: HttpDoor;
  let url: string;

  beforeAll(async () => {
    const names = ["test_simple_text", "test_image_content", "test_audio_content", "test_embedded_resource", "test_multiple_content_types", "test_error_handling", "test_tool_with_progress", "test_reconnection"];
    const tools: Record<string, unknown>[] = [...names.map((name) => ({ name, description: name, effect: "read", parameters: { type: "object", properties: {} } })), { name: "test_sampling", description: "asks the client's model", effect: "read", parameters: { type: "object", properties: { prompt: { type: "string" } } } }];
    const address = { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } };
    const parameters = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", $defs: { address }, properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } }, additionalProperties: false };
    tools.push({ name: "json_schema_2020_12_tool", description: "a schema with references", effect: "read", parameters });
    made = new House({ servers: { everything: script("everything", EVERYTHING) }, tools, passOn: { instructions: true, prompts: true, resources: true, sampling: true } });
    door = openHttp(made.parts);
    listening = await listenWeb((request) => door.fetch(request, AGENT));
    url = `${listening.url}/mcp`;
    await made.upstream.listed("shop");
  });
  afterAll(async () => {
    await door.close();
    await listening.close();
    await made.close();
  });

  it("every scenario of the conformance suite passes, or does not apply and says why", async () => {
    const { out } = await run("conformance", ["list", "--server"]);
    const scenarios = [...out.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name]) => name!);
    expect(scenarios.length).toBeGreaterThan(25);
    const failed: Record<string, string> = {};
    for (const scenario of scenarios.filter((name) => !(name in NOT_APPLYING))) {
      const ran = await run("conformance", ["server", "--url", url, "--scenario", scenario]);
      if (ran.code !== 0) failed[scenario] = ran.out.slice(-1500);
    }
    expect(failed).toEqual({});
    expect(Object.keys(NOT_APPLYING).filter((name) => !scenarios.includes(name))).toEqual([]);
  });

  it("the inspector's command line lists and calls tools, and reads a refusal", async () => {
    const inspect = (...args: string[]) => run("mcp-inspector", ["--cli", url, "--transport", "http", ...args]);
    const listed = await inspect("--method", "tools/list");
    expect(listed.code, listed.out).toBe(0);
    expect(listed.out).toContain("read_text_file");
    const read = await inspect("--method", "tools/call", "--tool-name", "read_text_file", "--tool-arg", `path=${join(made.folder, "a.txt")}`);
    expect(read.out).toContain("what is in it");
    const refused = await inspect("--method", "tools/call", "--tool-name", "read_text_file", "--tool-arg", "path=/secret");
    expect(refused.out).toContain("no_secrets");
  });

  it("the inspector's command line starts a server through `interlock wrap`, by a client's settings", async () => {
    const folder = mkdtempSync(join(tmpdir(), "interlock-inspector-"));
    writeFileSync(join(folder, "policy.yaml"), 'tenant: t\nagents: {a: {tools: [echo]}}\nsettings: {undeclared_arguments: schema}\ntools:\n  - {name: echo, effect: read, parameters: {type: object}}\n  - {name: junk, effect: read, parameters: {type: object}}\n');
    const args = [CLI, "wrap", "--policy", join(folder, "policy.yaml"), "--data", join(folder, "data"), "--", process.execPath, fileURLToPath(new URL("../upstream/hostile.mjs", import.meta.url))];
    writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { files: { command: process.execPath, args, env: { HOSTILE_TOOLS: "echo,junk", INTERLOCK_STATE: join(folder, "state") } } } }));
    const inspect = (...more: string[]) => run("mcp-inspector", ["--cli", "--config", join(folder, "mcp.json"), "--server", "files", ...more]);
    const listed = await inspect("--method", "tools/list");
    expect(listed.code, listed.out).toBe(0);
    expect(listed.out).toContain('"name": "echo"');
    expect(listed.out).not.toContain('"name": "junk"');
    const called = await inspect("--method", "tools/call", "--tool-name", "echo", "--tool-arg", "n=1");
    expect(called.out).toContain("tools/call");
    rmSync(folder, { recursive: true, force: true });
  });
});
