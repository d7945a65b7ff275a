// `approvals`: what agents wait for a person with, and the person's answers, over a running gateway's API.
import type { Command } from 'commander';
import { showQuestion } from '../answers.ts';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { remoteOptions, remotes, type Remote, type RemoteOptions } from '../gateway/remote.ts';
import { example, formatOption, integer, type Outcome, run } from '../options.ts';
import { type Question, visible } from '../package.ts';
import { readText } from '../store.ts';
import { newTable } from '../table.ts';
import { paint, say, type Terminal, warn } from '../terminal.ts';

interface Options extends RemoteOptions { format: string }
interface Approval {
  id: string; tool: string; agent: string | null; session: string; caller: string; state: string; question: Question | null; askedAt: number; expiresAt: number; count: number;
  answers: { approver: string; answer: string; why: string | null; at: number }[]; editedInto: string | null; stopped?: { why: string; by: string };
}

export function approvals(program: Command, terminal: Terminal, outcome: Outcome): void {
  const parent = program.command('approvals').description('what agents wait for a person with: list, show, approve, deny, expire, edit, watch');
  const sub = (name: string, text: string) => remoteOptions(parent.command(name).description(text)).addOption(formatOption());
  const list = sub('list', 'the questions that are open').option('--all', 'answered ones too').option('--limit <n>', 'at most so many of a gateway', integer(1), 100)
    .action(run(terminal, outcome, (options: Options & { all?: boolean; limit: number }) => showList(terminal, options)));
  const show = sub('show', 'a question with all that a person should see').argument('<id>', "the question's id, or how it starts")
    .action(run(terminal, outcome, (id: string, options: Options) => showOne(terminal, id, options)));
  const approve = sub('approve', 'say yes to exactly this call').argument('<id>', "the question's id, or how it starts").option('--why <text>', 'what the log keeps beside the answer')
    .action(run(terminal, outcome, (id: string, options: Options & { why?: string }) => decide(terminal, id, 'approve', options)));
  const deny = sub('deny', 'say no; why is told to the model').argument('<id>', "the question's id, or how it starts").requiredOption('--why <text>', 'what the model is told')
    .action(run(terminal, outcome, (id: string, options: Options & { why?: string }) => decide(terminal, id, 'deny', options)));
  const expire = sub('expire', 'end a question that nobody is to answer any more: its call is refused').argument('<id>', "the question's id, or how it starts")
    .action(run(terminal, outcome, (id: string, options: Options) => decide(terminal, id, 'expire', options)));
  const edit = sub('edit', 'approve with other arguments: a new call, checked from the start; ends with 2 where that is refused, with 3 where a person has to answer again').argument('<id>', "the question's id, or how it starts").argument('<arguments>', 'the arguments, JSON; - reads them from standard input, @FILE from a file').option('--why <text>', 'what the model is told')
    .action(run(terminal, outcome, (id: string, text: string, options: Options & { why?: string }) => editOne(terminal, id, text, options)));
  const watch = sub('watch', 'print each question as it is asked, until Ctrl-C').action(run(terminal, outcome, (options: Options) => watchAll(terminal, options)));
  example(parent, 'interlock approvals list', 'interlock approvals approve 0198');
  example(list, 'interlock approvals list --all');
  example(show, 'interlock approvals show 0198');
  example(approve, 'interlock approvals approve 0198');
  example(deny, "interlock approvals deny 0198 --why 'not this month'");
  example(edit, `interlock approvals edit 0198 '{"order_id": "4411", "amount": 40}'`);
  example(expire, 'interlock approvals expire 0198');
  example(watch, 'interlock approvals watch');
}

async function listed(gateway: Remote, { all, limit }: { all?: boolean | undefined; limit: number }): Promise<Approval[]> {
  const { approvals: found } = await gateway.ask<{ approvals: Approval[] }>('GET', `/v1/approvals?limit=${limit}${all ? '' : '&state=open'}`);
  return found;
}

