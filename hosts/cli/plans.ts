// Prints what a turn was read into, for people: the plan's steps, and why it was read so, clause by clause and rule by rule.
import { EXIT, type Exit } from './exit.ts';
import { type Plan, type TurnExplanation, visible } from './package.ts';
import { paint, say, type Style, type Terminal } from './terminal.ts';

const STYLES: Record<Plan['outcome'], Style> = { run: 'green', confirm: 'yellow', ask: 'yellow', declined: 'red', unread: 'red' };

/** The exit code of a plan: what `run` has, what a person answers first, and what runs nothing. */
export function exitOfPlan({ outcome }: Plan): Exit {
  return outcome === 'run' ? EXIT.ok : outcome === 'confirm' || outcome === 'ask' ? EXIT.person : EXIT.refused;
}

/** The outcome, and each step with its arguments and where they come from. Steps are counted from 0, as the plan does. */
export function showPlan(terminal: Terminal, plan: Plan): void {
  const about = plan.outcome === 'declined' ? `  ${visible(plan.declined_because ?? '')}` : '';
  say(terminal, `${paint(terminal, terminal.out, STYLES[plan.outcome], plan.outcome)}${about}`);
  for (const [at, step] of plan.steps.entries()) {
    const after = step.after_step === undefined ? '' : `, after step ${step.after_step}`;
    say(terminal, `  ${at}  ${paint(terminal, terminal.out, 'bold', visible(step.tool))}  ${paint(terminal, terminal.out, 'dim', `${step.decided_by}${after}`)}`);
    const bound = Object.fromEntries(Object.entries(step.origins).map(([name, origin]) => [name, { origin, value: step.arguments[name] }]));
    showBound(terminal, bound);
    for (const name of step.missing) say(terminal, `       ${visible(name)} is missing`);
  }
  if (plan.question !== undefined) say(terminal, `  ${visible(plan.question)}`);
  if (plan.sentence !== undefined) say(terminal, `  ${visible(plan.sentence)}`);
}

function showBound(terminal: Terminal, bound: Readonly<Record<string, { readonly origin: string; readonly value?: unknown }>>): void {
  for (const [name, { origin, value }] of Object.entries(bound)) {
    const from = /^result:(\d+)(?:\.(.+))?$/s.exec(origin);
    say(terminal, value === undefined && from !== null
      ? `       ${visible(name)} from step ${from[1]}${from[2] === undefined ? '' : `'s ${visible(from[2])}`}  (${visible(origin)})`
      : `       ${visible(name)} = ${visible(typeof value === 'string' ? value : JSON.stringify(value))}  (${visible(origin)})`);
  }
}

/** How a turn was read: its clauses, then the four rules, then the plan's outcome and what would change it. */
export function showReading(terminal: Terminal, { clauses, plan, rules }: TurnExplanation): void {
  for (const [at, clause] of clauses.entries()) {
    say(terminal, `  ${at}  ${paint(terminal, terminal.out, 'bold', visible(JSON.stringify(clause.text)))}`);
    const tied = clause.tools !== undefined && clause.tools.length > 0 ? `reaches alike: ${clause.tools.join(', ')}` : 'reaches no tool';
    const words = clause.words.length > 0 ? `  by ${clause.words.map((word) => `"${word}"`).join(', ')}` : '';
    say(terminal, `       ${clause.tool === undefined ? visible(tied) : visible(`${clause.tool}  ${clause.decided_by}${words}`)}`);
    showBound(terminal, clause.arguments);
    for (const value of clause.unbound) say(terminal, `       ${paint(terminal, terminal.out, 'yellow', 'nothing took')} ${visible(value)}`);
    if (clause.calculation !== undefined) say(terminal, `       calculates: ${visible(clause.calculation)}`);
    if (clause.negated) say(terminal, '       negated: not read as a request');
    if (clause.conditional) say(terminal, '       conditional: what it depends on is not read');
  }
  for (const [name, unset, cleared] of RULES) {
    const found = rules.filter(({ rule }) => rule.startsWith(name));
    if (found.length === 0) say(terminal, `  ${name}  ${paint(terminal, terminal.out, 'dim', `nothing sets it off: ${unset}`)}`);
    for (const { rule, result, said } of found) {
      const why = result === 'cleared' ? `: ${cleared}` : said === '' ? '' : `, set off by ${visible(JSON.stringify(said))}`;
      say(terminal, `  ${name}  ${paint(terminal, terminal.out, result === 'holds' ? 'red' : 'green', result)}  ${visible(rule)}${why}`);
    }
  }
  say(terminal);
  showPlan(terminal, plan);
  for (const fix of turnFixes(plan)) say(terminal, `  ${paint(terminal, terminal.out, 'cyan', 'fix')}: ${visible(fix)}`);
}

/** The four rules of chapter 6: when nothing of a turn is about one, and what clears one that something is about. */
const RULES = [
  ['S1', 'no word of the turn sends data out', 'a sends_out tool that the turn reaches has the verb among its own words'],
  ['S2', 'no address, path or place was named', 'an argument took it'],
  ['S3', 'no write takes what was calculated', 'no write takes it'],
  ['S4', "no calculation over another agent's data", 'the data is this agent\'s'],
] as const;

/** What would change a plan that does not run, the first of each kind. */
export function turnFixes(plan: Plan): string[] {
  if (plan.outcome === 'unread') return ["say what to do with words that a tool's name, also_called or description has"];
  return FIXES.filter(([rule]) => plan.declined_because?.split('; ').some((because) => because.startsWith(rule))).map(([, fix]) => fix);
}

const FIXES: [string, string][] = [
  ['S1', 'where a tool truly sends this, declare it sends_out, with the verb in its name or also_called; where none does, the refusal is the answer'],
  ['S2', 'give the tool that should take it a parameter for it; where it says whose data is read, name that parameter as subject_argument'],
  ['S3', 'ask for the calculation and for the write in two turns'],
  ['S4', 'ask the agent whose tool reads that data'],
];
