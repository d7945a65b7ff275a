// The packed package, installed from its tarball into an empty project for each runtime, and used from there.
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { coreFacts, sha256 } from "../../bindings/build/core.mjs";
import { launch, open } from "./browser/chromium.ts";
import { plainSite, viteSite } from "./browser/run.ts";
import { serveSite } from "./browser/site.ts";
import { type Installed, installedIn, type Project } from "./install.ts";
import { run } from "./process.ts";
import { bun, chromium, deno, describeRuntime, node, node22, node24, type Runtime, workerd } from "./runtimes.ts";
import { serveWorker } from "./workerd/run.ts";

let installed: Installed;
let expected: string;

const IMPORTS = 'import { use } from "./use.js";\nconsole.log(await use());\n';
const REQUIRES = 'const { use } = require("./use.cjs");\nuse().then((text) => console.log(text));\n';

/** A project with a program that imports the package, and one that requires it. */
async function programs(project: Project): Promise<Project> {
  project.take("use.js");
  project.write("import.js", IMPORTS);
  project.write("require.cjs", REQUIRES);
  // The same program with `require` in place of `import`.
  const { outputFiles } = await build({ entryPoints: [project.path("use.js")], bundle: true, packages: "external", format: "cjs", platform: "node", write: false });
  project.write("use.cjs", outputFiles[0]!.contents);
  return project;
}

beforeAll(async () => {
  installed = installedIn(inject("installed"));
  const project = await programs(installed.project("first-use"));
  expected = (await run(process.execPath, ["import.js"], { cwd: project.folder })).trim();
});
afterAll(() => installed?.remove());

it("answers a whole use: a policy from its sources, a question, an approval, a verified history", () => {
  const answer = JSON.parse(expected) as { decisions: unknown; valid: boolean; problems: string[] };
  expect(answer.decisions).toEqual([["confirm", "write"], ["allow", "confirmed"], ["refuse", "unknown_tool"]]);
  expect(answer.problems).toEqual(["write_without_undo"]);
  expect(answer.valid).toBe(true);
});

it("its core is the one that was built, in each of its forms", () => {
  const { folder } = installed.project("forms");
  const file = (name: string) => readFileSync(`${folder}/node_modules/interlock/dist/${name}`);
  const built = coreFacts().sha256;
  expect(sha256(file("core.wasm"))).toBe(built);
  expect(file("core.wasm.sha256").toString()).toBe(`${built}  core.wasm\n`);
  expect(file("core.wasi.wasm.sha256").toString()).toBe(`${sha256(file("core.wasi.wasm"))}  core.wasi.wasm\n`);
  for (const name of ["index.js", "cjs/index.js"]) {
    const inlined = /"([A-Za-z0-9+/]{10000,}={0,2})"/.exec(file(name).toString())![1]!;
    expect(sha256(Buffer.from(inlined, "base64")), name).toBe(built);
  }
});

it("brings the licences of what the core holds", () => {
  const { folder } = installed.project("licences");
  const notices = readFileSync(`${folder}/node_modules/interlock/dist/THIRD-PARTY-NOTICES.txt`, "utf8");
  for (const name of ["assemblyscript", "@assemblyscript/wasi-shim", "Unicode Character Database"]) expect(notices).toMatch(new RegExp(`^${name} \\d.*\\)$`, "m"));
  for (const words of ["Apache License", "musl libc", "Unicode, Inc."]) expect(notices).toContain(words);
});

function nodeSuite(runtime: Runtime): void {
  describeRuntime(runtime.name, [runtime], () => {
    it("by import and by require", async () => {
      const project = await programs(installed.project(runtime.name.replace(" ", "-")));
      const ran = async (...args: string[]) => (await run(runtime.file!, args, { cwd: project.folder })).trim();
      expect(await ran("import.js")).toBe(expected);
      expect(await ran("require.cjs")).toBe(expected);
      // As an older Node 20 has it, which cannot require modules.
      if (runtime === node) expect(await ran("--no-experimental-require-module", "require.cjs")).toBe(expected);
    });

    it("one copy of the package, imported and required", async () => {
      const project = installed.project(`${runtime.name.replace(" ", "-")}-both`);
      project.write("both.cjs", 'import("interlock").then((imported) => console.log(imported.Client === require("interlock").Client));\n');
      expect((await run(runtime.file!, ["both.cjs"], { cwd: project.folder })).trim()).toBe("true");
    });

    it("its command", async () => {
      const project = installed.project(`${runtime.name.replace(" ", "-")}-command`);
      expect(await run(runtime.file!, ["node_modules/.bin/interlock", "--version"], { cwd: project.folder })).toMatch(/^\S*0\.1\.0/);
    });
  });
}
for (const runtime of [node, node22, node24]) nodeSuite(runtime);

