import { MAX_FILE_SIZE } from '@heliograph/contract';
import type { Voice } from '@heliograph/domain';
import type { Config } from '../../core/config.ts';
import { fetchService, busy, unavailable } from '../../core/http/service-client.ts';
import { SpeechSynthesizer } from './synthesizer.ts';

const TIMEOUT_MS = 30_000;

/** A service that receives `{ synthesizer, voice, text }` and responds with the audio. */
export class HttpSynthesizer extends SpeechSynthesizer {
  constructor(private readonly config: Config) {
    super();
  }

  override async speak({ synthesizer, name }: Voice, text: string): Promise<Buffer> {
    const { TTS_URL, TTS_KEY } = this.config;
    const answer = await fetchService(TTS_URL!, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'audio/wav, audio/mpeg',
        ...(TTS_KEY && { authorization: `Bearer ${TTS_KEY}` }),
      },
      body: JSON.stringify({ synthesizer, voice: name, text }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_FILE_SIZE,
    });
    if (answer.status === 429) throw busy(answer);
    if (answer.status !== 200)
      throw unavailable(`the speech synthesis responded with status ${answer.status}`);
    return answer.bytes;
  }
}
