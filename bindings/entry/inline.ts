// The entry for runtimes that may compile bytes: the module's bytes are in this file, so nothing is fetched or read.
import bytes from "interlock:core-bytes";
import { provideModule } from "../codec.ts";

provideModule(() => new WebAssembly.Module(bytes));

export * from "../api.ts";
