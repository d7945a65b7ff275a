// The hooks of a tenant: those that match a call, in the order of the settings, before it and after it. A failed hook is as its `on_failure` says.
import { type LineDriver, lineDriver } from "interlock";
import type { CallRecord } from "../call/record.ts";
import type { HookSettings } from "../config/settings.ts";
import { post } from "../notify/webhook.ts";
import { postAnswer, preAnswer } from "./answer.ts";
import { canonical, changedArguments } from "./changes.ts";
import type { Hooks, PostCall, PreCall } from "./port.ts";
import { runCommand } from "./run-command.ts";
import { ModuleHook } from "./run-module.ts";

/** The longest answer of a webhook in bytes. */
const BYTES = 8 * 1024 * 1024;

/** The part of the hooks that has to be put away. */
export interface RunningHooks extends Hooks {
  close(): void;
}

/**
 * Makes the hooks of the settings. What changes with the settings is asked for at every call.
 * @param settings the tenant's hooks, in order
 * @param clock seconds since 1970
 */
export function createHooks(settings: (tenant: string) => readonly HookSettings[], clock: () => number): RunningHooks {
  const driver = lineDriver();
  const modules = new Map<string, ModuleHook>();
  const ask = (hook: HookSettings, question: string, call: CallRecord): Promise<string> => {
    const { run, timeoutMs } = hook;
    switch (run.kind) {
      case "command":
        return runCommand(run.command, run.args, question, timeoutMs);
      case "module": {
        const module = modules.get(run.path) ?? new ModuleHook(run.path);
        modules.set(run.path, module);
        return module.ask(question, timeoutMs);
      }
      case "webhook":
        return post(run, `${call.id}.${hook.when}.${hook.name}`, question, { timeoutMs, bytes: BYTES, now: clock() }).then(({ status, body }) => {
          if (status !== 200) throw new Error(`it answered with status ${status}`);
          return body;
        });
    }
  };
  return {
    pre: (call) => before(call, matching(settings(call.tenant), "pre", call.tool), ask, driver),
    post: (call, result) => after(call, result, matching(settings(call.tenant), "post", call.tool), ask, driver),
    close: () => {
      for (const module of modules.values()) module.close();
      modules.clear();
    },
  };
}

type Ask = (hook: HookSettings, question: string, call: CallRecord) => Promise<string>;

function matching(hooks: readonly HookSettings[], when: HookSettings["when"], tool: string): readonly HookSettings[] {
  return hooks.filter((hook) => hook.when === when && (hook.tools.includes("*") || hook.tools.includes(tool)));
}

async function before(call: CallRecord, hooks: readonly HookSettings[], ask: Ask, driver: LineDriver): Promise<PreCall> {
  const changed: Record<string, { hook: string; trusted: boolean }> = {};
  let escalated: { hook: string; message: string | null } | null = null;
  const first = hooks.length === 0 ? null : canonical(driver, call.arguments);
  // Arguments that the core does not read are for the check to refuse, in its own words; no hook sees them.
  if (first === null) return { answer: "allow", hook: null, message: null, arguments: call.arguments, changed };
  let current = first;
  for (const hook of hooks) {
    const answered = await answerOf(hook, () => ask(hook, question(call, hook, "arguments", current), call), preAnswer);
    if ("failed" in answered) {
      if (hook.onFailure === "refuse") return { answer: "deny", hook: hook.name, message: answered.failed, arguments: call.arguments, changed: {}, failed: true };
      if (hook.onFailure === "ask") escalated ??= { hook: hook.name, message: answered.failed };
      continue;
    }
    const { answer, message, arguments: given } = answered.said;
    if (hook.escalateOnly && (answer === "deny" || answer === "modify")) {
      return { answer: "deny", hook: hook.name, message: `the hook ${hook.name} may only escalate, and answered ${answer}`, arguments: call.arguments, changed: {}, failed: true };
    }
    if (answer === "deny") return { answer: "deny", hook: hook.name, message, arguments: call.arguments, changed: {} };
    if (answer === "escalate") escalated ??= { hook: hook.name, message };
    if (answer !== "modify") continue;
    const next = canonical(driver, given!);
    if (next === null) return { answer: "deny", hook: hook.name, message: `the hook ${hook.name} answered arguments that are no strict JSON`, arguments: call.arguments, changed: {}, failed: true };
    for (const name of changedArguments(current, next)) {
      // Once an untrusted hook touched an argument, a trusted one that touches it again cannot vouch for what it was made from.
      changed[name] = { hook: hook.name, trusted: hook.trusted && changed[name]?.trusted !== false };
    }
    current = next;
  }
  const text = Object.keys(changed).length === 0 && current === first ? call.arguments : current;
  if (escalated !== null) return { answer: "escalate", ...escalated, arguments: text, changed };
  return { answer: "allow", hook: null, message: null, arguments: text, changed };
}

async function after(call: CallRecord, result: string, hooks: readonly HookSettings[], ask: Ask, driver: LineDriver): Promise<PostCall> {
  let current = result;
  for (const hook of hooks) {
    const answered = await answerOf(hook, () => ask(hook, question(call, hook, "result", current), call), (text) => {
      const said = postAnswer(text);
      if (said.result !== null && canonical(driver, said.result) === null) throw new Error("its result is no strict JSON");
      return said;
    });
    if ("failed" in answered) {
      // There is no question to ask any more: the call was made. What may not be refused is withheld.
      if (hook.onFailure !== "allow") return { answer: "withhold", hook: hook.name, message: answered.failed, result: null };
      continue;
    }
    const { answer, message, result: given } = answered.said;
    if (answer === "withhold") return { answer: "withhold", hook: hook.name, message, result: null };
    if (answer === "redact") current = given!;
  }
  return { answer: "release", hook: null, message: null, result: current };
}

async function answerOf<T>(hook: HookSettings, ask: () => Promise<string>, read: (text: string) => T): Promise<{ said: T } | { failed: string }> {
  try {
    return { said: read(await ask()) };
  } catch (error) {
    return { failed: `the hook ${hook.name} failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** What a hook is asked: one JSON object, the arguments or the result in it as their JSON text stands. */
function question(call: CallRecord, hook: HookSettings, member: "arguments" | "result", text: string): string {
  const told = {
    format: "qls-hook/1",
    when: hook.when,
    hook: hook.name,
    call: call.id,
    session: call.session,
    agent: call.agent,
    tool: call.tool,
    ...(call.principal === undefined ? {} : { principal: call.principal }),
    ...(call.labels === undefined ? {} : { labels: call.labels }),
    ...(member === "result" ? { status: call.sent?.status ?? null } : {}),
  };
  const after = member === "result" && call.canonical !== null ? `,"arguments":${call.canonical}` : "";
  return `${JSON.stringify(told).slice(0, -1)}${after},${JSON.stringify(member)}:${text}}`;
}
