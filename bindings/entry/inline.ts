// The entry for runtimes that may compile bytes: the module's bytes are in this file, so nothing is fetched or read.
import text from "interlock:core-base64";
import { provideModule } from "../codec.ts";
import { decodeBase64 } from "./base64.ts";

provideModule(() => new WebAssembly.Module(decodeBase64(text)));

export * from "../api.ts";
