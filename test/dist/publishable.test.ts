// What npm asks before it publishes: a package that does not name the repository it is built from, or whose version has no day in the changelog, is refused.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../bindings/build/core.mjs";
import { publishProblems } from "../../bindings/build/publishable.mjs";

const CHANGELOG = "# Changelog\n\n## [1.2.3] · 2026-11-30\n\n### Added\n";
const manifest = (over: Record<string, unknown> = {}) => ({
  name: "interlock",
  version: "1.2.3",
  publishConfig: { access: "public", provenance: true },
  repository: { type: "git", url: "git+https://github.com/Some-Body/interlock.git" },
  ...over,
});
const problems = (over: Record<string, unknown> = {}, env: Record<string, string> = {}, changelog = CHANGELOG): readonly string[] =>
  publishProblems({ manifest: manifest(over), changelog, env });

it("a package that names where it is built from may be published", () => {
  expect(problems()).toEqual([]);
  expect(problems({ repository: "https://code.example.org/a/interlock" })).toEqual([]);
  for (const url of ["git+https://github.com/some-body/interlock.git", "https://github.com/some-body/interlock", "git+ssh://git@github.com/some-body/interlock.git"])
    expect(problems({ repository: { url } }, { GITHUB_REPOSITORY: "some-body/Interlock" })).toEqual([]);
});

it.each([
  ["no repository", { repository: undefined }, {}, CHANGELOG, /no repository/],
  ["a repository without an address", { repository: { type: "git" } }, {}, CHANGELOG, /no repository/],
  ["a repository that nobody reaches", { repository: "../interlock" }, {}, CHANGELOG, /no repository/],
  ["another repository than it is built from", {}, { GITHUB_REPOSITORY: "somebody-else/interlock" }, CHANGELOG, /somebody-else\/interlock/],
  [
    "a repository elsewhere than it is built from",
    { repository: "https://code.example.org/a/interlock" },
    { GITHUB_REPOSITORY: "a/interlock" },
    CHANGELOG,
    /built from a\/interlock/,
  ],
  ["provenance switched off", { publishConfig: { access: "public" } }, {}, CHANGELOG, /provenance/],
  ["a version that the changelog calls unreleased", {}, {}, CHANGELOG.replace("2026-11-30", "unreleased"), /no day/],
  ["a version that the changelog does not know", { version: "1.2.4" }, {}, CHANGELOG, /nothing of 1\.2\.4/],
] as const)("%s is refused", (_, over, env, changelog, said) => {
  expect(problems(over, env, changelog)).toEqual([expect.stringMatching(said)]);
});

it("npm asks it of this package, and says all that it says", () => {
  const real = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
  expect(real.scripts["prepublishOnly"]).toBe("node bindings/build/publishable.mjs");
  const told = publishProblems({ manifest: real, changelog: readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), env: {} });
  const { status, stderr } = spawnSync("npm", ["run", "prepublishOnly"], { cwd: ROOT, encoding: "utf8", env: { PATH: process.env["PATH"]! } });
  expect(status).toBe(told.length === 0 ? 0 : 1);
  for (const problem of told) expect(stderr).toContain(`not published: ${problem}`);
});
