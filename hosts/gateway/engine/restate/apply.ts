// Does a request's operations on a tenant's records and chain, in their order, as one step: what Restate replays after a crash gives the same.
import type { AuditBody } from "../../audit/entry.ts";
import type { Committed } from "../port.ts";
import { Cells, type State } from "./cells.ts";
import { Lines } from "./lines.ts";
import { ANSWER_SIZE, type Done, type Op } from "./ops.ts";
import { Records } from "./records.ts";

/** Makes the lines of the commits' entries; kept in the journal, so that a replay has the same. `failed`: none can be made. */
export type Seal = (last: string | null, commits: readonly (readonly AuditBody[])[]) => Promise<{ readonly lines: readonly (readonly string[])[] } | { readonly failed: string }>;

/** What came of each operation. Whether anything was changed is told apart, since a tenant that has something is listed. */
export async function apply(state: State, ops: readonly Op[], seal: Seal): Promise<{ readonly done: readonly Done[]; readonly changed: boolean }> {
  const cells = new Cells(state);
  const records = new Records(cells);
  await records.load(ops.flatMap((op) => (op.op === "get" ? [op.key] : op.op === "commit" ? op.changes.map(({ key }) => key) : [])));
  const first = await pass(cells, records, ops, seal, null);
  const answers = typeof first === "string" ? ((await pass(cells, records, ops, seal, first)) as Answers) : first;
  cells.write();
  return answers;
}

type Answers = { readonly done: readonly Done[]; readonly changed: boolean };

/** One way through the operations; the message where the chain's lines cannot be made: then everything is given up, and `failed` says so to the commits that need them. */
async function pass(cells: Cells, records: Records, ops: readonly Op[], seal: Seal, failed: string | null): Promise<Answers | string> {
  const lines = new Lines(cells);
  const done: Done[] = [];
  const told: { readonly at: number; readonly bodies: readonly AuditBody[] }[] = [];
  const room = { left: ANSWER_SIZE };
  let changed = false;
  for (const [at, op] of ops.entries()) {
    if (op.op === "commit") {
      if (failed !== null && op.audit !== null) {
        done.push({ failed: { code: "engine_unavailable", message: failed } });
        continue;
      }
      const committed = await commit(records, op, room);
      if (committed?.ok) changed = true;
      if (committed?.ok && op.audit !== null) told.push({ at, bodies: op.audit });
      done.push(committed === null ? { later: true } : { committed });
    } else if (op.op === "audit") done.push({ later: true });
    else if (room.left <= 0) done.push({ later: true });
    else if (op.op === "get") done.push(await got(records, op, room));
    else done.push(await listed(records, op, room));
  }
  if (told.length > 0) {
    const made = await seal(await lines.last(), told.map(({ bodies }) => bodies));
    if ("failed" in made) {
      cells.giveUp();
      return made.failed;
    }
    for (const [index, { at, bodies }] of told.entries()) {
      const from = await lines.count();
      await lines.append(made.lines[index]!);
      const { committed } = done[at] as { committed: Extract<Committed, { ok: true }> };
      done[at] = { committed: { ...committed, audit: bodies.map((_, number) => from + number) } };
    }
  }
  // What is asked of the chain sees the lines that this request adds.
  for (const [at, op] of ops.entries()) {
    if (op.op !== "audit" || room.left <= 0) continue;
    const found = await lines.read(op.from, op.limit, room.left);
    for (const line of found) room.left -= line.length;
    done[at] = { lines: found, more: found.length < op.limit && op.from + found.length < (await lines.count()) };
  }
  return { done, changed };
}

/** Null where the record that refuses it has no room in the answer. */
async function commit(records: Records, { changes }: Extract<Op, { op: "commit" }>, room: { left: number }): Promise<Committed | null> {
  const refused = await records.refused(changes);
  if (refused === undefined) return { ok: true, versions: await records.change(changes), audit: [] };
  const size = await records.sizeOf(refused);
  if (size > room.left && room.left < ANSWER_SIZE) return null;
  room.left -= size;
  return { ok: false, key: refused, stored: await records.get(refused) };
}

async function got(records: Records, { key }: Extract<Op, { op: "get" }>, room: { left: number }): Promise<Done> {
  const size = await records.sizeOf(key);
  if (size > room.left && room.left < ANSWER_SIZE) return { later: true };
  room.left -= size;
  return { got: await records.get(key) };
}

async function listed(records: Records, { prefix, after, limit, descending }: Extract<Op, { op: "list" }>, room: { left: number }): Promise<Done> {
  const keys = await records.keys(prefix, after, limit, descending);
  await records.load(keys);
  const items = [];
  for (const key of keys) {
    const size = (await records.sizeOf(key)) + key.length;
    if (size > room.left && (items.length > 0 || room.left < ANSWER_SIZE)) return items.length === 0 ? { later: true } : { listed: items, more: true };
    room.left -= size;
    items.push({ key, ...(await records.get(key))! });
  }
  return { listed: items, more: false };
}
