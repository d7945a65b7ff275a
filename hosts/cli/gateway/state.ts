// The folder where gateways that were started without a file keep what is theirs (`wrap`, `demo`), and how the other commands find one that runs.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Env = Record<string, string | undefined>;

/** A gateway that runs on this machine for this user. */
export interface Running { pid: number; url: string; key: string; name: string; started: string }

/** The user's folder of state: `INTERLOCK_STATE`, else where the system keeps such things. */
export function stateFolder(env: Env): string {
  if (env['INTERLOCK_STATE']) return env['INTERLOCK_STATE'];
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'interlock');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'interlock');
  if (process.platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'interlock');
  return join(homedir(), '.local', 'state', 'interlock');
}

const folderOf = (env: Env): string => join(stateFolder(env), 'running');

/** Notes a running gateway, in a file that its owner alone may read; gives what takes the note away. */
export function announce(env: Env, running: Omit<Running, 'pid' | 'started'>): () => void {
  const folder = folderOf(env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${process.pid}.json`);
  const note: Running = { pid: process.pid, ...running, started: new Date().toISOString() };
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(note), { mode: 0o600, flag: 'wx' });
  const forget = () => rmSync(file, { force: true });
  process.once('exit', forget);
  return () => {
    process.off('exit', forget);
    forget();
  };
}

/** Every gateway that is noted and whose process is there; notes of others are taken away. */
export function running(env: Env): Running[] {
  const folder = folderOf(env);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.filter((name) => /^\d+\.json$/.test(name)).flatMap((name) => {
    const file = join(folder, name);
    try {
      const note = JSON.parse(readFileSync(file, 'utf8')) as Running;
      if (isThere(note.pid)) return [note];
      rmSync(file, { force: true });
    } catch {
      // Written or taken away at this moment, or somebody else's: not one to ask.
    }
    return [];
  });
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
