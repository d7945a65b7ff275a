// The command line's driver answers every line, whatever it holds, and dies on none.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { lineDriver } from "interlock";
import { expect, it } from "vitest";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const INVALID = '{"error":{"code":"line_invalid","message":"a line is a JSON object with id and op"},"id":null}\n';

function conform(input: string | Uint8Array): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, "conform"], { input });
  expect(status, stderr.toString()).toBe(0);
  return stdout.toString();
}

it("one line for each: empty ones, hostile ones, carriage returns, a last one without its line feed", () => {
  const digest = '{"id":1,"op":"sha256","base64":""}';
  const answer = `${lineDriver().answer(digest)}\n`;
  expect(conform("")).toBe("");
  expect(conform(`${digest}\n`)).toBe(answer);
  expect(conform(`${digest}\r\n\n${digest}`)).toBe(answer + INVALID + answer);
  expect(conform(Buffer.concat([Buffer.from([0xff, 0xfe, 10]), Buffer.from(digest)]))).toBe(INVALID + answer);
});
