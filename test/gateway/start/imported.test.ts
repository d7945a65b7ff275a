// The files that a policy imports are watched like the policy itself: a change is in force by itself, a wrong one leaves what is in force and is mended by the next.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { House } from "./house.ts";

let house: House;
beforeEach(async () => {
  house = new House();
  house.interval = 20;
  await house.make();
});
afterEach(() => house.remove());

/** Whole or not at all, so that no look sees half of it. */
function put(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

it("an imported listing that changes is read again, also after it was wrong, also when it is replaced", async () => {
  await house.start();
  const listing = join(house.folder, "files.json");
  const policy = async () => (await house.parts!.gateway.policy("shop")).id;
  const [whole, first] = [readFileSync(listing, "utf8"), await policy()];
  const left = house.reloaded();
  put(listing, "no listing");
  expect(await left).toMatchObject({ outcome: "left", why: expect.stringContaining("files.json") });
  expect(await policy()).toBe(first);
  const taken = house.reloaded();
  const other = JSON.parse(whole) as { tools: { description: string }[] };
  other.tools[0]!.description += " Ask before you do.";
  put(listing, JSON.stringify(other));
  expect(await taken).toMatchObject({ outcome: "taken" });
  const second = await policy();
  expect(second).not.toBe(first);
  const back = house.reloaded();
  put(listing, whole);
  expect(await back).toMatchObject({ outcome: "taken" });
  expect(await policy()).toBe(first);
});

it("a file that a changed policy imports anew is watched from then on", async () => {
  await house.start();
  const more = join(house.folder, "more.json");
  const policy = async () => (await house.parts!.gateway.policy("shop")).id;
  // The file is not there yet: the policy is wrong, and the file's coming mends it.
  const left = house.reloaded();
  put(join(house.folder, "policy.yaml"), "tenant: shop\nagents: {desk: {tools: ['*']}}\ntools:\n  - mcp: ./files.json\n  - mcp: ./more.json\n");
  expect(await left).toMatchObject({ outcome: "left", why: expect.stringContaining("more.json") });
  const before = await policy();
  const taken = house.reloaded();
  put(more, JSON.stringify({ tools: [{ name: "more_of_it", description: "More of it.", inputSchema: { type: "object" } }] }));
  expect(await taken).toMatchObject({ outcome: "taken" });
  expect(await policy()).not.toBe(before);
});
