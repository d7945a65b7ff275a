// What `interlock hook init` starts from: a policy over Claude Code's own tools, and the settings that put the hook before them.
import { shellWord } from './gateway/client-settings.ts';

/** The policy. Schemas are loose on purpose: the harness adds arguments from version to version, and a tool's name decides here. */
export const STARTER = `# The policy of Claude Code on this machine: what is not listed is denied, a read is allowed, a write is asked about.
# Check it with:  interlock lint FILE
tenant: local

agents:
  claude-code:
    tools: ["*"]               # every tool below

settings:
  undeclared_arguments: schema # the harness adds arguments from version to version

tools:
  # Reads. (sends_out: a path such as setup.py reads like the name of a host, and would be refused elsewhere.)
  - {name: Read, effect: read, sends_out: true, parameters: {type: object}}
  - {name: Glob, effect: read, sends_out: true, parameters: {type: object}}
  - {name: Grep, effect: read, sends_out: true, parameters: {type: object}}
  - {name: TodoWrite, effect: read, sends_out: true, parameters: {type: object}}   # its own list, no file of yours

  # From outside: what it returns may hold instructions of strangers. Writes are asked about anyway;
  # not_after: [untrusted] on a tool refuses it from then on.
  - {name: WebFetch, effect: read, sends_out: true, reads_outside: true, parameters: {type: object}}
  - {name: WebSearch, effect: read, sends_out: true, reads_outside: true, parameters: {type: object}}

  # Writes: a person is asked.
  - {name: Write, irreversible: true, sends_out: true, parameters: {type: object}}
  - {name: Edit, irreversible: true, sends_out: true, parameters: {type: object}}

  # A shell command is always asked about.
  - {name: Bash, irreversible: true, sends_out: true, parameters: {type: object}}

  # A tool of an MCP server: SERVER.FUNCTION, where the harness calls it mcp__SERVER__FUNCTION.
  # - {name: github.create_issue, at_most: 5, not_after: [untrusted], irreversible: true, sends_out: true, parameters: {type: object}}
`;

/** The settings: the hook before every tool, and after it. The programs stand there with their paths: a harness's PATH may be another, and a hook that is not found lets calls through. */
export function hookSettings(program: readonly string[], policy: string): string {
  const line = { hooks: [{ type: 'command', command: [...program, 'hook', 'claude-code', '--policy', policy].map(shellWord).join(' '), onFailure: 'block' }] };
  return JSON.stringify({ hooks: { PreToolUse: [line], PostToolUse: [line], PostToolUseFailure: [line] } });
}
