// Vitest's global set-up for every suite: the core and the bundles are as their sources are.
import { bundle } from "../../bindings/build/bundles.mjs";
import { buildCore } from "../../bindings/build/core.mjs";

export default async function setup(): Promise<void> {
  // While the core's sources are in the middle of a change, the module that was built last may still serve.
  if (process.env.INTERLOCK_CORE_AS_BUILT === undefined || process.env.CI === "true") await buildCore();
  await bundle();
}
