// Packs the package as it would be published, and installs the tarball into empty projects.
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TARBALL = "interlock.tgz";
const FIRST = "first";
const FOLDER = fileURLToPath(new URL(".", import.meta.url));
/** npm as it comes beside the Node that runs the tests, or on the path. */
const NPM = ["npm", "npm-cli.js"].map((name) => join(dirname(process.execPath), name)).find((path) => existsSync(path)) ?? "npm";

/** An empty project with the packed package in it. */
export interface Project {
  folder: string;
  /** The path of one of its files. */
  path(name: string): string;
  /** Puts a file of this folder (its name alone) into the project. */
  take(...names: string[]): void;
  /** Copies one of the project's files. */
  copy(from: string, to: string): void;
  write(name: string, text: string | Uint8Array): void;
}

/** The tarball and the projects made of it. */
export interface Installed {
  /** The path of the tarball. */
  tarball: string;
  /** Another empty project with the package in it, installed by npm. */
  project(name: string): Project;
  /** An empty project into which something else installs the tarball: `install` gets the project's folder. */
  projectBy(name: string, install: (folder: string) => Promise<unknown>): Promise<Project>;
  remove(): void;
}

/** Packs what was built (dist/ as it is) and installs it once, into a fresh folder of the system's. Gives that folder. */
export async function packAndInstall(): Promise<string> {
  const base = mkdtempSync(join(tmpdir(), "interlock-installed-"));
  const [{ filename }] = JSON.parse(await run(NPM, ["pack", "--ignore-scripts", "--json", "--pack-destination", base], { cwd: ROOT })) as [{ filename: string }];
  renameSync(join(base, filename), join(base, TARBALL));
  await run(NPM, ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", join(base, TARBALL)], { cwd: emptyProject(base, FIRST) });
  return base;
}

/** What packAndInstall made, for one suite: every project is a copy of that install. */
export function installedIn(base: string): Installed {
  const own = mkdtempSync(join(base, "suite-"));
  const tarball = join(base, TARBALL);
  return {
    tarball,
    project: (name) => {
      const folder = join(own, name);
      cpSync(join(base, FIRST), folder, { recursive: true, verbatimSymlinks: true });
      return projectIn(folder);
    },
    projectBy: async (name, install) => {
      const folder = emptyProject(own, name);
      await install(folder);
      return projectIn(folder);
    },
    remove: () => rmSync(own, { recursive: true, force: true }),
  };
}

function emptyProject(base: string, name: string): string {
  const folder = join(base, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "name": "empty", "private": true, "type": "module" }\n');
  return folder;
}

function projectIn(folder: string): Project {
  const path = (name: string) => join(folder, name);
  return {
    folder,
    path,
    take: (...names) => {
      for (const name of names) copyFileSync(join(FOLDER, name), path(name.slice(name.lastIndexOf("/") + 1)));
    },
    copy: (from, to) => copyFileSync(path(from), path(to)),
    write: (name, text) => writeFileSync(path(name), text),
  };
}
