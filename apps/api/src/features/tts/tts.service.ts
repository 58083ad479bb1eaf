import { Injectable } from '@nestjs/common';
import type { tts } from '@heliograph/contract';
import { audioSeconds, compileText, VariableError, voicesOf } from '@heliograph/domain';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { invalid } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { unavailable } from '../../core/http/service-client.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { StorageService } from '../storage/storage.service.ts';
import { SpeechSynthesizer } from './synthesizer.ts';

type Asked = In<typeof tts.generate>['body'];

/** Requests per minute and account. */
export const TTS_LIMIT = 10;
/** Unused recordings expire after this time. */
const UNUSED_MS = 10 * 60_000;

@Injectable()
export class TtsService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly synthesizer: SpeechSynthesizer,
    private readonly storage: StorageService,
    limits: RateLimits,
  ) {
    this.limit = limits.of('tts', TTS_LIMIT, 60);
  }

  /** Stores the spoken text as a file of the account. Variables are replaced by their defaults. */
  async generate({ OwnerId }: Actor, { tts: id, text }: Asked): Promise<string> {
    const voice = voicesOf(this.config.BRAND).find((one) => one.id === id);
    if (!voice) throw invalid('tts', 'invalid_value', 'The voice is unknown.');
    const script = rendered(text);
    await take(this.limit, OwnerId);
    const bytes = await this.synthesizer.speak(voice, script);
    if (audioSeconds(bytes, bytes.length) === null)
      throw unavailable('the speech synthesis returned neither WAV nor MP3');
    const kind = bytes.toString('latin1', 0, 4) === 'RIFF' ? 'wav' : 'mp3';
    const file = await this.storage.saveBytes(OwnerId, bytes, {
      filename: `${nameOf(script)}.${kind}`,
      expiredAt: new Date(this.clock.now().getTime() + UNUSED_MS),
    });
    return file.id;
  }
}

function rendered(text: string): string {
  try {
    const script = compileText(text).preview({}).trim();
    if (script) return script;
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    throw invalid('text', 'variable', error.message);
  }
  throw invalid('text', 'required', 'The text is empty.');
}

/** A file name from the first words. */
const nameOf = (text: string) =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 40)
    .trim() || 'speech';
