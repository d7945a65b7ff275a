// What the form and the trace offer of the policy in force: its agents, tools and facts, by name.
import { isObject, type JsonObject, type JsonValue } from '../package.ts';

export interface ToolFacts {
  name: string; description: string; effect: 'read' | 'write'; sendsOut: boolean; readsOutside: boolean;
  /** The top-level arguments it declares, and those it requires. */
  declares: string[]; requires: string[];
  /** The fields of its result. */
  returns: string[];
  undo: { tool: string; bind: Record<string, string> } | null;
  /** Its order rules in the policy's own words, and the ids of the rules on it. */
  order: string[]; rules: string[];
}
export interface AgentFacts { name: string; tools: string[] }
export interface PolicyFacts { agents: AgentFacts[]; tools: Map<string, ToolFacts>; facts: string[] }

export const NO_FACTS: PolicyFacts = { agents: [], tools: new Map(), facts: [] };

/** Reads the facts of a policy's members (chapter 2; defaults may be left out). */
export function factsOf(policy: JsonObject): PolicyFacts {
  const rulebook = object(policy['rulebook']);
  const tools = list(policy['tools']).filter(isObject).map((tool) => toolFacts(tool, rulebook));
  const agents = Object.entries(object(policy['agents'])).map(([name, agent]) => {
    const named = strings(object(agent)['tools']);
    return { name, tools: named.includes('*') ? tools.map((tool) => tool.name) : named };
  });
  return { agents, tools: new Map(tools.map((tool) => [tool.name, tool])), facts: strings(rulebook['facts']) };
}

function toolFacts(tool: JsonObject, rulebook: JsonObject): ToolFacts {
  const name = String(tool['name'] ?? '');
  const parameters = object(tool['parameters']);
  const undo = object(tool['undo']);
  return {
    name, description: String(tool['description'] ?? ''), effect: tool['effect'] === 'read' ? 'read' : 'write', sendsOut: tool['sends_out'] === true, readsOutside: tool['reads_outside'] === true,
    declares: Object.keys(object(parameters['properties'])), requires: strings(parameters['required']), returns: Object.keys(object(object(tool['result'])['properties'])),
    undo: typeof undo['tool'] === 'string' ? { tool: undo['tool'], bind: Object.fromEntries(Object.entries(object(undo['bind'])).map(([argument, from]) => [argument, String(from)])) } : null,
    order: orderRules(tool), rules: rulesOn(name, rulebook),
  };
}

function orderRules(tool: JsonObject): string[] {
  const after = list(tool['after']).map((rule) => `after ${isObject(rule) ? `${String(rule['tool'])} (bound)` : String(rule)}`);
  const notAfter = strings(tool['not_after']).map((name) => `not_after ${name}`);
  return [...after, ...notAfter, ...(tool['at_most'] === undefined ? [] : [`at_most ${String(tool['at_most'])}`])];
}

function rulesOn(tool: string, rulebook: JsonObject): string[] {
  const flows = list(rulebook['flows']).filter(isObject).filter((flow) => strings(flow['on']).some((name) => name === tool || name === '*'));
  return flows.flatMap((flow) => list(flow['rules']).filter(isObject).map((rule) => String(rule['id'])));
}

function object(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function strings(value: JsonValue | undefined): string[] {
  return list(value).filter((item) => typeof item === 'string');
}
