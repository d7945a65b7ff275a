// The SQLite binding: where better-sqlite3 is there without its native part (install scripts off, another Node), Node's own serves, or one sentence says what to do.
import { expect, it, vi } from "vitest";
import { openDatabase } from "../../../hosts/gateway/engine/driver.ts";

vi.mock("better-sqlite3", () => ({
  default: () => {
    throw new Error("Could not locate the bindings file. Tried: …");
  },
}));

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const own = major > 22 || (major === 22 && minor >= 13);

it.runIf(own)("opens by Node's own SQLite", async () => {
  const database = await openDatabase(":memory:");
  expect(database.prepare("SELECT 1 + 1 AS two").get()).toMatchObject({ two: 2 });
  database.close();
});

it.runIf(!own)("says what to do where there is neither", async () => {
  await expect(openDatabase(":memory:")).rejects.toMatchObject({ code: "engine_unavailable", message: expect.stringContaining("npm install better-sqlite3") });
});
