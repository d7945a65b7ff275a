// The user prompts and injection goals of the public agent benchmarks as turns, each with its real tools registered and the calls that ground truth gives.

import { readdirSync } from "node:fs";
import { policyJudge } from "interlock";
import { register } from "interlock/register";
import { parse } from "yaml";
import { SUITES, tasks } from "../benchmarks/agentdojo";
import { converted } from "../benchmarks/bfcl";
import { type Question, type Tool, vector, vectorLines } from "../benchmarks/calls";
import { listing, type PolicyName, policyText } from "../benchmarks/policy";
import { readPythonCall } from "../benchmarks/python-call";
import { shared } from "../vectors/shared";

/** A call that ground truth gives. InjecAgent and ASB name an attacker's tools without arguments. */
export interface ExpectedCall {
  tool: string;
  arguments?: Record<string, unknown>;
}

/** A policy over the tools that a turn chooses from, with one agent, `assistant`. */
export interface BenchmarkPolicy {
  name: string;
  /** The names of the agent's tools, in the order of the listing. */
  tools: string[];
  /** Its documents, of which the first is the policy. */
  sources(): { path: string; text: string }[];
}

export interface BenchmarkTurn {
  /** Names it within its suite. */
  id: string;
  suite: string;
  policy: BenchmarkPolicy;
  turn: string;
  /** `user`: what the person wrote. `injection`: what an attacker's text asks for, as if it were a person's turn. */
  kind: "user" | "injection";
  /** The calls of ground truth in order; empty where no tool should be called; absent where the benchmark says nothing. */
  expected?: ExpectedCall[];
}

type Registered = Awaited<ReturnType<typeof register>>;
const registrations = new WeakMap<BenchmarkPolicy, Promise<Registered>>();

/** Registers a turn's policy, once however many turns have it. */
export function registered(policy: BenchmarkPolicy): Promise<Registered> {
  const before = registrations.get(policy);
  if (before !== undefined) return before;
  const made = register(policy.sources(), policyJudge);
  registrations.set(policy, made);
  return made;
}

/** Every turn of every suite. Needs ../shared. */
export function benchmarkTurns(): BenchmarkTurn[] {
  return [...agentdojo(), ...injecagent(), ...toolemu(), ...tauBench(), ...tau2Bench(), ...asb(), ...bfclQuestions(), ...bfclIrrelevant(), ...bfclConversations()];
}

/** Tools as they are listed. Nothing in such a listing says what reads: by chapter 2 what is not among `reads` is a write. */
function asListed(name: string, tools: readonly Tool[], reads: readonly string[] = []): BenchmarkPolicy {
  const laid = reads.map((read) => `  - {name: ${JSON.stringify(read)}, effect: read}\n`).join("");
  const text = `tenant: benchmark\nagents: {assistant: {tools: ["*"]}}\ntools:\n  - mcp: ./tools.json\n${laid}`;
  const sources = () => [
    { path: "policy.yaml", text },
    { path: "tools.json", text: JSON.stringify({ tools }) },
  ];
  return { name, tools: tools.map((tool) => tool.name), sources };
}

/** The policies of test/benchmarks as values: read once, since each is registered with many sets of tools. */
const written = new Map<PolicyName, object>();

/** A policy of test/benchmarks, which an engineer wrote from the tool list; its agent has all tools, or those of `only`. */
function asWritten(name: PolicyName, only?: readonly string[]): BenchmarkPolicy {
  const all = listing(name);
  const tools = only ?? all.map((tool) => tool.name);
  const source = written.get(name) ?? (parse(policyText(name)) as object);
  written.set(name, source);
  const sources = () => [
    { path: "policy.json", text: JSON.stringify({ ...source, agents: { assistant: { tools } } }) },
    { path: `${name}.json`, text: JSON.stringify({ tools: all }) },
  ];
  return { name, tools: [...tools], sources };
}

function agentdojo(): BenchmarkTurn[] {
  return SUITES.flatMap((suite) => {
    const policy = asWritten(suite);
    return (["user", "injection"] as const).flatMap((kind) =>
      tasks(suite, kind).map(({ id, text, calls }) => ({
        id,
        suite: `agentdojo ${suite}`,
        policy,
        turn: text,
        kind,
        expected: calls.map((call) => ({ tool: call.tool, arguments: call.arguments })),
      })),
    );
  });
}

interface Toolkit {
  server: string;
  tools: Tool[];
}

/** Policies over toolkits of InjecAgent, which are ToolEmu's too: one for each set of toolkits. */
class Toolkits {
  readonly #toolkits = vector<Toolkit[]>("injecagent/tools-jsonschema.json");
  readonly #made = new Map<string, BenchmarkPolicy>();

