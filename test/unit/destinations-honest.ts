// Honest texts on which the scanner's false alarms are measured: the arguments and sentences of agent benchmarks, and which of them truly hold an address.

import { readdirSync, readFileSync } from "node:fs";
import { shared } from "../vectors/shared";
import judged from "./destinations-honest.json";

/** A text, and the name of the argument that it is the whole of. */
export interface Honest {
  text: string;
  argument?: string;
}

const json = (path: string) => JSON.parse(readFileSync(shared(`vectors/${path}`), "utf8"));
const lines = (path: string) => readFileSync(shared(`vectors/${path}`), "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));

/** Every string of the arguments, and the names in them. What stands for a value of the running benchmark (`$env`, `${…}`) is no argument and left out. */
function strings(args: Record<string, unknown>): Honest[] {
  const found: Honest[] = [];
  const walk = (value: unknown, argument?: string): void => {
    if (typeof value === "string" && !value.includes("${")) found.push(argument === undefined ? { text: value } : { text: value, argument });
    else if (Array.isArray(value)) for (const element of value) walk(element);
    else if (typeof value === "object" && value !== null && !("$env" in value)) {
      for (const [name, member] of Object.entries(value)) {
        found.push({ text: name });
        walk(member);
      }
    }
  };
  for (const [name, value] of Object.entries(args)) {
    found.push({ text: name });
    walk(value, name);
  }
  return found;
}

/** The literals of a call written in Python. */
function literals(call: string): Honest[] {
  return [...call.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(([, single, double]) => ({ text: (single ?? double)!.replace(/\\(.)/g, "$1") }));
}

/** Each text once for each argument that it is. */
function once(texts: Honest[]): Honest[] {
  return [...new Map(texts.map((honest) => [JSON.stringify([honest.text, honest.argument]), honest])).values()];
}

const SUITES = ["banking", "slack", "travel", "workspace"];
const tasks = (suite: string): { prompt: string; ground_truth: { args: Record<string, unknown> }[] }[] => Object.values(json(`agentdojo/${suite}.json`).user_tasks).flat() as never;

/** The arguments of every ground-truth call of a person's task, by benchmark. ToolEmu and ASB have no calls. */
export function argumentTexts(): Record<string, Honest[]> {
  const accepted = readdirSync(shared("vectors/bfcl/possible_answer")).flatMap((file) => lines(`bfcl/possible_answer/${file}`).flatMap(({ ground_truth }) => ground_truth));
  return {
    "BFCL, calls and every accepted value": once([
      ...json("bfcl/calls.json").flatMap(({ calls }: { calls: { arguments: Record<string, unknown> }[] }) => calls.flatMap((call) => strings(call.arguments))),
      ...accepted.flatMap((answer: unknown): Honest[] =>
        Array.isArray(answer)
          ? answer.flatMap(literals)
          : Object.values(answer as Record<string, Record<string, unknown[]>>).flatMap((values) => Object.entries(values).flatMap(([name, accepts]) => accepts.flatMap((value) => strings({ [name]: value })))),
      ),
    ]),
    "tau-bench": once((Object.values(json("tau-bench/tasks.json")).flat() as { actions: { kwargs: Record<string, unknown> }[] }[]).flatMap(({ actions }) => actions.flatMap(({ kwargs }) => strings(kwargs)))),
    "tau2-bench": once(json("tau2-bench/tasks.json").flatMap((task: { expected_actions?: { arguments: Record<string, unknown> }[] }) => (task.expected_actions ?? []).flatMap((action) => strings(action.arguments)))),
    "AgentDojo, user tasks": once(SUITES.flatMap((suite) => tasks(suite).flatMap(({ ground_truth }) => ground_truth.flatMap(({ args }) => strings(args))))),
    "InjecAgent, user tools": once(json("injecagent/cases.json").flatMap(({ user_call }: { user_call: { arguments: Record<string, unknown> } }) => strings(user_call.arguments))),
  };
}

/** What people say and benchmarks write in prose: instructions, goals, descriptions. */
export function sentenceTexts(): Honest[] {
  const said: unknown[] = [
    ...json("bfcl/calls.json").map(({ user }: { user: string }) => user),
    ...(Object.values(json("tau-bench/tasks.json")).flat() as { instruction: string }[]).map(({ instruction }) => instruction),
    ...json("tau2-bench/tasks.json").flatMap((task: { purpose: string; instructions?: object; nl_assertions?: string[] }) => [task.purpose, ...Object.values(task.instructions ?? {}), ...(task.nl_assertions ?? [])]),
    ...SUITES.flatMap((suite) => tasks(suite).map(({ prompt }) => prompt)),
    ...json("injecagent/cases.json").map(({ user_request }: { user_request: string }) => user_request),
    ...json("toolemu/all_cases.json").flatMap((task: Record<string, string[]>) => [task["User Instruction"], ...["Expected Achievements", "Potential Risky Outcomes", "Potential Risky Actions"].flatMap((list) => task[list] ?? [])]),
    ...lines("asb/agent_task.jsonl").flatMap((agent) => agent.tasks),
    ...lines("asb/all_normal_tools.jsonl").flatMap((tool) => [tool.Description, tool["Expected Achievements"]]),
    ...lines("asb/all_attack_tools.jsonl").flatMap((tool) => [tool["Attacker Instruction"], tool.Description, tool["Attack goal"]]),
  ];
  return once(said.filter((text): text is string => typeof text === "string").map((text) => ({ text })));
}

/** Signs between other characters, without which nobody sees an address in a word. */
const SIGNS = /[^\s][.@\\:][^\s.]|\/\/|localhost|%[0-7][0-9a-f]|[。｡．＠]|&#/i;
/** Words that hold an address: a scheme and slashes, an e-mail address, www. */
const HOLDS = /[a-z][a-z0-9+.-]*:\/\/\S|[^\s@]@[^\s@]+\.[^\s.]|^www\.\S/i;
/** Words that hold none, by what they are. */
const HOLD_NONE: RegExp[] = [
  // Numbers, amounts, measures: at most one dot that digits follow, or groups of three.
  /^[-+~$€£¥#]*[0-9][0-9,]*(?:\.[0-9]+)?(?:[-°%²³]?[A-Za-z]{0,6}[°²³]?)?[.?!:*]*$/,
  // Times and dates.
  /^[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:[AP]M)?[.?!]*$/i,
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z?$/,
  /^HH:MM(?::SS)?$/,
  /^(?:Jan|Feb|Mar|March|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\.[0-9]+$/,
  // Abbreviations of single letters.
  /^(?:[A-Za-z]\.)+[A-Za-z]?[.?]*$/,
  // Files and folders, by extensions that are no top-level domain, or that chapter 5 names.
  /^(?:[a-z]:|~)?[\w\\/%-]*[\\/]?[\w-]+\.(?:txt|csv|json|docx?|xlsx?|pdf|png|jpg|wav|mp4|nii|exe|lnk|css|html|js|yml|log|md|py|zip|class)[.?\\]*$/i,
  /^[a-z]:[\\/]*$/i,
  /^(?:\/\w+)+:(?:\/\w+)+$/,
];

const tokens = (text: string) => text.split(/[\s"'`<>()[\]{},;=|*]+/).filter((token) => SIGNS.test(token));
const none = new Set(Object.values(judged.none).flat());
const address = new Set(Object.values(judged.address).flat());

/**
 * Whether a text truly holds an address, as a person sees it: by the rules above, word by word, and for what they do not decide by
 * the list of words that people judged. Words that neither decides are added to `unjudged`.
 */
export function holdsAddress(text: string, unjudged: Set<string>): boolean {
  let holds = false;
  for (const token of tokens(text)) {
    if (none.has(token)) continue;
    if (address.has(token) || HOLDS.test(token)) holds = true;
    else if (!HOLD_NONE.some((rule) => rule.test(token))) unjudged.add(token);
  }
  return holds;
}
