// Measures how long the command line takes to start: the CPU of a command over a bare start of Node, the least of several in turn, so that a loaded machine shows through as little as can be.
//
// node bench/commands.mjs [--rounds 15]     (npm run build first)

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const ROUNDS = Number(process.argv[process.argv.indexOf("--rounds") + 1]) || 15;
const folder = mkdtempSync(join(tmpdir(), "interlock-commands-"));
const env = { ...process.env, LC_ALL: "C", INTERLOCK_STATE: join(folder, "state") };
const event = '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"a.txt"},"tool_use_id":"u"}';

/** The CPU of a process from its start to its end, all threads, in milliseconds. */
function cpu(args, input = "") {
  const { status, stderr } = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$@" >/dev/null', "bash", process.execPath, ...args], { encoding: "utf8", cwd: folder, env, input });
  if (status !== 0) throw new Error(stderr.slice(-400));
  return stderr.trim().split("\n").at(-1).split(" ").map(Number).reduce((sum, seconds) => sum + seconds * 1000, 0);
}

try {
  cpu([CLI, "init"]);
  cpu([CLI, "hook", "init"]);
  cpu([CLI, "gateway", "init", "gate"]);
  const commands = [
    ["node, bare", ["-e", "0"]],
    ["interlock --version", [CLI, "--version"]],
    ["interlock lint", [CLI, "lint"]],
    ["interlock check", [CLI, "check", "--agent", "desk", "--tool", "get_order", "--args", '{"order_id":"4411"}']],
    ["interlock hook claude-code --policy", [CLI, "hook", "claude-code", "--policy", "claude-code.policy.yaml"], event],
    ["interlock gateway check", [CLI, "gateway", "check", "--config", "gate/gateway.yaml"]],
  ];
  const least = new Map(commands.map(([name]) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < ROUNDS; round++) for (const [name, args, input] of commands) least.set(name, Math.min(least.get(name), cpu(args, input)));
  const bare = least.get("node, bare");
  console.log("CPU of the whole process, ms, the least of", ROUNDS);
  for (const [name, took] of least) console.log(`${name.padEnd(40)}${took.toFixed(0).padStart(6)}${name === "node, bare" ? "" : `   +${(took - bare).toFixed(0)}`}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
