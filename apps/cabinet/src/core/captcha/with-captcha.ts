import { ApiError } from '@heliograph/contract';
import { fetched } from '../lost-chunk.ts';

/** A call that may be refused until a challenge is solved: then it is solved, which takes seconds, and the call is made again. */
export async function withCaptcha<T>(
  call: (captcha?: string) => Promise<T>,
  onCaptcha: () => void,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'captcha_required') throw error;
  }
  onCaptcha();
  const { solve } = await fetched(() => import('./solve.ts'), false);
  return call(await solve());
}
