// Asks a hook that is a command: JSON on its standard input, its answer on standard output, with a time limit that its children cannot outlive.
import { spawn } from "node:child_process";

/** The longest answer in bytes. */
const BYTES = 8 * 1024 * 1024;
/** What of the gateway's environment a hook sees: nothing that could hold a secret. */
const ENVIRONMENT = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"];

/**
 * Runs the command once. Exit code 0 and a whole answer, or an Error: `hook_timeout` and the like are the message's first word.
 * @param signal aborts it: the whole process group is killed
 */
export function runCommand(command: string, args: readonly string[], question: string, timeoutMs: number, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]!]])));
    // A group of its own, so that what it started ends with it.
    const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    const parts: Buffer[] = [];
    let length = 0;
    let complaint = "";
    let ended = false;
    const end = (error: Error | null): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
      if (child.pid !== undefined) killGroup(child.pid);
      if (error !== null) reject(error);
      else resolve(Buffer.concat(parts).toString("utf8"));
    };
    const timer = setTimeout(() => end(new Error(`it did not answer within ${timeoutMs} ms`)), timeoutMs);
    const aborted = (): void => end(new Error("the call was cancelled"));
    if (signal?.aborted) return end(new Error("the call was cancelled"));
    signal?.addEventListener("abort", aborted, { once: true });
    child.on("error", (cause) => end(new Error(`it cannot be started: ${(cause as NodeJS.ErrnoException).code ?? cause.message}`)));
    child.stdout.on("data", (part: Buffer) => {
      length += part.length;
      if (length > BYTES) end(new Error(`its answer is longer than ${BYTES} bytes`));
      else parts.push(part);
    });
    child.stderr.on("data", (part: Buffer) => {
      complaint = (complaint + part.toString("utf8")).slice(0, 300);
    });
    child.on("close", (code, by) => end(code === 0 ? null : new Error(`it ended with ${code === null ? `signal ${by}` : `exit code ${code}`}${complaint === "" ? "" : `: ${complaint.trim()}`}`)));
    // A command that does not read its input has closed the pipe: its answer counts all the same.
    child.stdin.on("error", () => undefined);
    child.stdin.end(question);
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
