import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, text, trimmedLines } from './fields.ts';

export const tts = {
  /** The file is removed after ten minutes unless a message or template uses it. With 429, `payload.expires_at` is the time of the next allowed request. */
  generate: endpoint('POST', '/tts/generate', {
    quota: 'storage',
    body: z.strictObject({
      /** Id of a voice from `tools.speech` of the settings. */
      tts: text(60),
      text: trimmedLines(4096).min(1),
    }),
    response: z.object({ fileId: Id }),
    can: 'sendings.generate',
    summary: 'Synthesize a text to a recording',
  }),
};
