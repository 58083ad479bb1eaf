import type { Voice } from '@heliograph/domain';
import { AppError } from '../../core/errors.ts';

/** Whoever speaks. Answers a WAV or MP3; throws `unavailable`, or `rate_limited` when it has too much to do. */
export abstract class SpeechSynthesizer {
  abstract speak(voice: Voice, text: string): Promise<Buffer>;
}

export class NoSynthesizer extends SpeechSynthesizer {
  override speak(): Promise<Buffer> {
    return Promise.reject(new AppError('unavailable', 'No speech synthesis is configured'));
  }
}
