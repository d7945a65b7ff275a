// The distributed engine where it cannot start: each is one coded error that says what to run, and nothing stays open.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { openEndpoint } from "../../../hosts/gateway/engine/restate/endpoint.ts";
import { RestateEngine, type RestateSettings } from "../../../hosts/gateway/engine/restate/restate.ts";
import { numbered } from "./numbered.ts";
import { freePorts } from "./restate-server.ts";

const nothing = async (): Promise<void> => undefined;

async function settings(over: Partial<RestateSettings> = {}): Promise<RestateSettings> {
  const [ingress, admin, port] = await freePorts(3);
  return { ingress: `http://127.0.0.1:${ingress}`, admin: `http://127.0.0.1:${admin}`, listen: { host: "127.0.0.1", port: port! }, advertise: null, identityKeys: [], prefix: "none", ...over };
}

it("no server answers", async () => {
  const given = await settings();
  const engine = new RestateEngine(given, { patienceMs: 200 });
  const failed = engine.start(nothing, numbered);
  await expect(failed).rejects.toMatchObject({ code: "engine_unreachable" });
  await expect(failed).rejects.toThrow(`no Restate server answers at ${given.admin}: start one (\`npx restate-server\``);
  await expect(engine.get("t", "a")).rejects.toMatchObject({ code: "engine_unavailable" });
  // The port is free again.
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.on("error", reject).listen(given.listen.port, "127.0.0.1", resolve));
  await new Promise((resolve) => server.close(resolve));
});

it("something else has the port that Restate calls", async () => {
  const given = await settings();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(given.listen.port, "127.0.0.1", resolve));
  await expect(new RestateEngine(given, { patienceMs: 200 }).start(nothing, numbered)).rejects.toMatchObject({ code: "port_in_use" });
  await new Promise((resolve) => server.close(resolve));
});

it("the SDK is not installed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "no-sdk-"));
  try {
    const source = fileURLToPath(new URL("../../../hosts/gateway/engine/restate/restate.ts", import.meta.url));
    const script = join(folder, "engine.mjs");
    await build({ entryPoints: [source], outfile: script, bundle: true, platform: "node", format: "esm", external: ["@restatedev/restate-sdk"], logLevel: "error" });
    writeFileSync(join(folder, "main.mjs"), `import { RestateEngine } from "./engine.mjs";\nnew RestateEngine(${JSON.stringify(await settings())}).start(async () => undefined, () => []).catch(({ code, message }) => console.log(JSON.stringify({ code, message })));\n`);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "main.mjs")]);
    expect(JSON.parse(stdout)).toMatchObject({ code: "engine_missing", message: expect.stringMatching(/run `npm install @restatedev\/restate-sdk@\d+\.\d+\.\d+`/) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("what is asked of a program of other steps is turned away, so that another gateway takes it", async () => {
  const endpoint = await openEndpoint({ host: "127.0.0.1", port: 0 }, 2, (_, response) => void response.end("taken"));
  const client = connect(`http://127.0.0.1:${endpoint.port}`);
  const status = async (path: string): Promise<unknown> => (await once(client.request({ ":path": path }), "response"))[0][":status"];
  expect(await status("/steps-2/discover")).toBe(200);
  expect(await status("/behind/a/proxy/steps-2/invoke/a/b")).toBe(200);
  for (const path of ["/discover", "/steps-1/discover", "/steps-22/invoke/a/b", "/steps-2", "/"]) expect(await status(path), path).toBe(421);
  client.close();
  await endpoint.close();
});