async function showList(terminal: Terminal, options: Options & { all?: boolean; limit: number }): Promise<Exit> {
  const gateways = await remotes(terminal, options);
  const found = (await Promise.all(gateways.map(async (gateway) => (await listed(gateway, options)).map((approval) => ({ gateway, approval }))))).flat();
  if (options.format === 'json') {
    say(terminal, JSON.stringify(found.map(({ gateway, approval }) => ({ gateway: gateway.url, ...approval }))));
    return EXIT.ok;
  }
  if (found.length === 0) {
    say(terminal, options.all ? 'Nothing was asked.' : 'Nothing waits for a person.');
    return EXIT.ok;
  }
  const several = gateways.length > 1;
  const table = await newTable({ head: ['id', 'tool', 'agent', 'asked', options.all ? 'state' : 'ends', ...(several ? ['gateway'] : [])] });
  for (const { gateway, approval: { id, tool, agent, askedAt, expiresAt, state } } of found) table.push([id, visible(tool), visible(agent ?? ''), moment(askedAt), options.all ? state : moment(expiresAt), ...(several ? [gateway.name] : [])]);
  say(terminal, table.toString());
  return EXIT.ok;
}

function moment(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}

/** The question whose id starts so, and its gateway. Fails with approval_not_found, approval_ambiguous. */
async function found(terminal: Terminal, id: string, options: RemoteOptions): Promise<{ gateway: Remote; approval: Approval }> {
  if (!/^[0-9a-fA-F-]{4,36}$/.test(id)) throw new CliError('usage', `${id} is no question's id.`, 'Give the id, or at least its first four characters.');
  const gateways = await remotes(terminal, options);
  const hits: { gateway: Remote; approval: Approval }[] = [];
  for (const gateway of gateways) {
    if (id.length === 36) {
      const approval = await gateway.ask<Approval>('GET', `/v1/approvals/${encodeURIComponent(id)}`).catch((error: unknown) => {
        if ((error as CliError).code === 'approval_not_found') return null;
        throw error;
      });
      if (approval !== null) hits.push({ gateway, approval });
    } else for (const approval of await listed(gateway, { all: true, limit: 1000 })) if (approval.id.startsWith(id.toLowerCase())) hits.push({ gateway, approval });
  }
  const open = hits.filter(({ approval }) => approval.state === 'open');
  const meant = hits.length > 1 && open.length === 1 ? open : hits;
  if (meant.length === 0) throw new CliError('approval_not_found', `No question's id starts with ${id}.`, 'interlock approvals list --all shows them.');
  if (meant.length > 1) throw new CliError('approval_ambiguous', `${meant.length} questions' ids start with ${id}.`, 'Give more of the id.');
  return meant[0]!;
}

async function showOne(terminal: Terminal, id: string, options: Options): Promise<Exit> {
  const { approval } = await found(terminal, id, options);
  if (options.format === 'json') say(terminal, JSON.stringify(approval));
  else print(terminal, approval);
  return EXIT.ok;
}

function print(terminal: Terminal, approval: Approval): void {
  say(terminal, `${paint(terminal, terminal.out, 'bold', approval.id)}  ${approval.state}`);
  say(terminal, `  proposed by ${visible(approval.caller)} for ${visible(approval.agent ?? 'no agent')}, session ${visible(approval.session)}, ${moment(approval.askedAt)}; ends ${moment(approval.expiresAt)}`);
  if (approval.stopped !== undefined) say(terminal, `  stopped by a kill switch: ${visible(approval.stopped.why)} (${visible(approval.stopped.by)}); no yes is taken until it is lifted`);
  if (approval.count > 1) say(terminal, `  ${approval.count} different people have to say yes`);
  if (approval.question !== null) showQuestion(terminal, approval.question);
  if (approval.question?.undo) say(terminal, `    undone by ${visible(approval.question.undo.tool)}`);
  for (const { approver, answer, why, at } of approval.answers) say(terminal, `  ${visible(approver)}: ${answer}${why === null ? '' : ` (${visible(why)})`}, ${moment(at)}`);
}

