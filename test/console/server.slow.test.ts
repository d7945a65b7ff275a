// `interlock console`: the console's files with their types and a content policy, to this machine alone; and what is in the built folder.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT, sha256 } from "../../bindings/build/core.mjs";

const CLI = join(ROOT, "dist/cli.js");
const FOLDER = join(ROOT, "dist/console");

let server: ChildProcess;
let url: URL;
beforeAll(async () => {
  server = spawn(process.execPath, [CLI, "console", "--format", "json"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(server.stdout!, "data")) as [Buffer];
  url = new URL((JSON.parse(line.toString()) as { url: string }).url);
});
afterAll(() => server?.kill());

function ask(path: string, method = "GET", host = url.host): Promise<{ status: number; type: string; policy: string; body: string }> {
  return new Promise((answered, failed) => {
    const asking = request({ host: url.hostname, port: url.port, path, method, headers: { host } }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () =>
        answered({ status: response.statusCode!, type: response.headers["content-type"] ?? "", policy: String(response.headers["content-security-policy"] ?? ""), body }),
      );
    });
    asking.on("error", failed);
    asking.end();
  });
}

it("serves each file with its type, and the page with its content policy", async () => {
  expect(url.hostname).toBe("127.0.0.1");
  const page = await ask("/");
  expect([page.status, page.type]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; .*frame-ancestors 'none'$/);
  expect(page.policy).not.toMatch(/script-src[^;]*unsafe-inline|'unsafe-eval'|https?:/);
  // Behind this server there is no gateway: the page may talk to nobody.
  expect(page.policy).toContain("; connect-src 'none';");
  expect(page.body).toBe(readFileSync(join(FOLDER, "index.html"), "utf8"));
  const assets = readdirSync(join(FOLDER, "assets"));
  for (const name of assets) {
    const { status, type, body } = await ask(`/assets/${name}`);
    expect([status, type]).toEqual([200, name.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8"]);
    expect(body.length).toBeGreaterThan(1000);
  }
  expect((await ask("/THIRD-PARTY-NOTICES.txt")).type).toBe("text/plain; charset=utf-8");
  expect(await ask("/", "HEAD")).toMatchObject({ status: 200, body: "" });
});

it("gives nothing else, takes nothing, and answers to this machine's own names only", async () => {
  for (const path of ["/none", "/../package.json", "/assets", "/assets/../../cli.js", "/%2e%2e/cli.js"]) expect((await ask(path)).status, path).toBe(404);
  expect((await ask("/", "POST")).status).toBe(405);
  expect((await ask("/", "GET", "somebody.example")).status).toBe(421);
  expect((await ask("/", "GET", `localhost:${url.port}`)).status).toBe(200);
});

it("starts with a policy that is given: the link holds it", async () => {
  const file = join(tmpdir(), `interlock-console-${process.pid}.yaml`);
  writeFileSync(file, "tenant: mine\n");
  const other = spawn(process.execPath, [CLI, "console", "--policy", file, "--format", "json"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(other.stdout!, "data")) as [Buffer];
  const word = /#\/preview\?d=([\w-]+)$/.exec((JSON.parse(line.toString()) as { url: string }).url)![1]!;
  expect(JSON.parse(inflateRawSync(Buffer.from(word, "base64url")).toString())).toEqual({ v: 1, policy: "tenant: mine\n" });
  other.kill();
});

it("says what is wrong with a port that is taken and a policy that is not there", () => {
  const taken = spawnSync(process.execPath, [CLI, "console", "--port", url.port], { encoding: "utf8" });
  expect([taken.status, taken.stderr]).toEqual([1, `error port_unusable: Port ${url.port} is taken.\n  hint: --port 0 takes a free one.\n`]);
  const missing = spawnSync(process.execPath, [CLI, "console", "--policy", "none.yaml"], { encoding: "utf8" });
  expect(missing.status).toBe(1);
  expect(missing.stderr).toContain("file_unreadable");
});

it("the built page holds the core's bytes, no script of its own in the HTML, no address to ask, and React as it is for use", () => {
  const html = readFileSync(join(FOLDER, "index.html"), "utf8");
  expect([...html.matchAll(/<script\b([^>]*)>([^<]*)/g)].map(([, attributes, text]) => [/src="\.\/assets\//.test(attributes!), text!.trim()])).toEqual([[true, ""]]);
  expect(html).not.toMatch(/\son\w+=|href="https?:/);
  const script = readdirSync(join(FOLDER, "assets")).filter((name) => name.endsWith(".js")).map((name) => readFileSync(join(FOLDER, "assets", name), "utf8")).join("\n");
  const bytes = /[`"']([A-Za-z0-9+/]{10000,}={0,2})[`"']/.exec(script)![1]!;
  expect(sha256(Buffer.from(bytes, "base64"))).toBe(sha256(readFileSync(join(ROOT, "dist/core.wasm"))));
  expect(/jsxDEV|sourceMappingURL/.exec(script)?.[0]).toBeUndefined();
  // A reader that few policies need is a script of its own; whatever a script imports lies beside it.
  const imported = [...script.matchAll(/(?:^|[;}\n])import\s*(?:["'`]([^"'`]+)["'`]|[{*\w][^;"'`]{0,400}?from\s*["'`]([^"'`]+)["'`])/g), ...script.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]/g)];
  expect(imported.map(([, alone, from]) => alone ?? from).filter((name) => !/^\.\/[\w-]+\.js$/.test(name!))).toEqual([]);
});

it("the notices name each package in the page, with its licence", () => {
  const notices = readFileSync(join(FOLDER, "THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const name of ["react", "react-dom", "react-aria-components", "@codemirror/view", "@lezer/yaml", "yaml", "assemblyscript"]) expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC|Apache-2\\.0)\\)$`, "m"));
  expect(notices.match(/^\S+ \d+\.\d+\.\d+\S* \([^)]+\)$/gm)!.length).toBeGreaterThan(15);
  expect(notices).toContain("Permission is hereby granted");
});
