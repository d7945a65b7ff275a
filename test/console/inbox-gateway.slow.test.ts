// The inbox over a real gateway, `interlock gateway demo`, while a real MCP client waits: a question appears by itself, is answered by keyboard, and the answer reaches the client and the files.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Process } from "../gateway/cli/process.ts";
import { Chromium, describeChromium, type Seen } from "./browser.ts";
import { tabTo } from "./steps.ts";

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ["violations"] }));
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")} ${failureSummary ?? ""}`));
}

describeChromium("the inbox over a gateway", () => {
  let folder: string;
  let demo: Process;
  let chromium: Chromium;
  let client: Client;
  let files: string;
  let seen: Seen;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "interlock-inbox-"));
    demo = new Process(["gateway", "demo", "--port", "0"], { cwd: folder, env: { INTERLOCK_STATE: join(folder, "state"), TMPDIR: folder } });
    await demo.says(/Ctrl-C ends it/);
    const [, url] = await demo.says(/(http:\/\/127\.0\.0\.1:\d+)\/#\/inbox/);
    const [, administrator] = await demo.says(/sign in with +(ik_\S+)/);
    const [, agent] = await demo.says(/Authorization: Bearer (ik_\S+)/);
    files = JSON.parse((await demo.says(/"path":("[^"]+")/))[1]!) as string;
    client = new Client({ name: "client", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${agent}` } } }));
    chromium = await Chromium.start();
    seen = await chromium.open({ viewport: { width: 1440, height: 900 } }, `${url}/#/inbox`, (page) => page.getByRole("heading", { name: "Sign in" }).waitFor());
    await seen.page.getByLabel("Key").fill(administrator!);
    await seen.page.keyboard.press("Enter");
    await seen.page.getByText("Live", { exact: true }).waitFor();
  });
  afterAll(async () => {
    await client?.close();
    await chromium?.stop();
    await demo.stop("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens the question about a tool by keyboard. */
  async function open(tool: string): Promise<void> {
    await tabTo(seen.page, seen.page.getByRole("link", { name: new RegExp(tool) }).first());
    await seen.page.keyboard.press("Enter");
    await seen.page.getByRole("region", { name: "The question" }).getByText(tool).first().waitFor();
  }

  it("the demo's own question is there, and axe finds nothing", async () => {
    await seen.page.getByRole("tab", { name: "Open (1)" }).waitFor();
    expect(await seen.page.getByRole("region", { name: "The question" }).textContent()).toContain("move_file");
    expect(await violations(seen.page)).toEqual([]);
  });

  it("a question appears while its call waits, is approved by keyboard, and the call goes through", async () => {
    const path = join(files, "from-the-agent.txt");
    const call = client.callTool({ name: "write_file", arguments: { path, content: "x" } });
    await seen.page.getByRole("tab", { name: "Open (2)" }).waitFor();
    await open("write_file");
    const shown = (await seen.page.getByRole("region", { name: "The question" }).textContent())!;
    for (const part of [path, "the model", "argument_origin: path"]) expect(shown).toContain(part);
    expect(existsSync(path)).toBe(false);
    expect(await violations(seen.page)).toEqual([]);
    await tabTo(seen.page, seen.page.getByRole("button", { name: "Approve" }));
    await seen.page.keyboard.press("Enter");
    expect((await call).isError ?? false).toBe(false);
    expect(existsSync(path)).toBe(true);
    await seen.page.getByRole("tab", { name: "Open (1)" }).waitFor();
  });

  it("a denial and its why, by keyboard, reach the client, and nothing is done", async () => {
    const [source, destination] = [join(files, "minutes.txt"), join(files, "elsewhere.txt")];
    const call = client.callTool({ name: "move_file", arguments: { source, destination } });
    await seen.page.getByRole("tab", { name: "Open (2)" }).waitFor();
    // The demo's own question is about the same tool, and older.
    await tabTo(seen.page, seen.page.getByRole("link", { name: /move_file/ }).nth(1));
    await seen.page.keyboard.press("Enter");
    await seen.page.getByRole("region", { name: "The question" }).getByText(destination).first().waitFor();
    await tabTo(seen.page, seen.page.getByRole("button", { name: "Deny …" }));
    await seen.page.keyboard.press("Enter");
    await tabTo(seen.page, seen.page.getByLabel("Why not"));
    await seen.page.keyboard.type("the minutes stay where they are");
    expect(await violations(seen.page)).toEqual([]);
    await tabTo(seen.page, seen.page.getByRole("button", { name: "Deny", exact: true }));
    await seen.page.keyboard.press("Enter");
    const result = await call;
    expect([result.isError, JSON.stringify(result.content)]).toEqual([true, expect.stringContaining("the minutes stay where they are")]);
    expect([existsSync(source), existsSync(destination)]).toEqual([true, false]);
    await seen.page.getByRole("tab", { name: /Decided/ }).click();
    await seen.page.getByRole("list", { name: "Decided questions" }).getByText("Denied by admin").waitFor();
    expect(await violations(seen.page)).toEqual([]);
  });

  it("the page asked nobody else, and had nothing to complain of", () => {
    expect([seen.strange, seen.complaints]).toEqual([[], []]);
  });
});
