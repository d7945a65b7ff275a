// What makes a catalogue ambiguous to the reading of turns is warned of at its place, and the core reads turns as the warnings say.
import { readdirSync, readFileSync } from 'node:fs';
import { Client, type TurnExplanation } from 'interlock';
import { describe, expect, it } from 'vitest';
import { register } from '../../bindings/register/index.ts';
import type { Problem } from '../../bindings/register/problems.ts';
import { starterPolicy } from '../../bindings/register/starter.ts';
import { LANGUAGES } from '../../bindings/register/words.gen.ts';
import { Words } from '../../bindings/register/words.ts';
import { describeShared, shared } from '../vectors/shared.ts';
import { keys } from './bindings-shop.ts';
import { core } from './register-core.ts';

const HEAD = 'tenant: t\nagents: {a: {tools: ["*"]}}\n';
const id = '{type: object, properties: {order_id: {type: string}}, required: [order_id]}';

async function warned(tools: string, head = HEAD): Promise<{ found: string[]; problems: Problem[]; client: Client }> {
  const { id: policy, text, problems } = await register([{ path: 'policy.yaml', text: `${head}tools:\n${tools}` }], core);
  expect(policy, JSON.stringify(problems.filter(({ severity }) => severity === 'error'))).not.toBeNull();
  const found = problems.filter(({ code }) => code.startsWith('catalogue_'));
  return { found: found.map(({ code, severity, line, column }) => `${severity} ${code} ${line}:${column}`), problems: found, client: new Client({ policy: text, keys }) };
}

/** The tools that the first clause of a turn reaches alike, or the one that it reaches. */
function reached({ clauses }: TurnExplanation): readonly string[] {
  const [first] = clauses;
  return first?.tools ?? (first?.tool === undefined ? [] : [first.tool]);
}

describe('two tools reached by the same words', () => {
  it.each<[string, string, string[], string, string[]]>([
    ['nouns of two reads', `  - {name: get_order, effect: read, parameters: ${id}}\n  - {name: show_order, effect: read, parameters: ${id}}\n`, ['warning catalogue_same_words 5:12'], 'look up the order', ['get_order', 'show_order']],
    ['names that differ in order and style', `  - {name: cancelOrder, irreversible: true, parameters: ${id}}\n  - {name: order_cancel, irreversible: true, parameters: ${id}}\n`, ['warning catalogue_same_words 5:12'], 'cancel order', ['cancelOrder', 'order_cancel']],
    ['what both are also called', `  - {name: get_order, effect: read, also_called: [parcel], parameters: ${id}}\n  - {name: get_shipment, effect: read, also_called: [parcel], parameters: ${id}}\n`, ['warning catalogue_same_words 5:12'], 'show the parcel', ['get_order', 'get_shipment']],
    ['one of them by its number of values', `  - {name: get_order, effect: read, parameters: ${id}}\n  - {name: show_order, effect: read}\n`, [], 'look up the order', ['show_order']],
    ['one of them letter for letter', `  - {name: get_order, effect: read, parameters: ${id}}\n  - {name: list_orders, effect: read, parameters: ${id}}\n`, [], 'look up the order', ['get_order']],
    ['a read and a write', `  - {name: get_order, effect: read, parameters: ${id}}\n  - {name: cancel_order, irreversible: true, parameters: ${id}}\n`, [], 'look up the order', ['get_order']],
  ])('%s', async (_, tools, wanted, turn, tied) => {
    const { found, client } = await warned(tools);
    expect(found).toEqual(wanted);
    expect([...reached(client.explainTurn(turn, { agent: 'a' }))].sort()).toEqual([...tied].sort());
  });

  it('are no pair where no agent has both', async () => {
    const tools = `  - {name: get_order, effect: read, parameters: ${id}}\n  - {name: show_order, effect: read, parameters: ${id}}\n`;
    expect((await warned(tools, 'tenant: t\nagents: {a: {tools: [get_order]}, b: {tools: [show_order]}}\n')).found).toEqual([]);
    expect((await warned(tools, 'tenant: t\nagents: {a: {tools: [get_order]}, b: {tools: ["*"]}, c: {tools: [show_order, get_order]}}\n')).found).toEqual(['warning catalogue_same_words 5:12']);
  });
});

