// The page for everybody: the main job by keyboard alone, names and roles, what is announced, and axe in light and dark, narrow and wide, in every state.
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Chromium, describeChromium } from "./browser.ts";
import { example, expectDecision, fill, tabTo } from "./steps.ts";

const NARROW = { width: 360, height: 740 };
const WIDE = { width: 1440, height: 900 };

/** What axe finds in the page, or in the parts of it that are named. */
async function violations(page: Page, parts?: string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate((include) => (globalThis as unknown as { axe: typeof axe }).axe.run(include ? { include } : document, { resultTypes: ["violations"] }), parts);
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")} ${failureSummary ?? ""}`));
}

/** The states that a person gets to see. Where a list hides the rest of the page from screen readers while it is open, the parts to look at are given. */
const STATES: Record<string, (page: Page) => Promise<string[] | undefined | void>> = {
  confirm: async (page) => expectDecision(page, "Confirm", "write"),
  allow: async (page) => {
    await example(page, "Refund");
    await expectDecision(page, "Allow", "compensation");
    await page.getByRole("button", { name: "Report step 1" }).click();
  },
  refuse: async (page) => {
    await example(page, "Files");
    await expectDecision(page, "Refuse", "order_rule");
    await page.getByRole("button", { name: "What else the host knows" }).click();
  },
  "a problem of the policy": async (page) => {
    await fill(page, "Policy, YAML", "tenant: t\nagents: {a: {tols: [x]}}\ntools: [{name: x}]\n");
    await page.getByRole("list", { name: "Problems of the policy" }).waitFor();
  },
  "a call as JSON that is none": async (page) => {
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await fill(page, "Request, JSON", '{"tool": ');
    await expectDecision(page, "No decision", "json_syntax");
  },
  "the examples' menu": async (page) => {
    await page.getByRole("button", { name: "Examples" }).click();
    await page.getByRole("menuitem", { name: "Mail" }).waitFor();
  },
  "the list of origins": async (page) => {
    await page.getByRole("combobox", { name: "Origin of amount" }).click();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: "typed" }).waitFor();
    return [".popover", ".origins .combo"];
  },
};

