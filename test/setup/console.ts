// Vitest's global set-up for the slow suites: the console is built, once, before any of them looks at it.
import { buildConsole } from "../../bindings/build/console.mjs";

export default async function setup(): Promise<void> {
  await buildConsole();
}
