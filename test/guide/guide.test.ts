// Runs what the embedding guide shows, page by page: its files are written into an empty project with the package, its commands run, and they print what it says.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lineDriver } from "interlock";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ABI_VERSION } from "../../bindings/codes.gen.ts";
import { launch } from "../runtime/browser/chromium.ts";
import { serveSite } from "../runtime/browser/site.ts";
import { type Installed, installedIn, type Project } from "../runtime/install.ts";
import { freePort, run, type Server, serve } from "../runtime/process.ts";
import { bun, chromium, deno, describeRuntime, node22, node24, type Runtime, workerd } from "../runtime/runtimes.ts";
import { type Page, readPage } from "./pages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const wabt: Runtime = {
  name: "wabt",
  file: ["/usr/include/wabt/interp/interp.h", "/usr/local/include/wabt/interp/interp.h"].find((path) => existsSync(path)) ?? null,
  hint: "apt-get install wabt g++",
};

let installed: Installed;
beforeAll(() => {
  installed = installedIn(inject("installed"));
});
afterAll(() => installed?.remove());

/** A project with a page's files, and those that every page uses. */
function projectOf(name: string, page: Page): Project {
  const project = installed.project(name);
  for (const [file, text] of [...readPage("README").files, ...page.files]) {
    mkdirSync(dirname(project.path(file)), { recursive: true });
    project.write(file, text);
  }
  return project;
}

/** The programs that the commands name: the runtimes, and esbuild in place of an `npx` that would fetch it. `first` stands before all. */
function environment(first?: Runtime): Record<string, string> {
  const folders = [first, deno, bun, workerd].flatMap((runtime) => (runtime?.file ? [dirname(runtime.file)] : []));
  return { PATH: [...folders, join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(delimiter) };
}

/** Runs a page's commands in order, those that serve beside the others; `prepare` may change them. */
async function follow(page: Page, project: Project, first?: Runtime, prepare = (commands: string) => commands): Promise<void> {
  const servers: Server[] = [];
  try {
    for (const { kind, commands, prints } of page.steps) {
      const prepared = prepare(commands).replace(/^npx /gm, "");
      if (kind === "serve") {
        const address = /127\.0\.0\.1:\d+/.exec(prepared)![0];
        servers.push(await serve("bash", ["-c", `exec ${prepared}`], project.folder, `http://${address}`, environment(first)));
      } else {
        const printed = await run("bash", ["-euo", "pipefail", "-c", prepared], { cwd: project.folder, env: environment(first) });
        if (kind === "run") expect(printed, commands).toBe(prints);
      }
    }
  } finally {
    for (const server of servers) await server.stop();
  }
}

describe("node.md", () => {
  const page = readPage("node");
  it("prints what it says", () => follow(page, projectOf("node", page)));
});

for (const runtime of [node22, node24]) {
  describeRuntime(`node.md in ${runtime.name}`, [runtime], () => {
    const page = readPage("node");
    it("prints what it says", () => follow(page, projectOf(runtime.name.replace(" ", "-"), page), runtime));
  });
}

for (const [name, runtime] of [
  ["deno", deno],
  ["bun", bun],
] as const) {
  describeRuntime(`${name}.md`, [runtime], () => {
    const page = readPage(name);
    it("prints what it says", () => follow(page, projectOf(name, page)));
  });
}

describeRuntime("workers.md", [workerd], () => {
  const page = readPage("workers");
  it("prints what it says", async () => {
    const port = await freePort();
    await follow(page, projectOf("workers", page), undefined, (commands) => commands.replace("8787", `${port}`));
  });
});

describeRuntime("browser.md", [chromium], () => {
  it("shows what it says", async () => {
    const page = readPage("browser");
    const site = await serveSite(projectOf("browser", page).folder);
    const browser = await launch();
    try {
      const opened = await browser.newPage();
      const wrong: string[] = [];
      opened.on("pageerror", (error) => wrong.push(String(error)));
      await opened.goto(`${site.url}page.html`);
      await opened.waitForFunction(() => document.querySelector("output")?.textContent !== "", null, { timeout: 30_000 }).catch(() => undefined);
      expect([`${await opened.textContent("output")}\n`, wrong]).toEqual([page.shows[0], []]);
    } finally {
      await browser.close();
      await site.stop();
    }
  });
});

describe("other-languages.md", () => {
  it("names everything that the module exports, and nothing else", () => {
    const { text } = readPage("other-languages");
    const module = new WebAssembly.Module(readFileSync(join(ROOT, "dist/core.wasm")));
    const boundary = text.slice(text.indexOf("## The boundary"), text.indexOf("## A program in C++"));
    const named = new Set([...boundary.matchAll(/`(\w+)(?:\([^`]*\))?`/g)].map(([, name]) => name!));
    const exported = WebAssembly.Module.exports(module).filter(({ kind }) => kind === "function");
    expect(exported.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
    const rows = [...boundary.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
    expect(rows.filter((name) => !exported.some((each) => each.name === name))).toEqual([]);
    expect(boundary).toContain(`\`abiVersion()\` says ${ABI_VERSION} for this page`);
  });
});

describeRuntime("other-languages.md, its programs", [wabt], () => {
  const page = readPage("other-languages");
  let project: Project;
  beforeAll(() => {
    project = projectOf("cpp", page);
  });

  it("print what it says", () => follow(page, project));

  it("the C++ program answers what Node answers, byte for byte", async () => {
    const driver = lineDriver();
    const read = (name: string) => readFileSync(project.path(name), "utf8");
    driver.answer(`{"id":0,"op":"register","name":"p","policy":${read("policy.json").replace(/\n/g, "")}}`);
    driver.answer(`{"id":0,"op":"keys","name":"k","keys":${read("keys.json").replace(/\n/g, "")}}`);
    const cpp = (request: string) => {
      project.write("asked.json", request);
      return run("./interlock", ["node_modules/interlock/dist/core.wasm", "policy.json", "keys.json", "asked.json"], { cwd: project.folder });
    };
    const node = (request: string) => driver.answer(`{"id":0,"op":"check","policy":"p","keys":"k","base64":"${Buffer.from(request).toString("base64")}"}`);
    const request = JSON.parse(read("request.json"));
    const first = JSON.parse(node(read("request.json"))).ok;
    const history = { format: "qls-history/1", session: request.session, entries: [first.entry] };
    const requests = [
      read("request.json"),
      JSON.stringify({ ...request, history, confirmation: first.confirmation, explain: true }),
      JSON.stringify({ ...request, history: { ...history, entries: [{ ...first.entry, tool: "get_order" }] } }),
      JSON.stringify({ ...request, tool: "delete_order" }),
      JSON.stringify({ ...request, arguments: { order_id: "é\u{1f600} https://evil.test/" } }),
      '{"format":"qls-tool-check/1","session":"s","tool":"charge_card","arguments":{"amount":9007199254740993},"now":1}',
    ];
    for (const text of requests) expect(await cpp(text)).toBe(`${node(text).slice('{"id":0,"ok":'.length, -1)}\n`);
    await expect(cpp('{"a":1,"a":2}')).rejects.toThrow(/"code":"json_duplicate"/);
  });
});
