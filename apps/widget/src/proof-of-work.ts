import { sha256 } from './sha256.ts';
import type { Challenge } from './wire.ts';

/** Longer blocks of work would make the page stutter. */
const SLICE_MS = 12;
const TIMEOUT_MS = 90_000;

/**
 * Solves a challenge of ALTCHA, version 2. The page's own thread does the work in slices: a strict policy allows no worker of
 * another origin, and pages over plain HTTP lack `crypto.subtle`.
 */
export async function solve(challenge: Challenge, signal: AbortSignal): Promise<string> {
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters;
  const [saltBytes, nonceBytes] = [bytes(salt), bytes(nonce)];
  const input = new Uint8Array(saltBytes.length + nonceBytes.length + 4);
  input.set(saltBytes);
  input.set(nonceBytes, saltBytes.length);
  const counterAt = new DataView(input.buffer, input.length - 4);
  const started = performance.now();
  let slice = started;
  for (let counter = 0; ; counter++) {
    counterAt.setUint32(0, counter);
    let key = input;
    for (let round = 0; round < Math.max(1, cost); round++) key = sha256(key);
    const derivedKey = hex(key.subarray(0, keyLength));
    if (derivedKey.startsWith(keyPrefix))
      return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
    if (performance.now() - slice < SLICE_MS) continue;
    await pause();
    slice = performance.now();
    if (signal.aborted || slice - started > TIMEOUT_MS) throw new Error('Not solved');
  }
}

/** Lets the page draw and react. A timer would wait longer, and far longer in the background. */
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });

const bytes = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (data: Uint8Array): string =>
  Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');
