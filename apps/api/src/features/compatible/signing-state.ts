/**
 * HMAC-SHA1 without its key. The algorithm begins both of its hashes with a block that holds the key alone; what SHA-1 is after each of
 * them signs any text and does not tell the key. So callbacks can be signed by the secret of an API token that is
 * not stored. FIPS 180-4 and RFC 2104.
 */

const BLOCK = 64;
const LENGTH_AT = 56;
const INNER = 0x36;
const OUTER = 0x5c;
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
const STATE_BYTES = 20;

const rotated = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** SHA-1 after one more block. */
function compressed(state: number[], block: Buffer): number[] {
  const words = new Int32Array(80);
  for (let i = 0; i < 16; i++) words[i] = block.readInt32BE(i * 4);
  for (let i = 16; i < 80; i++)
    words[i] = rotated(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1);
  let [a, b, c, d, e] = state as [number, number, number, number, number];
  for (let i = 0; i < 80; i++) {
    const [mixed, constant] =
      i < 20
        ? [(b & c) | (~b & d), 0x5a827999]
        : i < 40
          ? [b ^ c ^ d, 0x6ed9eba1]
          : i < 60
            ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
            : [b ^ c ^ d, 0xca62c1d6];
    const next = (rotated(a, 5) + mixed + e + constant + words[i]!) | 0;
    [e, d, c, b, a] = [d, c, rotated(b, 30), a, next];
  }
  return [a, b, c, d, e].map((word, i) => (word + state[i]!) | 0);
}

/** The hash of a block and the text after it, of which the state after the block is known. */
function finished(state: number[], text: Buffer): Buffer {
  const length = Math.ceil((text.length + 1 + BLOCK - LENGTH_AT) / BLOCK) * BLOCK;
  const padded = Buffer.alloc(length);
  text.copy(padded);
  padded[text.length] = 0x80;
  padded.writeBigUInt64BE(BigInt(BLOCK + text.length) * 8n, length - 8);
  let hash = state;
  for (let at = 0; at < length; at += BLOCK)
    hash = compressed(hash, padded.subarray(at, at + BLOCK));
  return written(hash);
}

function written(state: number[]): Buffer {
  const bytes = Buffer.alloc(STATE_BYTES);
  state.forEach((word, i) => bytes.writeInt32BE(word, i * 4));
  return bytes;
}

const read = (bytes: Buffer): number[] => START.map((_, i) => bytes.readInt32BE(i * 4));

/** What signs as a key of at most 64 bytes does, in base64. */
export function signingState(key: string): string {
  const bytes = Buffer.from(key);
  if (bytes.length > BLOCK) throw new Error('The key is longer than a block');
  const blockOf = (pad: number) =>
    Buffer.alloc(BLOCK, pad).map((byte, i) => byte ^ (bytes[i] ?? 0)) as Buffer;
  const states = [INNER, OUTER].map((pad) => written(compressed(START, Buffer.from(blockOf(pad)))));
  return Buffer.concat(states).toString('base64');
}

/** The HMAC-SHA1 of a text, in base64. */
export function signatureOf(state: string, text: string): string {
  const bytes = Buffer.from(state, 'base64');
  const inner = finished(read(bytes), Buffer.from(text));
  return finished(read(bytes.subarray(STATE_BYTES)), inner).toString('base64');
}
