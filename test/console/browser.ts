// Chromium on the built console, served by `interlock console`: what the page asks for, says and violates is noted.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { describe, it } from "vitest";
import { ROOT } from "../../bindings/build/core.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A suite in Chromium. Without it the suite says that it was skipped; with CI=true that is a failure. */
export function describeChromium(name: string, body: () => void): void {
  if (existsSync(CHROMIUM)) {
    describe(name, body);
    return;
  }
  describe(name, () => {
    it("needs Chromium", () => {
      if (process.env.CI === "true") throw new Error(`${CHROMIUM} is missing, and CI=true`);
      console.log(`${name}: skipped: no Chromium`);
    });
  });
}

/** A page of the console, and what was noted of it. */
export interface Seen {
  page: Page;
  /** Addresses asked for, but those of the console itself. */
  strange: string[];
  /** Errors and warnings on the console, uncaught errors, and violations of the page's content policy. */
  complaints: string[];
}

/** Chromium, and the console's server. */
export class Chromium {
  readonly url: string;
  readonly #server: ChildProcess;
  readonly #browser: Browser;

  private constructor(url: string, server: ChildProcess, browser: Browser) {
    this.url = url;
    this.#server = server;
    this.#browser = browser;
  }

  /** Serves the console and starts Chromium. `args` go to `interlock console`. */
  static async start(args: readonly string[] = []): Promise<Chromium> {
    const server = spawn(process.execPath, [join(ROOT, "dist/cli.js"), "console", "--format", "json", ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(server.stdout!, "data")) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    return new Chromium(url, server, await chromium.launch({ executablePath: CHROMIUM, args: FLAGS }));
  }

  /** A new page on the console, ready; with a browser store of its own. */
  async open(options: BrowserContextOptions = {}, url = this.url, ready: (page: Page) => Promise<void> = settled): Promise<Seen> {
    const context = await this.#browser.newContext(options);
    const page = await context.newPage();
    const seen: Seen = { page, strange: [], complaints: [] };
    page.on("request", (request) => {
      if (!request.url().startsWith(new URL(url).origin) && !request.url().startsWith("data:")) seen.strange.push(request.url());
    });
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") seen.complaints.push(message.text());
    });
    page.on("pageerror", (error) => seen.complaints.push(error.message));
    await page.addInitScript(() => addEventListener("securitypolicyviolation", (event) => console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`)));
    await page.goto(url);
    await ready(page);
    return seen;
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    this.#server.kill();
    await once(this.#server, "exit");
  }
}

/** Waits until the page's policy is judged and its decision shown. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#decision[aria-busy="false"] .verdict').waitFor();
}
