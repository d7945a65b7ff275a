// Generated files are as their generators make them.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { codes, TARGET } from "../../bindings/build/codes.mjs";

it("bindings/codes.gen.ts", () => {
  expect(readFileSync(TARGET, "utf8"), "run `node bindings/build/codes.mjs`").toBe(codes());
});
