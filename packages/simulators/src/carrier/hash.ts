/**
 * Random numbers of the simulated carrier. Every decision about a message uses a numbered random value derived from its
 * reference and the seed. Numbered values, unlike a sequence, do not change when a profile needs one decision more.
 */

/** A 32-bit hash of a text and a seed: FNV-1a with the finalizer of splitmix32. */
export function hashOf(text: string, seed: string | number): number {
  const salt = typeof seed === 'number' ? String(seed) : seed;
  let hash = 0x811c9dc5;
  for (let i = 0; i < salt.length; i++) {
    hash = Math.imul(hash ^ salt.charCodeAt(i), 0x01000193);
  }
  // A separator: without it, seed 1 of reference "23" equals seed 12 of reference "3".
  hash = Math.imul(hash ^ 0xff, 0x01000193);
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return mix(hash);
}

/** Random value number `index` of a hash, uniform in [0, 1): `roll(hashOf('a', 1), 3) < profile.failed`. */
export function roll(hash: number, index: number): number {
  return mix(hash + Math.imul(index + 1, 0x9e3779b9)) / 0x100000000;
}

function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}
