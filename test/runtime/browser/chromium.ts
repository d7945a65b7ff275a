// Opens a page in the real Chromium, without a network but this machine's.
import { type Browser, chromium as driver, type Page } from "playwright-core";
import { chromium } from "../runtimes.ts";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Starts Chromium. */
export function launch(): Promise<Browser> {
  return driver.launch({ executablePath: chromium.file!, headless: true, args: FLAGS });
}

/** Opens the test page and waits until its module has run; rejects with what the page complained of. */
export async function open(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.waitForFunction(() => document.title === "ready", null, { timeout: 30_000 }).catch((error) => {
    throw new Error(`${url} did not get ready: ${wrong.join("\n") || error}`);
  });
  return page;
}
