import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, text, trimmed } from './fields.ts';

export const tts = {
  /** The file goes ten minutes later, unless a sending or a template names it by then. 429 tells when to come again. */
  generate: endpoint('POST', '/tts/generate', {
    body: z.strictObject({
      /** A voice of `tools.speech` in the settings. */
      tts: text(60),
      text: trimmed(4096).min(1),
    }),
    response: z.object({ fileId: Id }),
    can: 'sendings.generate',
    summary: 'A text as a recording, to listen to or to send',
  }),
};
