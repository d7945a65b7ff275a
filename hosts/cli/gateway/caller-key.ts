// Makes a caller's key, and the lines that let it into the gateway's file: only the hash of the key is kept.
import { createHash, randomBytes } from 'node:crypto';

/** A key as its caller keeps it, and the hash that the gateway knows it by. */
export interface CallerKey { key: string; sha256: string }

/** A new key: `ik_` and 256 random bits in base64url. */
export function newCallerKey(): CallerKey {
  const key = `ik_${randomBytes(32).toString('base64url')}`;
  return { key, sha256: createHash('sha256').update(key).digest('hex') };
}

/** What a caller may be granted (the gateway's file, `may`). */
export const GRANTS = [
  'turns', 'origins', 'context', 'resource', 'agent', 'principal', 'confirmation', 'approvals', 'undo',
  'report', 'receipt', 'approve', 'read_approvals', 'policy', 'kill', 'audit', 'sessions', 'metrics', 'admin',
] as const;

export interface CallerLines { name: string; sha256: string; tenant?: string | undefined; agents?: readonly string[]; approver?: string | undefined; may?: readonly string[]; expires?: string | undefined }

/** The caller's lines below `callers:`, in YAML. */
export function callerLines({ name, sha256, tenant, agents = [], approver, may = [], expires }: CallerLines): string {
  const members = [
    ...(tenant === undefined ? [] : [`    tenant: ${scalar(tenant)}`]),
    `    sha256: "${sha256}"`,
    ...(agents.length === 0 ? [] : [`    agents: [${agents.map(scalar).join(', ')}]`]),
    ...(approver === undefined ? [] : [`    approver: ${scalar(approver)}`]),
    ...(may.length === 0 ? [] : [`    may: [${may.join(', ')}]`]),
    ...(expires === undefined ? [] : [`    expires: "${expires}"`]),
  ];
  return `  ${scalar(name)}:\n${members.join('\n')}\n`;
}

/** A text as a YAML scalar: plain where that reads as the same text, else as JSON has it, which YAML reads too. */
export function scalar(text: string): string {
  return /^[A-Za-z][A-Za-z0-9_.@/-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text) ? text : JSON.stringify(text);
}
