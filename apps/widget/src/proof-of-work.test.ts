import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { solve } from './proof-of-work.ts';
import { sha256 } from './sha256.ts';
import type { Challenge } from './wire.ts';

test.each([0, 1, 32, 36, 55, 56, 63, 64, 65, 119, 120, 300])('SHA-256 of %i bytes', (length) => {
  const message = Uint8Array.from({ length }, (_, i) => (i * 7) & 255);
  expect(Buffer.from(sha256(message)).toString('hex')).toBe(
    createHash('sha256').update(message).digest('hex'),
  );
});

const challengeOf = (counter: number) =>
  createChallenge({
    algorithm: 'SHA-256',
    cost: 20,
    counter,
    deriveKey,
    hmacSignatureSecret: 'secret',
    expiresAt: Math.floor(Date.now() / 1000) + 60,
  }) as Promise<Challenge>;

test('the server takes the solution', async () => {
  const challenge = await challengeOf(300);
  const text = await solve(challenge, new AbortController().signal);
  const payload = JSON.parse(atob(text)) as Parameters<typeof verifySolution>[0];
  expect(payload.challenge).toEqual(challenge);
  expect(payload.solution.counter).toBe(300);
  const answer = { ...payload, deriveKey, hmacSignatureSecret: 'secret' };
  expect((await verifySolution(answer)).verified).toBe(true);
});

test('the work ends when the person leaves', async () => {
  const leave = new AbortController();
  leave.abort();
  const challenge = await challengeOf(1);
  // No counter has this key: only the signal ends the work.
  challenge.parameters.keyPrefix = 'f'.repeat(64);
  await expect(solve(challenge, leave.signal)).rejects.toThrow('Not solved');
});
