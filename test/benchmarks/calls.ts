// The ground-truth calls of the agent benchmarks, each with the tools it chooses from.

import { readFileSync } from "node:fs";
import { shared } from "../vectors/shared";
import { alternatives, conversations, irrelevant } from "./bfcl";

export interface Tool {
  name: string;
  description?: string;
  inputSchema: unknown;
}

export interface Call {
  /** Names it within its suite. */
  id: string;
  tool: string;
  arguments: Record<string, unknown>;
}

/** A catalogue, and the calls made over it. */
export interface Group {
  tools: Tool[];
  calls: Call[];
}

export interface Suite {
  name: string;
  groups: Group[];
}

interface Listing {
  server: string;
  tools: Tool[];
}

/** A file of the shared vectors, as JSON. */
export function vector<T>(path: string): T {
  return JSON.parse(readFileSync(shared(`vectors/${path}`), "utf8")) as T;
}

/** A file of the shared vectors with one JSON text a line. */
export function vectorLines<T>(path: string): T[] {
  const lines = readFileSync(shared(`vectors/${path}`), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as T);
}

/** Every suite of ../shared/vectors that has tools or calls. */
export function suites(): Suite[] {
  return [
    ...agentdojo(),
    injecagent(),
    toolemu(),
    asb(),
    ...tauBench(),
    ...tau2Bench(),
    bfcl(),
    { name: "bfcl, other accepted values", groups: alternatives() },
    { name: "bfcl, conversations", groups: [conversations()] },
    { name: "bfcl, irrelevance", groups: irrelevant() },
  ];
}

interface Truth {
  ground_truth: { function: string; args: Record<string, unknown> }[];
}

function agentdojo(): Suite[] {
  return vector<Listing[]>("agentdojo/tools.json").map(({ server, tools }) => {
    const tasks = vector<Record<string, Record<string, (Truth & { version: string })[]>>>(`agentdojo/${server.replace("agentdojo-", "")}.json`);
    const versions = ["user_tasks", "injection_tasks"].flatMap((kind) => Object.entries(tasks[kind]!).flatMap(([task, list]) => list.map((one) => ({ task, ...one }))));
    const calls = versions.flatMap(({ task, version, ground_truth }) =>
      ground_truth.map((call, index) => ({ id: `${task} ${version} ${index}`, tool: call.function, arguments: call.args })),
    );
    return { name: server, groups: [{ tools, calls }] };
  });
}

function injecagent(): Suite {
  const tools = vector<Listing[]>("injecagent/tools-jsonschema.json").flatMap((toolkit) => toolkit.tools);
  const cases = vector<{ id: string; user_call: { name: string; arguments: Record<string, unknown> } }[]>("injecagent/cases.json");
  const calls = cases.map(({ id, user_call }) => ({ id, tool: user_call.name, arguments: user_call.arguments }));
  return { name: "injecagent", groups: [{ tools, calls }] };
}

/** ToolEmu has instructions and no calls; its tools are InjecAgent's. */
function toolemu(): Suite {
  const wanted = new Set(vector<{ Toolkits: string[] }[]>("toolemu/all_cases.json").flatMap((one) => one.Toolkits));
  const toolkits = vector<Listing[]>("injecagent/tools-jsonschema.json").filter(({ server }) => wanted.has(server));
  return { name: "toolemu", groups: [{ tools: toolkits.flatMap((toolkit) => toolkit.tools), calls: [] }] };
}

/** ASB's tools have no parameters, and its tasks no calls. */
function asb(): Suite {
  const normal = vectorLines<Record<string, string>>("asb/all_normal_tools.jsonl").map((tool) => [tool["Tool Name"], tool.Description]);
  const attack = vectorLines<Record<string, string>>("asb/all_attack_tools.jsonl").map((tool) => [tool["Attacker Tool"], tool.Description]);
  const byName = new Map([...normal, ...attack].map(([name, description]) => [name!, { name: name!, description: description!, inputSchema: { type: "object", properties: {} } }]));
  return { name: "asb", groups: [{ tools: [...byName.values()], calls: [] }] };
}

interface TauTask {
  actions: { name: string; kwargs: Record<string, unknown> }[];
}

function tauBench(): Suite[] {
  const tasks = vector<Record<string, TauTask[]>>("tau-bench/tasks.json");
  return vector<Listing[]>("tau-bench/tools.json").map(({ server, tools }) => {
    const domain = server.replace("tau-bench-", "");
    const files = Object.entries(tasks).filter(([file]) => file.startsWith(`${domain}/`));
    const calls = files.flatMap(([file, list]) =>
      list.flatMap((task, number) => task.actions.map((action, index) => ({ id: `${file.replace(`${domain}/tasks_`, "")} ${number} ${index}`, tool: action.name, arguments: action.kwargs }))),
    );
    return { name: server, groups: [{ tools, calls }] };
  });
}

interface Tau2Task {
  domain: string;
  id: string;
  expected_actions: { name: string; arguments: Record<string, unknown> }[];
}

/** tau2-bench's tools are not at hand: its airline and retail calls are judged by tau-bench's, of which they are a later version. */
function tau2Bench(): Suite[] {
  const listings = vector<Listing[]>("tau-bench/tools.json");
  const tasks = vector<Tau2Task[]>("tau2-bench/tasks.json");
  return [...new Set(tasks.map((task) => task.domain))].map((domain) => {
    const tools = listings.find(({ server }) => server === `tau-bench-${domain}`)?.tools ?? [];
    const ofDomain = tasks.filter((task) => task.domain === domain);
    const calls = ofDomain.flatMap((task) => task.expected_actions.map((action, index) => ({ id: `${task.id} ${index}`, tool: action.name, arguments: action.arguments })));
    return { name: `tau2-bench-${domain}`, groups: [{ tools, calls }] };
  });
}

/** A question of BFCL, its types turned into JSON Schema's, with the first accepted value of each argument. */
export interface Question {
  id: string;
  tools: Tool[];
  calls: { name: string; arguments: Record<string, unknown> }[];
}

function bfcl(): Suite {
  const groups = vector<Question[]>("bfcl/calls.json").map(({ id, tools, calls }) => ({
    tools,
    calls: calls.map((call, index) => ({ id: `${id} ${index}`, tool: call.name, arguments: call.arguments })),
  }));
  return { name: "bfcl", groups };
}
