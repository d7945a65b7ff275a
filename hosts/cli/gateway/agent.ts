// Which of a policy's agents a client is that says nothing about it.
import { CliError } from '../exit.ts';

/** The agent that was named, else the only one. Fails with agent_required, agent_unknown. */
export function onlyAgent(agents: readonly string[], given: string | undefined): string {
  const [first, second] = agents;
  if (given !== undefined && !agents.includes(given)) throw new CliError('agent_unknown', `The policy has no agent ${given}.`, `It has ${agents.join(', ')}.`);
  if (given === undefined && (first === undefined || second !== undefined)) throw new CliError('agent_required', first === undefined ? 'The policy has no agent.' : `The policy has several agents: ${agents.join(', ')}.`, 'Say which one the client is with --agent.');
  return given ?? first!;
}
