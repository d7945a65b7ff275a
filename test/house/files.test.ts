// House rules about files: a sentence at the head, a README for each folder, no rooms for anything, nothing unfinished, nothing of one machine.
import { basename } from "node:path";
import { expect, it } from "vitest";
import { files, folders, sources, text } from "./sources.ts";

it("each source opens with one sentence that says what it is for", () => {
  const without = sources.filter((file) => !/^(?:#!.*\n)?(?:\/\/ |\/\*\* )\S.*[.:)]/.test(text(file)));
  expect(without, "begin the file with `// What this file is for.`").toEqual([]);
});

it("each folder with code has a README that lists its files", () => {
  const missing: string[] = [];
  for (const [folder, names] of folders) {
    const above = folder.slice(0, folder.lastIndexOf("/"));
    const readme = files.includes(`${folder}/README.md`) ? text(`${folder}/README.md`) : null;
    if (readme === null) {
      // The folder above may list them, with the folder's name before theirs.
      const listed = files.includes(`${above}/README.md`) ? text(`${above}/README.md`) : "";
      missing.push(...names.filter((name) => !listed.includes(`\`${folder.slice(above.length + 1)}/${name}\``)).map((name) => `${folder}/README.md does not list ${name}`));
    } else missing.push(...names.filter((name) => !lists(readme, name)).map((name) => `${folder}/README.md does not list ${name}`));
  }
  expect(missing, "write the sentence of each file into its folder's README").toEqual([]);
});

/** Whether a README lists a file, by its name or by a pattern like `*.entry.ts`. */
function lists(readme: string, name: string): boolean {
  if (readme.includes(`\`${name}\``)) return true;
  return [...readme.matchAll(/`([^`\s]*\*[^`\s]*)`/g)].some(([, pattern]) => new RegExp(`^${pattern!.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(name));
}

it("each README lists only files that are there", () => {
  const gone: string[] = [];
  for (const [folder, names] of folders) {
    if (!files.includes(`${folder}/README.md`)) continue;
    for (const [, name] of text(`${folder}/README.md`).matchAll(/^\| `([\w.-]+\.(?:[cm]?[jt]s|json|txt))`/gm))
      if (!names.includes(name!)) gone.push(`${folder}/README.md lists ${name}`);
  }
  expect(gone).toEqual([]);
});

it("no file is a room for anything", () => {
  const banned = /^(?:utils?|helpers?|common|misc)(?:\.|$)/;
  const named = files.filter((file) => file.split("/").some((part) => banned.test(part)));
  expect(named, "name the file after the one thing it is for").toEqual([]);
});

/** Words are put together here, so that this file does not hold them. */
const UNFINISHED = new RegExp(["TO" + "DO", "FIX" + "ME", "X" + "XX"].map((word) => `\\b${word}\\b`).join("|"));
const TURNED_OFF = new RegExp(`\\b(?:it|test|describe)\\.(?:${["on" + "ly", "sk" + "ip", "to" + "do"].join("|")})\\b`);

it("nothing is unfinished, and no test is turned off", () => {
  const found = sources.filter((file) => UNFINISHED.test(text(file)) || TURNED_OFF.test(text(file)));
  expect(found, "finish it, or write an issue").toEqual([]);
});

it("no file holds a path of one machine or the host of a registry", () => {
  const machine = new RegExp(
    ["/wor" + "k/(?:main|shared|notes)", "/ro" + "ot/", "/ho" + "me/\\w", "registry\\.npm" + "js", "registry\\.yarn" + "pkg", "deb\\.debi" + "an", "npm\\.pkg\\.git" + "hub"].join(
      "|",
    ),
  );
  const text_ = files.filter((file) => !/\.(?:wasm|png|ico)$/.test(file));
  const found = text_.filter((file) => machine.test(text(file)));
  expect(found, "write paths from the root of the project").toEqual([]);
});

it("a file says no more than a person reads at once", () => {
  const long = sources.filter((file) => !/\.gen\.[cm]?ts$/.test(file) && text(file).split("\n").length > 520).filter((file) => !text(file).slice(0, 600).includes("(long:"));
  expect(long, "divide it by what its parts are for, or say in its first sentence why it is (long: …)").toEqual([]);
});

it("generated files say which command makes them", () => {
  const silent = files.filter((file) => /\.gen\.[cm]?ts$/.test(basename(file)) && !/node \S+\.mjs/.test(text(file).slice(0, 600)));
  expect(silent).toEqual([]);
});
