// A whole gateway for tests of its start and stop: a real MCP server, the embedded engine, and a door that tests call through.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listTools } from "interlock/register";
import { LiveSettings, type Reload } from "../../../hosts/gateway/config/live.ts";
import { readSettings } from "../../../hosts/gateway/config/read.ts";
import { type Door, type DoorParts, type Started, startGateway } from "../../../hosts/gateway/start.ts";
import { createLog } from "../../../hosts/gateway/telemetry/log.ts";
import { KEYS, proposal } from "../flow/shop.ts";

export const SERVER = join(dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/package.json")), "dist/index.js");

/** The folder of a gateway: its file, policy over what the server lists, keys, and a folder that the server works on. */
export class House {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "interlock-start-")));
  readonly files = join(this.folder, "files");
  readonly lines: { level: string; event: string; [field: string]: unknown }[] = [];
  readonly reloads: Reload[] = [];
  live: LiveSettings | null = null;
  started: Started | null = null;
  parts: DoorParts | null = null;
  /** How often the files are looked at, in milliseconds. */
  interval: number | undefined;
  #waiting: ((reload: Reload) => void)[] = [];

  async make(more = ""): Promise<void> {
    mkdirSync(this.files);
    writeFileSync(join(this.files, "a.txt"), "hello");
    writeFileSync(join(this.folder, "files.json"), await listTools({ command: process.execPath, args: [SERVER, this.files], env: {}, timeout: 60 }));
    writeFileSync(join(this.folder, "policy.yaml"), "tenant: shop\nagents: {desk: {tools: ['*']}}\ntools:\n  - mcp: ./files.json\n");
    this.keys(KEYS);
    this.config(more);
  }

  keys(set: unknown): void {
    writeFileSync(join(this.folder, "keys.json"), JSON.stringify(set));
  }

  config(more = ""): void {
    writeFileSync(join(this.folder, "gateway.yaml"), `tenant: shop\nservers:\n  files: {command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(SERVER)}, ${JSON.stringify(this.files)}]}\n${more}`);
  }

  async start(doors: readonly Door[] = []): Promise<Started> {
    const read = await readSettings(join(this.folder, "gateway.yaml"), {});
    if (read.settings === null) throw new Error(JSON.stringify(read.problems));
    const live = new LiveSettings(read.settings, { file: join(this.folder, "gateway.yaml"), shown: "gateway.yaml", env: {}, tell: (reload) => this.#told(reload), ...(this.interval === undefined ? {} : { interval: this.interval }) });
    this.live = live;
    const inner: Door = {
      name: "test",
      open: async (parts) => {
        this.parts = parts;
        return { where: "here", close: async () => undefined };
      },
    };
    this.started = await startGateway({
      settings: () => live.current(),
      doors: [inner, ...doors],
      log: createLog((line) => this.lines.push(JSON.parse(line) as (typeof this.lines)[number]), () => "debug", Date.now),
      reads: (file) => live.note(file),
      version: "0.0.0",
      core: "core",
    });
    live.watch(read, (next) => this.started!.take(next));
    return this.started;
  }

  /** The next reload, whoever asks for it. */
  reloaded(): Promise<Reload> {
    return new Promise((told) => this.#waiting.push(told));
  }

  #told(reload: Reload): void {
    this.reloads.push(reload);
    for (const told of this.#waiting.splice(0)) told(reload);
  }

  call(tool: string, args: unknown) {
    return this.parts!.gateway.call(proposal(tool, args));
  }

  async audit(): Promise<string[]> {
    return [...(await this.parts!.engine.audit("shop", 0, 10_000))];
  }

  async stop(): Promise<void> {
    await this.live?.close();
    await this.started?.stop();
    this.started = null;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
