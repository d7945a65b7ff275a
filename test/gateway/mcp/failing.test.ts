// A gateway that fails in the middle of a call: its client is never told that nothing was done where it may have been.
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { undecided } from "../../../hosts/gateway/doors/mcp/answers.ts";
import { openStdio } from "../../../hosts/gateway/doors/mcp/stdio.ts";
import { GatewayError } from "../../../hosts/gateway/gateway.ts";
import { AGENT, House } from "./house.ts";

interface Told {
  result: { isError: boolean; content: { text: string }[]; structuredContent: { decision: string; reason: string } };
}

/** What one call of list_directory is answered with, over an engine of which `fails` says by the commit's text which commits it fails. */
async function answerWhere(fails: (commit: string) => boolean): Promise<Told> {
  const house = new House();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const door = openStdio(house.parts, AGENT, input, output);
  await house.upstream.listed("shop");
  house.engine.before = (commit) => {
    if (fails(JSON.stringify(commit))) throw new Error("the disk is full: sensitive words");
  };
  const answered = new Promise<string>((resolve) => {
    let came = "";
    output.on("data", (part: Buffer) => {
      came += part.toString("utf8");
      const line = came.split("\n").find((each) => each.includes('"id":1,'));
      if (line !== undefined) resolve(line);
    });
  });
  input.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n');
  input.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_directory","arguments":{"path":${JSON.stringify(house.folder)}}}}\n`);
  const line = await answered;
  expect(line).not.toContain("sensitive words");
  await door.close();
  await house.close();
  return JSON.parse(line) as Told;
}

it("the outcome of a call that was made and could not be kept is unknown to the client", async () => {
  let sending = false;
  const { result } = await answerWhere((commit) => {
    if (commit.includes('\\"state\\":\\"sending\\"')) {
      sending = true;
      return false;
    }
    return sending;
  });
  expect(sending).toBe(true);
  expect(result).toMatchObject({ isError: true, structuredContent: { decision: "unknown", reason: "outcome_unknown" } });
  expect(result.content[0]!.text).toContain("not known whether");
});

it("only a failure by which nothing was done is told so", () => {
  const told = (error: unknown) => (JSON.parse(undecided(error)) as Told["result"]).structuredContent;
  expect(told(new GatewayError(503, "session_busy", "busy"))).toMatchObject({ decision: "error", reason: "session_busy" });
  expect(told(new GatewayError(403, "agent_not_allowed", "no"))).toMatchObject({ decision: "error", reason: "agent_not_allowed" });
  expect(told(new GatewayError(500, "call_lost", "the call's record is gone"))).toMatchObject({ decision: "unknown", reason: "outcome_unknown" });
  expect(told(new TypeError("x"))).toMatchObject({ decision: "unknown", reason: "outcome_unknown" });
});
