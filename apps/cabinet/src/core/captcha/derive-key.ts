import { sha256 } from '@noble/hashes/sha2.js';

/** ALTCHA's key of a counter: as many rounds of SHA-256 as it costs. Without `crypto.subtle`, which pages over plain HTTP lack. */
export function deriveKey(
  { cost, keyLength }: { cost: number; keyLength: number },
  salt: Uint8Array,
  password: Uint8Array,
): Promise<{ derivedKey: Uint8Array }> {
  const first = new Uint8Array(salt.length + password.length);
  first.set(salt);
  first.set(password, salt.length);
  let key: Uint8Array = first;
  for (let i = 0; i < Math.max(1, cost); i++) key = sha256(key);
  return Promise.resolve({ derivedKey: key.subarray(0, keyLength) });
}
