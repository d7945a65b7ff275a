// What the tests of the page do in it: go by Tab alone, write into an editor, load an example or a draft, and read the decision.
import { deflateRawSync } from "node:zlib";
import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";
import { settled } from "./browser.ts";

/** Presses Tab (or Shift+Tab) until a control has the focus: proof that the keyboard reaches it from where it was. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let pressed = 0; pressed < 90; pressed++) {
    if ((await target.count()) > 0 && (await target.evaluate((element) => element === document.activeElement || element.contains(document.activeElement)))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab did not reach ${String(target)}`);
}

/** Puts a text in place of an editor's, as a person who pastes does. */
export async function fill(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name, exact: true }).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  await page.waitForTimeout(350);
  await settled(page);
}

/** Loads a ready-made draft from the menu. */
export async function example(page: Page, title: string): Promise<void> {
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("menuitem", { name: title }).click();
  await settled(page);
}

/** Loads a draft by its link. */
export async function load(page: Page, draft: object): Promise<void> {
  await page.evaluate(
    (word) => {
      location.hash = `#/preview?d=${word}`;
    },
    deflateRawSync(JSON.stringify({ v: 1, ...draft })).toString("base64url"),
  );
  await page.waitForFunction(() => location.hash === "#/preview");
  await settled(page);
}

/** The decision's word and its reasons, as they stand on the page. */
export async function decision(page: Page): Promise<{ word: string; reasons: string[] }> {
  const verdict = page.locator("#decision .verdict");
  return { word: (await verdict.locator("strong").textContent()) ?? "", reasons: await verdict.locator(".codename").allTextContents() };
}

/** Waits for a decision. */
export async function expectDecision(page: Page, word: string, ...reasons: string[]): Promise<void> {
  await expect.poll(() => decision(page), { timeout: 5000 }).toEqual({ word, reasons });
}

/** The text under a tab of what can be taken along. */
export async function taken(page: Page, tab: string, label = tab): Promise<string> {
  await page.getByRole("tab", { name: tab, exact: true }).click();
  return (await page.getByRole("region", { name: label, exact: true }).locator("pre").textContent()) ?? "";
}