describeChromium("the page for everybody", () => {
  let chromium: Chromium;
  beforeAll(async () => {
    chromium = await Chromium.start();
  });
  afterAll(() => chromium?.stop());

  it.each([
    ["light", "narrow", NARROW],
    ["light", "wide", WIDE],
    ["dark", "narrow", NARROW],
    ["dark", "wide", WIDE],
  ] as const)("axe finds nothing: %s, %s, in every state", async (colorScheme, _, viewport) => {
    for (const [state, reach] of Object.entries(STATES)) {
      const { page, complaints } = await chromium.open({ viewport, colorScheme });
      const parts = await reach(page);
      expect(await violations(page, parts ?? undefined), state).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `${state}: nothing is wider than the page`).toBeLessThanOrEqual(0);
      expect(complaints, state).toEqual([]);
      await page.context().close();
    }
  });

  it("axe notices a control without a name", async () => {
    const { page } = await chromium.open();
    await page.evaluate(() => document.querySelector("main")!.append(document.createElement("button")));
    expect((await violations(page)).join()).toContain("button-name");
    await page.context().close();
  });

  it("the main job by keyboard alone: a question is answered yes, its answer goes into the history, its outcome is reported, and it is undone", async () => {
    const { page, complaints } = await chromium.open({ viewport: WIDE });
    const press = (...keys: string[]) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the policy");
    await press("Tab", "Tab", "Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("decision");
    await tabTo(page, page.getByRole("button", { name: "Say yes as the person" }));
    await press("Enter");
    await expectDecision(page, "Allow", "confirmed");
    expect(await page.evaluate(() => document.activeElement?.id), "the focus stays where the button was").toBe("decision");
    await tabTo(page, page.getByRole("button", { name: "Add to the history" }));
    await press("Enter");
    const past = page.getByRole("list", { name: "The session so far" }).getByRole("listitem");
    await expect.poll(() => past.count()).toBe(3);
    await tabTo(page, page.getByRole("button", { name: "Report step 2" }), "Shift+Tab");
    await press("Enter");
    await tabTo(page, page.getByRole("button", { name: /What became of step 2/ }));
    await press("Enter", "ArrowDown", "Enter");
    await tabTo(page, page.getByRole("textbox", { name: "Result of step 2, JSON" }));
    await page.keyboard.type('{"charge_id": "ch_1"}');
    await tabTo(page, page.getByRole("button", { name: "Undo step 2" }), "Shift+Tab");
    await press("Enter");
    // The desk may not call the refund: the billing desk may, but its agent is not the one who charged.
    await expectDecision(page, "Refuse", "unknown_tool");
    await tabTo(page, page.getByRole("combobox", { name: "Agent" }));
    await press("Control+A");
    await page.keyboard.type("billing");
    await expectDecision(page, "Refuse", "compensation_mismatch");
    expect(await page.getByRole("textbox", { name: "Arguments, JSON" }).textContent()).toBe('{"charge_id":"ch_1"}');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("the editor holds nobody: Tab indents, Escape and then Tab leaves, and the page says so", async () => {
    const { page } = await chromium.open({ viewport: WIDE });
    const editor = page.getByRole("textbox", { name: "Policy, YAML" });
    await tabTo(page, editor);
    expect(await editor.evaluate((element) => document.getElementById(element.getAttribute("aria-describedby")!)?.textContent)).toBe(
      "Tab indents. To leave press Escape, then Tab. Control Space completes.",
    );
    const before = await editor.locator(".cm-line").first().textContent();
    await page.keyboard.press("Tab");
    expect(await editor.locator(".cm-line").first().textContent()).toBe(`  ${before}`);
    expect(await editor.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await editor.evaluate((element) => element === document.activeElement)).toBe(false);
    // A problem is reached by Tab, and leads back to its line.
    const problem = page.getByRole("list", { name: "Problems of the policy" }).getByRole("button");
    await tabTo(page, editor, "Shift+Tab");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("  langage: en");
    await page.keyboard.press("Escape");
    await problem.first().waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await tabTo(page, problem.first());
    await page.keyboard.press("Enter");
    expect(await editor.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.context().close();
  });

  it("every control has a role and a name in the accessibility tree, and the focus is seen on each", async () => {
    const { page } = await chromium.open({ viewport: WIDE });
    const session = await page.context().newCDPSession(page);
    type Node = { ignored: boolean; role?: { value: string }; name?: { value: string } };
    const { nodes } = (await session.send("Accessibility.getFullAXTree")) as { nodes: Node[] };
    const controls = nodes.filter(
      ({ ignored, role }) => !ignored && ["button", "textbox", "combobox", "checkbox", "tab", "link", "radio", "list", "tabpanel", "region", "radiogroup", "group"].includes(role?.value ?? ""),
    );
    const lists = ["list", "group"];
    expect(controls.filter(({ role, name }) => !lists.includes(role!.value) && !name?.value).map(({ role }) => role?.value)).toEqual([]);
    expect(controls.length).toBeGreaterThan(30);
    for (const [role, name] of [
      ["textbox", "Policy, YAML"], ["textbox", "Arguments, JSON"], ["combobox", "Agent"], ["combobox", "Tool"], ["combobox", "Origin of amount"], ["textbox", "Marks on amount"],
      ["textbox", "Turn 1"], ["checkbox", "card_on_file"], ["button", "Copy entry"], ["tab", "Entry"], ["region", "Decision"], ["region", "Policy"], ["region", "Session"], ["heading", "Policy preview"],
    ] as const) await page.getByRole(role, { name, exact: true }).waitFor({ timeout: 2000 });
    // Going once around by Tab: whatever has the focus is drawn as having it.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const unseen: string[] = [];
    for (let at = 0; at < 45; at++) {
      await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      await page.waitForTimeout(30);
      const plain = await page.evaluate(() => {
        const focused = document.activeElement!;
        const shown = [focused, focused.parentElement!, focused.closest(".cm-editor"), focused.closest("label")].some((element) => {
          const { outlineStyle, outlineWidth } = element ? getComputedStyle(element) : { outlineStyle: "none", outlineWidth: "0px" };
          return outlineStyle !== "none" && outlineWidth !== "0px";
        });
        return shown || focused === document.body ? null : focused.outerHTML.slice(0, 120);
      });
      if (plain !== null) unseen.push(plain);
    }
    expect(unseen).toEqual([]);
    await page.context().close();
  });

  it("a decision that changes is announced politely, once a person pauses", async () => {
    const { page } = await chromium.open({ viewport: WIDE });
    const said = page.getByRole("status").first();
    expect(await said.getAttribute("aria-live")).toBe("polite");
    await page.waitForTimeout(1000);
    expect(await said.textContent()).toBe("");
    await page.getByText("card_on_file", { exact: true }).click();
    await expect.poll(() => said.textContent(), { timeout: 3000 }).toBe("Decision: Refuse. There is no card on file.");
    await fill(page, "Policy, YAML", "tenant: t\n");
    await expect.poll(() => said.textContent(), { timeout: 3000 }).toMatch(/^The policy has 2 errors\. The first is in line 1: /);
    await page.context().close();
  });

  it("light and dark: as the system says, or as a person chose, also the next time", async () => {
    const { page } = await chromium.open({ viewport: WIDE, colorScheme: "light" });
    const back = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await back();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await back();
    expect(dark).not.toBe(light);
    await page.getByRole("radio", { name: "Light" }).click();
    expect(await back()).toBe(light);
    await page.reload();
    expect(await back()).toBe(light);
    await page.getByRole("radio", { name: "System" }).click();
    expect(await back()).toBe(dark);
    await page.context().close();
  });

  it("narrow: the decision stands in one line above, and leads to why", async () => {
    const { page } = await chromium.open({ viewport: NARROW });
    await page.getByRole("button", { name: /^Confirm\s*write\s*See why$/ }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("decision");
    await page.context().close();
  });
});