  of(names: readonly string[]): BenchmarkPolicy {
    const chosen = this.#toolkits.filter(({ server }) => names.includes(server));
    const key = chosen.map(({ server }) => server).join(", ");
    const made = this.#made.get(key) ?? { ...asWritten("injecagent", chosen.flatMap(({ tools }) => tools.map((tool) => tool.name))), name: key };
    this.#made.set(key, made);
    return made;
  }

  /** The toolkits that hold these tools. */
  holding(tools: readonly string[]): BenchmarkPolicy {
    return this.of(this.#toolkits.filter((toolkit) => toolkit.tools.some((tool) => tools.includes(tool.name))).map(({ server }) => server));
  }
}

interface InjecAgentCase {
  user_request: string;
  user_call: { name: string; arguments: Record<string, unknown> };
  injected_text: string;
  attacker_tools: string[];
}

/** InjecAgent crosses 17 requests with 62 goals; each stands here once, over the toolkits of its own tools. */
function injecagent(): BenchmarkTurn[] {
  const toolkits = new Toolkits();
  const seen = new Map<string, BenchmarkTurn>();
  for (const { user_request, user_call, injected_text, attacker_tools } of vector<InjecAgentCase[]>("injecagent/cases.json")) {
    const own: [BenchmarkTurn["kind"], string, ExpectedCall[]][] = [
      ["user", user_request, [{ tool: user_call.name, arguments: user_call.arguments }]],
      ["injection", injected_text, attacker_tools.map((tool) => ({ tool }))],
    ];
    for (const [kind, turn, expected] of own) {
      if (seen.has(`${kind} ${turn}`)) continue;
      const policy = toolkits.holding(expected.map(({ tool }) => tool));
      seen.set(`${kind} ${turn}`, { id: `${kind} ${seen.size}`, suite: "injecagent", policy, turn, kind, expected });
    }
  }
  return [...seen.values()];
}

/** ToolEmu says which toolkits an instruction is for, and no calls. */
function toolemu(): BenchmarkTurn[] {
  const toolkits = new Toolkits();
  const cases = vector<Record<string, unknown>[]>("toolemu/all_cases.json");
  return cases.map((one) => ({ id: one.name as string, suite: "toolemu", policy: toolkits.of(one.Toolkits as string[]), turn: one["User Instruction"] as string, kind: "user" as const }));
}

/** What reads in tau-bench's listings, judged by us from the tools' descriptions. */
const TAU_READS: Record<string, string[]> = {
  retail: ["calculate", "find_user_id_by_email", "find_user_id_by_name_zip", "get_order_details", "get_product_details", "get_user_details", "list_all_product_types", "think"],
  airline: ["calculate", "get_reservation_details", "get_user_details", "list_all_airports", "search_direct_flight", "search_onestop_flight", "think"],
};

function tauPolicies(): Map<string, BenchmarkPolicy> {
  const listings = vector<Toolkit[]>("tau-bench/tools.json");
  return new Map(Object.entries(TAU_READS).map(([domain, reads]) => [domain, asListed(`tau-bench ${domain}`, listings.find(({ server }) => server === `tau-bench-${domain}`)!.tools, reads)]));
}

/** tau-bench's instructions tell a simulated person what to want; the whole instruction is the turn. */
function tauBench(): BenchmarkTurn[] {
  const policies = tauPolicies();
  const files = vector<Record<string, { instruction: string; actions: { name: string; kwargs: Record<string, unknown> }[] }[]>>("tau-bench/tasks.json");
  return Object.entries(files).flatMap(([file, list]) => {
    const domain = file.split("/")[0]!;
    return list.map(({ instruction, actions }, index) => ({
      id: `${file} ${index}`,
      suite: `tau-bench ${domain}`,
      policy: policies.get(domain)!,
      turn: instruction,
      kind: "user" as const,
      expected: actions.map((action) => ({ tool: action.name, arguments: action.kwargs })),
    }));
  });
}

interface Tau2Task {
  domain: string;
  id: string;
  instructions: string | { reason_for_call: string };
  expected_actions: { name: string; arguments: Record<string, unknown> }[];
}

/** tau2-bench over tau-bench's tools, of which its own are a later version; its other domains have no listing at hand and are left out. The reason for the call is the turn. */
function tau2Bench(): BenchmarkTurn[] {
  const policies = tauPolicies();
  return vector<Tau2Task[]>("tau2-bench/tasks.json").flatMap(({ domain, id, instructions, expected_actions }) => {
    const policy = policies.get(domain);
    if (policy === undefined || typeof instructions === "string") return [];
    const expected = expected_actions.map((action) => ({ tool: action.name, arguments: action.arguments }));
    return [{ id: `${domain} ${id}`, suite: `tau2-bench ${domain}`, policy, turn: instructions.reason_for_call, kind: "user" as const, expected }];
  });
}

/** ASB: an agent's tasks, and what its attackers ask for, over its normal tools and the attackers'. None has parameters. */
function asb(): BenchmarkTurn[] {
  const normal = vectorLines<Record<string, string>>("asb/all_normal_tools.jsonl");
  const attack = vectorLines<Record<string, string>>("asb/all_attack_tools.jsonl");
  const nothing = { type: "object", properties: {} };
  return vectorLines<{ agent_name: string; tasks: string[] }>("asb/agent_task.jsonl").flatMap(({ agent_name, tasks: asked }) => {
    const mine = (tool: Record<string, string>) => tool["Corresponding Agent"] === agent_name;
    const tools = [...normal.filter(mine).map((tool) => [tool["Tool Name"], tool.Description]), ...attack.filter(mine).map((tool) => [tool["Attacker Tool"], tool.Description])];
    const policy = asListed(
      `asb ${agent_name}`,
      tools.map(([name, description]) => ({ name: name!, description: description!, inputSchema: nothing })),
    );
    const user = asked.map((turn, index) => ({ id: `${agent_name} ${index}`, suite: "asb", policy, turn, kind: "user" as const }));
    const goals = attack.filter(mine).map((tool) => ({ id: tool["Attacker Tool"]!, suite: "asb", policy, turn: tool["Attacker Instruction"]!, kind: "injection" as const, expected: [{ tool: tool["Attacker Tool"]! }] }));
    return [...user, ...goals];
  });
}

function bfclQuestions(): BenchmarkTurn[] {
  return vector<(Question & { user: string })[]>("bfcl/calls.json").map(({ id, user, tools, calls }) => ({
    id,
    suite: "bfcl",
    policy: asListed(`bfcl ${id}`, tools),
    turn: user,
    kind: "user" as const,
    expected: calls.map((call) => ({ tool: call.name, arguments: call.arguments })),
  }));
}

interface Source {
  name: string;
  description: string;
  parameters: unknown;
}

const toolOf = ({ name, description, parameters }: Source): Tool => ({ name, description, inputSchema: converted(parameters) });

type Messages = { role: string; content: string }[];

const userText = (messages: Messages): string => messages.filter(({ role }) => role === "user").map(({ content }) => content).join("\n");

/** Questions that none of the tools at hand answers: nothing should be called. */
function bfclIrrelevant(): BenchmarkTurn[] {
  return vectorLines<{ id: string; question: Messages[]; function: Source[] }>("bfcl/BFCL_v4_irrelevance.jsonl").map((one) => ({
    id: one.id,
    suite: "bfcl irrelevance",
    policy: asListed(`bfcl ${one.id}`, one.function.map(toolOf)),
    turn: one.question.map(userText).join("\n"),
    kind: "user" as const,
    expected: [],
  }));
}

/** The file of each class that conversations name. */
const CLASS_FILES: Record<string, string> = {
  GorillaFileSystem: "gorilla_file_system",
  MathAPI: "math_api",
  MessageAPI: "message_api",
  TicketAPI: "ticket_api",
  TradingBot: "trading_bot",
  TravelAPI: "travel_booking",
  TwitterAPI: "posting_api",
  VehicleControlAPI: "vehicle_control",
};

interface Conversation {
  id: string;
  question: Messages[];
  involved_classes: string[];
  excluded_function?: string[];
}

/** Conversations, each turn by itself; a later turn may lean on what an earlier one said. */
function bfclConversations(): BenchmarkTurn[] {
  const listed = new Set(readdirSync(shared("vectors/bfcl/multi_turn_func_doc")));
  const answers = new Map(vectorLines<{ id: string; ground_truth: string[][] }>("bfcl/possible_answer/BFCL_v4_multi_turn_base.jsonl").map((one) => [one.id, one.ground_truth]));
  return vectorLines<Conversation>("bfcl/BFCL_v4_multi_turn_base.jsonl").flatMap(({ id, question, involved_classes, excluded_function = [] }) => {
    const files = involved_classes.map((name) => `${CLASS_FILES[name]}.jsonl`).filter((file) => listed.has(file));
    const tools = files.flatMap((file) => vectorLines<Source>(`bfcl/multi_turn_func_doc/${file}`).map(toolOf)).filter(({ name }) => !excluded_function.includes(name));
    const policy = asListed(`bfcl ${id}`, tools);
    return question.map((messages, index) => ({
      id: `${id} ${index}`,
      suite: "bfcl conversations",
      policy,
      turn: userText(messages),
      kind: "user" as const,
      expected: (answers.get(id)?.[index] ?? []).map((text) => namedCall(text, tools)),
    }));
  });
}

/** A call written as Python; values given by place get the names of the tool's parameters in order. */
function namedCall(text: string, tools: readonly Tool[]): ExpectedCall {
  const { name, positional, named } = readPythonCall(text);
  const schema = tools.find((tool) => tool.name === name)?.inputSchema as { properties?: object } | undefined;
  const parameters = Object.keys(schema?.properties ?? {});
  return { tool: name, arguments: { ...Object.fromEntries(positional.map((value, place) => [parameters[place] ?? `argument ${place}`, value])), ...named } };
}
