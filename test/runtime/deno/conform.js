// The conformance driver in Deno: lines on standard input, answers on standard output; no permission is needed.
import { answersTo } from "./lines.js";

await answersTo(Deno.stdin.readable).pipeTo(Deno.stdout.writable);
