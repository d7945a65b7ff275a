// Makes key sets (chapter 1, Keys): new ones, rotated ones, and the public half of one.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { CliError } from './exit.ts';

export interface Key { kid: string; kty: string; alg: string; crv?: string; k?: string; x?: string; d?: string; use?: string }
export interface KeySet { format: 'qls-keys/1'; active?: string; keys: Key[]; digest_key?: string; digests?: 'plain'; licence?: unknown; preview?: boolean }
export type Algorithm = 'HS256' | 'EdDSA';

/** A new key. `use` is left out where it is `sign`, the default. */
export function newKey(algorithm: Algorithm, use: 'sign' | 'approve' = 'sign', kid = newKid()): Key {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(kid)) throw new CliError('key_id', `"${kid}" is no key id.`, 'Use 1 to 64 letters, digits, _ and -.');
  const common = use === 'approve' ? { kid, use } : { kid };
  if (algorithm === 'HS256') return { ...common, kty: 'oct', alg: 'HS256', k: randomBytes(32).toString('base64url') };
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { ...common, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', x: x!, d: d! };
}

/** A key set around a signing key, with a new digest key. */
export function newKeySet(key: Key): KeySet {
  return { format: 'qls-keys/1', active: key.kid, keys: [key], digest_key: randomBytes(32).toString('base64url') };
}

/** The set with one more key. A signing key becomes the active one; those before it go on verifying what they signed. */
export function withKey(set: KeySet, key: Key): KeySet {
  if (set.keys.some(({ kid }) => kid === key.kid)) throw new CliError('key_id', `The set has a key ${key.kid} already.`, 'Give another --kid.');
  return { ...set, ...(key.use === 'approve' ? {} : { active: key.kid }), keys: [...set.keys, key] };
}

/** The set without secrets: it verifies and cannot sign. Its Ed25519 keys stay, and digests must be plain. */
export function publicHalf(set: KeySet): KeySet {
  const keys = set.keys.filter(({ kty }) => kty === 'OKP').map(({ d: _, ...key }) => key);
  if (keys.length === 0) throw new CliError('keys_secret', 'An HS256 key has no public half: whoever can verify with it can sign.', 'Make the set with --alg EdDSA.');
  if (set.digests !== 'plain') throw new CliError('keys_secret', 'Keyed digests cannot be checked without the digest key.', 'Make the set with --plain-digests where verifiers hold no secret.');
  return { format: 'qls-keys/1', keys, digests: 'plain' };
}

/** A value read from a file, as a key set to add to. The core judges it whole when it is loaded. */
export function asKeySet(value: unknown, file: string): KeySet {
  const set = value as Partial<KeySet> | null;
  if (typeof set !== 'object' || set === null || set.format !== 'qls-keys/1' || !Array.isArray(set.keys)) {
    throw new CliError('keys_invalid', `${file} is no key set: {"format": "qls-keys/1", "keys": […]} is needed.`);
  }
  return set as KeySet;
}

export function keySetText(set: KeySet): string {
  return `${JSON.stringify(set, null, 2)}\n`;
}

function newKid(): string {
  return `k-${randomBytes(6).toString('hex')}`;
}
