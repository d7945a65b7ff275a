// Adds a line for each call that ended to the tenant's recording, so that `interlock replay` can decide it again under another policy.
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ERASED, hasEnded } from "../call/outcome.ts";
import type { CallRecord } from "../call/record.ts";
import type { Settings } from "../config/settings.ts";
import type { Commit, Committed, Engine } from "../engine/port.ts";
import { type RecordedCall, recordedCall } from "./line.ts";

/** Calls that were written lately are not written again when their record changes once more. */
const REMEMBERED = 10_000;

/**
 * The same engine, each tenant's recording kept beside it. A line is written after the commit it tells of: a crash in between loses the line, never the call.
 * @param settings asked at each commit, so that a recording is turned on and off while the gateway runs
 * @param failed told of a recording that cannot be written; the call goes on, since the recording is no audit log
 */
export function recordingOver(engine: Engine, settings: () => Settings, failed: (tenant: string, error: unknown) => void): Engine & { readonly recorded: () => Promise<void> } {
  const written = new Set<string>();
  let turn: Promise<void> = Promise.resolve();
  const write = (tenant: string, file: string, call: RecordedCall): void => {
    turn = turn
      .then(() => append(file, call))
      .catch((error: unknown) => failed(tenant, error));
  };
  const look = ({ tenant, changes }: Commit): void => {
    const { tenants } = settings();
    const recording = Object.hasOwn(tenants, tenant) ? tenants[tenant]!.recording : null;
    if (!recording) return;
    for (const { key, value } of changes) {
      if (typeof value !== "string" || !/^call\/[^/]+$/.test(key)) continue;
      const call = JSON.parse(value) as CallRecord;
      if (!hasEnded(call) || call.released === ERASED || written.has(call.id)) continue;
      written.add(call.id);
      if (written.size > REMEMBERED) written.delete(written.values().next().value!);
      write(tenant, recording.file, recordedCall(call, recording));
    }
  };
  const commit = async (given: Commit): Promise<Committed> => {
    const committed = await engine.commit(given);
    if (committed.ok) look(given);
    return committed;
  };
  return {
    name: engine.name,
    start: (runner, seal) => engine.start(runner, seal),
    get: (tenant, key) => engine.get(tenant, key),
    list: (tenant, prefix, page) => engine.list(tenant, prefix, page),
    commit,
    run: (tenant, call) => engine.run(tenant, call),
    runAt: (tenant, call, at) => engine.runAt(tenant, call, at),
    changed: (tenant, key, version, timeoutMs, signal) => engine.changed(tenant, key, version, timeoutMs, signal),
    audit: (tenant, from, limit) => engine.audit(tenant, from, limit),
    scrub: async () => engine.scrub?.(),
    tenants: () => engine.tenants(),
    stop: async (graceMs) => {
      await engine.stop(graceMs);
      await turn;
    },
    recorded: () => turn,
  };
}

async function append(file: string, call: RecordedCall): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${JSON.stringify(call)}\n`, { mode: 0o600 });
}
