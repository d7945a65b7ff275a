// A key set for trying things out: everyone knows it, so what it signs proves nothing.

/** Its JSON text: one symmetric key of 32 bytes of seven, and a digest key of 32 bytes of nine. */
export const PRACTICE_KEYS = JSON.stringify({
  format: 'qls-keys/1', active: 'script', keys: [{ kid: 'script', kty: 'oct', alg: 'HS256', k: 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc' }], digest_key: 'CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk',
});
