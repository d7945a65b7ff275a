#!/usr/bin/env node
// Starts the command line on the process's own arguments and streams.
import { main } from './program.ts';

/** A closed pipe (`interlock … | head`) ends quietly. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => { if (error.code === 'EPIPE') process.exit(0); else throw error; });

process.exitCode = await main(process.argv.slice(2), { out: process.stdout, err: process.stderr, in: process.stdin, env: process.env });
