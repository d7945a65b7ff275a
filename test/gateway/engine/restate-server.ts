// A Restate server of its own, started by the documented command on free ports with its data in a folder, and killed or ended.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** How often a server is started that ends at once. */
const ATTEMPTS = 6;
const COMMAND = fileURLToPath(new URL("../../../node_modules/.bin/restate-server", import.meta.url));

export interface Server {
  readonly ingress: string;
  readonly admin: string;
  /** Starts it, again where it was killed; with the same data, at the same ports. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Holds its processes as they are (SIGSTOP): connections stay, and nobody answers. */
  hold(): void;
  /** Lets them go on. */
  release(): void;
  /** Ends it and removes its data. */
  dispose(): Promise<void>;
}

/** Whether a process, or one of a group (its number below 0), is there. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  return Promise.all(
    servers.map(async (server) => {
      const { port } = server.address() as { port: number };
      server.close();
      await once(server, "close");
      return port;
    }),
  );
}

/** @param more settings of the server, as environment variables. @param at its ports: of the node, the ingress and the admin */
export async function restateServer(more: Readonly<Record<string, string>> = {}, at?: readonly [node: number, ingress: number, admin: number]): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "restate-"));
  const [node, ingress, admin] = at ?? ((await freePorts(3)) as [number, number, number]);
  let child: ChildProcess | null = null;
  const doors = { ingress: `http://127.0.0.1:${ingress}`, admin: `http://127.0.0.1:${admin}` };
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === null) return;
    const ending = child;
    child = null;
    if (ending.exitCode !== null || ending.signalCode !== null) return;
    const exit = once(ending, "exit");
    // The command starts the server as a process of its own: all of the group ends.
    process.kill(-ending.pid!, signal);
    await exit;
    // The command may be gone before the server that it started, which holds the data and the ports until it is.
    for (let turn = 0; turn < 500 && isThere(-ending.pid!); turn++) await pause(10);
  };
  /** Starts it once; null, or what it said where it ended at once. */
  const tried = async (): Promise<string | null> => {
    const started = spawn(process.execPath, [COMMAND], {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        RESTATE_DISABLE_TELEMETRY: "true",
        RESTATE_LISTEN_MODE: "tcp",
        RESTATE_BIND_IP: "127.0.0.1",
        RESTATE_ADVERTISED_HOST: "127.0.0.1",
        RESTATE_BASE_DIR: folder,
        RESTATE_DEFAULT_NUM_PARTITIONS: "4",
        RESTATE_BIND_PORT: String(node),
        RESTATE_INGRESS__BIND_PORT: String(ingress),
        RESTATE_ADMIN__BIND_PORT: String(admin),
        RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "256MiB",
        ...more,
      },
    });
    let said = "";
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (bytes: Buffer) => (said = (said + bytes.toString()).slice(-2000)));
    child = started;
    for (;;) {
      if (started.exitCode !== null) return `the Restate server ended with ${started.exitCode}: ${said}`;
      const up = await Promise.all([`${doors.admin}/health`, `${doors.ingress}/restate/health`].map((url) => fetch(url).then((answer) => answer.ok, () => false)));
      if (up.every(Boolean)) return null;
      await pause(50);
    }
  };
  return {
    ...doors,
    start: async () => {
      // While it was down, a connection of another process may have been given one of its ports: whoever keeps a server up starts it again then.
      for (let attempt = 1; ; attempt++) {
        const failure = await tried();
        if (failure === null) return;
        if (attempt === ATTEMPTS) throw new Error(failure);
        await pause(200 * attempt);
      }
    },
    kill: () => ended("SIGKILL"),
    hold: () => void process.kill(-child!.pid!, "SIGSTOP"),
    release: () => void process.kill(-child!.pid!, "SIGCONT"),
    dispose: async () => {
      await ended("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Three nodes of one cluster, each command of state on two of them; a node may be killed. */
export async function restateCluster(): Promise<readonly Server[]> {
  const ports = await freePorts(9);
  const nodes = [0, 1, 2].map((number) => ports.slice(number * 3, number * 3 + 3) as [number, number, number]);
  const all = await Promise.all(
    nodes.map((at, number) =>
      restateServer(
        {
          RESTATE_CLUSTER_NAME: "interlock",
          RESTATE_NODE_NAME: `n${number + 1}`,
          RESTATE_DEFAULT_REPLICATION: "2",
          RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(nodes.map(([node]) => `http://127.0.0.1:${node}`)),
          RESTATE_AUTO_PROVISION: String(number === 0),
        },
        at,
      ),
    ),
  );
  await Promise.all(all.map((server) => server.start()));
  return all;
}
