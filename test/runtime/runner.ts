// What a runner is: how one runtime is given a file of lines, in a project that has the packed package.
import type { Installed } from "./install.ts";
import type { Runtime } from "./runtimes.ts";

/** A runtime made ready: files in, files out. */
export interface Ready {
  /** Answers the lines of the file `input` into the file `output`, by a driver of its own. */
  answer(input: string, output: string): Promise<void>;
  stop(): Promise<void>;
}

/** A runtime with its driver of chapter 8. */
export interface Runner {
  /** What tells it from the others, and names its folder. */
  name: string;
  needs: Runtime[];
  ready(installed: Installed): Promise<Ready>;
}

/** Nothing to stop. */
export const nothing = (): Promise<void> => Promise.resolve();