async function decide(terminal: Terminal, id: string, answer: 'approve' | 'deny' | 'expire', options: Options & { why?: string }): Promise<Exit> {
  const { gateway, approval } = await found(terminal, id, options);
  const body = answer === 'expire' ? undefined : JSON.stringify(options.why === undefined ? {} : { why: options.why });
  const decided = await gateway.ask<Approval>('POST', `/v1/approvals/${encodeURIComponent(approval.id)}/${answer}`, body);
  if (options.format === 'json') say(terminal, JSON.stringify(decided));
  else say(terminal, decided.state === 'open' ? `noted; ${decided.count - decided.answers.filter((one) => one.answer === 'approve').length} more have to say yes` : `${decided.state}: ${visible(decided.tool)} ${decided.id}`);
  return EXIT.ok;
}

async function editOne(terminal: Terminal, id: string, text: string, options: Options & { why?: string }): Promise<Exit> {
  const given = text === '-' || text.startsWith('@') ? await readText(terminal, text === '-' ? '-' : text.slice(1), 'The arguments') : text;
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('they are no object');
  } catch (error) {
    throw new CliError('file_json', `The arguments are not a JSON object: ${(error as Error).message}.`);
  }
  const { gateway, approval } = await found(terminal, id, options);
  // The text as it was given: no digit of it is read here.
  const body = `{${options.why === undefined ? '' : `"why":${JSON.stringify(options.why)},`}"arguments":${given}}`;
  const edited = await gateway.ask<Approval>('POST', `/v1/approvals/${encodeURIComponent(approval.id)}/edit`, body);
  const made = await followed(gateway, edited.editedInto!);
  const { call, outcome, reason, approval: next } = made;
  if (options.format === 'json') say(terminal, JSON.stringify({ approval: edited, call: made }));
  else if (outcome === 'refused') say(terminal, `edited, and refused: ${visible(approval.tool)}, ${visible(reason ?? '')}`);
  else if (outcome === 'pending') say(terminal, `edited: a person has to answer about the changed call: ${next}`);
  else say(terminal, `edited: ${visible(approval.tool)} ${call}, checked from the start, ${outcome === 'result' ? 'is made' : 'goes on'}`);
  return outcome === 'refused' ? EXIT.refused : outcome === 'pending' ? EXIT.person : EXIT.ok;
}

interface Made { call: string; outcome: string; reason?: string; approval?: string | null }

/** The call that an edit makes: its end, that people are asked, or that it goes on after half a minute. */
async function followed(gateway: Remote, call: string): Promise<Made> {
  for (let looks = 1; ; looks++) {
    const made = await gateway.ask<Made>('GET', `/v1/calls/${encodeURIComponent(call)}?wait=1`);
    if (made.outcome !== 'working' || looks === 30) return made;
  }
}

async function watchAll(terminal: Terminal, options: Options): Promise<Exit> {
  const gateways = await remotes(terminal, options);
  const seen = new Set<string>();
  const look = async (gateway: Remote): Promise<void> => {
    for (const approval of (await listed(gateway, { limit: 200 })).reverse()) {
      if (seen.has(approval.id)) continue;
      seen.add(approval.id);
      if (options.format === 'json') say(terminal, JSON.stringify({ gateway: gateway.url, ...approval }));
      else {
        print(terminal, approval);
        say(terminal);
      }
    }
  };
  if (options.format === 'human') warn(terminal, `watching ${gateways.map(({ name }) => name).join(', ')}; Ctrl-C ends it`);
  await Promise.all(gateways.map(async (gateway) => {
    await look(gateway);
    const decoder = new TextDecoder();
    let rest = '';
    for await (const part of gateway.stream('/v1/approvals/events', 'text/event-stream')) {
      rest += decoder.decode(part, { stream: true });
      const at = rest.lastIndexOf('\n\n');
      if (at < 0) continue;
      rest = rest.slice(at + 2);
      await look(gateway);
    }
  }));
  throw new CliError('gateway_unreachable', 'The gateway ended the connection.', 'Watch again once it is back; what was asked meanwhile is in the list.');
}
