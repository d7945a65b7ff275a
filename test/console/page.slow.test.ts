// What the page does: completion and problems in the editor, the session, the texts to take along, links, and no word to anybody, in Chromium.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../bindings/build/core.mjs";
import { Chromium, describeChromium, settled } from "./browser.ts";
import { decision, example, expectDecision, fill, load, taken } from "./steps.ts";

const WIDE = { viewport: { width: 1440, height: 900 } };
const CLI = join(ROOT, "dist/cli.js");

function interlock(folder: string, args: readonly string[], input = ""): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, [CLI, ...args], { cwd: folder, input, encoding: "utf8" });
}

describeChromium("the preview", () => {
  let chromium: Chromium;
  let folder: string;
  beforeAll(async () => {
    chromium = await Chromium.start();
    folder = mkdtempSync(join(tmpdir(), "interlock-console-"));
  });
  afterAll(async () => {
    await chromium?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened(): Promise<{ page: Page; done: () => Promise<void> }> {
    const { page, complaints, strange } = await chromium.open(WIDE);
    const done = async () => {
      expect(complaints).toEqual([]);
      expect(strange).toEqual([]);
      await page.context().close();
    };
    return { page, done };
  }

  it("completes: the members that may stand there, the words of a value, the policy's own tools, each with what it means", async () => {
    const { page, done } = await opened();
    const editor = page.getByRole("textbox", { name: "Policy, YAML" });
    const end = async (text: string) => {
      await editor.click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type(text);
    };
    const options = page.getByRole("listbox").getByRole("option");
    await end("  tai");
    await expect.poll(() => options.allTextContents()).toEqual(["taint_scopevalue | session"]); // taint_policy stands there already
    expect(await page.locator(".cm-completionInfo").textContent()).toMatch(/^[A-Z].*\.$/);
    await page.waitForTimeout(150); // a list that has just opened takes no key yet
    await page.keyboard.press("Enter");
    await expect.poll(() => editor.textContent()).toContain("  taint_scope: ");
    await page.keyboard.press("Control+Space");
    await expect.poll(() => options.allTextContents()).toEqual(["value", "session"]);
    await page.keyboard.press("Escape");
    await fill(page, "Policy, YAML", "tenant: t\nagents:\n  a:\n    tools: []\ntools:\n  - name: look_up\n  - name: change_it\n");
    await page.keyboard.press("Control+Home");
    for (let line = 0; line < 3; line++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("ch");
    await expect.poll(() => options.allTextContents()).toEqual(["change_ita tool"]);
    await done();
  });

  it("marks every problem at its line with what to write instead, and leads there; the last good version decides meanwhile", async () => {
    const { page, done } = await opened();
    const editor = page.getByRole("textbox", { name: "Policy, YAML" });
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("  taint_polcy: confirm");
    const problem = page.getByRole("list", { name: "Problems of the policy" }).getByRole("button");
    await problem.waitFor();
    const text = await problem.textContent();
    expect(text).toMatch(/^Error, line \d+: .*Did you mean taint_policy\?policy_unknown_member$/);
    await page.keyboard.press("Control+Home");
    await problem.press("Enter");
    expect(await editor.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.locator(".cm-lintRange-error").textContent()).toBe("taint_polcy");
    expect(await page.locator("#policy .cm-activeLine").textContent()).toContain("taint_polcy");
    expect(await page.locator(".cm-lineNumbers .cm-activeLineGutter").textContent()).toBe(/line (\d+)/.exec(text!)![1]);
    expect(await editor.getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator("#policy .pane-head").textContent()).toBe("Policy1 error; the last good version decides");
    expect(await decision(page)).toEqual({ word: "Confirm", reasons: ["write"] });
    expect(await page.locator("#decision .stale").textContent()).toBe("By the last good version: the policy has an error now.");
    await done();
  });

  it("decides each edit: arguments with their digits, origins, turns, facts, marks, time, principal", async () => {
    const { page, done } = await opened();
    await fill(page, "Arguments, JSON", '{"order_id": "4411", "amount": 40.000}');
    await expectDecision(page, "Confirm", "write");
    expect(await taken(page, "Request")).toContain('"arguments":{"order_id": "4411", "amount": 40.000}');
    await fill(page, "Arguments, JSON", '{"order_id": "4411", "amount": 9007199254740993}');
    await expectDecision(page, "Refuse", "argument_schema");
    await expect.poll(() => page.locator(".verdict .reasons").textContent()).toContain("amount does not fit the tool’s schema (precision)");
    await fill(page, "Arguments, JSON", '{"order_id": "4411", "amount": 40, "amount": 4}');
    await expectDecision(page, "No decision", "json_duplicate");
    await fill(page, "Arguments, JSON", '{"order_id": "4411", "amount": 450}');
    await expectDecision(page, "Confirm", "gate_clarify", "argument_origin: amount");
    await page.getByRole("textbox", { name: "Turn 1" }).fill("charge order 4411 450");
    await expectDecision(page, "Confirm", "gate_clarify");
    await page.getByRole("combobox", { name: "Origin of order_id" }).fill("reply");
    await expectDecision(page, "Confirm", "gate_clarify");
    await page.getByRole("combobox", { name: "Origin of order_id" }).fill("model");
    await expectDecision(page, "Confirm", "gate_clarify", "argument_origin: order_id");
    await page.getByRole("textbox", { name: "Marks on amount" }).fill("untrusted:read_inbox");
    await expectDecision(page, "Refuse", "order_rule");
    await page.getByRole("textbox", { name: "Marks on amount" }).fill("");
    await page.getByText("card_on_file", { exact: true }).click();
    await expectDecision(page, "Refuse", "needs-card");
    await page.getByRole("button", { name: "What else the host knows" }).click();
    await page.getByRole("textbox", { name: "Principal, JSON" }).fill('{"id": "u-1"');
    await expectDecision(page, "No decision", "json_syntax");
    await page.getByRole("textbox", { name: "Principal, JSON" }).fill('{"id": "u-2"}');
    // The history so far was another principal's: what does not verify starts anew.
    await expectDecision(page, "Refuse", "history_invalid");
    await page.getByRole("textbox", { name: "Time, seconds" }).fill("soon");
    await expectDecision(page, "No decision", "request_invalid");
    await done();
  });

  it("chooses from the lists by mouse and keyboard: a tool brings its arguments, an origin is taken over", async () => {
    const { page, done } = await opened();
    const tool = page.getByRole("combobox", { name: "Tool" });
    await page.getByRole("button", { name: /Tool/ }).click();
    await page.getByRole("option", { name: /send_receipt/ }).click();
    await expect.poll(() => tool.inputValue()).toBe("send_receipt");
    expect(await page.getByRole("textbox", { name: "Arguments, JSON" }).textContent()).toBe('{"order_id": ""}');
    const origin = page.getByRole("combobox", { name: "Origin of order_id" });
    await origin.focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: /^context/ }).waitFor();
    expect(await page.getByRole("option").evaluateAll((all) => all.map((each) => each.querySelector(".choice-name")?.textContent))).toEqual([
      "typed", "model", "reply", "context", "computed", "result:0.total", "result:0.customer",
    ]);
    for (let at = 0; at < 3; at++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => origin.inputValue()).toBe("context");
    await page.keyboard.press("Tab");
    expect(await origin.inputValue()).toBe("context");
    await done();
  });

  it("goes on with the session: yes as the person, into the history, its outcome, the undo, and back", async () => {
    const { page, done } = await opened();
    await example(page, "Refund");
    await expectDecision(page, "Allow", "compensation");
    await page.getByRole("button", { name: "Add to the history" }).click();
    const past = page.getByRole("list", { name: "The session so far" }).getByRole("listitem");
    expect(await past.allTextContents()).toEqual([
      expect.stringMatching(/^0Confirmcharge_card/), expect.stringMatching(/^1Allowcharge_card.*ranconfirmed · billing/), expect.stringMatching(/^2Allowrefund_card.*compensation · billing/),
    ]);
    await page.getByRole("button", { name: "Report step 2" }).click();
    await page.getByRole("button", { name: /What became of step 2/ }).click();
    await page.getByRole("option", { name: "ran", exact: true }).click();
    await expectDecision(page, "Refuse", "compensation_spent");
    await page.getByRole("button", { name: "Go back to before step 1" }).click();
    expect(await past.count()).toBe(1);
    await expectDecision(page, "Allow", "confirmed");
    await fill(page, "Arguments, JSON", '{"invoice":"77","amount":20}');
    await expectDecision(page, "Confirm", "argument_origin: amount");
    await expect.poll(() => page.locator(".trace").textContent()).toContain("a yes came with it, and is ignored: arguments");
    await page.getByRole("button", { name: "Bring the earlier draft back" }).click();
    await expect.poll(() => past.count()).toBe(3);
    // A policy that changes is asked about everything again, from the first step.
    const text = readFileSync(join(ROOT, "hosts/console/draft/example-policies.ts"), "utf8");
    const refund = /REFUND = `([^`]+)`/.exec(text)![1]!;
    await fill(page, "Policy, YAML", refund.replace("allow_if: has(principal.id)", "refuse_if: has(principal.id)"));
    await expect.poll(() => past.first().textContent()).toMatch(/^0Refusecharge_card.*own-invoices/);
    await done();
  });

  it("a yes in a preview signs the session with the practice key, and says so", async () => {
    const { page, done } = await opened();
    expect(await taken(page, "Answer")).toContain('"confirmation":null');
    await page.getByRole("button", { name: "Say yes as the person" }).click();
    await expectDecision(page, "Allow", "confirmed");
    expect(await page.locator(".notice").textContent()).toContain("A preview has no tokens to carry a yes");
    expect(await taken(page, "Entry")).toContain('"approves": 1');
    await done();
  });

  it.each(["Shop", "Mail", "Files", "Refund"])("what is taken along from the example %s runs in the command line with the same answers", async (title) => {
    const { page, done } = await opened();
    await example(page, title);
    const { word, reasons } = await decision(page);
    const answer = await taken(page, "Answer");
    const lines = await taken(page, "Lines", "Conformance lines");
    expect(interlock(folder, ["conform"], lines).stdout.trimEnd().split("\n").at(-1)).toContain(`"ok":${answer}`);
    const kept = JSON.parse((await page.evaluate(() => localStorage.getItem("interlock.preview")))!) as { policy: string };
    writeFileSync(join(folder, "policy.yaml"), kept.policy);
    writeFileSync(join(folder, "session.yaml"), await taken(page, "Script"));
    const script = interlock(folder, ["run", "session.yaml"]);
    expect(script.stdout).toContain("0 not");
    expect(script.status).toBe(0);
    expect(await taken(page, "Step")).toContain("expect:");
    writeFileSync(join(folder, "request.json"), await taken(page, "Request"));
    writeFileSync(join(folder, "keys.json"), JSON.stringify((JSON.parse(lines.split("\n")[0]!) as { keys: object }).keys));
    const checked = interlock(folder, ["check", "request.json", "--format", "json"]);
    expect(JSON.parse(checked.stdout)).toEqual(JSON.parse(answer));
    expect(checked.status).toBe({ Allow: 0, Confirm: 3, Refuse: 2 }[word]);
    expect(reasons).toEqual((JSON.parse(answer) as { reasons: string[] }).reasons);
    await done();
  });

  it("edits the request as JSON and comes back to the form with nothing lost; what the form cannot hold stays JSON", async () => {
    const { page, done } = await opened();
    const before = await taken(page, "Answer");
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    expect(await taken(page, "Answer")).toBe(before);
    await page.getByRole("button", { name: "Edit as a form" }).click();
    expect(await page.getByRole("textbox", { name: "Arguments, JSON" }).textContent()).toBe('{"order_id": "4411", "amount": 40.00}');
    expect(await taken(page, "Answer")).toBe(before);
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await fill(page, "Request, JSON", '{"format":"qls-tool-check/1","agent":"desk","tool":"get_order","arguments":{"order_id":"1"},"now":1764445009,"hurry":true}');
    await expectDecision(page, "No decision", "request_invalid");
    await page.getByRole("button", { name: "Edit as a form" }).click();
    expect(await page.locator(".notice").textContent()).toContain("The form cannot hold hurry.");
    await done();
  });

  it("a link holds the whole draft: opened elsewhere it decides the same, and the draft that was there can be had back", async () => {
    const { page, complaints } = await chromium.open({ ...WIDE, permissions: ["clipboard-read", "clipboard-write"] });
    await example(page, "Mail");
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => page.getByRole("status").nth(1).textContent()).toContain("The link is copied");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const before = await taken(page, "Answer");
    await example(page, "Files");
    await page.evaluate((hash) => {
      location.hash = hash;
    }, new URL(link).hash);
    await page.waitForFunction(() => location.hash === "#/preview");
    await settled(page);
    expect(await taken(page, "Answer")).toBe(before);
    await page.getByRole("button", { name: "Bring the earlier draft back" }).click();
    await expectDecision(page, "Refuse", "order_rule");
    const other = await chromium.open(WIDE, link);
    await other.page.waitForFunction(() => location.hash === "#/preview");
    await settled(other.page);
    expect(await taken(other.page, "Answer")).toBe(before);
    expect([...complaints, ...other.complaints, ...other.strange]).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });

  it("a link that holds no draft, or one of the wrong shape, changes nothing that matters", async () => {
    const { page, done } = await opened();
    await page.evaluate(() => {
      location.hash = "#/preview?d=nonsense";
    });
    await expect.poll(() => page.locator(".notice").textContent()).toContain("This link holds no draft");
    await expectDecision(page, "Confirm", "write");
    await load(page, { policy: "tenant: t", keys: 7, steps: "none", call: { turns: [1], origins: [], now: 3 } });
    await expect.poll(() => page.getByRole("list", { name: "Problems of the policy" }).count()).toBe(1);
    expect((await decision(page)).word).toBe("No decision");
    await page.evaluate(() => {
      location.hash = "#/nowhere";
    });
    await page.getByText("There is no such page.").waitFor();
    await done();
  });

  it("a draft that the page cannot get through is not kept: it is judged and played first, and a link of too many steps is none", async () => {
    const { page, done } = await opened();
    await page.evaluate(() => {
      const { setItem } = Storage.prototype;
      const kept: string[] = [];
      Object.assign(window, { kept });
      Storage.prototype.setItem = function (name, value) {
        if (name === "interlock.preview") kept.push(`${(JSON.parse(value) as { session: string }).session} ${document.querySelector("#decision")?.getAttribute("aria-busy")}`);
        setItem.call(this, name, value);
      };
    });
    const policy = "tenant: t\nagents: {a: {tools: [\"*\"]}}\ntools:\n  - {name: look, effect: read}\n";
    const steps = (count: number) => Array.from({ length: count }, () => ({ call: { tool: "look" } }));
    await load(page, { policy, session: "long", steps: steps(3), call: { tool: "look" } });
    await expectDecision(page, "Allow", "allow");
    await load(page, { policy, session: "longer", steps: steps(251), call: { tool: "look" } });
    await expect.poll(() => page.locator(".notice").textContent()).toContain("This link holds no draft");
    expect(await page.evaluate(() => (window as unknown as { kept: string[] }).kept)).toEqual(["long false"]);
    await done();
  });

  it("says why it cannot go on in a browser without WebAssembly", async () => {
    const { page } = await opened();
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly"));
    await page.reload();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("needs JavaScript and WebAssembly");
    await page.context().close();
  });

  it("shows the characters that stand hidden in a text or turn it around", async () => {
    const { page, done } = await opened();
    const shown = () => page.locator(".cm-specialChar").evaluateAll((all) => all.map((each) => each.getAttribute("title") ?? ""));
    await fill(page, "Arguments, JSON", '{"order_id": "\u202e4411\u2066", "amount\u200d": 40}');
    expect(await shown()).toHaveLength(3);
    await fill(page, "Arguments, JSON", '{"order_id": "4411", "amount": 40.00}');
    await fill(page, "Policy, YAML", "tenant: a\u061cb\u200bc");
    expect(await shown()).toHaveLength(2);
    await done();
  });

  it("keeps the draft over a reload, and begins anew when it is told to", async () => {
    const { page, done } = await opened();
    await page.getByRole("textbox", { name: "Turn 1" }).fill("charge nothing");
    await expectDecision(page, "Confirm", "argument_origin: amount", "argument_origin: order_id");
    await page.reload();
    await settled(page);
    expect(await page.getByRole("textbox", { name: "Turn 1" }).inputValue()).toBe("charge nothing");
    await page.getByRole("button", { name: "Reset" }).click();
    await expectDecision(page, "Allow", "allow");
    await page.getByRole("button", { name: "Bring the earlier draft back" }).click();
    await expectDecision(page, "Confirm", "argument_origin: amount", "argument_origin: order_id");
    await done();
  });

  it("works without a network once it is loaded, and asks nobody for anything", async () => {
    const { page, done } = await opened();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.context().setOffline(true);
    for (const title of ["Mail", "Files", "Refund", "Shop"]) await example(page, title);
    await fill(page, "Arguments, JSON", '{"order_id": "4411", "amount": 600}');
    await expectDecision(page, "Refuse", "cap");
    await page.getByRole("textbox", { name: "Policy, YAML" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("  un");
    await page.getByRole("option").first().waitFor();
    expect(asked).toEqual([]);
    await done();
  });

  it("works from any static server, under any path", async () => {
    const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };
    const server = createServer((request, response) => {
      const path = /^\/some\/where\/([\w./-]*)$/.exec(request.url ?? "")?.[1];
      const name = path === "" ? "index.html" : path;
      if (name === undefined || name.includes("..")) return response.writeHead(404).end();
      return response.writeHead(200, { "content-type": types[name.slice(name.lastIndexOf(".") + 1)] ?? "text/plain" }).end(readFileSync(join(ROOT, "dist/console", name)));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { page, complaints } = await chromium.open(WIDE, `http://127.0.0.1:${(server.address() as { port: number }).port}/some/where/`);
    await expectDecision(page, "Confirm", "write");
    expect(complaints).toEqual([]);
    await page.context().close();
    server.close();
  });

  it("says which core decides: the SHA-256 of the bytes in the page is the module's", async () => {
    const { page, done } = await opened();
    const sha256 = readFileSync(join(ROOT, "dist/core.wasm.sha256"), "utf8").split(" ", 1)[0]!;
    await expect.poll(() => page.getByRole("contentinfo").textContent()).toContain(sha256);
    await done();
  });
});
