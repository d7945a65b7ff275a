// The settings of a web host, read from its bindings: policy, keys, callers and bounds. What is missing or wrong keeps the host shut.
import { InterlockError } from "interlock";
import { MAX_BODY } from "./bounds.ts";
import { type Caller, CallersError, readCallers } from "./callers.ts";
import { Core } from "./core.ts";

/** Names and values that the runtime gives: environment variables, or a Worker's bindings. */
export type Bindings = Readonly<Record<string, unknown>>;

export interface Settings {
  readonly core: Core;
  readonly callers: readonly Caller[];
  /** Whether /conform answers. */
  readonly conform: boolean;
  readonly maxBody: number;
}

/** A binding that is missing or wrong. The message is for the operator's log. */
export interface SettingProblem {
  readonly binding: string;
  readonly code: string;
  readonly message: string;
}

export type SettingsRead = { readonly settings: Settings; readonly problems: readonly [] } | { readonly settings: null; readonly problems: readonly SettingProblem[] };

/** No setting allows a larger body than this, in bytes: of a hostile one the core would take half a gigabyte. */
const LARGEST_BODY = 16 << 20;

/** Reads every setting and tells every problem. */
export function readSettings(bindings: Bindings): SettingsRead {
  const problems: SettingProblem[] = [];
  const wrong = (binding: string, code: string, message: string): null => {
    problems.push({ binding, code, message });
    return null;
  };
  const text = (name: string, needed: string): string | null => {
    const given = bindings[name];
    if (given === undefined || given === "") return wrong(name, "missing", `${name} is needed: ${needed}`);
    return typeof given === "string" ? given : wrong(name, "not_text", `${name} has to be a text binding: its digits are read by the core alone`);
  };
  const policy = text("INTERLOCK_POLICY", "the compiled policy, as `interlock register` writes it");
  const keys = text("INTERLOCK_KEYS", "the key set, as `interlock keygen` writes it");
  const callersText = text("INTERLOCK_CALLERS", "the list of callers with the hashes of their tokens; without it nobody is let in");
  const conform = bindings["INTERLOCK_CONFORM"] ?? "off";
  if (conform !== "on" && conform !== "off") wrong("INTERLOCK_CONFORM", "unknown_value", "INTERLOCK_CONFORM is on or off");
  const maxBody = Number(bindings["INTERLOCK_MAX_BODY"] ?? MAX_BODY);
  if (!Number.isInteger(maxBody) || maxBody < 1024 || maxBody > LARGEST_BODY)
    wrong("INTERLOCK_MAX_BODY", "out_of_range", `INTERLOCK_MAX_BODY is a number of bytes from 1024 to ${LARGEST_BODY}`);
  const callers =
    callersText === null
      ? null
      : orProblem(
          () => readCallers(callersText),
          (code, message) => wrong("INTERLOCK_CALLERS", code, message),
        );
  const core =
    policy === null || keys === null
      ? null
      : orProblem(
          () => new Core(policy, keys),
          (code, message) => wrong(code.startsWith("keys_") || message.startsWith("the key set") ? "INTERLOCK_KEYS" : "INTERLOCK_POLICY", code, message),
        );
  if (core === null || callers === null || problems.length > 0) return { settings: null, problems };
  return { settings: { core, callers, conform: conform === "on", maxBody }, problems: [] };
}

function orProblem<T>(work: () => T, wrong: (code: string, message: string) => null): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof CallersError) return wrong("callers_invalid", error.message);
    if (!(error instanceof InterlockError)) throw error;
    const where = error.problems?.map(({ pointer, message }) => `${pointer}: ${message}`).join("; ");
    return wrong(error.code, where ?? error.message);
  }
}
