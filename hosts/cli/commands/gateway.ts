// `gateway`: starts the gateway, and what goes with running one: init, demo, key, check, backup, restore, migrate, erase.
import type { Command } from 'commander';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { gatewayDemo } from '../gateway/demo.ts';
import { gatewayInit } from '../gateway/init.ts';
import { gatewayKey } from '../gateway/key.ts';
import { loadGateway, loadSettings } from '../gateway/load.ts';
import { serveFile } from '../gateway/serve.ts';
import { gatewayStore } from '../gateway/store.ts';
import { example, formatOption, type Outcome, run } from '../options.ts';
import { showProblems } from '../problems.ts';
import { say, type Terminal } from '../terminal.ts';

export function gateway(program: Command, terminal: Terminal, outcome: Outcome): void {
  const parent = program.command('gateway')
    .description('start the gateway in front of MCP servers and HTTP tools; or init, demo, key, check, backup, restore, migrate, erase')
    .option('-c, --config <file>', "the gateway's file", 'gateway.yaml')
    .enablePositionalOptions()
    .action(run(terminal, outcome, (options: { config: string }) => serveFile(terminal, parent, options.config, options.config)));
  gatewayInit(parent, terminal, outcome);
  gatewayDemo(parent, terminal, outcome);
  gatewayKey(parent, terminal, outcome);
  const check = parent.command('check').description("read the gateway's file, its keys and policies, and tell every problem at once; starts nothing")
    .option('-c, --config <file>', "the gateway's file", 'gateway.yaml')
    .addOption(formatOption())
    .action(run(terminal, outcome, (options: { config: string; format: string }) => checkFile(terminal, options)));
  gatewayStore(parent, terminal, outcome);
  example(parent, 'interlock gateway init gate -- npx -y @modelcontextprotocol/server-filesystem ~/Documents', 'cd gate && interlock gateway', 'interlock gateway demo');
  example(check, 'interlock gateway check --config gateway.yaml');
}

async function checkFile(terminal: Terminal, options: { config: string; format: string }): Promise<Exit> {
  const loaded = await loadGateway();
  if (options.format === 'json') {
    const { settings, problems } = await loaded.readSettings(options.config, terminal.env, options.config);
    const all = settings === null ? problems : [...problems, ...(await loaded.checkTenants(settings))];
    const valid = settings !== null && !all.some(isError);
    say(terminal, JSON.stringify({ valid, problems: all }));
    return valid ? EXIT.ok : EXIT.refused;
  }
  const { settings } = await loadSettings(terminal, loaded, options.config);
  const found = await loaded.checkTenants(settings);
  showProblems(terminal, found);
  const wrong = found.filter(isError).length;
  if (wrong > 0) throw new CliError('config_invalid', `The gateway could not start: ${wrong === 1 ? 'a problem' : `${wrong} problems`} of its keys or policies.`, 'Nothing was started.');
  const tenants = Object.values(settings.tenants);
  say(terminal, `${options.config} is right: ${tenants.map(({ name, mode, servers }) => `tenant ${name} (${mode}, ${Object.keys(servers).length} MCP ${Object.keys(servers).length === 1 ? 'server' : 'servers'})`).join(', ')}, ${settings.callers.length} callers`);
  return EXIT.ok;
}

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === 'error';
}
