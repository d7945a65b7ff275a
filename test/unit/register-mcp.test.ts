// Every real MCP listing registers, or is refused for a reason that is right.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { register } from '../../bindings/register/index.ts';
import { describeShared, shared } from '../vectors/shared.ts';
import { core } from './register-core.ts';

/** The tools that are refused: `file tool: code pointer-in-the-tool`, and why that is right. */
const REFUSED: Record<string, string> = {};
/** The tools whose schemas hold a part that is not asserted, and what it is. */
const PARTIAL: Record<string, string[]> = {
  'roychri-mcp-server-asana-1.8.0.json': ['asana_set_parent_for_task'],
};

describeShared('the MCP listings', () => {
  const folder = shared('vectors/mcp-tools');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json')).sort();

  it(`registers all ${files.length} of them`, async () => {
    const refused: string[] = [];
    const partial: Record<string, string[]> = {};
    let tools = 0;
    for (const file of files) {
      const answer = await register([
        { path: 'policy.yaml', text: `tenant: t\nagents: {a: {tools: ["*"]}}\ntools:\n  - mcp: ./${file}\n` }, { path: file, text: readFileSync(`${folder}/${file}`, 'utf8') },
      ], core);
      const errors = answer.problems.filter(({ severity }) => severity === 'error');
      for (const { code, line, column, pointer, message } of errors) refused.push(`${file}:${line}:${column} ${code} ${pointer ?? ''} ${message}`);
      if (answer.partial.length > 0) partial[file] = answer.partial;
      tools += answer.imported.length;
      expect(answer.id === null, file).toBe(errors.length > 0);
    }
    console.log(`MCP listings: ${files.length} files, ${tools} tools, ${refused.length} refused, partial: ${JSON.stringify(partial)}`);
    for (const line of refused) console.log(`  refused: ${line}`);
    expect(files).toHaveLength(44);
    expect(refused.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(Object.keys(REFUSED));
    expect(partial).toEqual(PARTIAL);
  }, 60_000);
});