it('a thousand tools of the same word are told of once each, in a catalogue of five thousand', async () => {
  const { found } = await warned(Array.from({ length: 5000 }, (_, i) => `  - {name: get_thing_${i}, effect: read${i < 1000 ? ', also_called: [parcel]' : ''}}\n`).join(''));
  expect(found).toHaveLength(999);
}, 60_000);

describe('a tool that sends out', () => {
  it.each<[string, string, string[], string]>([
    ['without a verb that sends', '  - {name: receipt_out, sends_out: true, irreversible: true}\n', ['warning catalogue_sends_unsaid 4:12'], 'en'],
    ['with one in its name', '  - {name: emailReceipt, sends_out: true, irreversible: true}\n', [], 'en'],
    ['with one it is also called', '  - {name: receipt_out, sends_out: true, irreversible: true, also_called: [forwarding]}\n', [], 'en'],
    ['with one of Portuguese', '  - {name: recibo, sends_out: true, irreversible: true, also_called: [enviar]}\n', [], 'pt-BR'],
    ['with one of English, read in Portuguese', '  - {name: send_receipt, sends_out: true, irreversible: true}\n', [], 'pt-BR'],
    ['with one of Portuguese, read in English', '  - {name: recibo, sends_out: true, irreversible: true, also_called: [encaminhar]}\n', ['warning catalogue_sends_unsaid 4:12'], 'en'],
  ])('%s', async (_, tools, wanted, language) => {
    const { found, client } = await warned(tools, `${HEAD}settings: {language: ${language}}\n`.replace('\nsettings', ', b: {tools: []}}\nsettings').replace('}}, b', '}, b'));
    expect(found).toEqual(wanted.map((line) => line.replace('4:', '5:')));
    if (wanted.length > 0) expect(client.read('send the receipt', { agent: 'a' }).declined_because ?? '').toMatch(/^S1 egress: send/);
  });
});

