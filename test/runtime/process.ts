// Starts programs of other runtimes: with files for input and output, or as servers that end when the test does.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createServer } from "node:net";

/** How a program is started. `input` and `output` are paths of files. */
export interface Started {
  cwd: string;
  env?: Record<string, string>;
  input?: string;
  output?: string;
}

/** Runs a program to its end. Gives its standard output where that goes to no file; rejects, with what it wrote to its standard error, where its exit code is not 0. */
export function run(program: string, args: string[], { cwd, env, input, output }: Started): Promise<string> {
  const opened: number[] = [];
  const file = (path: string, flags: string) => {
    const descriptor = openSync(path, flags);
    opened.push(descriptor);
    return descriptor;
  };
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: [input === undefined ? "ignore" : file(input, "r"), output === undefined ? "pipe" : file(output, "w"), "pipe"],
  });
  let told = "";
  let wrong = "";
  child.stdout?.on("data", (chunk: Buffer) => (told += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (wrong += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      for (const descriptor of opened) closeSync(descriptor);
      if (code === 0) resolve(told);
      else reject(new Error(`${program} ${args.join(" ")} ended with ${signal ?? code}:\n${told}${wrong}`));
    });
  });
}

/** A port that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** A server in a process of its own. */
export interface Server {
  url: string;
  stop(): Promise<void>;
}

/** Starts a server and waits until it answers at `url`. Rejects where it ends before, with what it wrote. */
export async function serve(program: string, args: string[], cwd: string, url: string, env: Record<string, string> = {}): Promise<Server> {
  const child: ChildProcess = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let told = "";
  child.stdout?.on("data", (chunk: Buffer) => (told += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (told += chunk.toString()));
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
    child.on("error", (error) => {
      told += String(error);
      resolve();
    });
  });
  let over = false;
  void ended.then(() => (over = true));
  for (;;) {
    if (over) throw new Error(`${program} ${args.join(" ")} ended before it answered:\n${told}`);
    const answered = await fetch(url).then(
      (response) => response.arrayBuffer(),
      () => null,
    );
    if (answered !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    stop: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}
