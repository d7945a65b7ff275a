// Passes an upstream server's prompts and resources on, where the tenant's settings say so; without that nothing of them is there.
import { type Client } from "@modelcontextprotocol/client";
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import type { TenantSettings } from "../../config/settings.ts";
import type { McpUpstream } from "../../upstream/upstream.ts";

/** Prompts are named `server.prompt`; resources keep their URIs, and one that several servers list is the first one's. */
export function passOn(server: Server, passes: TenantSettings["passOn"], upstream: McpUpstream, tenant: string): void {
  const having = (capability: "prompts" | "resources") => [...upstream.clients(tenant)].filter(([, client]) => client.getServerCapabilities()?.[capability] !== undefined);
  if (passes.prompts) {
    server.setRequestHandler("prompts/list", async () => ({
      prompts: (await Promise.all(having("prompts").map(async ([name, client]) => (await client.listPrompts()).prompts.map((prompt) => ({ ...prompt, name: `${name}.${prompt.name}` }))))).flat(),
    }));
    server.setRequestHandler("prompts/get", async ({ params }) => {
      const found = having("prompts").find(([name]) => params.name.startsWith(`${name}.`));
      if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "there is no such prompt");
      const [name, client] = found;
      return client.getPrompt({ name: params.name.slice(name.length + 1), ...(params.arguments === undefined ? {} : { arguments: params.arguments }) });
    });
  }
  if (passes.resources) {
    server.setRequestHandler("resources/list", async () => ({ resources: (await Promise.all(having("resources").map(async ([, client]) => (await client.listResources()).resources))).flat() }));
    server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: (await Promise.all(having("resources").map(async ([, client]) => (await client.listResourceTemplates()).resourceTemplates))).flat() }));
    server.setRequestHandler("resources/read", async ({ params }) => read(having("resources").map(([, client]) => client), params.uri));
  }
}

/** Reads a resource from the server that lists it. One that none lists is not asked for: a client cannot have a server open an address of its choice. */
async function read(clients: readonly Client[], uri: string) {
  for (const client of clients) {
    const { resources } = await client.listResources();
    if (resources.some((resource) => resource.uri === uri)) return client.readResource({ uri });
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "no server lists this resource");
}
