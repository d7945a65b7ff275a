// npm's prepublishOnly: refuses to publish a package whose origin could not be shown, and says everything that is missing at once.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./core.mjs";

/** `owner/name` of a repository at GitHub, of whichever spelling package.json takes; null for any other. */
function atGitHub(address) {
  return /^(?:git\+)?(?:https|ssh):\/\/(?:git@)?github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(address)?.[1] ?? null;
}

/** What keeps a package from being published, a sentence each; none where it may be. `env` is the publishing process's environment. */
export function publishProblems({ manifest, changelog, env }) {
  const problems = [];
  const address = typeof manifest.repository === "string" ? manifest.repository : manifest.repository?.url;
  if (typeof address !== "string" || !/^(?:git\+)?(?:https|ssh):\/\/[^/\s]+\/\S+$/.test(address)) {
    problems.push(
      'package.json has no repository: give the public one that this is built from, {"type": "git", "url": "git+https://…"}. npm refuses provenance without it, and SECURITY.md sends reports there.',
    );
  } else if (env.GITHUB_REPOSITORY !== undefined && atGitHub(address)?.toLowerCase() !== env.GITHUB_REPOSITORY.toLowerCase()) {
    problems.push(`package.json names ${address} as its repository, and this is built from ${env.GITHUB_REPOSITORY}: npm refuses a provenance that says otherwise.`);
  }
  if (manifest.publishConfig?.provenance !== true) problems.push("package.json has no publishConfig.provenance: true, so that nobody could see where it was built.");
  const heading = changelog.split("\n").find((line) => line.startsWith(`## [${manifest.version}]`));
  if (heading === undefined) problems.push(`CHANGELOG.md says nothing of ${manifest.version}.`);
  else if (!/ · \d{4}-\d{2}-\d{2}$/.test(heading)) problems.push(`CHANGELOG.md gives ${manifest.version} no day of its release: "## [${manifest.version}] · YYYY-MM-DD".`);
  return problems;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const read = (name) => readFileSync(join(ROOT, name), "utf8");
  const problems = publishProblems({ manifest: JSON.parse(read("package.json")), changelog: read("CHANGELOG.md"), env: process.env });
  for (const problem of problems) console.error(`not published: ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
