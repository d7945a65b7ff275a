// Loads Restate's SDK, which whoever uses this engine installs beside the gateway.
import { EngineError } from "../port.ts";

export type Sdk = typeof import("@restatedev/restate-sdk");

/** The version that this adapter is tested with. */
export const SDK_VERSION = "1.17.2";

/** Throws EngineError `engine_missing`. */
export async function loadSdk(): Promise<Sdk> {
  fillIn();
  try {
    return await import("@restatedev/restate-sdk");
  } catch (cause) {
    throw new EngineError("engine_missing", `the engine restate needs its SDK, which is not installed: run \`npm install @restatedev/restate-sdk@${SDK_VERSION}\` where the gateway is installed`, { cause });
  }
}

/** The SDK needs Promise.withResolvers, which Node has from 22 on; without it no request would ever be answered. */
function fillIn(): void {
  const made = Promise as unknown as { withResolvers?: unknown };
  made.withResolvers ??= function withResolvers<T>(this: PromiseConstructor) {
    let resolve: ((value: T | PromiseLike<T>) => void) | undefined;
    let reject: ((reason?: unknown) => void) | undefined;
    const promise = new this<T>((done, failed) => {
      resolve = done;
      reject = failed;
    });
    return { promise, resolve, reject };
  };
}
