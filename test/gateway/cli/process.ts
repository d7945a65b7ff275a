// `interlock` as a process of its own, for tests of what only a process shows: signals, ports, standard input and output.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../../../bindings/build/core.mjs";

export const CLI = join(ROOT, "dist/cli.js");

export class Process {
  readonly child: ChildProcess;
  out = "";
  err = "";
  readonly ended: Promise<number>;

  constructor(args: readonly string[], options: { readonly cwd: string; readonly env: Record<string, string> }) {
    this.child = spawn(process.execPath, [CLI, ...args], { cwd: options.cwd, env: { PATH: process.env["PATH"]!, HOME: options.cwd, NO_COLOR: "1", ...options.env }, stdio: ["ignore", "pipe", "pipe"] });
    this.child.stdout!.on("data", (part: Buffer) => (this.out += part.toString()));
    this.child.stderr!.on("data", (part: Buffer) => (this.err += part.toString()));
    this.ended = new Promise((resolve) => this.child.once("close", (code, signal) => resolve(code ?? (signal === null ? -1 : -2))));
  }

  /** Waits until what it printed holds this. Fails where it ends before. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    let over = false;
    void this.ended.then(() => {
      over = true;
    });
    for (;;) {
      const found = pattern.exec(`${this.out}\n${this.err}`);
      if (found !== null) return found;
      if (over) throw new Error(`it ended without saying ${pattern}:\n${this.out}\n${this.err}`);
      await new Promise((next) => setTimeout(next, 20));
    }
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
    this.child.kill(signal);
    return this.ended;
  }
}
