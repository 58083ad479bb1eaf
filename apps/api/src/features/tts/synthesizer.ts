import type { Voice } from '@heliograph/domain';
import { AppError } from '../../core/errors.ts';

/** Speech synthesis to WAV or MP3. Throws `unavailable`, or `rate_limited` if the service is overloaded. */
export abstract class SpeechSynthesizer {
  abstract speak(voice: Voice, text: string): Promise<Buffer>;
}

export class NoSynthesizer extends SpeechSynthesizer {
  override speak(): Promise<Buffer> {
    return Promise.reject(new AppError('unavailable', 'No speech synthesis is configured'));
  }
}
