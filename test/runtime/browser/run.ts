// Runs the lines in a page of Chromium: plain modules over HTTP, and the same page bundled by Vite.
import { build } from "vite";
import type { Installed, Project } from "../install.ts";
import type { Runner } from "../runner.ts";
import { chromium } from "../runtimes.ts";
import { launch, open } from "./chromium.ts";
import { type Site, serveSite } from "./site.ts";

/** What the page offers the test. */
interface TestPage {
  conform(): Promise<number>;
  use(): Promise<string>;
}
declare global {
  var interlockPage: TestPage;
}

/** A project with the page in it, served as it is. */
export async function plainSite(installed: Installed, name: string): Promise<{ site: Site; project: Project }> {
  const project = installed.project(name);
  project.take("lines.js", "use.js", "browser/page.js", "browser/page.html");
  return { site: await serveSite(project.folder), project };
}

/** The same, built by Vite; the bundle is served. */
export async function viteSite(installed: Installed, name: string): Promise<{ site: Site; project: Project }> {
  const project = installed.project(name);
  project.take("lines.js", "use.js", "browser/page.js", "browser/bundled.html");
  await build({ root: project.folder, configFile: false, logLevel: "warn", build: { outDir: "site", chunkSizeWarningLimit: 1000, rollupOptions: { input: project.path("bundled.html") } } });
  return { site: await serveSite(project.path("site")), project };
}

function runner(name: string, page: string, make: typeof plainSite): Runner {
  return {
    name,
    needs: [chromium],
    ready: async (installed) => {
      const { site } = await make(installed, name);
      const browser = await launch();
      const answer = async (input: string, output: string) => {
        Object.assign(site, { input, output });
        const opened = await open(browser, `${site.url}${page}`);
        const status = await opened.evaluate(() => globalThis.interlockPage.conform());
        if (status !== 200) throw new Error(`the page could not send its answers: ${status}`);
        await opened.close();
      };
      const stop = async () => {
        await browser.close();
        await site.stop();
      };
      return { answer, stop };
    },
  };
}

export const runners: Runner[] = [runner("browser", "page.html", plainSite), runner("browser-vite", "bundled.html", viteSite)];
