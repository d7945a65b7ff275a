// A process that commits and acknowledges on standard output, until it is killed.
import { SqliteEngine } from "../../../hosts/gateway/engine/sqlite.ts";
import { numbered } from "./numbered.ts";

const engine = new SqliteEngine(process.argv[2]!);
await engine.start(async () => undefined, numbered);
let count = Number((await engine.get("t", "count"))?.value ?? 0);
for (;;) {
  // Several side by side, so that groups are cut in their middle.
  const first = count;
  count += 5;
  await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      const number = first + index + 1;
      await engine.commit({ tenant: "t", changes: [{ key: "count", value: String(number) }, { key: `n/${String(number).padStart(8, "0")}`, expect: null, value: "x".repeat(500) }], audit: [{ event: "call.proposed", at: number, actor: "writer" }] });
      process.stdout.write(`${number}\n`);
    }),
  );
}
