#!/usr/bin/env node
// Starts the command line on the process's own arguments and streams.
import { readFileSync } from 'node:fs';
import { lineDriver } from './package.ts';
import { failedExit, main } from './program.ts';

/**
 * A closed pipe (`interlock … | head`) ends quietly, but never with 0 for an answer that nobody read: an exit code of 0 says that a call is allowed.
 * Where the command has ended, its own code stands.
 */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.stderr.write(`error output_unwritable: standard output cannot be written: ${error.message}.\n`);
  process.exit(Number(process.exitCode ?? 0) || failedExit(process.argv.slice(2)));
});
process.stderr.on('error', () => { /* Nobody is left to tell. */ });

/** What nobody foresaw ends the program with a sentence. */
process.on('uncaughtException', (error) => {
  process.stderr.write(`error failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(failedExit(process.argv.slice(2)));
});

/** Ctrl-C and a kill end the program in its own way, so that what a command cleans up on exit is cleaned up. */
for (const [signal, number] of [['SIGINT', 2], ['SIGTERM', 15], ['SIGHUP', 1]] as const) process.once(signal, () => process.exit(128 + number));

/** The program is built to dist/cli.js, beside the package's own description. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

process.exitCode = await main(process.argv.slice(2), { out: process.stdout, err: process.stderr, in: process.stdin, env: process.env, driver: async () => lineDriver() }, version);
