// Runs the store's suite over an SQLite file in Deno, Bun or Node, and prints what went wrong. The second argument, if any, is how many records to count up.
import process from "node:process";
import { SqliteStore } from "../../hosts/deno/sqlite.ts";
import { storeProblems } from "./store-suite.js";

const [file, counts] = process.argv.slice(2);
const store = new SqliteStore(file);
if (counts === undefined) console.log(JSON.stringify(await storeProblems(store)));
else {
  for (let i = 0; i < Number(counts); ) {
    const now = await store.read("shared", "head");
    if (await store.swap("shared", "head", now, `${Number(now ?? 0) + 1}`)) i++;
  }
  console.log(await store.read("shared", "head"));
}
store.close();
