// The entry for workerd, which compiles no bytes inside a request: the module is imported, and compiled when the Worker is deployed.
import module from "./core.wasm";
import { provideModule } from "../codec.ts";

provideModule(() => module);

export * from "../api.ts";
