// The core as the command line uses it.
import type { RegisteringCore } from './package.ts';

/** Loads the core once. */
export async function loadCore(): Promise<RegisteringCore> {
  throw new Error('not wired');
}
