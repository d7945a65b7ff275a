// The conformance driver in Bun: lines on standard input, answers on standard output.
import { answersTo } from "./lines.js";

const out = Bun.stdout.writer();
const answers = answersTo(Bun.stdin.stream()).getReader();
for (let read = await answers.read(); !read.done; read = await answers.read()) out.write(read.value);
await out.end();
