// A terminal for tests of the command line: what a command printed, and how it ended.
import { main } from "../../../hosts/cli/program.ts";
import { testDriver } from "../../unit/cli-driver.ts";

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `interlock` with these arguments. */
export async function interlock(args: readonly string[], env: Record<string, string> = {}, input = ""): Promise<Ran> {
  let out = "";
  let err = "";
  const terminal = {
    out: { write: (text: string) => void (out += text) },
    err: { write: (text: string) => void (err += text) },
    in: (async function* () {
      if (input !== "") yield input;
    })(),
    env: { NO_COLOR: "1", ...env },
    driver: testDriver,
  };
  const exit = await main(args, terminal, "0.0.0");
  return { exit, out, err };
}
