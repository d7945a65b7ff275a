// Row H1a: tools that list or read MCP servers' resources are refused under any of their names, whatever the agent declares.
import { type HarnessAnswer, type HarnessCall, PASSED } from "./harness-call.ts";

/** Their names without case, separators and the ending `tool`. */
const RESOURCE = /^(?:list|read|get|fetch|subscribe|unsubscribe)(?:to)?mcp(?:server)?resources?(?:templates?)?$/;
/** The protocol's own methods, spelt as a function of a server. */
const METHOD = /^mcp__.+__resources_(?:list|read|templates_list|subscribe|unsubscribe)$/i;

export function mcpResources({ name }: HarnessCall): HarnessAnswer {
  const plain = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/tool$/, "");
  if (!RESOURCE.test(plain) && !METHOD.test(name)) return PASSED;
  return { answer: "refuse", reason: "mcp_resources", message: "A session is offered the functions of MCP servers, and not their resources." };
}
