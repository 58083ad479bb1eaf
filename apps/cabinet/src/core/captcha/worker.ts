import type { CaptchaChallenge } from '@heliograph/contract';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from './derive-key.ts';

/** Slow phones take long; then it is given up. */
const TIMEOUT_MS = 90_000;

self.onmessage = ({ data: challenge }: MessageEvent<CaptchaChallenge>) => {
  void solveChallenge({ challenge, deriveKey, timeout: TIMEOUT_MS }).then((solution) =>
    self.postMessage(solution),
  );
};
