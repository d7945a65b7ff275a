#!/usr/bin/env node
// Starts the command line on the process's own arguments and streams.
import { readFileSync } from 'node:fs';
import { lineDriver } from './package.ts';
import { main } from './program.ts';

/** A closed pipe (`interlock … | head`) ends quietly. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => { if (error.code === 'EPIPE') process.exit(0); else throw error; });

/** The program is built to dist/cli.js, beside the package's own description. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

process.exitCode = await main(process.argv.slice(2), { out: process.stdout, err: process.stderr, in: process.stdin, env: process.env, driver: async () => lineDriver() }, version);
