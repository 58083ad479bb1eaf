/**
 * The dice of the simulated carrier: every decision about a message is one numbered roll of the
 * hash of its reference and the seed. Numbered, not drawn in turn, so that a profile that asks one
 * question more does not change the answers to the others.
 */

/** A 32-bit hash of a text and a seed (FNV-1a, finished with the mix of splitmix32). */
export function hashOf(text: string, seed: string | number): number {
  const salt = typeof seed === 'number' ? String(seed) : seed;
  let hash = 0x811c9dc5;
  for (let i = 0; i < salt.length; i++) {
    hash = Math.imul(hash ^ salt.charCodeAt(i), 0x01000193);
  }
  // A separator, so that seed 1 of reference "23" is not seed 12 of reference "3".
  hash = Math.imul(hash ^ 0xff, 0x01000193);
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return mix(hash);
}

/** Roll number `index` of a hash, evenly in [0, 1), e.g. `roll(hashOf('a', 1), 3) < p.failed`. */
export function roll(hash: number, index: number): number {
  return mix(hash + Math.imul(index + 1, 0x9e3779b9)) / 0x100000000;
}

function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}