describe('a parameter that takes an address', () => {
  it.each<[string, string, string[]]>([
    ['by its name', 'properties: {user_email: {type: string}}', ['user_email']],
    ['by its format', 'properties: {who: {type: string, format: email}, where: {type: [string, "null"], format: uri}, at: {$ref: "#/$defs/host"}}, $defs: {host: {type: string, format: hostname}}', ['who', 'where', 'at']],
    ['as one of a list', 'properties: {callbackUrls: {type: array, items: {type: string}}, emailAddress: {anyOf: [{type: string}, {type: "null"}]}}', ['callbackUrls', 'emailAddress']],
    ['not', 'properties: {email_id: {type: string}, url_count: {type: integer}, host: {enum: [a, b]}, mail: {type: string, format: uuid}, account: {type: string}, home_address: {type: string}}', []],
  ])('%s', async (_, parameters, names) => {
    const schema = `{type: object, ${parameters}}`;
    const { problems, client } = await warned(`  - {name: list_events, effect: read, parameters: ${schema}}\n`);
    expect(problems.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(names.map((name) => `catalogue_address /tools/0/parameters/properties/${name}`));
    for (const name of names) {
      const value = name === 'who' || name.startsWith('user') || name.startsWith('email') ? 'bob@example.com' : name === 'at' ? 'example.com' : 'https://example.com/x';
      const check = client.checkToolCall('list_events', { [name]: name.endsWith('Urls') ? [value] : value }, { session: 's', agent: 'a' });
      expect(check.reason, name).toBe('undeclared_destination');
    }
    expect((await warned(`  - {name: list_events, effect: read, subject_argument: [${names.join(', ')}], parameters: ${schema}}\n`)).found).toEqual([]);
    expect((await warned(`  - {name: send_events, sends_out: true, irreversible: true, parameters: ${schema}}\n`)).found).toEqual([]);
  });
});

describe('a description', () => {
  it('that says nothing of its own reaches nothing', async () => {
    const { found, client } = await warned([
      '  - {name: get_order, description: "With its customer.", effect: read}', '  - {name: get_refund, description: "Of the customer.", effect: read}',
      '  - {name: get_invoice, description: "Get an invoice, and its due date.", effect: read}', '  - {name: get_parcel, effect: read}', '',
    ].join('\n'));
    expect(found).toEqual(['warning catalogue_description 4:36', 'warning catalogue_description 5:37']);
    expect(reached(client.explainTurn('who is the customer', { agent: 'a' }))).toEqual([]);
    expect(reached(client.explainTurn('what is due', { agent: 'a' }))).toEqual(['get_invoice']);
  });

  it('is compared within each agent', async () => {
    const tools = '  - {name: get_order, description: "Its customer.", effect: read}\n  - {name: get_refund, description: "Its customer.", effect: read}\n';
    expect((await warned(tools, 'tenant: t\nagents: {a: {tools: [get_order]}, b: {tools: [get_refund]}}\n')).found).toEqual([]);
  });
});

it('the starter policy is not ambiguous', async () => {
  const { problems } = await register([{ path: 'policy.yaml', text: starterPolicy() }], core);
  expect(problems.filter(({ code }) => code.startsWith('catalogue_'))).toEqual([]);
});

it('every language that turns are read in is known', () => {
  const names = readdirSync('assembly/turn/words').filter((name) => name.endsWith('.txt') && name !== 'parameters.txt').map((name) => name.replace('.txt', ''));
  expect(Object.keys(LANGUAGES).sort()).toEqual(names.sort());
});

describeShared('the MCP listings', () => {
  const folder = shared('vectors/mcp-tools');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json')).sort();

  it('are ambiguous where the core finds them so', async () => {
    const words = new Words('en');
    const counts: Record<string, number> = {};
    const wrong: string[] = [];
    const missed: string[] = [];
    let pairs = 0;
    for (const file of files) {
      const { text, problems } = await register([{ path: 'policy.yaml', text: `${HEAD}tools:\n  - mcp: ./${file}\n` }, { path: file, text: readFileSync(`${folder}/${file}`, 'utf8') }], core);
      const client = new Client({ policy: text, keys });
      const tools = (JSON.parse(text) as { tools: { name: string; description?: string }[] }).tools;
      const told = new Set<string>();
      for (const { code, message, pointer } of problems.filter((problem) => problem.code.startsWith('catalogue_'))) {
        counts[code] = (counts[code] ?? 0) + 1;
        const [, one, other, phrase] = /^(\S+) and (\S+) are reached by the same words: (.*)\.$/.exec(message) ?? [];
        if (phrase !== undefined) {
          pairs++;
          told.add([one, other].sort().join(' '));
          const tied = reached(client.explainTurn(phrase, { agent: 'a' }));
          if (!tied.includes(one!) || !tied.includes(other!)) wrong.push(message);
        }
        if (code !== 'catalogue_description') continue;
        const { name, description } = tools[Number(pointer!.split('/')[2])]!;
        for (const word of new Set(words.ofText(description ?? '').map(({ form }) => form))) {
          const [clause] = client.explainTurn(`what is the ${word}`, { agent: 'a' }).clauses;
          if (clause?.tool === name && clause.decided_by === 'tool: derived') wrong.push(`${name} by ${word}: ${message}`);
        }
      }
      for (const { name } of tools) {
        const parts = words.ofName(name);
        const verb = parts.find((part) => words.verb(part) !== null);
        const turn = [...(verb ? [verb] : []), ...parts.filter((part) => part !== verb)].map(({ form }) => form).join(' ');
        const tied = reached(client.explainTurn(turn, { agent: 'a' }));
        // A name that repeats a word is not reached by its own words: a turn's words count once.
        if (!tied.includes(name) || new Set(parts.map(({ stem }) => stem)).size < parts.length) continue;
        for (const other of tied) if (other !== name && !told.has([name, other].sort().join(' '))) missed.push(`${turn}: ${name} ${other}`);
      }
    }
    console.log(`MCP listings: ${JSON.stringify(counts)}, ${pairs} pairs told of, ${missed.length} ties of names not: ${missed.join('; ')}`);
    expect(wrong).toEqual([]);
    expect(pairs).toBeGreaterThan(15);
    // Names whose first word a turn hears as a verb, though no list of verbs has it: `browser mouse up`.
    expect(missed.length).toBeLessThanOrEqual(8);
  }, 120_000);
});
