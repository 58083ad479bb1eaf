import { createChallenge, solveChallenge, verifySolution, type Challenge } from 'altcha-lib';
import { deriveKey as serversKey } from 'altcha-lib/algorithms/sha';
import { ApiError } from '@heliograph/contract';
import { expect, it, vi } from 'vitest';
import { deriveKey } from './derive-key.ts';
import { withCaptcha } from './with-captcha.ts';

it('finds what the server takes for a solution', async () => {
  const challenge = await createChallenge({
    algorithm: 'SHA-256',
    cost: 20,
    counter: 40,
    deriveKey: serversKey,
    hmacSignatureSecret: 'secret',
  });
  const solution = await solveChallenge({ challenge, deriveKey });
  expect(solution?.counter).toBe(40);
  const answer = {
    challenge: challenge as Challenge,
    solution: solution!,
    hmacSignatureSecret: 'secret',
  };
  expect((await verifySolution({ ...answer, deriveKey: serversKey })).verified).toBe(true);
});

it('leaves a call alone that is not asked for a solution', async () => {
  const onCaptcha = vi.fn<() => void>();
  expect(await withCaptcha(() => Promise.resolve('done'), onCaptcha)).toBe('done');
  const refusal = new ApiError(422, { code: 'validation' } as never, new Headers());
  await expect(withCaptcha(() => Promise.reject(refusal), onCaptcha)).rejects.toBe(refusal);
  expect(onCaptcha).not.toHaveBeenCalled();
});
