// Vitest's global set-up for the suites that use the package as it is published: everything is built, packed, and installed once.
import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { writeTypes } from "../../bindings/build/bundles.mjs";
import { buildWasi } from "../../bindings/build/core.mjs";
import { writeNotices } from "../../bindings/build/notices.mjs";
import { packAndInstall } from "../runtime/install.ts";
import buildPackage from "./package.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder that packAndInstall made. */
    installed: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  await Promise.all([buildPackage(), buildWasi()]);
  writeTypes();
  writeNotices();
  const installed = await packAndInstall();
  project.provide("installed", installed);
  return () => rmSync(installed, { recursive: true, force: true });
}
