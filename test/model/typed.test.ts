// Holds the model's search for typed evidence to chapter 4's own words.
import { expect, it } from 'vitest';
import { provedTyped } from './typed.ts';
import { read } from './json.ts';

function typed(value: string, turns: string[], language: 'en' | 'pt-BR' = 'en'): boolean {
  return provedTyped([{ name: 'a', value: read(new TextEncoder().encode(value)) }], turns, language).has('a');
}

const proved: [string, string, ('en' | 'pt-BR')?][] = [
  ['"4411"', 'charge order 4411 40.00'], ['40', 'charge order 4411 40.00'], ['40.0', 'total:40,'], ['40', 'US$ 40'], ['40', 'R$40,00', 'pt-BR'], ['1234.5', '1.234,50', 'pt-BR'], ['1234567', '1,234,567'],
  ['-40', 'set it to -40'], ['-40', '-$40'], ['40', '+40'], ['40', '40%'], ['40', '40€'], ['40', '(40)'], ['40', '40.'], ['7', '007'], ['"São"', 'em São Paulo'], ['"a b"', 'x a b.'], ['[1,2]', '2 and 1'], ['{"a":[1],"b":"x"}', 'x 1'], ['1e2', '100'],
  ['"40"', '40'], ['40', '40US$'],
];
const not: [string, string, ('en' | 'pt-BR')?][] = [
  ['"441"', 'order 4411'], ['"-"', 'a - b'], ['""', 'a'], ['"charge"', 'Charge'], ['40', 'v40'], ['40', '40kg'], ['77', 'A-77'], ['-77', 'A-77'], ['2024', '2024-01-02'], ['12', '12:30'], ['1.2', '1.2.3'], ['4411', '4411/2'],
  ['40', '-40'], ['true', 'true'], ['null', 'null'], ['[]', '[]'], ['{}', '{}'], ['[1,1]', 'only 1'], ['1234', '1.234'], ['1.2', '1,2'], ['9007199254740992', '9007199254740993'], ['[1,true]', '1 true'],
];

it.each(proved)('%s is proved by %s', (value, turn, language) => expect(typed(value, [turn], language)).toBe(true));
it.each(not)('%s is not proved by %s', (value, turn, language) => expect(typed(value, [turn], language)).toBe(false));

it('lets one occurrence prove one leaf, and a failing argument keep what it took', () => {
  const number = (text: string) => read(new TextEncoder().encode(text));
  const proofs = (...values: string[]) => [...provedTyped(values.map((v, i) => ({ name: String(i), value: number(v) })), ['40 and x', '41'], 'en')];
  expect(proofs('40', '40')).toEqual(['0']);
  expect(proofs('[40,true]', '40', '41')).toEqual(['2']);
  expect(proofs('"40 and"', '40', '"x"')).toEqual(['0', '2']);
});
