// Erasure and retention over the embedded engine: the suite of both, and what is erased is gone from the files' very bytes.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { retentionSuite } from "./retention-suite.ts";

retentionSuite({
  name: "the embedded engine",
  bytes: ({ folder }) => readdirSync(join(folder, "data")).map((name) => readFileSync(join(folder, "data", name), "latin1")).join(""),
});