describeRuntime("Deno", [deno], () => {
  it("by import; checks need no permission, reading YAML needs the environment's", async () => {
    const project = await programs(installed.project("deno"));
    expect((await run(deno.file!, ["run", "--no-prompt", "--allow-env", "import.js"], { cwd: project.folder })).trim()).toBe(expected);
    project.write("check.js", 'import { lineDriver } from "interlock";\nconsole.log(lineDriver().answer(\'{"id":1,"op":"sha256","base64":""}\'));\n');
    expect(await run(deno.file!, ["run", "--no-prompt", "check.js"], { cwd: project.folder })).toBe('{"id":1,"ok":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}\n');
  });
});

describeRuntime("Bun", [bun], () => {
  it("by import and by require, as Bun installs it", async () => {
    const project = await programs(await installed.projectBy("bun", (folder) => run(bun.file!, ["add", installed.tarball], { cwd: folder })));
    expect((await run(bun.file!, ["import.js"], { cwd: project.folder })).trim()).toBe(expected);
    expect((await run(bun.file!, ["require.cjs"], { cwd: project.folder })).trim()).toBe(expected);
  });
});

describeRuntime("workerd", [workerd], () => {
  it("in a request, from the bundle of its condition", async () => {
    const { server, project } = await serveWorker(installed, "workerd");
    try {
      expect(await (await fetch(`${server.url}use`)).text()).toBe(expected);
      expect(readFileSync(project.path("worker.bundle.js"), "utf8")).toMatch(/from "core\.wasm"/);
    } finally {
      await server.stop();
    }
  });
});

describeRuntime("a browser", [chromium], () => {
  it("by plain modules over HTTP, and bundled by Vite and by esbuild, under a policy with 'wasm-unsafe-eval' alone", async () => {
    const browser = await launch();
    const plain = await plainSite(installed, "plain");
    const vite = await viteSite(installed, "vite");
    const project = installed.project("esbuild-browser");
    project.take("lines.js", "use.js", "browser/page.js", "browser/bundled.html");
    await build({ absWorkingDir: project.folder, entryPoints: ["page.js"], outfile: project.path("page.js"), allowOverwrite: true, bundle: true, format: "esm", platform: "browser", logLevel: "warning" });
    const bundled = await serveSite(project.folder);
    try {
      for (const [site, page] of [[plain.site, "page.html"], [vite.site, "bundled.html"], [bundled, "bundled.html"]] as const) {
        const opened = await open(browser, `${site.url}${page}`);
        expect(await opened.evaluate(() => globalThis.interlockPage.use())).toBe(expected);
        await opened.close();
      }
    } finally {
      await browser.close();
      for (const site of [plain.site, vite.site, bundled]) await site.stop();
    }
  });
});

describe("bundled by esbuild for Node", () => {
  it("runs without the package", async () => {
    const project = installed.project("esbuild-node");
    project.take("use.js");
    project.write("import.js", IMPORTS);
    await build({ absWorkingDir: project.folder, entryPoints: ["import.js"], outfile: project.path("bundle.mjs"), bundle: true, format: "esm", platform: "node", external: ["@modelcontextprotocol/*", "yaml"], logLevel: "warning" });
    const text = readFileSync(project.path("bundle.mjs"), "utf8");
    expect(text.length).toBeGreaterThan(400_000);
    expect(text).not.toMatch(/^import .*from "interlock/m);
    expect((await run(process.execPath, ["bundle.mjs"], { cwd: project.folder })).trim()).toBe(expected);
  });
});
