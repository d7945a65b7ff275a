// Vitest's global set-up for every suite: the core and the bundles are as their sources are.
import { bundle } from "../../build/bundles.mjs";
import { buildCore } from "../../build/core.mjs";

export default async function setup(): Promise<void> {
  buildCore();
  await bundle();
}
