// Generated files are as their generators make them.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { codes, TARGET } from "../../bindings/build/codes.mjs";
import { ROOT } from "../../bindings/build/core.mjs";

const GENERATORS = ["domains.mjs", "letter-case.mjs", "lookalikes.mjs", "policy-schema.mjs", "register-words.mjs", "turn-words.mjs", "unicode.mjs"];

it("bindings/codes.gen.ts", () => {
  expect(readFileSync(TARGET, "utf8"), "run `node bindings/build/codes.mjs`").toBe(codes());
});

it("every generator is held", () => {
  const scripts = readdirSync(join(ROOT, "test/generate")).filter((name) => name.endsWith(".mjs") && name !== "unicode-names.mjs");
  expect(scripts.sort()).toEqual(GENERATORS);
});

it.each(GENERATORS)("what test/generate/%s makes", (name) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join("test/generate", name), "--check"], { cwd: ROOT, encoding: "utf8" });
  expect(status, `run \`node test/generate/${name}\`\n${stdout}${stderr}`).toBe(0);
});
