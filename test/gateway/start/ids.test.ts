// Ids are UUIDs of version 7 that sort in the order they were made.
import { expect, it } from "vitest";
import { createIds } from "../../../hosts/gateway/ids.ts";

it("a thousand of one millisecond, and those of a clock that goes back, sort as they were made and are all different", () => {
  let now = 1_764_500_000_000;
  const next = createIds(() => now);
  const ids: string[] = [];
  for (let index = 0; index < 1000; index++) ids.push(next());
  now -= 5000;
  for (let index = 0; index < 10; index++) ids.push(next());
  now += 10_000;
  for (let index = 0; index < 10; index++) ids.push(next());
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(ids[0]!.replaceAll("-", "").slice(0, 12), 16)).toBe(1_764_500_000_000);
});
