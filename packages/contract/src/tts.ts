import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id } from './fields.ts';

export const tts = {
  /** The file goes ten minutes later, unless a sending or a template names it by then. 429 tells when to come again. */
  generate: endpoint('POST', '/tts/generate', {
    body: z.object({
      /** A voice of `tools.speech` in the settings. */
      tts: z.string().max(60),
      text: z.string().trim().min(1).max(4096),
    }),
    response: z.object({ fileId: Id }),
    can: 'sendings.generate',
    summary: 'A text as a recording, to listen to or to send',
  }),
};
