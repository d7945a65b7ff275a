// Passes an upstream server's prompts and resources on, where the tenant's settings say so; without that nothing of them is there.
import type { Client, Prompt } from "@modelcontextprotocol/client";
import { ProtocolError, ProtocolErrorCode, type Server, UriTemplate } from "@modelcontextprotocol/server";
import type { TenantSettings } from "../../config/settings.ts";
import type { McpUpstream } from "../../upstream/upstream.ts";

/** A prompt keeps its name, unless a server before has it: then it is `server.prompt`. Resources keep their URIs, and one that several servers list is the first one's. */
export function passOn(server: Server, passes: TenantSettings["passOn"], upstream: McpUpstream, tenant: string): void {
  const having = (capability: "prompts" | "resources") => [...upstream.clients(tenant)].filter(([, client]) => client.getServerCapabilities()?.[capability] !== undefined);
  if (passes.prompts) {
    server.setRequestHandler("prompts/list", async () => ({ prompts: [...(await prompts(having("prompts")))].map(([name, { prompt }]) => ({ ...prompt, name })) }));
    server.setRequestHandler("prompts/get", async ({ params }) => {
      const found = (await prompts(having("prompts"))).get(params.name);
      if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "there is no such prompt");
      return found.client.getPrompt({ name: found.prompt.name, ...(params.arguments === undefined ? {} : { arguments: params.arguments }) });
    });
  }
  if (passes.resources) {
    server.setRequestHandler("resources/list", async () => ({ resources: (await Promise.all(having("resources").map(async ([, client]) => (await client.listResources()).resources))).flat() }));
    server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: (await Promise.all(having("resources").map(async ([, client]) => (await client.listResourceTemplates()).resourceTemplates))).flat() }));
    server.setRequestHandler("resources/read", async ({ params }) => read(having("resources").map(([, client]) => client), params.uri));
  }
}

async function prompts(servers: readonly (readonly [string, Client])[]): Promise<Map<string, { client: Client; prompt: Prompt }>> {
  const found = new Map<string, { client: Client; prompt: Prompt }>();
  for (const [server, client] of servers) {
    for (const prompt of (await client.listPrompts()).prompts) found.set(found.has(prompt.name) ? `${server}.${prompt.name}` : prompt.name, { client, prompt });
  }
  return found;
}

/** Reads a resource from the server that lists it, or lists a template that it fits. One that none lists is not asked for: a client cannot have a server open an address of its choice. */
async function read(clients: readonly Client[], uri: string) {
  for (const client of clients) {
    const { resources } = await client.listResources();
    if (resources.some((resource) => resource.uri === uri)) return client.readResource({ uri });
    const { resourceTemplates } = await client.listResourceTemplates();
    if (resourceTemplates.some(({ uriTemplate }) => new UriTemplate(uriTemplate).match(uri) !== null)) return client.readResource({ uri });
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "no server lists this resource");
}
