// Holds the types that the package ships for its web hosts against the sources: the compiler is the test.
import type * as serve from "../../hosts/deno/serve.ts";
import type * as deno from "../../hosts/deno/public.d.ts";
import type * as shipped from "../../hosts/worker/public.d.ts";
import type * as worker from "../../hosts/worker/worker.ts";

export const workerFits = (real: typeof worker): typeof shipped => real;
export const denoFits = (real: typeof serve): typeof deno => real;
