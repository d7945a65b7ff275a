// Writes bindings/register/policy.schema.json from the table of members; with --check it only compares, and fails where the file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const file = new URL('../../bindings/register/policy.schema.json', import.meta.url);
const entry = new URL('../../bindings/register/policy.schema.ts', import.meta.url).pathname;
const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
const { policySchemaText } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
if (!process.argv.includes('--check')) writeFileSync(file, policySchemaText());
else if (readFileSync(file, 'utf8') !== policySchemaText()) {
  console.error('policy.schema.json is stale: run `node test/generate/policy-schema.mjs`.');
  process.exitCode = 1;
}
