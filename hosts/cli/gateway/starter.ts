// The files that `interlock gateway init` writes: the gateway's file, its policy, and what a newcomer reads in them.
import { starterPolicy } from '../package.ts';
import { GRANTS, type NewKey } from '../../shared/caller-keys.ts';
import { callerLines, scalar } from './caller-key.ts';

/** An MCP server that was asked for its tools. */
export interface StarterServer { name: string; command: string; args: readonly string[]; tools: readonly { name: string; effect: string }[] }

/** The policy's agent. */
export const AGENT = 'assistant';

/** The gateway's file. */
export function starterGateway(tenant: string, server: StarterServer | null, keys: { admin: NewKey; agent: NewKey }, agent: string): string {
  return `# yaml-language-server: $schema=./gateway.schema.json
# The gateway's configuration. Check it with:  interlock gateway check
# What is left out has a default. Paths start at this file's folder. It is read again when it changes.
tenant: ${scalar(tenant)}

# enforce, or observe: everything is let through, and what would have been answered is recorded.
mode: enforce
#recording: {file: recorded.jsonl, arguments: true}   # for interlock replay, under another policy

policy: policy.yaml
keys: keys.json

# Where it listens, and where its state is.
listen: {host: 127.0.0.1, port: 8484}
engine: {folder: interlock-data}

# The MCP servers behind it. A secret is never written here: {env: NAME} or {file: PATH}.
servers:${server === null ? ' {}' : `\n  ${scalar(server.name)}:\n    command: ${scalar(server.command)}\n    args: [${server.args.map(scalar).join(', ')}]`}
#  issues:
#    url: https://mcp.example.com/mcp
#    headers: {authorization: {env: ISSUES_AUTHORIZATION}}

# Who may come. Only the hash of a key stands here; \`interlock gateway key NAME\` makes one and its lines.
callers:
${callerLines({ name: 'agent', sha256: keys.agent.sha256, agents: [agent] })}${callerLines({ name: 'admin', sha256: keys.admin.sha256, may: GRANTS.filter((grant) => ADMIN.has(grant)) })}
# Who is the agent behind \`interlock wrap\` and stdio.
agent_of_stdio: ${scalar(agent)}

approvals:
  answer: wait               # the call waits for a person; after wait_seconds the client is told that it is pending
  wait_seconds: 45

audit:
  redact: {"*": ["*"]}       # no argument's value is in the log; {"*": []} shows them all
`;
}

/** What the first administrator may do: decide and look after, not propose. */
const ADMIN = new Set<string>(['approve', 'read_approvals', 'policy', 'kill', 'audit', 'sessions', 'metrics', 'report', 'receipt', 'admin']);

/** The policy: over the server's tools where one was asked, else the starter shop. */
export function starterServerPolicy(tenant: string, server: StarterServer, agent: string): string {
  const writes = server.tools.filter(({ effect }) => effect !== 'read').map(({ name }) => name);
  return `# yaml-language-server: $schema=./policy.schema.json
# The policy of the gateway: which agent may call which tool, and what a person must see first.
# Check it with:  interlock lint policy.yaml
tenant: ${scalar(tenant)}

agents:
  ${scalar(agent)}:
    tools: ["*"]               # every tool below; name them one by one to offer fewer

# The tools of the server, as it listed them. A tool that its listing does not call read-only is a
# write, and a write is shown to a person first.${writes.length === 0 ? '' : `
# Nothing is said here of how to undo one; replace irreversible: by undo: where a tool can be.`}
tools:
  - mcp: ./${server.name}.tools.json
${writes.map((name) => `  - {name: ${scalar(name)}, irreversible: true}\n`).join('')}  # Words can be laid over an imported tool: each member given replaces the imported one.
  #
  # - name: ${server.tools[0]?.name ?? 'read_file'}
  #   reads_outside: true      # strangers write what it returns: values from it are marked
  #   not_after: [untrusted]   # never once something from outside was read
  #   at_most: 20              # times in a session

settings:
  confirmation_ttl: 86400      # seconds that a person may take to answer
`;
}

/** The starter shop's policy, whose tools stand behind no server yet. */
export function starterShopPolicy(tenant: string): string {
  return starterPolicy(tenant);
}
