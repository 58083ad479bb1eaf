import { captcha, type CaptchaChallenge, type CaptchaPayload } from '@heliograph/contract';
import { api } from '../api.ts';

/** A solution of a fresh challenge, as the server takes it. The work is done beside the page, which stays alive. */
export async function solve(): Promise<string> {
  const challenge = await api(captcha.challenge, {});
  const solution = await inWorker(challenge);
  return btoa(JSON.stringify({ challenge, solution } satisfies CaptchaPayload));
}

function inWorker(challenge: CaptchaChallenge): Promise<CaptchaPayload['solution']> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return new Promise<CaptchaPayload['solution']>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<CaptchaPayload['solution'] | null>) =>
      data ? resolve(data) : reject(new Error('The challenge was not solved in time'));
    worker.onerror = (event) => reject(new Error(event.message || 'The solver did not start'));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
